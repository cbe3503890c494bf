//! `genten bundle` and `genten export`: what can be typed.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum BundleCommand {
    /// Show the evidence of a bundle, without verifying it
    Show {
        /// A bundle or a manifest
        file: PathBuf,
    },
    /// Add evidence to a bundle, or to a manifest, which becomes a bundle
    Add(Box<BundleAddArgs>),
}

#[derive(Debug, Args)]
#[command(after_help = "\
What belongs to another manifest, or is malformed, is refused before anything is written; what is \
there already is told and not added again. Whether evidence is to be believed is not decided here: \
`verify` asks a trust kit.

Examples:
  genten bundle add law.xml.provenance.json --log-entry entry.json
  genten bundle add law.xml.provenance.json --timestamp stamp.tsr
  genten bundle add law.xml.provenance.json --archive copy.provenance.json -o new.json
  genten bundle add law.xml.provenance.json --external talk.tlsn --media-type a/tlsn")]
pub(crate) struct BundleAddArgs {
    /// The bundle or manifest; changed in place unless --output says otherwise
    pub(crate) file: PathBuf,
    /// Write the bundle to this file instead, which is replaced
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Manifest (or bundle) of a copy of the same bytes that an archive kept
    #[arg(long, value_name = "MANIFEST")]
    pub(crate) archive: Vec<PathBuf>,
    /// Evidence of a kind that others define
    #[arg(long, value_name = "FILE", requires = "media_type")]
    pub(crate) external: Option<PathBuf>,
    /// Media type of --external
    #[arg(long, value_name = "TYPE", requires = "external")]
    pub(crate) media_type: Option<String>,
    /// What people shall call --external
    #[arg(long, value_name = "TEXT", requires = "external")]
    pub(crate) label: Option<String>,
    /// Certificates (PEM), the signer's or the server's own first: whose they are is seen from the manifest
    #[arg(long, value_name = "PEM")]
    pub(crate) chain: Vec<PathBuf>,
    /// DID document of the signer (JSON), for display
    #[arg(long, value_name = "FILE")]
    pub(crate) did_document: Vec<PathBuf>,
    /// When the DID document was retrieved
    #[arg(long, value_name = "TIME", requires = "did_document")]
    pub(crate) retrieved_at: Option<String>,
    /// Place in a signed batch (JSON: statement, index, hashes)
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Vec<PathBuf>,
    /// Entry of a Rekor v2 log, as the log answered (JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) log_entry: Vec<PathBuf>,
    /// Answer of a timestamp authority, or its token (DER)
    #[arg(long, value_name = "FILE")]
    pub(crate) timestamp: Vec<PathBuf>,
    /// What was logged or stamped
    #[arg(long, value_enum, default_value = "manifest")]
    pub(crate) subject: LoggedSubject,
}

/// What of a manifest was logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LoggedSubject {
    /// The signed manifest
    Manifest,
    /// The signed statement of its batch
    Batch,
    /// The content's digest; logs only
    Content,
}

#[derive(Debug, Args)]
#[command(after_help = "\
sigstore    a Sigstore bundle over the manifest's signing input, and that input as a file:
              cosign verify-blob --key key.pem --bundle OUT ARTIFACT
            With an Ed25519 key only where a log entry came along: Sigstore's tools check
            Ed25519ph, the signature that logs take.
tlog-proof  a C2SP tlog-proof of the log entry of the manifest, else of its batch
prov        W3C PROV as JSON-LD: what was fetched, when, by whom, as the manifest states it

A signature that does not hold is not exported. Nothing else is verified.")]
pub(crate) struct ExportArgs {
    /// The bundle or manifest
    pub(crate) file: PathBuf,
    /// Form
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) to: ExportForm,
    /// File for it, which is replaced (default: beside FILE, named like it; nothing is overwritten then)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// File for the signing input, the artifact of a Sigstore bundle (default: beside FILE)
    #[arg(long, value_name = "FILE")]
    pub(crate) artifact: Option<PathBuf>,
}

/// A form of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportForm {
    /// Sigstore bundle v0.3
    Sigstore,
    /// C2SP tlog-proof
    TlogProof,
    /// W3C PROV
    Prov,
}
