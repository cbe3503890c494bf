//! What can be typed after `genten log`, and about logs elsewhere.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Where manifests are logged.
#[derive(Clone, Debug, Args)]
pub(crate) struct LogArg {
    /// Queue for the log only: `genten log flush` sends, and makes one batch of whatever waits
    #[arg(long)]
    pub(crate) queue: bool,
    /// Log the manifests: in the home's own log (local), in the log that a file describes, or not at all (none)
    #[arg(
        long,
        value_name = "local|FILE|none",
        env = "GENTEN_LOG",
        default_value = "local",
        hide_env_values = true
    )]
    pub(crate) log: String,
}

/// Where the certificates of servers are to be proven.
#[derive(Clone, Debug, Args)]
pub(crate) struct CtArg {
    /// Get the proof that a log of this list holds the server's certificate (log list version 3, JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) ct_list: Option<PathBuf>,
}

/// One log, for commands about one.
#[derive(Clone, Debug, Args)]
pub(crate) struct OneLog {
    /// The home's own log (local), or a file that describes a log
    #[arg(
        long,
        value_name = "local|FILE",
        env = "GENTEN_LOG",
        default_value = "local",
        hide_env_values = true
    )]
    pub(crate) log: String,
}

#[derive(Debug, Subcommand)]
#[command(after_help = LOG_HELP)]
pub(crate) enum LogCommand {
    /// Make the home's own log, or a file that describes another one
    Init(Box<LogInitArgs>),
    /// Log manifests that were signed before, or files and digests alone
    Submit(LogSubmitArgs),
    /// How far everything has come: 0 nothing waits, 1 something waits or was refused
    #[command(after_help = STATUS_HELP)]
    Status,
    /// Send everything that is queued, and put the evidence into the bundles
    Flush(LogFlushArgs),
    /// Put the evidence that has arrived into a bundle, or print the log entry of a file or digest
    Proof(LogProofArgs),
    /// Check that a log only grows, and look for uses of your keys: 0 consistent, 1 fork, rollback or unknown use, 2 not judged
    Follow(LogFollowArgs),
    /// Give up what is known of a log that was begun anew, so that it is believed as at first sight
    Forget(LogForgetArgs),
    /// Serve the home's own log over HTTP, for reading
    Serve(LogServeArgs),
    /// Read the whole of the home's own log and compare it with its signed root
    #[command(after_help = CHECK_HELP)]
    Check,
}

const STATUS_HELP: &str = "\
Example:
  genten log status --json | jq .queued

Then do what stands below each reason; `genten log flush` sends at once, and with --rejected also what \
was refused. Exit status: 0 nothing waits, 1 something waits or was refused, 2 no home with a journal.";

const CHECK_HELP: &str = "\
Example, from cron:
  genten log check --home /srv/genten > /dev/null

Then, if a file is damaged, put it back from a copy and check again. Where everything goes to \
another log there is nothing to check: `genten log follow --log FILE` looks at that one. Exit status: \
0 all entries are what was signed, 1 they are not, 2 no own log here, or no home with a journal.";

const SUBMIT_HELP: &str = "\
Example:
  genten log submit page.html.provenance.json paper.pdf --log log.toml

Then send the bundle: it holds its evidence. Of a file, `genten log proof paper.pdf` prints the entry. \
What the log has already is not sent again. Exit status: 0 all are logged, 1 not yet, 2 usage.";

const FLUSH_HELP: &str = "\
Example, from cron each five minutes:
  genten log flush --due > /dev/null

Then `genten log status` says why something still waits. Exit status: 0 everything that was to be \
sent has arrived, 1 not, or something is refused, 2 no home with a journal. With --due it is 0 too \
while a log has asked for time or another process is sending.";

const PROOF_HELP: &str = "\
Examples:
  genten log proof page.html.provenance.json     complete a bundle that was moved
  genten log proof paper.pdf --sigstore -o paper.pdf.sigstore.json

Then `verify FILE --trust KIT`, or cosign verify-blob with the content log key.";

const SERVE_HELP: &str = "\
Example:
  genten log serve --listen 127.0.0.1:8001

