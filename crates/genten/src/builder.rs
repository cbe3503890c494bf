//! Putting a [`Genten`] together.

use std::path::PathBuf;
use std::sync::Arc;

use genten_fetch::Recorder;
#[cfg(feature = "log")]
use genten_jws::ContentLogSigner;
use genten_jws::key_id::expect_certified;
use genten_jws::{AsyncSigner, Signer};
use genten_primitives::Timestamp;
use genten_store::{Durability, Home};

use crate::genten::Inner;
use crate::keys::{KeyError, KeyRing};
#[cfg(feature = "log")]
use crate::logging::{LogError, LogRules, LogTarget, Wants, read_list};
use crate::signer::AnySigner;
use crate::{Error, Genten};

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
    /// a log list of version 3, word for word as it is published. It needs a home with a journal; a [`Submitter`](crate::Submitter) gets the
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
