//! Ties TLS facts to the very connection that delivers an answer.
//!
//! A layer around the client's connector gives every connection under construction a handshake record of its own, which
//! the certificate verifier fills. When the connection stands, the layer checks its peer and puts record and addresses
//! into the slot of the request that asked for it. The answer carries the addresses of its connection: only when they
//! are the slot's do the facts count. Where connections are reused, a register of all of them takes the slot's place.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use hyper_util::client::legacy::connect::{Connection, HttpInfo};
use tower::{Layer, Service};

use crate::error::PresentedCertificate;
use crate::exchange::TlsFacts;
use crate::guard::Guard;
use crate::resolve::Refusal;
use crate::tls::{HANDSHAKE, Handshake};
use crate::{certificate, error};

tokio::task_local! {
    /// Where the connection that this task waits for is recorded.
    static SLOT: Arc<Slot>;
}

/// The record of the connection that one request opens.
#[derive(Debug, Default)]
pub(crate) struct Slot(Mutex<Record>);

#[derive(Debug, Default)]
struct Record {
    addresses: Option<Addresses>,
    handshake: Handshake,
}

/// Both ends of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Addresses {
    local: SocketAddr,
    pub(crate) remote: SocketAddr,
}

impl Addresses {
    fn of(info: &HttpInfo) -> Self {
        Self { local: info.local_addr(), remote: info.remote_addr() }
    }
}

impl Slot {
    /// Runs a request whose connection is recorded here.
    pub(crate) async fn scope<F: Future>(self: &Arc<Self>, request: F) -> F::Output {
        SLOT.scope(Arc::clone(self), request).await
    }

    /// The addresses and the handshake of the connection that delivered an answer with these extensions; `None` when the
    /// answer came by another connection than the one recorded here.
    pub(crate) fn claim(&self, extensions: &http::Extensions) -> Option<(Addresses, Handshake)> {
        let answered_by = Addresses::of(extensions.get::<HttpInfo>()?);
        let mut record = self.lock();
        if record.addresses.take() != Some(answered_by) {
            return None;
        }
        Some((answered_by, std::mem::take(&mut record.handshake)))
    }

    /// The leaf that the peer showed in a handshake, whatever became of it.
    pub(crate) fn presented(&self) -> Option<PresentedCertificate> {
        self.lock().handshake.chain.first().map(|leaf| certificate::presented(leaf))
    }

    fn record(&self, addresses: Option<Addresses>, handshake: Handshake) {
        *self.lock() = Record { addresses, handshake };
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The handshakes of connections that are reused. A new connection between the same addresses replaces the old one.
#[derive(Debug, Default)]
pub(crate) struct Register(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    handshakes: HashMap<Addresses, Handshake>,
    /// In the order of their making; the oldest leave first.
    order: VecDeque<Addresses>,
}

/// Connections that are remembered. One that is forgotten while it is still in use costs an error, never a wrong fact.
const REMEMBERED: usize = 1024;

impl Register {
    fn insert(&self, addresses: Addresses, handshake: Handshake) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.handshakes.insert(addresses, handshake).is_some() {
            entries.order.retain(|other| *other != addresses);
        }
        entries.order.push_back(addresses);
        if entries.order.len() > REMEMBERED
            && let Some(oldest) = entries.order.pop_front()
        {
            entries.handshakes.remove(&oldest);
        }
    }

    /// As [`Slot::claim`].
    pub(crate) fn claim(&self, extensions: &http::Extensions) -> Option<(Addresses, Handshake)> {
        let answered_by = Addresses::of(extensions.get::<HttpInfo>()?);
        self.find(answered_by).map(|handshake| (answered_by, handshake))
    }

    fn find(&self, addresses: Addresses) -> Option<Handshake> {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.handshakes.get(&addresses).cloned()
    }
}

/// The TLS facts of a claimed connection: none for clear text, an error when TLS left no complete record.
pub(crate) fn tls_facts(
    encrypted: bool,
    handshake: Handshake,
    proxied: bool,
    host: &str,
) -> Result<Option<TlsFacts>, error::FetchError> {
    if !encrypted {
        return Ok(None);
    }
    let facts = handshake.facts(proxied);
    facts.map(Some).ok_or_else(|| error::FetchError::Unbound { host: host.to_owned() })
}

/// The layer around the client's connector.
#[derive(Clone)]
pub(crate) struct Recording {
    pub(crate) guard: Option<Arc<Guard>>,
    pub(crate) register: Option<Arc<Register>>,
}

impl<S> Layer<S> for Recording {
    type Service = RecordingConnector<S>;

    fn layer(&self, inner: S) -> RecordingConnector<S> {
        RecordingConnector { inner, settings: self.clone() }
    }
}

#[derive(Clone)]
pub(crate) struct RecordingConnector<S> {
    inner: S,
    settings: Recording,
}

impl<S, R> Service<R> for RecordingConnector<S>
where
    S: Service<R, Error = error::Cause>,
    S::Response: Connection + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = error::Cause;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, error::Cause>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), error::Cause>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, target: R) -> Self::Future {
        // Read now: the future itself may be driven by another task.
        let slot = SLOT.try_with(Arc::clone).unwrap_or_default();
        let settings = self.settings.clone();
        let connecting = self.inner.call(target);
        Box::pin(HANDSHAKE.scope(RefCell::default(), async move {
            let connected = connecting.await;
            let handshake = HANDSHAKE.with(RefCell::take);
            let addresses = connected.as_ref().ok().and_then(addresses);
            if let (Some(register), Some(addresses)) = (&settings.register, addresses) {
                register.insert(addresses, handshake.clone());
            }
            slot.record(addresses, handshake);
            if connected.is_ok() {
                check_peer(settings.guard.as_deref(), addresses)?;
            }
            connected
        }))
    }
}

fn addresses(connection: &impl Connection) -> Option<Addresses> {
    let mut extensions = http::Extensions::new();
    connection.connected().get_extras(&mut extensions);
    extensions.get::<HttpInfo>().map(Addresses::of)
}

/// The last gate of the guard: the address that is really talked to, before a byte of HTTP is sent.
fn check_peer(guard: Option<&Guard>, addresses: Option<Addresses>) -> Result<(), Refusal> {
    let (Some(guard), Some(addresses)) = (guard, addresses) else { return Ok(()) };
    let address = addresses.remote.ip();
    match guard.refuses(address) {
        Some(class) => Err(Refusal { address, class }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(local: u16) -> Addresses {
        let at = |port| SocketAddr::from(([127, 0, 0, 1], port));
        Addresses { local: at(local), remote: at(443) }
    }

    #[test]
    fn the_guard_sees_the_peer() {
        let peer = Some(addresses(1));
        assert!(check_peer(None, peer).is_ok());
        assert!(check_peer(Some(&Guard::public_only()), peer).is_err());
    }

    #[test]
    fn the_register_forgets_the_oldest() {
        let register = Register::default();
        for local in 0..=REMEMBERED as u16 {
            register.insert(addresses(local), Handshake::default());
        }
        assert!(register.find(addresses(0)).is_none());
        assert!(register.find(addresses(1)).is_some());
        // A new connection between old addresses counts as new.
        register.insert(addresses(1), Handshake::default());
        register.insert(addresses(5000), Handshake::default());
        assert!(register.find(addresses(1)).is_some());
        assert!(register.find(addresses(2)).is_none());
    }
}
