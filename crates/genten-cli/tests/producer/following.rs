//! `genten log follow` and `genten log serve`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use genten::rekor::Begin;
use genten::{Following, LogTarget, follow as follow_log};
use genten_primitives::Timestamp;
use genten_store::{Durability, Home};
use genten_testkit::log::{Handing, TestLog};

use crate::world::{Run, World};

/// Copies a folder with everything in it over another one.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(file.file_name());
        match file.file_type().unwrap().is_dir() {
            true => copy(&file.path(), &target),
            false => drop(std::fs::copy(file.path(), target).unwrap()),
        }
    }
}

/// A world with two logged files, and the same home a second time.
fn twins() -> (World, World) {
    let (world, twin) = (World::new(), World::new());
    for name in ["a", "b", "c", "d"] {
        world.write(name, name);
        twin.write(name, name);
    }
    world.genten(&["log", "submit", "a", "b"]).expect(0);
    world
        .genten(&["log", "follow"])
        .expect(0)
        .says("followed for the first time, with 2 entries; it has kept");
    copy(&world.home(), &twin.home());
    (world, twin)
}

fn follow(world: &World) -> Run {
    world.genten(&["log", "follow", "--json"])
}

#[test]
fn a_log_that_grows_is_followed() {
    let (world, _) = twins();
    world.genten(&["log", "follow"]).expect(0).says("has not changed");
    world.genten(&["log", "submit", "c"]).expect(0);
    let followed = follow(&world).expect(0).json();
    assert_eq!((&followed[0]["outcome"], &followed[0]["entries"]), (&"advanced".into(), &1.into()));
    assert_eq!((&followed[0]["alarm"], &followed[0]["unsearched"]), (&false.into(), &0.into()));
}

/// Somebody has a copy of the home, and logs with its key.
#[test]
fn the_use_of_a_key_that_the_journal_does_not_know_is_an_alarm() {
    let (world, thief) = twins();
    thief.genten(&["log", "submit", "d"]).expect(0);
    copy(&thief.home().join("log"), &world.home().join("log"));
    let followed = follow(&world).expect(1).json();
    assert_eq!(followed[0]["outcome"], "advanced");
    assert_eq!(followed[0]["unknown_uses"][0]["entry"], 2);
    world.genten(&["log", "follow"]).expect(1).says("UNKNOWN USE: entry 2");
    world.genten(&["log", "follow", "--accept", "7"]).expect(2).talks("no such entry");
    world.genten(&["log", "follow", "--accept", "2"]).expect(0);
    follow(&world).expect(0);
}

#[test]
fn a_fork_is_kept_as_evidence_and_never_passed() {
    let (world, twin) = twins();
    world.genten(&["log", "submit", "c"]).expect(0);
    follow(&world).expect(0);
    let good = world.path("good");
    copy(&world.home().join("log"), &good);
    twin.genten(&["log", "submit", "d"]).expect(0);
    copy(&twin.home().join("log"), &world.home().join("log"));
    let forked = follow(&world).expect(1).json();
    assert_eq!(forked[0]["outcome"], "fork");
    let evidence: Vec<_> = forked[0]["evidence"].as_array().unwrap().iter().collect();
    assert_eq!(evidence.len(), 1);
    let notes = std::fs::read_to_string(evidence[0].as_str().unwrap()).unwrap();
    assert_eq!(notes.matches("\n3\n").count(), 2, "{notes}");
    copy(&good, &world.home().join("log"));
    let again = follow(&world).expect(1).json();
    assert_eq!(again[0]["outcome"], "fork", "a log that was caught once stays caught");
    world.genten(&["log", "submit", "d"]).expect(1).says("d: queued\n").talks("[log.caught]");
    world.genten(&["log", "check"]).expect(0).says("all 3 entries");
}

/// Only a person can know that a log was begun anew, and only of a log that is not the home's own.
#[test]
fn a_fork_is_forgotten_when_a_person_says_so() {
    let (world, twin) = twins();
    world.genten(&["log", "submit", "c"]).expect(0);
    twin.genten(&["log", "submit", "d"]).expect(0);
    let auditor = World::new();
    let log = auditor.path("log");
    copy(&world.home().join("log"), &log);
    let vkey = log.join("log.vkey");
    let (vkey, folder) = (vkey.to_str().unwrap(), log.to_str().unwrap());
    auditor.genten(&["log", "init", "log.toml", "--vkey", vkey, "--read-url", folder]).expect(0);
    let follow = |status| auditor.genten(&["log", "follow", "--log", "log.toml"]).expect(status);
    follow(0);
    copy(&twin.home().join("log"), &log);
    follow(1).says("FORK");
    let forget = auditor.genten(&["log", "forget", "log.toml", "--json"]).expect(0).json();
    let kept = std::fs::read_to_string(forget[0]["evidence"].as_str().unwrap()).unwrap();
    assert_eq!(
        kept.matches("\\n3\\n").count(),
        3,
        "the tree that was believed, and the fork: {kept}"
    );
    follow(0).says("seen for the first time, with 3 entries");

    auditor.genten(&["log", "forget", "local"]).expect(1).talks("[log.own]");
    auditor.genten(&["log", "forget", "other.toml"]).expect(2).talks("no such file");
    auditor.genten(&["log", "forget"]).expect(2);
}

