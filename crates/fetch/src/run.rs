//! One fetch: hop after hop to the final answer, and its body.

use std::sync::Arc;

use genten_primitives::Timestamp;
use http::{HeaderMap, Method, StatusCode, Version};
use url::{Host, Url};

use crate::body::{self, BodyRecord};
use crate::completeness::Framing;
use crate::connection::{self, Addresses, Slot};
use crate::error::{FetchError, RedirectError, RequestError, Waiting};
use crate::exchange::{Exchange, Hop, Protocol, TlsFacts, Warning};
use crate::recorder::Inner;
use crate::redirect::{self, Step};
use crate::request::Request;
use crate::sink::Sink;
use crate::{classify, credentials, fields, summary, url as urls};

pub(crate) async fn fetch(
    recorder: &Inner,
    request: Request,
    sink: Sink<'_>,
) -> Result<Exchange, FetchError> {
    let mut walk = Walk::start(recorder, &request)?;
    let answer = loop {
        let answer = walk.send().await?;
        match walk.step(&answer)? {
            Some(step) => walk.follow(answer, step)?,
            None => break answer,
        }
    };
    let framing = walk.framing(&answer);
    let (parts, content) = answer.response.into_parts();
    let head = Head { parts, tls: answer.tls, peer: answer.addresses.remote, framing };
    body::check_head(&request, &head)?;
    let body = body::record(recorder, &request, &head, content, sink).await?;
    Ok(walk.finish(head, body))
}

/// An answer whose body has not been read.
struct Answer {
    response: http::Response<reqwest::Body>,
    tls: Option<TlsFacts>,
    addresses: Addresses,
}

/// The head of the final answer.
pub(crate) struct Head {
    pub(crate) parts: http::response::Parts,
    pub(crate) tls: Option<TlsFacts>,
    pub(crate) peer: std::net::SocketAddr,
    pub(crate) framing: Framing,
}

/// The way from the requested URL to the final one.
struct Walk<'a> {
    recorder: &'a Inner,
    request: &'a Request,
    url: Url,
    method: Method,
    headers: HeaderMap,
    /// What the caller set on the first request.
    chosen: HeaderMap,
    body: Option<bytes::Bytes>,
    visited: Vec<(Method, Url)>,
    hops: Vec<Hop>,
    warnings: Vec<Warning>,
    started_at: Timestamp,
}

impl<'a> Walk<'a> {
    fn start(recorder: &'a Inner, request: &'a Request) -> Result<Self, FetchError> {
        let url = urls::check(&request.url)?;
        let chosen = fields::request_headers(request)?;
        let mut walk = Self {
            recorder,
            request,
            url,
            method: method(&request.method)?,
            headers: chosen.clone(),
            chosen,
            body: request.body.clone(),
            visited: Vec::new(),
            hops: Vec::new(),
            warnings: Vec::new(),
            started_at: recorder.clock.now(),
        };
        walk.warn_of_credentials();
        Ok(walk)
    }

    async fn send(&mut self) -> Result<Answer, FetchError> {
        self.check_address()?;
        self.visited.push((self.method.clone(), self.url.clone()));
        let slot = Arc::new(Slot::default());
        let sending = slot.scope(self.recorder.client.execute(self.outgoing()));
        let limit = self.recorder.connect_timeout.saturating_add(self.request.idle_timeout);
        let sent = tokio::time::timeout(limit, sending).await.map_err(|_| FetchError::Timeout {
            waiting_for: Waiting::Answer,
            limit: self.request.idle_timeout,
        })?;
        let response = http::Response::from(sent.map_err(|error| self.classify(error, &slot))?);
        let claimed = match &self.recorder.register {
            Some(register) => register.claim(response.extensions()),
            None => slot.claim(response.extensions()),
        };
        let (addresses, handshake) =
            claimed.ok_or_else(|| FetchError::Unbound { host: redirect::host(&self.url) })?;
        let tls = connection::tls_facts(
            self.url.scheme() == "https",
            handshake,
            self.recorder.proxied,
            self.url.host_str().unwrap_or(""),
        )?;
        Ok(Answer { response, tls, addresses })
    }

    /// The first gate of the guard: an IP literal never reaches the resolver.
    fn check_address(&self) -> Result<(), FetchError> {
        let Some(guard) = &self.recorder.guard else { return Ok(()) };
        let address = match self.url.host() {
            Some(Host::Ipv4(address)) => address.into(),
            Some(Host::Ipv6(address)) => address.into(),
            _ => return Ok(()),
        };
        match guard.refuses(address) {
            Some(class) => {
                Err(FetchError::Guarded { host: redirect::host(&self.url), address, class })
            }
            None => Ok(()),
        }
    }

