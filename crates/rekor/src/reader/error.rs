//! Why a log cannot be read, or not be believed.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use genten_primitives::Sha256Digest;
use genten_tlog::{CheckpointError, LeafIndex, ProofError, TileError, TreeSize};

use crate::{HttpError, QuorumNotMet};

/// Why a log cannot be read. Whatever does not authenticate is an error and proves nothing: the bytes may have been damaged on
/// the way.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Entries that the tree of the checkpoint does not have.
    #[error("entry {index} is not in a tree of {size} entries")]
    BeyondTree {
        /// The entry.
        index: LeafIndex,
        /// Entries of the tree.
        size: TreeSize,
    },
    /// The checkpoint is none of the log's.
    #[error("checkpoint of the log does not hold")]
    Checkpoint(#[source] CheckpointError),
    /// A file cannot be read.
    #[error("{} cannot be read", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that is larger than such a file can be.
    #[error("{} is larger than {limit} bytes", path.display())]
    FileTooLarge {
        /// The file.
        path: PathBuf,
        /// The limit.
        limit: usize,
    },
    /// No answer.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// Two checkpoints that were said to contradict each other do not.
    #[error("the checkpoints do not contradict each other")]
    NoContradiction,
    /// The server takes entries and does not serve the tree (501).
    #[error("the server does not serve {url}")]
    NotServed {
        /// What was asked for.
        url: String,
    },
    /// At this index the log has another entry.
    #[error("entry {index} has the leaf hash {found} instead of {expected}")]
    OtherLeaf {
        /// The index.
        index: LeafIndex,
        /// The leaf hash that was looked for.
        expected: Sha256Digest,
        /// The leaf hash of the log's tree.
        found: Sha256Digest,
    },
    /// The proof that was made does not hold.
    #[error("proof made of the log's tiles does not hold")]
    Proof(#[source] ProofError),
    /// Too few witnesses have cosigned the checkpoint.
    #[error(transparent)]
    Quorum(#[from] QuorumNotMet),
    /// An answer with another status than 200.
    #[error("{url} is answered with status {status}")]
    Status {
        /// What was asked for.
        url: String,
        /// The status.
        status: u16,
        /// How long the server wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// Tiles or entries that are malformed or are not those that the log has signed.
    #[error("tiles of the log do not hold")]
    Tile(#[from] TileError),
}

impl ReadError {
    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BeyondTree { .. } => "rekor.read.beyond-tree",
            Self::Checkpoint(_) => "rekor.read.checkpoint",
            Self::File { .. } => "rekor.read.file",
            Self::FileTooLarge { .. } => "rekor.read.file-too-large",
            Self::Http(error) => error.code(),
            Self::NoContradiction => "rekor.read.no-contradiction",
            Self::NotServed { .. } => "rekor.read.not-served",
            Self::OtherLeaf { .. } => "rekor.read.other-leaf",
            Self::Proof(_) => "rekor.read.proof",
            Self::Quorum(_) => "rekor.read.quorum",
            Self::Status { .. } => "rekor.read.status",
            Self::Tile(_) => "rekor.read.tile",
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::BeyondTree { .. } => {
                "wait until the log has published a checkpoint that covers it"
            }
            Self::Checkpoint(_) => {
                "check that key, origin and URL are those of one log; if they are, somebody else answers there"
            }
            Self::File { .. } => "check the path of the log's folder and its permissions",
            Self::FileTooLarge { .. } => "check that the folder is that of a log",
            Self::Http(error) => error.hint(),
            Self::NoContradiction => "do not rely on this evidence",
            Self::NotServed { .. } => {
                "give the URL at which the log's files are served; a server that takes entries need not serve them"
            }
            Self::OtherLeaf { .. } => "keep both: the log has another entry than it said",
            Self::Proof(_) => "this is a defect of the program: please report it",
            Self::Quorum(_) => "try again when more witnesses have seen the log",
            Self::Status { .. } => "check the URL; if it is right, try again later",
            Self::Tile(_) => {
                "try again; if it stays, the log's files are damaged or belong to another log"
            }
        }
    }

    /// How long the server wants to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether a file is not there. Storage that may not be listed answers 403 for that.
    pub(crate) fn is_absent(&self) -> bool {
        match self {
            Self::File { source, .. } => source.kind() == io::ErrorKind::NotFound,
            Self::Status { status, .. } => matches!(status, 403 | 404 | 410),
            _ => false,
        }
    }
}
