//! `genten log flush --due`, as cron runs it: whatever is ordinary is no word on standard error, and exit status 0.

use genten::store::{Home, ProcessLock};
use genten_testkit::log::TestLog;
use genten_testkit::{Answer, LogServer, NetFault, Refusal, RetryAfter, WriteFault};

use crate::certificates::promised;
use crate::world::World;

#[track_caller]
fn is_quiet(world: &World) {
    let run = world.genten(&["log", "flush", "--due"]).expect(0);
    assert_eq!(run.stderr, "");
}

/// A log that `log.toml` describes.
fn described(world: &World) -> LogServer {
    let server = world.block_on(LogServer::start(TestLog::new("log.example"))).unwrap();
    let vkey = server.with_log(|log| log.note_key().to_vkey());
    let (url, read_url) = (server.url(), server.read_url());
    let urls = ["--url", &url, "--read-url", &read_url];
    world.genten(&[&["log", "init", "log.toml", "--vkey", &vkey][..], &urls].concat()).expect(0);
    server
}

/// Another process that sends to this log, as long as it lives.
fn sender(world: &World, log: &str) -> ProcessLock {
    Home::open(world.home()).unwrap().sender(log).unwrap().unwrap()
}

#[test]
fn a_home_where_nothing_waits_is_quiet() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one"))]);
    world.fetch(&[&site.url("/a"), "--log", "none"]).expect(0);
    is_quiet(&world);
    world.genten(&["log", "submit", "a.provenance.json"]).expect(0);
    is_quiet(&world);
    let server = described(&world);
    world.genten(&["log", "submit", "a.provenance.json", "--log", "log.toml"]).expect(0);
    assert_eq!(server.posts(), 1);
    is_quiet(&world);
}

#[test]
fn a_batch_that_is_not_due_yet_is_quiet_and_waits() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one")), ("/b", Answer::ok("two"))]);
    let server = described(&world);
    world.fetch(&[&site.url("/a"), "--queue"]).expect(0);
    world.fetch(&[&site.url("/b"), "--queue", "--log", "log.toml"]).expect(0);
    is_quiet(&world);
    assert_eq!(server.posts(), 0);
    let status = world.genten(&["log", "status", "--json"]).expect(1).json();
    assert!(status.iter().all(|log| log["waiting"] == 1), "{status:?}");
    world.genten(&["log", "flush"]).expect(0);
    is_quiet(&world);
}

#[test]
fn what_another_process_is_sending_is_quiet() {
    let world = World::new();
    let server = described(&world);
    world.write("paper.pdf", "a file of the user's");
    let file = world.path("log.toml").to_string_lossy().into_owned();
    for (log, name) in [("local", "local"), ("log.toml", &file)] {
        world.genten(&["log", "submit", "paper.pdf", "--log", log, "--queue"]).expect(0);
        let other = sender(&world, name);
        is_quiet(&world);
        drop(other);
        is_quiet(&world);
        world.genten(&["log", "status"]).expect(0);
    }
    assert_eq!(server.posts(), 1);
}

#[test]
fn certificates_that_another_process_asks_about_are_quiet() {
    let world = World::new();
    let (site, _log) = promised(&world);
    let list = ["--ct-list", "list.json"];
    world.fetch(&[&[&site.url("/a")[..], "--log", "none"], &list[..]].concat()).expect(0);
    let _other = sender(&world, "certificates");
    let run = world.genten(&[&["log", "flush", "--due"], &list[..]].concat()).expect(0);
    assert_eq!(run.stderr, "");
}

#[test]
fn a_log_that_asks_for_time_is_quiet() {
    let world = World::new();
    let server = described(&world);
    world.write("paper.pdf", "a file of the user's");
    let refusal = Refusal::status(503).retry_after(RetryAfter::Seconds(300));
    server.writes().always(WriteFault::Net(NetFault::Refuse(refusal)));
    world.genten(&["log", "submit", "paper.pdf", "--log", "log.toml", "--queue"]).expect(0);
    for _ in 0..2 {
        is_quiet(&world);
    }
    world.genten(&["log", "flush"]).expect(1).talks("it has asked to be left alone until");
    let _other = sender(&world, &world.path("log.toml").to_string_lossy());
    world.write("other.pdf", "another one");
    world.genten(&["log", "submit", "other.pdf", "--log", "log.toml", "--queue"]).expect(0);
    is_quiet(&world);
}

/// What is not ordinary is told.
#[test]
fn a_log_that_is_away_is_told() {
    let world = World::new();
    let server = described(&world);
    world.write("paper.pdf", "a file of the user's");
    world.genten(&["log", "submit", "paper.pdf", "--log", "log.toml", "--queue"]).expect(0);
    drop(server);
    world.genten(&["log", "flush", "--due"]).expect(1).talks("1 entry waits and is sent again");
}
