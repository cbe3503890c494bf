//! Journals of earlier versions open and keep their rows; those of later versions and other programs are refused and left
//! as they are.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::entry;
use genten_primitives::Sha256Digest;
use genten_store::{
    BodyPlace, Damage, Durability, Entry, Filter, Journal, LogState, LogStatus, StoreError,
};
use rusqlite::Connection;

fn old_journal(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/journal-v1.db");
    let path = folder.join("journal.db");
    fs::copy(source, &path).unwrap();
    path
}

fn bytes_of(byte: u8) -> Sha256Digest {
    Sha256Digest::from_bytes([byte; 32])
}

#[test]
fn version_1_keeps_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = old_journal(folder.path());
    let journal = Journal::open(&path, Durability::Normal).unwrap();
    journal.check().unwrap();
    assert_eq!(journal.count(&Filter::default()).unwrap(), 3);
    assert_eq!(journal.get(&bytes_of(1)).unwrap().unwrap(), first());
    assert_eq!(journal.get(&bytes_of(2)).unwrap().unwrap(), second());
    // The spelling of times is not part of their equality.
    assert_eq!(
        journal.get(&bytes_of(1)).unwrap().unwrap().fetched_at.to_string(),
        "2026-11-30T08:00:00Z"
    );

    let third = journal.get(&bytes_of(3)).unwrap().unwrap();
    assert_eq!(third.log, LogState::Logged.into());
    #[cfg(unix)]
    assert_eq!(third.bundle_path.unwrap().as_os_str().as_encoded_bytes(), b"/data/\xff");

    drop(journal);
    let version: i64 = Connection::open(&path)
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, 4);
}

fn first() -> Entry {
    Entry {
        manifest_id: bytes_of(1),
        recorded_at: "2026-11-30T08:00:01.250Z".parse().unwrap(),
        fetched_at: "2026-11-30T08:00:00Z".parse().unwrap(),
        attested_at: None,
        url: "https://www.rfc-editor.org/rfc/rfc9421.txt".into(),
        final_url: None,
        revision: None,
        source_class: Some("static".into()),
        capture: "recorded".into(),
        key_id: "did:key:zExample#zExample".into(),
        content_sha256: bytes_of(0xab),
        content_bytes: Some(12),
        body_place: BodyPlace::BodyStore,
        bundle_path: Some("/home/user/rfc9421.txt.provenance.json".into()),
        manifest: Some(br#"{"source_url":"https://www.rfc-editor.org/rfc/rfc9421.txt"}"#.to_vec()),
        log: LogStatus::default(),
    }
}

fn second() -> Entry {
    Entry {
        manifest_id: bytes_of(2),
        recorded_at: "2026-11-30T08:00:02.000Z".parse().unwrap(),
        fetched_at: "2026-11-30T07:00:00.125Z".parse().unwrap(),
        attested_at: Some("2026-11-30T08:00:02Z".parse().unwrap()),
        url: "https://example.org/data?key=***".into(),
        final_url: Some("https://cdn.example.org/data?key=***".into()),
        revision: Some("\"v2\"".into()),
        source_class: None,
        capture: "reported".into(),
        key_id: "did:web:example.org#key-1".into(),
        content_sha256: bytes_of(0xcd),
        content_bytes: None,
        body_place: BodyPlace::Path("/data/body.bin".into()),
        bundle_path: None,
        manifest: None,
        log: LogState::Queued.into(),
    }
}

/// Opens `path`, which must fail and change nothing.
fn refused(path: &Path) -> StoreError {
    let before = fs::read(path).unwrap();
    let error = Journal::open(path, Durability::Normal).unwrap_err();
    assert_eq!(fs::read(path).unwrap(), before, "a refused file is not changed");
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    error
}

#[test]
fn a_newer_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = old_journal(folder.path());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 5).unwrap();
    let error = refused(&path);
    assert!(matches!(error, StoreError::NewerSchema { found: 5, supported: 4, .. }), "{error}");
    assert_eq!(error.code(), "store.newer-schema");
}

#[test]
fn another_programs_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cookies.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE cookie (value TEXT)").unwrap();
    assert_eq!(refused(&path).code(), "store.not-a-journal");

    Connection::open(&path).unwrap().pragma_update(None, "user_version", 1).unwrap();
    assert_eq!(refused(&path).code(), "store.not-a-journal");
}

#[test]
fn what_is_not_a_database_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    fs::write(&path, vec![b'x'; 8192]).unwrap();
    let error = refused(&path);
    assert!(matches!(error, StoreError::Corrupt { damage: Damage::File { .. }, .. }), "{error}");
}

#[test]
fn the_check_finds_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = Journal::open(&path, Durability::Normal).unwrap();
    for number in 0..200 {
        journal.record(&entry(number)).unwrap();
    }
    journal.check().unwrap();
    drop(journal);

    let mut bytes = fs::read(&path).unwrap();
    let page = bytes.len() / 4096 / 2 * 4096;
    bytes[page..page + 4096].fill(0x5a);
    fs::write(&path, bytes).unwrap();
    let error =
        Journal::open(&path, Durability::Normal).and_then(|journal| journal.check()).unwrap_err();
    assert_eq!(error.code(), "store.corrupt", "{error}");
}

#[test]
fn an_impossible_value_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = old_journal(folder.path());
    let change = "UPDATE entry SET content_sha256 = upper(content_sha256) WHERE id = 2";
    Connection::open(&path).unwrap().execute_batch(change).unwrap();
    let journal = Journal::open(&path, Durability::Normal).unwrap();
    let expected = Damage::Value { row: 2, column: "content_sha256" };
    match journal.get(&bytes_of(2)).unwrap_err() {
        StoreError::Corrupt { damage, .. } => assert_eq!(damage, expected),
        other => panic!("{other}"),
    }
    let listed: Vec<_> =
        journal.list(&Filter::default()).unwrap().map(|item| item.is_ok()).collect();
    assert_eq!(listed, [false, true, true], "the other rows stay readable");
}
