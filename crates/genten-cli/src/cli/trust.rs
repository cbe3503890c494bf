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
    /// Trust a Sigstore trusted_root.json (comes with transparency logs)
    AddRoot(LaterArgs),
    /// Trust logs by a tlog-policy (comes with transparency logs)
    AddLog(LaterArgs),
    /// Trust a timestamp authority (comes with transparency logs)
    AddTsa(LaterArgs),
    /// Trust a list of Certificate Transparency logs (comes with transparency logs)
    AddCt(LaterArgs),
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
    #[arg(long, value_name = "TIME")]
    pub(crate) valid_from: Option<String>,
    /// It counts until this time
    #[arg(long, value_name = "TIME")]
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
pub(crate) struct LaterArgs {
    #[command(flatten)]
    pub(crate) file: KitFile,
    /// What is to be added
    pub(crate) source: PathBuf,
}
