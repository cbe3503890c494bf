//! `provenance-manifest.schema.json`: one JSON object per upstream fetch.

use genten_manifest::{Capture, Completeness, Protocol, SourceClass, TlsTrust};
use serde_json::{Value, json};

use super::parts::{
    MAX_INTEGER, WEB, base64url_after, closed, count, defined, document, key_id, list, sha256,
    source_url, text, time, with, words,
};

const ABOUT: &str = "One signed statement about one fetch. A producer signs no member that stands here neither by name nor \
    with a dot in its name. Not expressed: the signature itself, attested_at before fetched_at, redirects that do not lead \
    to final_url, a fingerprint of a certificate behind an http URL, sizes in bytes.";

/// The schema.
pub(super) fn schema() -> Value {
    let required = ["content_sha256", "fetched_at", "mcp_key_id", "mcp_signature", "source_url"];
    let schema = json!({
        "type": "object",
        "required": required,
        "properties": properties(),
        "patternProperties": { "\\.": defined("value") },
        "additionalProperties": false,
        "allOf": [recorded_is_web(), file_is_local()],
        "$defs": definitions(),
    });
    document("provenance-manifest", "ProvenanceManifest, version 1", ABOUT, schema)
}

fn properties() -> Value {
    json!({
        "attested_at": defined("time"),
        "capture": words(Capture::ALL.iter().map(|word| word.as_str())),
        "content_sha256": defined("sha256"),
        "ct_log_proof": base64url_after("(sct-list|tlog-proof):"),
        "fetched_at": defined("time"),
        "http": http(),
        "mcp_key_id": key_id(),
        "mcp_signature": signature(),
        "request": request(),
        "result_sha256": defined("sha256"),
        "retrieval": retrieval(),
        "source_class": words(SourceClass::ALL.iter().map(|word| word.as_str())),
        "source_revision": text(4096),
        "source_url": defined("url"),
        "tls": tls(),
        "tls_server_cert_sha256": defined("sha256"),
        "transparency_log_id": log_id(),
    })
}

fn definitions() -> Value {
    let field = json!({ "anyOf": [{ "const": "" }, defined("headerText")] });
    json!({
        "header": pair(defined("headerName"), field.clone()),
        "requestHeader": { "anyOf": [
            pair(json!({ "allOf": [defined("headerName"), { "pattern": public_names() }] }), field),
            pair(defined("headerName"), json!({ "const": "" })),
        ] },
        "signatureHeader": {
            "allOf": [defined("header")],
            "prefixItems": [{ "not": { "pattern": format!("^{}$", any_case("set-cookie")) } }],
        },
        "headerName": { "type": "string", "pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$" },
        "headerText": { "type": "string", "pattern": "^[\\t -~\\u0080-\\u00ff]+$" },
        "sha256": sha256(),
        "status": { "type": "integer", "minimum": 100, "maximum": 999 },
        "time": time(),
        "url": source_url(),
        "value": value(),
    })
}

/// JSON as it can be signed: integers only.
fn value() -> Value {
    json!({
        "type": ["null", "boolean", "integer", "string", "array", "object"],
        "minimum": -(MAX_INTEGER as i64),
        "maximum": MAX_INTEGER,
        "items": defined("value"),
        "additionalProperties": defined("value"),
    })
}

/// A compact JWS, detached or with its payload; the last part is 64 bytes.
fn signature() -> Value {
    let part = "[A-Za-z0-9_-]";
    json!({ "type": "string", "pattern": format!("^{part}+\\.{part}*\\.{part}{{85}}[AQgw]$") })
}

fn log_id() -> Value {
    let origin = "[^\\u0000-\\u001f\\u007f-\\u009f]{1,1024}";
    json!({ "type": "string", "pattern": format!("^{origin}#(0|[1-9][0-9]{{0,19}})$") })
}

