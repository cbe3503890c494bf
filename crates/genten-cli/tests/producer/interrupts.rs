//! Runs that end in the middle: by Ctrl-C, by a request to terminate, and by a kill that nothing can answer.

#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use genten::Body;
use genten_primitives::Sha256Digest;
use genten_testkit::{Answer, Content, End, HttpsSite};

use crate::world::World;

fn signal(child: &Child, name: &str) {
    let mut kill = Command::new("kill");
    let sent = kill.args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until something is so; a minute is a failure.
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::yield_now();
    }
}

#[test]
fn an_interrupted_download_leaves_no_file() {
    for (name, status) in [("INT", 130), ("TERM", 143)] {
        let world = World::new();
        let begun = "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nthe first bytes";
        let site = world.serving([("/doc", Answer::raw(begun, End::Hang))]);
        world.genten(&["key", "new"]).expect(0);
        let mut command = world.fetch_command(&[&site.url("/doc")]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until("a file under construction", || !world.files().is_empty());
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8(output.stderr).unwrap().contains("nothing half-written is left"));
        assert_eq!(world.files(), [""; 0]);
        assert!(world.journal().is_empty());
    }
}

/// Whoever gives up waiting for a log has signed, and is told so: the same command again would fail.
#[test]
fn an_interruption_while_a_log_is_waited_for_leaves_what_was_signed() {
    let world = World::new();
    world.write("f", "bytes");
    let vkey = genten_testkit::log::TestLog::new("log.example").note_key().to_vkey();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    world.genten(&["log", "init", "log.toml", "--vkey", &vkey, "--url", &url]).expect(0);
    let attest = [
        &["attest", "f", "--source-url", "https://law.example/1"][..],
        &["--fetched-at", "2026-11-30T08:15:00Z", "--log", "log.toml"],
    ];
    let mut command = world.command(&attest.concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _connection = silent.accept().unwrap();
    // Where no bar is seen, a word says what it waits for.
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    while !line.ends_with("waiting for the log; Ctrl-C is safe, what is queued stays queued\n") {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "it is said before it is given up");
    }
    signal(&child, "INT");
    let mut output = child.wait_with_output().unwrap();
    stderr.read_to_end(&mut output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(stdout.starts_with("signed, as reported: f.provenance.json\n"), "{stdout}");
    assert!(stderr.ends_with("signed; 1 entry waits, `genten log flush` sends\n"), "{stderr}");
    world.accepts("f");
}

#[test]
fn a_server_that_is_ended_speaks_of_no_interruption() {
    let world = World::new();
    world.genten(&["log", "init"]).expect(0);
    let mut command = world.command(&["log", "serve", "--listen", "127.0.0.1:0", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let serving: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert!(serving["url"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{serving}");
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "genten: the log is served no more\n");
}

/// Of several URLs the finished ones stay, whole.
#[test]
fn what_was_finished_before_an_interruption_stays() {
    let world = World::new();
    let begun = "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nthe first bytes";
    let site = world.serving([("/a", Answer::ok("a")), ("/b", Answer::raw(begun, End::Hang))]);
    let mut command = world.fetch_command(&[&site.url("/a"), &site.url("/b")]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("one whole file and one under construction", || {
        let files = world.files();
        files.contains(&"a.provenance.json".to_owned())
            && files.iter().any(|name| name.ends_with(".part"))
    });
    signal(&child, "INT");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    assert_eq!(world.files(), ["a", "a.provenance.json"]);
    world.accepts("a");
}

const BODIES: usize = 6;

/// Bodies of different lengths, the larger ones in many pieces.
fn piece(number: usize) -> Vec<u8> {
    vec![b'a' + u8::try_from(number).unwrap(); 8 << 10]
}

fn times(number: usize) -> u64 {
    1 << (2 * number)
}

fn digest(number: usize) -> Sha256Digest {
    let mut hasher = genten_primitives::Sha256::new();
    (0..times(number)).for_each(|_| hasher.update(&piece(number)));
    hasher.finish()
}

fn kills() -> usize {
    std::env::var("GENTEN_KILLS").ok().map_or(25, |count| count.parse().unwrap())
}

/// A number below `end`, from the randomness that hash maps have.
fn random(end: u64) -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    std::collections::hash_map::RandomState::new().build_hasher().finish() % end
}

/// The program is killed somewhere between its start and its end, again and again in one home. Whatever it left behind is
/// whole: journal, bundles, bodies. `GENTEN_KILLS` says how often.
#[test]
fn a_killed_fetch_leaves_nothing_broken() {
    let world = World::new();
    let site = (0..BODIES).fold(world.site(), |site, number| {
        let content = Content::Repeated { piece: piece(number), times: times(number) };
        site.route(&format!("/{number}"), Answer::status(200).content(content))
    });
    let site = world.start(site);
    let digests: Vec<_> = (0..BODIES).map(digest).collect();
    let begin = Instant::now();
    run(&world, &site, "whole").wait().unwrap();
    let whole = begin.elapsed();
    assert_eq!(check(&world, "whole", &digests), BODIES);

    let mut finished = 0;
    for kill in 0..kills() {
        let folder = format!("killed-{kill}");
        let mut child = run(&world, &site, &folder);
        let micros = u64::try_from(whole.as_micros()).unwrap();
        std::thread::sleep(Duration::from_micros(random(micros)));
        child.kill().unwrap();
        child.wait().unwrap();
        finished += check(&world, &folder, &digests);
    }
    println!("{} kills, {finished} of {} fetches were finished", kills(), kills() * BODIES);

    // The home is as good as new.
    assert!(run(&world, &site, "after").wait().unwrap().success());
    assert_eq!(check(&world, "after", &digests), BODIES);
}

fn run(world: &World, site: &HttpsSite, folder: &str) -> Child {
    let urls: Vec<_> = (0..BODIES).map(|number| site.url(&format!("/{number}"))).collect();
    let urls = urls.iter().map(String::as_str);
    let mut command = world.fetch_command(&urls.chain(["-o", folder]).collect::<Vec<_>>());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Everything under a final name is whole. Gives the number of finished fetches.
fn check(world: &World, folder: &str, digests: &[Sha256Digest]) -> usize {
    let folder = world.path(folder);
    let files = if folder.is_dir() { crate::world::names(&folder) } else { Vec::new() };
    let mut finished = 0;
    for name in files.iter().filter(|name| !name.starts_with('.')) {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let number = name.split('.').next().unwrap().parse::<usize>().unwrap();
        if !name.ends_with(".provenance.json") {
            assert_eq!(Sha256Digest::of(&bytes), digests[number], "{name} is whole");
            continue;
        }
        let body = Body::of(&std::fs::read(folder.join(number.to_string())).unwrap());
        let report = world.judge(&bytes, &body);
        assert_eq!(report.verdict.as_str(), "accept", "{name}");
        let id = report.manifest_id.unwrap();
        let row = world.journal().into_iter().find(|row| row.manifest_id == id);
        assert!(row.is_some(), "every bundle is in the journal");
        finished += 1;
    }
    check_journal(world);
    finished
}

/// Every row is whole: its manifest has its id and verifies.
fn check_journal(world: &World) {
    if !world.home().join("journal.db").exists() {
        return;
    }
    for row in world.journal() {
        let report = world.judge(&row.manifest.unwrap(), &Body::NotGiven);
        assert_eq!(report.manifest_id, Some(row.manifest_id));
        assert_eq!(report.verdict.as_str(), "accept");
    }
}