    fn outgoing(&self) -> reqwest::Request {
        let mut outgoing = reqwest::Request::new(self.method.clone(), self.url.clone());
        for (name, value) in &self.recorder.defaults {
            if !self.headers.contains_key(name) {
                outgoing.headers_mut().append(name, value.clone());
            }
        }
        for (name, value) in &self.headers {
            outgoing.headers_mut().append(name, value.clone());
        }
        *outgoing.body_mut() = self.body.clone().map(reqwest::Body::from);
        outgoing
    }

    fn classify(&self, error: reqwest::Error, slot: &Slot) -> FetchError {
        classify::before_answer(
            error,
            self.url.host_str().unwrap_or(""),
            slot,
            self.recorder.proxied,
            self.recorder.connect_timeout,
        )
    }

    fn step(&self, answer: &Answer) -> Result<Option<Step>, FetchError> {
        let policy = &self.request.redirects;
        let response = &answer.response;
        redirect::step(&self.url, response.status(), response.headers(), policy)
            .map_err(|reason| self.refused(reason))
    }

    fn follow(&mut self, answer: Answer, step: Step) -> Result<(), FetchError> {
        let status = answer.response.status();
        self.check_limit()?;
        self.next_request(status, &step)?;
        self.hops.push(Hop {
            url: self.here(),
            status: status.as_u16(),
            location: step.location,
            tls: answer.tls,
        });
        if step.warns_of_site {
            let (from, to) = (redirect::host(&self.url), redirect::host(&step.target));
            self.warnings.push(Warning::CrossSite { from, to });
        }
        self.url = step.target;
        if self.visited.iter().any(|(method, url)| (method, url) == (&self.method, &self.url)) {
            self.hops.pop();
            return Err(self.refused(RedirectError::Loop));
        }
        self.warn_of_credentials();
        Ok(())
    }

    fn check_limit(&self) -> Result<(), FetchError> {
        match self.request.redirects.limit {
            Some(limit) if self.hops.len() >= limit => {
                Err(self.refused(RedirectError::TooMany { limit }))
            }
            _ => Ok(()),
        }
    }

    /// Method, body and fields of the request after this redirect. What was dropped never comes back.
    fn next_request(&mut self, status: StatusCode, step: &Step) -> Result<(), FetchError> {
        let method = redirect::next_method(&self.method, status);
        if method != self.method {
            self.body = None;
            self.headers = fields::without_content(&self.headers);
        }
        self.method = method;
        if !step.cross_origin {
            return Ok(());
        }
        if self.body.is_some() {
            let to = redirect::host(&step.target);
            return Err(self.refused(RedirectError::BodyLeak { to }));
        }
        self.headers = fields::without_credentials(&self.headers);
        Ok(())
    }

    fn refused(&self, reason: RedirectError) -> FetchError {
        FetchError::Redirect { number: self.hops.len() + 1, reason }
    }

    /// The current URL as it was written or resolved.
    fn here(&self) -> String {
        if self.hops.is_empty() { self.request.url.clone() } else { self.url.to_string() }
    }

    fn warn_of_credentials(&mut self) {
        for name in credentials::credential_parameters(&self.url) {
            let warning = Warning::CredentialParameter { name };
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    fn framing(&self, answer: &Answer) -> Framing {
        let response = &answer.response;
        Framing::new(
            response.version(),
            response.status(),
            response.headers(),
            self.method == Method::HEAD,
            answer.tls.is_some(),
        )
    }

    fn finish(mut self, head: Head, body: BodyRecord) -> Exchange {
        let final_url = self.here();
        self.warnings.extend(summary::warnings(&head, &body));
        Exchange {
            requested_url: self.request.url.clone(),
            final_url,
            request: fields::request_facts(self.request, &self.chosen),
            status: head.parts.status.as_u16(),
            protocol: protocol(head.parts.version),
            fields: fields::Fields::new(&head.parts.headers),
            trailers: body.trailers,
            completeness: body.completeness,
            range: body.range,
            content_sha256: body.content_sha256,
            content_bytes: body.content_bytes,
            retrieval: summary::retrieval(&self.hops, &head, body.completeness, &body.decoded),
            decoded: body.decoded,
            started_at: self.started_at,
            fetched_at: body.fetched_at,
            hops: self.hops,
            tls: head.tls,
            proxied: self.recorder.proxied,
            peer: head.peer,
            warnings: self.warnings,
            body: body.body,
        }
    }
}

fn protocol(version: Version) -> Protocol {
    if version == Version::HTTP_2 { Protocol::Http2 } else { Protocol::Http1 }
}

fn method(name: &str) -> Result<Method, FetchError> {
    let refused = |reason| FetchError::Request { name: name.to_owned(), reason };
    match Method::from_bytes(name.as_bytes()) {
        Ok(Method::CONNECT | Method::TRACE) => Err(refused(RequestError::Method)),
        Ok(method) => Ok(method),
        Err(_) => Err(refused(RequestError::Name)),
    }
}
