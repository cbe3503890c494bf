//! `genten mcp sources`: from what was fetched to an answer that is accepted.

use genten::store::Home;
use genten_testkit::Answer;
use serde_json::{Value, json};

use crate::world::{Run, World, gzip};

const LAW: &str = "Article 1. Everybody may know the law.\n";
/// 法 in Shift_JIS.
const OLD: &[u8] = b"\x96\x40";

/// A home whose key is known to whoever has `key.pem`, and these documents fetched.
fn fetched<const N: usize>(routes: [(&str, Answer); N]) -> World {
    let world = World::new();
    let names = routes.each_ref().map(|(target, _)| (*target).to_owned());
    let site = world.serving(routes);
    for name in names {
        world.fetch(&[&site.url(&name)]).expect(0);
    }
    hand_over_key(&world);
    world
}

fn hand_over_key(world: &World) {
    let key = world.genten(&["key", "public"]).expect(0).stdout;
    world.write("key.pem", key);
}

fn sources(world: &World, words: &[&str]) -> Run {
    world.genten(&[&["mcp", "sources", "--key", "key.pem"], words].concat())
}

/// Nothing is written, and this is why.
#[track_caller]
fn refuses(world: &World, words: &[&str], status: i32, code: &str) {
    let run = sources(world, words).expect(status).talks(code);
    assert_eq!(run.stdout, "");
}

fn list(run: &Run) -> Vec<Value> {
    let file: Value = serde_json::from_str(&run.stdout).unwrap();
    file["sources"].as_array().unwrap().clone()
}

/// 002-18: fetch, sources, a form for reviewers, and the decision.
#[test]
fn an_answer_from_what_was_fetched_is_accepted() {
    let old = Answer::ok(OLD).header("content-type", "text/plain; charset=Shift_JIS");
    let world = World::new();
    let site = world.serving([("/law", Answer::ok(LAW)), ("/old", old)]);
    world.fetch(&[&site.url("/law"), &site.url("/old")]).expect(0);
    hand_over_key(&world);
    let run = sources(&world, &["law.provenance.json", "old.provenance.json"]).expect(0);
    world.write("sources.json", &run.stdout);
    let made = list(&run);
    assert_eq!((&made[0]["content"], &made[1]["content"]), (&json!(LAW), &json!("法")));
    let id = made[0]["id"].as_str().unwrap();
    assert!(run.stderr.contains(&format!("{id}  https://localhost")), "{run:#?}");

    let claim = json!({"id": "C1", "text": "The law is public.", "citation_id": id});
    world.write("answer.json", json!({"claims": [claim]}).to_string());
    let form = ["mcp", "citations", "--fingerprints", "answer.json", "sources.json"];
    let form = world.genten(&form).expect(0).stdout;
    world.write("reviews.json", form.replace("\"verdict\": \"\"", "\"verdict\": \"supported\""));
    let decide = ["mcp", "citations", "answer.json", "sources.json", "reviews.json"];
    world.genten(&decide).expect(0).says("\"status\": \"ACCEPT\"");

    // Another manifest of the same document is the same source, so that reviews stay good.
    world.fetch(&[&site.url("/law"), "-o", "later"]).expect(0);
    assert_ne!(world.read("later.provenance.json"), world.read("law.provenance.json"));
    let later = sources(&world, &["later.provenance.json", "law.provenance.json"]).expect(0);
    assert_eq!(list(&later), [made[0].clone()]);
}

/// 002-18: only what is accepted, and all or nothing.
#[test]
fn what_is_not_accepted_makes_no_file() {
    let world = fetched([("/law", Answer::ok(LAW)), ("/other", Answer::ok("another"))]);
    let both = ["other.provenance.json", "law.provenance.json"];
    world.write("law", LAW.replace("may", "must"));
    refuses(&world, &both, 1, "law.provenance.json: reject: ");
    refuses(&world, &both, 1, "[content.other-bytes]");
    std::fs::remove_file(world.path("law")).unwrap();
    refuses(&world, &both, 1, "[content.not-found]");

    let nobody = world.genten(&["mcp", "sources", "other.provenance.json"]).expect(1);
    assert_eq!(nobody.stdout, "");
    nobody.talks("other.provenance.json: review: ");
    let bundle = String::from_utf8(world.read("other.provenance.json")).unwrap();
    world.write("forged.provenance.json", bundle.replace("/other", "/forged"));
    world.write("forged", "another");
    refuses(&world, &["forged.provenance.json"], 1, "forged.provenance.json: reject: ");
    let policy = ["other.provenance.json", "--policy", "high-trust"];
    refuses(&world, &policy, 1, "other.provenance.json: review: ");
}

#[test]
fn a_body_is_found_by_its_content() {
    let world = fetched([("/law", Answer::ok(LAW))]);
    let made = sources(&world, &["law.provenance.json"]).expect(0).stdout;
    std::fs::create_dir_all(world.path("kept/deep")).unwrap();
    std::fs::rename(world.path("law"), world.path("kept/deep/renamed")).unwrap();
    let named = ["law.provenance.json", "--bodies", "kept"];
    assert_eq!(sources(&world, &named).expect(0).stdout, made);
    Home::open(world.home()).unwrap().bodies().put(LAW.as_bytes()).unwrap();
    assert_eq!(sources(&world, &["law.provenance.json"]).expect(0).stdout, made);
}

/// 002-18: strictly as it is stated, or not at all.
#[test]
fn what_is_no_text_is_no_source() {
    let packed = Answer::ok(gzip(LAW.as_bytes())).header("content-encoding", "gzip");
    let world = fetched([
        ("/picture", Answer::ok(b"\x89PNG\xff".to_vec()).header("content-type", "image/png")),
        ("/odd", Answer::ok(OLD).header("content-type", "text/plain; charset=klingon")),
        ("/blank", Answer::ok(" \n")),
        ("/gone", Answer::status(404).body("sorry")),
        ("/packed", packed),
    ]);
    refuses(&world, &["picture.provenance.json"], 1, "[sources.not-text]");
    refuses(&world, &["odd.provenance.json"], 1, "[sources.charset]");
    refuses(&world, &["blank.provenance.json"], 1, "[sources.blank]");
    refuses(&world, &["gone.provenance.json"], 1, "[sources.status]");
    refuses(&world, &["packed.provenance.json"], 1, "[sources.coded]");
    std::fs::create_dir(world.path("decoded")).unwrap();
    world.write("decoded/law", LAW);
    let run = sources(&world, &["packed.provenance.json", "--bodies", "decoded"]).expect(0);
    assert_eq!(list(&run)[0]["content"], LAW);
}

#[test]
fn what_cannot_be_read_ends_with_2() {
    let world = fetched([("/law", Answer::ok(LAW))]);
    refuses(&world, &["missing.json"], 2, "missing.json");
    refuses(&world, &["law"], 2, "law: ");
    refuses(&world, &["law.provenance.json", "--policy", "missing.toml"], 2, "missing.toml");
    refuses(&world, &["law.provenance.json", "--trust", "law"], 2, "[kit.malformed]");
    refuses(&world, &["law.provenance.json", "--signer", "me"], 2, "--signer me");
    refuses(&world, &["law.provenance.json", "--bodies", "missing"], 2, "missing");
    refuses(&world, &["law.provenance.json", "--at", "2000-01-01T00:00:00Z"], 1, "future");
}
