//! The schema that is made, in force: each rule by a result that breaks it.

use genten_mcp::output::{OutputSchema, OutputSchemaError};
use genten_mcp::saved::read_document;
use serde_json::{Value, json};

use crate::fixtures::{full, items, schema, with, without};

fn faults(schema: &Value, structured: &Value) -> Vec<String> {
    let schema = OutputSchema::read(schema.to_string().as_bytes()).unwrap();
    let text = structured.to_string();
    let document = read_document(text.as_bytes()).unwrap();
    schema.faults(document.root()).into_iter().map(|fault| fault.pointer).collect()
}

#[track_caller]
fn breaks(structured: &Value, place: &str) {
    assert_eq!(faults(&schema(&items()), structured), [place], "{structured}");
}

const SOURCE: &str = "/provenance/sources/0";

#[test]
fn a_good_result_fits() {
    assert_eq!(faults(&schema(&items()), &full()), [""; 0]);
}

/// 000-01
#[test]
fn there_are_two_members_and_no_more() {
    breaks(&with(full(), "/more", json!(1)), "");
    breaks(&without(full(), "/data"), "");
    breaks(&without(full(), "/provenance"), "");
    breaks(&json!([]), "");
}

/// 000-02
#[test]
fn data_is_held_against_its_own_schema() {
    let item = "/data/items/0";
    breaks(&with(full(), "/data/items/0/sourceRefs", json!([])), "/data/items/0/sourceRefs");
    let twice = json!(["source-1", "source-1"]);
    breaks(&with(full(), "/data/items/0/sourceRefs", twice), "/data/items/0/sourceRefs");
    breaks(&with(full(), "/data/items/0/sourceRefs/0", json!("")), "/data/items/0/sourceRefs/0");
    breaks(&with(full(), "/data/items/0/id", json!("")), "/data/items/0/id");
    breaks(&with(full(), "/data/items/0/value", json!(1)), "/data/items/0/value");
    breaks(&with(full(), "/data/items/0/more", json!(1)), item);
    breaks(&without(full(), "/data/items/0/sourceRefs"), item);
}

/// 000-03, 000-04
#[test]
fn provenance_has_a_time_and_sources() {
    breaks(&without(full(), "/provenance/generatedAt"), "/provenance");
    breaks(&with(full(), "/provenance/generatedAt", json!("today")), "/provenance/generatedAt");
    breaks(&without(full(), "/provenance/sources"), "/provenance");
    breaks(&with(full(), "/provenance/sources", json!([])), "/provenance/sources");
    breaks(&with(full(), "/provenance/more", json!(1)), "/provenance");
}

/// 000-05
#[test]
fn a_source_has_six_members_at_least() {
    for name in ["id", "uri", "title", "publisher", "retrievedAt", "sourceType"] {
        let place = format!("{SOURCE}/{name}");
        breaks(&without(full(), &place), SOURCE);
        let empty = faults(&schema(&items()), &with(full(), &place, json!("")));
        assert_eq!(empty, std::slice::from_ref(&place), "empty {name}");
    }
    breaks(
        &with(full(), &format!("{SOURCE}/sourceType"), json!("blog")),
        "/provenance/sources/0/sourceType",
    );
}

/// 000-06
#[test]
fn optional_members_have_their_form() {
    let upper = format!("sha256:{}", "A".repeat(64));
    for (name, wrong) in [
        ("publishedAt", json!("2026-08-01")),
        ("effectiveAt", json!("2026-04-01T00:00:00Z")),
        ("locator", json!("")),
        ("license", json!(null)),
        ("contentHash", json!(upper)),
        ("contentHash", json!("0".repeat(64))),
    ] {
        let place = format!("{SOURCE}/{name}");
        breaks(&with(full(), &place, wrong), &place);
    }
    breaks(&with(full(), &format!("{SOURCE}/more"), json!(1)), SOURCE);
}

/// 000-07, 000-08
#[test]
fn transformations_and_warnings_have_their_form() {
    let one = "/provenance/transformations/0";
    breaks(&with(full(), &format!("{one}/type"), json!("guess")), &format!("{one}/type"));
    breaks(&with(full(), &format!("{one}/description"), json!("")), &format!("{one}/description"));
    breaks(&with(full(), &format!("{one}/toolVersion"), json!("")), &format!("{one}/toolVersion"));
    breaks(&with(full(), &format!("{one}/more"), json!(1)), one);
    breaks(&without(full(), &format!("{one}/type")), one);
    breaks(&with(full(), "/provenance/warnings/0", json!("")), "/provenance/warnings/0");
}

/// 000-09, 000-10: the schema alone lets both pass, which is why they are checked beside it.
#[test]
fn a_schema_sees_neither_references_nor_ids() {
    let dangling = with(full(), "/data/items/0/sourceRefs", json!(["source-2"]));
    let source = full()["provenance"]["sources"][0].clone();
    let twice = with(full(), "/provenance/sources", json!([source.clone(), source]));
    for result in [dangling, twice] {
        assert_eq!(faults(&schema(&items()), &result), [""; 0]);
    }
}

/// 003-11: the dialect that clients must know, and the one that an SDK writes.
#[test]
fn two_dialects_are_known_and_no_document_is_fetched() {
    let dialect = |uri: &str| json!({"$schema": uri, "type": "string", "format": "date"});
    for known in [
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft-07/schema",
    ] {
        assert_eq!(faults(&dialect(known), &json!("2026-02-30")), [""], "{known}");
    }
    let read = |schema: Value| OutputSchema::read(schema.to_string().as_bytes()).unwrap_err();
    for other in ["https://json-schema.org/draft/2019-09/schema", "https://elsewhere.example/"] {
        let found = other.to_owned();
        assert_eq!(read(dialect(other)), OutputSchemaError::Dialect { found });
    }
    for elsewhere in ["https://elsewhere.example/x", "file:///etc/passwd", "other.json"] {
        let error = read(json!({"$ref": elsewhere}));
        assert!(matches!(error, OutputSchemaError::Elsewhere { .. }), "{elsewhere}: {error}");
    }
    assert!(matches!(read(json!({"$ref": "#/$defs/none"})), OutputSchemaError::Schema(_)));
    assert!(matches!(read(json!({"type": "nothing"})), OutputSchemaError::Schema(_)));
    assert!(matches!(OutputSchema::read(b"{").unwrap_err(), OutputSchemaError::Json(_)));
}

#[test]
fn a_message_does_not_repeat_a_whole_result() {
    let schema = OutputSchema::read(br#"{"type":"integer"}"#).unwrap();
    let text = json!("é".repeat(100_000)).to_string();
    let document = read_document(text.as_bytes()).unwrap();
    assert!(schema.faults(document.root())[0].message.chars().count() <= 301);
}
