//! Structured content against a tool's own `outputSchema`, and against the output contract where it has its shape: rmcp checks
//! neither. And results in that shape.

use genten::fetch::Exchange;
use genten_mcp::output::{Fault, Fetched, Output, faults, has_shape};
use genten_mcp::saved::read_document;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

/// Most faults that are told at once.
const SHOWN: usize = 5;

/// The `outputSchema` of a tool, ready to check results.
#[derive(Debug)]
pub struct OutputSchema(genten_mcp::output::OutputSchema);

/// Why structured content must not leave the server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// It breaks a rule of the output contract, whose shape it has.
    #[error("structured content breaks the output contract: {0}")]
    Contract(String),
    /// It is no JSON that every client reads alike.
    #[error("structured content: {0}")]
    Json(String),
    /// There is none, although the tool has an `outputSchema`.
    #[error("the tool has an outputSchema, and the result has no structured content")]
    Missing,
    /// The schema itself is none, or refers to one elsewhere.
    #[error("{0}")]
    Schema(String),
    /// It does not fit the schema.
    #[error("structured content does not fit the outputSchema: {0}")]
    Unfit(String),
}

impl OutputSchema {
    /// A schema in the dialect of draft 2020-12, or of draft-07 where its `$schema` says so. Formats are asserted.
    ///
    /// # Errors
    /// It is no schema. References to other documents are never followed.
    pub fn new(schema: &Value) -> Result<Self, OutputError> {
        let schema = genten_mcp::output::OutputSchema::read(schema.to_string().as_bytes());
        schema.map(Self).map_err(|error| OutputError::Schema(error.to_string()))
    }

    /// Checks the structured content of a result that is no error, as [`check_output`] does.
    ///
    /// # Errors
    /// It is missing, or does not fit.
    pub fn check(&self, structured: Option<&Value>) -> Result<(), OutputError> {
        check_output(Some(self), structured)
    }
}

/// Checks the structured content of a result that is no error: against the tool's schema, where it has one, and against what no
/// schema can say, where it has the shape of the output contract.
///
/// # Errors
/// It is missing although there is a schema, or does not fit.
pub fn check_output(
    schema: Option<&OutputSchema>,
    structured: Option<&Value>,
) -> Result<(), OutputError> {
    let Some(structured) = structured else {
        return schema.map_or(Ok(()), |_| Err(OutputError::Missing));
    };
    let text = structured.to_string();
    let document =
        read_document(text.as_bytes()).map_err(|error| OutputError::Json(error.to_string()))?;
    let structured = document.root();
    let unfit = schema.map(|schema| schema.0.faults(structured)).unwrap_or_default();
    if !unfit.is_empty() {
        return Err(OutputError::Unfit(told(&unfit)));
    }
    let broken = if has_shape(structured) { faults(structured) } else { Vec::new() };
    match broken.is_empty() {
        true => Ok(()),
        false => Err(OutputError::Contract(told(&broken))),
    }
}

fn told(faults: &[Fault]) -> String {
    let faults: Vec<_> = faults.iter().take(SHOWN).map(Fault::to_string).collect();
    faults.join("; ")
}

/// What is known of a fetch, to be stated as a source.
pub fn fetched(exchange: &Exchange) -> Fetched {
    Fetched {
        uri: exchange.requested_url.clone(),
        retrieved_at: exchange.fetched_at,
        content_sha256: Some(exchange.content_sha256),
    }
}

/// A result in the shape of the output contract, as rmcp sends it.
///
/// # Errors
/// Its data has a number that is none here.
pub fn call_tool_result(output: &Output) -> Result<CallToolResult, OutputError> {
    let structured = serde_json::from_str(output.structured());
    let structured = structured.map_err(|error| OutputError::Json(error.to_string()))?;
    let mut result = CallToolResult::structured(structured);
    // The same text, in the order in which it was written.
    result.content = vec![ContentBlock::text(output.structured())];
    Ok(result)
}
