//! What is known of a log before anything is read from it.

use super::LogIdentityError;
use crate::note::{NoteKey, NoteKeyKind};

/// A log: its origin and the keys that sign for it.
///
/// Origin and key names are independent: old logs sign under another name than their origin, and several logs may share
/// a key (`go.sum database tree` is signed by `sum.golang.org`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogIdentity {
    origin: String,
    keys: Vec<NoteKey>,
}

impl LogIdentity {
    /// A log with this origin line. Each of the keys may sign alone.
    ///
    /// # Errors
    /// An origin that cannot be the first line of a note, no key, keys that cannot be told apart, keys of cosigners; a tree
    /// head key (0x05) with another name than the origin.
    pub fn new(origin: &str, keys: Vec<NoteKey>) -> Result<Self, LogIdentityError> {
        if origin.is_empty() || origin.chars().any(|c| c < ' ') {
            return Err(LogIdentityError::Origin);
        }
        if keys.is_empty() {
            return Err(LogIdentityError::NoKey { origin: origin.to_owned() });
        }
        for key in &keys {
            check_key(origin, key)?;
        }
        match ambiguous(&keys.iter().collect::<Vec<_>>()) {
            Some((name, id)) => Err(LogIdentityError::AmbiguousKey { name, id }),
            None => Ok(Self { origin: origin.to_owned(), keys }),
        }
    }

    /// The first line of its checkpoints.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Its keys; at least one.
    pub fn keys(&self) -> &[NoteKey] {
        &self.keys
    }
}

fn check_key(origin: &str, key: &NoteKey) -> Result<(), LogIdentityError> {
    let (name, kind) = (key.name().to_owned(), key.kind());
    if !kind.is_of_log() {
        return Err(LogIdentityError::Kind { name, kind });
    }
    if kind == NoteKeyKind::Rfc6962 && name != origin {
        return Err(LogIdentityError::TreeHeadKeyName { origin: origin.to_owned(), name });
    }
    Ok(())
}

/// Name and id that two of the keys share.
pub(super) fn ambiguous(keys: &[&NoteKey]) -> Option<(String, u32)> {
    let mut names: Vec<_> = keys.iter().map(|key| (key.id(), key.name())).collect();
    names.sort_unstable();
    let (id, name) = names.windows(2).find(|pair| pair[0] == pair[1])?[0];
    Some((name.to_owned(), u32::from_be_bytes(id)))
}
