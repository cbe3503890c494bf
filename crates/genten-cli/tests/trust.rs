//! Trust kits that are made and edited by the program, judged with by the library.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

mod support;

use genten_jws::{LocalSigner, SecretKey};
use support::{
    World, certified, did_key, exists, key, manifest, manifest_as, member, public_pem, signed,
    with_kit,
};

#[test]
fn a_new_kit_trusts_nobody_and_never_overwrites() {
    let world = World::new();
    let made = world.trust(&["new", "kit.json"]);
    assert!(made.stdout.contains("trusts nobody yet"), "{}", made.stdout);
    assert_eq!(world.verdict("kit.json", &manifest(1)), "review signer.not-trusted");
    let text = world.read("kit.json");
    let again = world.genten(&["trust", "new", "kit.json"]).expect(1);
    assert!(again.stderr.contains("[store.already-exists]"), "{}", again.stderr);
    assert_eq!(world.read("kit.json"), text);
}

#[test]
fn a_key_that_was_added_is_believed_and_no_other() {
    let world = with_kit();
    world.write("key.pem", public_pem(1));
    let added = world.trust(&["add-key", "kit.json", "key.pem"]);
    assert!(added.stdout.contains(&did_key(1)), "{}", added.stdout);
    assert_eq!(world.verdict("kit.json", &manifest(1)), "accept");
    assert_eq!(world.verdict("kit.json", &manifest(2)), "review signer.not-trusted");
}

#[test]
fn a_key_can_stand_under_a_given_id_with_sources_and_a_window() {
    let world = with_kit();
    world.write("key.json", key(1).public_key().to_jwk());
    let id = "did:web:news.example#k1";
    let arguments = ["add-key", "kit.json", "key.json", "--id", id];
    let source = ["--source", "https://www.rfc-editor.org/*"];
    let window = ["--valid-from", "2026-01-01T00:00:00Z", "--valid-until", "2027-01-01T00:00:00Z"];
    world.trust(&[&arguments[..], &source, &window].concat());
    assert_eq!(world.verdict("kit.json", &manifest_as(1, id)), "accept");
    let shown = world.trust(&["show", "kit.json"]).stdout;
    assert!(shown.contains("only https://www.rfc-editor.org/*"), "{shown}");
    assert!(shown.contains("from 2026-01-01T00:00:00Z until 2027-01-01T00:00:00Z"), "{shown}");

    world.trust(&["new", "narrow.json"]);
    let elsewhere = ["--source", "https://law.example/*"];
    let arguments = ["add-key", "narrow.json", "key.json", "--id", id];
    world.trust(&[&arguments[..], &elsewhere].concat());
    assert_eq!(
        world.verdict("narrow.json", &manifest_as(1, id)),
        "review signer.source-not-covered"
    );
}

#[test]
fn an_id_that_contains_its_key_needs_no_file() {
    let world = with_kit();
    let whole = did_key(1);
    let without_fragment = whole.split('#').next().unwrap().to_owned();
    world.trust(&["add-key", "kit.json", "--id", &without_fragment]);
    assert_eq!(world.verdict("kit.json", &manifest(1)), "accept");
    assert!(world.kit("kit.json").signers()[0].key_id.as_str() == whole);
    let again = world.genten(&["trust", "add-key", "kit.json", "--id", &whole]).expect(1);
    assert!(again.stderr.contains("in the kit already"), "{}", again.stderr);
}

#[test]
fn a_content_log_key_comes_to_a_signer_who_is_there() {
    let world = with_kit();
    world.trust(&["add-key", "kit.json", "--id", &did_key(1)]);
    world.write("content.pem", key(2).public_key().to_spki_pem());
    let id = did_key(1);
    let add = ["trust", "add-key", "kit.json", "--id", &id, "--content-log-key", "content.pem"];
    world.genten(&add).expect(0);
    let kit = world.kit("kit.json");
    assert_eq!(kit.signers().len(), 1);
    assert_eq!(kit.signers()[0].content_log_keys, [key(2).public_key().clone()]);
    let again = world.genten(&add).expect(1);
    assert!(again.stderr.contains("in the kit already"), "{}", again.stderr);
    let window = [&add[..], &["--valid-from", "2026-01-01T00:00:00Z"]].concat();
    world.genten(&window).expect(1);
}

