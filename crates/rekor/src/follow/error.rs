//! Why a log could not be followed.

use crate::{Cause, ReadError, StateError};

/// Why a log could not be followed. The stored state is good as it is, but for [`State`](Self::State).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// Entries could not be read. The cursor stands before them.
    #[error("entries from {next} on could not be read")]
    Entries {
        /// The first entry that was not looked at.
        next: u64,
        /// Why.
        source: ReadError,
    },
    /// The log was never seen, and nobody said to trust what it shows at first.
    #[error("the log was never seen before")]
    NeverSeen,
    /// The checkpoint is of another origin than the one that is stored.
    #[error("checkpoint of {found:?}, followed is {expected:?}")]
    Origin {
        /// The origin that is followed.
        expected: String,
        /// The origin that was found.
        found: String,
    },
    /// No checkpoint of the log could be read.
    #[error("the log's checkpoint could not be read")]
    Read(#[source] ReadError),
    /// What was found could not be stored, so that it does not count as looked at.
    #[error("what was found could not be stored")]
    Sink(#[source] Cause),
    /// The stored state was edited or cut off, or belongs to another log.
    #[error("stored state of the log is damaged")]
    State(#[from] StateError),
}

impl FollowError {
    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Entries { source, .. } | Self::Read(source) => source.code(),
            Self::NeverSeen => "rekor.follow.never-seen",
            Self::Origin { .. } => "rekor.follow.origin",
            Self::Sink(_) => "rekor.follow.sink",
            Self::State(_) => "rekor.follow.state",
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Entries { source, .. } | Self::Read(source) => source.hint(),
            Self::NeverSeen => {
                "give a checkpoint that you trust, or allow the log to be trusted at first sight"
            }
            Self::Origin { .. } => "check that the URL is that of the log which is followed",
            Self::Sink(_) => "make room and check permissions, then follow the log again",
            Self::State(_) => {
                "restore the state from a copy; a new one cannot tell what the log has shown before"
            }
        }
    }
}
