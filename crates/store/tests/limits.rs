//! A full disk and missing rights, for real: a tiny file system, and a process without privileges. Both need root on
//! Linux; elsewhere the tests say that they skipped.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use common::disk::{SmallDisk, alone};
use common::{child, entry, orders, said, say, skip, temporary_files};
use genten_store::atomic::{self, Mode};
use genten_store::{Durability, Filter, Home, Journal, StoreError};

fn is_full<T: std::fmt::Debug>(result: Result<T, StoreError>) {
    let error = result.unwrap_err();
    assert_eq!(error.code(), "store.disk-full", "{error:?}");
}

#[test]
fn a_body_that_does_not_fit_leaves_nothing() {
    let Some(disk) = SmallDisk::mount() else { return };
    let home = Home::open(disk.path()).unwrap();
    is_full(home.bodies().put(&vec![1; 4 << 20]));
    assert_eq!(temporary_files(disk.path()), Vec::<&Path>::new());
    home.bodies().put(&vec![1; 1 << 20]).unwrap();
}

#[test]
fn a_file_that_cannot_be_replaced_stays() {
    let Some(disk) = SmallDisk::mount() else { return };
    let target = disk.path().join("a.provenance.json");
    atomic::replace(&target, b"old", Mode::Shared).unwrap();
    let filler = disk.fill();
    is_full(atomic::replace(&target, b"new", Mode::Shared));
    is_full(atomic::create_new(&disk.path().join("b"), b"new", Mode::Private));
    assert_eq!(fs::read(&target).unwrap(), b"old");
    assert_eq!(fs::read_dir(disk.path()).unwrap().count(), 2);
    fs::remove_file(filler).unwrap();
    atomic::replace(&target, b"new", Mode::Shared).unwrap();
}

#[test]
fn a_journal_on_a_full_disk_keeps_what_it_has() {
    let Some(disk) = SmallDisk::mount() else { return };
    let home = Home::open(disk.path()).unwrap();
    let ballast = disk.path().join("ballast");
    fs::write(&ballast, vec![1; 256 << 10]).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    let (recorded, error) = record_until_error(&journal, 0);
    assert_eq!(error.code(), "store.disk-full", "{error:?}");
    journal.check().unwrap();
    assert_eq!(journal.count(&Filter::default()).unwrap(), recorded);
    drop(journal);

    let filler = disk.fill();
    is_full(home.journal(Durability::Normal).and_then(|journal| journal.record(&entry(recorded))));
    fs::remove_file(filler).unwrap();
    fs::remove_file(ballast).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    journal.check().unwrap();
    assert!(
        journal.list(&Filter::default()).unwrap().map(Result::unwrap).eq((0..recorded).map(entry))
    );
    journal.record(&entry(recorded)).unwrap();
}

fn record_until_error(journal: &Journal, first: u64) -> (u64, StoreError) {
    (first..)
        .find_map(|number| journal.record(&entry(number)).err().map(|error| (number, error)))
        .unwrap()
}

#[test]
fn a_home_cannot_be_made_on_a_full_disk() {
    let Some(disk) = SmallDisk::mount() else { return };
    let filler = disk.fill();
    is_full(Home::open(disk.path().join("home")).and_then(|home| home.journal(Durability::Normal)));
    fs::remove_file(filler).unwrap();
    Home::open(disk.path().join("home")).and_then(|home| home.journal(Durability::Normal)).unwrap();
}

#[test]
fn a_file_system_that_can_only_be_read() {
    let Some(disk) = SmallDisk::mount() else { return };
    let home = Home::open(disk.path()).unwrap();
    drop(home.journal(Durability::Normal).unwrap());
    disk.make_read_only();
    let code = |result: Result<(), StoreError>| result.unwrap_err().code();
    assert_eq!(code(home.journal(Durability::Normal).map(drop)), "store.read-only");
    assert_eq!(code(home.bodies().put(b"a").map(drop)), "store.read-only");
    assert_eq!(code(home.create_key("a.pem", b"").map(drop)), "store.read-only");
    assert_eq!(code(Home::open(disk.path().join("new")).map(drop)), "store.read-only");
}

const NOBODY: u32 = 65_534;

/// Not a test of its own: `rights_are_missing` runs it as a user without privileges.
#[test]
fn child_without_rights() {
    let Some(folder) = orders().map(PathBuf::from) else { return };
    let code = |result: Result<(), StoreError>| say(result.err().map_or("", |error| error.code()));
    code(Home::open(folder.join("new")).map(drop));
    code(Home::open(folder.join("theirs")).map(drop));
    code(Journal::open(folder.join("theirs.db"), Durability::Normal).map(drop));
    code(Journal::open(folder.join("readable.db"), Durability::Normal).map(drop));
    code(Journal::open(folder.join("new.db"), Durability::Normal).map(drop));
    code(atomic::create_new(&folder.join("a.pem"), b"", Mode::Private));
    code(atomic::replace(&folder.join("theirs.db"), b"", Mode::Private));
}

#[test]
fn rights_are_missing() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    if chown(folder.path(), Some(0), None).is_err() {
        return skip("not root, so no other user to become");
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    Home::open(folder.path().join("theirs")).unwrap();
    for name in ["theirs.db", "readable.db"] {
        drop(Journal::open(folder.path().join(name), Durability::Normal).unwrap());
    }
    let readable = folder.path().join("readable.db");
    fs::set_permissions(readable, fs::Permissions::from_mode(0o644)).unwrap();

    let mut command = child("child_without_rights", folder.path().to_str().unwrap());
    let Ok(mut nobody) = command.uid(NOBODY).gid(NOBODY).spawn() else {
        return skip("another user cannot start this program");
    };
    let lines = BufReader::new(nobody.stdout.take().unwrap()).lines().map_while(Result::ok);
    let codes: Vec<_> = lines.filter_map(|line| said(&line).map(str::to_owned)).collect();
    nobody.wait().unwrap();
    let denied = "store.permission";
    assert_eq!(codes, [denied, denied, denied, "store.read-only", denied, denied, denied]);
}
