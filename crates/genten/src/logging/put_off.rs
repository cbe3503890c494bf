//! Putting off what cannot be sent now.

use std::error::Error;
use std::time::Duration;

use genten_primitives::Timestamp;
use genten_rekor::backoff;
use genten_store::{Difficulty, Journal, Submission};

use super::LogError;
use super::alarm::with_causes;
use crate::builder::Clock;

/// Entries that are put off in one step.
const STEP: u32 = 4096;

/// When to send again, after so many attempts.
pub(super) fn wait(now: Timestamp, attempts: u32, after: Option<Duration>) -> Timestamp {
    let mut random = [0; 8];
    // Without randomness all wait equally long, which is no reason not to wait.
    let _ = getrandom::fill(&mut random);
    let delay = backoff::delay(attempts, u64::from_le_bytes(random), after);
    let millis = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
    now.checked_add_millis(millis).unwrap_or(now)
}

/// Most characters of what was met that are kept.
const MOST_WORDS: usize = 400;

/// What was met, with its causes, for people: in one line, and no longer than that.
pub(super) fn words(error: &dyn Error) -> String {
    let words = with_causes(error);
    let words: Vec<_> = words.split_whitespace().collect();
    words.join(" ").chars().take(MOST_WORDS).collect()
}

/// Nothing can be sent now, and the outbox says why.
pub(super) fn put_off_all(
    log: &str,
    journal: &Journal,
    error: &LogError,
    clock: &Clock,
) -> Result<(), LogError> {
    loop {
        let claimed = journal.outbox().claim(log, STEP, clock())?;
        if claimed.is_empty() {
            return Ok(());
        }
        put_off(journal, &claimed, error, clock())?;
    }
}

/// These cannot be sent now, and the outbox says why.
pub(super) fn put_off(
    journal: &Journal,
    claimed: &[Submission],
    error: &LogError,
    now: Timestamp,
) -> Result<(), LogError> {
    let (hint, words) = (error.hint(), words(error));
    let met = Difficulty { code: error.code(), hint: &hint, words: &words };
    for one in claimed {
        let due = wait(now, one.attempts, None);
        journal.outbox().postpone(one.id, due, met, now)?;
    }
    Ok(())
}
