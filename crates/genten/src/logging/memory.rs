//! What the journal knows of a log, whoever has learned it: the last checkpoint that was believed when entries were sent, and
//! the state of whoever follows the log.

use genten_primitives::encoding::hex;
use genten_rekor::{FollowError, FollowState, LogTrust, StateError};
use genten_store::Journal;
use genten_tlog::{Checkpoint, NoteKey};

use super::LogError;

/// The name of a log in the journal. Another log may use the same origin with a key of its own.
pub(super) fn name_of(key: &NoteKey) -> String {
    format!("{}+{}", key.name(), hex(&key.id()))
}

/// The names of a log in the journal, one for each of its keys.
pub(super) fn names_of(trust: &LogTrust) -> Vec<String> {
    trust.keys().map(name_of).collect()
}

/// What is known of one log, by each of its keys: a key may leave the documents that name it.
pub(super) struct Memory<'m> {
    journal: &'m Journal,
    trust: &'m LogTrust,
    names: Vec<String>,
    /// Where the last checkpoint is kept.
    heads: Vec<String>,
}

/// The state of whoever follows a log.
pub(super) struct Kept {
    /// The name under which it is kept, or is to be kept.
    pub(super) name: String,
    /// As it is kept; `None` where nothing is yet.
    pub(super) json: Option<Vec<u8>>,
    pub(super) state: FollowState,
}

impl<'m> Memory<'m> {
    pub(super) fn of(journal: &'m Journal, trust: &'m LogTrust) -> Self {
        let names = names_of(trust);
        Self { journal, trust, heads: names.clone(), names }
    }

    /// Of the home's own log, whose last checkpoint is kept by its origin.
    pub(super) fn of_home(journal: &'m Journal, trust: &'m LogTrust) -> Self {
        Self { heads: vec![trust.origin().to_owned()], ..Self::of(journal, trust) }
    }

    /// What is stored is not forgotten where it does not hold: without it the log could take back what it has shown.
    pub(super) fn verify(&self, note: &[u8]) -> Result<Checkpoint, LogError> {
        let origin = || self.trust.origin().to_owned();
        let verified = self.trust.verify(note);
        verified.map_err(|source| LogError::HeadDamaged { origin: origin(), source })
    }

    /// All checkpoints that the log must not take back, the largest last.
    pub(super) fn shown(&self) -> Result<Vec<Checkpoint>, LogError> {
        let mut shown = Vec::new();
        for name in &self.heads {
            let head = self.journal.outbox().head(name)?;
            shown.extend(head.map(|head| self.verify(&head.note)).transpose()?);
        }
        for kept in self.states()? {
            shown.extend(kept.state.verify(self.trust).map_err(damaged)?);
        }
        shown.sort_by_key(Checkpoint::size);
        shown.dedup_by_key(|one| (one.size(), one.root()));
        Ok(shown)
    }

    /// The state of whoever follows the log.
    pub(super) fn state(&self) -> Result<Kept, LogError> {
        let name = self.names[0].clone();
        let new = || Kept { name, json: None, state: FollowState::default() };
        Ok(self.states()?.into_iter().next().unwrap_or_else(new))
    }

    /// Nothing of a log is believed any more that was seen to fork.
    pub(super) fn expect_not_caught(&self) -> Result<(), LogError> {
        let states = self.states()?;
        match states.iter().any(|kept| kept.state.fork().is_some()) {
            true => Err(LogError::Caught { origin: self.trust.origin().to_owned() }),
            false => Ok(()),
        }
    }

    fn states(&self) -> Result<Vec<Kept>, LogError> {
        let mut states = Vec::new();
        for name in self.names.iter().cloned() {
            if let Some(json) = self.journal.outbox().follow_state(&name)? {
                let state = FollowState::from_json(&json).map_err(damaged)?;
                states.push(Kept { name, json: Some(json), state });
            }
        }
        Ok(states)
    }
}

fn damaged(error: StateError) -> LogError {
    LogError::Follow(FollowError::State(error))
}
