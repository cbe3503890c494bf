//! Why an entry could not be found again in a log.

use std::time::Duration;

use genten_tlog::{LeafIndex, TreeSize};

use crate::{Next, QuorumNotMet, ReadError, WrongEntry};

/// Why there is no proof for an entry that the log has, or may have.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecoverError {
    /// It is not known where the log is read.
    #[error("it is not known where the log is read")]
    NoReadUrl,
    /// None of the newest entries is ours.
    #[error("none of the {searched} newest entries is the one that was sent")]
    NotFound {
        /// How many were looked at.
        searched: u64,
    },
    /// The published checkpoint does not cover the entry yet.
    #[error("checkpoint covers {size} entries, and not yet entry {index}")]
    NotYet {
        /// Where the entry is said to be.
        index: LeafIndex,
        /// Entries that the checkpoint covers.
        size: TreeSize,
    },
    /// Where the log says that the entry is, it has another.
    #[error("entry {index} is not the one that was sent")]
    OtherEntry {
        /// Where it is said to be.
        index: LeafIndex,
        /// What shows that.
        source: ReadError,
    },
    /// Too few witnesses have seen the checkpoint yet.
    #[error("the log's checkpoint is not yet seen by enough witnesses")]
    NoQuorum(#[source] QuorumNotMet),
    /// The log cannot be read.
    #[error("the log cannot be read")]
    Read(#[source] ReadError),
    /// What was put together does not hold.
    #[error("entry that was put together does not hold")]
    Wrong(#[source] WrongEntry),
}

/// How long a log takes between two checkpoints, by its defaults.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(10);

impl RecoverError {
    /// What to do next with the entry.
    pub fn next(&self) -> Next {
        match self {
            Self::NotYet { .. } | Self::NoQuorum(_) => Next::NextCheckpoint,
            Self::NotFound { .. } => Next::Later { after: None },
            Self::Read(ReadError::NotServed { .. }) => Next::Person,
            Self::Read(error) => Next::Later { after: error.retry_after() },
            Self::NoReadUrl | Self::OtherEntry { .. } | Self::Wrong(_) => Next::Person,
        }
    }

    /// How long the server that is read wants to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Read(error) => error.retry_after(),
            _ => None,
        }
    }

    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoReadUrl => "rekor.recover.no-read-url",
            Self::NotFound { .. } => "rekor.recover.not-found",
            Self::NotYet { .. } => "rekor.recover.not-yet",
            Self::OtherEntry { .. } => "rekor.recover.other-entry",
            Self::NoQuorum(_) => "rekor.recover.no-quorum",
            Self::Read(error) => error.code(),
            Self::Wrong(_) => "rekor.recover.wrong",
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoReadUrl => {
                "give the URL or folder at which the log's checkpoint and tiles are served"
            }
            Self::NotFound { .. } => {
                "send the entry again; one that stands further back is found where the log says its index"
            }
            Self::NotYet { .. } => "wait for the log's next checkpoint",
            Self::OtherEntry { .. } => {
                "check that the log is read where it is written; if it is, the log does not keep its word"
            }
            Self::NoQuorum(_) => "wait until the witnesses have seen the log",
            Self::Read(error) => error.hint(),
            Self::Wrong(_) => "check that the key is the one under which the log is known",
        }
    }
}