#[test]
fn a_certificate_gives_its_key_and_an_authority_gives_none() {
    let world = with_kit();
    let certified = certified("https://mcp.example.org/news", 2050);
    world.write("leaf.pem", &certified.leaf_pem);
    world.write("root.pem", &certified.root_pem);
    world.trust(&["add-key", "kit.json", "leaf.pem"]);
    let secret = SecretKey::from_pem(&certified.key_pem).unwrap();
    let manifest = signed(LocalSigner::did_key(secret)).to_json();
    assert_eq!(world.verdict("kit.json", &manifest), "accept");
    let refused = world.genten(&["trust", "add-key", "kit.json", "root.pem"]).expect(1);
    assert!(refused.stderr.contains("[key.certificate-authority]"), "{}", refused.stderr);
    assert!(refused.stderr.contains("add-ca"), "{}", refused.stderr);
}

#[test]
fn private_keys_are_refused_with_advice() {
    let world = with_kit();
    let before = world.read("kit.json");
    world.write("key.pem", key(1).to_pkcs8_pem().as_bytes());
    world.write("key.json", key(1).to_jwk().as_bytes());
    for file in ["key.pem", "key.json"] {
        let refused = world.genten(&["trust", "add-key", "kit.json", file]).expect(1);
        assert!(refused.stderr.contains("[key.private]"), "{}", refused.stderr);
        assert!(refused.stderr.contains("belongs to its owner alone"), "{}", refused.stderr);
    }
    assert_eq!(world.read("kit.json"), before);
}

#[test]
fn wrong_use_is_2_and_changes_nothing() {
    let world = with_kit();
    let before = world.read("kit.json");
    world.write("key.pem", public_pem(1));
    let other = did_key(2);
    for (arguments, status) in [
        (&["add-key", "kit.json"][..], 2),
        (&["add-key", "kit.json", "--id", "did:web:a.example#k"], 2),
        (&["add-key", "kit.json", "--id", "key-1"], 2),
        (&["add-key", "kit.json", "key.pem", "--id", "did:example:1#k"], 2),
        (&["add-key", "kit.json", "key.pem", "--id", &other], 1),
        (&["add-key", "kit.json", "key.pem", "--valid-from", "yesterday"], 2),
        (&["add-key", "kit.json", "key.pem", "--source", "https://*.example/"], 2),
        (&["add-key", "kit.json", "missing.pem"], 1),
        (&["add-key", "missing.json", "key.pem"], 1),
        (&["retire", "kit.json", &other, "--at", "2026-01-01T00:00:00Z"], 1),
        (&["revoke", "kit.json", &other], 1),
        (&["add-root", "kit.json", "key.pem"], 1),
        (&["add-log", "kit.json", "key.pem"], 1),
        (&["add-tsa", "kit.json", "key.pem", "--name", "A"], 1),
        (&["add-ct", "kit.json", "key.pem"], 1),
    ] {
        let run = world.genten(&[&["trust"], arguments].concat());
        assert_eq!(run.status, status, "{arguments:?}\n{}", run.stderr);
        assert!(run.stderr.starts_with("genten: "), "{arguments:?}\n{}", run.stderr);
    }
    let window = ["--valid-from", "2026-01-02T00:00:00Z", "--valid-until", "2026-01-01T00:00:00Z"];
    let backwards = [&["trust", "add-key", "kit.json", "key.pem"][..], &window].concat();
    world.genten(&backwards).expect(2);
    assert_eq!(world.read("kit.json"), before);
}

#[test]
fn a_broken_kit_is_2_everywhere() {
    let world = World::new();
    world.write("kit.json", r#"{"media_type":"x"}"#);
    world.write("key.pem", public_pem(1));
    for arguments in [
        &["add-key", "kit.json", "key.pem"][..],
        &["retire", "kit.json", "x", "--at", "2026-01-01T00:00:00Z"],
        &["revoke", "kit.json", "x"],
        &["show", "kit.json"],
        &["check", "kit.json"],
    ] {
        let run = world.genten(&[&["trust"], arguments].concat()).expect(2);
        assert!(run.stderr.contains("[kit.malformed]"), "{}", run.stderr);
        assert!(run.stderr.contains("$.media_type"), "{}", run.stderr);
    }
}

#[test]
fn what_an_edit_does_not_touch_stays_byte_for_byte() {
    let root = "{ \"mediaType\" : \"application/vnd.dev.sigstore.trustedroot+json;version=0.1\",\n\
                 \"tlogs\": [ ], \"x\" : [ {} ] }";
    let list = "{\"version\" :\"3\",\n   \"operators\":[]}";
    let policy = r"# \u00fc\nlog rekor-local+e5842fab+AdRRUOCd0q2shJXU3cUDs89NjBpJGjrCFkOIXsD+comX\nquorum none";
    let media_type = genten_verify::kit::KIT_MEDIA_TYPE;
    let world = World::new();
    world.write(
        "kit.json",
        format!(
            r#"{{"sigstore_trusted_roots":[{root}],"media_type":"{media_type}",
               "tlog_policies":["{policy}"],"ct_log_list":{list}}}"#
        ),
    );
    world.write("key.pem", public_pem(1));
    world.trust(&["add-key", "kit.json", "key.pem"]);
    world.trust(&["revoke", "kit.json", &did_key(1)]);
    let text = world.read("kit.json");
    for kept in [root, list, policy] {
        assert!(text.contains(kept), "{text}");
    }
    assert_eq!(world.kit("kit.json").sigstore_trusted_roots().len(), 1);
    assert!(text.starts_with("{\n  \"sigstore_trusted_roots\": [\n    {"), "{text}");
    assert!(world.kit("kit.json").created_at().is_some());
    let shown = world.trust(&["show", "kit.json"]).stdout;
    assert!(shown.contains("It trusts a Sigstore root"), "{shown}");
    assert!(shown.contains("nobody but its owner (quorum none)"), "{shown}");
}

