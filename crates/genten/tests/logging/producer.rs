//! A producer with a home, the bundles that it has saved, and its submitter.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use genten::jws::{Algorithm, ContentLogKey, LocalSigner, SecretKey};
use genten::manifest::SourceClass;
use genten::primitives::Sha256Digest;
use genten::store::{LogCounts, Submission};
use genten::{Facts, Flush, FlushReport, Genten, LogFlush, LogTarget, Submitter};
use genten_testkit::Clock;

/// The key of a producer that is the same for the same number.
pub(crate) fn signer(algorithm: Algorithm, number: u8) -> LocalSigner {
    LocalSigner::did_key(SecretKey::from_bytes(algorithm, &[number; 32]).unwrap())
}

/// The one content log key of all producers.
pub(crate) fn content_key() -> ContentLogKey {
    ContentLogKey::new(SecretKey::from_bytes(Algorithm::Es256, &[99; 32]).unwrap()).unwrap()
}

/// A bundle on disk.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    pub(crate) id: Sha256Digest,
    pub(crate) path: PathBuf,
    pub(crate) is_static: bool,
}

impl Saved {
    pub(crate) fn bundle(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap()
    }
}

/// A producer, and what it has made.
pub(crate) struct Producer {
    pub(crate) genten: Genten,
    folder: PathBuf,
    clock: Clock,
    saved: Mutex<Vec<Saved>>,
}

impl Producer {
    /// One whose bundles go into this folder.
    pub(crate) fn new(genten: Genten, folder: &Path, clock: &Clock) -> Self {
        let (folder, clock) = (folder.to_owned(), clock.clone());
        Self { genten, folder, clock, saved: Mutex::default() }
    }

    /// Facts about a fetch that has just been made, of a source of its own for each number.
    pub(crate) fn facts(&self, number: usize, class: SourceClass) -> Facts {
        let (url, body) = (format!("https://laws.example/{number}"), format!("law {number}"));
        let now = self.clock.now().to_string();
        let mut facts = Facts::of_body(&url, &now, body.as_bytes()).unwrap();
        facts.terms.class = Some(class);
        facts
    }

    /// Attests these facts and saves the bundle.
    pub(crate) async fn attest(&self, facts: &Facts) -> Saved {
        let attested = self.genten.attest(facts).await.unwrap();
        let id = attested.manifest_id;
        let path = self.folder.join(format!("{id}.json"));
        self.genten.save_bundle(&attested, &path).unwrap();
        let saved = Saved { id, path, is_static: facts.terms.class == Some(SourceClass::Static) };
        self.saved.lock().unwrap_or_else(PoisonError::into_inner).push(saved.clone());
        saved
    }

    /// A source of class `static`: manifest and content get entries of their own.
    pub(crate) async fn attest_alone(&self, number: usize) -> Saved {
        self.attest(&self.facts(number, SourceClass::Static)).await
    }

    /// A source of class `realtime`: the manifest waits for a batch.
    pub(crate) async fn attest_batched(&self, number: usize) -> Saved {
        self.attest(&self.facts(number, SourceClass::Realtime)).await
    }

    /// All bundles that were saved.
    pub(crate) fn saved(&self) -> Vec<Saved> {
        self.saved.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn submitter(&self) -> Submitter {
        self.genten.submitter().unwrap()
    }

    pub(crate) async fn flush(&self, how: Flush) -> FlushReport {
        self.submitter().flush(how).await.unwrap()
    }

    /// Sends what is due, to the one log that anything waits for.
    pub(crate) async fn flush_due(&self) -> LogFlush {
        the_log(self.flush(Flush::Due).await)
    }

    /// Sends everything, to the one log that anything waits for.
    pub(crate) async fn flush_all(&self) -> LogFlush {
        the_log(self.flush(Flush::All).await)
    }

    /// The numbers about all logs together.
    pub(crate) fn counts(&self) -> LogCounts {
        let logs = self.genten.journal().unwrap().outbox().counts().unwrap();
        logs.into_iter().fold(LogCounts::default(), |sum, log| LogCounts {
            log: String::new(),
            waiting: sum.waiting + log.waiting,
            given_up: sum.given_up + log.given_up,
            queued: sum.queued + log.queued,
            sent: sum.sent + log.sent,
            logged: sum.logged + log.logged,
            rejected: sum.rejected + log.rejected,
            stuck: sum.stuck + log.stuck,
            unplaced: sum.unplaced + log.unplaced,
        })
    }

    /// What has met a difficulty on the way to this log.
    pub(crate) fn stuck(&self, log: &LogTarget) -> Vec<Submission> {
        self.genten.journal().unwrap().outbox().stuck(&log.name(), 10_000).unwrap()
    }

    /// The codes of what has met a difficulty, each once.
    pub(crate) fn codes(&self, log: &LogTarget) -> Vec<String> {
        let mut codes: Vec<_> = self.stuck(log).into_iter().filter_map(|one| one.detail).collect();
        codes.sort();
        codes.dedup();
        codes
    }
}

fn the_log(report: FlushReport) -> LogFlush {
    let [log] = <[_; 1]>::try_from(report.logs).expect("one log waits for something");
    log
}
