//! The examples run, and what they assert holds.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder that Cargo builds into with these settings: the one above that of this test.
fn built() -> PathBuf {
    let this = std::env::current_exe().unwrap();
    this.ancestors().nth(2).unwrap().to_owned()
}

fn program(name: &str) -> PathBuf {
    built().join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Cargo builds examples along with all tests, but not for a single one.
fn build_where_it_is_old(name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{name}.rs"));
    let age = |path: &Path| path.metadata().and_then(|data| data.modified());
    if age(&program(name)).is_ok_and(|built| built >= age(&source).unwrap()) {
        return;
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap());
    cargo.args(["build", "--package", "genten", "--example", name]);
    cargo.arg("--target-dir").arg(built().parent().unwrap());
    assert!(cargo.status().unwrap().success());
}

fn run(name: &str) -> String {
    build_where_it_is_old(name);
    let Output { status, stdout, stderr } = Command::new(program(name)).output().unwrap();
    assert!(status.success(), "{name}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

#[test]
fn a_program_that_embeds_the_library() {
    assert!(run("embed").ends_with("/rfc/rfc8890.txt: accept\n"));
}

#[test]
fn a_client_of_ones_own() {
    assert!(run("own_client").ends_with("/law?id=1: accept, as reported\n"));
}

#[test]
fn a_signer_elsewhere() {
    let said = run("async_signer");
    assert!(said.starts_with("signed by did:key:z") && said.ends_with(": accept\n"), "{said}");
}
