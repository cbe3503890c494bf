//! Trust kits: every rule has its own error, with the place.

use genten_testkit::log::{TestLog, trusted_root};
use genten_testkit::tsa::Tsa;
use genten_testkit::witness::policy;
use genten_verify::TrustKit;
use genten_verify::kit::{KIT_MEDIA_TYPE, MAX_KIT_BYTES};
use serde_json::{Value, json};

use crate::common::certificates::{Ca, no_edit};
use crate::common::keys::es256;
use crate::common::kit::{Kit, authority, did_document, method, signer, with};

const WEB: &str = "did:web:mcp.example.org#key-1";

fn error(kit: &Kit) -> String {
    TrustKit::read(kit.text().as_bytes()).unwrap_err().to_string()
}

fn one(members: Value) -> Kit {
    Kit::new().signer(with(signer(WEB, &es256("signer")), members))
}

#[track_caller]
fn refused(kit: &Kit, words: &str, path: &str) {
    let error = error(kit);
    assert!(error.contains(words), "{words:?} is not in {error:?}");
    assert!(error.contains(&format!("at {path} (byte")), "{path} is not in {error:?}");
}

#[test]
fn signers() {
    let s = "$.signers[0]";
    for (members, words, path) in [
        (json!({"key_id": "did:web:a"}), "without the fragment", "$.signers[0].key_id"),
        (json!({"key_id": 1}), "wrong type", "$.signers[0].key_id"),
        (json!({"public_key": {"kty": "RSA"}}), "public key", "$.signers[0].public_key"),
        (json!({"public_key": "x"}), "public key", "$.signers[0].public_key"),
        (json!({"log_keys": [{}]}), "public key", "$.signers[0].log_keys[0]"),
        (json!({"log_keys": {}}), "wrong type", "$.signers[0].log_keys"),
        (json!({"status": "ACTIVE"}), "none of active", "$.signers[0].status"),
        (json!({"status": null}), "wrong type", "$.signers[0].status"),
        (json!({"status": "retired"}), "needs valid_until", s),
        (json!({"status": "revoked"}), "go together", s),
        (
            json!({"status": "retired", "revoked_at": "2026-01-01T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z"}),
            "go together",
            s,
        ),
        (
            json!({"valid_from": "2026-01-02T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z"}),
            "before valid_from",
            s,
        ),
        (json!({"valid_until": "2026-01-01"}), "not a time", "$.signers[0].valid_until"),
        (json!({"sources": "https://a.example/*"}), "wrong type", "$.signers[0].sources"),
        (json!({"sources": []}), "empty list", "$.signers[0].sources"),
        (
            json!({"sources": ["https://a.example/*", "https://*.example/"]}),
            "pattern",
            "$.signers[0].sources[1]",
        ),
        (json!({"trusted": true}), "do not have", "$.signers[0].trusted"),
    ] {
        refused(&one(members), words, path);
    }
    for name in ["key_id", "public_key", "status"] {
        let mut entry = signer(WEB, &es256("signer"));
        entry.as_object_mut().unwrap().remove(name);
        refused(&Kit::new().signer(entry), &format!("member {name} is missing"), s);
    }
}

#[test]
fn the_whole() {
    refused(&Kit::new().with("media_type", "x"), "media type", "$.media_type");
    refused(
        &Kit::new().with("media_type", format!("{KIT_MEDIA_TYPE}0")),
        "media type",
        "$.media_type",
    );
    refused(&Kit::new().with("created_at", "today"), "not a time", "$.created_at");
    refused(&Kit::new().with("signers", json!({})), "wrong type", "$.signers");
    refused(
        &Kit::new().with("sigstore_trusted_roots", json!(["x"])),
        "wrong json type",
        "$.sigstore_trusted_roots[0]",
    );
    refused(&Kit::new().with("tlog_policies", json!([{}])), "wrong type", "$.tlog_policies[0]");
    refused(&Kit::new().with("tlog_policies", json!(["log x"])), "line 1", "$.tlog_policies[0]");
    refused(&Kit::new().with("ct_log_list", json!([])), "wrong json type", "$.ct_log_list");
    refused(&Kit::new().with("comment", 1), "do not have", "$.comment");
    let read = |text: &str| TrustKit::read(text.as_bytes()).unwrap_err().to_string();
    assert!(read("[]").contains("wrong type"));
    assert!(read("{}").contains("member media_type is missing"));
    assert!(read("{\"media_type\":1,\"media_type\":2}").contains("duplicate"));
    assert!(read("").contains("ends too early"));
    assert!(read(&format!("{}1", " ".repeat(MAX_KIT_BYTES))).contains("larger"));
    let kit = TrustKit::read(Kit::new().text().as_bytes()).unwrap();
    assert!(kit.sha256().is_some() && kit.signers().is_empty());
}

