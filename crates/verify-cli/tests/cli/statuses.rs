//! The exit status says the verdict, and of several the gravest.

use crate::common::{World, tampered};

/// A world with one input for each exit status.
fn world() -> World {
    let world = World::new();
    world.fetched("good", b"body");
    world.write("forged.json", tampered(&world.manifest(b"body")));
    world.write("unknown.json", "{\"a\":1}");
    let stranger = crate::common::signer(genten_jws::Algorithm::EdDsa, 9);
    let manifest = crate::common::manifest(&stranger, "https://a.example.org/", b"body");
    world.write("stranger.json", manifest.to_json());
    world
}

#[test]
fn each_verdict_has_its_status() {
    let world = world();
    let run = |name| world.verify(&[name, "--key", "key.pem"]);
    run("good.provenance.json").expect(0).says("ACCEPT good.provenance.json: ");
    run("forged.json").expect(1).says("REJECT forged.json: ");
    run("unknown.json").expect(2).complains("[input.unknown-kind]");
    run("stranger.json").expect(3).says("REVIEW stranger.json: ").says("[signer.not-trusted]");
    run("absent.json").expect(2).complains("verify: absent.json: cannot be read");
}

#[test]
fn of_several_inputs_the_gravest_counts() {
    let world = world();
    let run = |names: &[&str]| world.verify(&[names, &["--key", "key.pem"]].concat());
    let (good, forged, unknown, stranger) =
        ("good.provenance.json", "forged.json", "unknown.json", "stranger.json");
    run(&[good, good]).expect(0);
    run(&[good, stranger, good]).expect(3);
    run(&[stranger, unknown, good]).expect(2);
    run(&[forged, unknown, stranger, good]).expect(1);
    run(&[unknown, forged])
        .expect(1)
        .says("2 inputs: 1 without verdict, 1 rejected")
        .complains("unknown.json");
}

#[test]
fn without_anybody_to_trust_nothing_is_accepted() {
    let world = world();
    let id = crate::common::did(&world.signer).to_owned();
    let command = format!("verify good.provenance.json --signer {id}");
    world.verify(&["good.provenance.json"]).expect(3).says(&command).says("CLAIMED, not attested");
    world.verify(&["good.provenance.json", "--signer", &id]).expect(0);
}

#[test]
fn wrong_usage_is_no_verdict() {
    let world = world();
    for words in [
        &[] as &[&str],
        &["--unknown"],
        &["good.provenance.json", "--at", "yesterday"],
        &["good.provenance.json", "--format", "xml"],
        &["good.provenance.json", "--jobs", "0"],
        &["good.provenance.json", "-q", "-v"],
        &["good.provenance.json", "--body", "good", "--bodies", "."],
        &["good.provenance.json", "--key"],
    ] {
        let run = crate::common::Ran::of(world.command().args(words).output().unwrap());
        assert!(run.stdout.is_empty() && run.stderr.contains("error: "), "{words:?} {run:#?}");
        run.expect(2);
    }
}

#[test]
fn malformed_input_is_rejected_and_named() {
    let world = World::new();
    let manifest = String::from_utf8(world.manifest(b"body").to_json()).unwrap();
    for (text, code) in [
        (
            manifest.replace("\"source_url\":", "\"source_url\":\"x\",\"source_url\":"),
            "json.duplicate-member",
        ),
        (manifest[..manifest.len() - 9].to_owned(), "json.unexpected-end"),
        (manifest.replace("200", "2e2"), "json.fraction"),
        (manifest.replace("\"fetched_at\"", "\"fetched\""), "manifest.missing-member"),
        (manifest.replace("T08:15", " 08:15"), "manifest.time"),
        (format!("\u{feff}{manifest}"), "json.byte-order-mark"),
        (format!("{manifest}x"), "json.trailing-data"),
    ] {
        world.write("m.json", &text);
        world
            .verify(&["m.json", "--key", "key.pem"])
            .expect(1)
            .says("REJECT m.json: ")
            .says(&format!("[{code}]"));
    }
}

#[test]
fn what_later_versions_do_is_named_and_no_verdict() {
    let world = world();
    world.write(
        "later.json",
        r#"{"media_type":"application/vnd.genten.provenance-bundle+json;version=2"}"#,
    );
    let not_yet = |words: &[&str], what: &str| {
        world.verify(words).expect(2).complains("[input.not-yet]").complains(what);
    };
    not_yet(&["good.provenance.json", "--format", "html"], "--format html");
    world.verify(&["later.json"]).expect(2).complains("[bundle.unsupported-version]");
}

#[test]
fn the_time_is_an_argument() {
    let world = world();
    let run = |at: &str| {
        let words = ["good.provenance.json", "--key", "key.pem", "--at", at];
        crate::common::Ran::of(world.command().args(words).output().unwrap())
    };
    run("2026-11-30T17:15:00+09:00").expect(0).says("; as of 2026-11-30T08:15:00.000Z");
    run("2026-11-30T08:14:00Z").expect(0);
    run("2026-11-30T08:13:59Z").expect(3).says("[time.fetched-in-future]");
}
