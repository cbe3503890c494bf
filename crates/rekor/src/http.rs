//! Requests to logs and timestamp authorities: small, bounded, and clear about whether the server can have got them.
//!
//! Nothing of an answer is believed here. What is kept apart are three kinds of failure: nothing was sent, nobody knows
//! what became of it, and the answer is larger than it may be.

mod answer;
mod coding;
mod error;
mod retry_after;
mod tls;
mod url;

use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{Method, Response, StatusCode};

pub use answer::Answer;
pub use coding::CodingError;
pub use error::{Cause, HttpError};
pub use retry_after::retry_after;
pub use url::{ServiceUrl, ServiceUrlError};

/// Redirects that are followed, all to the same host.
const MAX_REDIRECTS: usize = 5;

/// Settings of a [`LogHttp`].
#[derive(Clone, Debug)]
pub struct LogHttpBuilder {
    connect_timeout: Duration,
    roots: Vec<Vec<u8>>,
    total_timeout: Duration,
    user_agent: HeaderValue,
}

impl Default for LogHttpBuilder {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            roots: Vec::new(),
            total_timeout: Duration::from_secs(60),
            user_agent: HeaderValue::from_static(concat!("genten/", env!("CARGO_PKG_VERSION"))),
        }
    }
}

impl LogHttpBuilder {
    /// Longest time for name, TCP and TLS of one connection; 10 seconds by default.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Longest time for a whole exchange; 60 seconds by default. What is read may need two. A log answers only when a checkpoint covers the entry, which
    /// can take 20 seconds.
    pub fn total_timeout(mut self, limit: Duration) -> Self {
        self.total_timeout = limit;
        self
    }

    /// Trusts the certificates in this PEM text as roots, beside the embedded Mozilla set.
    ///
    /// # Errors
    /// A text without a certificate, or with a broken one.
    pub fn root_pem(mut self, pem: impl AsRef<[u8]>) -> Result<Self, HttpError> {
        self.roots.extend(tls::roots_from_pem(pem.as_ref())?);
        Ok(self)
    }

    /// The `User-Agent`; `genten/VERSION` by default. Who reads a log much should say here where he can be reached.
    ///
    /// # Errors
    /// A text with control characters.
    pub fn user_agent(mut self, text: &str) -> Result<Self, HttpError> {
        self.user_agent = HeaderValue::from_str(text).map_err(|_| HttpError::UserAgent)?;
        Ok(self)
    }

    /// The client: a pool of connections, no proxy of the environment, no cookies. A POST is never sent twice.
    ///
    /// # Errors
    /// Roots that TLS cannot use.
    pub fn build(self) -> Result<LogHttp, HttpError> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::config(&self.roots)?)
            .default_headers(default_headers(self.user_agent))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .connect_timeout(self.connect_timeout)
            .build()
            .map_err(|error| HttpError::Setup { source: error.into() })?;
        Ok(LogHttp { client, total_timeout: self.total_timeout })
    }
}

/// Bundles of entries can come in gzip without being asked for (C2SP tlog-tiles), so it is asked for.
fn default_headers(user_agent: HeaderValue) -> HeaderMap {
    HeaderMap::from_iter([
        (header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, identity")),
        (header::USER_AGENT, user_agent),
    ])
}

/// Sends requests to logs and timestamp authorities, within a tokio runtime. Cheap to clone; clones share their connections.
#[derive(Clone, Debug)]
pub struct LogHttp {
    client: reqwest::Client,
    total_timeout: Duration,
}

/// A request that can be sent again to where a redirect leads.
struct Outgoing<'r> {
    method: Method,
    media_type: Option<&'r str>,
    body: Vec<u8>,
}

impl LogHttp {
    /// Settings to build a client from.
    pub fn builder() -> LogHttpBuilder {
        LogHttpBuilder::default()
    }

    /// Reads what stands at a URL, of at most `limit` bytes. Every status is an answer, whatever page stands beside one that is none
    /// of success. An exchange that breaks off is begun once more.
    ///
    /// # Errors
    /// No answer, or one that is too large or cannot be decoded.
    pub async fn get(&self, url: &ServiceUrl, limit: usize) -> Result<Answer, HttpError> {
        let outgoing = || Outgoing { method: Method::GET, media_type: None, body: Vec::new() };
        match self.exchange(url, outgoing(), limit).await {
            // A connection that was kept may have been closed meanwhile, and reading twice changes nothing.
            Err(HttpError::BrokenOff { .. }) => self.exchange(url, outgoing(), limit).await,
            other => other,
        }
    }

    /// Sends a body of this media type; the answer is read up to `limit` bytes. Every status is an answer.
    ///
    /// # Errors
    /// As [`get`](Self::get). [`HttpError::was_sent`] says whether the server may have got the body.
    pub async fn post(
        &self,
        url: &ServiceUrl,
        media_type: &str,
        body: Vec<u8>,
        limit: usize,
    ) -> Result<Answer, HttpError> {
        let outgoing = Outgoing { method: Method::POST, media_type: Some(media_type), body };
        self.exchange(url, outgoing, limit).await
    }

    async fn exchange(
        &self,
        url: &ServiceUrl,
        outgoing: Outgoing<'_>,
        limit: usize,
    ) -> Result<Answer, HttpError> {
        let exchange = self.follow(url.clone(), outgoing, limit);
        tokio::time::timeout(self.total_timeout, exchange).await.unwrap_or_else(|_| {
            Err(HttpError::Timeout { host: url.place().to_owned(), limit: self.total_timeout })
        })
    }

    async fn follow(
        &self,
        mut url: ServiceUrl,
        outgoing: Outgoing<'_>,
        limit: usize,
    ) -> Result<Answer, HttpError> {
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(&url, &outgoing).await?;
            match redirect(&url, &outgoing.method, &response)? {
                Some(target) => url = target,
                None => return answer::read(url.place(), response, limit).await,
            }
        }
        Err(HttpError::Redirect { host: url.place().to_owned() })
    }

    async fn send(&self, url: &ServiceUrl, outgoing: &Outgoing<'_>) -> Result<Response, HttpError> {
        let mut request = self.client.request(outgoing.method.clone(), url.as_url().clone());
        if let Some(media_type) = outgoing.media_type {
            request = request.header(header::CONTENT_TYPE, media_type);
            request = request.body(outgoing.body.clone());
        }
        request.send().await.map_err(|error| HttpError::of_exchange(url.place(), error))
    }
}

/// Where an answer leads: to the same host, not from https to http, and with the same method.
fn redirect(
    from: &ServiceUrl,
    method: &Method,
    response: &Response,
) -> Result<Option<ServiceUrl>, HttpError> {
    let keeps_method = match response.status() {
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => true,
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER => {
            *method == Method::GET
        }
        _ => return Ok(None),
    };
    let location = response.headers().get(header::LOCATION).and_then(|text| text.to_str().ok());
    let target = location.and_then(|location| from.resolve(location));
    match target.filter(|target| keeps_method && from.may_lead_to(target)) {
        Some(target) => Ok(Some(target)),
        None => Err(HttpError::Redirect { host: from.place().to_owned() }),
    }
}
