//! Proofs that a tree holds a leaf (RFC 6962 section 2.1.1).

use std::ops::Range;

use genten_primitives::Sha256Digest;

use super::{
    LeafIndex, ProofError, TreeSize, border_siblings, expect_count, inclusion_ranges, inner_levels,
    limit, node_hash, root,
};

/// The siblings on the path of one leaf, from the leaf upwards.
///
/// ```
/// use genten_tlog::merkle::{InclusionProof, LeafIndex, TreeSize, leaf_hash, root};
/// let leaves = [leaf_hash(b"a"), leaf_hash(b"b"), leaf_hash(b"c")];
/// let proof = InclusionProof::from_leaves(LeafIndex::new(2).unwrap(), &leaves).unwrap();
/// assert_eq!(proof.check(leaves[2], TreeSize::new(3).unwrap(), root(&leaves)), Ok(()));
/// assert!(proof.check(leaves[1], TreeSize::new(3).unwrap(), root(&leaves)).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InclusionProof {
    index: LeafIndex,
    hashes: Vec<Sha256Digest>,
}

impl InclusionProof {
    /// A proof as somebody gave it.
    ///
    /// # Errors
    /// More than 63 hashes.
    pub fn new(index: LeafIndex, hashes: Vec<Sha256Digest>) -> Result<Self, ProofError> {
        limit(&hashes)?;
        Ok(Self { index, hashes })
    }

    /// Makes the proof of a leaf in a tree of `size` leaves; `root_of` gives the root over a range of leaves.
    ///
    /// # Errors
    /// A leaf outside of the tree, and what `root_of` answers.
    pub fn produce<E: From<ProofError>>(
        index: LeafIndex,
        size: TreeSize,
        root_of: impl FnMut(Range<u64>) -> Result<Sha256Digest, E>,
    ) -> Result<Self, E> {
        let ranges = inclusion_ranges(index, size)?;
        let hashes = ranges.into_iter().map(root_of).collect::<Result<_, E>>()?;
        Ok(Self { index, hashes })
    }

    /// Makes the proof of a leaf in the tree over these leaf hashes.
    ///
    /// # Errors
    /// A leaf outside of the tree.
    pub fn from_leaves(index: LeafIndex, leaves: &[Sha256Digest]) -> Result<Self, ProofError> {
        let size = TreeSize::new(leaves.len() as u64).expect("memory holds fewer than 2^63 hashes");
        Self::produce(index, size, |range| {
            Ok(root(&leaves[range.start as usize..range.end as usize]))
        })
    }

    /// Which leaf.
    pub fn index(&self) -> LeafIndex {
        self.index
    }

    /// The siblings, from the leaf upwards.
    pub fn hashes(&self) -> &[Sha256Digest] {
        &self.hashes
    }

    /// The root to which the proof leads from this leaf hash, in a tree of `size` leaves.
    ///
    /// # Errors
    /// A leaf outside of the tree; another number of hashes than index and size ask for.
    pub fn root(&self, leaf: Sha256Digest, size: TreeSize) -> Result<Sha256Digest, ProofError> {
        let index = self.index.get();
        if index >= size.get() {
            return Err(ProofError::IndexBeyondSize { index: self.index, size });
        }
        let inner = inner_levels(index, size.get() - 1);
        expect_count(inner + border_siblings(index, inner), &self.hashes)?;
        let (siblings, border) = self.hashes.split_at(inner as usize);
        let mut hash = leaf;
        for (level, sibling) in siblings.iter().enumerate() {
            let is_right = index >> level & 1 == 1;
            hash = if is_right { node_hash(sibling, &hash) } else { node_hash(&hash, sibling) };
        }
        Ok(border.iter().fold(hash, |right, left| node_hash(left, &right)))
    }

    /// Checks that the tree with this size and root holds the leaf hash at [`index`](Self::index).
    ///
    /// # Errors
    /// As [`root`](Self::root); another root.
    pub fn check(
        &self,
        leaf: Sha256Digest,
        size: TreeSize,
        expected: Sha256Digest,
    ) -> Result<(), ProofError> {
        match self.root(leaf, size)? {
            calculated if calculated == expected => Ok(()),
            calculated => Err(ProofError::RootMismatch { expected, calculated }),
        }
    }
}
