//! `genten mcp`: what can be typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Decide whether an answer's claims cite sources that support them: 0 accept, 1 review or reject, 2 no JSON
    Citations(CitationsArgs),
}

#[derive(Debug, Args)]
#[command(after_help = CITATIONS_HELP)]
pub(crate) struct CitationsArgs {
    /// What is claimed: {"claims":[{"id","text","citation_id"}]}
    pub(crate) answer: PathBuf,
    /// What was fetched: {"sources":[{"id","content"}]}
    pub(crate) sources: PathBuf,
    /// What reviewers have found: {"reviews":[{"claim_id","fingerprint","verdict"}]}
    #[arg(required_unless_present = "fingerprints", conflicts_with = "fingerprints")]
    pub(crate) reviews: Option<PathBuf>,
    /// Print the reviews instead, with their fingerprints: a reviewer fills in the verdicts
    #[arg(long)]
    pub(crate) fingerprints: bool,
}

const CITATIONS_HELP: &str = "\
A review is about a claim and a source, word for word: when either changes, its fingerprint does not
fit any more, and the claim waits for a new review. The verdict is `supported` or `unsupported`; it is
the reviewer's word, who should be somebody else than whoever wrote the answer. ACCEPT says that all
reviews are there and fit, and nothing about truth.

Examples:
  genten mcp citations --fingerprints answer.json sources.json > reviews.json
  genten mcp citations answer.json sources.json reviews.json";
