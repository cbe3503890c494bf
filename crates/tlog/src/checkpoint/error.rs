//! What can be wrong with a checkpoint, and with what is known of a log.

use genten_primitives::Sha256Digest;

use crate::note::{LineError, NoteError, NoteKeyKind};

/// Why a note is not a checkpoint of the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The caller knows two keys by one name and id: no line tells which is meant.
    #[error("two known keys {name:?} with the id {id:08x}")]
    AmbiguousKey {
        /// Their name.
        name: String,
        /// Their id.
        id: u32,
    },
    /// A line with the name of a cosigner, and a signature that does not verify.
    #[error("cosignature of {name:?} is not accepted")]
    Cosignature {
        /// The cosigner's name.
        name: String,
        /// What is wrong with it.
        source: LineError,
    },
    /// The caller gives a key of a kind that cannot cosign as witness.
    #[error("{kind} key {name:?} cannot be a witness")]
    CosignerKind {
        /// The key's name.
        name: String,
        /// Its kind.
        kind: NoteKeyKind,
    },
    /// An empty line behind the root.
    #[error("checkpoint has an empty extension line")]
    EmptyExtension,
    /// A tree without leaves that has another root than SHA-256 of nothing.
    #[error("root {found} for the empty tree")]
    EmptyTreeRoot {
        /// The root given.
        found: Sha256Digest,
    },
    /// Extension lines under a tree head signature (0x05), which does not cover them.
    #[error("tree head signature over a checkpoint with extension lines")]
    ExtensionsUnderTreeHead,
    /// No line of a known key of the log, but one with the name of such a key and another id.
    #[error("key {name:?} of the log signed with the id {found:08x}, known is {expected:08x}")]
    LogKeyHint {
        /// The name.
        name: String,
        /// The id of the known key.
        expected: u32,
        /// The id in the note.
        found: u32,
    },
    /// A line of a known key of the log whose signature does not verify.
    #[error("signature of the log {name:?} is not accepted")]
    LogSignature {
        /// The key's name.
        name: String,
        /// What is wrong with it.
        source: LineError,
    },
    /// None of the cosigners has signed, where one had to.
    #[error("checkpoint has no signature of a known cosigner")]
    NoCosignature,
    /// No line with the name of a key of the log.
    #[error("checkpoint has no signature of the log")]
    NoLogSignature,
    /// Not a signed note.
    #[error("checkpoint is not a signed note")]
    Note(#[from] NoteError),
    /// The first line is empty.
    #[error("checkpoint has no origin")]
    OriginMissing,
    /// A checkpoint of another log.
    #[error("checkpoint of {found:?} instead of {expected:?}")]
    OtherOrigin {
        /// The log asked for.
        expected: String,
        /// The first line.
        found: String,
    },
    /// The third line is not the base64 of 32 bytes.
    #[error("root of the checkpoint is malformed")]
    RootMalformed,
    /// There is no third line.
    #[error("checkpoint has no root")]
    RootMissing,
    /// The second line is not a number from 0 to 2^63 - 1 in decimal digits.
    #[error("size of the checkpoint is malformed")]
    SizeMalformed,
    /// There is no second line, or the root stands there.
    #[error("checkpoint has no size")]
    SizeMissing,
}

/// Why origin and keys do not describe a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogIdentityError {
    /// Two keys with one name and id.
    #[error("two keys {name:?} with the id {id:08x}")]
    AmbiguousKey {
        /// Their name.
        name: String,
        /// Their id.
        id: u32,
    },
    /// A cosigner's key among those of a log.
    #[error("{kind} key {name:?} cannot be the key of a log")]
    Kind {
        /// The key's name.
        name: String,
        /// Its kind.
        kind: NoteKeyKind,
    },
    /// No key at all.
    #[error("log {origin:?} has no key")]
    NoKey {
        /// The log.
        origin: String,
    },
    /// An origin that is empty or cannot be a line of a note.
    #[error("origin is empty or holds control characters")]
    Origin,
    /// A key for tree head signatures (0x05) whose name is not the origin, which those signatures do not cover.
    #[error("tree head key {name:?} of the log {origin:?} must have its name")]
    TreeHeadKeyName {
        /// The log.
        origin: String,
        /// The key's name.
        name: String,
    },
}
