//! What can be wrong with a proof.

use genten_primitives::Sha256Digest;

use super::{LeafIndex, TreeSize};

/// Why a proof does not show what it claims to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The old tree is empty, and the root held for it is another than that of the empty tree.
    #[error("root {found} for the empty tree")]
    EmptyTreeRoot {
        /// The root held.
        found: Sha256Digest,
    },
    /// More or fewer hashes than index and sizes ask for.
    #[error("proof has {found} hashes instead of {expected}")]
    HashCount {
        /// Hashes of such a proof.
        expected: usize,
        /// Hashes given.
        found: usize,
    },
    /// A hash of another length than 32 bytes.
    #[error("hash of {found} bytes instead of 32")]
    HashLength {
        /// Bytes given.
        found: usize,
    },
    /// The leaf lies outside of the tree.
    #[error("leaf {index} is not in a tree of {size} leaves")]
    IndexBeyondSize {
        /// The leaf.
        index: LeafIndex,
        /// Leaves of the tree.
        size: TreeSize,
    },
    /// The proof leads to another old root.
    #[error("proof leads to the old root {calculated} instead of {expected}")]
    OldRootMismatch {
        /// The root that is trusted.
        expected: Sha256Digest,
        /// The root that the proof gives.
        calculated: Sha256Digest,
    },
    /// Two checkpoints of different logs.
    #[error("checkpoints of two logs: {older:?} and {newer:?}")]
    OriginMismatch {
        /// Origin of the older one.
        older: String,
        /// Origin of the newer one.
        newer: String,
    },
    /// The leaf lies outside of the subtree.
    #[error("leaf {index} is not in the subtree from {start} to {end}")]
    OutsideSubtree {
        /// The leaf.
        index: LeafIndex,
        /// First leaf of the subtree.
        start: u64,
        /// First leaf behind it.
        end: u64,
    },
    /// The proof leads to another root.
    #[error("proof leads to the root {calculated} instead of {expected}")]
    RootMismatch {
        /// The root that is trusted.
        expected: Sha256Digest,
        /// The root that the proof gives.
        calculated: Sha256Digest,
    },
    /// Two roots for one size.
    #[error("two roots for one size: {old} and {new}")]
    RootsDiffer {
        /// The root that was held.
        old: Sha256Digest,
        /// The other one.
        new: Sha256Digest,
    },
    /// The old tree is larger than the new one.
    #[error("a tree of {old} leaves cannot have become one of {new}")]
    Shrunk {
        /// Leaves of the old tree.
        old: TreeSize,
        /// Leaves of the new tree.
        new: TreeSize,
    },
    /// A range of leaves that is no subtree: empty, or its start is no multiple of the power of two that holds it.
    #[error("the leaves from {start} to {end} are no subtree")]
    SubtreeShape {
        /// First leaf.
        start: u64,
        /// First leaf behind it.
        end: u64,
    },
    /// A subtree that ends behind the tree.
    #[error("subtree ends at {end} in a tree of {size} leaves")]
    SubtreeBeyondSize {
        /// First leaf behind the subtree.
        end: u64,
        /// Leaves of the tree.
        size: TreeSize,
    },
    /// More hashes than any proof has.
    #[error("proof has {found} hashes, at most {limit} are possible")]
    TooManyHashes {
        /// Most hashes of one proof.
        limit: usize,
        /// Hashes given.
        found: usize,
    },
}
