//! `genten mcp`: what can be typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use genten_primitives::Timestamp;

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Check a saved result against its tool's outputSchema, and against what no schema says: 0 it fits, 1 it does not, 2 unreadable
    CheckOutput(CheckOutputArgs),
    /// Decide whether an answer's claims cite sources that support them: 0 accept, 1 review or reject, 2 no JSON
    Citations(CitationsArgs),
    /// Make the file of sources for `citations` from verified manifests: 0 made, 1 one is not accepted, 2 unreadable
    Sources(SourcesArgs),
}

#[derive(Debug, Args)]
#[command(after_help = SOURCES_HELP)]
pub(crate) struct SourcesArgs {
    /// Manifests or bundles, one a file
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Look the bodies up in this folder too, by their content
    #[arg(long, value_name = "DIR")]
    pub(crate) bodies: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
}

/// Whom to trust and what to ask, as `verify` is told it.
#[derive(Debug, Args)]
pub(crate) struct QuestionArgs {
    /// Trust this public key: PEM, JWK, JWK Set, or a certificate in PEM (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Vec<PathBuf>,
    /// Trust this signer, whose id contains its key: did:key:… or did:jwk:… (repeatable)
    #[arg(long, value_name = "ID")]
    pub(crate) signer: Vec<String>,
    /// Trust what this trust kit says, or this Sigstore trusted_root.json
    #[arg(long, value_name = "FILE")]
    pub(crate) trust: Option<PathBuf>,
    /// What must hold: basic, mcp11, high-trust, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "basic")]
    pub(crate) policy: PathBuf,
    /// Take this time as now (such as 2026-11-30T08:15:00Z), instead of the clock
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<Timestamp>,
}

#[derive(Debug, Args)]
#[command(after_help = CHECK_OUTPUT_HELP)]
pub(crate) struct CheckOutputArgs {
    /// What a client kept: a JSON-RPC response, a result, or the structured content alone
    pub(crate) result: PathBuf,
    /// The tool's outputSchema, as tools/list gives it [default: that of the output contract, for results of its shape]
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// A kind of sources that the server adds to those of the output contract
    #[arg(long, value_name = "NAME", conflicts_with = "schema")]
    pub(crate) source_type: Vec<String>,
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

const CHECK_OUTPUT_HELP: &str = "\
Structured content has to fit the schema, with formats asserted. Where it has the shape of the output
contract ({\"data\", \"provenance\": {\"sources\"}}), its references must have their sources, ids must be
unique, and a text block must say the same. A result that says that the tool failed, and an error of the
protocol, are no output and do not fit. Each fault has its place in the file (JSON Pointer) and a code.

Examples:
  genten mcp check-output result.json                       a result in the shape of the output contract
  genten mcp check-output result.json --schema tool.json    any result, against its tool's outputSchema
  genten --json mcp check-output result.json                the faults for a program

Schemas are of draft 2020-12 or draft-07; references to other documents are never followed. Nothing here
says who made the result: `verify result.json` does.";

const SOURCES_HELP: &str = "\
Each manifest is verified as `verify` does it, and its body must be at hand: beside it, in --bodies, or
among the bodies of the home. If one is not accepted, or is no text, nothing is written. A text is
decoded by the charset that the manifest signs, or else as UTF-8, and never with a loss. Its id is made
from URL and text, and stays the same as long as they do; it is said on standard error, with the URL.

Examples:
  genten mcp sources law.xml.provenance.json --key signer.pem > sources.json
  genten mcp sources archive/*.provenance.json --trust kit.json --policy mcp11 > sources.json
  genten mcp citations --fingerprints answer.json sources.json > reviews.json";

const CITATIONS_HELP: &str = "\
A review is about a claim and a source, word for word: when either changes, its fingerprint does not
fit any more, and the claim waits for a new review. The verdict is `supported` or `unsupported`; it is
the reviewer's word, who should be somebody else than whoever wrote the answer. ACCEPT says that all
reviews are there and fit, and nothing about truth.

Examples:
  genten mcp citations --fingerprints answer.json sources.json > reviews.json
  genten mcp citations answer.json sources.json reviews.json";
