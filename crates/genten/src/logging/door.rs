//! Whether a log is there at all: one that is away is not asked for each of ten thousand entries.

use std::time::Duration;

use genten_primitives::Timestamp;
use genten_rekor::SubmitError;
use genten_rekor::backoff::MAX_DELAY;
use genten_store::ProcessLock;

use super::LogError;

/// So many in a row that find nobody, and the rest of the round waits.
const ENOUGH: usize = 16;

/// The same for failures that may be about the entries alone.
const ENOUGH_OF_ANY: usize = 64;

/// What the answers of one round say about the log as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Door {
    nobody: usize,
    failures: usize,
    until: Option<Timestamp>,
    asked: Option<Timestamp>,
}

impl Door {
    /// Until when the rest of the round waits, if it does.
    pub(super) fn shut_until(&self) -> Option<Timestamp> {
        self.asked.max(self.until)
    }

    /// Until when the log, or the host where it is read, has asked to be left alone.
    pub(super) fn asked(&self) -> Option<Timestamp> {
        self.asked
    }

    pub(super) fn answered(&mut self) {
        (self.nobody, self.failures) = (0, 0);
    }

    /// Whoever answered wants to be left alone for so long (`Retry-After`).
    pub(super) fn ask(&mut self, wait: Option<Duration>, now: Timestamp) {
        self.asked = self.asked.max(wait.and_then(|wait| later(now, wait)));
    }

    /// An entry was not taken, and will be sent again at `due`.
    pub(super) fn failed(&mut self, error: &SubmitError, due: Timestamp, now: Timestamp) {
        self.ask(error.retry_after(), now);
        self.failures += 1;
        match error {
            SubmitError::Frozen { .. } => self.nobody = ENOUGH,
            error if is_away(error) => self.nobody += 1,
            _ => self.nobody = 0,
        }
        if self.nobody >= ENOUGH || self.failures >= ENOUGH_OF_ANY {
            self.until = self.until.max(Some(due));
        }
    }
}

/// Whether another entry would fare the same. 500 may be about the entry itself.
fn is_away(error: &SubmitError) -> bool {
    match error {
        SubmitError::Busy { status, .. } => *status != 500,
        SubmitError::OutcomeUnknown(_)
        | SubmitError::Unexpected { .. }
        | SubmitError::Unreadable(_)
        | SubmitError::Unreached(_) => true,
        _ => false,
    }
}

pub(super) fn later(now: Timestamp, wait: Duration) -> Option<Timestamp> {
    now.checked_add_millis(i64::try_from(wait.min(MAX_DELAY).as_millis()).ok()?)
}

/// Until when whoever sent last was asked to leave the log alone. What lies further ahead than any wait was written while the
/// clock was ahead.
pub(super) fn asked_before(
    right: &ProcessLock,
    now: Timestamp,
) -> Result<Option<Timestamp>, LogError> {
    let asked: Option<Timestamp> = right.message()?.parse().ok();
    Ok(asked.filter(|until| *until > now && Some(*until) <= later(now, MAX_DELAY)))
}
