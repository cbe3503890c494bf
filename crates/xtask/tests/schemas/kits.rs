//! `trust-kit.schema.json` and the reader of kits.

use genten_testkit::ct::{CtTestLog, log_list};
use genten_testkit::log::{TestLog, trusted_root};
use genten_testkit::tsa::Tsa;
use genten_testkit::witness::{Witness, policy};
use genten_verify::TrustKit;
use genten_verify::kit::KIT_MEDIA_TYPE;
use serde_json::{Value, json};

use crate::differences::compare;
use crate::manifests::DIGEST;
use crate::schema;

/// The points of RFC 7515 appendix A.3.1 and RFC 8037 appendix A.2.
fn p256() -> Value {
    json!({
        "kty": "EC", "crv": "P-256", "use": "sig",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    })
}

fn ed25519() -> Value {
    json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" })
}

pub(crate) fn accepts(kit: &Value) -> bool {
    TrustKit::read(kit.to_string().as_bytes()).is_ok()
}

#[test]
fn signers_and_their_neighbours() {
    let kit = json!({
        "media_type": KIT_MEDIA_TYPE,
        "created_at": "2026-11-30T08:15:00Z",
        "signers": [
            {
                "key_id": "did:web:a.example#k", "public_key": p256(), "status": "active", "log_keys": [ed25519()],
                "sources": ["https://a.example/*", "urn:x"], "valid_from": "2026-01-01T00:00:00Z",
            },
            {
                "key_id": "urn:example:b", "public_key": ed25519(), "status": "revoked",
                "revoked_at": "2026-02-01T00:00:00Z", "reason": "lost",
            },
            {
                "key_id": "https://c.example/", "public_key": ed25519(), "status": "retired",
                "valid_until": "2026-02-01T00:00:00Z", "content_log_keys": [],
            },
        ],
    });
    compare(&schema("trust-kit"), accepts, &kit, &[]);
}

#[test]
fn timestamp_authorities_and_their_neighbours() {
    let mut authority = Tsa::new("stamps").in_kit();
    authority["valid_from"] = json!("2026-01-01T00:00:00Z");
    authority["valid_until"] = json!("2026-02-01T00:00:00Z");
    let kit = json!({ "media_type": KIT_MEDIA_TYPE, "timestamp_authorities": [authority] });
    let less = [
        ("/timestamp_authorities/0/certificates", "certificates, which are read"),
        ("/timestamp_authorities/0/valid_", "a window that ends before it begins"),
    ];
    compare(&schema("trust-kit"), accepts, &kit, &less);
}

/// Standard documents stand in a kit word for word; their own rules are not repeated here.
#[test]
fn documents_of_others_and_their_neighbours() {
    let log = TestLog::new("log.example.org");
    let ct = CtTestLog::new("first", "One");
    let tlog = log.in_trusted_root("2026-01-01T00:00:00Z", None);
    let kit = json!({
        "media_type": KIT_MEDIA_TYPE,
        "tlog_policies": [policy(&[log.note_key()], &[&Witness::new("w1.example")], 1)],
        "sigstore_trusted_roots": [trusted_root(&[tlog], &[], &[], &[])],
        "ct_log_list": log_list(&[&ct]),
    });
    let less = [
        ("/tlog_policies/0", "C2SP tlog-policy"),
        ("/sigstore_trusted_roots/0", "Sigstore's protobuf specification"),
        ("/ct_log_list", "log list version 3"),
    ];
    compare(&schema("trust-kit"), accepts, &kit, &less);
}

#[test]
fn what_the_schema_cannot_say() {
    let schema = schema("trust-kit");
    let signer = json!({ "key_id": "urn:example:a", "public_key": p256(), "status": "active" });
    let twice = json!({ "media_type": KIT_MEDIA_TYPE, "signers": [signer, signer] });
    let mut shared = signer.clone();
    shared["content_log_keys"] = json!([p256()]);
    let shared = json!({ "media_type": KIT_MEDIA_TYPE, "signers": [shared] });
    let mut other = signer.clone();
    other["key_id"] = json!(
        "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK#z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"
    );
    let other = json!({ "media_type": KIT_MEDIA_TYPE, "signers": [other] });
    let no_certificate = json!({
        "media_type": KIT_MEDIA_TYPE,
        "signer_authorities": [{ "name": "a", "roots": ["AAE="], "san_uri": ["https://a.example/*"], "eku": ["1.3.6.1"], "revoked": [DIGEST] }],
    });
    let mut off_curve = signer.clone();
    off_curve["public_key"]["y"] = p256()["x"].clone();
    let off_curve = json!({ "media_type": KIT_MEDIA_TYPE, "signers": [off_curve] });
    for kit in [twice, shared, other, no_certificate, off_curve] {
        assert!(schema.is_valid(&kit) && !accepts(&kit), "{kit}");
    }
}

#[test]
fn private_keys_are_refused() {
    let schema = schema("trust-kit");
    for member in ["d", "k", "p"] {
        let mut key = p256();
        key[member] = json!("AAE");
        let signer = json!({ "key_id": "urn:example:a", "public_key": key, "status": "active" });
        let kit = json!({ "media_type": KIT_MEDIA_TYPE, "signers": [signer] });
        assert!(!schema.is_valid(&kit) && !accepts(&kit), "{member}");
    }
}
