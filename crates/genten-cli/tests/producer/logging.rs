//! `--log` and `genten log` with the home's own log.

use genten::store::LogState;
use genten::{Body, Policy, Trust, TrustKit, Verifier};
use genten_testkit::log::TestLog;
use genten_testkit::{Answer, LogServer, ReadFault};

use crate::world::{World, now};

/// A kit of the home's key, content log key and log, and a policy that requires what is said.
fn verifier(world: &World, required: &str) -> Verifier {
    for (name, arguments) in
        [("key.pem", &["key", "public"][..]), ("content.pem", &["key", "public", "--content-log"])]
    {
        let printed = world.genten(arguments).expect(0).stdout;
        world.write(name, printed);
    }
    let vkey = world.home().join("log/log.vkey");
    world.genten(&["trust", "new", "kit.json"]).expect(0);
    let key = ["trust", "add-key", "kit.json", "key.pem", "--content-log-key", "content.pem"];
    world.genten(&key).expect(0);
    world.genten(&["trust", "add-log", "kit.json", vkey.to_str().unwrap()]).expect(0);
    let trust = Trust { kit: TrustKit::read(&world.read("kit.json")).unwrap(), ..Trust::default() };
    std::fs::remove_file(world.path("kit.json")).unwrap();
    let policy = format!("version = 1\nname = \"test\"\n[require]\ndefault = [{required}]\n");
    Verifier::new(trust, Policy::read(&policy).unwrap())
}

fn verdict(world: &World, verifier: &Verifier, name: &str) -> String {
    let bundle = world.read(&format!("{name}.provenance.json"));
    let body = std::fs::read(world.path(name)).unwrap_or_default();
    let report = verifier.verify_bytes(&bundle, &Body::of(&body), now());
    let because = report.verdict.because().map_or("", |code| code.as_str());
    format!("{} {because}", report.verdict.as_str()).trim_end().to_owned()
}

const LOGGED: &str = r#""signature", "signer", "content", "log""#;
const CONTENT_TOO: &str = r#""signature", "signer", "content", "log", "log.content""#;

#[test]
fn what_is_fetched_is_logged_and_its_bundle_completed() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one")), ("/b", Answer::ok("two"))]);
    world.fetch(&[&site.url("/a"), &site.url("/b")]).expect(0);
    world.fetch(&[&site.url("/a"), "-o", "static", "--class", "static"]).expect(0);
    for entry in world.journal() {
        assert_eq!(entry.log.state, LogState::Logged);
        assert!(entry.log.log_id.unwrap().starts_with("genten.local/"));
    }
    let verifier = verifier(&world, LOGGED);
    assert_eq!(verdict(&world, &verifier, "a"), "accept");
    assert_eq!(verdict(&world, &verifier, "b"), "accept");
    let export = ["export", "b.provenance.json", "--to", "sigstore"];
    world.genten(&export).expect(0).talks("only its batch is logged").talks("genten log submit");
    let both = self::verifier(&world, CONTENT_TOO);
    assert_eq!(verdict(&world, &both, "static"), "accept");
    assert_eq!(verdict(&world, &both, "a"), "review log.content.missing");
    world.genten(&["log", "check"]).expect(0).says("all 3 entries");
    world.genten(&["log", "status"]).expect(0).says("logged  3");
}

#[test]
fn nothing_is_logged_where_that_is_said() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one"))]);
    world.fetch(&[&site.url("/a"), "--log", "none"]).expect(0);
    assert!(!world.home().join("log").exists());
    assert_eq!(world.journal()[0].log.state, LogState::None);
    let missing = world.fetch(&[&site.url("/a"), "-o", "x", "--log", "no-such.toml"]).expect(2);
    missing.talks("no such file").talks("genten log init");
    assert_eq!(site.seen().len(), 1, "found out before anything was asked");
}

