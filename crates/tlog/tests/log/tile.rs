//! Tiles that are believed, and tiles that are not; bundles.

use genten_primitives::Sha256Digest;
use genten_tlog::merkle::{self, leaf_hash, root};
use genten_tlog::tile::{MAX_ENTRY, all_tiles, edge_tiles, tiles_for_inclusion, write_bundle};
use genten_tlog::{AuthenticatedTiles, BundleId, EntryBundle, ProofError, TileError, TileId};
use proptest::prelude::*;

use crate::checkpoint::over;
use crate::common::{document, index, leaves, read, size, vectors};

/// A tile as the definition makes it: each hash is the root over its leaves.
pub(crate) fn tile(tile: TileId, leaves: &[Sha256Digest]) -> Vec<u8> {
    let span = 256_usize.pow(u32::from(tile.level()));
    let first = tile.number() as usize * 256;
    let places = first..first + usize::from(tile.width());
    let hashes = places.map(|place| root(&leaves[place * span..(place + 1) * span]));
    hashes.flat_map(|hash| *hash.as_bytes()).collect()
}

fn edge(all: &[Sha256Digest]) -> Vec<Vec<u8>> {
    edge_tiles(size(all.len() as u64)).into_iter().map(|id| tile(id, all)).collect()
}

fn begin(all: &[Sha256Digest]) -> AuthenticatedTiles {
    AuthenticatedTiles::new(&over(all), &edge(all)).unwrap()
}

fn id(path: &str) -> TileId {
    path.parse().unwrap()
}

/// Adds what is missing for a leaf; the paths, in the order in which they were added.
fn add_for(tiles: &mut AuthenticatedTiles, leaf: u64, all: &[Sha256Digest]) -> Vec<String> {
    let missing = tiles.missing_for_inclusion(index(leaf)).unwrap();
    for id in &missing {
        tiles.add(*id, &tile(*id, all)).unwrap();
    }
    missing.iter().map(ToString::to_string).collect()
}

#[test]
fn seventy_thousand_leaves() {
    let all = leaves(70_000);
    let mut tiles = begin(&all);
    assert_eq!(tiles.size(), size(70_000));
    assert_eq!(add_for(&mut tiles, 12_345, &all), ["tile/1/000", "tile/0/048"]);
    assert_eq!(tiles.missing_for_inclusion(index(12_345)), Ok(vec![]));
    let proof = tiles.inclusion_proof(index(12_345)).unwrap();
    let expected = genten_tlog::InclusionProof::from_leaves(index(12_345), &all).unwrap();
    assert_eq!(proof, expected);
    assert_eq!(tiles.leaf_hash(index(12_345)), Ok(all[12_345]));
    let missing = Err(TileError::Missing { tile: id("tile/0/049") });
    assert_eq!(tiles.leaf_hash(index(12_544)), missing);

    let missing = tiles.missing_for_consistency(size(50_000)).unwrap();
    assert_eq!(missing, [id("tile/0/195")]);
    assert!(tiles.consistency_proof(size(50_000)).is_err());
    tiles.add(missing[0], &tile(missing[0], &all)).unwrap();
    let proof = tiles.consistency_proof(size(50_000)).unwrap();
    let (old, new) = (over(&all[..50_000]), over(&all));
    assert_eq!(old.is_extended_by(&new, &proof), Ok(()));
    assert_eq!(tiles.root_at(size(50_000)), Ok(old.root()));
    assert_eq!(tiles.root_at(size(70_000)), Ok(new.root()));
    assert_eq!(tiles.root_at(size(0)), Ok(merkle::EMPTY_ROOT));
    digests(&all);
}

/// The digests of four tiles of this tree, as computed elsewhere.
fn digests(all: &[Sha256Digest]) {
    let Some(file) = vectors("derived/tree-70000.json") else { return };
    let bytes = read(file);
    let document = document(&bytes);
    for (path, digest) in document.root().get("tile_sha256").unwrap().members().unwrap() {
        let bytes = tile(id(&["tile/", &path].concat()), all);
        assert_eq!(Sha256Digest::of(&bytes).to_string(), digest.as_str().unwrap());
    }
}

#[test]
fn tiles_that_make_another_root() {
    let all = leaves(600);
    let good = edge(&all);
    assert_eq!(good.len(), 2);
    for which in 0..good.len() {
        let mut bad = good.clone();
        bad[which][7] ^= 1;
        let error = AuthenticatedTiles::new(&over(&all), &bad).unwrap_err();
        let TileError::EdgeMismatch { expected, calculated } = error else { panic!() };
        assert_eq!(expected, root(&all));
        assert_ne!(calculated, expected);
        let mut short = good.clone();
        short[which].pop();
        let error = AuthenticatedTiles::new(&over(&all), &short).unwrap_err();
        assert!(matches!(error, TileError::Length { .. }));
    }
    let swapped: Vec<_> = good.iter().rev().cloned().collect();
    assert!(AuthenticatedTiles::new(&over(&all), &swapped).is_err());
    for found in [1, 3] {
        let edge = vec![good[0].clone(); found];
        let error = AuthenticatedTiles::new(&over(&all), &edge).unwrap_err();
        assert_eq!(error, TileError::EdgeCount { expected: 2, found });
    }
    // Of another tree of the same size.
    let other: Vec<_> = all.iter().rev().copied().collect();
    let result = AuthenticatedTiles::new(&over(&other), &good);
    assert!(matches!(result, Err(TileError::EdgeMismatch { .. })));
}