fn http() -> Value {
    let header_text =
        ["age", "content_disposition", "content_encoding", "date", "etag", "last_modified"];
    let mut properties = json!({
        "completeness": words(Completeness::ALL.iter().map(|word| word.as_str())),
        "content_bytes": count(MAX_INTEGER),
        "decoded_sha256": defined("sha256"),
        "final_url": defined("url"),
        "media_type": defined("headerText"),
        "protocol": words(Protocol::ALL.iter().map(|word| word.as_str())),
        "range": defined("headerText"),
        "redirects": list(redirect()),
        "request": http_request(),
        "signature": list(defined("signatureHeader")),
        "status": defined("status"),
    });
    for name in header_text {
        properties[name] = defined("headerText");
    }
    let more = json!({
        "dependentRequired": { "decoded_sha256": ["content_encoding"], "final_url": ["redirects"], "range": ["completeness"] },
        "dependentSchemas": {
            "final_url": { "properties": { "redirects": { "minItems": 1 } } },
            "range": { "properties": { "completeness": { "const": Completeness::Partial.as_str() } } },
        },
    });
    with(closed(&["status"], properties), more)
}

fn http_request() -> Value {
    let properties = json!({
        "body_sha256": defined("sha256"),
        "credentials": { "type": "boolean" },
        "headers": list(defined("requestHeader")),
        "method": defined("headerName"),
    });
    closed(&["method"], properties)
}

fn pair(first: Value, second: Value) -> Value {
    json!({ "type": "array", "prefixItems": [first, second], "items": false, "minItems": 2 })
}

/// The request fields whose values may be stated.
fn public_names() -> String {
    format!("^({}.*|{}|{}.*)$", any_case("accept"), any_case("user-agent"), any_case("sec-fetch-"))
}

/// The pattern of a word in any case.
fn any_case(word: &str) -> String {
    let letter = |c: char| match c.is_ascii_alphabetic() {
        true => format!("[{}{c}]", c.to_ascii_uppercase()),
        false => c.to_string(),
    };
    word.chars().map(letter).collect()
}

fn redirect() -> Value {
    let properties = json!({
        "location": defined("headerText"),
        "status": { "type": "integer", "minimum": 300, "maximum": 399 },
        "tls_server_cert_sha256": defined("sha256"),
        "url": defined("url"),
    });
    closed(&["location", "status", "url"], properties)
}

fn tls() -> Value {
    let properties = json!({
        "issuer": text(4096),
        "proxy": { "type": "boolean" },
        "spki_sha256": defined("sha256"),
        "trust": words(TlsTrust::ALL.iter().map(|word| word.as_str())),
        "version": text(4096),
    });
    closed(&[], properties)
}

fn retrieval() -> Value {
    let times = count(u64::from(u32::MAX));
    let anomaly = closed(&["count", "kind"], json!({ "count": times, "kind": text(4096) }));
    let properties = json!({
        "anomalies": list(anomaly),
        "attempts": times,
        "requests": times,
        "served_from_cache": { "type": "boolean" },
    });
    closed(&[], properties)
}

fn request() -> Value {
    let position = json!({
        "index": count(u64::from(u32::MAX) - 1),
        "of": { "type": "integer", "minimum": 1, "maximum": u32::MAX },
    });
    let properties = json!({
        "arguments_sha256": defined("sha256"),
        "fetch": closed(&["index", "of"], position),
        "nonce": { "type": "string", "pattern": "^[!-~]{1,128}$" },
        "resource": text(4096),
        "tool": text(4096),
    });
    let of_tool = json!({ "required": ["tool", "arguments_sha256"] });
    let of_resource = json!({ "required": ["resource"] });
    let neither =
        json!({ "anyOf": [{ "required": ["tool"] }, { "required": ["arguments_sha256"] }] });
    let one_of = json!({ "if": of_resource, "then": { "not": neither }, "else": of_tool });
    with(closed(&[], properties), one_of)
}

/// Genten itself fetches http and https only.
fn recorded_is_web() -> Value {
    let web = json!({ "pattern": WEB });
    json!({
        "if": { "required": ["capture"], "properties": { "capture": { "const": Capture::Recorded.as_str() } } },
        "then": { "properties": {
            "source_url": web,
            "http": { "properties": { "final_url": web } },
        } },
    })
}

fn file_is_local() -> Value {
    json!({
        "if": { "properties": { "source_url": { "pattern": "^[Ff][Ii][Ll][Ee]:" } } },
        "then": {
            "required": ["source_class"],
            "properties": { "source_class": { "const": SourceClass::Local.as_str() } },
        },
    })
}
