//! Why a checkpoint is not known to belong to the history of its log.

use std::time::Duration;

use genten_tlog::{Checkpoint, TreeSize};

use crate::{ForkEvidence, Next, ReadError};

/// Why a checkpoint is not known to belong to the history of its log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The log shows an earlier tree than it has shown before, and the tiles of the later one are gone: it was set back.
    #[error("log of {} entries shows {} entries", known.size(), seen.size())]
    Behind {
        /// What it has shown before.
        known: Box<Checkpoint>,
        /// What it shows.
        seen: Box<Checkpoint>,
    },
    /// The log has signed two trees that contradict each other.
    #[error("the log has signed two trees that contradict each other")]
    Fork(Box<ForkEvidence>),
    /// The published checkpoint is older.
    #[error("the log has published a tree of {published} entries, and not yet of {size}")]
    NotYet {
        /// Entries of the checkpoint.
        size: TreeSize,
        /// Entries of the published one.
        published: TreeSize,
    },
    /// The checkpoint of another log.
    #[error("checkpoint of {found:?} instead of {expected:?}")]
    Origin {
        /// The origin of the history.
        expected: String,
        /// The origin of the checkpoint.
        found: String,
    },
    /// The log cannot be read.
    #[error("the log cannot be read")]
    Read(#[from] ReadError),
}

impl HistoryError {
    /// What to do next with whatever the checkpoint came with.
    pub fn next(&self) -> Next {
        match self {
            Self::NotYet { .. } => Next::NextCheckpoint,
            Self::Read(ReadError::NotServed { .. }) => Next::Person,
            Self::Read(error) => Next::Later { after: error.retry_after() },
            Self::Behind { .. } | Self::Fork(_) | Self::Origin { .. } => Next::Person,
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
            Self::Behind { .. } => "rekor.history.behind",
            Self::Fork(_) => "rekor.history.fork",
            Self::NotYet { .. } => "rekor.history.not-yet",
            Self::Origin { .. } => "rekor.history.origin",
            Self::Read(error) => error.code(),
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Behind { .. } => {
                "ask who runs the log: it was set back, or somebody else answers in its place"
            }
            Self::Fork(_) => "keep the two checkpoints: they convict the log",
            Self::NotYet { .. } => "wait for the log's next checkpoint",
            Self::Origin { .. } => "check that the log is read where it is written",
            Self::Read(error) => error.hint(),
        }
    }
}
