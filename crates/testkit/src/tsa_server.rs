//! A timestamp authority on a loopback socket, with the paths of Sigstore's.

mod query;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use genten_primitives::key::pem;
use serde_json::json;

use self::query::{Query, Refused};
use crate::authority::Identity;
use crate::server::{Received, listen};
use crate::site::HttpsSite;
use crate::tsa::{Recipe, Tsa};
use crate::{Answer, Clock, Faults, NetFault, SeenRequest, TestkitError, der};

const STAMP: &str = "/api/v1/timestamp";
const CHAIN: &str = "/api/v1/timestamp/certchain";

/// A running authority. It stops when it is dropped.
///
/// `POST <url>` stamps the imprint of a request (RFC 3161) with its nonce, at the time of the clock. It speaks HTTP/1.1, one
/// request on a connection.
///
/// ```
/// use genten_testkit::tsa::Tsa;
/// use genten_testkit::{Clock, TsaServer};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), genten_testkit::TestkitError> {
/// let clock = Clock::at("2026-11-30T08:00:00Z".parse().unwrap());
/// let server = TsaServer::start(Tsa::new("Example TSA"), clock).await?;
/// println!("POST {}", server.url());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct TsaServer {
    service: Arc<Service>,
    site: HttpsSite,
}

/// What goes wrong with a request for a stamp.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum StampFault {
    /// Nothing.
    #[default]
    Honest,
    /// What every server can have.
    Net(NetFault),
    /// The authority does not stamp: status 2 (rejection) in an answer of status 200.
    Rejected,
    /// The token does not say which request it was made for.
    NoNonce,
    /// The token was made for another request.
    OtherNonce,
    /// The token stamps something else.
    OtherImprint,
    /// The token's signature does not hold.
    BadSignature,
}

/// An authority to be started.
#[derive(Debug)]
pub struct TsaServerBuilder {
    tsa: Tsa,
    clock: Clock,
    identity: Option<Identity>,
    status: u16,
}

impl TsaServer {
    /// Serves this authority over plain HTTP.
    ///
    /// # Errors
    ///
    /// When there is no socket.
    pub async fn start(tsa: Tsa, clock: Clock) -> Result<Self, TestkitError> {
        Self::builder(tsa, clock).start().await
    }

    /// A server of this authority, to be described.
    pub fn builder(tsa: Tsa, clock: Clock) -> TsaServerBuilder {
        TsaServerBuilder { tsa, clock, identity: None, status: 200 }
    }

    /// The complete URL, as signing configs have it. The host is `localhost`.
    pub fn url(&self) -> String {
        self.site.url(STAMP)
    }

    /// Where the authority's certificates are read, in PEM, its own first.
    pub fn chain_url(&self) -> String {
        self.site.url(CHAIN)
    }

    /// The authority.
    pub fn tsa(&self) -> &Tsa {
        &self.service.tsa
    }

    /// The faults of requests for a stamp.
    pub fn stamps(&self) -> Faults<StampFault> {
        self.service.faults.clone()
    }

    /// Refuses connections from now on, and cuts those that are open.
    ///
    /// # Errors
    ///
    /// When the port cannot be kept.
    pub async fn stop_listening(&self) -> io::Result<()> {
        self.site.stop_listening().await
    }

    /// Takes connections again, at the same port.
    ///
    /// # Errors
    ///
    /// When there is no socket.
    pub async fn listen_again(&self) -> io::Result<()> {
        self.site.listen_again().await
    }

    /// How many requests for a stamp have been dealt with, whatever became of them; an answer may still be held back.
    pub fn posts(&self) -> usize {
        self.service.received.count()
    }

    /// Waits until there were so many.
    pub async fn wait_for_posts(&self, posts: usize) {
        self.service.received.reaches(posts).await;
    }
}

impl TsaServerBuilder {
    /// Serves TLS with this identity.
    pub fn identity(mut self, identity: Identity) -> Self {
        self.identity = Some(identity);
        self
    }

    /// Stamps with status 201, as Sigstore's older authorities do; without this, with 200.
    pub fn answers_created(mut self) -> Self {
        self.status = 201;
        self
    }

    /// Listens on a free port of 127.0.0.1, within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When there is no socket, or the identity makes no TLS server.
    pub async fn start(self) -> Result<TsaServer, TestkitError> {
        let service = Arc::new(Service {
            tsa: self.tsa,
            clock: self.clock,
            status: self.status,
            serial: AtomicU64::new(1),
            faults: Faults::default(),
            received: Received::default(),
        });
        let answering = Arc::clone(&service);
        let handler = move |request: &SeenRequest| answering.answer(request);
        let site = listen(self.identity.as_ref(), handler).await?;
        Ok(TsaServer { service, site })
    }
}

#[derive(Debug)]
struct Service {
    tsa: Tsa,
    clock: Clock,
    status: u16,
    /// Of the next token.
    serial: AtomicU64,
    faults: Faults<StampFault>,
    received: Received,
}

impl Service {
    fn answer(&self, request: &SeenRequest) -> Answer {
        match (request.method.as_str(), request.target.as_str()) {
            ("POST", STAMP) => self.post(request),
            ("GET", CHAIN) => {
                let certificates = self.tsa.certificates().into_iter();
                let chain: String =
                    certificates.map(|der| pem::encode("CERTIFICATE", der)).collect();
                Answer::ok(chain).header("content-type", "application/pem-certificate-chain")
            }
            _ => error(404, &format!("path {} was not found", request.target)),
        }
    }

    fn post(&self, request: &SeenRequest) -> Answer {
        let answer = match self.faults.take() {
            StampFault::Net(fault) => fault.apply(|| self.stamp(&StampFault::Honest, request)),
            fault => self.stamp(&fault, request),
        };
        self.received.add(&request.body);
        answer
    }

    fn stamp(&self, fault: &StampFault, request: &SeenRequest) -> Answer {
        let kind = request.header("content-type").unwrap_or_default();
        if kind != "application/timestamp-query" {
            return error(415, &format!("unsupported media type {kind:?}"));
        }
        match Query::read(&request.body) {
            Ok(query) => {
                let token = self.recipe(fault, query).answer(self.tsa.key());
                let answer = Answer::status(self.status).body(token);
                answer.header("content-type", "application/timestamp-reply")
            }
            Err(Refused(message)) => error(400, message),
        }
    }

    fn recipe(&self, fault: &StampFault, query: Query) -> Recipe {
        let mut recipe = self.tsa.recipe(b"", self.clock.now());
        recipe.serial = der::integer(self.serial.fetch_add(1, Ordering::SeqCst));
        recipe.imprint_algorithm = query.algorithm;
        recipe.imprint = query.imprint;
        recipe.nonce = query.nonce.map(|content| der::tlv(2, &content));
        if !query.wants_certificate {
            recipe.certificates.clear();
        }
        match fault {
            StampFault::Honest | StampFault::Net(_) => {}
            StampFault::Rejected => recipe.status = Some(2),
            StampFault::NoNonce => recipe.nonce = None,
            StampFault::OtherNonce => recipe.nonce = Some(der::integer(0x07e5)),
            StampFault::OtherImprint => recipe.imprint.reverse(),
            StampFault::BadSignature => recipe.spoil_signature = true,
        }
        recipe
    }
}

/// An error as Sigstore's authority writes it.
fn error(status: u16, message: &str) -> Answer {
    let body = json!({"code": status, "message": message});
    Answer::status(status).header("content-type", "application/json").body(format!("{body}\n"))
}
