//! Who sends what is queued.

mod asking;
mod running;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use genten_pki::CtLogList;
use genten_primitives::Timestamp;
use genten_store::{Durability, Home, Journal, ProcessLock, Waiting};

use super::certificates::CertificateFlush;
use super::place::Placed;
use super::sending::Tally;
use super::{
    FlushReport, LogError, LogFlush, LogRules, LogService, LogTarget, batch, door, local, past,
    place, sending,
};
use crate::builder::{Clock, system_clock};
use crate::signer::AnySigner;
use crate::{Error, KeyRing};

/// Sends what is queued in the journal of a home, verifies what the logs answer, and completes the bundles on disk.
///
/// Any number of processes may have one; of those that come to one log at the same time, one sends. What one of them was
/// sending when it died, the next one sends again, byte for byte.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn run(folder: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
/// use genten::{Facts, Flush, Genten, KeyRing, LogTarget, store::Home};
///
/// let home = Home::open(folder)?;
/// let (content_key, _) = KeyRing::of(&home).content_log_key("default")?;
/// let genten =
///     Genten::builder().home(folder).log(LogTarget::Home).content_log_key(content_key).build()?;
/// let facts = Facts::of_body("https://law.example/1", "2026-11-30T08:15:00Z", b"the law")?;
/// let attested = genten.attest(&facts).await?; // signed and queued
///
/// let submitter = genten.submitter().expect("there is a home");
/// let report = submitter.flush(Flush::All).await?;
/// assert_eq!(report.logged(), 1);
/// let evidence = genten.journal().unwrap().outbox().evidence(&attested.manifest_id)?;
/// assert!(evidence[0].log_id.starts_with("genten.local/"));
/// # Ok(())
/// # }
/// # run(folder.path()).unwrap();
/// ```
#[derive(Clone)]
pub struct Submitter {
    pub(super) home: Home,
    pub(super) journal: Arc<Journal>,
    signers: Vec<Arc<AnySigner>>,
    rules: LogRules,
    pub(super) ct_logs: Option<Arc<CtLogList>>,
    pub(super) clock: Clock,
}

/// How much is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// Everything, at once: batches are made of whoever waits, and what was put off is tried again. Only a log that has
    /// asked to be left alone is left alone.
    All,
    /// What is due: batches that are full or old enough, and sends whose time has come.
    Due,
}

impl Submitter {
    pub(crate) fn new(
        home: Home,
        journal: Arc<Journal>,
        signers: Vec<Arc<AnySigner>>,
        rules: LogRules,
        ct_logs: Option<Arc<CtLogList>>,
        clock: Clock,
    ) -> Self {
        Self { home, journal, signers, rules, ct_logs, clock }
    }

    /// One that makes batches with every key of a home.
    ///
    /// # Errors
    /// The journal cannot be opened, or a key cannot be read.
    pub fn of_home(home: &Home) -> Result<Self, Error> {
        let ring = KeyRing::of(home);
        let mut signers = Vec::new();
        for name in ring.names()? {
            let key = ring.load(&name)?;
            signers.push(Arc::new(AnySigner::sync(Arc::new(key.signer))?));
        }
        let journal = Arc::new(home.journal(Durability::Normal)?);
        let (rules, clock) = (LogRules::default(), Arc::new(system_clock));
        Ok(Self::new(home.clone(), journal, signers, rules, None, clock))
    }

    /// The journal whose outbox is served.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Sends what is queued, and gets the proofs for servers' certificates. A log that cannot be reached does not keep the others
    /// waiting, and is no error here: the report says so.
    ///
    /// # Errors
    /// The journal cannot be read or written.
    pub async fn flush(&self, how: Flush) -> Result<FlushReport, LogError> {
        self.flush_logs(self.journal.outbox().logs_to_serve()?, how).await
    }

    /// Does the same for one log alone: nobody waits for another one, which may be away.
    ///
    /// # Errors
    /// The journal cannot be read or written.
    pub async fn flush_one(&self, log: &LogTarget, how: Flush) -> Result<FlushReport, LogError> {
        let (name, mut logs) = (log.name(), self.journal.outbox().logs_to_serve()?);
        logs.retain(|log| *log == name);
        self.flush_logs(logs, how).await
    }

    async fn flush_logs(&self, logs: Vec<String>, how: Flush) -> Result<FlushReport, LogError> {
        // The bundles of one log do not wait for another log.
        let logs = logs.into_iter().map(async |log| {
            let flush = self.flush_log(log, how).await;
            self.complete_bundles().await.map(|placed| (flush, placed.completed))
        });
        let (logs, certificates) = join(join_all(logs), self.prove(how)).await;
        let logs = logs.into_iter().collect::<Result<Vec<_>, _>>()?;
        let completed = logs.iter().map(|(_, completed)| completed).sum::<u64>();
        let logs = logs.into_iter().map(|(log, _)| log).collect();
        let report = self.place(logs, certificates?).await?;
        Ok(FlushReport { completed: report.completed + completed, ..report })
    }

    /// Completes the bundles.
    async fn place(
        &self,
        logs: Vec<LogFlush>,
        certificates: CertificateFlush,
    ) -> Result<FlushReport, LogError> {
        let placed = self.complete_bundles().await?;
        Ok(FlushReport {
            logs,
            certificates,
            completed: placed.completed,
            absent: placed.absent,
            full: placed.full,
            unwritten: placed.unwritten,
            unwritten_because: placed.unwritten_because,
        })
    }

