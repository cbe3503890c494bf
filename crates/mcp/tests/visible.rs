//! Sources that a result shows, held against manifests.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use genten_manifest::Claims;
use genten_mcp::saved::{Saved, read_document};
use genten_mcp::visible::{Standing, VisibleSource, visible_sources};
use genten_primitives::Sha256Digest;
use serde_json::{Value, json};

fn shown(value: Value) -> Vec<VisibleSource> {
    let text = value.to_string();
    let document = read_document(text.as_bytes()).unwrap();
    let (sources, is_more) = visible_sources(&Saved::read(document.root()).unwrap());
    assert!(!is_more);
    sources
}

fn claims(url: &str, fetched_at: &str, body: &[u8]) -> Claims {
    let (url, time) = (url.parse().unwrap(), fetched_at.parse().unwrap());
    Claims::builder(url, time, Sha256Digest::of(body)).finish().unwrap()
}

fn schema(source: Value) -> Value {
    json!({"content": [], "structuredContent": {"data": {}, "provenance": {"sources": [source]}}})
}

#[test]
fn a_source_agrees_with_url_moment_and_digest() {
    let law = claims("https://law.example/1", "2026-11-30T08:15:00.250Z", b"the law");
    let hash = |bytes: &[u8]| format!("sha256:{}", Sha256Digest::of(bytes));
    for (source, expected) in [
        (json!({"uri": "https://law.example/1"}), Standing::Attested),
        (
            json!({"uri": "https://law.example/1", "retrievedAt": "2026-11-30T08:15:00Z"}),
            Standing::Attested,
        ),
        (
            json!({"uri": "https://law.example/1", "retrievedAt": "2026-11-30T17:15:00+09:00"}),
            Standing::Attested,
        ),
        (
            json!({"uri": "https://law.example/1", "retrievedAt": "2026-11-30T08:15:01Z"}),
            Standing::Contradicted,
        ),
        (
            json!({"uri": "https://law.example/1", "retrievedAt": "2026-11-30T09:15:00"}),
            Standing::Attested,
        ),
        (
            json!({"uri": "https://law.example/1", "contentHash": hash(b"the law")}),
            Standing::Attested,
        ),
        (
            json!({"uri": "https://law.example/1", "contentHash": hash(b"another")}),
            Standing::Contradicted,
        ),
        (json!({"uri": "https://law.example/1", "contentHash": "md5:1"}), Standing::Contradicted),
        (json!({"uri": "https://law.example/2"}), Standing::Unattested),
    ] {
        let sources = shown(schema(source.clone()));
        assert_eq!(sources[0].standing([&law]), expected, "{source}");
        let other = claims("https://law.example/1", "2026-01-01T00:00:00Z", b"older");
        assert_eq!(sources[0].standing([&other, &law]), expected, "one of several is enough");
    }
}

#[test]
fn blocks_of_the_contract_are_seen_with_their_slices_and_copies() {
    let block = |url: &str, time: &str| json!({"source_url": url, "retrieved_at": time, "field_sources": null});
    let several = json!([block("a:1", "2026-11-30T08:15:00Z"), block("a:2", "2026-11-30")]);
    let found = shown(json!({"content": [], "structuredContent": {"provenance": several},
        "_meta": {"com.example/provenance": block("a:3", "2026-11-30T08:15:00Z"),
            "com.example/provenance-manifests": []}}));
    let urls: Vec<_> =
        found.iter().map(|source| (&source.url[..], source.retrieved.is_some())).collect();
    assert_eq!(urls, [("a:1", true), ("a:2", false), ("a:3", true)]);

    let mut sliced = block("a:1", "2026-11-30T08:15:00Z");
    sliced["field_sources"] =
        json!([{"fields": ["x"], "source_url": "a:2", "retrieved_at": "2026-11-30T08:00:00Z"}]);
    let found = shown(json!({"content": [], "structuredContent": {"provenance": sliced}}));
    let urls: Vec<_> =
        found.iter().map(|source| (&source.url[..], source.retrieved.is_some())).collect();
    assert_eq!(urls, [("a:1", false), ("a:2", true)], "the oldest time is none of the block's own");
}
