//! Tiles that hash up to a signed root.

use std::collections::BTreeMap;
use std::ops::Range;

use genten_primitives::Sha256Digest;

use super::node::perfect_nodes;
use super::required::tiles_of;
use super::{BundleId, EntryBundle, HASH, TileError, TileId, edge_tiles};
use crate::checkpoint::Checkpoint;
use crate::merkle::{
    ConsistencyProof, InclusionProof, LeafIndex, ProofError, TreeSize, consistency_ranges, fold,
    inclusion_ranges, root,
};

/// The tiles of one signed tree, as far as they are known. Nothing can be read that was not checked: the partial tiles at
/// the right edge make the signed root, and a full tile hashes to what stands in the tile above it.
///
/// ```no_run
/// use genten_tlog::{AuthenticatedTiles, Checkpoint, LeafIndex, TileError, TileId, tile::edge_tiles};
/// fn included(
///     checkpoint: &Checkpoint,
///     index: LeafIndex,
///     fetch: impl Fn(TileId) -> Vec<u8>,
/// ) -> Result<bool, TileError> {
///     let edge: Vec<_> = edge_tiles(checkpoint.size()).into_iter().map(&fetch).collect();
///     let mut tiles = AuthenticatedTiles::new(checkpoint, &edge)?;
///     for tile in tiles.missing_for_inclusion(index)? {
///         tiles.add(tile, &fetch(tile))?;
///     }
///     let proof = tiles.inclusion_proof(index)?;
///     Ok(checkpoint.includes(tiles.leaf_hash(index)?, &proof).is_ok())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct AuthenticatedTiles {
    size: TreeSize,
    tiles: BTreeMap<(u8, u64), Vec<Sha256Digest>>,
}

impl AuthenticatedTiles {
    /// Begins with the partial tiles of the tree, in the order of [`edge_tiles`].
    ///
    /// A log may have removed a partial tile for the full one; the partial tile is the beginning of that.
    ///
    /// # Errors
    /// Another number of tiles, tiles of another length, tiles that do not make the signed root.
    pub fn new(checkpoint: &Checkpoint, edge: &[impl AsRef<[u8]>]) -> Result<Self, TileError> {
        let (size, ids) = (checkpoint.size(), edge_tiles(checkpoint.size()));
        if ids.len() != edge.len() {
            return Err(TileError::EdgeCount { expected: ids.len(), found: edge.len() });
        }
        let mut tiles = BTreeMap::new();
        for (id, bytes) in ids.into_iter().zip(edge) {
            tiles.insert((id.level(), id.number()), hashes(id, bytes.as_ref())?);
        }
        let edge = Self { size, tiles };
        let calculated = edge.root_of(0..size.get())?;
        match checkpoint.root() {
            expected if expected == calculated => Ok(edge),
            expected => Err(TileError::EdgeMismatch { expected, calculated }),
        }
    }

    /// Leaves of the tree.
    pub fn size(&self) -> TreeSize {
        self.size
    }

    /// Adds a full tile. The tile above it must be there already.
    ///
    /// # Errors
    /// A tile that the tree does not have or of another length; [`TileError::Missing`] for the tile above; another hash than
    /// that one says.
    pub fn add(&mut self, tile: TileId, bytes: &[u8]) -> Result<(), TileError> {
        if TileId::at(tile.level(), tile.number(), self.size) != Some(tile) {
            return Err(TileError::NotOfTree { tile, size: self.size });
        }
        let hashes = hashes(tile, bytes)?;
        let (expected, calculated) = match self.above(tile) {
            // A partial tile: it was there from the beginning.
            None => (root(self.tile(tile)?), root(&hashes)),
            Some(above) => {
                let position = (tile.number() & 255) as usize;
                (self.tile(above)?[position], root(&hashes))
            }
        };
        if expected != calculated {
            return Err(TileError::Mismatch { tile, expected, calculated });
        }
        self.tiles.insert((tile.level(), tile.number()), hashes);
        Ok(())
    }

    /// The tile that holds the hash over a full tile.
    fn above(&self, tile: TileId) -> Option<TileId> {
        TileId::at(tile.level() + 1, tile.number() >> 8, self.size).filter(|_| tile.is_full())
    }

    fn tile(&self, tile: TileId) -> Result<&[Sha256Digest], TileError> {
        let found = self.tiles.get(&(tile.level(), tile.number()));
        found.map(Vec::as_slice).ok_or(TileError::Missing { tile })
    }