    async fn complete_bundles(&self) -> Result<Placed, LogError> {
        let (home, journal) = (self.home.clone(), Arc::clone(&self.journal));
        blocking(move || place::all(&home, &journal)).await
    }

    async fn flush_log(&self, log: String, how: Flush) -> LogFlush {
        let mut flush = LogFlush { log, ..LogFlush::default() };
        if let Err(error) = self.serve(&mut flush, how).await {
            flush.error = Some(error);
        }
        flush
    }

    async fn serve(&self, flush: &mut LogFlush, how: Flush) -> Result<(), LogError> {
        let Some(right) = self.right_to_send(&flush.log, how).await? else {
            flush.is_busy = true;
            return Ok(());
        };
        // A signer that fails keeps nothing from being sent that was signed before.
        let batches = self.make_batches(flush, how).await;
        self.send_queued(flush, how, &right).await?;
        batches
    }

    async fn send_queued(
        &self,
        flush: &mut LogFlush,
        how: Flush,
        right: &ProcessLock,
    ) -> Result<(), LogError> {
        let (outbox, now) = (self.journal.outbox(), (self.clock)());
        if how == Flush::All {
            outbox.retry(&flush.log, false, now)?;
        }
        if self.stands_for_another(&flush.log, now)? {
            right.leave_message("")?;
        }
        flush.asked_until = door::asked_before(right, now)?;
        if let Some(until) = flush.asked_until {
            flush.postponed = outbox.hold(&flush.log, until, now)?.len() as u64;
            return Ok(());
        }
        let tally = self.send(&flush.log).await?;
        (flush.logged, flush.postponed) = (tally.logged, tally.postponed);
        (flush.rejected, flush.alarms) = (tally.rejected, tally.alarms);
        flush.asked_until = tally.asked;
        match tally.asked {
            Some(until) => Ok(right.leave_message(&until.to_string())?),
            None => Ok(()),
        }
    }

    /// Whether the file names another service than the one that has asked to be left alone. Then everything is due.
    fn stands_for_another(&self, log: &str, now: Timestamp) -> Result<bool, LogError> {
        let LogTarget::File(path) = LogTarget::from_name(log) else { return Ok(false) };
        match LogService::read(&path, now, None) {
            Ok(service) => {
                let name = past::service_name(&service.client);
                Ok(self.journal.outbox().thaw(log, &name, now)?)
            }
            // Whoever sends says so.
            Err(_) => Ok(false),
        }
    }

    /// Whoever wants everything sent waits for another process that is sending: it may not see what was queued just now.
    async fn right_to_send(&self, log: &str, how: Flush) -> Result<Option<ProcessLock>, LogError> {
        let start = Instant::now();
        loop {
            match self.home.sender(log)? {
                None if how == Flush::All && start.elapsed() < PATIENCE => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                right => return Ok(right),
            }
        }
    }

    async fn send(&self, log: &str) -> Result<Tally, LogError> {
        match LogTarget::from_name(log) {
            LogTarget::Home => {
                let (home, journal) = (self.home.clone(), Arc::clone(&self.journal));
                let clock = Arc::clone(&self.clock);
                blocking(move || local::send(&home, &journal, &clock)).await
            }
            LogTarget::File(path) => {
                sending::send(&path, log, &self.home, &self.journal, &self.clock).await
            }
        }
    }

    async fn make_batches(&self, flush: &mut LogFlush, how: Flush) -> Result<(), LogError> {
        let outbox = self.journal.outbox();
        let mut all = outbox.waiting()?;
        all.retain(|waiting| waiting.log == flush.log);
        let mut failed = Ok(());
        for waiting in all {
            let now = (self.clock)();
            if how == Flush::Due && !self.is_due(&waiting, now) {
                continue;
            }
            let Some(signer) = self.signer(&waiting.signer) else {
                flush.foreign += waiting.count;
                continue;
            };
            let size = self.rules.batch_size.max(1);
            match batch::make(outbox, &waiting, signer, size, now).await {
                Ok(taken) => flush.batched += taken,
                Err(error) => failed = failed.and(Err(error)),
            }
        }
        failed
    }

    /// A time of queueing that lies ahead is that of a clock that was set back since.
    fn is_due(&self, waiting: &Waiting, now: Timestamp) -> bool {
        let waited = now.millis_since(waiting.oldest);
        let patience = i64::try_from(self.rules.batch_after.as_millis()).unwrap_or(i64::MAX);
        waiting.count >= u64::from(self.rules.batch_size) || waited < 0 || waited >= patience
    }

    pub(super) fn signer(&self, thumbprint: &str) -> Option<&AnySigner> {
        let is_it = |one: &&Arc<AnySigner>| one.public_key().thumbprint().to_string() == thumbprint;
        self.signers.iter().find(is_it).map(|signer| &**signer)
    }
}

/// How long to wait for another process that sends.
const PATIENCE: Duration = Duration::from_secs(120);

/// Work that waits for a disk, beside the tasks that wait for a network.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LogError> + Send + 'static,
) -> Result<T, LogError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
