//! What commands say about logs: what was named wrongly, where something was logged, and what to do next.

use genten_testkit::log::TestLog;

use crate::world::{Run, World};

const ABOUT: [&str; 4] =
    ["--source-url", "https://law.example/1", "--fetched-at", "2026-11-30T08:15:00Z"];

fn attest(world: &World, more: &[&str]) -> Run {
    world.write("f", "bytes");
    world.genten(&[&["attest", "f"][..], &ABOUT, more].concat())
}

#[test]
fn a_file_that_is_not_there_was_named_wrongly() {
    let world = World::new();
    world.genten(&["log", "init"]).expect(0);
    attest(&world, &[]).expect(0);
    for command in [
        &["log", "submit", "missing.json"][..],
        &["log", "submit", "missing.json", "--subject", "manifest"],
        &["log", "submit", "f", "missing.json", "--subject", "content"],
        &["log", "proof", "missing.json"],
    ] {
        world.genten(command).expect(2).talks("missing.json: No such file");
    }
}

#[test]
fn a_log_that_is_only_followed_is_not_written_to() {
    let world = World::new();
    let vkey = TestLog::new("log.example").note_key().to_vkey();
    world.genten(&["log", "init", "log.toml", "--vkey", &vkey, "--read-url", "tree"]).expect(0);
    let run = attest(&world, &["--log", "log.toml"]).expect(2);
    run.talks("log.toml: the file says only where the log is read").talks("Add url");
    assert_eq!(world.files(), ["f", "log.toml"], "nothing was signed");
    let fetch = world.fetch(&["https://localhost:1/", "--log", "log.toml"]).expect(2);
    fetch.talks("[rekor.submit.no-url]");
}
