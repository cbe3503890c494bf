//! What is submitted while the log is away, or after it was begun anew.

use genten::manifest::UnverifiedBundle;
use genten_testkit::log::TestLog;
use genten_testkit::{Answer, LogServer, NetFault, ReadFault, Refusal, WriteFault};

use crate::world::World;

/// A log that `log.toml` describes.
fn described(world: &World) -> LogServer {
    let server = world.block_on(LogServer::start(TestLog::empty("log.example"))).unwrap();
    let vkey = server.with_log(|log| log.note_key().to_vkey());
    let (url, read) = (server.url(), server.read_url());
    let init = ["log", "init", "log.toml", "--vkey", &vkey, "--url", &url, "--read-url", &read];
    world.genten(&init).expect(0);
    server
}

fn log_id(world: &World, name: &str) -> Option<String> {
    let json: serde_json::Value = serde_json::from_slice(&world.read(name)).unwrap();
    let id = &json.get("manifest")?["transparency_log_id"];
    id.as_str().map(str::to_owned)
}

/// They were signed in another home: nothing but the submission says where they are.
#[test]
fn files_that_were_brought_are_completed_when_the_log_is_back() {
    let (signer, world) = (World::new(), World::new());
    let site = signer.serving([("/a", Answer::ok("one")), ("/b", Answer::ok("two"))]);
    signer.fetch(&[&site.url("/a"), "--log", "none"]).expect(0);
    signer.fetch(&[&site.url("/b"), "--log", "none"]).expect(0);
    world.write("a.json", signer.read("a.provenance.json"));
    world.write("copy.json", signer.read("a.provenance.json"));
    let bundle: serde_json::Value =
        serde_json::from_slice(&signer.read("b.provenance.json")).unwrap();
    world.write("bare.json", bundle["manifest"].to_string());

    let server = described(&world);
    server.writes().always(WriteFault::Net(NetFault::Refuse(Refusal::status(503))));
    let submit = ["log", "submit", "a.json", "copy.json", "bare.json", "--log", "log.toml"];
    world.genten(&submit).expect(1).says("a.json: queued\n");
    let status = world.genten(&["log", "status"]).expect(1);
    status.says(
        "2 times queued (manifest): rekor.submit.busy, 1 attempt\n    log is busy (status 503)",
    );
    assert_eq!(log_id(&world, "a.json"), None);

    server.writes().clear();
    world
        .genten(&["log", "flush"])
        .expect(0)
        .says("2 entries logged\n3 bundles hold their evidence now");
    // Which of the two came first is chance.
    let place = log_id(&world, "a.json").unwrap();
    assert_eq!(log_id(&world, "copy.json").as_ref(), Some(&place));
    let mut places = [place.clone(), log_id(&world, "bare.json").unwrap()];
    places.sort();
    assert_eq!(places, ["log.example#0", "log.example#1"]);
    assert_eq!(world.genten(&["log", "flush"]).expect(0).stdout, "nothing waits to be sent\n");

    // What is there already comes into a file at once.
    world.write("late.json", signer.read("a.provenance.json"));
    let late = ["log", "submit", "late.json", "--log", "log.toml"];
    world.genten(&late).expect(0).says(&format!("late.json: {place}\n"));
    assert_eq!(world.read("late.json"), world.read("a.json"));
}

#[test]
fn a_log_is_given_up_and_gets_what_it_had_when_that_is_asked_for() {
    let world = World::new();
    for name in ["one", "two", "three"] {
        world.write(name, format!("{name}, a file of the user's"));
    }
    let server = described(&world);
    let submit = |name: &str| world.genten(&["log", "submit", name, "--log", "log.toml"]);
    submit("one").expect(0).says("one: log.example#0\n");
    submit("two").expect(0).says("two: log.example#1\n");
    let forget = ["log", "forget", "log.toml"];
    world.genten(&forget).expect(1).talks("[log.sound]").talks("(option --yes)");

    server.replace_log(TestLog::empty("log.example"));
    submit("three").expect(1).talks("[rekor.history.behind]");
    world.genten(&forget).expect(0).says("2 entries that it had: not looked for there any more");
    submit("two").expect(0).says("two: log.example#1\n");
    world
        .genten(&["log", "forget", "log.toml", "--queue-again"])
        .expect(0)
        .says("log.example: was given up before\n  1 entry that it had: queued again");
    world.genten(&["log", "flush"]).expect(0);
    submit("one").expect(0).says("one: log.example#2\n");
    world.genten(&["log", "forget", "log.toml", "--yes"]).expect(0).says("3 entries that it had");
}