#[test]
fn a_tile_that_does_not_hash_to_the_one_above() {
    let all = leaves(600);
    let mut tiles = begin(&all);
    let full = id("tile/0/001");
    let mut bytes = tile(full, &all);
    bytes[8191] ^= 1;
    let error = tiles.add(full, &bytes).unwrap_err();
    let TileError::Mismatch { expected, calculated, .. } = error else { panic!() };
    assert_eq!((expected, calculated != expected), (root(&all[256..512]), true));
    let other = tile(id("tile/0/000"), &all);
    assert!(matches!(tiles.add(full, &other), Err(TileError::Mismatch { .. })));
    assert_eq!(tiles.leaf_hash(index(300)), Err(TileError::Missing { tile: full }));
    bytes[8191] ^= 1;
    assert_eq!(tiles.add(full, &bytes), Ok(()));
    assert_eq!(tiles.leaf_hash(index(300)), Ok(all[300]));
}

#[test]
fn lengths_of_tiles() {
    let all = leaves(600);
    let mut tiles = begin(&all);
    let full = id("tile/0/000");
    for found in [0, 32, 8160, 8191, 8193, 8224] {
        let error = TileError::Length { tile: full, expected: 8192, found };
        assert_eq!(tiles.add(full, &vec![0; found]), Err(error));
    }
}

#[test]
fn tiles_of_other_trees() {
    let all = leaves(600);
    let mut tiles = begin(&all);
    for path in ["tile/0/002", "tile/0/002.p/87", "tile/0/000.p/8", "tile/0/003", "tile/2/000.p/1"]
    {
        let tile = id(path);
        let error = TileError::NotOfTree { tile, size: size(600) };
        assert_eq!(tiles.add(tile, &vec![0; tile.bytes()]), Err(error), "{path}");
    }
    // Once more what is there already.
    let partial = id("tile/0/002.p/88");
    assert_eq!(tiles.add(partial, &tile(partial, &all)), Ok(()));
    let error = tiles.add(partial, &vec![0; partial.bytes()]);
    assert!(matches!(error, Err(TileError::Mismatch { .. })));
}

#[test]
fn the_tile_above_comes_first() {
    let all = leaves(65_537);
    let mut tiles = begin(&all);
    let bottom = id("tile/0/007");
    let missing = Err(TileError::Missing { tile: id("tile/1/000") });
    assert_eq!(tiles.add(bottom, &tile(bottom, &all)), missing);
    assert_eq!(add_for(&mut tiles, 2000, &all), ["tile/1/000", "tile/0/007"]);
}

#[test]
fn leaves_and_trees_outside() {
    let all = leaves(5);
    let tiles = begin(&all);
    let beyond = ProofError::IndexBeyondSize { index: index(5), size: size(5) };
    let beyond = TileError::Proof(beyond);
    assert_eq!(tiles.leaf_hash(index(5)), Err(beyond.clone()));
    assert_eq!(tiles.inclusion_proof(index(5)), Err(beyond.clone()));
    assert_eq!(tiles.missing_for_inclusion(index(5)), Err(beyond));
    let shrunk = TileError::Proof(ProofError::Shrunk { old: size(6), new: size(5) });
    assert_eq!(tiles.root_at(size(6)), Err(shrunk.clone()));
    assert_eq!(tiles.consistency_proof(size(6)), Err(shrunk.clone()));
    assert_eq!(tiles.missing_for_consistency(size(6)), Err(shrunk));
    let empty = begin(&[]);
    assert_eq!(empty.root_at(size(0)), Ok(merkle::EMPTY_ROOT));
    assert!(empty.leaf_hash(index(0)).is_err());
}

fn entries(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|entry| entry.to_string().into_bytes()).collect()
}

fn slices(entries: &[Vec<u8>]) -> Vec<&[u8]> {
    entries.iter().map(Vec::as_slice).collect()
}

