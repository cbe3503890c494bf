//! Proofs against the definitions of RFC 6962 section 2.1, taken word by word.

use genten_primitives::Sha256Digest;
use genten_tlog::merkle::{EMPTY_ROOT, MAX_PROOF, hash_from_bytes, leaf_hash, node_hash, root};
use genten_tlog::{ConsistencyProof, InclusionProof, LeafIndex, ProofError, Subtree, TreeSize};
use proptest::prelude::*;

use crate::common::{index, leaves, size};

const MAX: u64 = i64::MAX as u64;

/// The definition: `MTH(D[n])`.
fn oracle(leaves: &[Sha256Digest]) -> Sha256Digest {
    match leaves {
        [] => Sha256Digest::of(b""),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            node_hash(&oracle(left), &oracle(right))
        }
    }
}

/// The definition: `PATH(m, D[n])`.
fn oracle_path(m: usize, leaves: &[Sha256Digest]) -> Vec<Sha256Digest> {
    if leaves.len() == 1 {
        return Vec::new();
    }
    let k = leaves.len().next_power_of_two() / 2;
    let (left, right) = leaves.split_at(k);
    let (mut path, sibling) =
        if m < k { (oracle_path(m, left), right) } else { (oracle_path(m - k, right), left) };
    path.push(oracle(sibling));
    path
}

/// The definition: `SUBPROOF(m, D[n], b)`.
fn oracle_subproof(m: usize, leaves: &[Sha256Digest], is_whole: bool) -> Vec<Sha256Digest> {
    if m == leaves.len() {
        return if is_whole { Vec::new() } else { vec![oracle(leaves)] };
    }
    let k = leaves.len().next_power_of_two() / 2;
    let (left, right) = leaves.split_at(k);
    let (mut proof, other) = if m <= k {
        (oracle_subproof(m, left, is_whole), right)
    } else {
        (oracle_subproof(m - k, right, false), left)
    };
    proof.push(oracle(other));
    proof
}

fn hash(text: &str) -> Sha256Digest {
    text.parse().unwrap()
}