/// The same place in a log that was begun anew is another place, with another proof.
#[test]
fn what_comes_to_stand_at_its_old_place_again_gets_the_new_proof() {
    let (signer, world) = (World::new(), World::new());
    let site = signer.serving([("/a", Answer::ok("one")), ("/b", Answer::ok("two"))]);
    for name in ["a", "b"] {
        signer.fetch(&[&site.url(&format!("/{name}")), "--log", "none"]).expect(0);
        world.write(name, signer.read(&format!("{name}.provenance.json")));
    }
    let server = described(&world);
    let submit = |name: &str| world.genten(&["log", "submit", name, "--log", "log.toml"]);
    submit("a").expect(0).says("a: log.example#0");
    submit("b").expect(0).says("b: log.example#1");
    let old = [world.read("a"), world.read("b")];

    server.replace_log(TestLog::empty("log.example"));
    server.append(["of somebody else"]);
    world.genten(&["log", "forget", "log.toml"]).expect(0);
    let status = world.genten(&["log", "status"]).expect(0);
    status.says("logged                      0\n").says("in a log that was given up  2\n");
    submit("b").expect(0).says("b: log.example#1");
    submit("a").expect(0).says("a: log.example#2");
    for (name, old) in [("a", &old[0]), ("b", &old[1])] {
        let new = world.read(name);
        assert_ne!(&new, old, "{name} has the proof of the new log");
        assert!(UnverifiedBundle::read(&new).is_ok(), "{name}");
    }
    let entries =
        |name: &str| String::from_utf8(world.read(name)).unwrap().matches("rekor-v2").count();
    assert_eq!((entries("a"), entries("b")), (2, 1), "one place stands there once");
}

/// Nothing new is sent, and the log is looked at all the same before a place in it is named.
#[test]
fn a_remembered_place_is_named_only_of_a_log_that_still_has_it() {
    let world = World::new();
    world.write("one", "a file of the user's");
    world.write("two", "another file of the user's");
    let server = described(&world);
    let submit = |name: &str| world.genten(&["log", "submit", name, "--log", "log.toml"]);
    submit("one").expect(0);
    submit("two").expect(0);
    submit("one").expect(0).says("one: log.example#0\n");
    server.replace_log(TestLog::empty("log.example"));
    server.append(["of somebody else"]);
    let run =
        submit("one").expect(1).says("one: was log.example#0, which the log may not have any more");
    run.talks("[rekor.history.behind]").talks("genten log forget");
    // Whoever has only looked knows enough to give it up.
    world.genten(&["log", "forget", "log.toml"]).expect(0).says("2 entries that it had");
    submit("one").expect(0).says("one: log.example#1\n");

    server.checkpoints().always(ReadFault::Missing);
    submit("one").expect(0).says("one: log.example#1\n").talks("was not looked at");
}

/// A folder on the way may be gone when it is read.
#[test]
fn a_log_has_one_name_however_its_path_is_written() {
    let world = World::new();
    world.write("one", "a file of the user's");
    let _server = described(&world);
    std::fs::create_dir(world.path("folder")).unwrap();
    let queue = ["log", "submit", "one", "--log", "folder/../log.toml", "--queue"];
    world.genten(&queue).expect(0);
    std::fs::remove_dir(world.path("folder")).unwrap();
    world.genten(&["log", "flush"]).expect(0).says("1 entry logged");
    world.genten(&["log", "submit", "one", "--log", "log.toml"]).expect(0).says("#0\n");
    assert_eq!(world.genten(&["log", "status", "--json"]).expect(0).json().len(), 1);
}
