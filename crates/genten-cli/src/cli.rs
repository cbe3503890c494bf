//! What can be typed. Nothing here does anything.

mod evidence;
mod log;
mod mcp;
mod trust;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use evidence::{BundleAddArgs, BundleCommand, ExportArgs, ExportForm, LoggedSubject};
pub(crate) use log::{
    CtArg, LogArg, LogCommand, LogFlushArgs, LogFollowArgs, LogForgetArgs, LogInitArgs,
    LogProofArgs, LogServeArgs, LogSubmitArgs, SubmitSubject,
};
pub(crate) use mcp::{CheckOutputArgs, CitationsArgs, McpCommand, QuestionArgs, SourcesArgs};
pub(crate) use trust::{
    AddCaArgs, AddCtArgs, AddDidArgs, AddKeyArgs, AddLogArgs, AddRootArgs, AddTsaArgs, RetireArgs,
    RevokeArgs, TrustCommand, WindowArgs,
};

/// Sign what you fetch, so that anybody can check it later without a network.
///
/// Start with `genten demo`, then `genten fetch URL`. The first command that needs a key makes one and says so.
#[derive(Debug, Parser)]
#[command(name = "genten", version, max_term_width = 100, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Folder for keys, journal and bodies
    #[arg(long, global = true, env = "GENTEN_HOME", value_name = "DIR", hide_env_values = true)]
    pub(crate) home: Option<PathBuf>,

    /// Machine-readable output: stable JSON objects, one a line
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  genten demo                                          the whole story, without internet
  genten fetch https://www.rfc-editor.org/rfc/rfc9421.txt --class static
  genten key public --format pem > key.pem             give this to those who verify
  verify rfc9421.txt.provenance.json --key key.pem     what they do with it

Exit status: 0 done, 1 the work failed, 2 usage.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The whole story in seconds, without internet: fetch, sign, verify, then attacks
    Demo(DemoArgs),
    /// Signing keys of this home
    #[command(subcommand)]
    Key(KeyCommand),
    /// Fetch URLs and sign what came
    Fetch(FetchArgs),
    /// Make the same requests again and say what changed: 0 the same, 1 changed, 2 could not be fetched
    Refetch(RefetchArgs),
    /// Sign facts about bytes that another program fetched
    Attest(AttestArgs),
    /// Show what a file contains, without verifying it
    Inspect(InspectArgs),
    /// Look at the evidence beside a manifest, and add some
    #[command(subcommand)]
    Bundle(BundleCommand),
    /// Write a manifest and its evidence in the forms of others: Sigstore bundle, tlog-proof, W3C PROV
    Export(ExportArgs),
    /// Make and edit trust kits
    #[command(subcommand)]
    Trust(TrustCommand),
    /// Transparency logs: submit, complete, follow, serve
    #[command(subcommand)]
    Log(LogCommand),
    /// What tools' results, and answers made from them, promise
    #[command(subcommand)]
    Mcp(McpCommand),
    /// The audit trail of everything that was signed
    #[command(subcommand)]
    Journal(JournalCommand),
    /// Completions for a shell, on standard output
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages into a folder
    Man {
        /// The folder
        dir: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Keep the demo's files in this folder (default: a new folder under the system's temporary one)
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Alg {
    /// ECDSA on P-256: the same signature serves manifests and logs
    Es256,
    /// Ed25519
    Ed25519,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a key, or keep one that was made elsewhere
    New(KeyNewArgs),
    /// List the keys
    List,
    /// Show one key: id, algorithm, thumbprint, file
    Show(KeyName),
    /// Print the public key, to give to those who verify
    Public {
        #[command(flatten)]
        name: KeyName,
        /// Form
        #[arg(long, value_enum, default_value = "pem")]
        format: PublicFormat,
        /// The key's content log key instead, for kits and for those who check contents in a log
        #[arg(long)]
        content_log: bool,
    },
    /// Print the DID document of a did:web key, to publish or to hand over
    DidDocument(KeyName),
}

