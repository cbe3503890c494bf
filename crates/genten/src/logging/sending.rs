//! To a log that a file describes: Rekor v2, and a timestamp authority.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use genten_primitives::Timestamp;
use genten_rekor::{
    CHECKPOINT_INTERVAL, HistoryError, Next, RecoverError, StampError, SubmitError, Submitted,
    TimestampClient,
};
use genten_store::{Difficulty, Home, Journal, LogSubject, Submission, SubmissionId};
use genten_tlog::rekor::HashedRekord;

use super::alarm::{self, Alarm};
use super::door::Door;
use super::past::{self, Past};
use super::put_off::{put_off_all, wait, words};
use super::{LogError, LogService};
use crate::KeyError;
use crate::builder::Clock;

const NO_BODY: Difficulty<'_> =
    Difficulty { code: "log.body", hint: "restore the journal from a backup", words: "" };

/// The least wait before an answer whose outcome is not known is asked for again.
const SOON: Duration = Duration::from_secs(2);

/// How submissions ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) logged: u64,
    pub(super) postponed: u64,
    pub(super) rejected: u64,
    pub(super) alarms: Vec<Alarm>,
    /// Until when the log has asked to be left alone.
    pub(super) asked: Option<Timestamp>,
}

/// Everything that one round of sending needs.
struct Round<'r> {
    service: &'r LogService,
    past: Past<'r>,
    home: &'r Home,
    journal: &'r Journal,
    clock: &'r Clock,
    state: Mutex<State>,
}

/// What has come of a round so far.
#[derive(Debug, Default)]
struct State {
    tally: Tally,
    put_off: HashSet<SubmissionId>,
    door: Door,
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
    let name = past::service_name(&service.client);
    journal.outbox().thaw(log, &name, clock())?;
    let past = match Past::read(&service.client, journal) {
        Ok(past) => past,
        Err(error) => return put_off_all(log, journal, &error, clock).and(Err(error)),
    };
    let (parallel, service) = (service.parallel, &service);
    let round = Round { service, past, home, journal, clock, state: Mutex::default() };
    let (mut under_way, mut claimed, mut failed) = (FuturesUnordered::new(), Vec::new(), None);
    loop {
        let free = parallel - under_way.len();
        if claimed.is_empty() && free > 0 && failed.is_none() && !round.is_over() {
            let limit = u32::try_from(free).unwrap_or(u32::MAX);
            claimed = journal.outbox().claim(log, limit, clock())?;
        }
        for submission in claimed.drain(..) {
            under_way.push(round.one(submission));
        }
        match under_way.next().await {
            Some(done) => failed = failed.or(done.err()),
            None => break,
        }
    }
    drop(under_way);
    match failed {
        Some(error) => Err(error),
        None => round.finish(log),
    }
}

