//! Reading a log: what is given out was signed, whatever the server does.

use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use flate2::Compression;
use flate2::write::GzEncoder;
use genten_rekor::{LogReader, LogTrust, ReadError, TreeLocation};
use genten_testkit::log::Handing;
use genten_testkit::{Answer, LogServer, NetFault, ReadFault, Refusal, RetryAfter, SeedKey};
use genten_tlog::merkle::leaf_hash;
use genten_tlog::{
    BundleId, Checkpoint, CheckpointError, LeafIndex, TileError, TreeSize, WitnessPolicy,
};

use crate::support::{
    entries, files, http, live, live_key, live_log, live_text, numbered, reader, settings, site,
};

fn index(position: u64) -> LeafIndex {
    LeafIndex::new(position).unwrap()
}

fn size(leaves: u64) -> TreeSize {
    TreeSize::new(leaves).unwrap()
}

/// All entries of a numbered log are there, in order.
async fn read_all(reader: &LogReader, checkpoint: &Checkpoint) -> Result<(), ReadError> {
    let end = checkpoint.size().get();
    let read = entries(reader, checkpoint, 0..end).await?;
    let expected: Vec<_> = (0..end).map(|entry| (entry, entry.to_string().into_bytes())).collect();
    assert_eq!(read, expected);
    Ok(())
}

/// Readers of the recorded log: of its folder, and of a server of its files.
async fn live_readers() -> Vec<(LogReader, Option<genten_testkit::HttpsSite>)> {
    let Some(folder) = live("log") else { return Vec::new() };
    let policy = WitnessPolicy::parse(&live_text("witness-policy.txt").unwrap()).unwrap();
    let trust = LogTrust::of_keys(&[live_key().unwrap()]).unwrap().with_witnesses(policy);
    let server = files(folder).await;
    let url = TreeLocation::Url(server.url("").parse().unwrap());
    vec![
        (LogReader::new(http(), live_log().unwrap(), trust.clone()), None),
        (LogReader::new(http(), url, trust), Some(server)),
    ]
}

