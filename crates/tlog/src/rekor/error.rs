//! What can be wrong with an entry.

use genten_primitives::json::JsonError;
use genten_primitives::key::KeyError;
use genten_primitives::signature::SignatureError;
use genten_primitives::{HashAlgorithm, Sha256Digest};

use crate::{CheckpointError, LeafIndex, ProofError, TreeSize};

/// Why an entry shows nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// A member that is not base64 with padding.
    #[error("{member} is not canonical base64")]
    Base64 {
        /// The member.
        member: &'static str,
    },
    /// The checkpoint does not hold.
    #[error("checkpoint of the log does not hold")]
    Checkpoint(#[source] CheckpointError),
    /// An inclusion proof without a checkpoint: nothing that the log signed.
    #[error("inclusion proof without checkpoint")]
    CheckpointMissing,
    /// The proof does not lead from the body to the checkpoint's root.
    #[error("entry is not in the tree of the checkpoint")]
    Inclusion(#[source] ProofError),
    /// A member that is no integer from 0 to 2^63 - 1.
    #[error("{member} is not a number from 0 to 2^63 - 1")]
    Integer {
        /// The member.
        member: &'static str,
    },
    /// Not JSON as it is accepted.
    #[error("not strict JSON")]
    Json(#[source] JsonError),
    /// A kind or version of entry that is not known here.
    #[error("entry of kind {kind:?} version {version:?}")]
    KindUnsupported {
        /// The kind.
        kind: String,
        /// The version.
        version: String,
    },
    /// The entry names another log than the one that signed its checkpoint.
    #[error("entry names the log {found}, its checkpoint is of {expected}")]
    LogId {
        /// Key id of the log that signed.
        expected: String,
        /// The id in the entry.
        found: String,
    },
    /// A member that must be there is not.
    #[error("{member} is missing")]
    Missing {
        /// The member.
        member: &'static str,
    },
    /// A negative number.
    #[error("{member} is negative")]
    Negative {
        /// The member.
        member: &'static str,
    },
    /// A signed entry timestamp by another key, or over another entry.
    #[error("log's promise does not hold")]
    Promise(#[source] SignatureError),
    /// No inclusion proof.
    #[error("inclusion proof is missing")]
    ProofMissing,
    /// The unsigned index beside the proof is another one than the entry's.
    #[error("proof is for entry {found}, not for {expected}")]
    ProofIndex {
        /// The entry's.
        expected: LeafIndex,
        /// The proof's.
        found: LeafIndex,
    },
    /// The unsigned root beside the proof is not the checkpoint's.
    #[error("proof states the root {found}, the checkpoint {expected}")]
    ProofRoot {
        /// The checkpoint's.
        expected: Sha256Digest,
        /// The proof's.
        found: Sha256Digest,
    },
    /// The unsigned size beside the proof is not the checkpoint's.
    #[error("proof states {found} entries, the checkpoint {expected}")]
    ProofSize {
        /// The checkpoint's.
        expected: TreeSize,
        /// The proof's.
        found: TreeSize,
    },
    /// More hashes than any proof has, or one that is not 32 bytes.
    #[error("hashes of the proof are malformed")]
    ProofHashes(#[source] ProofError),
    /// A value of another type than the member's.
    #[error("{member} has a value of the wrong type")]
    Type {
        /// The member.
        member: &'static str,
    },
    /// A member that entries do not have.
    #[error("entry has the member {name:?}, which is not known")]
    UnknownMember {
        /// Its name.
        name: String,
    },
}

/// Why the body of an entry is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// A digest of another length than its hash function gives.
    #[error("digest of {found} bytes by {hash:?}")]
    DigestLength {
        /// The hash function.
        hash: HashAlgorithm,
        /// Bytes found.
        found: usize,
    },
    /// The body says that it is of another kind or version than the entry.
    #[error("body is of kind {found:?}, the entry of {expected:?}")]
    Kind {
        /// Kind and version of the entry.
        expected: String,
        /// Kind and version in the body.
        found: String,
    },
    /// The key in the body cannot be read.
    #[error("key in the body cannot be read")]
    Key(#[source] KeyError),
    /// The name of the kind of key does not fit the key, or its hash function is not the digest's.
    #[error("{details:?} does not fit key and digest")]
    KeyDetails {
        /// The name.
        details: String,
    },
    /// A member that is missing, or has another type or encoding.
    #[error("body is malformed")]
    Malformed(#[source] EntryError),
    /// The entry comes without its body.
    #[error("body is missing")]
    Missing,
    /// The right values, spelled otherwise than the log spells them: other bytes, another leaf.
    #[error("body is not in canonical form")]
    NotCanonical,
    /// The signature in the body does not hold.
    #[error("signature in the body does not hold")]
    Signature(#[source] SignatureError),
    /// More bytes than a log takes.
    #[error("body of {found} bytes, of at most {limit}")]
    TooLarge {
        /// The limit.
        limit: usize,
        /// Bytes found.
        found: usize,
    },
}
