//! `genten mcp citations`: the decision over an answer, byte for byte as the contract prints it.

use std::path::Path;

use genten_mcp::citation::{CitationError, MAX_BYTES, Status, evaluate, reviews_to_fill_in};

use crate::cli::CitationsArgs;
use crate::failure::{Done, Failure, read_file};
use crate::output;

/// 0 for ACCEPT alone, 1 for a decision that is another one. Whatever makes none is 2.
pub(super) fn run(args: &CitationsArgs) -> Done<u8> {
    let (answer, sources) = (read(&args.answer)?, read(&args.sources)?);
    let Some(reviews) = &args.reviews else {
        output::bytes(&reviews_to_fill_in(&answer, &sources).map_err(failed)?);
        return Ok(0);
    };
    let decision = evaluate(&answer, &sources, &read(reviews)?).map_err(failed)?;
    output::bytes(&decision.to_json());
    Ok(u8::from(decision.status != Status::Accept))
}

fn read(path: &Path) -> Done<Vec<u8>> {
    read_file(path, MAX_BYTES as u64).map_err(|failure| failure.with_status(2))
}

fn failed(error: CitationError) -> Failure {
    let hint = "`genten mcp citations --help` shows what the files contain.";
    Failure::coded(error.code(), &error, hint).with_status(2)
}
