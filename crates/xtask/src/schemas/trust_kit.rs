//! `trust-kit.schema.json`: everything that a verifier believes.

use genten_verify::kit::KIT_MEDIA_TYPE;
use serde_json::{Value, json};

use super::parts::{
    base64, base64url_after, closed, defined, document, full_list, key_id, list, sha256, time,
    url_pattern, with, words,
};

const ABOUT: &str = "What a verifier believes: keys, authorities, documents. Read whole or not at all. Not expressed: that \
    an id which contains a key contains this one, that no pair of id and key stands twice, that no content log key stands in \
    another role, windows that end before they begin.";

/// The schema.
pub(super) fn schema() -> Value {
    let standard =
        json!({ "type": "object", "description": "a document of others, word for word" });
    let properties = json!({
        "created_at": defined("time"),
        "ct_log_list": standard,
        "did_documents": list(did_document()),
        "media_type": { "const": KIT_MEDIA_TYPE },
        "signer_authorities": list(authority()),
        "signers": list(signer()),
        "sigstore_trusted_roots": list(standard.clone()),
        "timestamp_authorities": list(timestamp_authority()),
        "tlog_policies": list(json!({ "type": "string" })),
    });
    let mut schema = closed(&["media_type"], properties);
    schema["$defs"] = json!({
        "base64": base64(),
        "jwk": jwk(),
        "keyId": key_id(),
        "pattern": url_pattern(),
        "sha256": sha256(),
        "time": time(),
    });
    document("trust-kit", "Trust kit, version 1", ABOUT, schema)
}

fn signer() -> Value {
    let properties = json!({
        "content_log_keys": list(defined("jwk")),
        "key_id": defined("keyId"),
        "log_keys": list(defined("jwk")),
        "public_key": defined("jwk"),
        "reason": { "type": "string" },
        "revoked_at": defined("time"),
        "sources": full_list(defined("pattern")),
        "status": words(["active", "retired", "revoked"]),
        "valid_from": defined("time"),
        "valid_until": defined("time"),
    });
    let of_status = |status: &str, required: &str| {
        json!({
            "if": { "properties": { "status": { "const": status } } },
            "then": { "required": [required] },
        })
    };
    let only_revoked = json!({
        "if": { "anyOf": [{ "required": ["revoked_at"] }, { "required": ["reason"] }] },
        "then": { "properties": { "status": { "const": "revoked" } } },
    });
    let rules =
        [of_status("retired", "valid_until"), of_status("revoked", "revoked_at"), only_revoked];
    with(closed(&["key_id", "public_key", "status"], properties), json!({ "allOf": rules }))
}

/// A public key (RFC 7517). Private members are refused.
fn jwk() -> Value {
    let coordinate = |length: usize| json!({ "type": "string", "pattern": format!("^[A-Za-z0-9_-]{{{length}}}$") });
    let curve = |name: &str, length: usize| {
        json!({
            "required": ["crv", "x", "y"],
            "properties": {
                "kty": { "const": "EC" },
                "crv": { "const": name },
                "x": coordinate(length),
                "y": coordinate(length),
            },
        })
    };
    let ed25519 = json!({
        "required": ["crv", "x"],
        "properties": { "kty": { "const": "OKP" }, "crv": { "const": "Ed25519" }, "x": coordinate(43) },
    });
    let number = base64url_after("");
    let rsa = json!({
        "required": ["n", "e"],
        "properties": { "kty": { "const": "RSA" }, "n": number, "e": number },
    });
    json!({
        "type": "object",
        "required": ["kty"],
        "properties": { "use": { "const": "sig" } },
        "anyOf": [curve("P-256", 43), curve("P-384", 64), ed25519, rsa],
        "not": { "anyOf": PRIVATE.map(|name| json!({ "required": [name] })) },
    })
}

/// Members of private and secret keys (RFC 7518 section 6).
const PRIVATE: [&str; 8] = ["d", "dp", "dq", "k", "oth", "p", "q", "qi"];

fn authority() -> Value {
    let arc = "(0|[1-9][0-9]*)";
    let oid = json!({ "type": "string", "pattern": format!("^[0-2](\\.{arc})+$") });
    let properties = json!({
        "eku": full_list(oid),
        "name": { "type": "string" },
        "revoked": list(defined("sha256")),
        "roots": full_list(defined("base64")),
        "san_uri": full_list(defined("pattern")),
    });
    closed(&["name", "roots", "san_uri"], properties)
}

fn did_document() -> Value {
    let properties = json!({
        "document": { "type": "object" },
        "valid_from": defined("time"),
        "valid_until": defined("time"),
    });
    closed(&["document"], properties)
}

fn timestamp_authority() -> Value {
    let properties = json!({
        "certificates": full_list(defined("base64")),
        "name": { "type": "string" },
        "valid_from": defined("time"),
        "valid_until": defined("time"),
    });
    closed(&["certificates", "name"], properties)
}