#[tokio::test]
async fn the_recorded_log_is_read_from_its_folder_and_from_a_server() {
    for (reader, _server) in live_readers().await {
        let checkpoint = reader.checkpoint().await.unwrap();
        assert_eq!((checkpoint.size(), checkpoint.cosignatures().len()), (size(710), 2));
        let all = entries(&reader, &checkpoint, 0..710).await.unwrap();
        assert_eq!(all.len(), 710);
        for (at, entry) in all.iter().step_by(89) {
            assert!(entry.starts_with(br#"{"apiVersion":"0.0.2","kind":"hashedrekord""#));
            let leaf = leaf_hash(entry);
            assert!(reader.prove_inclusion(&checkpoint, index(*at), leaf).await.is_ok());
        }
        let some = entries(&reader, &checkpoint, 200..520).await.unwrap();
        assert_eq!(some[..], all[200..520]);
    }
}

#[tokio::test]
async fn the_recorded_log_has_grown_from_each_of_its_sizes() {
    for (reader, _server) in live_readers().await {
        let new = reader.checkpoint().await.unwrap();
        for old in [0, 1, 5, 69, 194, 255, 256, 257, 512, 709, 710] {
            let growth = reader.prove_consistency(size(old), &new).await.unwrap();
            let (old, new) = ((size(old), growth.root), (new.size(), new.root()));
            assert_eq!(growth.proof.check(old, new), Ok(()));
        }
        let error = reader.prove_consistency(size(711), &new).await.unwrap_err();
        assert_eq!(error.code(), "rekor.read.tile");
    }
}

#[tokio::test]
async fn another_leaf_and_an_index_behind_the_tree_are_told() {
    let server = LogServer::start(numbered(300)).await.unwrap();
    let reader = reader(&server);
    let checkpoint = reader.checkpoint().await.unwrap();
    let prove = |at, leaf| reader.prove_inclusion(&checkpoint, index(at), leaf_hash(leaf));
    assert!(prove(299, b"299").await.is_ok());
    let error = prove(298, b"299").await.unwrap_err();
    assert!(matches!(error, ReadError::OtherLeaf { .. }), "{error:?}");
    let error = prove(300, b"300").await.unwrap_err();
    assert!(matches!(error, ReadError::BeyondTree { .. }), "{error:?}");
    let error = entries(&reader, &checkpoint, 0..301).await.unwrap_err();
    assert!(matches!(error, ReadError::BeyondTree { .. }), "{error:?}");
    assert_eq!(entries(&reader, &checkpoint, 300..300).await.unwrap(), []);
}

#[tokio::test]
async fn trees_of_every_shape_are_read() {
    for leaves in [0, 1, 2, 255, 256, 257, 512, 700] {
        let server = LogServer::start(numbered(leaves)).await.unwrap();
        let reader = reader(&server);
        let checkpoint = reader.checkpoint().await.unwrap();
        read_all(&reader, &checkpoint).await.unwrap();
    }
}

#[tokio::test]
async fn a_large_log_is_read_across_the_ends_of_its_tiles() {
    let (log, folder) = (numbered(66_000), tempfile::tempdir().unwrap());
    log.write_folder(folder.path(), &Handing::default()).unwrap();
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let checkpoint = reader.checkpoint().await.unwrap();
    let read = entries(&reader, &checkpoint, 65_000..66_000).await.unwrap();
    assert!(read.iter().all(|(index, entry)| index.to_string().as_bytes() == entry));
    assert_eq!(read.len(), 1000);
    for at in [0, 65_535, 65_536, 65_999] {
        let leaf = leaf_hash(at.to_string().as_bytes());
        assert!(reader.prove_inclusion(&checkpoint, index(at), leaf).await.is_ok());
    }
    for old in [1, 65_536, 65_537] {
        let growth = reader.prove_consistency(size(old), &checkpoint).await.unwrap();
        let root = log.truncated(old.try_into().unwrap()).root();
        assert_eq!(growth.root, root);
    }
}

#[tokio::test]
async fn no_more_than_eight_requests_run_at_a_time() {
    let log = numbered(16 * 256);
    let wave = Arc::new(Barrier::new(8));
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (served, peak) = (log.clone(), Arc::clone(&most));
    let site = site(move |request| {
        let path = request.target.trim_start_matches('/');
        let Ok(bundle) = path.parse::<BundleId>() else {
            return match path.parse() {
                Ok(tile) => Answer::ok(served.tile(tile).unwrap()),
                Err(_) => Answer::ok(served.checkpoint(&Handing::default())),
            };
        };
        let now = running.fetch_add(1, Ordering::SeqCst) + 1;
        peak.fetch_max(now, Ordering::SeqCst);
        // Whoever asks for fewer at a time would wait here for ever.
        wave.wait();
        running.fetch_sub(1, Ordering::SeqCst);
        Answer::ok(served.bundle(bundle).unwrap())
    })
    .await;
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    let location = TreeLocation::Url(site.url("").parse().unwrap());
    let reader = LogReader::new(http(), location, trust);
    let checkpoint = reader.checkpoint().await.unwrap();
    read_all(&reader, &checkpoint).await.unwrap();
    assert_eq!(most.load(Ordering::SeqCst), 8);
}

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
async fn bundles_in_gzip_are_unpacked() {
    let log = numbered(400);
    let served = log.clone();
    let site = site(move |request| {
        let path = request.target.trim_start_matches('/');
        if let Ok(bundle) = path.parse::<BundleId>() {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&served.bundle(bundle).unwrap()).unwrap();
            return Answer::ok(encoder.finish().unwrap()).header("content-encoding", "gzip");
        }
        match path.parse() {
            Ok(tile) => Answer::ok(served.tile(tile).unwrap()),
            Err(_) => Answer::ok(served.checkpoint(&Handing::default())),
        }
    })
    .await;
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    let location = TreeLocation::Url(site.url("").parse().unwrap());
    let reader = LogReader::new(http(), location, trust);
    let checkpoint = reader.checkpoint().await.unwrap();
    read_all(&reader, &checkpoint).await.unwrap();
    let seen = site.seen();
    let asked = seen.iter().map(|request| request.header("accept-encoding").unwrap());
    assert!(asked.collect::<Vec<_>>().iter().all(|field| field == "gzip, identity"));
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

#[tokio::test]
async fn a_log_is_read_over_tls_with_a_root_of_ones_own() {
    let authority = genten_testkit::Authority::new("Own Root").unwrap();
    let identity = authority.issue_for("localhost").unwrap();
    let server = LogServer::builder(numbered(300)).identity(identity).start().await.unwrap();
    let key = server.with_log(|log| log.note_key().clone());
    let http = settings().root_pem(authority.root_pem()).unwrap().build().unwrap();
    let location = TreeLocation::Url(server.read_url().parse().unwrap());
    let reader = LogReader::new(http, location, LogTrust::of_keys(&[key]).unwrap());
    let checkpoint = reader.checkpoint().await.unwrap();
    read_all(&reader, &checkpoint).await.unwrap();
}