#[test]
fn manifests_and_files_can_be_logged_later() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one"))]);
    world.fetch(&[&site.url("/a"), "--log", "none"]).expect(0);
    world.write("paper.pdf", "a file of the user's");
    let digest = format!("sha256:{}", "11".repeat(32));
    let items = ["log", "submit", "a.provenance.json", "paper.pdf", &digest];
    world.genten(&items).expect(0).says("a.provenance.json: genten.local/").says("#2\n");
    world.genten(&items).expect(0).says("#2\n");
    world.genten(&["log", "check"]).expect(0).says("all 3 entries");
    assert_eq!(verdict(&world, &verifier(&world, LOGGED), "a"), "accept");
    let entry = world.genten(&["log", "proof", "paper.pdf"]).expect(0).json();
    assert_eq!(entry[0]["logIndex"], "1");
    let bundle = world.genten(&["log", "proof", "paper.pdf", "--sigstore"]).expect(0).stdout;
    let bundle = genten::verify::sigstore::SigstoreBundle::read(bundle.as_bytes());
    assert!(bundle.is_ok(), "{bundle:?}");
    let manifest = ["log", "proof", "a.provenance.json", "--sigstore"];
    world.genten(&manifest).expect(2).talks("genten export");
    world.genten(&["log", "proof", "sha256:nonsense"]).expect(2).talks("64 hexadecimal digits");
}

#[cfg(unix)]
#[test]
fn what_comes_out_of_a_pipe_is_logged_as_it_is() {
    let world = World::new();
    world.write("paper.pdf", "a file of the user's");
    world.genten(&["log", "submit", "paper.pdf"]).expect(0).says("#0\n");
    let mut command = world.command(&["log", "submit", "/dev/stdin"]);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"a file of the user's").unwrap();
    assert!(child.wait().unwrap().success());
    world.genten(&["log", "check"]).expect(0).says("its one entry is what was signed");
}

/// The same entry stands in the home's log already, which says nothing about the other one.
#[test]
fn each_log_answers_for_itself() {
    let world = World::new();
    world.write("paper.pdf", "a file of the user's");
    world.genten(&["log", "submit", "paper.pdf"]).expect(0).says("genten.local/");
    let vkey = std::fs::read_to_string(world.home().join("log/log.vkey")).unwrap();
    // A port that nobody listens on.
    let nowhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{nowhere}");
    world.genten(&["log", "init", "log.toml", "--vkey", vkey.trim(), "--url", &url]).expect(0);
    let run = world.genten(&["log", "submit", "paper.pdf", "--log", "log.toml"]).expect(1);
    run.says("paper.pdf: queued\n");
    let status = world.genten(&["log", "status"]).expect(1);
    let words = format!("    the log could not be reached: no connection to {nowhere}: ");
    status.says(&format!("rekor.submit.unreached, 1 attempt\n{words}"));
    let json = world.genten(&["log", "status", "--json"]).expect(1).json();
    let stuck = &json[0]["stuck"][0];
    assert_eq!(stuck["reason"], "rekor.submit.unreached");
    assert!(stuck["hint"].as_str().unwrap().contains("check host"), "{stuck}");
    assert!(stuck["words"].as_str().unwrap().starts_with(words.trim()), "{stuck}");
}

#[test]
fn a_long_list_of_reasons_says_how_many_more_there_are() {
    let world = World::new();
    let vkey = TestLog::new("log.example").note_key().to_vkey();
    let nowhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{nowhere}");
    world.genten(&["log", "init", "log.toml", "--vkey", &vkey, "--url", &url]).expect(0);
    let digests: Vec<_> =
        (10..22).map(|byte| format!("sha256:{}", byte.to_string().repeat(32))).collect();
    let submit = ["log", "submit", "--log", "log.toml"];
    let digests = digests.iter().map(String::as_str);
    world.genten(&submit.into_iter().chain(digests).collect::<Vec<_>>()).expect(1);
    world.genten(&["log", "status"]).expect(1).says("  and 2 more\n");
}

#[test]
fn a_log_of_none_is_no_file() {
    let world = World::new();
    world.genten(&["log", "init"]).expect(0);
    let mut command = world.command(&["log", "follow"]);
    let run = crate::world::Run::of(command.env("GENTEN_LOG", "none")).expect(2);
    run.talks("GENTEN_LOG says none");
}

