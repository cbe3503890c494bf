//! Subtrees of the Merkle Tree Certificates draft (draft-ietf-plants-merkle-tree-certs section 4), which mirrors and
//! cosigners of kind 0x06 speak of.

use genten_primitives::Sha256Digest;

use super::{ConsistencyProof, InclusionProof, LeafIndex, ProofError, TreeSize, node_hash};

/// A range of leaves whose root is made of nodes of every larger tree: it begins at a multiple of the smallest power of
/// two that is not below its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subtree {
    start: u64,
    end: u64,
}

impl Subtree {
    /// The leaves from `start` up to, but not including, `end`.
    ///
    /// # Errors
    /// A range that is no subtree, or ends behind the largest tree.
    pub fn new(start: u64, end: u64) -> Result<Self, ProofError> {
        let shape = ProofError::SubtreeShape { start, end };
        if start >= end || TreeSize::new(end).is_err() {
            return Err(shape);
        }
        if start.is_multiple_of((end - start).next_power_of_two()) {
            Ok(Self { start, end })
        } else {
            Err(shape)
        }
    }

    /// The first leaf.
    pub const fn start(self) -> u64 {
        self.start
    }

    /// The first leaf behind it.
    pub const fn end(self) -> u64 {
        self.end
    }

    /// Checks that the subtree with this root holds the leaf hash at `index`, which is counted in the whole tree.
    ///
    /// # Errors
    /// A leaf outside of the subtree; as [`InclusionProof::check`].
    pub fn check_inclusion(
        self,
        index: LeafIndex,
        leaf: Sha256Digest,
        hashes: &[Sha256Digest],
        root: Sha256Digest,
    ) -> Result<(), ProofError> {
        let (start, end) = (self.start, self.end);
        if !(start..end).contains(&index.get()) {
            return Err(ProofError::OutsideSubtree { index, start, end });
        }
        let within = LeafIndex::new(index.get() - start).expect("smaller than an index");
        let size = TreeSize::new(end - start).expect("not larger than the end");
        InclusionProof::new(within, hashes.to_vec())?.check(leaf, size, root)
    }

    /// Checks that the tree with this size and root holds the subtree with this root.
    ///
    /// # Errors
    /// A subtree that ends behind the tree, another number of hashes, another root on either side.
    pub fn check_consistency(
        self,
        subtree_root: Sha256Digest,
        proof: &ConsistencyProof,
        (size, root): (TreeSize, Sha256Digest),
    ) -> Result<(), ProofError> {
        if self.end > size.get() {
            return Err(ProofError::SubtreeBeyondSize { end: self.end, size });
        }
        let (found, calculated) = self.climb(subtree_root, proof.hashes(), size)?;
        if found != subtree_root {
            let expected = subtree_root;
            return Err(ProofError::OldRootMismatch { expected, calculated: found });
        }
        if calculated != root {
            return Err(ProofError::RootMismatch { expected: root, calculated });
        }
        Ok(())
    }

    /// The roots of the subtree and of the tree that follow from the proof (section 4.4.3 of the draft).
    fn climb(
        self,
        subtree_root: Sha256Digest,
        hashes: &[Sha256Digest],
        size: TreeSize,
    ) -> Result<(Sha256Digest, Sha256Digest), ProofError> {
        let mut path = Path { first: self.start, second: self.end - 1, last: size.get() - 1 };
        path.skip_shared();
        let (seed, siblings) = match hashes.split_first() {
            _ if path.first == path.second => (subtree_root, hashes),
            Some((seed, siblings)) => (*seed, siblings),
            None => return Err(ProofError::HashCount { expected: 1, found: 0 }),
        };
        let expected = hashes.len() - siblings.len() + path.siblings();
        if hashes.len() != expected {
            return Err(ProofError::HashCount { expected, found: hashes.len() });
        }
        Ok(path.climb(seed, siblings))
    }
}

/// Positions on one level: of the subtree's first and last node and of the tree's last node.
#[derive(Clone, Copy)]
struct Path {
    first: u64,
    second: u64,
    last: u64,
}

impl Path {
    fn up(&mut self) {
        self.first >>= 1;
        self.second >>= 1;
        self.last >>= 1;
    }

    /// Up to the first node that is not sent because it follows from the others.
    fn skip_shared(&mut self) {
        while self.first != self.second && (self.second == self.last || self.second & 1 == 1) {
            self.up();
        }
    }

    /// Whether the next sibling lies on the left; goes up to where it stands.
    fn next_is_left(&mut self) -> bool {
        let is_left = self.second & 1 == 1 || self.second == self.last;
        if is_left {
            // Zero has no such ancestor; it is not reached where the number of hashes was checked.
            while self.second & 1 == 0 && self.second != 0 {
                self.up();
            }
        }
        is_left
    }

    fn siblings(mut self) -> usize {
        let mut count = 0;
        while self.last != 0 {
            self.next_is_left();
            self.up();
            count += 1;
        }
        count
    }

    fn climb(
        mut self,
        seed: Sha256Digest,
        siblings: &[Sha256Digest],
    ) -> (Sha256Digest, Sha256Digest) {
        let (mut subtree, mut tree) = (seed, seed);
        for sibling in siblings {
            let begins_before = self.first < self.second;
            if self.next_is_left() {
                if begins_before {
                    subtree = node_hash(sibling, &subtree);
                }
                tree = node_hash(sibling, &tree);
            } else {
                tree = node_hash(&tree, sibling);
            }
            self.up();
        }
        (subtree, tree)
    }
}
