//! The command line as data. Reading it does nothing else.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Parser, ValueEnum};

use crate::time::PointInTime;

/// Check what was fetched, from where, when, and who says so. Works offline, and always gives the same answer to the
/// same question.
///
/// A provenance manifest says which bytes were fetched from which address at what time, signed by whoever fetched them.
/// `verify` checks the signature, the saved bytes and all evidence that came along, and says what that proves and what
/// it does not. It trusts nobody by itself: say whom you trust with --key, --signer or --trust.
#[derive(Debug, Parser)]
#[command(name = "verify", version, after_help = EXAMPLES, after_long_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to verify: manifests, bundles, lists of them (JSON Lines), or folders; `-` is standard input
    ///
    /// What a file is, is seen from its content. Of a folder every *.provenance.json and *.jsonl below it is verified;
    /// links in it are not followed.
    #[arg(value_name = "FILE", required_unless_present = "explain")]
    pub files: Vec<PathBuf>,

    /// Trust this public key: PEM, JWK, JWK Set, or a certificate in PEM
    #[arg(
        long,
        value_name = "FILE",
        help_heading = TRUST
    )]
    pub key: Vec<PathBuf>,

    /// Trust this signer, whose id contains its key: did:key:… or did:jwk:…
    #[arg(
        long,
        value_name = "ID",
        help_heading = TRUST
    )]
    pub signer: Vec<String>,

    /// Trust what this trust kit says: keys under their names, their periods, authorities, logs; or a Sigstore
    /// trusted_root.json
    #[arg(
        long,
        value_name = "FILE",
        help_heading = TRUST
    )]
    pub trust: Option<PathBuf>,

    /// What must hold: basic, mcp11, high-trust, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "basic", help_heading = QUESTION)]
    pub policy: PathBuf,

    /// Take this time as now (RFC 3339, such as 2026-11-30T08:15:00Z), instead of the clock
    #[arg(long, value_name = "TIME", help_heading = QUESTION)]
    pub at: Option<PointInTime>,

    /// Compare the saved bytes in this file, raw or decoded; `-` is standard input
    ///
    /// Without it, NAME beside NAME.provenance.json is compared, when there is one.
    #[arg(long, value_name = "FILE", conflicts_with = "bodies", help_heading = BODY)]
    pub body: Option<PathBuf>,

    /// Look the saved bytes up in this folder, by their content
    ///
    /// A body that is not found there makes the verdict review. Files that no manifest covers are listed at the end.
    #[arg(long, value_name = "DIR", help_heading = BODY)]
    pub bodies: Option<PathBuf>,

    /// Use the evidence in these bundles too, wherever it is about the same manifest
    #[arg(long, value_name = "DIR|FILE", help_heading = BODY)]
    pub evidence: Option<PathBuf>,

    /// The call that a saved MCP result should answer: the JSON-RPC request, or its parameters
    #[arg(long, value_name = "FILE", help_heading = BODY)]
    pub request: Option<PathBuf>,

    /// The file that the bundle is about, or its digest as sha256:HEX
    #[arg(long, value_name = "FILE", help_heading = SIGSTORE)]
    pub artifact: Option<PathBuf>,

    /// Whom the certificate must name: an e-mail address, a URI
    #[arg(long, value_name = "NAME", requires = "certificate_oidc_issuer")]
    #[arg(help_heading = SIGSTORE, value_parser = NonEmptyStringValueParser::new())]
    pub certificate_identity: Option<String>,

    /// Who must have vouched for that name
    #[arg(long, value_name = "URL", requires = "certificate_identity")]
    #[arg(help_heading = SIGSTORE, value_parser = NonEmptyStringValueParser::new())]
    pub certificate_oidc_issuer: Option<String>,

    /// How to answer: text, json (one array), jsonl (one object a line), html (not yet)
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    #[arg(help_heading = ANSWER)]
    pub format: Format,

    /// Answer with the exit status only
    #[arg(short, long, conflicts_with = "verbose", help_heading = ANSWER)]
    pub quiet: bool,

    /// Show every check, with both sides of its comparison
    #[arg(short, long, help_heading = ANSWER)]
    pub verbose: bool,

    /// Colour of the verdict: auto, always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    #[arg(help_heading = ANSWER)]
    pub color: Color,

    /// How many inputs to verify at a time [default: one for each core]
    #[arg(short, long, value_name = "N", help_heading = ANSWER)]
    pub jobs: Option<NonZeroUsize>,

    /// Explain a code from a report or an error message; without CODE, all of them
    #[arg(long, value_name = "CODE", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with = "files", help_heading = ANSWER)]
    pub explain: Option<String>,
}

/// How to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One array.
    Json,
    /// One object a line.
    Jsonl,
    /// One page.
    Html,
}

/// When to colour the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless the environment says otherwise.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

const TRUST: &str = "Whom to trust (--key and --signer can be repeated)";
const QUESTION: &str = "What to ask";
const BODY: &str = "What to compare";
const SIGSTORE: &str = "Sigstore bundles (with --trust and the identity, or --key)";
const ANSWER: &str = "The answer";

const EXAMPLES: &str = "\
Examples:
  verify law.xml.provenance.json --key signer.pem
      Did the owner of this key sign that law.xml, which lies beside it, was fetched as stated?

  verify law.xml.provenance.json --signer did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169
      The same, with the signer's id instead of a key file. Get it from the signer, not from the manifest.

  verify archive/ --bodies archive/ --trust trust.json --policy mcp11 --format jsonl
      Everything in a folder, each manifest with its bytes, under the rules of MCP11; one JSON object a line.

  verify manifests.jsonl --key signer.pem --at 2026-11-30T08:15:00Z -q && echo accepted
      A list, judged as of a certain time, in a script.

  verify app.sigstore.json --artifact app.tar --trust trusted_root.json \\
      --certificate-identity release@example.org --certificate-oidc-issuer https://accounts.example.org
      Did this identity sign app.tar, by what the logs and authorities of the trusted root say?

  verify --explain content.other-bytes
      What a code means and what to do about it.

Exit status:
  0  accept: everything required holds (a body is compared only where there is one: beside the manifest, or given)
  1  reject: something contradicts, or is malformed
  2  no verdict: wrong usage, an unreadable file, nothing to verify
  3  review: nothing contradicts, but something required could not be established
  Of several inputs 1 counts before 2, 2 before 3, 3 before 0.";
