//! The one object that a program holds: recorder, signer, journal.

use std::path::Path;
use std::sync::Arc;

use genten_fetch::{Exchange, Recorder};
use genten_manifest::{Claims, KeyId, MAX_BUNDLE_BYTES, MAX_MANIFEST_BYTES, Manifest, TlsChain};
#[cfg(feature = "log")]
use genten_pki::CtLogList;
use genten_primitives::{PublicKey, Timestamp};
use genten_store::atomic::{self, Mode};
use genten_store::{Home, Journal};

use crate::builder::Clock;
#[cfg(feature = "log")]
use crate::logging::{LogError, LogRules, LogTarget, Submitter, Wants, wanted};
use crate::signer::{AnySigner, checked};
use crate::{Attested, Error, Facts, Fetch, GentenBuilder, Terms, facts, journal};

/// Fetches, signs, and keeps a record. Cheap to clone; share it between all requests of a server.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), genten::Error> {
/// use genten::{Facts, Genten};
/// use genten::jws::{Algorithm, LocalSigner, SecretKey};
///
/// let key = SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32]).unwrap();
/// let genten = Genten::builder().signer(LocalSigner::did_key(key)).build()?;
/// let facts = Facts::of_body("https://law.example/1", "2026-11-30T08:15:00Z", b"the law")?;
/// let attested = genten.attest(&facts).await?;
/// assert_eq!(attested.manifest.claims.source_url.as_str(), "https://law.example/1");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Genten(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) recorder: Recorder,
    pub(crate) signer: Arc<AnySigner>,
    pub(crate) signer_chain: Vec<Vec<u8>>,
    pub(crate) home: Option<Home>,
    pub(crate) journal: Option<Arc<Journal>>,
    pub(crate) keep_bodies: bool,
    #[cfg(feature = "log")]
    pub(crate) logging: Option<Wants>,
    #[cfg(feature = "log")]
    pub(crate) ct_logs: Option<Arc<CtLogList>>,
    pub(crate) clock: Clock,
}

impl Genten {
    /// Starts to put one together.
    pub fn builder() -> GentenBuilder {
        GentenBuilder::default()
    }

    /// The name that manifests are signed under.
    pub fn key_id(&self) -> &KeyId {
        self.0.signer.key_id()
    }

    /// The key that others check them with.
    pub fn public_key(&self) -> &PublicKey {
        self.0.signer.public_key()
    }

    /// The home, where there is one.
    pub fn home(&self) -> Option<&Home> {
        self.0.home.as_ref()
    }

    /// The journal, where there is one.
    pub fn journal(&self) -> Option<&Journal> {
        self.0.journal.as_deref()
    }

    /// Makes the request, records it, signs what was recorded, and writes it to the journal.
    ///
    /// An answer such as 404 or 500 is an answer and is signed as what it is. A body that was cut off is an error, unless
    /// the request allows partial ones.
    ///
    /// # Errors
    /// The fetch failed, the facts cannot be signed, or the journal cannot be written.
    pub async fn fetch(&self, fetch: impl Into<Fetch<'_>>) -> Result<Attested, Error> {
        let fetch = fetch.into();
        let exchange = self.0.recorder.fetch(fetch.request, fetch.sink).await?;
        self.sign_exchange(exchange, &fetch.terms).await
    }

    /// Records a fetch without signing it, for callers that bind the manifest to a result which is made from it.
    ///
    /// # Errors
    /// The fetch failed.
    pub async fn record(&self, fetch: impl Into<Fetch<'_>>) -> Result<Exchange, Error> {
        let fetch = fetch.into();
        Ok(self.0.recorder.fetch(fetch.request, fetch.sink).await?)
    }

    /// Signs an exchange that was recorded before.
    ///
    /// # Errors
    /// The facts cannot be signed, or the journal cannot be written.
    pub async fn sign_exchange(
        &self,
        exchange: Exchange,
        terms: &Terms,
    ) -> Result<Attested, Error> {
        let claims = facts::recorded(&exchange, terms, (self.0.clock)())?;
        let chain = facts::chain(&exchange);
        self.sign(claims, Some(exchange), chain).await
    }

    /// Signs facts about a fetch that another program made (`capture` is `reported`).
    ///
    /// # Errors
    /// The facts cannot be signed, or the journal cannot be written.
    pub async fn attest(&self, facts: &Facts) -> Result<Attested, Error> {
        let claims = facts.claims((self.0.clock)())?;
        self.sign(claims, None, facts.tls_chain.clone()).await
    }