#[test]
fn the_eight_classic_leaves() {
    let data: [&[u8]; 8] =
        [b"", &[0], &[0x10], b" !", b"01", b"@ABC", b"PQRSTUVW", b"`abcdefghijklmno"];
    let leaves = data.map(leaf_hash);
    for (count, expected) in [
        (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
        (2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
        (3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
        (7, "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"),
        (8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"),
    ] {
        assert_eq!(root(&leaves[..count]), hash(expected), "{count}");
    }
    assert_eq!(EMPTY_ROOT, Sha256Digest::of(b""));
}

#[test]
fn all_small_trees_agree_with_the_definitions() {
    let all = leaves(40);
    for n in 0..all.len() {
        let tree = &all[..n];
        let top = root(tree);
        assert_eq!(top, oracle(tree));
        for (leaf, hash) in tree.iter().enumerate() {
            let proof = InclusionProof::from_leaves(index(leaf as u64), tree).unwrap();
            assert_eq!(proof.hashes(), oracle_path(leaf, tree));
            assert_eq!(proof.check(*hash, size(n as u64), top), Ok(()));
            refuses_other_lengths(&proof, *hash, n as u64, top);
        }
        for m in 0..=n {
            let proof = ConsistencyProof::from_leaves(size(m as u64), tree).unwrap();
            let expected = if m == 0 { Vec::new() } else { oracle_subproof(m, tree, true) };
            assert_eq!(proof.hashes(), expected);
            let old = (size(m as u64), root(&tree[..m]));
            assert_eq!(proof.check(old, (size(n as u64), top)), Ok(()), "{m} {n}");
        }
    }
}

fn refuses_other_lengths(proof: &InclusionProof, leaf: Sha256Digest, n: u64, top: Sha256Digest) {
    let expected = proof.hashes().len();
    let mut longer = proof.hashes().to_vec();
    longer.push(top);
    let mut first = proof.hashes().to_vec();
    first.insert(0, leaf);
    for hashes in [longer, first] {
        let count = ProofError::HashCount { expected, found: expected + 1 };
        let proof = InclusionProof::new(proof.index(), hashes).unwrap();
        assert_eq!(proof.check(leaf, size(n), top), Err(count));
    }
    if expected > 0 {
        for hashes in [&proof.hashes()[1..], &proof.hashes()[..expected - 1], &[]] {
            let count = ProofError::HashCount { expected, found: hashes.len() };
            let proof = InclusionProof::new(proof.index(), hashes.to_vec()).unwrap();
            assert_eq!(proof.check(leaf, size(n), top), Err(count));
        }
    }
}

#[test]
fn a_leaf_outside_of_the_tree_is_refused() {
    let all = leaves(4);
    for (leaf, count) in [(4, 4), (5, 4), (0, 0), (MAX, 4)] {
        let expected = ProofError::IndexBeyondSize { index: index(leaf), size: size(count) };
        let proof = InclusionProof::new(index(leaf), vec![all[0]; 2]).unwrap();
        assert_eq!(proof.check(all[0], size(count), root(&all)), Err(expected.clone()));
        let made = InclusionProof::from_leaves(index(leaf), &all[..count as usize]);
        assert_eq!(made, Err(expected));
    }
}

#[test]
fn the_largest_trees_do_not_overflow() {
    let leaf = leaf_hash(b"");
    for position in [0, 1, MAX / 2, MAX - 1] {
        let path = |count| InclusionProof::new(index(position), vec![leaf; count]).unwrap();
        let expected = (0..=MAX_PROOF).find(|count| path(*count).root(leaf, size(MAX)).is_ok());
        assert!(expected.is_some(), "{position}");
    }
    for (old, new) in [(1, MAX), (MAX - 1, MAX), (1 << 62, MAX), ((1 << 61) + 1, 1 << 62)] {
        let fits = (0..=MAX_PROOF).any(|count| {
            let proof = ConsistencyProof::new(vec![leaf; count]).unwrap();
            let result = proof.check((size(old), leaf), (size(new), leaf));
            !matches!(result, Err(ProofError::HashCount { .. }))
        });
        assert!(fits, "{old} {new}");
    }
    assert!(TreeSize::new(MAX + 1).is_err());
    assert!(LeafIndex::new(MAX + 1).is_err());
}

#[test]
fn no_proof_has_more_than_63_hashes() {
    let hashes = vec![EMPTY_ROOT; 64];
    let error = ProofError::TooManyHashes { limit: 63, found: 64 };
    assert_eq!(InclusionProof::new(index(0), hashes.clone()).unwrap_err(), error);
    assert_eq!(ConsistencyProof::new(hashes.clone()).unwrap_err(), error);
    assert!(InclusionProof::new(index(0), hashes[1..].to_vec()).is_ok());
    assert!(ConsistencyProof::new(hashes[1..].to_vec()).is_ok());
}

#[test]
fn a_hash_has_32_bytes() {
    for found in [0, 31, 33] {
        assert_eq!(hash_from_bytes(&vec![0; found]), Err(ProofError::HashLength { found }));
    }
    assert_eq!(hash_from_bytes(EMPTY_ROOT.as_bytes()), Ok(EMPTY_ROOT));
}

#[test]
fn trees_do_not_shrink_and_have_one_root() {
    let all = leaves(6);
    let empty = ConsistencyProof::new(Vec::new()).unwrap();
    let tree = |n: usize| (size(n as u64), root(&all[..n]));
    assert_eq!(
        empty.check(tree(5), tree(4)),
        Err(ProofError::Shrunk { old: size(5), new: size(4) })
    );
    let made = ConsistencyProof::from_leaves(size(7), &all);
    assert_eq!(made, Err(ProofError::Shrunk { old: size(7), new: size(6) }));
    let (old, new) = (root(&all[..5]), root(&all[..4]));
    assert_eq!(
        empty.check((size(5), old), (size(5), new)),
        Err(ProofError::RootsDiffer { old, new })
    );
    assert_eq!(empty.check(tree(5), tree(5)), Ok(()));
    let one = ConsistencyProof::new(vec![old]).unwrap();
    let superfluous = Err(ProofError::HashCount { expected: 0, found: 1 });
    assert_eq!(one.check(tree(5), tree(5)), superfluous);
    assert_eq!(one.check(tree(0), tree(5)), superfluous);
    assert_eq!(one.check(tree(0), tree(0)), superfluous);
    assert_eq!(empty.check(tree(0), tree(5)), Ok(()));
}

#[test]
fn the_empty_tree_has_one_root() {
    let all = leaves(3);
    let empty = ConsistencyProof::new(Vec::new()).unwrap();
    let error = Err(ProofError::EmptyTreeRoot { found: all[0] });
    assert_eq!(empty.check((size(0), all[0]), (size(3), root(&all))), error);
    assert_eq!(empty.check((size(0), all[0]), (size(0), all[0])), error);
    assert_eq!(empty.check((size(0), EMPTY_ROOT), (size(0), all[0])), error);
}

#[test]
fn swapped_roots_are_refused() {
    let all = leaves(7);
    let proof = ConsistencyProof::from_leaves(size(5), &all).unwrap();
    let (old, new) = (root(&all[..5]), root(&all));
    assert_eq!(proof.check((size(5), old), (size(7), new)), Ok(()));
    let swapped = proof.check((size(5), new), (size(7), old));
    assert_eq!(swapped, Err(ProofError::OldRootMismatch { expected: new, calculated: old }));
    let other = proof.check((size(5), old), (size(7), old));
    assert_eq!(other, Err(ProofError::RootMismatch { expected: old, calculated: new }));
}

#[test]
fn ranges_that_are_no_subtrees_are_refused() {
    for (start, end) in [(0, 0), (5, 5), (5, 4), (1, 3), (2, 6), (2, 5), (1, 15), (1, MAX + 2)] {
        let error = ProofError::SubtreeShape { start, end };
        assert_eq!(Subtree::new(start, end), Err(error));
    }
    let beyond = ProofError::SubtreeShape { start: 0, end: MAX + 1 };
    assert_eq!(Subtree::new(0, MAX + 1), Err(beyond));
    assert!(Subtree::new(0, MAX).is_ok());
}

/// Flips one bit of one hash.
fn flip(hashes: &[Sha256Digest], bit: usize) -> Vec<Sha256Digest> {
    let mut hashes = hashes.to_vec();
    let which = bit / 256 % hashes.len();
    let mut bytes = *hashes[which].as_bytes();
    bytes[bit / 8 % 32] ^= 1 << (bit % 8);
    hashes[which] = Sha256Digest::from_bytes(bytes);
    hashes
}

/// The subtree proof of the draft by its definition, with `SUBTREE_PROOF(start, end, D_n)`.
fn oracle_subtree(
    start: usize,
    end: usize,
    leaves: &[Sha256Digest],
    is_known: bool,
) -> Vec<Sha256Digest> {
    let n = leaves.len();
    if start == 0 && end == n {
        return if is_known { Vec::new() } else { vec![oracle(leaves)] };
    }
    let k = n.next_power_of_two() / 2;
    let (left, right) = leaves.split_at(k);
    let (mut proof, other) = if end <= k {
        (oracle_subtree(start, end, left, is_known), right)
    } else if start >= k {
        (oracle_subtree(start - k, end - k, right, is_known), left)
    } else {
        (oracle_subtree(0, end - k, right, false), left)
    };
    proof.push(oracle(other));
    proof
}

#[test]
fn all_small_subtrees_agree_with_the_definition() {
    let all = leaves(20);
    for n in 1..=all.len() {
        for (start, end) in (0..n).flat_map(|start| (start + 1..=n).map(move |end| (start, end))) {
            let Ok(subtree) = Subtree::new(start as u64, end as u64) else { continue };
            assert_eq!((subtree.start(), subtree.end()), (start as u64, end as u64));
            let hashes = oracle_subtree(start, end, &all[..n], true);
            let part = root(&all[start..end]);
            let tree = (size(n as u64), root(&all[..n]));
            let proof = ConsistencyProof::new(hashes.clone()).unwrap();
            assert_eq!(subtree.check_consistency(part, &proof, tree), Ok(()), "{start} {end} {n}");
            let other = Sha256Digest::of(b"another root");
            assert!(subtree.check_consistency(other, &proof, tree).is_err(), "{start} {end} {n}");
            let longer = ConsistencyProof::new([&hashes[..], &[part]].concat()).unwrap();
            assert!(subtree.check_consistency(part, &longer, tree).is_err());
            if let Some((_, shorter)) = hashes.split_last() {
                let shorter = ConsistencyProof::new(shorter.to_vec()).unwrap();
                let result = subtree.check_consistency(part, &shorter, tree);
                assert!(matches!(result, Err(ProofError::HashCount { .. })));
                let other = ConsistencyProof::new(flip(&hashes, start + n)).unwrap();
                assert!(subtree.check_consistency(part, &other, tree).is_err());
            }
            let beyond = subtree.check_consistency(part, &proof, (size(end as u64 - 1), part));
            assert!(matches!(beyond, Err(ProofError::SubtreeBeyondSize { .. })));
        }
    }
}

#[test]
fn a_subtree_proves_only_its_own_leaves() {
    let all = leaves(8);
    let subtree = Subtree::new(4, 7).unwrap();
    let part = &all[4..7];
    for leaf in 4..7_u64 {
        let proof = InclusionProof::from_leaves(index(leaf - 4), part).unwrap();
        let hash = all[leaf as usize];
        assert_eq!(subtree.check_inclusion(index(leaf), hash, proof.hashes(), root(part)), Ok(()));
    }
    for leaf in [0, 3, 7] {
        let error = ProofError::OutsideSubtree { index: index(leaf), start: 4, end: 7 };
        assert_eq!(subtree.check_inclusion(index(leaf), all[0], &[], root(part)), Err(error));
    }
}

proptest! {
    #[test]
    fn any_flipped_bit_is_refused(n in 2_u64..200, leaf in any::<u64>(), bit in any::<usize>()) {
        let (tree, leaf) = (leaves(n), leaf % n);
        let (hash, top) = (tree[leaf as usize], root(&tree));
        let proof = InclusionProof::from_leaves(index(leaf), &tree).unwrap();
        prop_assert!(proof.check(hash, size(n), top).is_ok());
        let other = InclusionProof::new(index(leaf), flip(proof.hashes(), bit)).unwrap();
        prop_assert!(other.check(hash, size(n), top).is_err());
        prop_assert!(proof.check(flip(&[hash], bit)[0], size(n), top).is_err());
        prop_assert!(proof.check(hash, size(n), flip(&[top], bit)[0]).is_err());
        let moved = InclusionProof::new(index((leaf + 1) % n), proof.hashes().to_vec()).unwrap();
        prop_assert!(moved.check(hash, size(n), top).is_err());
    }

    #[test]
    fn a_flipped_bit_breaks_consistency(n in 3_u64..200, m in any::<u64>(), bit in any::<usize>()) {
        let (tree, m) = (leaves(n), m % (n - 1) + 1);
        let (old, new) = ((size(m), root(&tree[..m as usize])), (size(n), root(&tree)));
        let proof = ConsistencyProof::from_leaves(size(m), &tree).unwrap();
        prop_assert!(proof.check(old, new).is_ok());
        let other = ConsistencyProof::new(flip(proof.hashes(), bit)).unwrap();
        prop_assert!(other.check(old, new).is_err());
        prop_assert!(proof.check((old.0, flip(&[old.1], bit)[0]), new).is_err());
        prop_assert!(proof.check(old, (new.0, flip(&[new.1], bit)[0])).is_err());
    }
}