#[test]
fn pairs_of_id_and_key() {
    let (key, other) = (es256("signer"), es256("other"));
    let twice = one(json!({}))
        .signer(with(signer(WEB, &key), json!({"valid_from": "2026-01-01T00:00:00Z"})));
    refused(&twice, "twice under this id", "$.signers");
    assert!(TrustKit::read(one(json!({})).signer(signer(WEB, &other)).text().as_bytes()).is_ok());
    assert!(
        TrustKit::read(one(json!({})).signer(signer("urn:x:y", &key)).text().as_bytes()).is_ok()
    );
    refused(&Kit::of(&other.did_key(), &key), "another key", "$.signers[0]");
    refused(&Kit::of(&other.did_jwk(), &key), "another key", "$.signers[0]");
}

#[test]
fn content_log_keys_have_one_role() {
    let (key, content) = (es256("signer"), es256("content"));
    let logging = || one(json!({"content_log_keys": [content.jwk()]}));
    let read = |kit: &Kit| TrustKit::read(kit.text().as_bytes());
    assert!(read(&logging()).is_ok());
    // Two signers may share one: the role is the same.
    let other =
        with(signer("urn:x:y", &es256("other")), json!({"content_log_keys": [content.jwk()]}));
    assert!(read(&logging().signer(other)).is_ok());
    let own = one(json!({"content_log_keys": [key.jwk()]}));
    let both_logs = one(json!({"content_log_keys": [content.jwk()], "log_keys": [content.jwk()]}));
    let in_document = json!({"document": did_document("did:web:a.example", "k", &content)});
    let root = Ca::root("content", &no_edit);
    // The content log key is that of a timestamp authority, a log, a witness.
    let stamps = json!([Tsa::with_key("TSA", content.seed().clone()).in_kit()]);
    let log = TestLog::with_key("log.example.org", content.seed().clone());
    let policy = json!([policy(&[log.note_key()], &[], 0)]);
    let tlog = log.in_trusted_root("2026-01-01T00:00:00Z", None);
    let ct_root = json!([trusted_root(&[], std::slice::from_ref(&tlog), &[], &[])]);
    let trusted_root = json!([trusted_root(&[tlog], &[], &[], &[])]);
    for shared in [
        own,
        both_logs,
        logging().signer(signer("urn:x:y", &content)),
        logging().document(in_document),
        logging().authority(authority(&root.der, "https://a.example/*")),
        logging().with("timestamp_authorities", stamps),
        logging().with("tlog_policies", policy),
        logging().with("sigstore_trusted_roots", trusted_root),
        logging().with("sigstore_trusted_roots", ct_root),
    ] {
        refused(&shared, "another role", "$.signers");
    }
    let wrong = one(json!({"content_log_keys": [crate::common::keys::ed25519("x").jwk()]}));
    refused(&wrong, "an ES256 key", "$.signers[0].content_log_keys[0]");
}

/// Two keys with one name whose ids of 32 bits are the same: found by trying 109,610 keys.
#[test]
fn logs_with_one_key_name_and_id() {
    let twins = [
        "log.genten.example+954a6b87+AQ+HD9oKP3kHWfHp9Ip17X7now0I6W2EHStk+rU9ztp5",
        "log.genten.example+954a6b87+AZ6JnHU5uZMrAbQC/UeihKKsHJhs11RVfO4uoApucYX1",
    ];
    let policies = twins.map(|key| format!("log {key}\nquorum none\n"));
    let kit = Kit::new().with("tlog_policies", json!(policies));
    refused(&kit, twins[1], "$");
    let twice = [&policies[0], &policies[0]];
    TrustKit::read(Kit::new().with("tlog_policies", json!(twice)).text().as_bytes()).unwrap();
}

