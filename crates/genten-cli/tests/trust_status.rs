//! Signers that go out of use, as the library judges them afterwards.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

mod support;

use genten_jws::{LocalSigner, SecretKey};
use genten_primitives::Sha256Digest;
use support::{
    bundle, certified, did_key, key, manifest, manifest_as, public_pem, signed, with_kit,
};

#[test]
fn retired_needs_review_and_revoked_is_rejected() {
    let world = with_kit();
    world.write("key.pem", public_pem(1));
    world.trust(&["add-key", "kit.json", "key.pem"]);
    let id = did_key(1);
    world.trust(&["retire", "kit.json", &id, "--at", "2026-06-01T12:00:00Z"]);
    assert_eq!(world.verdict("kit.json", &manifest(1)), "review signer.retired");
    let longer = ["trust", "retire", "kit.json", &id, "--at", "2026-07-01T00:00:00Z"];
    world.genten(&longer).expect(2);
    let at = ["--at", "2026-06-01T00:00:00Z", "--reason", "stolen laptop"];
    world.trust(&[&["revoke", "kit.json", &id][..], &at].concat());
    assert_eq!(world.verdict("kit.json", &manifest(1)), "reject signer.revoked");
    let shown = world.trust(&["show", "kit.json"]).stdout;
    assert!(shown.contains("It does not believe 1 key of a signer:"), "{shown}");
    assert!(shown.contains("revoked at 2026-06-01T00:00:00Z (stolen laptop)"), "{shown}");
    world.genten(&["trust", "revoke", "kit.json", &id]).expect(1);
    world.genten(&["trust", "retire", "kit.json", &id, "--at", "2026-01-01T00:00:00Z"]).expect(1);
    let again = world.genten(&["trust", "add-key", "kit.json", "key.pem", "--id", "urn:a:b"]);
    assert!(again.expect(1).stderr.contains("revoked in the kit"));
}

/// Verifiers look a revocation up by key: what is said of the same key under another id changes
/// nothing.
#[test]
fn a_key_that_is_revoked_under_another_id_is_said_to_be() {
    let world = with_kit();
    world.write("key.pem", public_pem(1));
    for id in ["urn:example:a", "urn:example:b"] {
        world.trust(&["add-key", "kit.json", "key.pem", "--id", id]);
    }
    let at = ["--at", "2026-06-01T00:00:00Z", "--reason", "stolen laptop"];
    world.trust(&[&["revoke", "kit.json", "urn:example:b"][..], &at].concat());
    assert_eq!(
        world.verdict("kit.json", &manifest_as(1, "urn:example:a")),
        "reject signer.revoked"
    );
    let words = "its key is revoked at 2026-06-01T00:00:00Z (stolen laptop) under another id";
    let shown = world.trust(&["show", "kit.json"]).stdout;
    assert!(shown.contains("It does not believe 2 keys of signers:"), "{shown}");
    assert_eq!(shown.matches(words).count(), 1, "{shown}");
    let json = world.trust(&["show", "kit.json", "--json"]).stdout;
    let stated = r#""revoked_elsewhere_at":"2026-06-01T00:00:00Z""#;
    assert_eq!(json.matches(stated).count(), 1, "{json}");
    let found = world.genten(&["trust", "check", "kit.json"]).expect(1).stdout;
    assert!(found.contains("warning: urn:example:a"), "{found}");
    assert!(!found.contains("warning: urn:example:b"), "{found}");
}

#[test]
fn of_several_keys_under_one_id_the_thumbprint_says_which() {
    let world = with_kit();
    let id = "did:web:news.example#k";
    world.write("1.pem", public_pem(1));
    world.write("2.pem", public_pem(2));
    world.trust(&["add-key", "kit.json", "1.pem", "--id", id]);
    world.trust(&["add-key", "kit.json", "2.pem", "--id", id]);
    let retire = ["trust", "retire", "kit.json", id, "--at", "2026-01-01T00:00:00Z"];
    let first = key(1).public_key().thumbprint().to_string();
    let ambiguous = world.genten(&retire).expect(2);
    assert!(ambiguous.stderr.contains(&first), "{}", ambiguous.stderr);
    world.genten(&[&retire[..], &["--thumbprint", &first]].concat()).expect(0);
    assert_eq!(world.verdict("kit.json", &manifest_as(1, id)), "review signer.retired");
    assert_eq!(world.verdict("kit.json", &manifest_as(2, id)), "accept");
    world.genten(&retire).expect(0);
    assert_eq!(world.verdict("kit.json", &manifest_as(2, id)), "review signer.retired");
}