/// What waits for a log that takes connections and never answers keeps no other command waiting.
#[test]
fn a_command_sends_to_its_own_log_only() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one"))]);
    world.genten(&["log", "init"]).expect(0);
    let vkey = std::fs::read_to_string(world.home().join("log/log.vkey")).unwrap();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    world.genten(&["log", "init", "log.toml", "--vkey", vkey.trim(), "--url", &url]).expect(0);
    world.write("paper.pdf", "a file of the user's");
    let elsewhere = ["log", "submit", "paper.pdf", "--log", "log.toml", "--queue"];
    world.genten(&elsewhere).expect(0);

    let runs = [
        world.fetch(&[&site.url("/a")]).expect(0),
        world.refetch(&["a.provenance.json"]).expect(0),
        world.genten(&["log", "submit", "paper.pdf"]).expect(0).says("genten.local/"),
    ];
    for run in runs {
        run.keeps_quiet_about("log.toml");
    }
    silent.set_nonblocking(true).unwrap();
    assert!(silent.accept().is_err(), "nobody asked the other log");
    let status = world.genten(&["log", "status", "--json"]).expect(1).json();
    let queued: Vec<_> = status.iter().map(|log| log["queued"].clone()).collect();
    assert_eq!(queued, [1, 0], "the other log and the own one");
}

/// The log has answered, and its published tree does not show the entry yet.
#[test]
fn an_answer_that_is_not_believed_yet_is_nothing_that_is_logged() {
    let world = World::new();
    world.write("paper.pdf", "a file of the user's");
    let server = world.block_on(LogServer::start(TestLog::new("log.example"))).unwrap();
    let vkey = server.with_log(|log| log.note_key().to_vkey());
    let (url, read_url) = (server.url(), server.read_url());
    let urls = ["--url", &url, "--read-url", &read_url];
    world.genten(&[&["log", "init", "log.toml", "--vkey", &vkey][..], &urls].concat()).expect(0);
    server.checkpoints().always(ReadFault::Earlier);
    let submit = ["log", "submit", "paper.pdf", "--log", "log.toml"];
    world.genten(&submit).expect(1).says("paper.pdf: queued\n");
    world.genten(&["log", "proof", "paper.pdf"]).expect(1).talks("has not arrived yet");
    world.genten(&["log", "proof", "paper.pdf", "--sigstore"]).expect(1).talks("not arrived yet");

    server.checkpoints().always(ReadFault::Honest);
    world.genten(&submit).expect(0).says("paper.pdf: log.example#");
    world.genten(&["log", "proof", "paper.pdf"]).expect(0).says("logIndex");
}

/// Another description in the place of the old one, and a new log of the home, are other logs under the same name.
#[test]
fn what_another_log_has_under_this_name_is_logged_in_the_present_one_too() {
    let world = World::new();
    world.write("paper.pdf", "a file of the user's");
    let site = world.serving([("/a", Answer::ok("one"))]);
    world.fetch(&[&site.url("/a"), "--log", "none"]).expect(0);
    let submit = ["log", "submit", "paper.pdf", "a.provenance.json", "--log", "log.toml"];
    let mut servers = Vec::new();
    for name in ["first.example", "second.example"] {
        let server = world.block_on(LogServer::start(TestLog::new(name))).unwrap();
        let vkey = server.with_log(|log| log.note_key().to_vkey());
        let (url, read_url) = (server.url(), server.read_url());
        drop(std::fs::remove_file(world.path("log.toml")));
        let urls = ["--url", &url, "--read-url", &read_url];
        let init = [&["log", "init", "log.toml", "--vkey", &vkey][..], &urls].concat();
        world.genten(&init).expect(0);
        let (paper, manifest) =
            (format!("paper.pdf: {name}#"), format!("a.provenance.json: {name}#"));
        world.genten(&submit).expect(0).says(&paper).says(&manifest);
        world.genten(&submit).expect(0).says(&paper).says(&manifest);
        world.genten(&["log", "proof", "paper.pdf"]).expect(0).says("logIndex");
        assert_eq!(server.posts(), 2, "each once");
        servers.push(server);
    }
    let bundle = String::from_utf8(world.read("a.provenance.json")).unwrap();
    assert_eq!(
        bundle.matches("\"integratedTime\"").count(),
        2,
        "what the first has proven stays: {bundle}"
    );

    let own = ["log", "submit", "paper.pdf"];
    let before = world.genten(&own).expect(0).stdout;
    std::fs::rename(world.home().join("log"), world.home().join("old-log")).unwrap();
    std::fs::rename(world.home().join("keys/log.key"), world.home().join("keys/old-log.key"))
        .unwrap();
    let now = world.genten(&own).expect(0).says("genten.local/").stdout;
    assert_ne!(now, before);
    world.genten(&["log", "check"]).expect(0).says("its one entry");
}

