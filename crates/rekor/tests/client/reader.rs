//! Reading a log: what is given out was signed, whatever the server does.

use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use flate2::Compression;
use flate2::write::GzEncoder;
use genten_rekor::{LogReader, LogTrust, ReadError, TreeLocation};
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::{Answer, HttpsSite, LogServer};
use genten_tlog::merkle::leaf_hash;
use genten_tlog::{BundleId, Checkpoint, LeafIndex, TreeSize, WitnessPolicy};

use crate::support::{
    entries, files, http, live, live_key, live_log, live_text, numbered, reader, settings, site,
};

pub(crate) fn index(position: u64) -> LeafIndex {
    LeafIndex::new(position).unwrap()
}

fn size(leaves: u64) -> TreeSize {
    TreeSize::new(leaves).unwrap()
}

/// All entries of a numbered log are there, in order.
pub(crate) async fn read_all(reader: &LogReader, checkpoint: &Checkpoint) -> Result<(), ReadError> {
    let end = checkpoint.size().get();
    let read = entries(reader, checkpoint, 0..end).await?;
    let expected: Vec<_> = (0..end).map(|entry| (entry, entry.to_string().into_bytes())).collect();
    assert_eq!(read, expected);
    Ok(())
}

/// Readers of the recorded log: of its folder, and of a server of its files.
async fn live_readers() -> Vec<(LogReader, Option<HttpsSite>)> {
    let Some(folder) = live("log") else { return Vec::new() };
    let policy = WitnessPolicy::parse(&live_text("witness-policy.txt").unwrap()).unwrap();
    let trust = LogTrust::of_keys(&[live_key()]).unwrap().with_witnesses(policy);
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
    let (log, folder) = (numbered(131_500), tempfile::tempdir().unwrap());
    log.write_folder(folder.path(), &Handing::default()).unwrap();
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let checkpoint = reader.checkpoint().await.unwrap();
    // Two branches that are full, neither of them at the edge.
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

/// Reads all entries of a log from a site.
async fn read_whole(log: &TestLog, site: &HttpsSite) {
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    let location = TreeLocation::Url(site.url("").parse().unwrap());
    let reader = LogReader::new(http(), location, trust);
    let checkpoint = reader.checkpoint().await.unwrap();
    read_all(&reader, &checkpoint).await.unwrap();
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
    read_whole(&log, &site).await;
    assert_eq!(most.load(Ordering::SeqCst), 8);
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
    read_whole(&log, &site).await;
    let seen = site.seen();
    let asked = seen.iter().map(|request| request.header("accept-encoding").unwrap());
    assert!(asked.collect::<Vec<_>>().iter().all(|field| field == "gzip, identity"));
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
