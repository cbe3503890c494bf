//! `contract-concise.schema.json` and `contract-detailed.schema.json`: blocks of the provenance contract, for the `outputSchema` of
//! tools.

use genten_mcp::contract::{Mode, Version, schema as of_block};
use serde_json::Value;

use super::parts::document;

/// The schema of blocks of all versions from 1.1 on, in one mode.
pub(super) fn schema(mode: Mode) -> Value {
    let (name, title, about) = match mode {
        Mode::Concise => {
            ("contract-concise", "Concise block of the provenance contract", "Versions 1.1 to 1.3.")
        }
        Mode::Detailed => (
            "contract-detailed",
            "Detailed block of the provenance contract",
            "Versions 1.1 to 1.3.",
        ),
    };
    let block = serde_json::from_str(&of_block(mode, Version::V1_3)).expect("a schema is JSON");
    document(name, title, about, block)
}
