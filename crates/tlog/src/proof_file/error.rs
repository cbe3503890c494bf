//! What can be wrong with a proof file.

use genten_primitives::encoding::EncodingError;

use crate::checkpoint::CheckpointError;
use crate::merkle::ProofError;

/// Why a proof file does not show that a log holds something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TlogProofError {
    /// The checkpoint in the file.
    #[error("checkpoint of the proof file is not accepted")]
    Checkpoint(#[from] CheckpointError),
    /// The line `extra` is not canonical base64.
    #[error("extra line of the proof file is malformed")]
    Extra(#[source] EncodingError),
    /// A line `extra` without content, which could as well be absent.
    #[error("extra line of the proof file is empty")]
    ExtraEmpty,
    /// A line where a hash should stand is not canonical base64.
    #[error("hash {line} of the proof file is malformed")]
    Hash {
        /// Which hash, from 0.
        line: usize,
        /// What is wrong with it.
        source: EncodingError,
    },
    /// The first line is another than `c2sp.org/tlog-proof@v1`.
    #[error("not a proof file of version 1")]
    Header,
    /// The index is not a number from 0 to 2^63 - 1 in decimal digits.
    #[error("index of the proof file is malformed")]
    Index,
    /// No line `index` where it should stand.
    #[error("proof file has no index")]
    IndexMissing,
    /// No blank line before the checkpoint.
    #[error("proof file has no blank line before its checkpoint")]
    NoBlankLine,
    /// The proof in the file.
    #[error("proof of the proof file is not accepted")]
    Proof(#[from] ProofError),
    /// Too few witnesses have cosigned, or not the right ones.
    #[error("cosignatures of {found} witnesses do not meet the quorum")]
    QuorumNotMet {
        /// Witnesses of the policy that have cosigned.
        found: usize,
    },
    /// More bytes than are read.
    #[error("proof file of {found} bytes is longer than {limit}")]
    TooLong {
        /// Bytes that are read at most.
        limit: usize,
        /// Bytes given.
        found: usize,
    },
    /// A log that the policy does not list.
    #[error("log {origin:?} is not in the policy")]
    UnknownLog {
        /// The first line of the checkpoint.
        origin: String,
    },
    /// What stands before the checkpoint is not UTF-8.
    #[error("proof file is not utf-8")]
    Utf8,
}
