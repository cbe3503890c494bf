//! What can come of a submission, and what to do next.

use std::time::Duration;

use genten_tlog::LeafIndex;

use super::UnloggableError;
use crate::{HttpError, QuorumNotMet, RecoverError, WrongEntry};

/// Why an entry is not known to be logged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SubmitError {
    /// The log cannot take entries now (429, 5xx).
    #[error("log is busy (status {status}): {message}")]
    Busy {
        /// The status.
        status: u16,
        /// How long the log wants to be left alone.
        retry_after: Option<Duration>,
        /// The log's words.
        message: String,
    },
    /// The log takes no more entries (405): another shard does.
    #[error("log is frozen: {message}")]
    Frozen {
        /// The log's words.
        message: String,
    },
    /// The log has the entry, but too few witnesses have seen its checkpoint yet.
    #[error("entry {index} is logged, and not yet seen by enough witnesses")]
    NoQuorum {
        /// Where the entry is.
        index: LeafIndex,
        /// Who has cosigned, and who should have.
        source: QuorumNotMet,
    },
    /// The log is known without a URL that takes entries.
    #[error("no url of the log takes entries")]
    NoWriteUrl,
    /// The request was sent and no whole answer came: the entry may be logged or not.
    #[error("nobody knows whether the log has the entry")]
    OutcomeUnknown(#[source] HttpError),
    /// The log has had the entry before, and its proof could not be got.
    #[error("the log has the entry already, its proof could not be read")]
    Recover {
        /// Why.
        source: RecoverError,
        /// The answer that says so, as evidence.
        answer: Vec<u8>,
    },
    /// The log refuses the entry (400).
    #[error("log refuses the entry: {message}")]
    Rejected {
        /// The log's words.
        message: String,
    },
    /// An answer that no log gives.
    #[error("status {status} instead of an answer of the log: {message}")]
    Unexpected {
        /// The status.
        status: u16,
        /// How long the server wants to be left alone.
        retry_after: Option<Duration>,
        /// Its words, as far as they are text.
        message: String,
    },
    /// No log would take the entry: it was not sent.
    #[error(transparent)]
    Unloggable(#[from] UnloggableError),
    /// The log could not be reached: nothing was sent.
    #[error("the log could not be reached")]
    Unreached(#[source] HttpError),
    /// The answer cannot be read: it leads elsewhere, is in an unknown coding, or is larger than the answer of a log. The entry
    /// may be logged or not.
    #[error(transparent)]
    Unreadable(HttpError),
    /// The log said that it took the entry, and what it gave as proof is not that.
    #[error("the log's proof is wrong")]
    Wrong {
        /// What is wrong with it.
        source: WrongEntry,
        /// The answer, as evidence.
        answer: Vec<u8>,
    },
}

/// What to do with an entry that is not known to be logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Give up: no log takes it.
    Never,
    /// Send the same bytes later, not before this time is over; `None`: as backoff says.
    Later {
        /// What the log asked for, or how long it takes until its next checkpoint.
        after: Option<Duration>,
    },
    /// Send the same bytes again when the log's next checkpoint is due, however often that was done before: the entry is there.
    NextCheckpoint,
    /// Send the same bytes again soon: the log may have them, and then says so.
    SameBytesAgain,
    /// Send to the log that a fresh signing config names; later, where it names no other yet.
    OtherShard,
    /// Keep it, and tell a person: settings are wrong, or the log is. Sent again now and then, it arrives once that is mended.
    Person,
}

impl SubmitError {
    /// What to do next.
    pub fn next(&self) -> Next {
        match self {
            Self::Rejected { .. } | Self::Unloggable(_) => Next::Never,
            Self::Busy { .. } | Self::Unexpected { .. } => {
                Next::Later { after: self.retry_after() }
            }
            // What is missing may come with the next checkpoint.
            Self::NoQuorum { .. } => Next::NextCheckpoint,
            Self::Unreached(_) => Next::Later { after: None },
            Self::Unreadable(HttpError::Redirect { .. }) => Next::Person,
            Self::OutcomeUnknown(_) | Self::Unreadable(_) => Next::SameBytesAgain,
            // Cut or replaced on the way: the log itself may have the entry.
            Self::Wrong { source: WrongEntry::Malformed(_), .. } => Next::SameBytesAgain,
            Self::Frozen { .. } => Next::OtherShard,
            Self::NoWriteUrl | Self::Wrong { .. } => Next::Person,
            Self::Recover { source, .. } => source.next(),
        }
    }

    /// How long whoever answered wants to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy { retry_after, .. } | Self::Unexpected { retry_after, .. } => *retry_after,
            Self::Recover { source, .. } => source.retry_after(),
            _ => None,
        }
    }

    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "rekor.submit.busy",
            Self::Frozen { .. } => "rekor.submit.frozen",
            Self::NoQuorum { .. } => "rekor.submit.no-quorum",
            Self::NoWriteUrl => "rekor.submit.no-url",
            Self::OutcomeUnknown(_) => "rekor.submit.outcome-unknown",
            Self::Recover { source, .. } => source.code(),
            Self::Rejected { .. } => "rekor.submit.rejected",
            Self::Unexpected { .. } => "rekor.submit.unexpected",
            Self::Unloggable(error) => error.code(),
            Self::Unreached(_) => "rekor.submit.unreached",
            Self::Unreadable(error) => error.code(),
            Self::Wrong { .. } => "rekor.submit.wrong-proof",
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "wait; the entry can be sent again at any time",
            Self::Frozen { .. } => {
                "get a fresh signing config, which names the log that came after"
            }
            Self::NoQuorum { .. } => {
                "wait until the witnesses have seen the log, and send it again"
            }
            Self::NoWriteUrl => "give the URL of the log, or a signing config",
            Self::OutcomeUnknown(_) => {
                "send the same bytes again: a log that has them says where they are"
            }
            Self::Recover { source, .. } => source.hint(),
            Self::Rejected { .. } => {
                "the log's own journal may say more; it refuses what it does not know too, such as newer kinds of keys"
            }
            Self::Unexpected { .. } => "check the URL of the log, and what stands before it",
            Self::Unloggable(error) => error.hint(),
            Self::Unreached(error) | Self::Unreadable(error) => error.hint(),
            Self::Wrong { .. } => {
                "keep the answer; check that key and URL are those of one log before you trust it again"
            }
        }
    }
}
