//! The hashes of a tree as it grows: roots, proofs and tiles are looked up, never calculated anew.

use std::ops::Range;

use genten_primitives::Sha256Digest;
use genten_tlog::merkle::{EMPTY_ROOT, node_hash};

/// All perfect trees over the leaves: level 0 has the leaf hashes, level `l` the roots over `2^l` leaves each.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    levels: Vec<Vec<Sha256Digest>>,
}

impl Tree {
    pub(super) fn of(leaves: impl IntoIterator<Item = Sha256Digest>) -> Self {
        let mut tree = Self::default();
        for leaf in leaves {
            tree.push(leaf);
        }
        tree
    }

    pub(super) fn push(&mut self, leaf: Sha256Digest) {
        let mut hash = leaf;
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let hashes = &mut self.levels[level];
            hashes.push(hash);
            match hashes.as_slice() {
                [.., left, right] if hashes.len().is_multiple_of(2) => {
                    hash = node_hash(left, right);
                }
                _ => return,
            }
        }
    }

    pub(super) fn leaves(&self) -> &[Sha256Digest] {
        self.levels.first().map_or(&[], Vec::as_slice)
    }

    /// The root over a range of leaves that begins where the ranges of proofs do: at a multiple of its largest perfect tree.
    pub(super) fn root(&self, range: Range<usize>) -> Sha256Digest {
        let (leaves, mut low, mut roots) = (range.len(), range.start, Vec::new());
        for level in (0..self.levels.len()).rev().filter(|level| leaves >> level & 1 == 1) {
            roots.push(self.levels[level][low >> level]);
            low += 1 << level;
        }
        let root = roots.into_iter().rev().reduce(|right, left| node_hash(&left, &right));
        root.unwrap_or(EMPTY_ROOT)
    }

    /// Some of the roots over `2^level` leaves each, if all of them are there.
    pub(super) fn hashes(&self, level: usize, range: Range<usize>) -> Option<&[Sha256Digest]> {
        self.levels.get(level)?.get(range)
    }
}
