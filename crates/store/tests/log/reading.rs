//! Reading without a lock.

use std::collections::{HashMap, HashSet};
use std::fs;

use genten_tlog::merkle::{leaf_hash, root};
use genten_tlog::{BundleId, LeafIndex, TileId};

use crate::common::files;
use crate::kit::{code, entries, entry, expect_whole, leaves, log, log_of, reader, size};

fn index(number: u64) -> LeafIndex {
    LeafIndex::new(number).unwrap()
}

#[test]
fn proofs_of_inclusion_hold() {
    let folder = tempfile::tempdir().unwrap();
    log_of(folder.path(), 66_000);
    let folder = reader(folder.path());
    let checkpoint = folder.checkpoint().unwrap();
    for number in [0, 1, 255, 256, 65_535, 65_536, 65_791, 65_999] {
        let proof = folder.inclusion(&checkpoint, index(number)).unwrap();
        checkpoint.includes(leaf_hash(&entry(number)), &proof).unwrap();
    }
    assert_eq!(code(folder.inclusion(&checkpoint, index(66_000))), "log.not-of-tree");
}

#[test]
fn proofs_of_growth_hold() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(folder.path());
    let mut checkpoints = vec![reader(folder.path()).checkpoint().unwrap()];
    for (begin, end) in [(0, 1), (1, 256), (256, 300), (300, 66_000)] {
        let appended = log.lock(None).unwrap().append(&entries(begin..end)).unwrap();
        checkpoints.push(appended.checkpoint().clone());
    }
    let folder = reader(folder.path());
    for newer in &checkpoints {
        for older in checkpoints.iter().filter(|older| older.size() <= newer.size()) {
            let proof = folder.consistency(newer, older.size()).unwrap();
            older.is_extended_by(newer, &proof).unwrap();
        }
    }
    let larger = folder.consistency(&checkpoints[2], size(257));
    assert_eq!(code(larger), "log.not-of-tree");
}

#[test]
fn older_trees_can_be_read_as_long_as_the_log_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(folder.path());
    let mut writer = log.lock(None).unwrap();
    let mut checkpoints = Vec::new();
    for (begin, end) in [(0, 3), (3, 200), (200, 256), (256, 700), (700, 701)] {
        checkpoints.push(writer.append(&entries(begin..end)).unwrap().checkpoint().clone());
    }
    let folder = reader(folder.path());
    for checkpoint in checkpoints {
        let leaves = leaves(checkpoint.size().get());
        let mut tiles = folder.tiles(&checkpoint).unwrap();
        let (last, mut buffer) = ((leaves.len() as u64 - 1) / 256, Vec::new());
        let bundle = BundleId::at(last, checkpoint.size()).unwrap();
        let entries = folder.bundle(&mut tiles, bundle, &mut buffer).unwrap();
        assert_eq!(entries.leaf_hashes(), leaves[256 * last as usize..]);
        assert_eq!(tiles.root_at(checkpoint.size()).unwrap(), root(&leaves));
    }
}

#[test]
fn a_bundle_that_the_tree_does_not_have() {
    let folder = tempfile::tempdir().unwrap();
    log_of(folder.path(), 300);
    let folder = reader(folder.path());
    let checkpoint = folder.checkpoint().unwrap();
    let mut tiles = folder.tiles(&checkpoint).unwrap();
    let others = [
        BundleId::at(2, size(600)).unwrap(),
        BundleId::at(1, size(299)).unwrap(),
        BundleId::at(1, size(512)).unwrap(),
        "tile/entries/x009/x223/x372/x036/x854/x775/807".parse().unwrap(),
    ];
    for bundle in others {
        let mut buffer = Vec::new();
        let found = folder.bundle(&mut tiles, bundle, &mut buffer);
        assert_eq!(code(found), "log.not-of-tree");
    }
    let tile = TileId::at(0, 1, size(512)).unwrap();
    assert!(code(folder.load(&mut tiles, &[tile])).starts_with("log.folder.tile"));
}

#[test]
fn leaves_are_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_of(folder.path(), 66_000);
    // Entry 5 stands there twice.
    log.lock(None).unwrap().append(&[entry(5)]).unwrap();
    let folder = reader(folder.path());
    let checkpoint = folder.checkpoint().unwrap();
    let found = |from: u64, numbers: &[u64]| {
        let leaves: HashSet<_> = numbers.iter().map(|number| leaf_hash(&entry(*number))).collect();
        let found = folder.find(&checkpoint, from, &leaves).unwrap();
        let place = |number: &u64| found.get(&leaf_hash(&entry(*number))).map(|at| at.get());
        numbers.iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(found(0, &[0, 5, 65_999]), [Some(0), Some(5), Some(65_999)]);
    assert_eq!(found(5, &[4, 5, 6]), [None, Some(5), Some(6)]);
    assert_eq!(found(6, &[5, 300]), [Some(66_000), Some(300)]);
    assert_eq!(found(65_999, &[65_998, 65_999, 70_000]), [None, Some(65_999), None]);
    assert_eq!(found(66_001, &[5]), [None]);
    assert_eq!(found(u64::MAX, &[5]), [None]);
    assert_eq!(folder.find(&checkpoint, 0, &HashSet::new()).unwrap(), HashMap::new());
}

#[test]
fn a_check_tells_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    log_of(folder.path(), 600);
    let mut heard = Vec::new();
    reader(folder.path()).check(&mut |done, total| heard.push((done, total))).unwrap();
    assert_eq!(heard, [(256, 600), (512, 600), (600, 600)]);
}

#[test]
fn the_full_file_stands_for_a_partial_one_that_was_removed() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_of(folder.path(), 300);
    let old = reader(folder.path()).checkpoint().unwrap();
    log.lock(None).unwrap().append(&entries(300..70_000)).unwrap();
    assert!(files(folder.path()).keys().all(|path| !path.to_str().unwrap().contains("001.p/44")));
    let folder = reader(folder.path());
    let mut tiles = folder.tiles(&old).unwrap();
    let (bundle, mut buffer) = (BundleId::at(1, old.size()).unwrap(), Vec::new());
    let found = folder.bundle(&mut tiles, bundle, &mut buffer).unwrap();
    assert_eq!(found.entries(), entries(256..300));
    let proof = folder.inclusion(&old, index(299)).unwrap();
    old.includes(leaf_hash(&entry(299)), &proof).unwrap();
}

#[test]
fn a_writer_goes_on_where_only_the_full_file_is_left() {
    // As after a crash whose checkpoint was lost, or when an older checkpoint was put back.
    let folder = tempfile::tempdir().unwrap();
    let log = log_of(folder.path(), 300);
    let old = fs::read(folder.path().join("checkpoint")).unwrap();
    log.lock(None).unwrap().append(&entries(300..600)).unwrap();
    fs::write(folder.path().join("checkpoint"), old).unwrap();
    log.lock(None).unwrap().append(&entries(300..310)).unwrap();
    expect_whole(folder.path(), 310);
    log.lock(None).unwrap().append(&entries(310..700)).unwrap();
    expect_whole(folder.path(), 700);
}
