//! `report.schema.json`: what `verify --format json` prints.

use genten_verify::Requirement;
use serde_json::{Value, json};

use super::parts::{MAX_INTEGER, count, defined, document, full_list, list, sha256, time, words};

const ABOUT: &str = "One report, as each line of `verify --format jsonl`, or the array of reports that `verify --format \
    json` prints. The shape is the same whatever the verdict. Later versions may add members and codes. The manifest's \
    claims stand under `attested` only behind a valid signature by a trusted signer, otherwise under `claimed`; their \
    members are those of provenance-manifest.schema.json.";

/// The schema.
pub(super) fn schema() -> Value {
    let mut schema = json!({ "anyOf": [defined("report"), list(defined("report"))] });
    schema["$defs"] = json!({
        "check": check(),
        "claims": { "type": "object" },
        "code": { "type": "string", "pattern": "^[a-z0-9-]+(\\.[a-z0-9-]+)+$" },
        "logged": logged(),
        "note": note(),
        "report": report(),
        "sha256": sha256(),
        "signer": signer(),
        "sigstore": sigstore(),
        "time": time(),
        "timestamp": timestamp(),
        "trusted_time": trusted_time(),
    });
    document("report", "Report of a verification, version 1", ABOUT, schema)
}

const BASIS: [&str; 6] =
    ["signed", "reported", "logged", "timestamped", "certificate", "refetched"];

fn report() -> Value {
    json!({
        "type": "object",
        "required": ["checks", "input", "notes", "now", "policy", "verdict", "version"],
        "properties": {
            "attested": defined("claims"),
            "basis": { "type": "object", "additionalProperties": words(BASIS.into_iter().chain(["witnessed"])) },
            "because": defined("code"),
            "body": object(&["bytes", "sha256"], json!({ "bytes": count(MAX_INTEGER), "sha256": defined("sha256") })),
            "checks": list(defined("check")),
            "claimed": defined("claims"),
            "fetched_at": fetched_at(),
            "input": { "type": "string" },
            "kit_sha256": defined("sha256"),
            "logged": full_list(defined("logged")),
            "manifest_id": defined("sha256"),
            "not_proven": list(json!({ "type": "string" })),
            "notes": list(defined("note")),
            "now": defined("time"),
            "policy": object(&["name", "sha256"], json!({ "name": { "type": "string" }, "sha256": defined("sha256") })),
            "signer": defined("signer"),
            "sigstore": defined("sigstore"),
            "timestamps": full_list(defined("timestamp")),
            "trusted_time": defined("trusted_time"),
            "verdict": words(["accept", "review", "reject"]),
            "version": { "type": "string" },
        },
        // Beside attested claims stands only what was not signed, or a name that nobody confirmed.
        "dependentSchemas": { "attested": { "properties": { "claimed": {
            "additionalProperties": false,
            "properties": { "mcp_key_id": { "type": "string" }, "transparency_log_id": { "type": "string" } },
        } } } },
        "if": { "properties": { "verdict": { "const": "accept" } } },
        "then": { "required": ["not_proven"], "anyOf": [{ "required": ["attested", "signer"] }, { "required": ["sigstore"] }] },
        "else": { "required": ["because"] },
    })
}

fn check() -> Value {
    let outcomes = ["passed", "failed", "missing", "not-required", "not-checked"];
    let properties = json!({
        "code": defined("code"),
        "detail": { "type": "string" },
        "effect": words(["review", "reject"]),
        "expected": { "type": "string" },
        "found": { "type": "string" },
        "outcome": words(outcomes),
        "recommended": { "const": true },
        "requirement": words(Requirement::ALL.iter().map(|word| word.as_str())),
    });
    let mut check = object(&["code", "outcome"], properties);
    check["dependentRequired"] = json!({ "expected": ["found"], "found": ["expected"] });
    check
}

fn note() -> Value {
    let text = json!({ "type": "string" });
    object(&["code", "meaning"], json!({ "code": defined("code"), "meaning": text, "text": text }))
}

fn signer() -> Value {
    let properties = json!({
        "algorithm": words(["ES256", "EdDSA"]),
        "id": { "type": "string" },
        "id_checked": { "type": "boolean" },
        "thumbprint": defined("sha256"),
        "trusted_by": { "type": "string" },
    });
    object(&["id", "id_checked"], properties)
}

/// When the content was fetched: from below on the signer's word, from above as others saw it.
fn fetched_at() -> Value {
    let properties = json!({
        "basis": words(BASIS),
        "not_after": defined("time"),
        "not_after_basis": words(TIME_BASIS),
        "stated": defined("time"),
    });
    let mut fetched_at = object(&["basis", "stated"], properties);
    fetched_at["dependentRequired"] =
        json!({ "not_after": ["not_after_basis"], "not_after_basis": ["not_after"] });
    fetched_at
}

/// On what ground a time is trusted.
const TIME_BASIS: [&str; 3] = ["logged", "timestamped", "witnessed"];

/// A log entry that counts.
fn logged() -> Value {
    let properties = json!({
        "basis": words(["logged", "logged, unwitnessed", "promised", "witnessed"]),
        "index": count(MAX_INTEGER),
        "log_of_trusted_root": { "type": "boolean" },
        "origin": { "type": "string" },
        "subject": words(["manifest", "batch", "content"]),
        "witnessed_by": defined("time"),
        "witnesses": full_list(json!({ "type": "string" })),
    });
    object(&["basis", "index", "log_of_trusted_root", "origin", "subject"], properties)
}

fn timestamp() -> Value {
    let authority = json!({ "type": "string" });
    object(&["authority", "time"], json!({ "authority": authority, "time": defined("time") }))
}

fn trusted_time() -> Value {
    let properties = json!({
        "basis": words(TIME_BASIS),
        "source": { "type": "string" },
        "time": defined("time"),
    });
    object(&["basis", "source", "time"], properties)
}

/// What is known of a Sigstore bundle.
fn sigstore() -> Value {
    let text = json!({ "type": "string" });
    let properties = json!({
        "artifact": { "type": "string", "pattern": "^sha(256|384|512):[0-9a-f]+$" },
        "content": text,
        "identities": full_list(text.clone()),
        "predicate_type": text,
        "issuer": text,
        "thumbprint": defined("sha256"),
    });
    object(&["content"], properties)
}

/// An object that later versions may add members to.
fn object(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}
