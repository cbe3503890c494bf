//! JSON Schemas (draft 2020-12) of all formats, with the words that the crates know.
//!
//! A schema says less than the readers do: it cannot compare two members, resolve a redirect or count bytes. What it says
//! agrees with them; `tests/schemas.rs` compares the two.

mod bundle;
mod contract;
mod manifest;
mod mcp_output;
mod parts;
mod policy;
mod report;
mod trust_kit;

use genten_mcp::contract::Mode as BlockMode;
use serde_json::Value;

use crate::Outcome;
use crate::repository::{self, Mode};

/// Makes all of them.
///
/// # Errors
///
/// When checking, the files that are out of date.
pub(crate) fn make(mode: Mode) -> Outcome {
    let schemas = [
        ("contract-concise", contract::schema(BlockMode::Concise)),
        ("contract-detailed", contract::schema(BlockMode::Detailed)),
        ("mcp-output", mcp_output::schema()?),
        ("policy", policy::schema()),
        ("provenance-bundle", bundle::schema()),
        ("provenance-manifest", manifest::schema()),
        ("report", report::schema()),
        ("trust-kit", trust_kit::schema()),
    ];
    let files: Vec<_> = schemas.iter().map(|(name, schema)| (file(name), text(schema))).collect();
    repository::put(&files, mode, "schemas")
}

fn file(name: &str) -> String {
    format!("schemas/{name}.schema.json")
}

fn text(schema: &Value) -> String {
    format!("{schema:#}\n")
}
