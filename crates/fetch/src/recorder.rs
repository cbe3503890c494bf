//! The recorder and its settings, which hold for all its fetches.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use genten_primitives::Timestamp;
use http::{HeaderMap, HeaderValue, header};

use crate::connection::{Recording, Register};
use crate::decoding::DecodeLimits;
use crate::error::{FetchError, SetupError};
use crate::exchange::Exchange;
use crate::guard::Guard;
use crate::request::Request;
use crate::resolve::Resolver;
use crate::sink::Sink;
use crate::{run, tls};

/// Where times come from. Every `Fn() -> Timestamp` is a clock.
pub trait Clock: Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

impl<F: Fn() -> Timestamp + Send + Sync + 'static> Clock for F {
    fn now(&self) -> Timestamp {
        self()
    }
}

/// The clock of the system.
fn system_clock() -> Timestamp {
    let now = Timestamp::from_system_time(SystemTime::now());
    now.expect("a system clock between the years 1 and 9999")
}

/// Which HTTP versions are offered in the TLS handshake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alpn {
    /// HTTP/2, else HTTP/1.1.
    #[default]
    Both,
    /// HTTP/1.1 only.
    Http1,
    /// HTTP/2 only.
    Http2,
}

impl Alpn {
    pub(crate) fn protocols(self) -> Vec<Vec<u8>> {
        let (h2, h1) = (b"h2".to_vec(), b"http/1.1".to_vec());
        match self {
            Self::Both => vec![h2, h1],
            Self::Http1 => vec![h1],
            Self::Http2 => vec![h2],
        }
    }
}

/// Settings of a [`Recorder`].
pub struct RecorderBuilder {
    alpn: Alpn,
    clock: Arc<dyn Clock>,
    connect_timeout: Duration,
    decode_limits: DecodeLimits,
    guard: Option<Arc<Guard>>,
    overrides: HashMap<String, IpAddr>,
    proxy: Option<String>,
    register: Option<Arc<Register>>,
    roots: Vec<Vec<u8>>,
    user_agent: HeaderValue,
    verify: bool,
}

impl Default for RecorderBuilder {
    fn default() -> Self {
        Self {
            alpn: Alpn::Both,
            clock: Arc::new(system_clock),
            connect_timeout: Duration::from_secs(30),
            decode_limits: DecodeLimits::default(),
            guard: None,
            overrides: HashMap::new(),
            proxy: None,
            register: None,
            roots: Vec::new(),
            user_agent: HeaderValue::from_static(concat!("genten/", env!("CARGO_PKG_VERSION"))),
            verify: true,
        }
    }
}

impl RecorderBuilder {
    /// Which HTTP versions to offer.
    pub fn alpn(mut self, alpn: Alpn) -> Self {
        self.alpn = alpn;
        self
    }

    /// Where times come from, also for the validity of certificates. The system's clock by default.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Longest time for name, TCP and TLS of one connection; 30 seconds by default.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// How far a body may grow when its content coding is removed.
    pub fn decode_limits(mut self, limits: DecodeLimits) -> Self {
        self.decode_limits = limits;
        self
    }

