//! Proofs, tiles and folders of a log, judged by the library that verifies.

use std::path::Path;

use genten_testkit::LogServer;
use genten_testkit::log::{Handing, TestLog};
use genten_tlog::tile::{all_tiles, edge_tiles};
use genten_tlog::{
    AuthenticatedTiles, BundleId, Checkpoint, LeafIndex, TileId, UnverifiedCheckpoint,
};

use crate::client::get;
use crate::logged::{checkpoint, identity, rekord, server, submit, verified};

/// A log of so many small entries.
fn log_of(size: usize) -> TestLog {
    let mut log = TestLog::empty("log.example");
    for number in 0..size {
        log.append(format!("entry {number}"));
    }
    log
}

fn checkpoint_of(log: &TestLog, size: usize) -> Checkpoint {
    let note = log.checkpoint(&Handing { size: Some(size), ..Handing::default() });
    UnverifiedCheckpoint::parse(note.as_bytes()).unwrap().verify(&identity(log), &[]).unwrap()
}

/// All tiles of a tree, each authenticated.
fn authenticated(checkpoint: &Checkpoint, read: impl Fn(TileId) -> Vec<u8>) -> AuthenticatedTiles {
    let edge: Vec<_> = edge_tiles(checkpoint.size()).into_iter().map(&read).collect();
    let mut tiles = AuthenticatedTiles::new(checkpoint, &edge).unwrap();
    let mut full: Vec<_> = all_tiles(checkpoint.size()).filter(|tile| tile.is_full()).collect();
    full.reverse();
    for tile in full {
        tiles.add(tile, &read(tile)).unwrap();
    }
    tiles
}

fn assert_proven(checkpoint: &Checkpoint, tiles: &AuthenticatedTiles, index: u64) {
    let index = LeafIndex::new(index).unwrap();
    let proof = tiles.inclusion_proof(index).unwrap();
    checkpoint.includes(tiles.leaf_hash(index).unwrap(), &proof).unwrap();
}

#[tokio::test]
async fn each_entry_is_proven_in_the_tree_of_its_time() {
    let server = server().await;
    for number in 0..40 {
        let rekord = rekord(&format!("message {number}"));
        let logged = verified(&server, &submit(&server, &rekord).await, &rekord).unwrap();
        assert_eq!(logged.index().get(), number);
        assert_eq!(logged.checkpoint().size().get(), number + 1);
        assert_eq!(logged.checkpoint(), &checkpoint(&server).await);
    }
}

#[test]
fn every_leaf_is_proven_in_trees_of_every_size() {
    let log = log_of(300);
    for size in (1..=40).chain(254..=259) {
        let checkpoint = checkpoint_of(&log, size);
        let tiles = authenticated(&checkpoint, |tile| log.tile(tile).unwrap());
        for index in 0..size as u64 {
            assert_proven(&checkpoint, &tiles, index);
        }
        for older in 0..size {
            let older = checkpoint_of(&log, older);
            let proof = tiles.consistency_proof(older.size()).unwrap();
            older.is_extended_by(&checkpoint, &proof).unwrap();
        }
    }
}

#[tokio::test]
async fn a_log_of_seventy_thousand_entries_is_served_in_tiles() {
    let server = LogServer::start(log_of(70_000)).await.unwrap();
    let checkpoint = checkpoint(&server).await;
    let mut files = std::collections::HashMap::new();
    for tile in all_tiles(checkpoint.size()) {
        let reply = get(&format!("{}/{tile}", server.read_url())).await;
        assert_eq!((reply.status, reply.is_whole()), (200, true), "{tile}");
        files.insert(tile, reply.body);
    }
    let tiles = authenticated(&checkpoint, |tile| files[&tile].clone());
    for index in [0, 12_345, 65_535, 65_536, 69_999] {
        assert_proven(&checkpoint, &tiles, index);
    }
    for number in [0, 272, 273] {
        let bundle = BundleId::at(number, checkpoint.size()).unwrap();
        let reply = get(&format!("{}/{bundle}", server.read_url())).await;
        let entries = tiles.bundle(bundle, &reply.body).unwrap();
        assert_eq!(entries.entries()[0], format!("entry {}", number * 256).as_bytes());
    }
}

#[tokio::test]
async fn partial_tiles_are_there_for_sizes_that_were_published() {
    let server = server().await;
    server.append(["a", "b", "c"]);
    server.append(["d", "e", "f", "g"]);
    let status = async |path: &str| get(&format!("{}/{path}", server.read_url())).await.status;
    for (path, expected) in [
        ("tile/0/000.p/3", 200),
        ("tile/0/000.p/7", 200),
        ("tile/entries/000.p/7", 200),
        ("tile/0/000.p/5", 404),
        ("tile/entries/000.p/5", 404),
        ("tile/0/000.p/8", 404),
        ("tile/0/000", 404),
        ("tile/1/000.p/1", 404),
        ("tile/63/000", 404),
        ("tile/0/0", 404),
    ] {
        assert_eq!(status(path).await, expected, "{path}");
    }
    server.append(vec!["more"; 300]);
    for (path, expected) in [
        ("tile/0/000", 200),
        ("tile/0/000.p/7", 200),
        ("tile/0/001.p/51", 200),
        ("tile/1/000.p/1", 200),
        ("tile/entries/000", 200),
        ("tile/0/001", 404),
    ] {
        assert_eq!(status(path).await, expected, "{path}");
    }
}

#[test]
fn a_folder_holds_the_log_of_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_of(600);
    for size in [0, 1, 256, 515, 600] {
        let folder = folder.path().join(size.to_string());
        log.write_folder(&folder, &Handing { size: Some(size), ..Handing::default() }).unwrap();
        assert_folder(&folder, &log, size);
    }
}

fn assert_folder(folder: &Path, log: &TestLog, size: usize) {
    let read = |path: &str| std::fs::read(folder.join(path)).unwrap();
    let note = read("checkpoint");
    let checkpoint = UnverifiedCheckpoint::parse(&note).unwrap();
    let checkpoint = checkpoint.verify(&identity(log), &[]).unwrap();
    assert_eq!(checkpoint.size().get(), size as u64);
    let tiles = authenticated(&checkpoint, |tile| read(&tile.to_string()));
    let mut entries = 0;
    for bundle in (0..).map_while(|number| BundleId::at(number, checkpoint.size())) {
        let bytes = read(&bundle.to_string());
        entries += tiles.bundle(bundle, &bytes).unwrap().entries().len();
    }
    assert_eq!(entries, size);
}

#[test]
fn an_entry_that_fits_no_bundle_makes_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = log_of(1);
    log.append(vec![0; 65_536]);
    assert!(log.write_folder(folder.path(), &Handing::default()).is_err());
    let first_only = Handing { size: Some(1), ..Handing::default() };
    log.write_folder(folder.path(), &first_only).unwrap();
}

#[test]
fn another_leaf_or_another_size_is_another_tree_under_the_same_key() {
    let log = log_of(20);
    let (shorter, forked) = (log.truncated(12), log.with_leaf(3, "other"));
    assert_eq!(checkpoint_of(&shorter, 12).root(), checkpoint_of(&log, 12).root());
    assert_eq!(forked.size(), log.size());
    assert_ne!(checkpoint_of(&forked, 20).root(), checkpoint_of(&log, 20).root());
    assert_eq!(checkpoint_of(&forked, 3).root(), checkpoint_of(&log, 3).root());
    assert_eq!((forked.indices_of(b"other"), log.leaf(3)), (vec![3], Some(&b"entry 3"[..])));
}