#[test]
fn an_authority_names_signers_until_their_certificate_is_revoked() {
    let world = with_kit();
    let id = "https://mcp.example.org/news";
    let certified = certified(id, 2050);
    world.write("root.pem", &certified.root_pem);
    world.write("leaf.pem", &certified.leaf_pem);
    let pattern = ["--name", "Example CA", "--san-uri", "https://mcp.example.org/*"];
    world.trust(&[&["add-ca", "kit.json", "root.pem"][..], &pattern].concat());
    let secret = SecretKey::from_pem(&certified.key_pem).unwrap();
    let manifest = signed(LocalSigner::new(secret, id.parse().unwrap()).unwrap());
    let bundle = bundle(&manifest, std::slice::from_ref(&certified.leaf_der));
    assert_eq!(world.verdict("kit.json", &bundle), "accept");

    let shown = world.trust(&["show", "kit.json"]).stdout;
    let fingerprint = Sha256Digest::of(&certified.root_der).to_string();
    for words in ["Example CA", "https://mcp.example.org/*", &fingerprint] {
        assert!(shown.contains(words), "{shown}");
    }
    let leaf = Sha256Digest::of(&certified.leaf_der).to_string();
    world.genten(&["trust", "revoke", "kit.json", &leaf, "--reason", "x"]).expect(2);
    let revoked = world.trust(&["revoke", "kit.json", &leaf]);
    assert!(revoked.stdout.contains("revoked for Example CA"), "{}", revoked.stdout);
    assert_eq!(world.verdict("kit.json", &bundle), "reject chain.revoked");
    world.genten(&["trust", "revoke", "kit.json", &leaf]).expect(1);
    world.genten(&[&["trust", "add-ca", "kit.json", "root.pem"][..], &pattern].concat()).expect(1);
    let other = ["--name", "Other", "--san-uri", "https://other.example/*"];
    world.genten(&[&["trust", "add-ca", "kit.json", "leaf.pem"][..], &other].concat()).expect(1);
    let by_id = world.genten(&["trust", "revoke", "kit.json", id]).expect(1);
    assert!(by_id.stderr.contains("Example CA may name it"), "{}", by_id.stderr);
}

fn did_document(number: u8) -> String {
    let jwk = key(number).public_key().to_jwk();
    format!(
        r##"{{ "id" : "did:web:news.example", "assertionMethod": [ {{ "id": "#k", "controller": "did:web:news.example", "type": "JsonWebKey", "publicKeyJwk": {jwk} }} ] }}"##
    )
}

#[test]
fn a_did_document_is_kept_word_for_word_and_its_key_can_be_revoked() {
    let world = with_kit();
    let id = "did:web:news.example#k";
    world.write("did.json", did_document(1));
    world.trust(&["add-did", "kit.json", "did.json"]);
    assert!(world.read("kit.json").contains(&did_document(1)));
    assert_eq!(world.verdict("kit.json", &manifest_as(1, id)), "accept");
    let again = world.genten(&["trust", "add-did", "kit.json", "did.json"]).expect(1);
    assert!(again.stderr.contains("already"), "{}", again.stderr);
    world.genten(&["trust", "retire", "kit.json", id, "--at", "2026-01-01T00:00:00Z"]).expect(1);
    world.trust(&["revoke", "kit.json", id, "--at", "2026-01-01T00:00:00Z"]);
    assert_eq!(world.verdict("kit.json", &manifest_as(1, id)), "reject signer.revoked");
    assert!(world.read("kit.json").contains(&did_document(1)));

    world.write("empty.json", r#"{"id":"did:web:empty.example"}"#);
    world.genten(&["trust", "add-did", "kit.json", "empty.json"]).expect(1);
    world.write("bad.json", r#"{"id":1}"#);
    world.genten(&["trust", "add-did", "kit.json", "bad.json"]).expect(1);
    world.write("text.json", "no JSON");
    world.genten(&["trust", "add-did", "kit.json", "text.json"]).expect(1);
}

#[test]
fn what_fits_no_kit_is_told_and_changes_nothing() {
    let world = with_kit();
    let before = world.read("kit.json");
    let nested = format!("{}{}", "[".repeat(31), "]".repeat(31));
    let deep = did_document(1).replacen('{', &format!("{{ \"x\": {nested},"), 1);
    world.write("deep.json", deep);
    let refused = world.genten(&["trust", "add-did", "kit.json", "deep.json"]).expect(2);
    assert!(refused.stderr.contains("[kit.malformed]"), "{}", refused.stderr);
    assert_eq!(world.read("kit.json"), before);
}
