//! To a log that a file describes: Rekor v2, and a timestamp authority.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use genten_primitives::Timestamp;
use genten_rekor::{Next, StampError, SubmitError, TimestampClient, backoff};
use genten_store::{Home, Journal, LogSubject, Submission};
use genten_tlog::rekor::HashedRekord;

use super::{LogError, LogService, alarm};
use crate::KeyError;
use crate::builder::Clock;

/// Whoever comes after a crash begins anew, so that this is only for what is under way in this process.
const LEASE: Duration = Duration::from_secs(3600);

/// Signatures that are asked for again soon.
const SOON: Duration = Duration::from_secs(2);

/// How submissions ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) logged: u64,
    pub(super) postponed: u64,
    pub(super) rejected: u64,
}

/// When to send again, after so many attempts.
pub(super) fn wait(now: Timestamp, attempts: u32, after: Option<Duration>) -> Timestamp {
    let mut random = [0; 8];
    // Without randomness all wait equally long, which is no reason not to wait.
    let _ = getrandom::fill(&mut random);
    let delay = backoff::delay(attempts, u64::from_le_bytes(random), after);
    let millis = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
    now.checked_add_millis(millis).unwrap_or(now)
}

/// Everything that one round of sending needs.
struct Round<'r> {
    service: LogService,
    home: &'r Home,
    journal: &'r Journal,
    clock: &'r Clock,
    tally: Mutex<Tally>,
}

/// Sends everything that is due to the log that the file at `path` describes. The file is read anew each time, so that a
/// new shard is found as soon as it is named there.
pub(super) async fn send(
    path: &Path,
    log: &str,
    home: &Home,
    journal: &Journal,
    clock: &Clock,
) -> Result<Tally, LogError> {
    journal.outbox().take_over(log, clock())?;
    let cache = home.root().join("tiles");
    let service = LogService::read(path, clock(), Some(&cache))?;
    let parallel = service.parallel;
    let round = Round { service, home, journal, clock, tally: Mutex::default() };
    let (mut under_way, mut claimed, mut failed) = (FuturesUnordered::new(), Vec::new(), None);
    loop {
        let free = parallel - under_way.len();
        if claimed.is_empty() && free > 0 && failed.is_none() {
            let limit = u32::try_from(free).unwrap_or(u32::MAX);
            claimed = journal.outbox().claim(log, limit, clock(), LEASE)?;
        }
        for submission in claimed.drain(..) {
            under_way.push(round.one(submission));
        }
        match under_way.next().await {
            Some(done) => failed = failed.or(done.err()),
            None => break,
        }
    }
    match failed {
        Some(error) => Err(error),
        None => Ok(*round.tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner)),
    }
}

impl Round<'_> {
    /// Gets the evidence that a submission still lacks. What goes wrong out there ends in the outbox; an error is only that
    /// the outbox cannot be written.
    async fn one(&self, submission: Submission) -> Result<(), LogError> {
        let submission = &submission;
        let outbox = self.journal.outbox();
        let Ok(rekord) = HashedRekord::read(&submission.body) else {
            return self.reject(submission, "log.body");
        };
        let mut entered = submission.entry.clone().zip(submission.log_id.clone());
        if entered.is_none() {
            match self.service.client.submit(&rekord).await {
                Ok(submitted) => {
                    let log = submitted.logged.inclusion().origin();
                    let log_id = format!("{log}#{}", submitted.logged.index());
                    outbox.entered(submission.id, &submitted.entry, &log_id)?;
                    entered = Some((submitted.entry, log_id));
                }
                Err(error) => return self.not_submitted(submission, &error),
            }
        }
        if let (Some(client), None) = (self.stamps(submission), &submission.token) {
            match client.stamp(&rekord.signature, nonce()?).await {
                Ok(stamp) => outbox.stamped(submission.id, &stamp.token)?,
                Err(error) => return self.not_stamped(submission, &error),
            }
        }
        if let Some((entry, log_id)) = entered {
            outbox.logged([(submission.id, &entry[..], &log_id[..])], (self.clock)())?;
            self.count(|tally| tally.logged += 1);
        }
        Ok(())
    }

    /// Who stamps an entry. Bundles hold no time of a content: it is the manifest that a time is wanted for.
    fn stamps(&self, submission: &Submission) -> Option<&TimestampClient> {
        self.service.timestamps.as_ref().filter(|_| submission.subject != LogSubject::Content)
    }

    fn not_submitted(&self, submission: &Submission, error: &SubmitError) -> Result<(), LogError> {
        if let SubmitError::Wrong { answer, .. } = error {
            alarm::keep(self.home, error.code(), answer, (self.clock)())?;
        }
        match error.next() {
            Next::Never => self.reject(submission, error.code()),
            Next::Later { after } => self.postpone(submission, error.code(), after),
            Next::SameBytesAgain => self.postpone(submission, error.code(), Some(SOON)),
            Next::OtherShard | Next::Person => self.postpone(submission, error.code(), None),
        }
    }

    fn not_stamped(&self, submission: &Submission, error: &StampError) -> Result<(), LogError> {
        self.postpone(submission, error.code(), error.retry_after())
    }

    fn postpone(
        &self,
        submission: &Submission,
        code: &str,
        after: Option<Duration>,
    ) -> Result<(), LogError> {
        let now = (self.clock)();
        let due = wait(now, submission.attempts, after);
        self.journal.outbox().postpone(submission.id, due, code, now)?;
        self.count(|tally| tally.postponed += 1);
        Ok(())
    }

    fn reject(&self, submission: &Submission, code: &str) -> Result<(), LogError> {
        self.journal.outbox().rejected(submission.id, code, (self.clock)())?;
        self.count(|tally| tally.rejected += 1);
        Ok(())
    }

    fn count(&self, one: impl FnOnce(&mut Tally)) {
        one(&mut self.tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}

fn nonce() -> Result<u64, LogError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| LogError::Key(KeyError::Random))?;
    Ok(u64::from_le_bytes(bytes))
}