    /// The tiles to add before the leaf hash at `index` can be read and proven, in the order in which they can be added.
    ///
    /// # Errors
    /// A leaf outside of the tree.
    pub fn missing_for_inclusion(&self, index: LeafIndex) -> Result<Vec<TileId>, TileError> {
        let mut ranges = inclusion_ranges(index, self.size)?;
        ranges.push(index.get()..index.get() + 1);
        Ok(self.missing(&ranges))
    }

    /// The tiles to add before a tree of `old` leaves can be compared with this one, in the order in which they can be added.
    ///
    /// # Errors
    /// An old tree larger than this one.
    pub fn missing_for_consistency(&self, old: TreeSize) -> Result<Vec<TileId>, TileError> {
        let mut ranges = consistency_ranges(old, self.size)?;
        ranges.push(0..old.get());
        Ok(self.missing(&ranges))
    }

    fn missing(&self, ranges: &[Range<u64>]) -> Vec<TileId> {
        let mut missing = Vec::new();
        for tile in tiles_of(ranges, self.size) {
            let mut next = Some(tile);
            while let Some(tile) = next.filter(|tile| self.tile(*tile).is_err()) {
                missing.push(tile);
                next = self.above(tile);
            }
        }
        missing.sort_unstable_by_key(|tile| (std::cmp::Reverse(tile.level()), tile.number()));
        missing.dedup();
        missing
    }

    /// The leaf hash at `index`.
    ///
    /// # Errors
    /// A leaf outside of the tree; [`TileError::Missing`].
    pub fn leaf_hash(&self, index: LeafIndex) -> Result<Sha256Digest, TileError> {
        let range = index.get()..index.get() + 1;
        if range.end > self.size.get() {
            return Err(ProofError::IndexBeyondSize { index, size: self.size }.into());
        }
        self.root_of(range)
    }

    /// The root of the tree when it had `size` leaves.
    ///
    /// # Errors
    /// A size larger than that of the tree; [`TileError::Missing`].
    pub fn root_at(&self, size: TreeSize) -> Result<Sha256Digest, TileError> {
        if size > self.size {
            return Err(ProofError::Shrunk { old: size, new: self.size }.into());
        }
        self.root_of(0..size.get())
    }

    /// Makes the proof of a leaf.
    ///
    /// # Errors
    /// A leaf outside of the tree; [`TileError::Missing`].
    pub fn inclusion_proof(&self, index: LeafIndex) -> Result<InclusionProof, TileError> {
        InclusionProof::produce(index, self.size, |range| self.root_of(range))
    }

    /// Makes the proof that the tree has only grown since it had `old` leaves.
    ///
    /// # Errors
    /// An old tree larger than this one; [`TileError::Missing`].
    pub fn consistency_proof(&self, old: TreeSize) -> Result<ConsistencyProof, TileError> {
        ConsistencyProof::produce(old, self.size, |range| self.root_of(range))
    }

    /// Reads a bundle and compares each entry with its leaf hash.
    ///
    /// # Errors
    /// A bundle that the log does not have or that is malformed; [`TileError::Missing`] for the tile of its leaf hashes; an
    /// entry with another leaf hash.
    pub fn bundle<'b>(
        &self,
        bundle: BundleId,
        bytes: &'b [u8],
    ) -> Result<EntryBundle<'b>, TileError> {
        if BundleId::at(bundle.number(), self.size) != Some(bundle) {
            return Err(TileError::NotOfTree { tile: bundle.tile(), size: self.size });
        }
        let leaves = self.tile(bundle.tile())?;
        let entries = EntryBundle::parse(bytes, bundle.width())?;
        for (entry, (expected, calculated)) in (0..).zip(leaves.iter().zip(entries.leaf_hashes())) {
            let expected = *expected;
            if expected != calculated {
                return Err(TileError::EntryMismatch { bundle, entry, expected, calculated });
            }
        }
        Ok(entries)
    }

    /// The root over a range of leaves, as proofs are made of.
    fn root_of(&self, range: Range<u64>) -> Result<Sha256Digest, TileError> {
        let mut perfect = Vec::new();
        for node in perfect_nodes(range) {
            let (tile, places) = node.place(self.size).expect("ranges of proofs lie in the tree");
            perfect.push(root(&self.tile(tile)?[places]));
        }
        Ok(fold(&perfect))
    }
}

fn hashes(tile: TileId, bytes: &[u8]) -> Result<Vec<Sha256Digest>, TileError> {
    if bytes.len() != tile.bytes() {
        let (expected, found) = (tile.bytes(), bytes.len());
        return Err(TileError::Length { tile, expected, found });
    }
    let (hashes, _) = bytes.as_chunks::<HASH>();
    Ok(hashes.iter().map(|hash| Sha256Digest::from_bytes(*hash)).collect())
}
