//! No space, no right to write. Small file systems need root on Linux; where there are none the tests say that they skipped.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use genten_store::log::{EmbeddedLog, LogError, LogWriter};

use crate::common::disk::SmallDisk;
use crate::common::{child, orders, said, say, temporary_files};
use crate::kit::{Signer, code, entries, expect_whole, log, reader};

/// Appends hundred entries at a time until it fails.
fn append_until_error(writer: &mut LogWriter<'_>) -> LogError {
    loop {
        let size = writer.size().get();
        if let Err(error) = writer.append(&entries(size..size + 100)) {
            assert_eq!(writer.size().get(), size);
            return error;
        }
    }
}

#[test]
fn a_full_disk_leaves_the_log_as_it_is() {
    let Some(disk) = SmallDisk::mount() else { return };
    let path = disk.path().join("log");
    let log = log(&path);
    let mut writer = log.lock(None).unwrap();
    let error = append_until_error(&mut writer);
    assert_eq!(error.code(), "store.disk-full", "{error:?}");
    assert_eq!(temporary_files(&path), Vec::<&Path>::new());
    expect_whole(&path, writer.size().get());
}

#[test]
fn a_log_goes_on_when_there_is_space_again() {
    let Some(disk) = SmallDisk::mount() else { return };
    let path = disk.path().join("log");
    let log = log(&path);
    let mut writer = log.lock(None).unwrap();
    writer.append(&entries(0..255)).unwrap();
    let filler = disk.fill();
    for end in [256, 600] {
        assert_eq!(code(writer.append(&entries(255..end))), "store.disk-full");
        expect_whole(&path, 255);
    }
    let new = disk.path().join("new");
    assert_eq!(code(EmbeddedLog::create(&new, Signer::boxed(1))), "store.disk-full");
    fs::remove_file(filler).unwrap();
    writer.append(&entries(255..600)).unwrap();
    expect_whole(&path, 600);
    EmbeddedLog::create(&new, Signer::boxed(1)).unwrap();
}

/// Not a test of its own: a process that may not write large files.
#[test]
fn child_of_small_files() {
    let Some(folder) = orders() else { return };
    let log = log(Path::new(&folder));
    let mut writer = log.lock(None).unwrap();
    let error = writer.append(&[[7_u8; 60_000]; 3]).unwrap_err();
    say(error.code());
    writer.append(&entries(0..20)).unwrap();
    say(&writer.size().to_string());
}

#[test]
fn a_file_that_becomes_too_large_leaves_the_log_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let inner = child("limits::child_of_small_files", folder.path().to_str().unwrap());
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\""]);
    limited.arg(inner.get_program()).args(inner.get_args()).stdout(Stdio::piped());
    limited.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut limited = limited.spawn().unwrap();
    let lines = BufReader::new(limited.stdout.take().unwrap()).lines().map_while(Result::ok);
    let heard: Vec<_> = lines.filter_map(|line| said(&line).map(str::to_owned)).collect();
    assert!(limited.wait().unwrap().success());
    assert_eq!(heard, ["store.disk-full", "20"]);
    log(folder.path()).lock(None).unwrap().append(&entries(20..300)).unwrap();
    expect_whole(folder.path(), 300);
}

#[test]
fn a_log_that_can_only_be_read() {
    let Some(disk) = SmallDisk::mount() else { return };
    let log = log(disk.path());
    log.lock(None).unwrap().append(&entries(0..300)).unwrap();
    disk.make_read_only();
    expect_whole(disk.path(), 300);
    assert_eq!(code(log.lock(None)), "store.read-only");
    let new = EmbeddedLog::create(disk.path().join("new"), Signer::boxed(1));
    assert_eq!(code(new), "store.read-only");
    EmbeddedLog::open_or_create(disk.path(), Signer::boxed(1)).unwrap();
    let checkpoint = reader(disk.path()).checkpoint().unwrap();
    assert_eq!(checkpoint.size().get(), 300);
}
