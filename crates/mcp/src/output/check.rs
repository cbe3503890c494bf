//! What no schema can say of a result in the shape of the contract: that references have their source, that ids are unique, and
//! that texts are what their format says.

use std::collections::HashSet;

use genten_primitives::json::Value;

use super::formats::{is_date, is_date_time, is_uri};
use super::pointer::Pointer;

/// Most faults that are told of one result.
pub const MAX_FAULTS: usize = 100;

/// What is wrong with a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {message}")]
pub struct Fault {
    /// The rule that is broken.
    pub code: FaultCode,
    /// Where, as a JSON Pointer (RFC 6901) into the structured content or, for faults of the text, into the result.
    pub pointer: String,
    /// In words. Text of the result may stand in it.
    pub message: String,
}

/// The rule that a result breaks. Codes are never renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultCode {
    /// A text that is not of its format.
    Format,
    /// There is no structured content.
    Missing,
    /// The protocol refused the call.
    ProtocolError,
    /// It does not fit the schema.
    Schema,
    /// Two sources have the same id.
    SourceId,
    /// A reference to no source.
    SourceRef,
    /// References that are no list of texts.
    SourceRefForm,
    /// No text block says the same as the structured content.
    Text,
    /// The tool says that it failed.
    ToolError,
}

impl FaultCode {
    /// The stable code.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Format => "output.format",
            Self::Missing => "output.missing",
            Self::ProtocolError => "output.protocol-error",
            Self::Schema => "output.schema",
            Self::SourceId => "output.source-id",
            Self::SourceRef => "output.source-ref",
            Self::SourceRefForm => "output.source-ref-form",
            Self::Text => "output.text",
            Self::ToolError => "output.tool-error",
        }
    }
}

/// Whether structured content has the shape of the contract, well-formed or not: data, and a provenance with sources of its own.
pub fn has_shape(structured: Value<'_>) -> bool {
    let provenance = structured.get("provenance").filter(|_| structured.get("data").is_some());
    provenance.is_some_and(|provenance| {
        provenance.get("sources").is_some() || provenance.get("generatedAt").is_some()
    })
}

/// What no schema says, of structured content in the shape of the contract: each of `sourceRefs`, wherever they stand in the data,
/// is the id of a source; ids are unique; `date-time`, `date` and `uri` are what they are called. At most [`MAX_FAULTS`].
pub fn faults(structured: Value<'_>) -> Vec<Fault> {
    let mut check = Check::default();
    if let Some(provenance) = structured.get("provenance") {
        check.provenance(provenance);
    }
    if let Some(data) = structured.get("data") {
        check.references(data, &mut Pointer::at("/data"));
    }
    check.faults
}

#[derive(Default)]
struct Check {
    ids: HashSet<String>,
    faults: Vec<Fault>,
}

impl Check {
    fn add(&mut self, code: FaultCode, pointer: &Pointer, message: String) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault { code, pointer: pointer.text(), message });
        }
    }

    fn provenance(&mut self, provenance: Value<'_>) {
        let mut pointer = Pointer::at("/provenance");
        self.format(provenance, "generatedAt", &mut pointer);
        let sources = provenance.get("sources").and_then(Value::items);
        pointer.with_member("sources", |pointer| {
            for (index, source) in sources.into_iter().flatten().enumerate() {
                pointer.with_item(index, |pointer| self.source(source, pointer));
            }
        });
    }

    fn source(&mut self, source: Value<'_>, pointer: &mut Pointer) {
        for name in ["uri", "retrievedAt", "publishedAt", "effectiveAt"] {
            self.format(source, name, pointer);
        }
        let Some(id) = source.get("id").and_then(Value::as_str) else { return };
        if !self.ids.insert(id.clone().into_owned()) {
            pointer.with_member("id", |pointer| {
                self.add(FaultCode::SourceId, pointer, format!("another source has the id {id:?}"));
            });
        }
    }

    fn format(&mut self, object: Value<'_>, name: &str, pointer: &mut Pointer) {
        let (format, is_good): (_, fn(&str) -> bool) = match name {
            "uri" => ("uri", is_uri),
            "effectiveAt" => ("date", is_date),
            _ => ("date-time", is_date_time),
        };
        let text = object.get(name).and_then(Value::as_str);
        if let Some(text) = text.filter(|text| !is_good(text)) {
            pointer.with_member(name, |pointer| {
                self.add(FaultCode::Format, pointer, format!("{text:?} is no {format}"));
            });
        }
    }

    fn references(&mut self, value: Value<'_>, pointer: &mut Pointer) {
        for (index, item) in value.items().into_iter().flatten().enumerate() {
            pointer.with_item(index, |pointer| self.references(item, pointer));
        }
        for (name, member) in value.members().into_iter().flatten() {
            pointer.with_member(&name, |pointer| match &name[..] {
                "sourceRefs" => self.source_refs(member, pointer),
                _ => self.references(member, pointer),
            });
        }
    }

    fn source_refs(&mut self, references: Value<'_>, pointer: &mut Pointer) {
        let no_list = "sourceRefs is a list of the ids of sources";
        let Some(items) = references.items() else {
            return self.add(FaultCode::SourceRefForm, pointer, no_list.to_owned());
        };
        for (index, reference) in items.enumerate() {
            pointer.with_item(index, |pointer| match reference.as_str() {
                None => self.add(FaultCode::SourceRefForm, pointer, no_list.to_owned()),
                Some(id) if !self.ids.contains(&*id) => {
                    self.add(FaultCode::SourceRef, pointer, format!("no source has the id {id:?}"));
                }
                Some(_) => {}
            });
        }
    }
}
