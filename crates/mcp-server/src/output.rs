//! Structured content against a tool's own `outputSchema`: rmcp checks neither.

use jsonschema::Validator;
use serde_json::Value;

/// Most faults that are told at once.
const SHOWN: usize = 5;

/// The `outputSchema` of a tool, ready to check results.
#[derive(Debug)]
pub struct OutputSchema(Validator);

/// Why structured content must not leave the server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// There is none, although the tool has an `outputSchema`.
    #[error("the tool has an outputSchema, and the result has no structured content")]
    Missing,
    /// The schema itself is none, or refers to one elsewhere.
    #[error("outputSchema: {0}")]
    Schema(String),
    /// It does not fit the schema.
    #[error("structured content does not fit the outputSchema: {0}")]
    Unfit(String),
}

impl OutputSchema {
    /// A schema in the dialect of draft 2020-12, or the one that its `$schema` names. Formats are asserted.
    ///
    /// # Errors
    /// It is no schema. References to other documents are never followed.
    pub fn new(schema: &Value) -> Result<Self, OutputError> {
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(schema);
        validator.map(Self).map_err(|error| OutputError::Schema(error.to_string()))
    }

    /// Checks the structured content of a result that is no error.
    ///
    /// # Errors
    /// It is missing, or does not fit.
    pub fn check(&self, structured: Option<&Value>) -> Result<(), OutputError> {
        let structured = structured.ok_or(OutputError::Missing)?;
        let faults: Vec<_> = self
            .0
            .iter_errors(structured)
            .take(SHOWN)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        match faults.is_empty() {
            true => Ok(()),
            false => Err(OutputError::Unfit(faults.join("; "))),
        }
    }
}
