//! `genten mcp`: what tools' results and answers promise.

mod citations;

use crate::cli::McpCommand;
use crate::failure::Done;

pub(super) fn run(command: &McpCommand) -> Done<u8> {
    match command {
        McpCommand::Citations(args) => citations::run(args),
    }
}