#[derive(Debug, Args)]
pub(crate) struct KeyName {
    /// Name of the key
    #[arg(default_value = "default")]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct KeyNewArgs {
    #[command(flatten)]
    pub(crate) name: KeyName,
    /// Algorithm
    #[arg(long, value_enum, default_value = "es256", conflicts_with = "from")]
    pub(crate) alg: Alg,
    /// Key id: did:key (contains the key), did:jwk (contains the key), did:web:HOST#NAME, or a URI that stands in --certificate
    #[arg(long, value_name = "ID", default_value = "did:key")]
    pub(crate) id: String,
    /// Keep this private key (PEM or JWK) instead of making one
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Certificate chain of the key (PEM), the key's own first
    #[arg(long, value_name = "FILE", requires = "from")]
    pub(crate) certificate: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PublicFormat {
    /// SPKI in PEM, as openssl and cosign read it
    Pem,
    /// JSON Web Key
    Jwk,
    /// The key id
    Id,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Class {
    /// Immutable, such as the text of an RFC
    Static,
    /// Changes and has revision ids, such as a law
    Revisioned,
    /// Changes, and its URL moves, such as a ministry's circular
    Relocating,
    /// A reading of the moment, such as a sensor
    Realtime,
    /// A file with no upstream
    Local,
}

/// What is signed beside the facts.
#[derive(Clone, Debug, Args)]
pub(crate) struct TermsArgs {
    /// How the source behaves over time
    #[arg(long, value_enum)]
    pub(crate) class: Option<Class>,
    /// The source's revision, word for word
    #[arg(long, value_name = "TEXT", conflicts_with = "revision_from")]
    pub(crate) revision: Option<String>,
    /// Where the source states its revision: etag, header:NAME, json:/pointer
    #[arg(long, value_name = "WHERE")]
    pub(crate) revision_from: Option<String>,
    /// Name of the key to sign with
    #[arg(long, value_name = "NAME")]
    pub(crate) key: Option<String>,
}

/// How the request is made.
#[derive(Clone, Debug, Args)]
pub(crate) struct TransportArgs {
    /// Trust this certificate authority too (PEM); recorded as private-root
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Vec<PathBuf>,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "120")]
    pub(crate) timeout: u64,
    /// Refuse larger bodies
    #[arg(long, value_name = "BYTES")]
    pub(crate) max_bytes: Option<u64>,
    /// Use this proxy (http://…); recorded. Proxies of the environment are never used
    #[arg(long, value_name = "URL")]
    pub(crate) proxy: Option<String>,
    /// Refuse private, loopback and link-local addresses, on every hop
    #[arg(long)]
    pub(crate) public_only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// The URLs, exactly as they are to be signed
    #[arg(required = true)]
    pub(crate) urls: Vec<String>,
    /// File for the body, or folder for several; a file that is named here is replaced, with its manifest
    #[arg(short, long, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Write the manifest only
    #[arg(long)]
    pub(crate) no_body: bool,
    #[command(flatten)]
    pub(crate) terms: TermsArgs,
    #[command(flatten)]
    pub(crate) transport: TransportArgs,
    /// Send this header (`Name: value`); credentials are sent to this origin only and never written down
    #[arg(long = "header", value_name = "HEADER")]
    pub(crate) headers: Vec<String>,
    /// Request method
    #[arg(long, default_value = "GET")]
    pub(crate) method: String,
    /// Request body, from a file with @FILE
    #[arg(long, value_name = "@FILE|TEXT")]
    pub(crate) data: Option<String>,
    /// Follow at most so many redirects
    #[arg(long, value_name = "N", default_value = "10")]
    pub(crate) max_redirects: usize,
    /// Refuse redirects to another site
    #[arg(long)]
    pub(crate) same_site: bool,
    /// Sign a body that was cut off, marked as partial
    #[arg(long)]
    pub(crate) allow_partial: bool,
    /// Fetch so many URLs at a time
    #[arg(long, value_name = "N", default_value = "4")]
    pub(crate) jobs: usize,
    #[command(flatten)]
    pub(crate) log: LogArg,
    #[command(flatten)]
    pub(crate) ct: CtArg,
}

#[derive(Debug, Args)]
pub(crate) struct RefetchArgs {
    /// Manifests or bundles of earlier fetches
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Folder for the new bodies and manifests (default: beside the old ones); names are numbered, nothing is overwritten
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) transport: TransportArgs,
    /// Name of the key to sign with
    #[arg(long, value_name = "NAME")]
    pub(crate) key: Option<String>,
    #[command(flatten)]
    pub(crate) log: LogArg,
    #[command(flatten)]
    pub(crate) ct: CtArg,
}

#[derive(Debug, Args)]
pub(crate) struct AttestArgs {
    /// The bytes as they came
    pub(crate) file: PathBuf,
    /// The URL that was asked
    #[arg(long, value_name = "URL")]
    pub(crate) source_url: String,
    /// When the last byte came, such as 2026-11-30T08:15:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) fetched_at: String,
    #[command(flatten)]
    pub(crate) terms: TermsArgs,
    /// HTTP status of the answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(100..1000))]
    pub(crate) status: Option<u16>,
    /// Content-Type of the answer
    #[arg(long, value_name = "TYPE")]
    pub(crate) media_type: Option<String>,
    /// The server's certificate chain (PEM), the server's own first
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_chain: Option<PathBuf>,
    /// File for the bundle, replaced if it is there (default: FILE.provenance.json, which must not be there)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) log: LogArg,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// A manifest, a bundle, a trust kit, a certificate or a key
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct FilterArgs {
    /// URLs that contain this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) url: Option<String>,
    /// This class only
    #[arg(long, value_enum)]
    pub(crate) class: Option<Class>,
    /// Fetched at or after this time
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Fetched before this time
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// At most so many, the newest first
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JournalCommand {
    /// One line an entry, the newest first
    List(FilterArgs),
    /// Everything about one entry
    Show {
        /// The manifest id, or enough of its beginning
        id: String,
    },
    /// All entries with their manifests, as JSON Lines, the oldest first
    Export(FilterArgs),
}
