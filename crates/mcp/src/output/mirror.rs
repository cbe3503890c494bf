//! The text that stands beside structured content, for clients that know no other: it says the same.

use genten_primitives::json::Value;

use super::check::{Fault, FaultCode};
use crate::binding::ResultObject;
use crate::saved::read_document;

/// Whether a block of text is the JSON of the structured content, number for number and text for text, however it is spelled.
/// Nothing is asked of a result without content blocks.
pub fn text_faults(result: &ResultObject<'_>) -> Vec<Fault> {
    let Some(structured) = result.structured().filter(|_| !result.blocks().is_empty()) else {
        return Vec::new();
    };
    let wanted = structured.canonical_sha256();
    let is_same = |block: &Value<'_>| {
        let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
        read_document(text.as_bytes()).is_ok_and(|text| text.root().canonical_sha256() == wanted)
    };
    let is_text = |block: &Value<'_>| {
        block.get("type").and_then(Value::as_str).is_some_and(|kind| kind == "text")
    };
    let texts: Vec<_> =
        result.blocks().iter().enumerate().filter(|(_, block)| is_text(block)).collect();
    if texts.iter().any(|(_, block)| is_same(block)) {
        return Vec::new();
    }
    let (pointer, message) = match texts.first() {
        Some((index, _)) => (format!("/content/{index}/text"), "not the JSON of structuredContent"),
        None => ("/content".to_owned(), "no text block with the JSON of structuredContent"),
    };
    vec![Fault { code: FaultCode::Text, pointer, message: message.to_owned() }]
}
