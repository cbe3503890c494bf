//! What commands say about logs: what was named wrongly, where something was logged, and what to do next.

use genten_testkit::log::TestLog;
use genten_testkit::{Answer, LogServer};

use crate::world::{Run, World};

const ABOUT: [&str; 4] =
    ["--source-url", "https://law.example/1", "--fetched-at", "2026-11-30T08:15:00Z"];

fn attest(world: &World, more: &[&str]) -> Run {
    world.write("f", "bytes");
    world.genten(&[&["attest", "f"][..], &ABOUT, more].concat())
}

/// A log server that has no entry yet, and the file `log.toml` that describes it.
fn served(world: &World) -> LogServer {
    drop(std::fs::remove_file(world.path("log.toml")));
    let server = world.block_on(LogServer::start(TestLog::new("log.example"))).unwrap();
    let vkey = server.with_log(|log| log.note_key().to_vkey());
    let (url, read_url) = (server.url(), server.read_url());
    let urls = ["--url", &url, "--read-url", &read_url];
    world.genten(&[&["log", "init", "log.toml", "--vkey", &vkey][..], &urls].concat()).expect(0);
    server
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

/// What would wait for it would wait for ever.
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
    let submit = world.genten(&["log", "submit", "f", "--log", "log.toml", "--queue"]).expect(2);
    submit.talks("[rekor.submit.no-url]");
}

#[test]
fn it_is_said_where_something_was_logged() {
    let world = World::new();
    let _server = served(&world);
    let run = attest(&world, &["--log", "log.toml", "--class", "static"]).expect(0);
    assert!(run.stdout.lines().last().unwrap().starts_with("logged    log.example#"), "{run:?}");
    let site = world.serving([("/a", Answer::ok("one")), ("/b", Answer::ok("two"))]);
    let (a, b) = (site.url("/a"), site.url("/b"));
    let run = world.fetch(&[&a, &b, "--log", "log.toml"]).expect(0);
    let last = run.stdout.lines().last().unwrap();
    assert!(last.starts_with("logged    log.example#") && !last.contains("and"), "{run:?}");
    let each = world.fetch(&[&a, &b, "-o", "each", "--class", "static"]).expect(0);
    each.says("logged    genten.local/").says(" and 1 other entry\n");
    world.refetch(&["a.provenance.json"]).expect(0).says("logged    genten.local/");
    let queued = world.refetch(&["b.provenance.json", "--queue"]).expect(0);
    assert!(!queued.stdout.contains("logged"), "{queued:?}");
    let json = world.refetch(&["b.provenance.json", "--json"]).expect(0);
    assert_eq!(json.json().len(), 1, "one object for each file");
}

/// A key that is made anew would be that of another log.
#[test]
fn a_log_whose_key_is_lost_is_not_begun_anew() {
    let world = World::new();
    world.write("f", "bytes");
    world.genten(&["log", "submit", "f"]).expect(0);
    let key = world.home().join("keys/log.key");
    let kept = world.path("log.key");
    std::fs::rename(&key, &kept).unwrap();
    for command in [
        &[
            "log",
            "submit",
            "sha256:1111111111111111111111111111111111111111111111111111111111111111",
        ][..],
        &["log", "check"],
        &["log", "init"],
    ] {
        world.genten(command).expect(1).talks("[log.key-missing]").talks("Restore the key");
        assert!(!key.exists(), "{command:?} made a key");
    }
    std::fs::rename(&kept, &key).unwrap();
    world.genten(&["log", "flush"]).expect(0);
    world.genten(&["log", "check"]).expect(0).says("all 2 entries");
}

#[test]
fn a_description_that_is_not_there_is_spoken_of_as_it_was_named() {
    let world = World::new();
    attest(&world, &[]).expect(0);
    let run = world.genten(&["log", "forget", "other.toml"]).expect(2);
    run.talks("by other.toml: no such file").keeps_quiet_about("--log");
    let run = world.genten(&["log", "follow", "--log", "other.toml"]).expect(2);
    run.talks("other.toml: no such file").talks("GENTEN_LOG");
}

/// Whoever has sent entries to a log knows it.
#[test]
fn a_log_that_was_written_is_not_said_to_be_unknown() {
    let world = World::new();
    let _server = served(&world);
    attest(&world, &["--log", "log.toml"]).expect(0);
    let follow = world.genten(&["log", "follow", "--log", "log.toml"]).expect(0);
    follow.says("followed for the first time").says("kept what it showed when entries were sent");
    let reader = World::new();
    std::fs::copy(world.path("log.toml"), reader.path("log.toml")).unwrap();
    reader.genten(&["log", "init"]).expect(0);
    let follow = reader.genten(&["log", "follow", "--log", "log.toml"]).expect(0);
    follow.says("seen for the first time, with ");
}

/// The advice is for logs of one's own: of no other one is given up what convicts it.
#[test]
fn a_log_that_was_begun_anew_may_be_forgotten() {
    let world = World::new();
    let first = served(&world);
    attest(&world, &["--log", "log.toml"]).expect(0).keeps_quiet_about("forget");
    drop(first);
    let _anew = served(&world);
    let run = attest(&world, &["--log", "log.toml", "-o", "again.json"]).expect(0);
    let name = world.path("log.toml").display().to_string();
    run.talks("[rekor.history.").talks(&format!("`genten log forget {name}`"));
    let run = world.genten(&["log", "flush"]).expect(1).talks("ask its owner first");
    run.talks("sent again by the next command that logs there, or by `genten log flush`");
    world.genten(&["log", "forget", "log.toml"]).expect(0);
    world.genten(&["log", "flush"]).expect(0).keeps_quiet_about("forget");
}
