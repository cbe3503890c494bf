//! Tiles that are kept: never before they were authenticated, and never believed without that.

use std::path::{Path, PathBuf};

use genten_primitives::Sha256Digest;
use genten_rekor::{LogReader, TreeCache};
use genten_testkit::{LogServer, ReadFault};
use genten_tlog::LeafIndex;
use genten_tlog::merkle::leaf_hash;

use crate::support::{entries, numbered, reader};

/// All files below a folder, by their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Reads all entries and one proof; how many requests that took.
async fn read(server: &LogServer, reader: &LogReader) -> Vec<String> {
    let before = server.reads().len();
    let checkpoint = reader.checkpoint().await.unwrap();
    let end = checkpoint.size().get();
    assert_eq!(entries(reader, &checkpoint, 0..end).await.unwrap().len() as u64, end);
    let index = LeafIndex::new(7).unwrap();
    assert!(reader.prove_inclusion(&checkpoint, index, leaf_hash(b"7")).await.is_ok());
    server.reads().split_off(before)
}

#[tokio::test]
async fn full_tiles_are_read_once_and_no_bundle_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let server = LogServer::start(numbered(600)).await.unwrap();
    let reader = reader(&server).with_cache(TreeCache::new(folder.path()));
    let first = read(&server, &reader).await;
    assert!(first.iter().any(|path| path.ends_with("tile/entries/001")));
    let log = Sha256Digest::of(b"log.example").to_string();
    let kept: Vec<_> = files(folder.path())
        .iter()
        .map(|path| path.strip_prefix(folder.path().join(&log)).unwrap().to_owned())
        .collect();
    assert_eq!(kept, [PathBuf::from("tile/0/000")], "partial tiles would be other files soon");
    let second = read(&server, &reader).await;
    assert!(first.iter().any(|path| path.ends_with("tile/0/000")));
    assert!(!second.iter().any(|path| path.ends_with("tile/0/000")));
}

#[tokio::test]
async fn damage_is_noticed_and_mended() {
    let folder = tempfile::tempdir().unwrap();
    let server = LogServer::start(numbered(600)).await.unwrap();
    let reader = reader(&server).with_cache(TreeCache::new(folder.path()));
    read(&server, &reader).await;
    for path in files(folder.path()) {
        let good = std::fs::read(&path).unwrap();
        let mut flipped = good.clone();
        flipped[good.len() / 2] ^= 1;
        let longer = [&good[..], &[0]].concat();
        for bad in [flipped, longer, good[..good.len() / 2].to_vec(), Vec::new()] {
            std::fs::write(&path, bad).unwrap();
            read(&server, &reader).await;
            assert_eq!(std::fs::read(&path).unwrap(), good, "{}", path.display());
        }
    }
}

#[tokio::test]
async fn what_does_not_hold_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let server = LogServer::start(numbered(600)).await.unwrap();
    server.bundles().always(ReadFault::FlippedBit);
    server.file("tile/0/000").always(ReadFault::FlippedBit);
    let reader = reader(&server).with_cache(TreeCache::new(folder.path()));
    let checkpoint = reader.checkpoint().await.unwrap();
    assert!(entries(&reader, &checkpoint, 0..600).await.is_err());
    let index = LeafIndex::new(7).unwrap();
    assert!(reader.prove_inclusion(&checkpoint, index, leaf_hash(b"7")).await.is_err());
    assert_eq!(files(folder.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_log_that_shows_another_tree_is_not_read_from_what_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let server = LogServer::start(numbered(600)).await.unwrap();
    let reader = reader(&server).with_cache(TreeCache::new(folder.path()));
    read(&server, &reader).await;
    server.replace_log(numbered(600).with_leaf(300, "another"));
    let checkpoint = reader.checkpoint().await.unwrap();
    let all = entries(&reader, &checkpoint, 0..600).await.unwrap();
    assert_eq!(all[300].1, b"another");
}

#[tokio::test]
async fn a_cache_that_cannot_be_written_costs_requests_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, b"no folder").unwrap();
    let server = LogServer::start(numbered(600)).await.unwrap();
    let reader = reader(&server).with_cache(TreeCache::new(&file));
    let (first, second) = (read(&server, &reader).await, read(&server, &reader).await);
    assert_eq!(first.len(), second.len());
}
