//! The last checkpoint as somebody else remembers it.

use std::fs;
use std::path::Path;

use genten_store::log::EmbeddedLog;

use crate::common::files;
use crate::kit::{Signer, code, entries, log, log_of};

fn note(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("checkpoint")).unwrap()
}

fn copy(from: &Path, to: &Path) {
    for (path, bytes) in files(from) {
        let path = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn a_log_that_continues_what_is_known_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(folder.path());
    let mut known = vec![note(folder.path())];
    for (begin, end) in [(0, 1), (1, 256), (256, 300), (300, 1000)] {
        let mut writer = log.lock(known.last().map(Vec::as_slice)).unwrap();
        writer.append(&entries(begin..end)).unwrap();
        known.push(note(folder.path()));
    }
    for known in known {
        log.lock(Some(&known)).unwrap();
    }
}

#[test]
fn an_older_copy_is_refused() {
    let [folder, backup] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let log = log_of(folder.path(), 300);
    copy(folder.path(), backup.path());
    log.lock(None).unwrap().append(&entries(300..500)).unwrap();
    let known = note(folder.path());
    drop(log);

    let restored = EmbeddedLog::open(backup.path(), Signer::boxed(1)).unwrap();
    let before = files(backup.path());
    assert_eq!(code(restored.lock(Some(&known))), "log.rolled-back");
    assert_eq!(files(backup.path()), before);
    // Without memory it is a log like others.
    restored.lock(None).unwrap().append(&entries(300..301)).unwrap();
    assert_eq!(code(restored.lock(Some(&known))), "log.rolled-back");
}

#[test]
fn another_history_is_refused() {
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    log_of(folder.path(), 300);
    let known = note(folder.path());
    let second = log(other.path());
    let mut writer = second.lock(None).unwrap();
    writer.append(&entries(0..299)).unwrap();
    writer.append(&entries(777..778)).unwrap();
    drop(writer);
    assert_eq!(code(second.lock(Some(&known))), "log.forked", "the same size, another root");
    second.lock(None).unwrap().append(&entries(301..1000)).unwrap();
    assert_eq!(code(second.lock(Some(&known))), "log.forked", "larger, another beginning");
}

#[test]
fn what_is_known_must_be_of_this_log() {
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let log = log_of(folder.path(), 3);
    EmbeddedLog::create(other.path(), Signer::boxed(2)).unwrap();
    let mut damaged = note(folder.path());
    damaged[5] ^= 1;
    for known in [&note(other.path())[..], b"", b"rubbish", &damaged] {
        assert_eq!(code(log.lock(Some(known))), "log.known-checkpoint");
    }
}
