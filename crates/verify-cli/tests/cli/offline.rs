//! The program cannot reach a network, and does not try.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{NOW, Ran, World, tool};

fn world() -> World {
    let world = World::new();
    world.fetched("good", b"body");
    world
}

const WORDS: [&str; 7] =
    ["good.provenance.json", "--key", "key.pem", "--policy", "basic", "--at", NOW];

#[test]
fn no_network_call_is_made() {
    if !tool("strace") {
        return;
    }
    let world = world();
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=network", "-o", "trace", env!("CARGO_BIN_EXE_verify")]);
    let output = command.args(WORDS).current_dir(world.path("")).output().unwrap();
    if !world.path("trace").exists() {
        eprintln!("SKIPPED: strace may not trace here");
        return;
    }
    Ran::of(output).expect(0);
    let trace = std::fs::read_to_string(world.path("trace")).unwrap();
    let calls: Vec<_> = trace.lines().filter(|line| !line.contains("---")).collect();
    assert_eq!(calls, [] as [&str; 0]);
}

/// 001-18
#[test]
fn no_network_is_needed() {
    if !tool("unshare") {
        return;
    }
    let world = world();
    let mut command = Command::new("unshare");
    command.args(["-r", "-n", env!("CARGO_BIN_EXE_verify")]).args(WORDS);
    let output = command.current_dir(world.path("")).output().unwrap();
    if output.status.code() != Some(0)
        && String::from_utf8_lossy(&output.stderr).starts_with("unshare")
    {
        eprintln!("SKIPPED: this user may not make a network of its own");
        return;
    }
    Ran::of(output).expect(0);
}

/// Every case and every collected input of the parsers, good or bad, with no network there and each call traced.
#[test]
fn no_input_makes_it_call() {
    if !tool("strace") || !tool("unshare") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    collect(&root.join("testdata/verify"), &mut files);
    collect(&root.join("fuzz/corpus"), &mut files);
    assert!(files.len() > 1000, "{}", files.len());
    let world = world();
    let mut command = Command::new("unshare");
    command.args(["-r", "-n", "strace", "-f", "-qq", "-e", "trace=network,process"]);
    command
        .args(["-o", "trace", env!("CARGO_BIN_EXE_verify")])
        .args(&files)
        .args(["--key", "key.pem"]);
    let output = command.args(["--at", NOW]).current_dir(world.path("")).output().unwrap();
    let trace = std::fs::read_to_string(world.path("trace")).unwrap_or_default();
    if trace.is_empty() {
        eprintln!("SKIPPED: no network of its own, or no tracing, for this user");
        return;
    }
    assert_eq!(output.status.code(), Some(1), "some are to be rejected");
    let started =
        ["resumed>", "execve(", "clone(", "clone3(", "exit_group(", "exit(", "+++", "---"];
    let calls = trace.lines().filter(|line| !started.iter().any(|call| line.contains(call)));
    assert_eq!(calls.collect::<Vec<_>>(), [] as [&str; 0]);
    assert_eq!(trace.matches("execve(").count(), 1, "it starts no other program");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
