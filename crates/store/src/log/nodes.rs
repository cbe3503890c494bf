//! The nodes of a tree that has grown: from them come its root, its new tiles, and the proofs of its new leaves.

use std::ops::Range;

use genten_primitives::Sha256Digest;
use genten_tlog::merkle::{EMPTY_ROOT, node_hash};
use genten_tlog::tile::TILE_WIDTH;
use genten_tlog::{ConsistencyProof, InclusionProof, LeafIndex, ProofError, TileId, TreeSize};

/// Levels of tiles in a tree of at most 2^63 - 1 leaves.
pub(super) const TILE_LEVELS: u8 = 8;

/// Rows of nodes that one level of tiles stands for.
const ROWS_OF_TILE: u8 = 8;

/// All nodes in the tiles that have changed since the tree had `old` leaves, and above them: row `k` holds the roots over 2^k
/// leaves each. Every root that proofs of newer leaves need is among them, because whatever stands left of a newer leaf
/// and is complete already ends in a tile that was not full.
#[derive(Debug)]
pub(super) struct Nodes {
    old: TreeSize,
    size: TreeSize,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    /// Which node of the tree the first hash is.
    first: u64,
    hashes: Vec<Sha256Digest>,
}

impl Nodes {
    /// The tree of `old` leaves with so many more that it has `size`. `edge` holds the hashes of its partial tiles, by level.
    pub(super) fn grow(
        old: TreeSize,
        edge: &[Vec<Sha256Digest>],
        leaves: Vec<Sha256Digest>,
        size: TreeSize,
    ) -> Self {
        let (mut rows, mut new) = (Vec::new(), leaves);
        for (level, partial) in (0..TILE_LEVELS).zip(edge) {
            let tile = old.get() >> (ROWS_OF_TILE * level) >> ROWS_OF_TILE;
            let hashes = [&partial[..], &new].concat();
            let mut row = Row { first: tile * WIDTH, hashes };
            for _ in 0..ROWS_OF_TILE {
                let above = row.above();
                rows.push(row);
                row = above;
            }
            new = row.hashes;
        }
        Self { old, size, rows }
    }

    /// Leaves of the tree.
    pub(super) fn size(&self) -> TreeSize {
        self.size
    }

    /// The root over all leaves.
    pub(super) fn root(&self) -> Sha256Digest {
        self.root_of(0..self.size.get())
    }

    /// The tiles that the old tree did not have.
    pub(super) fn new_tiles(&self) -> impl Iterator<Item = (TileId, Vec<u8>)> {
        let of_level = move |level| {
            let row = &self.rows[usize::from(level * ROWS_OF_TILE)];
            let tiles = (row.first / WIDTH..).zip(row.hashes.chunks(TILE_WIDTH.into()));
            tiles.filter_map(move |(number, hashes)| {
                let tile = TileId::at(level, number, self.size)?;
                let is_new = TileId::at(level, number, self.old) != Some(tile);
                is_new.then(|| (tile, bytes(hashes)))
            })
        };
        (0..TILE_LEVELS).flat_map(of_level)
    }

    /// The hashes of the partial tiles, by level.
    pub(super) fn edge(&self) -> Vec<Vec<Sha256Digest>> {
        let rows = self.rows.iter().step_by(ROWS_OF_TILE.into());
        rows.map(|row| row.hashes.chunks_exact(TILE_WIDTH.into()).remainder().to_vec()).collect()
    }

    /// Makes the proof of a leaf that the old tree did not have.
    pub(super) fn inclusion(&self, index: LeafIndex) -> Result<InclusionProof, ProofError> {
        InclusionProof::produce(index, self.size, |range| Ok(self.root_of(range)))
    }

    /// Checks that the tree begins with the old one, which has this root.
    pub(super) fn continues(&self, old_root: Sha256Digest) -> Result<(), ProofError> {
        let root_of = |range| Ok::<_, ProofError>(self.root_of(range));
        let proof = ConsistencyProof::produce(self.old, self.size, root_of)?;
        proof.check((self.old, old_root), (self.size, self.root()))
    }

    /// The root over a range of leaves that is a part of a proof, or all of them: from its smallest perfect tree, at the right
    /// end, to the largest.
    fn root_of(&self, range: Range<u64>) -> Sha256Digest {
        let (leaves, mut end) = (range.end - range.start, range.end);
        let mut root = None;
        for (level, row) in
            self.rows.iter().enumerate().filter(|(level, _)| leaves >> level & 1 == 1)
        {
            let node = row.hashes[((end >> level) - 1 - row.first) as usize];
            root = Some(root.map_or(node, |right| node_hash(&node, &right)));
            end -= 1 << level;
        }
        root.unwrap_or(EMPTY_ROOT)
    }
}

impl Row {
    /// The row over this one; it begins at a node with an even number.
    fn above(&self) -> Self {
        let (pairs, _) = self.hashes.as_chunks();
        let hashes = pairs.iter().map(|[left, right]| node_hash(left, right)).collect();
        Self { first: self.first / 2, hashes }
    }
}

fn bytes(hashes: &[Sha256Digest]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| *hash.as_bytes()).collect()
}

const WIDTH: u64 = TILE_WIDTH as u64;

#[cfg(test)]
mod tests {
    use super::*;
    use genten_tlog::merkle::{leaf_hash, root};

    /// Three levels of tiles get full at once: too many leaves for a test with files.
    #[test]
    fn a_tree_that_gets_a_level_more() {
        let old = TreeSize::new((1 << 24) - 1).unwrap();
        let size = TreeSize::new((1 << 24) + 1).unwrap();
        let hashes = |level: u8| (0..255).map(|number| leaf_hash(&[level, number])).collect();
        let mut edge: Vec<Vec<_>> = (0..3).map(hashes).collect();
        edge.resize(TILE_LEVELS.into(), Vec::new());
        let [last, next] = [leaf_hash(b"last"), leaf_hash(b"next")];
        let nodes = Nodes::grow(old, &edge, vec![last, next], size);

        let full = edge[..3].iter().fold(last, |last, tile| root(&[&tile[..], &[last]].concat()));
        assert_eq!(nodes.root(), node_hash(&full, &next));
        let tiles: Vec<_> = nodes.new_tiles().collect();
        let names: Vec<_> = tiles.iter().map(|(tile, _)| tile.to_string()).collect();
        let expected = [
            "tile/0/x065/535",
            "tile/0/x065/536.p/1",
            "tile/1/255",
            "tile/2/000",
            "tile/3/000.p/1",
        ];
        assert_eq!(names, expected);
        assert_eq!(tiles[4].1, full.as_bytes());
        let proof = nodes.inclusion(LeafIndex::new(old.get()).unwrap()).unwrap();
        proof.check(last, size, nodes.root()).unwrap();
    }
}
