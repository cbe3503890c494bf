//! Reading a log whose files are missing, damaged or those of another.

use std::path::Path;

use genten_rekor::{LogReader, LogTrust, ReadError, TreeCache, TreeLocation};
use genten_testkit::log::Handing;
use genten_testkit::{LogServer, NetFault, ReadFault, Refusal, RetryAfter, SeedKey};
use genten_tlog::merkle::leaf_hash;
use genten_tlog::{CheckpointError, TileError};

use crate::reader::{index, read_all};
use crate::support::{entries, http, numbered, reader};

#[tokio::test]
async fn partial_files_that_are_gone_are_the_beginning_of_the_full_ones() {
    let server = LogServer::start(numbered(300)).await.unwrap();
    let reader = reader(&server);
    let old = reader.checkpoint().await.unwrap();
    server.append((300..600).map(|entry| entry.to_string()));
    server.tiles().always(ReadFault::FullOnly);
    server.bundles().always(ReadFault::FullOnly);
    read_all(&reader, &old).await.unwrap();
    assert!(reader.prove_inclusion(&old, index(299), leaf_hash(b"299")).await.is_ok());
    assert!(server.reads().iter().any(|path| path.ends_with("tile/0/001")));
    assert!(server.reads().iter().any(|path| path.ends_with("tile/entries/001")));
}

#[tokio::test]
async fn a_partial_file_that_never_was_is_missing_under_its_own_name() {
    let server = LogServer::start(numbered(300)).await.unwrap();
    let reader = reader(&server);
    let checkpoint = reader.checkpoint().await.unwrap();
    server.tiles().always(ReadFault::Missing);
    let error = reader.tiles(&checkpoint).await.unwrap_err();
    let ReadError::Status { url, status: 404, .. } = error else { panic!("{error:?}") };
    assert!(url.ends_with("tile/0/001.p/44"), "{url}");
}

#[tokio::test]
async fn tiles_that_do_not_make_the_root_are_refused() {
    let server = LogServer::start(numbered(600)).await.unwrap();
    let reader = reader(&server);
    let checkpoint = reader.checkpoint().await.unwrap();
    let faults = [
        ReadFault::FlippedBit,
        ReadFault::SplitView,
        ReadFault::Net(NetFault::Malformed),
        ReadFault::Net(NetFault::Oversize(8193)),
    ];
    for fault in faults {
        for path in ["tile/0/002.p/88", "tile/1/000.p/2", "tile/0/000"] {
            server.file(path).always(fault.clone());
            let proof = reader.prove_inclusion(&checkpoint, index(5), leaf_hash(b"5")).await;
            server.file(path).clear();
            // The other tree differs in its first leaf only.
            let is_same = matches!(fault, ReadFault::SplitView) && path == "tile/0/002.p/88";
            match proof {
                Ok(_) => assert!(is_same, "{path} {fault:?}"),
                Err(ReadError::Tile(_) | ReadError::Http(_)) => assert!(!is_same),
                Err(error) => panic!("{error:?}"),
            }
        }
    }
    assert!(reader.prove_inclusion(&checkpoint, index(5), leaf_hash(b"5")).await.is_ok());
}

#[tokio::test]
async fn a_bundle_that_does_not_hold_is_never_skipped() {
    let server = LogServer::start(numbered(700)).await.unwrap();
    let reader = reader(&server);
    let checkpoint = reader.checkpoint().await.unwrap();
    let faults = [
        ReadFault::FlippedBit,
        ReadFault::Missing,
        ReadFault::Net(NetFault::Malformed),
        ReadFault::Net(NetFault::Oversize(20 << 20)),
        ReadFault::Net(NetFault::Reset),
        ReadFault::Net(NetFault::Refuse(Refusal::status(503))),
    ];
    for path in ["tile/entries/000", "tile/entries/001", "tile/entries/002.p/188"] {
        for fault in &faults {
            server.file(path).always(fault.clone());
            let mut walk = reader.entries(&checkpoint, 0..700).await.unwrap();
            let mut read = Vec::new();
            let mut errors = 0;
            loop {
                match walk.next().await {
                    Ok(None) => break,
                    Ok(Some(chunk)) => read.extend(chunk.range()),
                    Err(_) => {
                        errors += 1;
                        assert_eq!(read.len() % 256, 0);
                        server.file(path).clear();
                    }
                }
            }
            assert_eq!((errors, read), (1, (0..700).collect()), "{path} {fault:?}");
        }
    }
}