Then, where somebody follows it with your verifier key (`genten log init` prints it):
  genten log init yours.toml --vkey log.vkey --read-url http://127.0.0.1:8001
  genten log follow --log yours.toml";

const LOG_HELP: &str = "\
Manifests are queued when they are signed, and logged in batches: one entry serves many. Sources of \
class static get entries of their own, also about their content. Without a server there is the \
home's own log, which is your own word only: for a log that others watch, describe one in a file.

Examples:
  genten fetch https://law.example/1 --log local     sign, log, complete the bundle
  genten log status                                  what waits, and why
  genten log init log.toml --signing-config signing_config.json --trusted-root trusted_root.json
  genten log submit page.html.provenance.json --log log.toml
  genten log follow --log log.toml                   has it kept everything, and who uses my keys?";

const INIT_HELP: &str = "\
Without FILE the home's own log is made, if it is not there, and its verifier key printed.

With FILE another log is described, for --log FILE. Either one of your own, known by its key:
  genten log init log.toml --log-key log.pem --origin rekor.example --url http://127.0.0.1:3000 --read-url http://127.0.0.1:8080
  genten log init log.toml --vkey log.example+1234abcd+AZ… --url https://log.example
or one that Sigstore's documents name:
  genten log init log.toml --signing-config signing_config.json --trusted-root trusted_root.json
A policy of witnesses (--policy) and a timestamp authority (--tsa-url, --tsa-chain) can be added.";

#[derive(Debug, Args)]
#[command(after_help = INIT_HELP)]
pub(crate) struct LogInitArgs {
    /// Write a file that describes a log, instead of making the home's own
    pub(crate) file: Option<PathBuf>,
    /// The log's verifier key, or a file that holds it
    #[arg(long, value_name = "VKEY|FILE", requires = "file", conflicts_with_all = ["signing_config", "log_key"])]
    pub(crate) vkey: Option<String>,
    /// The log's public key (PEM), in place of --vkey; with --origin
    #[arg(
        long,
        value_name = "FILE",
        requires = "file",
        requires = "origin",
        conflicts_with = "signing_config"
    )]
    pub(crate) log_key: Option<PathBuf>,
    /// The log's name: the first line of its checkpoints (for Rekor its --hostname)
    #[arg(long, value_name = "NAME", requires = "log_key")]
    pub(crate) origin: Option<String>,
    /// Where the log takes entries
    #[arg(long, value_name = "URL", requires = "file", conflicts_with = "signing_config")]
    pub(crate) url: Option<String>,
    /// Where its checkpoint and tiles are: a URL or a folder
    #[arg(long, value_name = "URL|DIR", requires = "file")]
    pub(crate) read_url: Option<String>,
    /// Who must have seen its checkpoints (C2SP tlog-policy)
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(crate) policy: Option<PathBuf>,
    /// A Sigstore signing config, which names log and timestamp authority
    #[arg(long, value_name = "FILE", requires = "file", requires = "trusted_root")]
    pub(crate) signing_config: Option<PathBuf>,
    /// The Sigstore trusted root with their keys
    #[arg(long, value_name = "FILE", requires = "signing_config")]
    pub(crate) trusted_root: Option<PathBuf>,
    /// A timestamp authority (RFC 3161)
    #[arg(long, value_name = "URL", requires = "file", requires = "tsa_chain")]
    pub(crate) tsa_url: Option<String>,
    /// Its certificates (PEM): the one that stamps first
    #[arg(long, value_name = "FILE", requires = "tsa_url")]
    pub(crate) tsa_chain: Option<PathBuf>,
    /// Trust this certificate authority too, for connections (PEM)
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(crate) ca: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SubmitSubject {
    /// The bytes of the file: its SHA-256, signed by the content log key
    Content,
    /// The signed manifest
    Manifest,
}

