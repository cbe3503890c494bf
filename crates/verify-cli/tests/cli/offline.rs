//! The program cannot reach a network, and does not try.

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
