//! Proofs that a tree has only grown (RFC 6962 section 2.1.2).

use std::ops::Range;

use genten_primitives::Sha256Digest;

use super::{
    EMPTY_ROOT, ProofError, TreeSize, border_siblings, consistency_ranges, expect_count,
    inner_levels, limit, node_hash, root,
};

/// The nodes from which both an old and a new root follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsistencyProof {
    hashes: Vec<Sha256Digest>,
}

impl ConsistencyProof {
    /// A proof as somebody gave it.
    ///
    /// # Errors
    /// More than 63 hashes.
    pub fn new(hashes: Vec<Sha256Digest>) -> Result<Self, ProofError> {
        limit(&hashes)?;
        Ok(Self { hashes })
    }

    /// Makes the proof between two sizes; `root_of` gives the root over a range of leaves.
    ///
    /// # Errors
    /// An old tree larger than the new one, and what `root_of` answers.
    pub fn produce<E: From<ProofError>>(
        old: TreeSize,
        new: TreeSize,
        root_of: impl FnMut(Range<u64>) -> Result<Sha256Digest, E>,
    ) -> Result<Self, E> {
        let ranges = consistency_ranges(old, new)?;
        let hashes = ranges.into_iter().map(root_of).collect::<Result<_, E>>()?;
        Ok(Self { hashes })
    }

    /// Makes the proof between the first `old` of these leaf hashes and all of them.
    ///
    /// # Errors
    /// An old tree larger than the new one.
    pub fn from_leaves(old: TreeSize, leaves: &[Sha256Digest]) -> Result<Self, ProofError> {
        let new = TreeSize::new(leaves.len() as u64).expect("memory holds fewer than 2^63 hashes");
        Self::produce(old, new, |range| Ok(root(&leaves[range.start as usize..range.end as usize])))
    }

    /// The nodes, as the log sends them.
    pub fn hashes(&self) -> &[Sha256Digest] {
        &self.hashes
    }

    /// Checks that the new tree begins with the leaves of the old one. Each tree is given by its size and its root.
    ///
    /// Every tree extends the empty one; whether an empty old tree is good enough is for the caller to say.
    ///
    /// # Errors
    /// A tree that shrank, two roots for one size, a wrong root of the empty tree, another number of hashes than the
    /// sizes ask for, another root on either side.
    pub fn check(
        &self,
        (old, old_root): (TreeSize, Sha256Digest),
        (new, new_root): (TreeSize, Sha256Digest),
    ) -> Result<(), ProofError> {
        if old > new {
            return Err(ProofError::Shrunk { old, new });
        }
        for (size, root) in [(old, old_root), (new, new_root)] {
            if size.get() == 0 && root != EMPTY_ROOT {
                return Err(ProofError::EmptyTreeRoot { found: root });
            }
        }
        if old == new || old.get() == 0 {
            expect_count(0, &self.hashes)?;
            return match old == new && old_root != new_root {
                true => Err(ProofError::RootsDiffer { old: old_root, new: new_root }),
                false => Ok(()),
            };
        }
        let (old_found, new_found) = self.roots(old.get(), new.get(), old_root)?;
        if old_found != old_root {
            return Err(ProofError::OldRootMismatch { expected: old_root, calculated: old_found });
        }
        if new_found != new_root {
            return Err(ProofError::RootMismatch { expected: new_root, calculated: new_found });
        }
        Ok(())
    }

    /// Both roots that follow from the proof, for `0 < old < new`.
    fn roots(
        &self,
        old: u64,
        new: u64,
        old_root: Sha256Digest,
    ) -> Result<(Sha256Digest, Sha256Digest), ProofError> {
        let last = old - 1;
        let whole = inner_levels(last, new - 1);
        let border = border_siblings(last, whole);
        let perfect = old.trailing_zeros();
        let inner = whole - perfect;
        // A perfect old tree is a node of the new one: its root begins the path and is not sent.
        let (seed, path) = if old.is_power_of_two() {
            expect_count(inner + border, &self.hashes)?;
            (old_root, &self.hashes[..])
        } else {
            expect_count(1 + inner + border, &self.hashes)?;
            (self.hashes[0], &self.hashes[1..])
        };
        Ok(climb(seed, path, inner as usize, last >> perfect))
    }
}

/// From the node that both trees share up to both roots. Bit `k` of `mask` tells a sibling on the left.
fn climb(
    seed: Sha256Digest,
    path: &[Sha256Digest],
    inner: usize,
    mask: u64,
) -> (Sha256Digest, Sha256Digest) {
    let (mut old, mut new) = (seed, seed);
    for (level, sibling) in path.iter().enumerate() {
        if level >= inner || mask >> level & 1 == 1 {
            old = node_hash(sibling, &old);
            new = node_hash(sibling, &new);
        } else {
            new = node_hash(&new, sibling);
        }
    }
    (old, new)
}
