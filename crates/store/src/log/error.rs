//! What can go wrong with a log in a folder: one variant per cause.

use std::path::PathBuf;

use genten_tlog::note::NoteKeyKind;
use genten_tlog::{
    CheckpointError, LogIdentityError, NoteKeyError, ProofError, TileError, TreeSize,
};

use crate::error::StoreError;

/// Why a log could not be read or extended.
///
/// The message says what happened and where; [`LogError::hint`] says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The folder's checkpoint is not one of this log.
    #[error("{} does not hold", path.display())]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        source: CheckpointError,
    },
    /// There are tiles, and no checkpoint: to begin a log here would be a second history.
    #[error("{} does not exist, but tiles of a log do", path.display())]
    CheckpointLost {
        /// Where the checkpoint should be.
        path: PathBuf,
    },
    /// An entry longer than any log takes. Nothing of the append was written.
    #[error("entry {position} has {found} bytes, {limit} are the most")]
    EntryTooLong {
        /// Which of the entries given, from 0.
        position: usize,
        /// Bytes of an entry at most.
        limit: usize,
        /// Bytes given.
        found: usize,
    },
    /// The log does not begin with the tree that the caller knows: one of the two is a second history.
    #[error("{} with a tree of size {found} does not continue the known checkpoint of {known}", path.display())]
    Forked {
        /// The log's folder.
        path: PathBuf,
        /// Entries of the known checkpoint.
        known: TreeSize,
        /// Entries of the log.
        found: TreeSize,
        /// How the two contradict each other.
        source: ProofError,
    },
    /// No tree has more than 2^63 - 1 leaves.
    #[error("{} is full", path.display())]
    Full {
        /// The log's folder.
        path: PathBuf,
    },
    /// The key cannot be that of a log.
    #[error("key cannot be that of a log")]
    Identity(#[from] LogIdentityError),
    /// The checkpoint that the caller knows is not one of this log.
    #[error("the known checkpoint does not hold")]
    KnownCheckpoint(#[source] CheckpointError),
    /// A leaf, a bundle or an older tree was asked for that is none of this tree.
    #[error("the tree does not have what was asked for")]
    NotOfTree(#[source] TileError),
    /// The folder is the log of another key.
    #[error("{} holds {found}, the key is {expected}", path.display())]
    OtherKey {
        /// The file with the verifier key.
        path: PathBuf,
        /// The key given.
        expected: String,
        /// The key in the file.
        found: String,
    },
    /// The log is smaller than the tree that the caller knows.
    #[error("{} has a tree of size {found}, the known checkpoint one of {known}", path.display())]
    RolledBack {
        /// The log's folder.
        path: PathBuf,
        /// Entries of the known checkpoint.
        known: TreeSize,
        /// Entries of the log.
        found: TreeSize,
    },
    /// What the signer returned is not a signature of its key. Nothing was published.
    #[error("the signer returned a signature that does not hold under its key")]
    Signer(#[source] CheckpointError),
    /// The signer's key is of a kind that witnesses do not take.
    #[error("{kind} key, where a log signs with an Ed25519 key")]
    SignerKind {
        /// The kind given.
        kind: NoteKeyKind,
    },
    /// A file or folder could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A tile or bundle is not what the log has signed.
    #[error("{} is not what the log has signed", path.display())]
    Tile {
        /// The tile or bundle; the log's folder, where several tiles are at fault together.
        path: PathBuf,
        /// What is wrong with it.
        source: TileError,
    },
    /// A tile or bundle of the signed tree is not there.
    #[error("{} is missing", path.display())]
    TileMissing {
        /// The tile or bundle.
        path: PathBuf,
    },
    /// The file with the verifier key holds none.
    #[error("{} holds no verifier key", path.display())]
    VerifierKey {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NoteKeyError,
    },
}

impl LogError {
    /// The stable, dotted code of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Checkpoint { .. } => "log.folder.checkpoint",
            Self::CheckpointLost { .. } => "log.folder.checkpoint-lost",
            Self::EntryTooLong { .. } => "log.entry-too-long",
            Self::Forked { .. } => "log.forked",
            Self::Full { .. } => "log.full",
            Self::Identity(_) => "log.folder.key-kind",
            Self::KnownCheckpoint(_) => "log.known-checkpoint",
            Self::NotOfTree(_) => "log.not-of-tree",
            Self::OtherKey { .. } => "log.folder.other-key",
            Self::RolledBack { .. } => "log.rolled-back",
            Self::Signer(_) => "log.signer",
            Self::SignerKind { .. } => "log.signer-kind",
            Self::Store(error) => error.code(),
            Self::Tile { .. } => "log.folder.tile",
            Self::TileMissing { .. } => "log.folder.tile-missing",
            Self::VerifierKey { .. } => "log.folder.verifier-key",
        }
    }

    /// What a user can do about it, as one sentence.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Checkpoint { .. } => {
                "if the log's key is the right one, the file was changed: restore it from a copy, then run `genten log check`"
            }
            Self::CheckpointLost { .. } => {
                "restore the newest checkpoint of the log, from a copy or from somebody who follows it"
            }
            Self::EntryTooLong { .. } => "log a digest of it instead",
            Self::Forked { .. } | Self::RolledBack { .. } => {
                "the folder was replaced by another or older copy: restore the newest one, or begin a log with a new key"
            }
            Self::Full { .. } => "begin another log",
            Self::Identity(_) => "give the key of the log, not that of a witness",
            Self::KnownCheckpoint(_) => {
                "the copy of the last checkpoint is damaged or of another log: compare it with those who follow the log"
            }
            Self::NotOfTree(_) => "ask for an entry or a size that the log has",
            Self::OtherKey { .. } => "give the key of this log, or name another folder",
            Self::Signer(_) => "check the key, or the device or service that holds it",
            Self::SignerKind { .. } => "make an Ed25519 key for the log",
            Self::Store(error) => error.hint(),
            Self::Tile { .. } | Self::TileMissing { .. } => {
                "restore the file from a copy, then run `genten log check`, which names the next one if more is damaged"
            }
            Self::VerifierKey { .. } => {
                "restore the file from a copy; its key is also in what was proven with the log"
            }
        }
    }
}
