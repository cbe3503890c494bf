//! What no schema says.

use genten_mcp::output::{FaultCode, MAX_FAULTS, faults, has_shape, text_faults};
use genten_mcp::saved::{Saved, read_document};
use serde_json::{Value, json};

use crate::fixtures::{full, with};

fn found(structured: &Value) -> Vec<(&'static str, String)> {
    let text = structured.to_string();
    let document = read_document(text.as_bytes()).unwrap();
    assert!(has_shape(document.root()));
    faults(document.root()).into_iter().map(|one| (one.code.as_str(), one.pointer)).collect()
}

#[test]
fn a_good_result_has_no_fault() {
    assert_eq!(found(&full()), []);
}

/// 000-09: wherever they stand in the data.
#[test]
fn every_reference_has_its_source() {
    let deep =
        json!({"a~/b": [[{"sourceRefs": ["source-1", "source-2"]}], {"sourceRefs": "source-1"}]});
    assert_eq!(
        found(&with(full(), "/data", deep)),
        [
            ("output.source-ref", "/data/a~0~1b/0/0/sourceRefs/1".to_owned()),
            ("output.source-ref-form", "/data/a~0~1b/1/sourceRefs".to_owned()),
        ]
    );
    let number = with(full(), "/data/items/0/sourceRefs", json!([1]));
    let place = "/data/items/0/sourceRefs/0".to_owned();
    assert_eq!(found(&number), [("output.source-ref-form", place)]);
}

/// 000-10
#[test]
fn ids_are_unique() {
    let source = full()["provenance"]["sources"][0].clone();
    let twice = with(full(), "/provenance/sources", json!([source.clone(), source]));
    assert_eq!(found(&twice), [("output.source-id", "/provenance/sources/1/id".to_owned())]);
}

/// 000-03, 000-06, 000-11
#[test]
fn formats_are_asserted() {
    for (place, text) in [
        ("/provenance/generatedAt", "2026-08-13"),
        ("/provenance/sources/0/uri", "official/item/1"),
        ("/provenance/sources/0/retrievedAt", "2026-08-13T00:59:30"),
        ("/provenance/sources/0/publishedAt", "yesterday"),
        ("/provenance/sources/0/effectiveAt", "2026-04-01T00:00:00Z"),
    ] {
        let broken = with(full(), place, json!(text));
        assert_eq!(found(&broken), [("output.format", place.to_owned())]);
    }
}

#[test]
fn a_result_full_of_faults_is_not_told_whole() {
    let many: Vec<_> = (0..1000).map(|number| number.to_string()).collect();
    let broken = with(full(), "/data/items/0/sourceRefs", json!(many));
    assert_eq!(found(&broken).len(), MAX_FAULTS);
}

/// 000-13: the text says the same as the structured content, in whatever spelling a client has kept both.
#[test]
fn the_text_mirrors_the_structured_content() {
    let told = |content: Value| {
        let saved =
            json!({"content": content, "structuredContent": {"n": 1.0, "t": "é"}}).to_string();
        let document = read_document(saved.as_bytes()).unwrap();
        let saved = Saved::read(document.root()).unwrap();
        let faults = text_faults(saved.object().unwrap());
        assert!(faults.iter().all(|fault| fault.code == FaultCode::Text));
        faults.into_iter().map(|fault| fault.pointer).collect::<Vec<_>>()
    };
    let text = |text: &str| json!({"type": "text", "text": text});
    let none = [""; 0];
    assert_eq!(told(json!([text(r#"{"t":"\u00e9", "n":1}"#)])), none);
    assert_eq!(told(json!([text("in words"), text(r#"{"n":1,"t":"é"}"#)])), none);
    assert_eq!(told(json!([])), none, "a result without blocks");
    assert_eq!(told(json!([text(r#"{"n":2,"t":"é"}"#)])), ["/content/0/text"]);
    assert_eq!(told(json!([text("in words")])), ["/content/0/text"]);
    let image = json!({"type": "image", "data": "", "mimeType": "image/png"});
    assert_eq!(told(json!([image.clone(), text("no")])), ["/content/1/text"]);
    assert_eq!(told(json!([image])), ["/content"]);
}

#[test]
fn other_shapes_are_not_ours() {
    for other in [
        json!({"data": 1}),
        json!({"provenance": {"sources": []}}),
        json!({"data": 1, "provenance": {"source_url": "https://a.example/"}}),
        json!({"data": 1, "provenance": [{"sources": []}]}),
        json!([1]),
    ] {
        let text = other.to_string();
        assert!(!has_shape(read_document(text.as_bytes()).unwrap().root()), "{other}");
    }
}
