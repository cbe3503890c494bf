//! Writes `testdata/`: cases for this verifier and for those of others. Keys, times and so all files are the same on
//! every run.
//!
//! ```console
//! $ cargo run -p genten-verify --example make_testdata
//! $ cargo run -p genten-verify --example make_testdata -- --check
//! ```
#![expect(clippy::unwrap_used, reason = "a generator stops at the first surprise")]
#![expect(clippy::disallowed_methods, reason = "a generator writes files, the library does not")]

#[path = "../../tests/common/mod.rs"]
mod common;

mod batches;
mod certificate;
mod checkpoints;
mod content;
mod entries;
mod evidence;
mod form;
mod good;
mod known_logs;
mod logged;
mod refusals;
mod results;
mod signature;
mod signer;
mod sigstore;
mod sigstore_certificates;
mod source;
mod stamps;
mod times;
mod transparency;
mod transport;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use common::case::Case;
use common::directory;
use genten_primitives::Sha256Digest;
use serde_json::json;

fn main() -> ExitCode {
    let cases = cases();
    let differences: Vec<_> = cases.iter().filter_map(|case| case.check().err()).collect();
    if !differences.is_empty() {
        eprintln!("not as expected:\n{}", differences.join("\n\n"));
        return ExitCode::FAILURE;
    }
    let files = all_files(&cases);
    match std::env::args().nth(1).as_deref() {
        None => write(&files),
        Some("--check") => check(&files),
        Some(other) => {
            eprintln!("unknown argument {other}: none, or --check");
            ExitCode::FAILURE
        }
    }
}

fn cases() -> Vec<Case> {
    let rooms = [
        good::cases,
        form::cases,
        signature::cases,
        signer::cases,
        certificate::cases,
        content::cases,
        results::cases,
        source::cases,
        transport::cases,
        evidence::cases,
        entries::cases,
        known_logs::cases,
        checkpoints::cases,
        batches::cases,
        stamps::cases,
        times::cases,
        sigstore::cases,
        sigstore_certificates::cases,
        transparency::cases,
        refusals::cases,
    ];
    let cases: Vec<_> = rooms.iter().flat_map(|room| room()).collect();
    let ids: BTreeSet<_> = cases.iter().map(|case| &case.id).collect();
    assert_eq!(ids.len(), cases.len(), "two cases of one name");
    cases
}

/// Every generated file, by its path below `testdata`.
fn all_files(cases: &[Case]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for case in cases {
        for (name, content) in directory::files(case) {
            all.insert(Path::new("verify").join(&case.id).join(name), content);
        }
    }
    all.insert(PathBuf::from("index.json"), index(cases).into_bytes());
    all
}

/// One line for each case.
fn index(cases: &[Case]) -> String {
    let mut lines: Vec<_> = cases.iter().map(index_line).collect();
    lines.sort();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn index_line(case: &Case) -> String {
    let files: BTreeMap<_, _> = directory::files(case)
        .into_iter()
        .map(|(name, content)| (name, Sha256Digest::of(&content).to_string()))
        .collect();
    let expected = &case.expected;
    let mut line = json!({"id": case.id, "verdict": expected.verdict, "files": files});
    if !expected.code.is_empty() {
        line["code"] = expected.code.as_str().into();
    }
    common::canonical(&line.to_string())
}

/// Replaces what was generated before.
fn write(files: &BTreeMap<PathBuf, Vec<u8>>) -> ExitCode {
    let root = directory::testdata();
    let folder = root.join("verify");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    for (path, content) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    println!("{} files written", files.len());
    ExitCode::SUCCESS
}

fn check(files: &BTreeMap<PathBuf, Vec<u8>>) -> ExitCode {
    let root = directory::testdata();
    let differs =
        |path: &Path, content: &[u8]| fs::read(root.join(path)).ok().as_deref() != Some(content);
    let changed =
        files.iter().filter(|(path, content)| differs(path, content)).map(|(path, _)| path);
    let found = found(&root);
    let strangers = found.iter().filter(|path| !files.contains_key(*path));
    let wrong: Vec<_> = changed.chain(strangers).collect();
    for path in &wrong {
        eprintln!("{}: not what the generator writes", path.display());
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The files below `testdata/verify`, by their paths below `testdata`.
fn found(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.join("verify")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(root).unwrap().to_owned()),
            }
        }
    }
    found
}
