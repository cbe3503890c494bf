//! Beginning and opening.

use std::fs;

use genten_primitives::PublicKey;
use genten_store::log::{CheckpointSigner, EmbeddedLog, LogFolder};
use genten_tlog::NoteKey;

use crate::common::files;
use crate::kit::{ORIGIN, Signer, code, entries, expect_whole, key, log, log_of, reader};

#[test]
fn a_new_log_is_empty_and_says_whose_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/below/log");
    EmbeddedLog::create(&path, Signer::boxed(1)).unwrap();
    assert_eq!(fs::read_to_string(path.join("log.vkey")).unwrap(), key().to_vkey() + "\n");
    let reader = LogFolder::new(&path, LogFolder::stated_key(&path).unwrap()).unwrap();
    let checkpoint = reader.checkpoint().unwrap();
    assert_eq!((checkpoint.origin(), checkpoint.size().get()), (ORIGIN, 0));
    expect_whole(&path, 0);
}

#[test]
fn a_log_is_never_begun_twice() {
    let folder = tempfile::tempdir().unwrap();
    log_of(folder.path(), 3);
    let before = files(folder.path());
    assert_eq!(code(EmbeddedLog::create(folder.path(), Signer::boxed(1))), "store.already-exists");
    assert_eq!(code(EmbeddedLog::create(folder.path(), Signer::boxed(2))), "store.already-exists");
    assert_eq!(files(folder.path()), before);
    EmbeddedLog::open_or_create(folder.path(), Signer::boxed(1)).unwrap();
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_log_whose_beginning_was_interrupted_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    log(folder.path());
    fs::remove_file(folder.path().join("checkpoint")).unwrap();
    let other = EmbeddedLog::create(folder.path(), Signer::boxed(2));
    assert_eq!(code(other), "log.folder.other-key");
    EmbeddedLog::create(folder.path(), Signer::boxed(1)).unwrap();
    expect_whole(folder.path(), 0);
}

#[test]
fn a_log_that_lost_its_checkpoint_is_not_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    log_of(folder.path(), 3);
    fs::remove_file(folder.path().join("checkpoint")).unwrap();
    let before = files(folder.path());
    for result in [
        EmbeddedLog::create(folder.path(), Signer::boxed(1)),
        EmbeddedLog::open_or_create(folder.path(), Signer::boxed(1)),
    ] {
        assert_eq!(code(result), "log.folder.checkpoint-lost");
    }
    assert_eq!(code(EmbeddedLog::open(folder.path(), Signer::boxed(1))), "store.not-found");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn there_is_nothing_to_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none");
    assert_eq!(code(EmbeddedLog::open(&path, Signer::boxed(1))), "store.not-found");
    assert_eq!(code(reader(&path).checkpoint()), "store.not-found");
    assert_eq!(code(LogFolder::stated_key(&path)), "store.not-found");
    assert!(!path.exists());
    fs::write(&path, b"a file").unwrap();
    assert_eq!(code(EmbeddedLog::create(&path, Signer::boxed(1))), "store.not-a-directory");
}

#[test]
fn a_log_of_another_key_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    log_of(folder.path(), 3);
    let before = files(folder.path());
    for open in [EmbeddedLog::open, EmbeddedLog::open_or_create] {
        assert_eq!(code(open(folder.path().to_owned(), Signer::boxed(2))), "log.folder.other-key");
    }
    let reader = LogFolder::new(folder.path(), Signer::new(2).key().clone()).unwrap();
    assert_eq!(code(reader.checkpoint()), "log.folder.checkpoint");
    assert_eq!(code(reader.check(&mut |_, _| {})), "log.folder.checkpoint");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_checkpoint_of_another_key_is_refused() {
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let log = log_of(folder.path(), 3);
    let theirs = EmbeddedLog::create(other.path(), Signer::boxed(2)).unwrap();
    theirs.lock(None).unwrap().append(&entries(0..3)).unwrap();
    let name = "checkpoint";
    fs::copy(other.path().join(name), folder.path().join(name)).unwrap();
    assert_eq!(code(log.lock(None)), "log.folder.checkpoint");
    assert_eq!(code(EmbeddedLog::open(folder.path(), Signer::boxed(1))), "log.folder.checkpoint");
}

#[test]
fn a_key_file_without_key() {
    let folder = tempfile::tempdir().unwrap();
    log(folder.path());
    let long = vec![b'a'; 1 << 20];
    for text in [&b""[..], b"key", b"\xff", &[key().to_vkey().as_bytes(), b"\n\n"].concat(), &long]
    {
        fs::write(folder.path().join("log.vkey"), text).unwrap();
        assert_eq!(code(LogFolder::stated_key(folder.path())), "log.folder.verifier-key");
    }
}

/// Signs something else, or not at all.
struct Liar {
    key: NoteKey,
    signature: Vec<u8>,
}

impl CheckpointSigner for Liar {
    fn key(&self) -> &NoteKey {
        &self.key
    }

    fn sign(&self, _text: &str) -> Vec<u8> {
        self.signature.clone()
    }
}

#[test]
fn a_signer_whose_signature_does_not_hold_publishes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    log_of(folder.path(), 3);
    for signature in [vec![], vec![0; 63], Signer::new(1).sign("another text\n")] {
        let liar = || Box::new(Liar { key: key(), signature: signature.clone() });
        let log = EmbeddedLog::open(folder.path(), liar()).unwrap();
        assert_eq!(code(log.lock(None).unwrap().append(&entries(7..8))), "log.signer");
        expect_whole(folder.path(), 3);
        let new = folder.path().join("new");
        assert_eq!(code(EmbeddedLog::create(&new, liar())), "log.signer");
        assert!(new.join("log.vkey").exists() && !new.join("checkpoint").exists());
    }
    log(folder.path()).lock(None).unwrap().append(&entries(3..300)).unwrap();
    expect_whole(folder.path(), 300);
}

#[test]
fn a_key_that_witnesses_do_not_take_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let public: PublicKey = key().key().clone();
    let cosigner = NoteKey::cosignature(ORIGIN, &public).unwrap();
    let liar = Box::new(Liar { key: cosigner.clone(), signature: vec![] });
    assert_eq!(code(EmbeddedLog::create(folder.path(), liar)), "log.signer-kind");
    assert_eq!(code(LogFolder::new(folder.path(), cosigner)), "log.folder.key-kind");
    assert!(files(folder.path()).is_empty());
}
