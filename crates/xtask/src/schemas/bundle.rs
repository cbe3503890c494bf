//! `provenance-bundle.schema.json`: a manifest and its evidence in one file.

use genten_manifest::{BUNDLE_MEDIA_TYPE, MAX_EVIDENCE};
use serde_json::{Value, json};

use super::manifest;
use super::parts::{
    MAX_INTEGER, base64, closed, count, defined, document, full_list, id, list, sha256, time, words,
};

const ABOUT: &str = "A manifest and evidence about it. Evidence is not signed: whatever it says counts only after it was \
    checked against the manifest. Items of types that do not stand here are allowed and shown as not checked.";

/// The schema, with that of the manifest inside.
pub(super) fn schema() -> Value {
    let properties = json!({
        "evidence": { "type": "array", "items": defined("evidence"), "maxItems": MAX_EVIDENCE },
        "manifest": manifest_reference(),
        "media_type": { "const": BUNDLE_MEDIA_TYPE },
    });
    let mut schema = closed(&["evidence", "manifest", "media_type"], properties);
    schema["$defs"] = json!({
        "base64": base64(),
        "evidence": evidence(),
        "provenance-manifest": manifest::schema(),
        "sha256": sha256(),
        "time": time(),
    });
    document("provenance-bundle", "Provenance bundle, version 1", ABOUT, schema)
}

fn manifest_reference() -> Value {
    json!({ "$ref": id("provenance-manifest") })
}

/// One item: `type`, and the members of that type.
fn evidence() -> Value {
    let types = [
        ("archive", &["manifest"][..], json!({ "manifest": manifest_reference() })),
        ("batch", &["hashes", "index", "statement"], batch()),
        ("did-document", &["document"], did_document()),
        ("external", &["manifest_id", "media_type", "sha256"], external()),
        ("rekor-v2", &["entry", "subject"], rekor()),
        ("rfc3161", &["subject", "token"], timestamp()),
        ("tls-chain", &["certificates"], tls_chain()),
        ("x509-chain", &["certificates"], json!({ "certificates": full_list(defined("base64")) })),
    ];
    let mut members = Vec::from(types.map(|(name, required, properties)| {
        json!({
            "if": { "properties": { "type": { "const": name } } },
            "then": { "required": required, "properties": properties },
        })
    }));
    members.push(one_source());
    json!({
        "type": "object",
        "required": ["type"],
        "properties": { "type": { "type": "string" } },
        "allOf": members,
    })
}

fn batch() -> Value {
    let part = "[A-Za-z0-9_-]+";
    json!({
        "hashes": list(defined("sha256")),
        "index": count(MAX_INTEGER),
        "statement": { "type": "string", "pattern": format!("^{part}\\.{part}\\.{part}$") },
    })
}

fn did_document() -> Value {
    json!({ "document": true, "retrieved_at": defined("time") })
}

fn external() -> Value {
    json!({
        "data": defined("base64"),
        "label": { "type": "string" },
        "manifest_id": defined("sha256"),
        "media_type": { "type": "string" },
        "sha256": defined("sha256"),
        "uri": { "type": "string" },
    })
}

/// External evidence has its bytes, or says where they are.
fn one_source() -> Value {
    json!({
        "if": { "properties": { "type": { "const": "external" } } },
        "then": { "oneOf": [{ "required": ["data"] }, { "required": ["uri"] }] },
    })
}

fn rekor() -> Value {
    json!({
        "entry": { "type": "object", "description": "TransparencyLogEntry, protobuf JSON, as the log sent it" },
        "signature": defined("base64"),
        "subject": words(["manifest", "batch", "content"]),
    })
}

fn timestamp() -> Value {
    json!({
        "signature": defined("base64"),
        "subject": words(["manifest", "batch"]),
        "token": defined("base64"),
    })
}

fn tls_chain() -> Value {
    json!({
        "certificates": full_list(defined("base64")),
        "ocsp": defined("base64"),
        "scts": defined("base64"),
        "tlog_proof": defined("base64"),
    })
}
