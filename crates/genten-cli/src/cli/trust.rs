//! `genten trust`: what can be typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum TrustCommand {
    /// Make an empty trust kit
    New(KitFile),
    /// Trust a key under an id
    AddKey(AddKeyArgs),
    /// Trust a certificate authority to name signers
    AddCa(AddCaArgs),
    /// Trust a DID document
    AddDid(AddDidArgs),
    /// Trust what a Sigstore trusted_root.json names: logs, timestamp authorities, CAs of Sigstore bundles
    AddRoot(AddRootArgs),
    /// Trust a transparency log: its key alone, or a policy that says which witnesses must have seen it
    AddLog(AddLogArgs),
    /// Trust a timestamp authority (RFC 3161)
    AddTsa(AddTsaArgs),
    /// Trust a list of Certificate Transparency logs; it takes the place of the list in the kit
    AddCt(AddCtArgs),
    /// Take a signer's key out of use: what it provably signed before stays good
    Retire(RetireArgs),
    /// Revoke a signer's key, or a certificate
    Revoke(RevokeArgs),
    /// Say in words whom one trusts with this kit
    Show(KitFile),
    /// Say what is wrong, stale or contradictory: 0 nothing, 1 something
    Check(KitFile),
}

#[derive(Debug, Args)]
pub(crate) struct KitFile {
    /// The trust kit
    pub(crate) kit: PathBuf,
}

/// From when to when something counts.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct WindowArgs {
    /// It counts from this time on
    #[arg(long, visible_alias = "from", value_name = "TIME")]
    pub(crate) valid_from: Option<String>,
    /// It counts until this time
    #[arg(long, visible_alias = "until", value_name = "TIME")]
    pub(crate) valid_until: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AddKeyArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// The public key (PEM or JWK); not needed where the id contains it
    pub(crate) key: Option<PathBuf>,
    /// The key id (default for a key without one: its did:key)
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    #[command(flatten)]
    pub(crate) window: WindowArgs,
    /// Trust the signer for these sources only, such as https://law.example/*
    #[arg(long, value_name = "PATTERN")]
    pub(crate) source: Vec<String>,
    /// The key by which the signer logs contents (`genten key public --content-log`); it is believed for nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) content_log_key: Vec<PathBuf>,
    /// Another key of the signer's whose log entries count
    #[arg(long, value_name = "FILE")]
    pub(crate) log_key: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AddCaArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// Its root certificates (PEM)
    pub(crate) roots: PathBuf,
    /// Its name, for people
    #[arg(long)]
    pub(crate) name: String,
    /// Which signer URIs it may certify, such as https://mcp.example.org/*
    #[arg(long, value_name = "PATTERN", required = true)]
    pub(crate) san_uri: Vec<String>,
    /// Extended key usage that a signer's certificate must have
    #[arg(long, value_name = "OID")]
    pub(crate) eku: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AddDidArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// The document (JSON)
    pub(crate) document: PathBuf,
    #[command(flatten)]
    pub(crate) window: WindowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RetireArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// The key id
    pub(crate) id: String,
    /// Which key, where several stand under the id: its thumbprint, as `genten trust show` prints it
    #[arg(long, value_name = "SHA256")]
    pub(crate) thumbprint: Option<String>,
    /// The last moment of its use
    #[arg(long, value_name = "TIME")]
    pub(crate) at: String,
}

#[derive(Debug, Args)]
pub(crate) struct RevokeArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// The key id, or the SHA-256 of a certificate (64 hexadecimal digits)
    pub(crate) id: String,
    /// Which key, where several stand under the id: its thumbprint, as `genten trust show` prints it
    #[arg(long, value_name = "SHA256")]
    pub(crate) thumbprint: Option<String>,
    /// From when on the key is not to be believed (default: now)
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,
    /// Why, for people
    #[arg(long)]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The document is kept word for word. Get it from the one who publishes it, over a way that you trust \
(for Sigstore: TUF), not from whoever gave you a manifest. Its CAs vouch for signers of Sigstore \
bundles only: everybody can get a certificate there, so that they authorise no signer of manifests.")]
pub(crate) struct AddRootArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// The trusted root (JSON)
    pub(crate) root: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A policy (C2SP tlog-policy) is a text such as
  log log.example/2026+1234abcd+AZ…
  witness w1 w1.example+0123abcd+BC…
  witness w2 w2.example+4567abcd+BD…
  group both all w1 w2
  quorum both

A key alone is kept as a policy with `quorum none`: that log is then its owner's own word, since \
nobody else has to have seen it. The policies mcp11 and high-trust of `verify` do not count it.")]
pub(crate) struct AddLogArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// File of a tlog-policy or of a verifier key (vkey); or the verifier key itself
    #[arg(value_name = "FILE|VKEY")]
    pub(crate) log: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Whether a certificate has expired today does not matter: a stamp counts when all of them were valid \
at its time, and when that time lies within the window.")]
pub(crate) struct AddTsaArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// Its certificates (PEM): the one that stamps first, each followed by its issuer's
    pub(crate) chain: PathBuf,
    /// Its name; reports call it so
    #[arg(long)]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) window: WindowArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
For example https://www.gstatic.com/ct/log_list/v3/log_list.json, kept word for word. Lists change \
often: get a new one at least every 70 days.")]
pub(crate) struct AddCtArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// The list (JSON, version 3)
    pub(crate) list: PathBuf,
}
