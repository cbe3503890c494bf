//! `genten mcp`: what tools' results and answers promise.

mod check_output;
mod citations;
mod sources;

use crate::cli::McpCommand;
use crate::context::Context;
use crate::failure::Done;

pub(super) fn run(context: &Context, command: &McpCommand) -> Done<u8> {
    match command {
        McpCommand::CheckOutput(args) => check_output::run(context, args),
        McpCommand::Citations(args) => citations::run(args),
        McpCommand::Sources(args) => sources::run(context, args),
    }
}
