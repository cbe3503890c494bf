//! The one object that a program holds: recorder, signer, journal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use genten_fetch::{Exchange, Recorder};
#[cfg(feature = "log")]
use genten_jws::ContentLogSigner;
use genten_jws::key_id::expect_certified;
use genten_jws::{AsyncSigner, Signer};
use genten_manifest::{Claims, KeyId, MAX_BUNDLE_BYTES, MAX_MANIFEST_BYTES, Manifest, TlsChain};
#[cfg(feature = "log")]
use genten_pki::CtLogList;
use genten_primitives::{PublicKey, Timestamp};
use genten_store::atomic::{self, Mode};
use genten_store::{Durability, Home, Journal};

use crate::keys::{KeyError, KeyRing};
#[cfg(feature = "log")]
use crate::logging::{LogError, LogRules, LogTarget, Submitter, Wants, read_list, wanted};
use crate::signer::{AnySigner, checked};
use crate::{Attested, Error, Facts, Fetch, Terms, facts, journal};

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
pub struct Genten(Arc<Inner>);

struct Inner {
    recorder: Recorder,
    signer: Arc<AnySigner>,
    signer_chain: Vec<Vec<u8>>,
    home: Option<Home>,
    journal: Option<Arc<Journal>>,
    keep_bodies: bool,
    #[cfg(feature = "log")]
    logging: Option<Wants>,
    #[cfg(feature = "log")]
    ct_logs: Option<Arc<CtLogList>>,
    clock: Clock,
}

/// Where the time comes from.
pub(crate) type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Puts a [`Genten`] together.
#[derive(Default)]
pub struct GentenBuilder {
    recorder: Option<Recorder>,
    signer: Option<Given>,
    signer_chain: Vec<Vec<u8>>,
    home: Option<PathBuf>,
    key: Option<String>,
    no_journal: bool,
    keep_bodies: bool,
    durability: Durability,
    #[cfg(feature = "log")]
    log: Option<LogTarget>,
    #[cfg(feature = "log")]
    log_rules: LogRules,
    #[cfg(feature = "log")]
    content_key: Option<Arc<dyn ContentLogSigner>>,
    #[cfg(feature = "log")]
    ct_logs: Option<Vec<u8>>,
    clock: Option<Clock>,
}

enum Given {
    Sync(Arc<dyn Signer>),
    Async(Arc<dyn AsyncSigner>),
}

impl GentenBuilder {
    /// A folder for keys, journal and bodies; made where it is missing. Without one, nothing is kept.
    #[must_use]
    pub fn home(mut self, folder: impl Into<PathBuf>) -> Self {
        self.home = Some(folder.into());
        self
    }

    /// The name of the home's key to sign with, instead of `default`.
    #[must_use]
    pub fn key(mut self, name: impl Into<String>) -> Self {
        self.key = Some(name.into());
        self
    }

    /// A signer in this process, instead of a key of the home.
    #[must_use]
    pub fn signer(mut self, signer: impl Signer + 'static) -> Self {
        self.signer = Some(Given::Sync(Arc::new(signer)));
        self
    }

    /// A signer that takes its time: an HSM, a KMS. What it returns is checked before it is used.
    #[must_use]
    pub fn async_signer(mut self, signer: impl AsyncSigner + 'static) -> Self {
        self.signer = Some(Given::Async(Arc::new(signer)));
        self
    }

    /// The certificates (DER) of the signer that was given, leaf first; they travel in the bundle.
    #[must_use]
    pub fn signer_chain(mut self, chain: Vec<Vec<u8>>) -> Self {
        self.signer_chain = chain;
        self
    }

    /// The recorder, where its defaults do not fit.
    #[must_use]
    pub fn recorder(mut self, recorder: Recorder) -> Self {
        self.recorder = Some(recorder);
        self
    }

    /// Keeps no journal although there is a home.
    #[must_use]
    pub fn without_journal(mut self) -> Self {
        self.no_journal = true;
        self
    }

    /// Keeps every body that comes into memory or a file in the home too, by its digest.
    #[must_use]
    pub fn keep_bodies(mut self, keep: bool) -> Self {
        self.keep_bodies = keep;
        self
    }

    /// When a journal row must survive a power cut.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Queues every manifest for this log. It needs a home with a journal; see [`Submitter`](crate::Submitter) for who sends
    /// what is queued.
    #[cfg(feature = "log")]
    #[must_use]
    pub fn log(mut self, target: LogTarget) -> Self {
        self.log = Some(target);
        self
    }

    /// What gets a log entry of its own, and what waits for a batch.
    #[cfg(feature = "log")]
    #[must_use]
    pub fn log_rules(mut self, rules: LogRules) -> Self {
        self.log_rules = rules;
        self
    }