#[test]
fn a_manifest_that_was_altered_is_not_logged() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one"))]);
    world.fetch(&[&site.url("/a"), "--log", "none"]).expect(0);
    let bundle = String::from_utf8(world.read("a.provenance.json")).unwrap();
    let altered = bundle.replacen("\"fetched_at\":\"20", "\"fetched_at\":\"21", 1);
    assert_ne!(altered, bundle);
    world.write("altered.provenance.json", altered);
    let run = world.genten(&["log", "submit", "altered.provenance.json"]).expect(1);
    run.talks("does not hold under the key in mcp_key_id");
    assert!(!world.home().join("log").exists());
}

#[test]
fn a_bundle_that_was_lost_is_made_again_from_the_journal() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one"))]);
    world.fetch(&[&site.url("/a")]).expect(0);
    let bundle = world.read("a.provenance.json");
    let id = world.journal()[0].manifest_id.to_string();
    world.genten(&["log", "proof", &id, "-o", "again.json"]).expect(0);
    let again = world.read("again.json");
    let items = |bytes: &[u8]| {
        let value: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        let mut items: Vec<_> =
            value["evidence"].as_array().unwrap().iter().map(ToString::to_string).collect();
        items.sort();
        (value["manifest"].clone(), items)
    };
    assert_eq!(items(&again), items(&bundle), "with the server's certificates");
}

#[test]
fn a_log_that_cannot_be_written_keeps_nothing_from_being_signed() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one")), ("/b", Answer::ok("two"))]);
    world.fetch(&[&site.url("/a")]).expect(0);
    let checkpoint = world.home().join("log/checkpoint");
    let note = std::fs::read_to_string(&checkpoint).unwrap();
    std::fs::write(&checkpoint, note.replace("\n1\n", "\n2\n")).unwrap();
    let run = world.fetch(&[&site.url("/b")]).expect(0);
    run.talks("everything stays queued").talks("genten log flush");
    world.accepts("b");
    world.genten(&["log", "status"]).expect(1).says("queued");
    world.genten(&["log", "flush"]).expect(1);

    std::fs::write(&checkpoint, note).unwrap();
    world.genten(&["log", "flush"]).expect(0).says("1 bundle holds its evidence now");
    world.genten(&["log", "status"]).expect(0);
    assert_eq!(verdict(&world, &verifier(&world, LOGGED), "b"), "accept");
}

/// A copy of the log's folder that is put back would let the log sign a second history.
#[test]
fn an_older_copy_of_the_log_is_not_continued() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one")), ("/b", Answer::ok("two"))]);
    world.fetch(&[&site.url("/a")]).expect(0);
    let checkpoint = world.home().join("log/checkpoint");
    let older = std::fs::read(&checkpoint).unwrap();
    world.fetch(&[&site.url("/b")]).expect(0);
    std::fs::write(&checkpoint, older).unwrap();
    let run = world.fetch(&[&site.url("/b"), "-o", "c"]).expect(0);
    run.talks("everything stays queued");
    world.genten(&["log", "status"]).expect(1);
}

/// A monitor that looks at a wrong folder must not be green.
#[test]
fn a_home_that_is_not_there_is_no_home_where_nothing_waits() {
    let world = World::new();
    for command in [
        &["log", "status"][..],
        &["log", "flush"],
        &["log", "flush", "--due"],
        &["log", "check"],
        &["log", "follow"],
        &["log", "serve", "--listen", "127.0.0.1:0"],
        &["log", "proof", "paper.pdf"],
        &["log", "forget", "log.toml"],
    ] {
        world.genten(command).expect(2).talks("home: no ").talks("GENTEN_HOME");
        assert!(!world.home().exists(), "{command:?} made a home");
    }
}