#[test]
fn edits_and_views_speak_json() {
    let world = with_kit();
    world.write("key.pem", public_pem(1));
    let added = world.trust(&["add-key", "kit.json", "key.pem", "--json"]).stdout;
    assert_eq!(member(&added, "changed"), r#""add-key""#);
    assert!(member(&added, "signers").contains(&did_key(1)));
    let shown = world.trust(&["show", "kit.json", "--json"]).stdout;
    assert!(member(&shown, "signers").contains(r#""status":"active""#), "{shown}");
    assert_eq!(member(&shown, "signer_authorities"), "[]");
    let checked = world.trust(&["check", "kit.json", "--json"]).stdout;
    assert_eq!(member(&checked, "findings"), "[]");
    let failed = world.genten(&["trust", "show", "missing.json", "--json"]).expect(1);
    assert!(member(&failed.stdout, "error").contains("missing.json"));
}

#[test]
fn check_finds_what_is_stale_or_contradictory() {
    let world = with_kit();
    let certified = certified("https://mcp.example.org/news", 2024);
    world.write("root.pem", &certified.root_pem);
    world.write("key.pem", public_pem(1));
    assert_eq!(world.genten(&["trust", "check", "kit.json"]).expect(0).stdout, "");
    for (name, pattern) in
        [("One", "https://mcp.example.org/*"), ("Two", "https://mcp.example.org/news")]
    {
        let arguments = ["--name", name, "--san-uri", pattern];
        world.trust(&[&["add-ca", "kit.json", "root.pem"][..], &arguments].concat());
    }
    let id = ["--id", "https://mcp.example.org/news", "--valid-until", "2025-01-01T00:00:00Z"];
    world.trust(&[&["add-key", "kit.json", "key.pem"][..], &id].concat());
    let fresh = world.read("kit.json");
    let made = member(&fresh, "created_at");
    world.write("kit.json", fresh.replace(&made, r#""2020-01-01T00:00:00Z""#));
    let found = world.genten(&["trust", "check", "kit.json"]).expect(1).stdout;
    for words in [
        "problem: the kit is stale",
        "problem: the window of https://mcp.example.org/news",
        "the authority One may name it too",
        "the authority Two may name it too",
        "expired at 2024-01-01T00:00:00Z",
        "may name the same signers",
    ] {
        assert!(found.contains(words), "{words}:\n{found}");
    }
    let json = world.genten(&["trust", "check", "kit.json", "--json"]).expect(1).stdout;
    assert!(member(&json, "findings").contains(r#""level":"problem""#), "{json}");
}

#[test]
fn a_hostile_name_does_not_reach_the_terminal() {
    let world = with_kit();
    let certified = certified("https://mcp.example.org/news", 2050);
    world.write("root.pem", &certified.root_pem);
    let name = ["--name", "\u{1b}[2J\u{202e}evil", "--san-uri", "https://a.example/"];
    world.trust(&[&["add-ca", "kit.json", "root.pem"][..], &name].concat());
    for command in ["show", "check"] {
        let run = world.genten(&["trust", command, "kit.json"]);
        assert!(!run.stdout.contains('\u{1b}') && !run.stdout.contains('\u{202e}'));
        assert!(run.stdout.contains("\\u{1b}[2J"), "{}", run.stdout);
    }
    assert!(!exists(&world.home()), "trust kits need no home");
}
