//! Which parts of a tree a proof consists of, as ranges of leaves.

use std::ops::Range;

use super::{LeafIndex, ProofError, TreeSize};

/// The largest power of two below `leaves`, which is at least 2: where RFC 6962 splits a tree.
fn split(leaves: u64) -> u64 {
    1 << (u64::BITS - 1 - (leaves - 1).leading_zeros())
}

/// The ranges whose roots prove a leaf, from the leaf upwards.
pub(crate) fn inclusion_ranges(
    index: LeafIndex,
    size: TreeSize,
) -> Result<Vec<Range<u64>>, ProofError> {
    let (leaf, mut low, mut high) = (index.get(), 0, size.get());
    if leaf >= high {
        return Err(ProofError::IndexBeyondSize { index, size });
    }
    let mut ranges = Vec::new();
    while high - low > 1 {
        let middle = low + split(high - low);
        if leaf < middle {
            ranges.push(middle..high);
            high = middle;
        } else {
            ranges.push(low..middle);
            low = middle;
        }
    }
    ranges.reverse();
    Ok(ranges)
}

/// The ranges whose roots prove that a tree has only grown, in the order in which they are sent.
pub(crate) fn consistency_ranges(
    old: TreeSize,
    new: TreeSize,
) -> Result<Vec<Range<u64>>, ProofError> {
    let (leaves, mut low, mut high) = (old.get(), 0, new.get());
    if leaves > high {
        return Err(ProofError::Shrunk { old, new });
    }
    let mut ranges = Vec::new();
    if leaves == 0 || leaves == high {
        return Ok(ranges);
    }
    while leaves != high {
        let middle = low + split(high - low);
        if leaves <= middle {
            ranges.push(middle..high);
            high = middle;
        } else {
            ranges.push(low..middle);
            low = middle;
        }
    }
    // On the left edge the rest is the whole old tree, whose root the verifier holds.
    if low != 0 {
        ranges.push(low..high);
    }
    ranges.reverse();
    Ok(ranges)
}
