//! An HTTPS upstream on a loopback socket.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::{self, ServerConfig, pki_types};

use crate::TestkitError;
use crate::answer::{Answer, End, SeenRequest};
use crate::authority::Identity;
use crate::door::Door;
use crate::frames::Frame;
use crate::serve::Shared;

/// A running site. It stops when it is dropped.
#[derive(Debug)]
pub struct HttpsSite {
    is_encrypted: bool,
    shared: Arc<Shared>,
    door: Door,
}

impl HttpsSite {
    /// A site to be described.
    pub fn builder() -> SiteBuilder {
        SiteBuilder::default()
    }

    /// The URL of a path, with the host `localhost`.
    pub fn url(&self, path: &str) -> String {
        self.url_at("localhost", path)
    }

    /// The URL of a path with another host name; it has to be resolved to this site.
    pub fn url_at(&self, host: &str, path: &str) -> String {
        let scheme = if self.is_encrypted { "https" } else { "http" };
        format!("{scheme}://{host}:{}{path}", self.address().port())
    }

    /// Where the site listens.
    pub fn address(&self) -> SocketAddr {
        self.door.address()
    }

    /// Refuses connections from now on, and cuts those that are open. The port stays this site's.
    ///
    /// # Errors
    ///
    /// When the port cannot be kept.
    pub async fn stop_listening(&self) -> io::Result<()> {
        self.door.close().await
    }

    /// Takes connections again, at the same port.
    ///
    /// # Errors
    ///
    /// When there is no socket.
    pub async fn listen_again(&self) -> io::Result<()> {
        self.door.open(&self.shared).await
    }

    /// The requests that have been answered so far.
    pub fn seen(&self) -> Vec<SeenRequest> {
        self.shared.seen().clone()
    }

    /// How many TCP connections have been accepted so far.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }
}

/// What a site offers in its TLS handshake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offer {
    /// HTTP/2 and HTTP/1.1.
    #[default]
    Both,
    /// HTTP/1.1.
    Http1,
    /// HTTP/2.
    Http2,
}

/// A site to be started.
#[derive(Default)]
pub struct SiteBuilder {
    identities: Vec<Identity>,
    offer: Offer,
    tls12_only: bool,
    frames: Option<Vec<Frame>>,
    end_of_frames: Option<End>,
    routes: HashMap<String, Answer>,
    handler: Option<Box<Handler>>,
}

pub(crate) type Handler = dyn Fn(&SeenRequest) -> Answer + Send + Sync;

impl SiteBuilder {
    /// Serves TLS with this identity; several identities take turns, one connection each. Without any, the site is plain
    /// HTTP/1.1.
    pub fn identity(mut self, identity: Identity) -> Self {
        self.identities.push(identity);
        self
    }

    /// What to offer in the TLS handshake.
    pub fn offer(mut self, offer: Offer) -> Self {
        self.offer = offer;
        self
    }

    /// Speaks no TLS 1.3.
    pub fn tls12_only(mut self) -> Self {
        self.tls12_only = true;
        self
    }

    /// Answers requests for this target (path and query, as sent).
    pub fn route(mut self, target: &str, answer: Answer) -> Self {
        self.routes.insert(target.to_owned(), answer);
        self
    }

    /// Answers requests that have no route; 404 without this.
    pub fn handler(
        mut self,
        handler: impl Fn(&SeenRequest) -> Answer + Send + Sync + 'static,
    ) -> Self {
        self.handler = Some(Box::new(handler));
        self
    }

    /// Answers the first request of every HTTP/2 connection with these bare frames.
    pub fn frames(mut self, frames: Vec<Frame>) -> Self {
        self.frames = Some(frames);
        self.offer = Offer::Http2;
        self
    }

    /// What happens to the connection after the bare frames; without this, it stays open.
    pub fn end_of_frames(mut self, end: End) -> Self {
        self.end_of_frames = Some(end);
        self
    }

    /// Listens on a free port of 127.0.0.1, within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When there is no socket, or the identities make no TLS server.
    pub async fn start(self) -> Result<HttpsSite, TestkitError> {
        self.start_at(Ipv4Addr::LOCALHOST.into()).await
    }

    /// Listens on a free port of this address.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start).
    pub async fn start_at(self, address: IpAddr) -> Result<HttpsSite, TestkitError> {
        let acceptors = self
            .identities
            .iter()
            .map(|identity| acceptor(identity, self.offer, self.tls12_only))
            .collect::<Result<Vec<_>, _>>()?;
        let listener = TcpListener::bind((address, 0)).await?;
        let shared = Arc::new(Shared {
            acceptors,
            frames: self.frames.map(|frames| (frames, self.end_of_frames.unwrap_or(End::Hang))),
            routes: self.routes,
            handler: self.handler,
            seen: Mutex::default(),
            connections: AtomicUsize::new(0),
        });
        let is_encrypted = !shared.acceptors.is_empty();
        let door = Door::new(listener, &shared)?;
        Ok(HttpsSite { is_encrypted, shared, door })
    }
}

impl std::fmt::Debug for SiteBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SiteBuilder").field("routes", &self.routes).finish_non_exhaustive()
    }
}

fn acceptor(
    identity: &Identity,
    offer: Offer,
    tls12_only: bool,
) -> Result<TlsAcceptor, TestkitError> {
    let no_server = |error: rustls::Error| TestkitError::Tls(error.into());
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let versions = if tls12_only { &[&rustls::version::TLS12][..] } else { rustls::ALL_VERSIONS };
    let chain = identity.chain.iter().cloned().map(pki_types::CertificateDer::from).collect();
    let key = pki_types::PrivatePkcs8KeyDer::from(identity.key_pkcs8.clone()).into();
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .map_err(no_server)?
        .with_no_client_auth()
        .with_single_cert_with_ocsp(chain, key, identity.ocsp.clone().unwrap_or_default())
        .map_err(no_server)?;
    config.alpn_protocols = match offer {
        Offer::Both => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        Offer::Http1 => vec![b"http/1.1".to_vec()],
        Offer::Http2 => vec![b"h2".to_vec()],
    };
    Ok(TlsAcceptor::from(Arc::new(config)))
}
