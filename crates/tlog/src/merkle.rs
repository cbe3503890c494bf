//! Merkle trees of RFC 6962 section 2.1, always with SHA-256: hashes, roots, and proofs in both directions.
//!
//! A proof is checked against a size and a root that the caller trusts; [`Checkpoint`](crate::Checkpoint) is where they
//! come from. A tree has at most 2^63 - 1 leaves, and a proof at most 63 hashes.

mod consistency;
mod error;
mod inclusion;
mod number;
mod ranges;
mod subtree;

pub use consistency::ConsistencyProof;
pub use error::ProofError;
pub use inclusion::InclusionProof;
pub use number::{LeafIndex, NumberError, TreeSize};
pub(crate) use ranges::{consistency_ranges, inclusion_ranges};
pub use subtree::Subtree;

use genten_primitives::{Sha256, Sha256Digest};

/// Most hashes of one proof. Only growth beyond 2^62 leaves would need one more (C2SP tlog-witness has the same limit).
pub const MAX_PROOF: usize = 63;

/// The root of the tree without leaves: SHA-256 of nothing.
pub const EMPTY_ROOT: Sha256Digest = Sha256Digest::from_bytes([
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
]);

/// The hash of a leaf: `SHA256(0x00 || data)`.
pub fn leaf_hash(data: &[u8]) -> Sha256Digest {
    let mut hasher = Sha256::new();
    hasher.update(&[0]);
    hasher.update(data);
    hasher.finish()
}

/// The hash of a node above two others: `SHA256(0x01 || left || right)`.
pub fn node_hash(left: &Sha256Digest, right: &Sha256Digest) -> Sha256Digest {
    let mut bytes = [1; 65];
    bytes[1..33].copy_from_slice(left.as_bytes());
    bytes[33..].copy_from_slice(right.as_bytes());
    Sha256Digest::of(&bytes)
}

/// The root over these leaf hashes, in their order.
///
/// ```
/// use genten_tlog::merkle::{EMPTY_ROOT, leaf_hash, node_hash, root};
/// let leaves = [leaf_hash(b"a"), leaf_hash(b"b"), leaf_hash(b"c")];
/// assert_eq!(root(&leaves), node_hash(&node_hash(&leaves[0], &leaves[1]), &leaves[2]));
/// assert_eq!(root(&[]), EMPTY_ROOT);
/// ```
pub fn root(leaves: &[Sha256Digest]) -> Sha256Digest {
    let mut stack: Vec<Sha256Digest> = Vec::new();
    for (count, leaf) in leaves.iter().enumerate() {
        let mut hash = *leaf;
        for _ in 0..count.trailing_ones() {
            hash = stack.pop().map_or(hash, |left| node_hash(&left, &hash));
        }
        stack.push(hash);
    }
    fold(&stack)
}

/// The root over perfect trees, largest first; [`EMPTY_ROOT`] without any.
pub(crate) fn fold(perfect: &[Sha256Digest]) -> Sha256Digest {
    let Some((last, others)) = perfect.split_last() else { return EMPTY_ROOT };
    others.iter().rev().fold(*last, |right, left| node_hash(left, &right))
}

/// Levels between a leaf and the point where its path meets the right border: where a sibling always exists.
fn inner_levels(index: u64, last: u64) -> u32 {
    u64::BITS - (index ^ last).leading_zeros()
}

/// Siblings to the left above the level `inner`, where the path runs along the right border.
fn border_siblings(index: u64, inner: u32) -> u32 {
    index.checked_shr(inner).unwrap_or(0).count_ones()
}

fn limit(hashes: &[Sha256Digest]) -> Result<(), ProofError> {
    match hashes.len() {
        0..=MAX_PROOF => Ok(()),
        found => Err(ProofError::TooManyHashes { limit: MAX_PROOF, found }),
    }
}

fn expect_count(expected: u32, hashes: &[Sha256Digest]) -> Result<(), ProofError> {
    let (expected, found) = (expected as usize, hashes.len());
    if expected == found { Ok(()) } else { Err(ProofError::HashCount { expected, found }) }
}

/// A hash as it stands in an answer of a log.
///
/// # Errors
/// Bytes that are not exactly 32.
pub fn hash_from_bytes(bytes: &[u8]) -> Result<Sha256Digest, ProofError> {
    let bytes: &[u8; 32] =
        bytes.try_into().map_err(|_| ProofError::HashLength { found: bytes.len() })?;
    Ok(Sha256Digest::from_bytes(*bytes))
}