    /// The key that signs digests of contents for logs, and nothing else.
    #[cfg(feature = "log")]
    #[must_use]
    pub fn content_log_key(mut self, key: impl ContentLogSigner + 'static) -> Self {
        self.content_key = Some(Arc::new(key));
        self
    }

    /// Queues the certificates of servers, each once, to be proven by the static logs of this list that promised to hold them:
    /// a log list of version 3, word for word as it is published. It needs a home with a journal; a [`Submitter`] gets the
    /// proofs and puts them into the bundles.
    #[cfg(feature = "log")]
    #[must_use]
    pub fn ct_logs(mut self, list: impl Into<Vec<u8>>) -> Self {
        self.ct_logs = Some(list.into());
        self
    }

    /// Where the time of signing comes from; the system's clock by default.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        self.clock = Some(Arc::new(clock));
        self
    }

    /// Opens home and journal, reads or makes the key.
    ///
    /// # Errors
    /// No signer and no home; a key's name beside a signer, or a chain beside a key of the home; a home that cannot be opened;
    /// a key that cannot be read; a chain that is not for the key; a log, and no journal, no signer for it, or no key for the
    /// contents that it is to hold.
    pub fn build(self) -> Result<Genten, Error> {
        self.expect_all_to_count()?;
        let home = self.home.map(Home::open).transpose()?;
        let mut signer_chain = self.signer_chain;
        let signer = match (self.signer, &home) {
            (Some(Given::Sync(signer)), _) => AnySigner::sync(signer)?,
            (Some(Given::Async(signer)), _) => AnySigner::asynchronous(signer)?,
            (None, Some(home)) => {
                let ring = KeyRing::of(home);
                let key = match self.key {
                    Some(name) => ring.load(&name)?,
                    None => ring.default_or_new()?.0,
                };
                signer_chain = key.chain;
                AnySigner::sync(Arc::new(key.signer))?
            }
            (None, None) => return Err(Error::NoSigner),
        };
        check_certificate(&signer, &signer_chain)?;
        let journal = home.as_ref().filter(|_| !self.no_journal);
        let journal = journal.map(|home| home.journal(self.durability)).transpose()?.map(Arc::new);
        #[cfg(feature = "log")]
        let logging = match self.log {
            None => None,
            Some(_) if journal.is_none() => return Err(LogError::NoJournal.into()),
            Some(_) if self.log_rules.static_content && self.content_key.is_none() => {
                return Err(LogError::ContentKeyMissing.into());
            }
            Some(_) if !signer.can_log() => return Err(LogError::NoPrehash.into()),
            Some(target) => {
                let (rules, content_key) = (self.log_rules, self.content_key);
                Some(Wants { target, rules, content_key })
            }
        };
        #[cfg(feature = "log")]
        let ct_logs = match self.ct_logs {
            None => None,
            Some(_) if journal.is_none() => return Err(LogError::NoJournal.into()),
            Some(list) => Some(Arc::new(read_list(&list)?)),
        };
        let recorder = match self.recorder {
            Some(recorder) => recorder,
            None => Recorder::builder().build()?,
        };
        Ok(Genten(Arc::new(Inner {
            recorder,
            signer: Arc::new(signer),
            signer_chain,
            home,
            journal,
            keep_bodies: self.keep_bodies,
            #[cfg(feature = "log")]
            logging,
            #[cfg(feature = "log")]
            ct_logs,
            clock: self.clock.unwrap_or_else(|| Arc::new(system_clock)),
        })))
    }

    fn expect_all_to_count(&self) -> Result<(), Error> {
        match (&self.signer, &self.key, &self.home) {
            (Some(_), Some(_), _) => Err(Error::Settings { one: "a key", other: "a signer" }),
            (None, _, Some(_)) if !self.signer_chain.is_empty() => {
                Err(Error::Settings { one: "a chain", other: "a key of the home" })
            }
            _ => Ok(()),
        }
    }
}

/// A chain for another key or another id would make every bundle worthless.
fn check_certificate(signer: &AnySigner, chain: &[Vec<u8>]) -> Result<(), KeyError> {
    let Some(leaf) = chain.first() else { return Ok(()) };
    expect_certified(signer.key_id(), signer.public_key(), leaf)
        .map_err(|source| KeyError::Certificate { name: signer.key_id().to_string(), source })
}

pub(crate) fn system_clock() -> Timestamp {
    let now = Timestamp::from_system_time(std::time::SystemTime::now());
    now.expect("a system clock between the years 1 and 9999")
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
