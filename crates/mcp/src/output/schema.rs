//! Structured content against a tool's own `outputSchema`, whatever it asks for.

use genten_primitives::json::{JsonError, Value};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ReferencingError, Validator};

use super::check::{Fault, FaultCode, MAX_FAULTS};
use crate::saved::read_document;

/// Longest message of one fault, in characters: it may repeat what it is about.
const MAX_MESSAGE: usize = 300;

/// The dialects that are known. Clients must know the first; SDKs write the second.
const DIALECTS: [&str; 2] =
    ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema"];

/// The `outputSchema` of a tool, ready to check results.
#[derive(Debug)]
pub struct OutputSchema(Validator);

/// Why something is no schema that can be checked against.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputSchemaError {
    /// A dialect that is not known here.
    #[error("outputSchema: of the dialect {found:?}; known are 2020-12 and draft-07")]
    Dialect {
        /// Its `$schema`.
        found: String,
    },
    /// A part of it is elsewhere.
    #[error("outputSchema: it refers to another document, {uri}, and none is followed")]
    Elsewhere {
        /// Where.
        uri: String,
    },
    /// Not JSON.
    #[error("outputSchema: {0}")]
    Json(#[from] JsonError),
    /// No schema.
    #[error("outputSchema: {0}")]
    Schema(String),
}

impl OutputSchema {
    /// A schema in the dialect of draft 2020-12, or of draft-07 where its `$schema` says so. Formats are asserted.
    ///
    /// # Errors
    /// It is no schema, or of another dialect. References to other documents are never followed, and are an error.
    pub fn read(schema: &[u8]) -> Result<Self, OutputSchemaError> {
        let document = read_document(schema)?;
        if let Some(dialect) = document.root().get("$schema") {
            let found = dialect.as_str().unwrap_or_default();
            let found = found.trim_end_matches('#');
            if !DIALECTS.contains(&found) {
                return Err(OutputSchemaError::Dialect { found: found.to_owned() });
            }
        }
        let no_schema = |error: String| OutputSchemaError::Schema(shortened(error));
        let schema =
            serde_json::from_str(document.text()).map_err(|one| no_schema(one.to_string()))?;
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(&schema).map_err(|error| match error.kind() {
            ValidationErrorKind::Referencing(ReferencingError::Unretrievable { uri, .. }) => {
                OutputSchemaError::Elsewhere { uri: uri.clone() }
            }
            _ => no_schema(error.to_string()),
        })?;
        Ok(Self(validator))
    }

    /// Where structured content does not fit; at most [`MAX_FAULTS`].
    pub fn faults(&self, structured: Value<'_>) -> Vec<Fault> {
        let fault = |pointer: String, message: String| Fault {
            code: FaultCode::Schema,
            pointer,
            message: shortened(message),
        };
        match serde_json::from_str(structured.raw_text()) {
            Ok(value) => {
                let errors = self.0.iter_errors(&value).take(MAX_FAULTS);
                errors.map(|one| fault(one.instance_path().to_string(), one.to_string())).collect()
            }
            Err(error) => vec![fault(String::new(), error.to_string())],
        }
    }
}

fn shortened(message: String) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}
