//! What can be wrong with tiles and bundles.

use genten_primitives::Sha256Digest;

use super::{BundleId, TileId};
use crate::merkle::ProofError;

/// Why a tile or bundle is not what the log has signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TileError {
    /// More bytes follow the last entry of a bundle.
    #[error("bundle has {remaining} bytes after its {width} entries")]
    BundleTrailing {
        /// Entries that it must have.
        width: u16,
        /// Bytes after them.
        remaining: usize,
    },
    /// A bundle ends inside of an entry, or before its last one.
    #[error("bundle ends at entry {entry} of {width}")]
    BundleTruncated {
        /// Entries that it must have.
        width: u16,
        /// The entry that is not whole, from 0.
        entry: u16,
    },
    /// A number of entries that no bundle has.
    #[error("bundle of {found} entries")]
    BundleWidth {
        /// Entries given.
        found: usize,
    },
    /// The partial tiles do not make the signed root.
    #[error("tiles at the right edge make the root {calculated} instead of {expected}")]
    EdgeMismatch {
        /// The signed root.
        expected: Sha256Digest,
        /// The root that they make.
        calculated: Sha256Digest,
    },
    /// More or fewer partial tiles than the tree has.
    #[error("{found} tiles at the right edge instead of {expected}")]
    EdgeCount {
        /// Partial tiles of the tree.
        expected: usize,
        /// Tiles given.
        found: usize,
    },
    /// An entry whose leaf hash is another than that of the tree.
    #[error("entry {entry} of {bundle} has the leaf hash {calculated} instead of {expected}")]
    EntryMismatch {
        /// The bundle.
        bundle: BundleId,
        /// Which entry of it, from 0.
        entry: u16,
        /// The leaf hash of the tree.
        expected: Sha256Digest,
        /// The leaf hash of the entry.
        calculated: Sha256Digest,
    },
    /// An entry longer than its length can tell.
    #[error("entry of {found} bytes is longer than {limit}")]
    EntryTooLong {
        /// Bytes of an entry at most.
        limit: usize,
        /// Bytes given.
        found: usize,
    },
    /// A tile of another length.
    #[error("{tile} has {found} bytes instead of {expected}")]
    Length {
        /// The tile.
        tile: TileId,
        /// Bytes that it must have.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// A tile that hashes to something else than stands in the tile above it.
    #[error("{tile} hashes to {calculated} instead of {expected}")]
    Mismatch {
        /// The tile.
        tile: TileId,
        /// The hash above it.
        expected: Sha256Digest,
        /// The hash over it.
        calculated: Sha256Digest,
    },
    /// A tile is needed first: for a proof, or because it stands above the one given.
    #[error("{tile} is needed first")]
    Missing {
        /// The tile that is needed.
        tile: TileId,
    },
    /// No tile or bundle of this tree.
    #[error("{tile} is none of a tree of {size} leaves")]
    NotOfTree {
        /// The tile; for a bundle, that of its leaves.
        tile: TileId,
        /// Leaves of the tree.
        size: crate::merkle::TreeSize,
    },
    /// The proof that was asked for does not exist.
    #[error("no such proof")]
    Proof(#[from] ProofError),
}
