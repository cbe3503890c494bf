//! The schema around a tool's own data, and results that fit it.

use genten_primitives::json::{ArrayWriter, JsonError, Kind, ObjectWriter, Value, write_string};

use super::check::{Fault, faults};
use super::stated::{StatedError, StatedProvenance, TransformationKind};
use crate::binding::{BindError, refuse_large_integers};
use crate::saved::read_document;

/// The kinds of sources that every contract knows.
pub const SOURCE_TYPES: [&str; 5] = ["official-api", "official-page", "law", "dataset", "document"];

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
const TEMPLATE: &str = include_str!("template.json");

/// The contract of a server: which kinds of sources it knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputContract {
    source_types: Vec<String>,
}

impl Default for OutputContract {
    /// The kinds in [`SOURCE_TYPES`].
    fn default() -> Self {
        Self { source_types: SOURCE_TYPES.map(str::to_owned).to_vec() }
    }
}

/// Why a schema cannot stand for the data of a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DataSchemaError {
    /// It is of another dialect than the schema around it.
    #[error("the data's schema is of the dialect {found:?}; only {DIALECT} can be used here")]
    Dialect {
        /// Its `$schema`.
        found: String,
    },
    /// An id of its own: references would mean something else than they say.
    #[error("{path}: the data's schema cannot have an id of its own")]
    Id {
        /// Where it stands.
        path: String,
    },
    /// Not JSON.
    #[error("the data's schema: {0}")]
    Json(#[from] JsonError),
    /// Neither an object nor a truth value.
    #[error("the data's schema is neither an object nor true or false")]
    NoSchema,
    /// A reference that would lead elsewhere from inside the schema around it.
    #[error("{path}: only references to #/$defs/… and #/definitions/… can be used here")]
    Reference {
        /// Where it stands.
        path: String,
    },
}

/// Why no result is made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// Data that clients would read differently.
    #[error("data: {0}")]
    Data(#[from] BindError),
    /// What no schema finds.
    #[error("{}", list(.0))]
    Faults(Vec<Fault>),
    /// Something that cannot be stated.
    #[error(transparent)]
    Stated(#[from] StatedError),
    /// A kind of source that the contract does not know.
    #[error("the contract knows no sources of type {found:?}")]
    SourceType {
        /// The kind.
        found: String,
    },
}

fn list(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("; ")
}

impl OutputContract {
    /// Knows one more kind of sources.
    #[must_use]
    pub fn source_type(mut self, name: impl Into<String>) -> Self {
        let name = name.into();
        if !self.source_types.contains(&name) {
            self.source_types.push(name);
        }
        self
    }

    /// The `outputSchema` (JSON Schema 2020-12) of a tool whose data fits the schema `data`. Its `$defs` move to the top, where its
    /// references then lead.
    ///
    /// # Errors
    /// `data` is no schema, of another dialect, or has ids or references that would not survive the move.
    pub fn schema(&self, data: &[u8]) -> Result<Vec<u8>, DataSchemaError> {
        let data = read_document(data)?;
        let data = data.root();
        check_data_schema(data)?;
        let (before, after) = TEMPLATE.split_once("\"DATA\"").expect("the template has a place");
        let kinds = TransformationKind::ALL.map(TransformationKind::as_str);
        let after = after
            .replace("\"TRANSFORMATIONS\"", &array(kinds))
            .replace("\"SOURCE TYPES\"", &array(self.source_types.iter().map(String::as_str)));
        let mut own = Vec::new();
        write_own(data, &mut own);
        let mut schema = [before.as_bytes(), &own, after.trim_end().as_bytes()].concat();
        schema.pop(); // the last brace, until everything is in
        for name in DEFINITIONS {
            if let Some(definitions) = data.get(name) {
                schema.push(b',');
                write_string(name, &mut schema);
                schema.push(b':');
                schema.extend_from_slice(definitions.raw());
            }
        }
        schema.push(b'}');
        let schema = read_document(&schema)?;
        Ok(compact(schema.root()))
    }

    /// A result with this data, which is held against everything but the data's own schema.
    ///
    /// # Errors
    /// Data that clients would change, something that cannot be stated, a reference without its source, an id twice, a text that
    /// is not of its format.
    pub fn output(
        &self,
        data: &[u8],
        provenance: &StatedProvenance,
    ) -> Result<Output, OutputError> {
        let data = read_document(data).map_err(BindError::from)?;
        refuse_large_integers(data.root())?;
        let kinds = provenance.sources.iter().map(|source| &source.description.source_type);
        if let Some(found) = kinds.into_iter().find(|kind| !self.source_types.contains(kind)) {
            return Err(OutputError::SourceType { found: found.clone() });
        }
        let structured = ObjectWriter::new()
            .raw("data", &compact(data.root()))
            .raw("provenance", &provenance.write()?)
            .finish();
        let document = read_document(&structured).map_err(BindError::from)?;
        match faults(document.root()) {
            none if none.is_empty() => Ok(Output { structured: document.text().to_owned() }),
            faults => Err(OutputError::Faults(faults)),
        }
    }
}

/// A result in the shape of the contract. Text and structured content are made from one object, so that they cannot differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    structured: String,
}

