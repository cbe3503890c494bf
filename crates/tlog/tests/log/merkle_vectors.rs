//! The proofs of transparency-dev/merkle, and trees of eight and of seventy thousand leaves.

use std::path::Path;

use genten_primitives::json::Value;
use genten_primitives::{Sha256Digest, encoding::from_base64};
use genten_tlog::merkle::{leaf_hash, root};
use genten_tlog::{ConsistencyProof, InclusionProof, LeafIndex, Subtree, TreeSize};

use crate::common::{
    base64_hash, document, files, hex_hashes, index, leaves, number, read, size, strings, text,
    vectors,
};

/// Runs all files of a folder; how many there were, and how many of them proved something.
fn run(folder: &str, check: fn(Value<'_>) -> Option<()>) -> Option<(usize, usize)> {
    let files = files(&vectors("transparency-dev-merkle/testdata")?.join(folder));
    let good = files.iter().filter(|file| agrees(file, check)).count();
    Some((files.len(), good))
}

fn agrees(file: &Path, check: fn(Value<'_>) -> Option<()>) -> bool {
    let bytes = read(file);
    if is_refused_by_us_alone(file) {
        assert!(check(document(&bytes).root()).is_none());
        return false;
    }
    if has_huge_number(&bytes) {
        assert!(String::from_utf8_lossy(&bytes).contains("\"wantErr\": true"));
        return false;
    }
    let document = document(&bytes);
    let case = document.root();
    let is_good = check(case).is_some();
    assert_eq!(!is_good, case.get("wantErr").unwrap().as_bool().unwrap(), "{}", file.display());
    is_good
}

/// Good files that cannot be good here: roots that are texts of 12 bytes (2 files), and subtrees without leaves (6 good ones),
/// which the draft does not know.
fn is_refused_by_us_alone(file: &Path) -> bool {
    let name = file.file_name().unwrap().to_string_lossy();
    name == "sizes-are-equal-one-and-proof-is-empty.json" || name.starts_with("subtree-is-empty")
}

/// Numbers beyond 2^53, which the JSON reader refuses before a proof could: 7 files, all of them bad.
fn has_huge_number(bytes: &[u8]) -> bool {
    bytes.split(|byte| !byte.is_ascii_digit()).any(|digits| digits.len() > 16)
}

/// The hashes of a proof; `None` if one is none.
fn proof(case: Value<'_>) -> Option<Vec<Sha256Digest>> {
    strings(case.get("proof")).iter().map(|text| base64_hash(text)).collect()
}

fn hash(case: Value<'_>, name: &str) -> Option<Sha256Digest> {
    base64_hash(&text(case, name))
}

fn leaf_index(case: Value<'_>) -> Option<LeafIndex> {
    LeafIndex::new(number(case, "leafIdx")).ok()
}

fn tree_size(case: Value<'_>, name: &str) -> Option<TreeSize> {
    TreeSize::new(number(case, name)).ok()
}

fn inclusion(case: Value<'_>) -> Option<()> {
    let proof = InclusionProof::new(leaf_index(case)?, proof(case)?).ok()?;
    proof.check(hash(case, "leafHash")?, tree_size(case, "treeSize")?, hash(case, "root")?).ok()
}

fn consistency(case: Value<'_>) -> Option<()> {
    let old = (tree_size(case, "size1")?, hash(case, "root1")?);
    let new = (tree_size(case, "size2")?, hash(case, "root2")?);
    ConsistencyProof::new(proof(case)?).ok()?.check(old, new).ok()
}

fn subtree(case: Value<'_>) -> Option<Subtree> {
    Subtree::new(number(case, "start"), number(case, "end")).ok()
}

fn subtree_inclusion(case: Value<'_>) -> Option<()> {
    let (leaf, root) = (hash(case, "leafHash")?, hash(case, "root")?);
    subtree(case)?.check_inclusion(leaf_index(case)?, leaf, &proof(case)?, root).ok()
}

fn subtree_consistency(case: Value<'_>) -> Option<()> {
    let proof = ConsistencyProof::new(proof(case)?).ok()?;
    let tree = (tree_size(case, "size")?, hash(case, "root2")?);
    subtree(case)?.check_consistency(hash(case, "root1")?, &proof, tree).ok()
}

#[test]
fn inclusion_files() {
    assert!(run("inclusion", inclusion).is_none_or(|counts| counts == (98, 6)));
}

#[test]
fn consistency_files() {
    assert!(run("consistency", consistency).is_none_or(|counts| counts == (98, 5)));
}

#[test]
fn subtree_inclusion_files() {
    assert!(run("subtreeinclusion", subtree_inclusion).is_none_or(|counts| counts == (204, 12)));
}

#[test]
fn subtree_consistency_files() {
    assert!(run("subtreeconsistency", subtree_consistency).is_none_or(|counts| counts == (118, 5)));
}

#[test]
fn all_proofs_of_the_eight_leaves() {
    let Some(file) = vectors("derived/rfc6962-8-leaves.json") else { return };
    let bytes = read(file);
    let document = document(&bytes);
    let case = document.root();
    let data = strings(case.get("leaves_hex"));
    let leaves: Vec<_> = data.iter().map(|hex| leaf_hash(&from_hex(hex))).collect();
    assert_eq!(leaves, hex_hashes(case.get("leaf_hashes")));
    let roots = hex_hashes(case.get("roots"));
    assert!((0..=8).all(|count| root(&leaves[..count]) == roots[count]));
    for case in case.get("inclusion").unwrap().items().unwrap() {
        let (leaf, count) = (number(case, "index"), number(case, "size"));
        let made = InclusionProof::from_leaves(index(leaf), &leaves[..count as usize]).unwrap();
        assert_eq!(made.hashes(), hex_hashes(case.get("proof")));
        let checked = made.check(leaves[leaf as usize], size(count), roots[count as usize]);
        assert_eq!(checked, Ok(()));
    }
    for case in case.get("consistency").unwrap().items().unwrap() {
        let (old, new) = (number(case, "size1"), number(case, "size2"));
        let made = ConsistencyProof::from_leaves(size(old), &leaves[..new as usize]).unwrap();
        assert_eq!(made.hashes(), hex_hashes(case.get("proof")));
        let tree = |count: u64| (size(count), roots[count as usize]);
        assert_eq!(made.check(tree(old), tree(new)), Ok(()));
    }
}

fn from_hex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn anchors_of_seventy_thousand_leaves() {
    let Some(file) = vectors("derived/tree-70000.json") else { return };
    let bytes = read(file);
    let document = document(&bytes);
    let case = document.root();
    let all = leaves(70_000);
    for (count, expected) in case.get("roots").unwrap().members().unwrap() {
        let count: usize = count.parse().unwrap();
        assert_eq!(root(&all[..count]).to_string(), expected.as_str().unwrap());
    }
    let proof = InclusionProof::from_leaves(index(12_345), &all).unwrap();
    assert_eq!(proof.hashes(), hex_hashes(case.get("inclusion_12345_in_70000")));
    assert_eq!(proof.check(all[12_345], size(70_000), root(&all)), Ok(()));
    let proof = ConsistencyProof::from_leaves(size(50_000), &all).unwrap();
    assert_eq!(proof.hashes(), hex_hashes(case.get("consistency_50000_70000")));
    let (old, new) = ((size(50_000), root(&all[..50_000])), (size(70_000), root(&all)));
    assert_eq!(proof.check(old, new), Ok(()));
}

#[test]
fn base64_of_another_length_is_no_hash() {
    assert!(base64_hash("").is_none());
    assert_eq!(from_base64("AA==").unwrap().len(), 1);
    assert!(base64_hash("AA==").is_none());
}