impl Round<'_> {
    /// Gets the evidence that a submission still lacks. What goes wrong out there ends in the outbox; an error is only that
    /// the outbox cannot be written.
    async fn one(&self, submission: Submission) -> Result<(), LogError> {
        let submission = &submission;
        let Ok(rekord) = HashedRekord::read(&submission.body) else {
            return self.reject(submission, NO_BODY);
        };
        let Some((entry, log_id)) = self.entry(submission, &rekord).await? else { return Ok(()) };
        let outbox = self.journal.outbox();
        if let (Some(client), None) = (self.stamps(submission), &submission.token) {
            // Whoever goes on after a crash need not ask the log again.
            outbox.entered(submission.id, &entry, &log_id)?;
            match client.stamp(&rekord.signature, nonce()?).await {
                Ok(stamp) => outbox.stamped(submission.id, &stamp.token)?,
                Err(error) => return self.not_stamped(submission, &error),
            }
        }
        outbox.logged([(submission.id, &entry[..], &log_id[..])], (self.clock)())?;
        let mut state = self.state();
        state.tally.logged += 1;
        // A round that takes long sends again what it has put off.
        state.put_off.remove(&submission.id);
        Ok(())
    }

    /// The entry of the log with its place, got before or now; `None` when it must wait.
    async fn entry(
        &self,
        submission: &Submission,
        rekord: &HashedRekord,
    ) -> Result<Option<(Vec<u8>, String)>, LogError> {
        if let Some(known) = submission.entry.clone().zip(submission.log_id.clone()) {
            return Ok(Some(known));
        }
        let client = &self.service.client;
        // Answered before; of another log, if the file names a new shard since.
        let answered = submission.entry.clone();
        let answered = answered.and_then(|entry| client.accept(rekord, entry).ok());
        let submitted = match answered {
            Some(submitted) => submitted,
            None => match client.submit(rekord).await {
                Ok(submitted) => submitted,
                Err(error) => return self.not_submitted(submission, &error).map(|()| None),
            },
        };
        self.state().door.answered();
        let checkpoint = submitted.logged.checkpoint();
        if let Err(error) = self.past.admit(checkpoint, (self.clock)()).await? {
            return self.not_admitted(submission, &submitted, &error).map(|()| None);
        }
        let origin = submitted.logged.inclusion().origin();
        let log_id = format!("{origin}#{}", submitted.logged.index());
        Ok(Some((submitted.entry, log_id)))
    }

    /// Who stamps an entry. Bundles hold no time of a content: it is the manifest that a time is wanted for.
    fn stamps(&self, submission: &Submission) -> Option<&TimestampClient> {
        self.service.timestamps.as_ref().filter(|_| submission.subject != LogSubject::Content)
    }

    fn not_submitted(&self, submission: &Submission, error: &SubmitError) -> Result<(), LogError> {
        match error {
            SubmitError::Wrong { answer, .. }
            | SubmitError::Recover {
                source: RecoverError::OtherEntry { .. } | RecoverError::Wrong(_),
                answer,
            } => self.alarm((error.code(), error), answer)?,
            _ => {}
        }
        let words = words(error);
        let met = Difficulty { code: error.code(), hint: error.hint(), words: &words };
        if error.next() == Next::Never {
            return self.reject(submission, met);
        }
        if let SubmitError::Frozen { .. } = error {
            let service = past::service_name(&self.service.client);
            self.journal.outbox().froze(&submission.log, &service)?;
        }
        let due = self.postpone(submission, met, error.next())?;
        self.state().door.failed(error, due, (self.clock)());
        Ok(())
    }

    /// An answer that may still prove good is kept; one that speaks against the log is not.
    fn not_admitted(
        &self,
        submission: &Submission,
        submitted: &Submitted,
        error: &HistoryError,
    ) -> Result<(), LogError> {
        let words = words(error);
        let met = Difficulty { code: error.code(), hint: error.hint(), words: &words };
        let contradicts = matches!(error, HistoryError::Fork(_) | HistoryError::Behind { .. });
        if contradicts {
            let evidence = alarm::contradiction(error, submitted.logged.checkpoint());
            self.alarm((error.code(), error), evidence.as_bytes())?;
        }
        let kept = Some(&submitted.entry[..]).filter(|_| !contradicts);
        self.journal.outbox().answered(submission.id, kept)?;
        self.state().door.ask(error.retry_after(), (self.clock)());
        self.postpone(submission, met, error.next()).map(drop)
    }

    fn not_stamped(&self, submission: &Submission, error: &StampError) -> Result<(), LogError> {
        if let StampError::Wrong { reply, .. } = error {
            self.alarm((error.code(), error), reply)?;
        }
        let next = Next::Later { after: error.retry_after() };
        let words = words(error);
        let met = Difficulty { code: error.code(), hint: error.hint(), words: &words };
        self.postpone(submission, met, next).map(drop)
    }

    fn alarm(
        &self,
        error: (&'static str, &dyn std::error::Error),
        answer: &[u8],
    ) -> Result<(), LogError> {
        let alarm = alarm::raise(self.home, error, answer, (self.clock)())?;
        alarm::add(&mut self.state().tally.alarms, alarm);
        Ok(())
    }

    /// When it is sent again.
    fn postpone(
        &self,
        submission: &Submission,
        met: Difficulty<'_>,
        next: Next,
    ) -> Result<Timestamp, LogError> {
        let (attempts, after) = match next {
            Next::Later { after } => (submission.attempts, after),
            Next::NextCheckpoint => (0, Some(CHECKPOINT_INTERVAL)),
            Next::SameBytesAgain => (submission.attempts, Some(SOON)),
            Next::Never | Next::Person => (submission.attempts, None),
            // As if it had been tried for ever: what helps is another log under this name.
            Next::OtherShard => (u32::MAX, None),
        };
        let now = (self.clock)();
        let due = wait(now, attempts, after);
        self.journal.outbox().postpone(submission.id, due, met, now)?;
        self.state().put_off.insert(submission.id);
        Ok(due)
    }

    fn reject(&self, submission: &Submission, met: Difficulty<'_>) -> Result<(), LogError> {
        self.journal.outbox().rejected(submission.id, met, (self.clock)())?;
        let mut state = self.state();
        state.tally.rejected += 1;
        state.put_off.remove(&submission.id);
        state.door.answered();
        Ok(())
    }

    /// Whether the log is away, so that nothing more is sent.
    fn is_over(&self) -> bool {
        self.state().door.shut_until().is_some()
    }

    /// Puts off what was not sent since the log is away.
    fn finish(self, log: &str) -> Result<Tally, LogError> {
        let now = (self.clock)();
        let service = past::service_name(&self.service.client);
        let State { tally, mut put_off, door } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = door.shut_until() {
            put_off.extend(self.journal.outbox().hold(log, until, now)?);
        }
        if door.asked().is_some() {
            self.journal.outbox().froze(log, &service)?;
        }
        Ok(Tally { postponed: put_off.len() as u64, asked: door.asked(), ..tally })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn nonce() -> Result<u64, LogError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| LogError::Key(KeyError::Random))?;
    Ok(u64::from_le_bytes(bytes))
}