#[test]
fn a_smaller_tree_is_not_believed() {
    let (world, twin) = twins();
    world.genten(&["log", "submit", "c"]).expect(0);
    follow(&world).expect(0);
    std::fs::remove_dir_all(world.home().join("log")).unwrap();
    copy(&twin.home().join("log"), &world.home().join("log"));
    let behind = follow(&world).expect(2).json();
    assert_eq!((&behind[0]["outcome"], &behind[0]["complete"]), (&"stale".into(), &false.into()));
}

/// Whoever follows the log has not seen the tree that it gave up: the one that an entry was written into.
#[test]
fn what_was_written_binds_the_log_as_what_was_followed_does() {
    let (world, twin) = twins();
    world.genten(&["log", "submit", "c"]).expect(0);
    twin.genten(&["log", "submit", "d"]).expect(0);
    copy(&twin.home().join("log"), &world.home().join("log"));
    let caught = follow(&world).expect(1).json();
    assert_eq!(caught[0]["outcome"], "fork");
    assert_eq!(caught[0]["evidence"].as_array().unwrap().len(), 1);
}

/// A key can stand in an entry that is no JSON, and nobody would find it.
#[test]
fn entries_that_cannot_be_read_are_told() {
    let world = World::new();
    let log = TestLog::new("log.example");
    log.write_folder(&world.path("tree"), &Handing::default()).unwrap();
    let vkey = log.note_key().to_vkey();
    world.genten(&["log", "init", "log.toml", "--vkey", &vkey, "--read-url", "tree"]).expect(0);
    let look = ["log", "follow", "--log", "log.toml"];
    let first = world.genten(&look).expect(0).says("looked at 5 entries, 0 by watched keys");
    first.says("WARNING: 5 of them cannot be read");
}

/// Looks at the log of a home at another time than now.
fn look_at(world: &World, hours_from_now: i64) {
    let home = Home::open(world.home()).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    let log = LogTarget::Home;
    let following = Following { log, keys: Vec::new(), begin: Some(Begin::FirstEntry) };
    let now = Timestamp::from_system_time(std::time::SystemTime::now()).unwrap();
    let then = now.checked_add_millis(hours_from_now * 3_600_000).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut progress = |_, _| {};
    let looked = follow_log(&home, &journal, &following, then, &mut progress);
    assert!(runtime.block_on(looked).unwrap().is_complete());
}

#[test]
fn silence_and_a_clock_that_went_back_are_told() {
    let world = World::new();
    world.write("a", "a");
    world.genten(&["log", "submit", "a"]).expect(0);
    look_at(&world, -80);
    world.genten(&["log", "follow"]).expect(0).says("nothing new for 3 days");
    look_at(&world, 80);
    let told = world.genten(&["log", "follow"]).expect(0);
    told.says("WARNING: the clock is 3 days behind");
    let told = follow(&world).expect(0).json();
    assert!(told[0]["clock_behind_seconds"].as_i64().unwrap() > 200_000, "{told:?}");
}

struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn serve(world: &World) -> Server {
    let mut command = world.command(&["log", "serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap().trim().trim_end_matches('/').to_owned();
    Server(child, address)
}

fn get(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(&server.1).unwrap();
    write!(stream, "{request} HTTP/1.1\r\nhost: log\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn another_machine_follows_the_log_that_is_served() {
    let (world, _) = twins();
    let server = serve(&world);
    let monitor = World::new();
    let vkey = std::fs::read_to_string(world.home().join("log/log.vkey")).unwrap();
    let url = format!("http://{}", server.1);
    let init = ["log", "init", "log.toml", "--vkey", vkey.trim(), "--read-url", &url];
    monitor.genten(&init).expect(0);
    let first = monitor.genten(&["log", "follow", "--log", "log.toml"]).expect(0);
    first.says("with 2 entries");
    world.genten(&["log", "submit", "c"]).expect(0);
    monitor.genten(&["log", "follow", "--log", "log.toml"]).expect(0).says("from 2 to 3 entries");
    drop(server);
    monitor.genten(&["log", "follow", "--log", "log.toml"]).expect(2).talks("could not be read");
}

#[test]
fn only_what_is_signed_is_served() {
    let (world, _) = twins();
    let server = serve(&world);
    for (request, begin, part) in [
        ("GET /checkpoint", "HTTP/1.1 200", "\n2\n"),
        ("GET /tile/0/000.p/2", "HTTP/1.1 200", "immutable"),
        ("GET /tile/entries/000.p/2", "HTTP/1.1 200", "hashedrekord"),
        ("HEAD /checkpoint", "HTTP/1.1 200", "max-age=1"),
        ("GET /tile/0/000.p/3", "HTTP/1.1 404", ""),
        ("GET /tile/0/000", "HTTP/1.1 404", ""),
        ("GET /tile/00/000.p/2", "HTTP/1.1 404", ""),
        ("GET /tile/0/000.p/02", "HTTP/1.1 404", ""),
        ("GET /tile/64/000.p/2", "HTTP/1.1 404", ""),
        ("GET /../keys/log.key", "HTTP/1.1 404", ""),
        ("GET /tile/0/../../../keys/log.key", "HTTP/1.1 404", ""),
        ("GET /.state/lock", "HTTP/1.1 404", ""),
        ("GET /log.vkey", "HTTP/1.1 404", ""),
        ("GET /", "HTTP/1.1 404", ""),
        ("POST /checkpoint", "HTTP/1.1 405", "not written"),
    ] {
        let answer = get(&server, request);
        assert!(answer.starts_with(begin) && answer.contains(part), "{request}: {answer}");
    }
}