#[derive(Debug, Args)]
#[command(after_help = SUBMIT_HELP)]
pub(crate) struct LogSubmitArgs {
    /// Manifests, bundles, files, or digests as sha256:HEX
    #[arg(required = true, value_name = "FILE|sha256:HEX")]
    pub(crate) items: Vec<String>,
    /// What the entries are about (default: the manifest of a manifest or bundle, else the content)
    #[arg(long, value_enum)]
    pub(crate) subject: Option<SubmitSubject>,
    #[command(flatten)]
    pub(crate) log: OneLog,
    /// The signing key whose content log key is used
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(crate) key: String,
    /// Queue only; `genten log flush` sends
    #[arg(long)]
    pub(crate) queue: bool,
}

#[derive(Debug, Args)]
#[command(after_help = FLUSH_HELP)]
pub(crate) struct LogFlushArgs {
    /// For cron: only what is due, which are full or old batches and sends whose time has come
    #[arg(long)]
    pub(crate) due: bool,
    /// Send again what a log refused, and ask again for proofs that it would not give
    #[arg(long)]
    pub(crate) rejected: bool,
    #[command(flatten)]
    pub(crate) ct: CtArg,
}

#[derive(Debug, Args)]
#[command(after_help = PROOF_HELP)]
pub(crate) struct LogProofArgs {
    /// A bundle or manifest, a manifest id, another file, or a digest as sha256:HEX
    #[arg(value_name = "FILE|ID|sha256:HEX")]
    pub(crate) item: String,
    /// Where to write it (default: the bundle itself is completed; anything else is printed)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Of a content: as a Sigstore bundle, which cosign checks against the file and the content log key
    #[arg(long)]
    pub(crate) sigstore: bool,
}

#[derive(Debug, Args)]
#[command(after_help = FOLLOW_HELP)]
pub(crate) struct LogFollowArgs {
    #[command(flatten)]
    pub(crate) log: OneLog,
    /// Watch this key too (PEM or JWK): every use that this home's journal does not know is reported, so that a key of another home is reported always
    #[arg(long, value_name = "FILE")]
    pub(crate) watch: Vec<PathBuf>,
    /// Look at the entries of a log that was never seen from now on only, instead of all of them
    #[arg(long)]
    pub(crate) from_now: bool,
    /// This entry is known to you although the journal does not know it: do not report it again. May be given several times
    #[arg(long, value_name = "INDEX")]
    pub(crate) accept: Vec<u64>,
}

const FOLLOW_HELP: &str = "\
Run it from cron. What was verified is kept in the journal, so that a log can never take back what \
it once showed. The first look believes what it is shown, unless entries were sent to the log \
before. Two signed checkpoints that contradict \
each other are kept in the folder evidence/ of the home, with the proof that they do: it convicts \
the log before anybody who has its key.

UNKNOWN USE: an entry by one of your keys that this journal did not want. FORGED: an entry that names \
one of your keys and was not made with it; it says nothing about the key, and that the log takes what \
it must refuse. LOST: an entry of this journal stood in a tree that the log has given up.

Exit status: 0 consistent; 1 the log has forked or was rolled back, or one of your keys was used \
without this journal; 2 it could not be judged: tiles missing, log not reached.";

#[derive(Debug, Args)]
#[command(after_help = FORGET_HELP)]
pub(crate) struct LogForgetArgs {
    /// The file that describes the log
    pub(crate) log: String,
    /// Send the entries that it had once more; later too
    #[arg(long)]
    pub(crate) queue_again: bool,
    /// Give it up although nothing that is known here speaks against it
    #[arg(long)]
    pub(crate) yes: bool,
}

const FORGET_HELP: &str = "\
For a log of your own that was begun anew under its old name and key, such as one for trials. What \
it once showed is the only thing that convicts a log that takes entries back or shows two trees: \
with any other log, ask its owner first. What was known is kept in the folder evidence/ of the home, \
and `genten log status` says that it was given up. Bundles keep the evidence that they have.

Example:
  genten log forget log.toml --queue-again && genten log flush

Entries that it had are sent once more with --queue-again, or when they are submitted again; those that \
were queued under other files count too if these describe the same log. Exit status: 0 given up, 1 nothing \
is known of the log, or nothing that speaks against it (--yes), 2 usage.";

#[derive(Debug, Args)]
#[command(after_help = SERVE_HELP)]
pub(crate) struct LogServeArgs {
    /// Address and port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8000")]
    pub(crate) listen: String,
}