/// They can be read as entries, and their hashes are not in the tree.
#[tokio::test]
async fn entries_of_another_tree_are_refused() {
    let (log, folder) = (numbered(700), tempfile::tempdir().unwrap());
    log.with_leaf(300, "003").write_folder(folder.path(), &Handing::default()).unwrap();
    let other = std::fs::read(folder.path().join("tile/entries/001")).unwrap();
    log.write_folder(folder.path(), &Handing::default()).unwrap();
    std::fs::write(folder.path().join("tile/entries/001"), other).unwrap();
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let checkpoint = reader.checkpoint().await.unwrap();
    assert!(entries(&reader, &checkpoint, 0..256).await.is_ok());
    let error = entries(&reader, &checkpoint, 256..512).await.unwrap_err();
    assert!(matches!(error, ReadError::Tile(_)), "{error:?}");
}

/// A pipe in the place of a file would be waited for without end.
#[cfg(unix)]
#[tokio::test]
async fn a_pipe_in_a_folder_is_not_read() {
    let (log, folder) = (numbered(600), tempfile::tempdir().unwrap());
    log.write_folder(folder.path(), &Handing::default()).unwrap();
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let cache = TreeCache::new(folder.path().join("cache"));
    let kept = cache.path("log.example", "tile/0/000");
    std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
    let make_pipe = |path: &Path| {
        let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
        assert!(made.success());
    };
    make_pipe(&kept);
    let checkpoint = reader.checkpoint().await.unwrap();
    let cached = reader.clone().with_cache(cache);
    cached.prove_inclusion(&checkpoint, index(7), leaf_hash(b"7")).await.unwrap();

    std::fs::remove_file(folder.path().join("checkpoint")).unwrap();
    make_pipe(&folder.path().join("checkpoint"));
    let error = reader.checkpoint().await.unwrap_err();
    assert!(matches!(error, ReadError::File { .. }), "{error:?}");
}

#[tokio::test]
async fn servers_that_refuse_say_when_to_come_back() {
    let server = LogServer::start(numbered(10)).await.unwrap();
    let busy = Refusal::status(429).retry_after(RetryAfter::Seconds(7));
    server.checkpoints().next([ReadFault::Net(NetFault::Refuse(busy))]);
    let error = reader(&server).checkpoint().await.unwrap_err();
    assert_eq!(
        (error.code(), error.retry_after()),
        ("rekor.read.status", Some(std::time::Duration::from_secs(7)))
    );
    assert!(!error.hint().is_empty());
}

#[tokio::test]
async fn a_connection_that_was_closed_meanwhile_is_opened_again() {
    let server = LogServer::start(numbered(10)).await.unwrap();
    server.checkpoints().next([ReadFault::Net(NetFault::CutBeforeAnswer)]);
    assert!(reader(&server).checkpoint().await.is_ok());
    server.checkpoints().always(ReadFault::Net(NetFault::CutInAnswer));
    let error = reader(&server).checkpoint().await.unwrap_err();
    assert_eq!(error.code(), "rekor.http.broken-off");
}

#[tokio::test]
async fn checkpoints_of_others_are_refused() {
    let log = numbered(5);
    let location = |note: String| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("checkpoint"), note).unwrap();
        folder
    };
    let read = async |note: String| {
        let folder = location(note);
        let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
        LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust).checkpoint().await
    };
    assert!(read(log.checkpoint(&Handing::default())).await.is_ok());
    let intruder = SeedKey::ed25519("intruder");
    let forged = log.checkpoint(&Handing { signer: Some(&intruder), ..Handing::default() });
    let error = read(forged).await.unwrap_err();
    let ReadError::Checkpoint(CheckpointError::LogSignature { .. }) = error else {
        panic!("{error:?}")
    };
    let other = genten_testkit::log::TestLog::new("other.example").checkpoint(&Handing::default());
    let error = read(other).await.unwrap_err();
    let ReadError::Checkpoint(CheckpointError::OtherOrigin { .. }) = error else {
        panic!("{error:?}")
    };
    let error = read("no note".to_owned()).await.unwrap_err();
    assert_eq!(error.code(), "rekor.read.checkpoint");
}

#[tokio::test]
async fn a_folder_that_is_no_log_says_which_file_is_missing() {
    let (folder, log) = (tempfile::tempdir().unwrap(), numbered(5));
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let error = reader.checkpoint().await.unwrap_err();
    let ReadError::File { path, .. } = error else { panic!("{error:?}") };
    assert_eq!(path, folder.path().join("checkpoint"));
    std::fs::write(&path, vec![b'x'; (1 << 20) + 1]).unwrap();
    let error = reader.checkpoint().await.unwrap_err();
    assert!(matches!(error, ReadError::FileTooLarge { limit, .. } if limit == 1 << 20));
    std::fs::remove_file(&path).unwrap();
    log.write_folder(folder.path(), &Handing::default()).unwrap();
    let bundle = folder.path().join("tile/entries/000.p/5");
    std::fs::write(&bundle, b"\x00\x01").unwrap();
    let checkpoint = reader.checkpoint().await.unwrap();
    let error = entries(&reader, &checkpoint, 0..5).await.unwrap_err();
    assert!(matches!(error, ReadError::Tile(TileError::BundleTruncated { .. })), "{error:?}");
}
