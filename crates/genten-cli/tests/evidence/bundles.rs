//! Bundles that grow, and what is shown of them.

use genten_jws::LocalSigner;
use genten_manifest::{EvidenceKind, UnverifiedBundle};

use crate::makers::{
    Authority, batch, content_rekord, ed25519, ed25519_manifest, ed25519_rekord, es256_rekord,
    logged, manifest, policy, vectors,
};
use crate::support::{World, certified, did_key, exists, key, member, signed, with_kit};

#[track_caller]
pub(crate) fn add(world: &World, arguments: &[&str]) -> String {
    world.genten(&[&["bundle", "add", "m.json"], arguments].concat()).expect(0).stdout
}

pub(crate) fn bundle(world: &World, name: &str) -> UnverifiedBundle {
    UnverifiedBundle::read(&std::fs::read(world.path(name)).unwrap()).unwrap()
}

#[track_caller]
fn expect_words(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word} is not in\n{text}");
    }
}

#[test]
fn a_manifest_becomes_a_bundle_with_its_log_entry() {
    let (world, manifest) = (with_kit(), manifest());
    world.write("m.json", &manifest.json);
    world.write("entry.json", logged(&es256_rekord(&manifest, &key(1))));
    assert_eq!(add(&world, &["--log-entry", "entry.json"]), "added entry.json\n");
    let found = bundle(&world, "m.json");
    assert_eq!(found.manifest().to_json(), manifest.json);
    let EvidenceKind::RekorV2(entry) = found.evidence()[0].kind() else { panic!() };
    assert_eq!((entry.signature.as_ref(), &*entry.entry), (None, &*world.read("entry.json")));

    world.write("policy.txt", policy());
    world.trust(&["add-log", "kit.json", "policy.txt"]);
    world.trust(&["add-key", "kit.json", "--id", &did_key(1)]);
    let report = world.verify("kit.json", &std::fs::read(world.path("m.json")).unwrap());
    assert_eq!(report.verdict.as_str(), "accept", "{report:?}");
    assert_eq!((report.logs.len(), report.logs[0].index), (1, 1), "{report:?}");

    let again = world.read("m.json");
    assert_eq!(add(&world, &["--log-entry", "entry.json"]), "there already: entry.json\n");
    assert_eq!(world.read("m.json"), again);
    let text = world.genten(&["bundle", "show", "m.json"]).expect(0).stdout;
    assert!(text.starts_with("NOT VERIFIED: "), "{text}");
    let words = ["evidence: 1 item", "subject    manifest", "index      1", "log.example/2026"];
    expect_words(&text, &words);
    expect_words(&text, &["cosigners  witness.example", "PKIX_ECDSA_P256_SHA_256, alone"]);
    let json = world.genten(&["bundle", "show", "m.json", "--json"]).expect(0).stdout;
    assert_eq!(member(&json, "manifest_id"), format!("\"{}\"", manifest.id));
    expect_words(&member(&json, "evidence"), &[r#""cosigners":["witness.example"]"#]);
    let inspected = world.genten(&["inspect", "m.json"]).expect(0).stdout;
    expect_words(&inspected, &["rekor-v2: an entry of a transparency log", "witness.example"]);
}

#[test]
fn an_ed25519_entry_states_its_own_signature() {
    let (world, manifest) = (World::new(), ed25519_manifest());
    world.write("m.json", &manifest.json);
    let rekord = ed25519_rekord(&manifest, ed25519(1));
    world.write("entry.json", logged(&rekord));
    add(&world, &["--log-entry", "entry.json", "-o", "out.json"]);
    assert_eq!(world.read("m.json").as_bytes(), manifest.json, "the other file is written");
    let found = bundle(&world, "out.json");
    let EvidenceKind::RekorV2(entry) = found.evidence()[0].kind() else { panic!() };
    assert_eq!(entry.signature.as_ref(), Some(&rekord.signature));
}

#[test]
fn a_batch_comes_before_its_entry_even_in_one_call() {
    let (world, manifest) = (with_kit(), manifest());
    world.write("m.json", &manifest.json);
    let (place, statement) = batch(&manifest, key(1));
    world.write("batch.json", place);
    world.write("entry.json", logged(&es256_rekord(&statement, &key(1))));
    let both = ["--log-entry", "entry.json", "--subject", "batch", "--batch", "batch.json"];
    assert_eq!(add(&world, &both), "added batch.json\nadded entry.json\n");
    let text = world.genten(&["bundle", "show", "m.json"]).expect(0).stdout;
    expect_words(
        &text,
        &["index       1", "size        2", "2026-06-01T08:16:00Z", "proof       1 hash"],
    );
    world.write("policy.txt", policy());
    world.trust(&["add-log", "kit.json", "policy.txt"]);
    world.trust(&["add-key", "kit.json", "--id", &did_key(1)]);
    let report = world.verify("kit.json", &std::fs::read(world.path("m.json")).unwrap());
    assert_eq!((report.verdict.as_str(), report.logs.len()), ("accept", 1), "{report:?}");
}

#[test]
fn a_content_is_logged_by_a_key_of_its_own() {
    let (world, manifest) = (World::new(), manifest());
    world.write("m.json", &manifest.json);
    world.write("entry.json", logged(&content_rekord(b"bytes", key(3))));
    add(&world, &["--log-entry", "entry.json", "--subject", "content"]);
    let text = world.genten(&["bundle", "show", "m.json"]).expect(0).stdout;
    expect_words(&text, &["subject    content"]);
}

#[test]
fn timestamps_are_of_the_manifests_signature() {
    let (world, manifest) = (with_kit(), manifest());
    let Some(authority) = Authority::new(&world) else { return };
    world.write("m.json", &manifest.json);
    authority.stamp(&manifest.der, "stamp.tsr", false);
    assert_eq!(add(&world, &["--timestamp", "stamp.tsr"]), "added stamp.tsr\n");
    assert_eq!(add(&world, &["--timestamp", "stamp.tsr"]), "there already: stamp.tsr\n");
    let text = world.genten(&["bundle", "show", "m.json"]).expect(0).stdout;
    expect_words(&text, &["rfc3161: a timestamp", "claimed time", "of CN=Example TSA"]);
    world.trust(&["add-tsa", "kit.json", "tsa.pem", "--name", "Example TSA"]);
    world.trust(&["add-key", "kit.json", "--id", &did_key(1)]);
    let report = world.verify("kit.json", &std::fs::read(world.path("m.json")).unwrap());
    assert_eq!(report.timestamps.len(), 1, "{report:?}");
    authority.stamp(b"other", "other.tsr", false);
    let before = world.read("m.json");
    let other = world.genten(&["bundle", "add", "m.json", "--timestamp", "other.tsr"]).expect(1);
    assert!(other.stderr.contains("stamped bytes have the hash"), "{}", other.stderr);
    assert_eq!(world.read("m.json"), before);
}

/// A stamp over the signature in the log entry, which is another one than the manifest's.
#[test]
fn a_stamp_of_the_logged_signature_is_told_apart() {
    let (world, manifest) = (World::new(), ed25519_manifest());
    let Some(authority) = Authority::new(&world) else { return };
    world.write("m.json", &manifest.json);
    let rekord = ed25519_rekord(&manifest, ed25519(1));
    authority.stamp(&rekord.signature, "stamp.tst", true);
    world.genten(&["bundle", "add", "m.json", "--timestamp", "stamp.tst"]).expect(1);
    world.write("entry.json", logged(&rekord));
    add(&world, &["--log-entry", "entry.json", "--timestamp", "stamp.tst"]);
    let found = bundle(&world, "m.json");
    let EvidenceKind::Rfc3161(stamp) = found.evidence()[1].kind() else { panic!() };
    assert_eq!(stamp.signature.as_ref(), Some(&rekord.signature));
}

/// Entry and stamp of a real log and a real authority, about something else: shown as they stand, and never taken by `add`.
#[test]
fn recorded_evidence_is_shown_and_belongs_to_something_else() {
    let Some(folder) = vectors("rekor-live/bundles") else { return };
    let recorded = std::fs::read_to_string(folder.join("ed.sigstore.json")).unwrap();
    let material = member(&recorded, "verificationMaterial");
    let entries = member(&material, "tlogEntries");
    let entry = entries.strip_prefix('[').unwrap().strip_suffix(']').unwrap();
    let stamps: serde_json::Value = serde_json::from_str(&material).unwrap();
    let stamp = &stamps["timestampVerificationData"]["rfc3161Timestamps"][0]["signedTimestamp"];
    let stamp = genten_primitives::encoding::from_base64(stamp.as_str().unwrap()).unwrap();
    let manifest = genten_jws::ManifestSigner::new(LocalSigner::did_key(key(1))).unwrap();
    let manifest = manifest.sign(crate::support::claims()).unwrap();
    let with = genten_manifest::Bundle::new(&manifest)
        .with_log_entry(genten_manifest::Subject::Manifest, entry.as_bytes(), None)
        .and_then(|one| one.with_timestamp(genten_manifest::Subject::Manifest, &stamp, None))
        .unwrap();
    let world = World::new();
    world.write("m.json", with.to_json());
    let text = world.genten(&["bundle", "show", "m.json"]).expect(0).stdout;
    expect_words(
        &text,
        &["index      705", "cosigners  w1.example, w2.example", "PKIX_ED25519_PH"],
    );
    expect_words(&text, &["claimed time  2026-11-30T00:09:52Z", "CN=Test TSA Intermediate"]);
    world.write("m.json", manifest.to_json());
    world.write("entry.json", entry);
    world.write("stamp.tsr", &stamp);
    for (option, file) in [("--log-entry", "entry.json"), ("--timestamp", "stamp.tsr")] {
        let refused = world.genten(&["bundle", "add", "m.json", option, file]).expect(1);
        assert!(refused.stderr.contains("It is of another manifest"), "{}", refused.stderr);
    }
}

#[test]
fn whose_chain_it_is_is_seen_from_the_manifest() {
    let world = World::new();
    let uri = "https://mcp.example.org/news";
    let certified = certified(uri, 2050);
    let secret = genten_jws::SecretKey::from_pem(&certified.key_pem).unwrap();
    let signer = LocalSigner::new(secret, uri.parse().unwrap()).unwrap();
    world.write("m.json", signed(signer).to_json());
    world.write("chain.pem", format!("{}{}", certified.leaf_pem, certified.root_pem));
    add(&world, &["--chain", "chain.pem"]);
    let found = bundle(&world, "m.json");
    let EvidenceKind::X509Chain(chain) = found.evidence()[0].kind() else { panic!() };
    assert_eq!(chain, &[certified.leaf_der, certified.root_der]);
    world.write("root.pem", &certified.root_pem);
    let refused = world.genten(&["bundle", "add", "m.json", "--chain", "root.pem"]).expect(1);
    assert!(refused.stderr.contains("is not of the key that signed"), "{}", refused.stderr);
}

#[test]
fn external_evidence_is_bound_to_the_manifest() {
    let (world, manifest) = (World::new(), manifest());
    world.write("m.json", &manifest.json);
    world.write("talk.bin", b"presentation");
    let external = ["--external", "talk.bin", "--media-type", "application/vnd.tlsnotary"];
    let out = add(&world, &[&external[..], &["--label", "handshake", "--json"]].concat());
    assert_eq!(member(&out, "added"), r#"["talk.bin"]"#);
    let found = bundle(&world, "m.json");
    let EvidenceKind::External(item) = found.evidence()[0].kind() else { panic!() };
    assert_eq!((item.manifest_id, item.label.as_deref()), (manifest.id, Some("handshake")));
    let out = add(&world, &[&external[..], &["--label", "handshake", "--json"]].concat());
    assert_eq!(
        (member(&out, "added"), member(&out, "present")),
        ("[]".into(), r#"["talk.bin"]"#.into())
    );
}

/// In a bundle that a library wrote with 32 items there is no room for one more.
#[test]
fn limits_are_kept() {
    let (world, manifest) = (World::new(), manifest());
    let items: Vec<_> = (0..32).map(|number| format!(r#"{{"type":"x.{number}"}}"#)).collect();
    let full = format!(
        r#"{{"media_type":"{}","manifest":{},"evidence":[{}]}}"#,
        genten_manifest::BUNDLE_MEDIA_TYPE,
        String::from_utf8(manifest.json.clone()).unwrap(),
        items.join(",")
    );
    world.write("m.json", &full);
    world.write("talk.bin", b"presentation");
    let external = ["--external", "talk.bin", "--media-type", "a/b"];
    let refused = world.genten(&[&["bundle", "add", "m.json"][..], &external].concat()).expect(1);
    assert!(refused.stderr.contains("nothing was written"), "{}", refused.stderr);
    assert_eq!(world.read("m.json"), full);
    world.write("m.json", &manifest.json);
    world.write("talk.bin", vec![0; 1 << 20]);
    let large = world.genten(&[&["bundle", "add", "m.json"][..], &external].concat()).expect(1);
    assert!(large.stderr.contains("[json.too-large]"), "{}", large.stderr);
    assert_eq!(world.read("m.json").as_bytes(), manifest.json);
    assert!(!exists(&world.home()), "bundles need no home");
}
