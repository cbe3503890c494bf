//! `mcp-output.schema.json`: results in the shape of the output contract, whatever their data.

use std::error::Error;

use genten_mcp::output::OutputContract;
use serde_json::Value;

use super::parts::document;

const ABOUT: &str = "Structured content of tools that says where its data comes from. A tool's own outputSchema has its data's schema under data. References, ids given twice and times are checked beside it.";

/// The schema.
pub(super) fn schema() -> Result<Value, Box<dyn Error>> {
    let schema = serde_json::from_slice(&OutputContract::default().schema(b"true")?)?;
    Ok(document("mcp-output", "Result of a tool with its provenance", ABOUT, schema))
}