    /// Signs an earlier fetch again, for content that now comes from a cache: `fetched_at` stays the time of the network
    /// fetch, `attested_at` is now, and `retrieval.served_from_cache` says so.
    ///
    /// # Errors
    /// The facts cannot be signed, or the journal cannot be written.
    pub async fn attest_cached(
        &self,
        earlier: &Attested,
        terms: &Terms,
    ) -> Result<Attested, Error> {
        let claims = facts::cached(&earlier.manifest.claims, terms, (self.0.clock)())?;
        self.sign(claims, earlier.exchange.clone(), earlier.tls_chain.clone()).await
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.0.clock)()
    }

    async fn sign(
        &self,
        claims: Claims,
        exchange: Option<Exchange>,
        tls_chain: Option<TlsChain>,
    ) -> Result<Attested, Error> {
        let manifest = self.0.signer.sign(claims).await?;
        let json = checked_size(&manifest)?;
        let signed = checked(&json, self.0.signer.public_key())?;
        let (manifest_id, signer_chain) = (signed.sha256(), self.0.signer_chain.clone());
        let attested = Attested { manifest, manifest_id, exchange, tls_chain, signer_chain };
        check_bundle(&attested)?;
        #[cfg(feature = "log")]
        let entries = match &self.0.logging {
            Some(wants) => wants.of(&attested.manifest.claims, &signed, &self.0.signer).await?,
            None => Vec::new(),
        };
        #[cfg(feature = "log")]
        let certificate =
            self.0.ct_logs.as_ref().and_then(|logs| wanted(logs, &attested, self.now()));
        #[cfg(not(feature = "log"))]
        let (entries, certificate) = ([], None);
        journal::keep(self, &attested, &json, &entries, certificate.as_ref())?;
        Ok(attested)
    }

    /// Writes the bundle to a file, and into the journal where it is: evidence that comes later is added to it there.
    ///
    /// # Errors
    /// The file or the journal cannot be written.
    pub fn save_bundle(&self, attested: &Attested, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        atomic::replace(path, &attested.bundle().to_json(), Mode::Shared)?;
        if let Some(journal) = self.journal() {
            journal.update_bundle_path(&attested.manifest_id, path)?;
        }
        Ok(())
    }

    /// The log that manifests are queued for.
    #[cfg(feature = "log")]
    pub fn log(&self) -> Option<&LogTarget> {
        self.0.logging.as_ref().map(|wants| &wants.target)
    }

    /// Whether the certificates of servers are queued to be proven.
    #[cfg(feature = "log")]
    pub fn proves_certificates(&self) -> bool {
        self.0.ct_logs.is_some()
    }

    /// Queues a manifest for a log after it was signed, with an entry of its own.
    ///
    /// # Errors
    /// There is no home with a journal, the signer cannot sign what logs take, or the outbox cannot be written.
    #[cfg(feature = "log")]
    pub async fn submit(&self, attested: &Attested, log: &LogTarget) -> Result<(), Error> {
        let submitter = self.submitter().ok_or(LogError::NoJournal)?;
        let signed = checked(&attested.manifest.to_json(), self.public_key())?;
        submitter.queue_manifest(log, &signed, self.public_key()).await?;
        Ok(())
    }

    /// Sends what is queued in the journal of this home, with this signer for batches; `None` without a journal.
    #[cfg(feature = "log")]
    pub fn submitter(&self) -> Option<Submitter> {
        let (home, journal) = (self.0.home.clone()?, self.0.journal.clone()?);
        let rules = self.0.logging.as_ref().map_or_else(LogRules::default, |wants| wants.rules);
        let signers = vec![self.0.signer.clone()];
        let ct_logs = self.0.ct_logs.clone();
        Some(Submitter::new(home, journal, signers, rules, ct_logs, self.0.clock.clone()))
    }

    pub(crate) fn keeps_bodies(&self) -> bool {
        self.0.keep_bodies
    }
}

fn checked_size(manifest: &Manifest) -> Result<Vec<u8>, Error> {
    let json = manifest.to_json();
    match json.len() {
        bytes if bytes > MAX_MANIFEST_BYTES => {
            Err(Error::TooLarge { what: "manifest", bytes, limit: MAX_MANIFEST_BYTES })
        }
        _ => Ok(json),
    }
}

fn check_bundle(attested: &Attested) -> Result<(), Error> {
    match attested.bundle().to_json().len() {
        bytes if bytes > MAX_BUNDLE_BYTES => {
            Err(Error::TooLarge { what: "bundle", bytes, limit: MAX_BUNDLE_BYTES })
        }
        _ => Ok(()),
    }
}
