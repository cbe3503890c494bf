//! Whether logs of certificates are there at all: one that is away is not asked for each certificate.

use std::collections::HashMap;
use std::time::Duration;

use genten_primitives::Timestamp;
use genten_rekor::{CtError, Next, ReadError};
use genten_store::{Difficulty, Home, ProcessLock};

use super::ASKER;
use crate::LogError;
use crate::logging::door::{asked_before, later};
use crate::logging::put_off::words;

/// Why there is no proof.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    code: &'static str,
    hint: &'static str,
    words: String,
    next: Next,
}

impl Failure {
    pub(super) fn of(error: &CtError) -> Self {
        let words = words(error);
        Self { code: error.code(), hint: error.hint(), words, next: error.next() }
    }

    /// As the journal keeps it.
    pub(super) fn met(&self) -> Difficulty<'_> {
        Difficulty { code: self.code, hint: self.hint, words: &self.words }
    }

    /// Whether there may be a proof later.
    pub(super) fn is_open(&self) -> bool {
        self.next != Next::Never
    }

    /// How long the log wants to be left alone.
    pub(super) fn after(&self) -> Option<Duration> {
        match self.next {
            Next::Later { after } => after,
            _ => None,
        }
    }
}

/// The logs of one round, by their origins.
#[derive(Debug, Default)]
pub(super) struct Doors(HashMap<String, Door>);

/// A log: a file where whoever asks leaves until when it wants to be left alone, and what everybody meets in this round.
#[derive(Debug)]
struct Door {
    note: Option<ProcessLock>,
    shut: Option<Failure>,
}

impl Doors {
    /// What everybody meets who asks this log, if it is not to be asked.
    pub(super) fn shut(
        &mut self,
        origin: &str,
        home: &Home,
        now: Timestamp,
    ) -> Result<Option<Failure>, LogError> {
        if let Some(door) = self.0.get(origin) {
            return Ok(door.shut.clone());
        }
        let note = home.sender(&format!("{ASKER} {origin}"))?;
        let asked = match &note {
            Some(note) => asked_before(note, now)?,
            None => None,
        };
        let shut = asked.map(|until| left_alone(until, now));
        self.0.insert(origin.to_owned(), Door { note, shut: shut.clone() });
        Ok(shut)
    }

    /// Notes an answer after which nobody else need ask.
    pub(super) fn answered(
        &mut self,
        origin: &str,
        error: &CtError,
        now: Timestamp,
    ) -> Result<(), LogError> {
        let Some(door) = self.0.get_mut(origin).filter(|_| is_away(error)) else { return Ok(()) };
        let failure = Failure::of(error);
        let until = failure.after().and_then(|wait| later(now, wait));
        door.shut = Some(failure);
        match (&door.note, until) {
            (Some(note), Some(until)) => Ok(note.leave_message(&until.to_string())?),
            _ => Ok(()),
        }
    }
}

/// What the log answered when it asked to be left alone.
fn left_alone(until: Timestamp, now: Timestamp) -> Failure {
    let millis = u64::try_from(until.millis_since(now)).unwrap_or(0);
    let next = Next::Later { after: Some(Duration::from_millis(millis)) };
    let hint = "wait: the log has asked to be left alone";
    Failure { code: "rekor.read.status", hint, words: String::new(), next }
}

/// Whether another certificate would fare the same.
fn is_away(error: &CtError) -> bool {
    match error {
        CtError::Read { source: ReadError::Http(_), .. } => true,
        CtError::Read { source: ReadError::Status { status, .. }, .. } => {
            matches!(status, 429 | 500..)
        }
        _ => false,
    }
}
