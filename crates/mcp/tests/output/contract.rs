//! The schema that is made, and results that are made.

use genten_manifest::Claims;
use genten_mcp::binding::bind;
use genten_mcp::output::{
    DataSchemaError, Fetched, OutputContract, OutputError, StatedError, content_hash,
    digest_of_content_hash,
};
use genten_primitives::Sha256Digest;
use serde_json::{Value, json};

use crate::fixtures::{data, full, items, schema, stated, with, without};

/// 000-01, 000-02, 000-03, 000-04, 000-05, 000-06, 000-07, 000-08: member for member the schema that document 000 prints.
#[test]
fn the_schema_is_the_one_of_the_document() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/source-documents/000_c11c38c91fa57bc9.txt"
    );
    let Ok(document) = std::fs::read_to_string(path) else {
        return eprintln!("SKIPPED: no ../shared/source-documents beside the repository");
    };
    let printed = &document[document.find("{\n  \"$schema\"").unwrap()..];
    let printed = serde_json::Deserializer::from_str(printed).into_iter::<Value>().next();
    assert_eq!(schema(&items()), printed.unwrap().unwrap());
}

/// 000-02: the data is each tool's own, and its definitions move to where its references lead.
#[test]
fn the_data_is_the_tool_s_own() {
    let own = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "array",
        "items": {"$ref": "#/$defs/Law"},
        "$defs": {"Law": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Law"}}}}
    });
    let made = schema(&own);
    assert_eq!(
        made["properties"]["data"],
        json!({"type": "array", "items": {"$ref": "#/$defs/Law"}})
    );
    assert_eq!(made["$defs"], own["$defs"]);
    assert_eq!(schema(&json!(true))["properties"]["data"], true);
    let refused = |schema: Value| {
        OutputContract::default().schema(schema.to_string().as_bytes()).unwrap_err()
    };
    for reference in ["#", "#/properties/a", "https://elsewhere.example/x", "#name"] {
        let error = refused(json!({"items": {"$ref": reference}}));
        assert!(matches!(error, DataSchemaError::Reference { .. }), "{reference}: {error}");
    }
    assert!(matches!(refused(json!({"$id": "urn:x"})), DataSchemaError::Id { .. }));
    let draft7 = json!({"$schema": "http://json-schema.org/draft-07/schema#"});
    assert!(matches!(refused(draft7), DataSchemaError::Dialect { .. }));
    assert_eq!(refused(json!([])), DataSchemaError::NoSchema);
    assert!(OutputContract::default().schema(b"{\"a\":1,\"a\":2}").is_err());
}

/// 000-05: each server manages its own kinds of sources, also such as look like the schema's places.
#[test]
fn the_kinds_of_sources_can_be_more() {
    let contract = OutputContract::default().source_type("DATA").source_type("law");
    let made: Value = serde_json::from_slice(&contract.schema(b"{}").unwrap()).unwrap();
    let source = &made["properties"]["provenance"]["properties"]["sources"]["items"];
    assert_eq!(
        source["properties"]["sourceType"]["enum"],
        json!(["official-api", "official-page", "law", "dataset", "document", "DATA"])
    );
    let mut provenance = stated();
    provenance.sources[0].description.source_type = "DATA".to_owned();
    contract.output(data().to_string().as_bytes(), &provenance).unwrap();
    let error = OutputContract::default().output(b"1", &provenance).unwrap_err();
    assert_eq!(error, OutputError::SourceType { found: "DATA".to_owned() });
}

/// 000-13: one object, compact, is structured content and text.
#[test]
fn text_and_structured_content_are_one_object() {
    let own = "{ \"items\": [ {\"id\":\"result-1\", \"value\":\"found\", \"sourceRefs\":[\"source-1\"]} ] }";
    let output = OutputContract::default().output(own.as_bytes(), &stated()).unwrap();
    let result: Value = serde_json::from_slice(&output.result()).unwrap();
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(text, output.structured());
    assert!(!text.contains("\": ") && !text.contains(", \"") && !text.contains('\n'), "{text}");
    let expected = with(full(), "/provenance/sources/0/publishedAt", json!("2026-08-01T00:00:00Z"));
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), expected);
    assert_eq!(result["structuredContent"], expected);
    assert_eq!(result["content"].as_array().unwrap().len(), 1);
    assert!(
        text.starts_with(r#"{"data":{"items":[{"id":"result-1","value":"found","sourceRefs":["#),
        "members stay in their order: {text}"
    );
    bind(&output.result()).unwrap();
}

