//! `provenance-manifest.schema.json` and the strict reader.

use genten_jws::SignedBytes;
use genten_manifest::UnverifiedManifest;
use serde_json::{Value, json};

use crate::differences::compare;
use crate::schema;

pub(crate) const DIGEST: &str = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";

/// A detached JWS whose `kid` is `did:web:a.example#k`.
fn signature() -> String {
    let header = r#"{"alg":"EdDSA","kid":"did:web:a.example#k","typ":"provenance-manifest+jws"}"#;
    let encode = genten_primitives::encoding::base64url;
    format!("{}..{}", encode(header.as_bytes()), encode(&[7; 64]))
}

pub(crate) fn least() -> Value {
    json!({
        "source_url": "https://a.example/law?id=1",
        "fetched_at": "2026-11-30T08:15:00Z",
        "content_sha256": DIGEST,
        "mcp_key_id": "did:web:a.example#k",
        "mcp_signature": signature(),
    })
}

fn most() -> Value {
    let mut manifest = least();
    let more = json!({
        "attested_at": "2026-11-30T09:15:00.125Z",
        "capture": "recorded",
        "ct_log_proof": "sct-list:AAE",
        "http": {
            "age": "3", "completeness": "partial", "content_bytes": 12, "content_disposition": "inline",
            "content_encoding": "gzip", "date": "Mon, 30 Nov 2026 08:15:00 GMT", "decoded_sha256": DIGEST,
            "etag": "\"caf\u{e9}\"", "final_url": "https://a.example/law/1", "last_modified": "x", "media_type": "text/plain",
            "protocol": "h2", "range": "bytes 0-11/12", "status": 206,
            "redirects": [{
                "location": "/law/1", "status": 302, "tls_server_cert_sha256": DIGEST, "url": "https://a.example/law?id=1",
            }],
            "request": {
                "body_sha256": DIGEST, "credentials": true, "headers": [["Accept", "*/*"], ["X-Key", ""]], "method": "POST",
            },
            "signature": [["signature", "sig1=:AAE=:"]],
        },
        "request": {
            "arguments_sha256": DIGEST, "fetch": { "index": 1, "of": 2 }, "nonce": "n-1", "tool": "search",
        },
        "result_sha256": DIGEST,
        "retrieval": {
            "anomalies": [{ "count": 2, "kind": "retry" }], "attempts": 2, "requests": 3, "served_from_cache": false,
        },
        "source_class": "revisioned",
        "source_revision": "415AC_20240401",
        "tls": {
            "issuer": "CN=Example", "proxy": false, "spki_sha256": DIGEST, "trust": "public-with-sct", "version": "TLSv1.3",
        },
        "tls_server_cert_sha256": DIGEST,
        "transparency_log_id": "log.example#7",
        "com.example.note": { "a": [1, null, true, "x"] },
    });
    manifest.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    manifest
}

/// Whether the readers of manifest and signature take it, no member is unknown, and nothing contradicts.
pub(crate) fn accepts(manifest: &Value) -> bool {
    let Ok(read) = UnverifiedManifest::read(manifest.to_string().as_bytes()) else { return false };
    read.unknown_members().is_empty()
        && read.claims().contradiction().is_none()
        && SignedBytes::of_manifest(&read).is_ok()
}

const KID: (&str, &str) = ("/mcp_key_id = ", "kid stands in the signature's header too");

#[test]
fn the_least_manifest_and_its_neighbours() {
    compare(&schema("provenance-manifest"), accepts, &least(), &[KID]);
}

#[test]
fn the_fullest_manifest_and_its_neighbours() {
    let less = [
        KID,
        ("/attested_at = ", "attested_at before fetched_at"),
        ("/http/final_url ", "where redirects lead"),
        ("/http/redirects", "where redirects lead"),
        ("/http without final_url", "where redirects lead"),
        ("/source_url = ", "where redirects lead"),
        ("/request/fetch", "index below of"),
    ];
    compare(&schema("provenance-manifest"), accepts, &most(), &less);
}

#[test]
fn other_shapes_and_their_neighbours() {
    let mut of_resource = least();
    of_resource["request"] = json!({ "resource": "genten://x" });
    let mut of_file = least();
    of_file["source_url"] = json!("file:///srv/a.csv");
    of_file["source_class"] = json!("local");
    let mut of_database = least();
    of_database["source_url"] = json!("s3://bucket/key");
    of_database["capture"] = json!("reported");
    of_database["http"] = json!({ "status": 200, "redirects": [] });
    for manifest in [of_resource, of_file, of_database] {
        compare(&schema("provenance-manifest"), accepts, &manifest, &[KID]);
    }
}

/// A rule that the schema cannot express is refused by the reader alone: the list is complete.
#[test]
fn what_the_schema_cannot_say() {
    let schema = schema("provenance-manifest");
    let plain_http = |manifest: &mut Value| {
        manifest["source_url"] = json!("http://a.example/");
        manifest["tls_server_cert_sha256"] = json!(DIGEST);
    };
    let long_in_bytes =
        |manifest: &mut Value| manifest["source_revision"] = json!("\u{20ac}".repeat(4096));
    let faults: [fn(&mut Value); 2] = [plain_http, long_in_bytes];
    for fault in faults {
        let mut manifest = least();
        fault(&mut manifest);
        assert!(schema.is_valid(&manifest) && !accepts(&manifest), "{manifest}");
    }
}
