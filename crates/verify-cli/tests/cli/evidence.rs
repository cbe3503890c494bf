//! Evidence that lies elsewhere.

use std::fs;
use std::path::Path;

use crate::common::World;
use genten_jws::SignedBytes;
use genten_manifest::{Bundle, Manifest, UnverifiedManifest};
use genten_primitives::Sha256Digest;

/// Evidence whose digest is right or wrong.
fn external(manifest: &Manifest, label: &str, is_right: bool) -> String {
    let manifest = UnverifiedManifest::read(&manifest.to_json()).unwrap();
    let id = SignedBytes::of_manifest(&manifest).unwrap().sha256();
    let digest = Sha256Digest::of(if is_right { b"foo" } else { b"bar" });
    format!(
        r#"{{"type":"external","label":"{label}","media_type":"a/b","manifest_id":"{id}","sha256":"{digest}","data":"Zm9v"}}"#
    )
}

fn with(manifest: &Manifest, items: &[String]) -> Vec<u8> {
    let add = |bundle: Bundle, item: &String| bundle.with_evidence(item.as_bytes()).unwrap();
    items.iter().fold(Bundle::new(manifest), add).to_json()
}

fn on_one_line(bundle: Vec<u8>) -> Vec<u8> {
    bundle.into_iter().filter(|byte| *byte != b'\n').collect()
}

#[test]
fn evidence_is_found_by_the_manifest_it_is_about() {
    let world = World::new();
    let manifest = world.manifest(b"body");
    let other = with(&world.manifest(b"other"), &[]);
    let right = with(&manifest, &[external(&manifest, "right", true)]);
    let wrong = with(&manifest, &[external(&manifest, "wrong", false)]);
    world.write("m.json", manifest.to_json());
    world.write("right/a.provenance.json", &right);
    world.write("right/b.provenance.json", &other);
    world.write("wrong/deep/b.provenance.json", &wrong);
    let list = [&other, &right, &wrong].map(|bundle| on_one_line(bundle.clone()));
    world.write("lists/l.jsonl", list.join(&b'\n'));
    let run = |evidence| world.verify(&["m.json", "--key", "key.pem", "--evidence", evidence]);
    run("right").expect(0).says("[external.not-checked]");
    run("right/a.provenance.json").expect(0).says("[external.not-checked]");
    run("wrong").expect(1).says("[external.digest]");
    run("lists").expect(1).says("[external.digest]");
    run("lists/l.jsonl").expect(1).says("[external.digest]");
    run("right/b.provenance.json").expect(0);
}

#[test]
fn evidence_is_added_to_what_came_along_and_counted_once() {
    let world = World::new();
    let manifest = world.manifest(b"body");
    let item = |label| external(&manifest, label, false);
    world.write("m.json", with(&manifest, &[item("one")]));
    world.write("e/1.provenance.json", with(&manifest, &[item("one"), item("two")]));
    world.write("e/2.provenance.json", with(&manifest, &[item("two")]));
    let ran = world.verify(&["m.json", "--key", "key.pem", "--evidence", "e"]).expect(1);
    assert_eq!(ran.stdout.matches("FAILS: An item of external evidence").count(), 2, "{ran:#?}");
}

#[test]
fn evidence_that_cannot_be_read_does_not_get_lost() {
    let world = World::new();
    let manifest = world.manifest(b"body");
    world.write("m.json", manifest.to_json());
    let good = with(&manifest, &[external(&manifest, "right", true)]);
    let broken = String::from_utf8(good.clone()).unwrap().replace("Zm9v", "Zm9");
    world.write("e/good.provenance.json", &good);
    world.write("e/broken.provenance.json", broken);
    world.write("e/notes.jsonl", "{\"a\":1}\n{\"b\":2}\n");
    let run = |evidence| world.verify(&["m.json", "--key", "key.pem", "--evidence", evidence]);
    run("e")
        .expect(2)
        .says("ACCEPT m.json")
        .says("[external.not-checked]")
        .complains("verify: e/broken.provenance.json: evidence that cannot be read: ")
        .complains("[evidence.base64]");
    for named in ["e/broken.provenance.json", "e/notes.jsonl", "key.pem", "absent"] {
        let ran = run(named).expect(2).complains(&format!("verify: {named}: "));
        assert!(ran.stdout.is_empty(), "{ran:#?}");
    }
}

/// Other spaces make no second log entry, which would contradict the first.
#[test]
fn evidence_that_is_spelled_otherwise_is_the_same() {
    for case in ["good-log-es256", "good-batch"] {
        let world = World::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/verify").join(case);
        for name in ["bundle.provenance.json", "trust.json", "policy.toml"] {
            world.write(name, fs::read(folder.join(name)).unwrap());
        }
        let bundle = fs::read_to_string(folder.join("bundle.provenance.json")).unwrap();
        let other = bundle.replace("\"type\":", "\"type\" :\t");
        assert_ne!(bundle, other);
        world.write("e/copy.provenance.json", other);
        let (_, signer) = bundle.split_once("\"mcp_key_id\":\"").unwrap();
        let signer = signer.split('"').next().unwrap();
        let trust = ["--trust", "trust.json", "--signer", signer, "--policy", "policy.toml"];
        let words = ["bundle.provenance.json", "--evidence", "e"];
        world.verify(&[&words[..], &trust].concat()).expect(0).says("ACCEPT");
    }
}

/// A bundle can be full; which part of more should count, nobody could say.
#[test]
fn as_much_evidence_is_added_as_a_bundle_holds() {
    let world = World::new();
    let manifest = world.manifest(b"body");
    let items = |labels: std::ops::Range<usize>| {
        let item = |label: usize| external(&manifest, &label.to_string(), true);
        with(&manifest, &labels.map(item).collect::<Vec<_>>())
    };
    world.write("m.json", items(0..20));
    world.write("e/1.provenance.json", items(10..42));
    world.write("e/2.provenance.json", items(20..52));
    let run = || world.verify(&["m.json", "--key", "key.pem", "--evidence", "e"]);
    run().expect(0).says("[external.not-checked]");
    world.write("e/3.provenance.json", items(52..53));
    run()
        .expect(2)
        .complains("verify: m.json: in --evidence are more than 32 items about this manifest")
        .complains("[evidence.count]");
}