impl Output {
    /// The structured content as compact JSON: it is the text block too.
    pub fn structured(&self) -> &str {
        &self.structured
    }

    /// The result of `tools/call`: one text block and the structured content.
    pub fn result(&self) -> Vec<u8> {
        let text =
            ObjectWriter::new().string("type", "text").string("text", &self.structured).finish();
        ObjectWriter::new()
            .raw("content", &ArrayWriter::new().raw(&text).finish())
            .raw("structuredContent", self.structured.as_bytes())
            .finish()
    }
}

const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

fn check_data_schema(data: Value<'_>) -> Result<(), DataSchemaError> {
    if !matches!(data.kind(), Kind::Object | Kind::Boolean) {
        return Err(DataSchemaError::NoSchema);
    }
    if let Some(dialect) = data.get("$schema") {
        let found = dialect.as_str().unwrap_or_default();
        if found.trim_end_matches('#') != DIALECT {
            return Err(DataSchemaError::Dialect { found: found.into_owned() });
        }
    }
    check_moves(data)
}

/// Whether it means the same wherever it stands.
fn check_moves(schema: Value<'_>) -> Result<(), DataSchemaError> {
    for (name, member) in schema.members().into_iter().flatten() {
        let text = member.as_str();
        let leads_on = || {
            let text = text.as_deref().unwrap_or_default();
            DEFINITIONS.iter().any(|name| text.starts_with(&format!("#/{name}/")))
        };
        match &name[..] {
            "$id" if text.is_some() => return Err(DataSchemaError::Id { path: member.path() }),
            "$ref" | "$dynamicRef" if text.is_some() && !leads_on() => {
                return Err(DataSchemaError::Reference { path: member.path() });
            }
            _ => check_moves(member)?,
        }
    }
    schema.items().into_iter().flatten().try_for_each(check_moves)
}

/// The data's schema without what belongs to the top.
fn write_own(data: Value<'_>, out: &mut Vec<u8>) {
    let Some(members) = data.members() else { return out.extend_from_slice(data.raw()) };
    let is_own = |name: &str| name != "$schema" && !DEFINITIONS.contains(&name);
    out.push(b'{');
    for (index, (name, member)) in members.filter(|(name, _)| is_own(name)).enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_string(&name, out);
        out.push(b':');
        out.extend_from_slice(member.raw());
    }
    out.push(b'}');
}

fn array<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut array = ArrayWriter::new();
    for text in texts {
        array.string(text);
    }
    String::from_utf8_lossy(&array.finish()).into_owned()
}

/// JSON without white space, members in their order and numbers as they were written.
fn compact(value: Value<'_>) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.raw().len());
    write_compact(value, &mut out);
    out
}

fn write_compact(value: Value<'_>, out: &mut Vec<u8>) {
    match value.kind() {
        Kind::Object => {
            out.push(b'{');
            for (index, (name, member)) in value.members().into_iter().flatten().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_string(&name, out);
                out.push(b':');
                write_compact(member, out);
            }
            out.push(b'}');
        }
        Kind::Array => {
            out.push(b'[');
            for (index, item) in value.items().into_iter().flatten().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_compact(item, out);
            }
            out.push(b']');
        }
        Kind::String => write_string(&value.as_str().unwrap_or_default(), out),
        Kind::Number | Kind::Boolean | Kind::Null => out.extend_from_slice(value.raw()),
    }
}