    /// Refuses addresses that are not public, at every redirect too. For URLs that a model or a stranger chose.
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guard = Some(Arc::new(guard));
        self
    }

    /// Goes through this proxy (`http://host:port`), which is recorded. Without it there is no proxy, whatever the
    /// environment says.
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.proxy = Some(url.into());
        self
    }

    /// Lets fetches share connections, over HTTP/2 only: whatever else an HTTP/1.1 connection carries could be taken for
    /// the next answer. Servers without HTTP/2 cannot be fetched from then. By default each request has a connection of
    /// its own.
    pub fn reuse_http2(mut self) -> Self {
        self.alpn = Alpn::Http2;
        self.register = Some(Arc::default());
        self
    }

    /// Takes this address for a host instead of asking the resolver. The guard checks it all the same.
    pub fn resolve(mut self, host: &str, address: IpAddr) -> Self {
        self.overrides.insert(host.to_ascii_lowercase(), address);
        self
    }

    /// Trusts the certificates in this PEM text as roots, beside the embedded Mozilla set. Chains that end there are
    /// recorded as `private-root`.
    ///
    /// # Errors
    ///
    /// `fetch.setup.roots` when the text has no certificate or a broken one.
    pub fn root_pem(mut self, pem: impl AsRef<[u8]>) -> Result<Self, FetchError> {
        self.roots.extend(tls::roots_from_pem(pem.as_ref())?);
        Ok(self)
    }

    /// The `User-Agent` of requests that set none; `genten/VERSION` by default.
    ///
    /// # Errors
    ///
    /// `fetch.request` when the text has control characters.
    pub fn user_agent(mut self, text: &str) -> Result<Self, FetchError> {
        self.user_agent = HeaderValue::from_str(text).map_err(|_| FetchError::Request {
            name: header::USER_AGENT.to_string(),
            reason: crate::error::RequestError::Value,
        })?;
        Ok(self)
    }

    /// Records whatever certificate the server shows, as `unverified`. No policy accepts that; it is for looking at
    /// broken servers.
    pub fn without_verification(mut self) -> Self {
        self.verify = false;
        self
    }

    /// The recorder.
    ///
    /// # Errors
    ///
    /// `fetch.setup.*` when the settings do not fit together.
    pub fn build(self) -> Result<Recorder, FetchError> {
        if self.guard.is_some() && self.proxy.is_some() {
            return Err(FetchError::Setup { reason: SetupError::GuardedProxy });
        }
        let client = self.client()?;
        Ok(Recorder {
            inner: Arc::new(Inner {
                client,
                clock: self.clock,
                connect_timeout: self.connect_timeout,
                decode_limits: self.decode_limits,
                guard: self.guard,
                proxied: self.proxy.is_some(),
                register: self.register,
                defaults: defaults(self.user_agent),
            }),
        })
    }

    /// A client that does nothing by itself: no redirects, no resends, no proxy of the environment, no decoding, and by
    /// default a connection of its own for every request.
    fn client(&self) -> Result<reqwest::Client, FetchError> {
        let config = tls::config(&self.roots, self.verify, self.alpn, Arc::clone(&self.clock))?;
        let resolver =
            Resolver { overrides: Arc::new(self.overrides.clone()), guard: self.guard.clone() };
        let recording = Recording { guard: self.guard.clone(), register: self.register.clone() };
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(config)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .pool_max_idle_per_host(if self.register.is_some() { usize::MAX } else { 0 })
            .connect_timeout(self.connect_timeout)
            .http1_max_headers(1000)
            .http2_max_header_list_size(1 << 20)
            .dns_resolver(resolver)
            .connector_layer(recording);
        let builder = match &self.proxy {
            Some(url) => builder.proxy(proxy(url)?),
            None => builder,
        };
        builder
            .build()
            .map_err(|error| FetchError::Setup { reason: SetupError::Client(error.into()) })
    }
}

fn proxy(url: &str) -> Result<reqwest::Proxy, FetchError> {
    let refused = || FetchError::Setup { reason: SetupError::Proxy };
    let parsed = url::Url::parse(url).map_err(|_| refused())?;
    if !matches!(parsed.scheme(), "http" | "https") || !parsed.has_host() {
        return Err(refused());
    }
    reqwest::Proxy::all(url).map_err(|_| refused())
}

/// The fields of a request that the caller did not set. `identity` asks for the bytes as they are stored.
fn defaults(user_agent: HeaderValue) -> HeaderMap {
    HeaderMap::from_iter([
        (header::ACCEPT, HeaderValue::from_static("*/*")),
        (header::ACCEPT_ENCODING, HeaderValue::from_static("identity")),
        (header::USER_AGENT, user_agent),
    ])
}

/// Fetches and records. Cheap to clone; all clones share their settings.
#[derive(Clone)]
pub struct Recorder {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) client: reqwest::Client,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) connect_timeout: Duration,
    pub(crate) decode_limits: DecodeLimits,
    pub(crate) guard: Option<Arc<Guard>>,
    pub(crate) proxied: bool,
    pub(crate) register: Option<Arc<Register>>,
    pub(crate) defaults: HeaderMap,
}

impl Recorder {
    /// Settings to build a recorder from.
    pub fn builder() -> RecorderBuilder {
        RecorderBuilder::default()
    }

    /// Fetches once, within a tokio runtime. The body goes to `sink` as it comes; memory does not grow with it.
    ///
    /// Dropping the future ends the fetch, and nothing stays of a file sink.
    ///
    /// # Errors
    ///
    /// [`FetchError`] for everything that prevents a whole, trusted answer. An answer with an error status, and a body
    /// that does not decode, are exchanges.
    pub async fn fetch(&self, request: Request, sink: Sink<'_>) -> Result<Exchange, FetchError> {
        let limit = request.total_timeout;
        let fetch = run::fetch(&self.inner, request, sink);
        match limit {
            None => fetch.await,
            Some(limit) => tokio::time::timeout(limit, fetch).await.unwrap_or_else(|_| {
                let waiting_for = crate::error::Waiting::Everything;
                Err(FetchError::Timeout { waiting_for, limit })
            }),
        }
    }
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recorder")
    }
}

impl std::fmt::Debug for RecorderBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RecorderBuilder")
    }
}
