//! What the tests share.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![allow(dead_code, reason = "each test file uses its own part")]

#[cfg(target_os = "linux")]
pub(crate) mod disk;

use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use genten_primitives::{Sha256Digest, Timestamp};
use genten_store::atomic::TEMPORARY_PREFIX;
use genten_store::{BodyPlace, Difficulty, Entry, LogStatus};

/// 2026-11-30T08:00:00Z and `seconds` more.
pub(crate) fn time(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_796_025_600_000 + seconds * 1000).unwrap()
}

/// The body of entry `number`: up to 100 KB, different for each number.
pub(crate) fn body(number: u64) -> Vec<u8> {
    let length = usize::try_from(number * 7919 % 100_000).unwrap();
    let mut bytes = number.to_be_bytes().to_vec();
    bytes.resize(8 + length, number.to_be_bytes()[7]);
    bytes
}

/// Entry `number`, whose body is `body(number)`.
pub(crate) fn entry(number: u64) -> Entry {
    let body = body(number);
    Entry {
        manifest_id: id(number),
        recorded_at: time(i64::try_from(number).unwrap() + 1),
        fetched_at: time(i64::try_from(number).unwrap()),
        attested_at: None,
        url: format!("https://example.org/{number}?key=***"),
        final_url: None,
        revision: None,
        source_class: Some("static".to_owned()),
        capture: "recorded".to_owned(),
        key_id: "did:key:zExample#zExample".to_owned(),
        content_sha256: Sha256Digest::of(&body),
        content_bytes: Some(body.len() as u64),
        body_place: BodyPlace::BodyStore,
        bundle_path: None,
        manifest: Some(format!("{{\"number\":{number}}}").into_bytes()),
        log: LogStatus::default(),
    }
}

/// A difficulty with this code.
pub(crate) fn met(code: &str) -> Difficulty<'_> {
    Difficulty { code, hint: "look there", words: "it was not there" }
}

/// The manifest's id of entry `number`.
pub(crate) fn id(number: u64) -> Sha256Digest {
    Sha256Digest::of(&number.to_be_bytes())
}

/// All files below `folder` with their contents.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for item in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if item.file_type().unwrap().is_dir() {
            found.extend(files(&item.path()));
        } else {
            found.insert(item.path(), fs::read(item.path()).unwrap());
        }
    }
    found
}

/// The temporary files below `folder`.
pub(crate) fn temporary_files(folder: &Path) -> Vec<PathBuf> {
    let is_temporary = |path: &PathBuf| {
        path.file_name().unwrap().to_str().is_some_and(|name| name.starts_with(TEMPORARY_PREFIX))
    };
    files(folder).into_keys().filter(is_temporary).collect()
}

/// A number from the operating system's randomness, less than `end`.
pub(crate) fn random(end: u64) -> u64 {
    RandomState::new().build_hasher().finish() % end
}

/// This test program, set to run only its test `name` as a child process. Such a test returns at once unless it finds
/// its orders in [`orders`].
pub(crate) fn child(name: &str, orders: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--nocapture", "--test-threads=1"]);
    command.env(ORDERS, orders).stdout(Stdio::piped());
    command
}

const ORDERS: &str = "GENTEN_TEST_CHILD";

/// What this process was told to do, if it is a child.
pub(crate) fn orders() -> Option<String> {
    std::env::var(ORDERS).ok()
}

/// Tells the parent.
pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{SAID}{line}").unwrap();
    out.flush().unwrap();
}

/// What a child said, if the line of its output is not the test harness's. (The harness may have begun the line.)
pub(crate) fn said(line: &str) -> Option<&str> {
    line.split_once(SAID).map(|(_, said)| said)
}

const SAID: &str = "child: ";

/// Says aloud that a test did nothing.
pub(crate) fn skip(why: &str) {
    eprintln!("SKIPPED: {why}");
}