#[test]
fn bundles() {
    let entries = entries(256);
    let bytes = write_bundle(&slices(&entries)).unwrap();
    let read = EntryBundle::parse(&bytes, 256).unwrap();
    assert_eq!(read.entries(), slices(&entries));
    assert_eq!(read.leaf_hashes()[7], leaf_hash(b"7"));
    let error = |bytes: &[u8], width| EntryBundle::parse(bytes, width).unwrap_err();
    let three = write_bundle(&[b"a", b"bb", b""]).unwrap();
    for length in 0..three.len() {
        let entry = [0, 0, 0, 1, 1, 1, 1, 2, 2][length];
        let cut = TileError::BundleTruncated { width: 3, entry };
        assert_eq!(error(&three[..length], 3), cut, "{length}");
    }
    assert_eq!(error(&three, 2), TileError::BundleTrailing { width: 2, remaining: 2 });
    assert_eq!(error(&three, 4), TileError::BundleTruncated { width: 4, entry: 3 });
    let trailing = [&three[..], &[0]].concat();
    assert_eq!(error(&trailing, 3), TileError::BundleTrailing { width: 3, remaining: 1 });
    assert_eq!(error(b"", 0), TileError::BundleWidth { found: 0 });
    assert_eq!(error(&three, 257), TileError::BundleWidth { found: 257 });
    assert_eq!(write_bundle(&[]), Err(TileError::BundleWidth { found: 0 }));
    assert_eq!(write_bundle(&[&b""[..]; 257]), Err(TileError::BundleWidth { found: 257 }));
    let longest = vec![0; MAX_ENTRY];
    let bytes = write_bundle(&[&longest]).unwrap();
    assert_eq!(EntryBundle::parse(&bytes, 1).unwrap().entries(), [&longest[..]]);
    let error = TileError::EntryTooLong { limit: MAX_ENTRY, found: MAX_ENTRY + 1 };
    assert_eq!(write_bundle(&[&[0; MAX_ENTRY + 1]]), Err(error));
}

#[test]
fn entries_are_compared_with_their_leaf_hashes() {
    let all = leaves(300);
    let mut tiles = begin(&all);
    let mut last = entries(300).split_off(256);
    let bundle = BundleId::at(1, size(300)).unwrap();
    let bytes = write_bundle(&slices(&last)).unwrap();
    assert_eq!(tiles.bundle(bundle, &bytes).unwrap().entries().len(), 44);
    last[3] = b"other".to_vec();
    let bytes = write_bundle(&slices(&last)).unwrap();
    let (expected, calculated) = (all[259], leaf_hash(b"other"));
    let error = TileError::EntryMismatch { bundle, entry: 3, expected, calculated };
    assert_eq!(tiles.bundle(bundle, &bytes), Err(error));
    let first = BundleId::at(0, size(300)).unwrap();
    let bytes = write_bundle(&slices(&entries(256))).unwrap();
    let missing = TileError::Missing { tile: first.tile() };
    assert_eq!(tiles.bundle(first, &bytes), Err(missing));
    tiles.add(first.tile(), &tile(first.tile(), &all)).unwrap();
    assert!(tiles.bundle(first, &bytes).is_ok());
    let other = bundle.full();
    let error = TileError::NotOfTree { tile: other.tile(), size: size(300) };
    assert_eq!(tiles.bundle(other, &bytes), Err(error));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn proofs_from_tiles_are_those_from_leaves(n in 1_u64..1500, a in any::<u64>(), b in any::<u64>()) {
        let all = leaves(n);
        let mut tiles = begin(&all);
        let (leaf, old) = (a % n, b % (n + 1));
        for id in tiles.missing_for_inclusion(index(leaf)).unwrap() {
            tiles.add(id, &tile(id, &all)).unwrap();
        }
        prop_assert!(over(&all).includes(all[leaf as usize], &tiles.inclusion_proof(index(leaf)).unwrap()).is_ok());
        prop_assert_eq!(tiles.leaf_hash(index(leaf)), Ok(all[leaf as usize]));
        for id in tiles.missing_for_consistency(size(old)).unwrap() {
            tiles.add(id, &tile(id, &all)).unwrap();
        }
        let proof = tiles.consistency_proof(size(old)).unwrap();
        prop_assert_eq!(over(&all[..old as usize]).is_extended_by(&over(&all), &proof), Ok(()));
        prop_assert_eq!(tiles.root_at(size(old)), Ok(root(&all[..old as usize])));
    }

    #[test]
    fn all_tiles_can_be_added_from_the_top(n in 1_u64..1500) {
        let all = leaves(n);
        let mut tiles = begin(&all);
        let mut ids: Vec<_> = all_tiles(size(n)).collect();
        ids.reverse();
        for id in ids {
            prop_assert_eq!(tiles.add(id, &tile(id, &all)), Ok(()));
        }
        let proofs = (0..n).map(|leaf| tiles.missing_for_inclusion(index(leaf)).unwrap().len());
        prop_assert_eq!(proofs.sum::<usize>(), 0);
        prop_assert!(tiles_for_inclusion(index(n - 1), size(n)).is_ok());
    }

    #[test]
    fn bundles_keep_their_bytes(bytes in proptest::collection::vec(0_u8..3, 0..40), width in 0_u16..12) {
        if let Ok(read) = EntryBundle::parse(&bytes, width) {
            prop_assert_eq!(write_bundle(read.entries()).unwrap(), bytes);
        }
    }
}
