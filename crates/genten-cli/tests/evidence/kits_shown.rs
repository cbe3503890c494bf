//! What `show` and `check` say of logs, authorities and lists.

use crate::kits::ct_list;
use crate::makers::{log_key, policy, stamping_certificate, vectors};
use crate::support::{World, key, member, with_kit};

#[test]
fn show_says_whose_word_counts_for_what() {
    let world = with_kit();
    world.write("policy.txt", policy());
    world.write("tsa.pem", stamping_certificate().0);
    world.write("list.json", ct_list("2026-11-01T00:00:00Z"));
    world.trust(&["add-log", "kit.json", "policy.txt"]);
    world.trust(&["add-tsa", "kit.json", "tsa.pem", "--name", "Example TSA"]);
    world.trust(&["add-ct", "kit.json", "list.json"]);
    let text = world.trust(&["show", "kit.json"]).stdout;
    for words in [
        "It trusts nobody: every manifest needs review with it.",
        "It trusts 1 log as far as witnesses have seen them:",
        "log.example/2026",
        "witnesses, w1",
        "It believes 1 timestamp authority about by when something existed:",
        "Example TSA",
        "It knows Certificate Transparency logs",
        "1 log of 1 operator, 1 usable",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    let json = world.trust(&["show", "kit.json", "--json"]).stdout;
    assert!(member(&json, "tlog_policies").contains(r#""quorum":"w1""#), "{json}");
    assert!(member(&json, "timestamp_authorities").contains("Example TSA"), "{json}");
    assert!(member(&json, "ct_log_list").contains(r#""logs":1"#), "{json}");
}

#[test]
fn show_says_what_a_root_is_for() {
    let Some(path) = vectors("sigstore-root-signing/targets/trusted_root.json") else { return };
    let world = with_kit();
    world.write("root.json", std::fs::read(path).unwrap());
    world.trust(&["add-root", "kit.json", "root.json"]);
    let text = world.trust(&["show", "kit.json"]).stdout;
    for words in [
        "It trusts a Sigstore root, and so the word of",
        "https://rekor.sigstore.dev",
        "run by",
        "vouch for signers of Sigstore bundles, and authorise no signer of manifests",
        "must have seen the certificates of those CAs",
        "https://timestamp.sigstore.dev/api/v1/timestamp",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    let json = world.trust(&["show", "kit.json", "--json"]).stdout;
    assert!(member(&json, "sigstore_trusted_roots").contains("https://rekor.sigstore.dev"));
}

/// A kit with these members.
fn kit(members: &str) -> World {
    let media_type = genten_verify::kit::KIT_MEDIA_TYPE;
    let world = World::new();
    let made = "2026-06-01T00:00:00Z";
    world.write(
        "kit.json",
        format!(r#"{{"media_type":"{media_type}","created_at":"{made}",{members}}}"#),
    );
    world
}

#[test]
fn show_names_the_keys_that_log_for_a_signer() {
    let jwk = |number| key(number).public_key().to_jwk();
    let world = kit(&format!(
        r#""signers":[{{"key_id":"did:web:a.example#k","status":"active","public_key":{},
            "log_keys":[{}],"content_log_keys":[{}]}}]"#,
        jwk(1),
        jwk(2),
        jwk(3)
    ));
    let text = world.trust(&["show", "kit.json"]).stdout;
    let json = world.trust(&["show", "kit.json", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    for (member, number) in [("log_keys", 2), ("content_log_keys", 3)] {
        let thumbprint = key(number).public_key().thumbprint().to_string();
        assert!(text.contains(&thumbprint), "{text}");
        assert_eq!(json["signers"][0][member], serde_json::json!([thumbprint]));
    }
}

const ROOT: &str = r#"{
  "mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1",
  "tlogs":[{"baseUrl":"https://log.example:8443/2026","hashAlgorithm":"SHA2_256","publicKey":{
    "rawBytes":"MCowBQYDK2VwAyEA1FFQ4J3SrayEldTdxQOzz02MGkkaOsIWQ4hewP5yiZc=",
    "keyDetails":"PKIX_ED25519","validFor":{"start":"2026-01-01T00:00:00Z"}}}]}"#;

/// A checkpoint of a trusted root's log may bear each of these names.
#[test]
fn show_names_all_origins_of_a_log() {
    let world = kit(&format!(r#""sigstore_trusted_roots":[{ROOT}]"#));
    let names = ["log.example", "log.example:8443", "log.example:8443/2026"];
    let text = world.trust(&["show", "kit.json"]).stdout;
    assert!(text.contains(&names.join(", ")), "{text}");
    let json = world.trust(&["show", "kit.json", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let log = &json["sigstore_trusted_roots"][0]["logs"][0];
    assert_eq!(log["origin"], names[0]);
    assert_eq!(log["origins"], serde_json::json!(names));
}

#[test]
fn check_names_what_is_stale_and_contradictory() {
    let world = with_kit();
    let vkey = log_key().to_vkey();
    world.trust(&["add-log", "kit.json", &vkey]);
    let fine = world.genten(&["trust", "check", "kit.json"]).expect(0).stdout;
    assert!(fine.contains("note: for log.example/2026 no witness is asked for"), "{fine}");
    world.write("list.json", ct_list("2024-01-01T00:00:00Z"));
    world.trust(&["add-ct", "kit.json", "list.json"]);
    world.write("tsa.pem", stamping_certificate().0);
    for name in ["A", "B"] {
        world.trust(&["add-tsa", "kit.json", "tsa.pem", "--name", name]);
    }
    let found = world.genten(&["trust", "check", "kit.json"]).expect(1).stdout;
    for words in [
        "problem: the CT log list is older than 70 days",
        "the timestamp authority B has the same certificate as A",
    ] {
        assert!(found.contains(words), "{words}:\n{found}");
    }
}

/// Everything of a kit of today's production root can be used, and its logs that have gone are notes.
#[test]
fn check_takes_the_production_root() {
    let Some(path) = vectors("sigstore-root-signing/targets/trusted_root.json") else { return };
    let world = with_kit();
    world.write("root.json", std::fs::read(path).unwrap());
    world.trust(&["add-root", "kit.json", "root.json"]);
    let run = world.genten(&["trust", "check", "kit.json"]);
    assert!(!run.stdout.contains("problem: "), "{}", run.stdout);
    assert!(!run.stdout.contains("of no use here"), "{}", run.stdout);
}