/// 000-15: what is not known is absent, and no time is made from another; 000-06, 000-07, 000-08 are optional.
#[test]
fn nothing_is_invented() {
    let mut provenance = stated();
    let (source, _) = provenance.sources.split_first_mut().unwrap();
    (source.published_at, source.effective_at) = (None, None);
    (source.locator, source.license, source.fetched.content_sha256) = (None, None, None);
    (provenance.transformations, provenance.warnings) = (vec![], vec![]);
    let output = OutputContract::default().output(data().to_string().as_bytes(), &provenance);
    let mut expected = full();
    for name in ["publishedAt", "effectiveAt", "locator", "license", "contentHash"] {
        expected = without(expected, &format!("/provenance/sources/0/{name}"));
    }
    expected = without(without(expected, "/provenance/transformations"), "/provenance/warnings");
    let made: Value = serde_json::from_str(output.unwrap().structured()).unwrap();
    assert_eq!(made, expected);
}

/// 000-15, 000-16, 000-17: a manifest gives URL, time of the fetch and digest; title and publisher are the author's.
#[test]
fn a_manifest_says_what_is_known_of_the_fetch() {
    let digest = Sha256Digest::of(b"the law");
    let (url, time) = ("https://law.example/1?b=2&a=1", "2026-11-30T08:15:00.125Z");
    let claims = Claims::builder(url.parse().unwrap(), time.parse().unwrap(), digest);
    let fetched = Fetched::from(&claims.finish().unwrap());
    let expected = Fetched {
        uri: url.to_owned(),
        retrieved_at: time.parse().unwrap(),
        content_sha256: Some(digest),
    };
    assert_eq!(fetched, expected);
    assert_eq!(digest_of_content_hash(&content_hash(digest)), Some(digest));
    for other in [digest.to_string(), format!("sha256:{}", digest.to_string().to_uppercase())] {
        assert_eq!(digest_of_content_hash(&other), None, "{other}");
    }
}

/// 000-04, 000-09, 000-10, 000-11: what breaks the contract is not made.
#[test]
fn what_breaks_the_contract_is_not_made() {
    let contract = OutputContract::default();
    let make = |data: &[u8], change: fn(&mut genten_mcp::output::StatedProvenance)| {
        let mut provenance = stated();
        change(&mut provenance);
        contract.output(data, &provenance).map(drop).unwrap_err().to_string()
    };
    let no_source = make(b"1", |stated| stated.sources.clear());
    assert_eq!(no_source, StatedError::NoSource.to_string());
    assert_eq!(make(b"1", |stated| stated.sources[0].id.clear()), "id is empty");
    assert_eq!(
        make(b"1", |stated| stated.sources[0].license = Some(String::new())),
        "license is empty"
    );
    assert_eq!(make(b"1", |stated| stated.warnings.push(String::new())), "warnings is empty");
    assert_eq!(
        make(br#"{"sourceRefs":["source-2"]}"#, |_| {}),
        r#"/data/sourceRefs/0: no source has the id "source-2""#
    );
    let twice = make(b"1", |stated| stated.sources.push(stated.sources[0].clone()));
    assert_eq!(twice, r#"/provenance/sources/1/id: another source has the id "source-1""#);
    let uri = make(b"1", |stated| stated.sources[0].fetched.uri = "/official/item/1".to_owned());
    assert!(uri.ends_with("is no uri"), "{uri}");
    assert!(make(b"9007199254740993", |_| {}).contains("2^53"));
    assert!(make(b"{\"a\":1,\"a\":2}", |_| {}).contains("duplicate"));
    assert!(make(b"1", |stated| stated.warnings.push("\u{ffff}".to_owned())).contains("JSON"));
}