#[test]
fn authorities() {
    let root = Ca::root("root", &no_edit);
    let a = "$.signer_authorities[0]";
    let of = |members: Value| {
        Kit::new().authority(with(authority(&root.der, "https://a.example/*"), members))
    };
    for (members, words, path) in [
        (json!({"san_uri": []}), "empty list", "$.signer_authorities[0].san_uri"),
        (json!({"san_uri": ["*"]}), "pattern", "$.signer_authorities[0].san_uri[0]"),
        (json!({"san_uri": ["urn:a:*"]}), "pattern", "$.signer_authorities[0].san_uri[0]"),
        (json!({"roots": []}), "no root", a),
        (json!({"roots": ["AA"]}), "base64", "$.signer_authorities[0].roots[0]"),
        (json!({"roots": ["AAAA"]}), "certificate", "$.signer_authorities[0].roots[0]"),
        (json!({"eku": []}), "empty list of key purposes", a),
        (json!({"eku": ["1"]}), "object identifier", "$.signer_authorities[0].eku[0]"),
        (json!({"revoked": ["x"]}), "SHA-256", "$.signer_authorities[0].revoked[0]"),
        (json!({"name": 1}), "wrong type", "$.signer_authorities[0].name"),
        (json!({"revocations": []}), "do not have", "$.signer_authorities[0].revocations"),
    ] {
        refused(&of(members), words, path);
    }
    for name in ["name", "roots", "san_uri"] {
        let mut entry = authority(&root.der, "https://a.example/*");
        entry.as_object_mut().unwrap().remove(name);
        refused(&Kit::new().authority(entry), &format!("member {name} is missing"), a);
    }
    let leaf = root.leaf(&es256("x"), &no_edit);
    refused(&Kit::new().authority(authority(&leaf, "https://a.example/*")), "not a CA", a);
}

#[test]
fn documents_and_timestamp_authorities() {
    let (key, did) = (es256("signer"), "did:web:mcp.example.org");
    let of = |document: Value| Kit::new().document(json!({"document": document}));
    let d = "$.did_documents[0].document";
    let twice = json!([method(did, "k", &key), method(did, "k", &key)]);
    refused(&of(json!({"id": did, "assertionMethod": twice})), "two verification methods", d);
    refused(&of(json!({"assertionMethod": []})), "member id", d);
    refused(&of(json!({"id": did, "assertionMethod": {}})), "assertionMethod", d);
    let controlled = with(method(did, "k", &key), json!({"controller": "did:web:evil.example"}));
    refused(&of(json!({"id": did, "assertionMethod": [controlled]})), "controlled by", d);
    let own = key.did_key();
    let own = own.split('#').next().unwrap();
    refused(&of(did_document(own, "k", &key)), "another key", d);
    let other = es256("other").did_key();
    refused(
        &of(did_document(other.split('#').next().unwrap(), other.split('#').nth(1).unwrap(), &key)),
        "another key",
        d,
    );
    let window = json!({"document": {"id": did}, "valid_from": "2026-01-02T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z"});
    refused(&Kit::new().document(window), "before valid_from", "$.did_documents[0]");
    refused(
        &Kit::new().document(json!({"document": {"id": did}, "x": 1})),
        "do not have",
        "$.did_documents[0].x",
    );
    refused(&Kit::new().document(json!({})), "member document", "$.did_documents[0]");
    let stamps = |value: Value| Kit::new().with("timestamp_authorities", json!([value]));
    refused(
        &stamps(json!({"name": "x", "certificates": []})),
        "empty list",
        "$.timestamp_authorities[0].certificates",
    );
    refused(&stamps(json!({"name": "x"})), "member certificates", "$.timestamp_authorities[0]");
    let good = Tsa::new("stamps").in_kit();
    refused(
        &stamps(with(good.clone(), json!({"url": 1}))),
        "do not have",
        "$.timestamp_authorities[0].url",
    );
    refused(
        &stamps(with(good.clone(), json!({"certificates": ["AAAA"]}))),
        "certificate",
        "$.timestamp_authorities[0].certificates[0]",
    );
    refused(
        &stamps(with(
            good.clone(),
            json!({"valid_from": "2026-01-02T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z"}),
        )),
        "before valid_from",
        "$.timestamp_authorities[0]",
    );
    let root = json!({"certificates": [good["certificates"][1]]});
    refused(&stamps(with(good.clone(), root)), "CA", "$.timestamp_authorities[0]");
    assert!(TrustKit::read(stamps(good).text().as_bytes()).is_ok());
}

/// Documents of real life hold keys that sign no manifests: they are passed over, not held against the kit.
#[test]
fn keys_of_other_kinds_are_passed_over() {
    let (key, did) = (es256("signer"), "did:web:mcp.example.org");
    let foreign = |fragment: &str, jwk: Value| {
        with(method(did, fragment, &key), json!({"publicKeyJwk": jwk}))
    };
    let document = json!({"id": did, "assertionMethod": [
        foreign("k1", json!({"kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA"})),
        foreign("k2", json!({"kty": "OKP", "crv": "X25519", "x": "AA"})),
        foreign("k3", json!({"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"})),
        method(did, "key-1", &key),
    ]});
    let kit = Kit::new().document(json!({"document": document}));
    let kit = TrustKit::read(kit.text().as_bytes()).unwrap();
    assert_eq!(kit.did_documents()[0].keys.len(), 1);
}
