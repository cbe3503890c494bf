//! The output contract: schemas of data, and results.

use genten_mcp::binding::bind;
use genten_mcp::output::{
    Description, Fetched, MAX_FAULTS, OutputContract, StatedProvenance, StatedSource, faults,
    has_shape,
};
use genten_mcp::saved::read_document;

/// A schema of data and structured content, with a zero byte between them. What is made of either is JSON with the same data in
/// it and can be bound; each fault has a place that is there.
pub(crate) fn output(bytes: &[u8]) -> bool {
    let mut files = bytes.splitn(2, |byte| *byte == 0);
    let (schema, structured) = (files.next().unwrap_or_default(), files.next().unwrap_or_default());
    let has_schema = around(schema);
    let Ok(document) = read_document(structured) else { return has_schema };
    if has_shape(document.root()) {
        let found = faults(document.root());
        assert!(found.len() <= MAX_FAULTS);
        if let Ok(value) = serde_json::from_slice::<serde_json::Value>(structured) {
            let is_there = |pointer: &str| value.pointer(pointer).is_some();
            assert!(found.iter().all(|fault| is_there(&fault.pointer)), "{found:?}");
        }
    }
    let Ok(output) = OutputContract::default().output(structured, &stated()) else {
        return has_schema;
    };
    let again = read_document(output.structured().as_bytes()).expect("a result is JSON");
    let data = again.root().get("data").expect("it has data");
    assert_eq!(data.canonical_sha256(), document.root().canonical_sha256());
    assert_eq!(faults(again.root()), []);
    bind(&output.result()).expect("what is made can be bound");
    true
}

fn around(schema: &[u8]) -> bool {
    let Ok(made) = OutputContract::default().schema(schema) else { return false };
    let made = read_document(&made).expect("a schema is JSON");
    let properties = made.root().get("properties").expect("it has properties");
    assert!(properties.get("data").is_some() && properties.get("provenance").is_some());
    true
}

fn stated() -> StatedProvenance {
    let time = "2026-11-30T12:00:00Z".parse().expect("a time");
    let uri = "https://law.example/1".to_owned();
    let fetched = Fetched { uri, retrieved_at: time, content_sha256: None };
    let description = Description {
        title: "Law".to_owned(),
        publisher: "Ministry".to_owned(),
        source_type: "law".to_owned(),
    };
    StatedProvenance::new(time, vec![StatedSource::new("law-1", fetched, description)])
}