/// Each message names the file, and where in it the mistake is.
#[test]
fn a_file_that_describes_no_log_is_named_with_the_place_of_the_mistake() {
    let world = World::new();
    world.write("f", "bytes");
    let vkey = TestLog::new("log.example").note_key().to_vkey();
    let init = ["log", "init", "log.toml", "--vkey", &vkey, "--url"];
    let run = world.genten(&[&init[..], &["127.0.0.1:3000"]].concat()).expect(1);
    run.talks("log.toml describes no usable log: url = \"127.0.0.1:3000\": not a url");
    let run = world.genten(&[&init[..], &["https://u:secret@h:x"]].concat()).expect(1);
    run.keeps_quiet_about("secret");
    let whole = "http://127.0.0.1:1/api/v2/log/entries";
    world.genten(&[&init[..], &[whole]].concat()).expect(2).talks("Give http://127.0.0.1:1;");
    world.genten(&[&init[..], &["http://127.0.0.1:1"]].concat()).expect(0);
    world.genten(&["log", "submit", "f", "--log", "log.toml", "--queue"]).expect(0);
    let text = String::from_utf8(world.read("log.toml")).unwrap();
    let path = world.path("log.toml").display().to_string();
    world.write("log.toml", text.replace("[log]", "[log"));
    let run = world.genten(&["log", "flush"]).expect(1).talks(&format!("genten: {path}:3:5: "));
    let told: Vec<_> = run.stderr.lines().collect();
    assert!(told[1].starts_with("genten: Correct the file"), "{told:?}");
    assert!(told[2].starts_with("genten: everything stays queued"), "{told:?}");
    world.genten(&["log", "status"]).expect(1).says(&format!("{path}:3:5: "));
    world.write("log.toml", text.replace("log.example+", "other.example+"));
    world
        .genten(&["log", "flush"])
        .expect(1)
        .talks(&format!("{path} describes no usable log: vkey: "));
}

#[test]
fn a_log_that_is_lost_is_none_that_was_never_made() {
    let world = World::new();
    assert!(world.journal().is_empty(), "a home with a journal, and without a log");
    let tell = |status, words| {
        world.genten(&["log", "check"]).expect(status).talks(words);
        world.genten(&["log", "follow"]).expect(2).talks(words);
    };
    tell(2, "has no log of its own");
    world.write("f", "bytes");
    world.genten(&["log", "submit", "f"]).expect(0);
    std::fs::remove_file(world.home().join("log/checkpoint")).unwrap();
    tell(1, "[log.folder.checkpoint-lost]");
    std::fs::remove_dir_all(world.home().join("log")).unwrap();
    tell(1, "[log.rolled-back]");
    assert!(!world.home().join("log").exists(), "nothing is in the way of a copy");
}

#[test]
fn log_commands_speak_json() {
    let world = World::new();
    let init = world.genten(&["log", "init", "--json"]).expect(0).json();
    assert!(init[0]["vkey"].as_str().unwrap().starts_with("genten.local/"));
    world.write("f", "bytes");
    let submit = world.genten(&["log", "submit", "f", "--json"]).expect(0).json();
    assert_eq!((&submit[0]["state"], &submit[0]["item"]), (&"logged".into(), &"f".into()));
    let status = world.genten(&["log", "status", "--json"]).expect(0).json();
    assert_eq!((&status[0]["log"], &status[0]["logged"]), (&"local".into(), &1.into()));
    let flush = world.genten(&["log", "flush", "--json"]).expect(0).json();
    assert_eq!(flush[0]["complete"], true);
    let check = world.genten(&["log", "check", "--json"]).expect(0).json();
    assert_eq!(check[0]["size"], 1);
    world.write("g", "other bytes");
    let queued = world.genten(&["log", "submit", "g", "--queue", "--json"]).expect(0).json();
    assert_eq!(queued[0]["queued"], 1);
    for (command, status) in [
        (&["log", "follow", "--log", "no-such.toml", "--json"][..], 2),
        (&["log", "forget", "local", "--json"], 1),
        (&["log", "proof", "f.provenance.json", "--json"], 2),
        (&["log", "submit", "no-such-file", "--json"], 2),
    ] {
        let failed = world.genten(command).expect(status).json();
        let told = ["error", "hint"].map(|member| failed[0][member].as_str().unwrap().len() > 1);
        assert_eq!(told, [true, true], "{command:?}: {failed:?}");
    }
}
