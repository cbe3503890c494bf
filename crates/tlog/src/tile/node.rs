//! Which node of a tree stands in which tile.

use std::ops::Range;

use super::TileId;
use crate::merkle::TreeSize;

/// A perfect tree inside a tree: over the leaves `index * 2^level` to `(index + 1) * 2^level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    level: u32,
    index: u64,
}

impl Node {
    /// The tile whose hashes make the node, in a tree that holds the node, and which of them.
    pub(super) fn place(self, size: TreeSize) -> Option<(TileId, Range<usize>)> {
        let (level, count) = (self.level / 8, 1_u64 << (self.level % 8));
        let first = self.index << (self.level % 8);
        let tile = TileId::at(level as u8, first >> 8, size)?;
        let first = first & 255;
        Some((tile, first as usize..(first + count) as usize))
    }
}

/// The perfect trees of a range, largest first. The range begins at a multiple of the largest one, as the ranges of proofs do.
pub(super) fn perfect_nodes(range: Range<u64>) -> Vec<Node> {
    let (mut low, mut nodes) = (range.start, Vec::new());
    let leaves = range.end - range.start;
    for level in (0..u64::BITS).rev().filter(|level| leaves >> level & 1 == 1) {
        nodes.push(Node { level, index: low >> level });
        low += 1 << level;
    }
    nodes
}
