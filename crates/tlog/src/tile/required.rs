//! Which tiles are needed for what.

use std::collections::BTreeSet;
use std::ops::Range;

use super::TileId;
use super::node::perfect_nodes;
use crate::merkle::{LeafIndex, ProofError, TreeSize, consistency_ranges, inclusion_ranges};

/// The tiles that hold the proof of a leaf in a tree of `size` leaves, by level and number.
///
/// # Errors
/// A leaf outside of the tree.
///
/// ```
/// use genten_tlog::{LeafIndex, TreeSize, tile::tiles_for_inclusion};
/// let (index, size) = (LeafIndex::new(12_345).unwrap(), TreeSize::new(70_000).unwrap());
/// let tiles = tiles_for_inclusion(index, size).unwrap();
/// let paths: Vec<_> = tiles.iter().map(ToString::to_string).collect();
/// assert_eq!(paths, ["tile/0/048", "tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17"]);
/// ```
pub fn tiles_for_inclusion(index: LeafIndex, size: TreeSize) -> Result<Vec<TileId>, ProofError> {
    Ok(tiles_of(&inclusion_ranges(index, size)?, size))
}

/// The tiles that hold the proof that a tree of `old` leaves has become one of `new`, by level and number.
///
/// # Errors
/// An old tree larger than the new one.
pub fn tiles_for_consistency(old: TreeSize, new: TreeSize) -> Result<Vec<TileId>, ProofError> {
    Ok(tiles_of(&consistency_ranges(old, new)?, new))
}

/// The partial tiles of a tree, whose hashes together make its root; by level.
pub fn edge_tiles(size: TreeSize) -> Vec<TileId> {
    let levels = (0..8).filter_map(|level| {
        let hashes = size.get() >> (8 * level);
        TileId::at(level, hashes >> 8, size)
    });
    levels.collect()
}

/// All tiles of a tree, by level and number.
pub fn all_tiles(size: TreeSize) -> impl Iterator<Item = TileId> {
    (0..8).flat_map(move |level| (0..).map_while(move |number| TileId::at(level, number, size)))
}

/// The tiles in which the roots of these ranges are found.
pub(super) fn tiles_of(ranges: &[Range<u64>], size: TreeSize) -> Vec<TileId> {
    let nodes = ranges.iter().flat_map(|range| perfect_nodes(range.clone()));
    let tiles: BTreeSet<_> =
        nodes.filter_map(|node| node.place(size).map(|(tile, _)| tile)).collect();
    tiles.into_iter().collect()
}
