//! A good result, and ways to break it.

use genten_mcp::output::{
    Description, Fetched, OutputContract, StatedProvenance, StatedSource, Transformation,
    TransformationKind,
};
use genten_primitives::Sha256Digest;
use serde_json::{Value, json};

/// The schema of the data that the document shows.
pub(crate) fn items() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["items"],
        "properties": {"items": {"type": "array", "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "value", "sourceRefs"],
            "properties": {
                "id": {"type": "string", "minLength": 1},
                "value": {"type": "string"},
                "sourceRefs": {
                    "type": "array",
                    "minItems": 1,
                    "uniqueItems": true,
                    "items": {"type": "string", "minLength": 1}
                }
            }
        }}}
    })
}

pub(crate) fn schema(data: &Value) -> Value {
    let schema = OutputContract::default().schema(data.to_string().as_bytes()).unwrap();
    serde_json::from_slice(&schema).unwrap()
}

/// A result with every member that there is.
pub(crate) fn full() -> Value {
    json!({
        "data": {"items": [{"id": "result-1", "value": "found", "sourceRefs": ["source-1"]}]},
        "provenance": {
            "generatedAt": "2026-08-13T01:00:00Z",
            "sources": [{
                "id": "source-1",
                "uri": "https://example.go.jp/official/item/1",
                "title": "公式資料名",
                "publisher": "発行機関名",
                "retrievedAt": "2026-08-13T00:59:30Z",
                "sourceType": "official-page",
                "publishedAt": "2026-08-01T09:00:00+09:00",
                "effectiveAt": "2026-04-01",
                "locator": "第2節",
                "license": "CC-BY-4.0",
                "contentHash": format!("sha256:{}", Sha256Digest::of(b"test"))
            }],
            "transformations": [
                {"type": "extract", "description": "one value of section 2", "toolVersion": "1.3.0"}
            ],
            "warnings": ["on trial"]
        }
    })
}

pub(crate) fn data() -> Value {
    full()["data"].clone()
}

/// The same result by its parts.
pub(crate) fn stated() -> StatedProvenance {
    let fetched = Fetched {
        uri: "https://example.go.jp/official/item/1".to_owned(),
        retrieved_at: "2026-08-13T00:59:30Z".parse().unwrap(),
        content_sha256: Some(Sha256Digest::of(b"test")),
    };
    let description = Description {
        title: "公式資料名".to_owned(),
        publisher: "発行機関名".to_owned(),
        source_type: "official-page".to_owned(),
    };
    let mut source = StatedSource::new("source-1", fetched, description);
    source.published_at = Some("2026-08-01T00:00:00Z".parse().unwrap());
    source.effective_at = Some("2026-04-01".parse().unwrap());
    source.locator = Some("第2節".to_owned());
    source.license = Some("CC-BY-4.0".to_owned());
    let mut stated = StatedProvenance::new("2026-08-13T01:00:00Z".parse().unwrap(), vec![source]);
    stated.transformations = vec![Transformation {
        kind: TransformationKind::Extract,
        description: "one value of section 2".to_owned(),
        tool_version: Some("1.3.0".to_owned()),
    }];
    stated.warnings = vec!["on trial".to_owned()];
    stated
}

/// The value with another one at the pointer; an absent one makes room for it.
pub(crate) fn with(mut value: Value, pointer: &str, new: Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match value.pointer_mut(parent).unwrap() {
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = new,
        object => object[name] = new,
    }
    value
}

pub(crate) fn without(mut value: Value, pointer: &str) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    value.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name).unwrap();
    value
}
