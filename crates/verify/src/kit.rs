//! Everything that a verifier believes, in one file: the trust kit (`trust.json`).
//!
//! ```json
//! { "media_type": "application/vnd.genten.trust-kit+json;version=1", "created_at": "2026-11-30T08:15:00Z",
//!   "signers": [ { "key_id": "did:web:mcp.example.org#key-1", "public_key": { "kty": "EC", … }, "status": "active" } ] }
//! ```
//!
//! A kit is read whole or not at all: an unknown member, an unknown word or a contradiction in it is an error, never a
//! guess, since a verdict would rest on it.

mod error;
mod read;

use genten_jws::key_id::DocumentKey;
use genten_manifest::KeyId;
use genten_pki::{CtLogList, SignerAuthority, TimestampAuthority, TrustedRoot};
use genten_primitives::{PublicKey, Sha256Digest, Timestamp, UrlPattern};
use genten_tlog::WitnessPolicy;

use crate::logs::Logs;

pub use error::{KitError, KitRule};

/// Largest kit in bytes.
pub const MAX_KIT_BYTES: usize = 8 << 20;

/// The media type of a kit, version 1.
pub const KIT_MEDIA_TYPE: &str = "application/vnd.genten.trust-kit+json;version=1";

/// What a verifier believes.
#[derive(Clone, Debug, Default)]
pub struct TrustKit {
    pub(crate) sha256: Option<Sha256Digest>,
    pub(crate) created_at: Option<Timestamp>,
    pub(crate) signers: Vec<Signer>,
    pub(crate) authorities: Vec<Authority>,
    pub(crate) did_documents: Vec<TrustedDidDocument>,
    pub(crate) ct_log_list: Option<CtLogList>,
    pub(crate) sigstore_trusted_roots: Vec<TrustedRoot>,
    /// Those of the kit, then those of its trusted roots.
    pub(crate) timestamp_authorities: Vec<TimestampAuthority>,
    /// The logs of its trusted roots and policies.
    pub(crate) logs: Logs,
}

impl TrustKit {
    /// Reads a kit.
    ///
    /// # Errors
    ///
    /// The first rule that the file breaks, with path and offset.
    pub fn read(bytes: &[u8]) -> Result<Self, KitError> {
        read::kit(bytes)
    }

    /// Digest of the kit's file; `None` for the empty kit.
    pub fn sha256(&self) -> Option<Sha256Digest> {
        self.sha256
    }

    /// When the kit was made, on its maker's word.
    pub fn created_at(&self) -> Option<Timestamp> {
        self.created_at
    }

    /// The signers: pairs of id and key.
    pub fn signers(&self) -> &[Signer] {
        &self.signers
    }

    /// The authorities whose certificates name signers.
    pub fn authorities(&self) -> &[Authority] {
        &self.authorities
    }

    /// The DID documents that are believed.
    pub fn did_documents(&self) -> &[TrustedDidDocument] {
        &self.did_documents
    }

    /// The Certificate Transparency log list.
    pub fn ct_log_list(&self) -> Option<&CtLogList> {
        self.ct_log_list.as_ref()
    }

    /// The Sigstore trusted roots.
    pub fn sigstore_trusted_roots(&self) -> &[TrustedRoot] {
        &self.sigstore_trusted_roots
    }

    /// The timestamp authorities, those of the trusted roots included.
    pub fn timestamp_authorities(&self) -> &[TimestampAuthority] {
        &self.timestamp_authorities
    }

    /// The C2SP tlog policies, which name logs and witnesses.
    pub fn tlog_policies(&self) -> &[WitnessPolicy] {
        self.logs.policies()
    }

    /// A kit of one Sigstore trusted root (`trusted_root.json`) and nothing else.
    ///
    /// # Errors
    ///
    /// The first rule that the root breaks.
    pub fn of_sigstore_root(bytes: &[u8]) -> Result<Self, KitError> {
        read::sigstore_root(bytes)
    }

    /// The earliest revocation of a key, under whatever id it stands in the kit, as signer or in a DID document.
    pub fn revocation(&self, thumbprint: Sha256Digest) -> Option<Revocation<'_>> {
        let of_key = self.signers.iter().filter(|signer| signer.thumbprint == thumbprint);
        let as_signer = of_key.filter_map(|signer| signer.status.revocation());
        let in_documents = self.did_documents.iter().flat_map(|document| &document.revoked);
        let of_key = in_documents.filter(|(key, _)| *key == thumbprint);
        let in_documents = of_key.map(|(_, at)| Revocation { at: *at, reason: None });
        as_signer.chain(in_documents).min_by_key(|revocation| revocation.at)
    }

    /// Whether a signer uses the key to log contents. Others choose what such a key signs, so that its signature under a
    /// manifest means nothing.
    pub(crate) fn is_content_log_key(&self, key: &PublicKey) -> bool {
        self.signers.iter().any(|signer| signer.content_log_keys.contains(key))
    }
}

/// One key under one id, with what is believed of the pair.
#[derive(Clone, Debug)]
pub struct Signer {
    /// The id.
    pub key_id: KeyId,
    /// The key.
    pub public_key: PublicKey,
    /// RFC 7638 thumbprint of the key.
    pub thumbprint: Sha256Digest,
    /// Whether the key is in use.
    pub status: Status,
    /// From when to when its signatures count.
    pub window: Window,
    /// Keys of the signer that sign log entries of manifests and batches.
    pub log_keys: Vec<PublicKey>,
    /// Keys of the signer that sign log entries of contents, and nothing else.
    pub content_log_keys: Vec<PublicKey>,
    /// The sources that the signer may speak for; `None` for any.
    pub sources: Option<Vec<UrlPattern>>,
}

/// Whether a key is in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// In use.
    Active,
    /// Taken out of use at the end of its window; what it provably signed before stays good.
    Retired,
    /// Not to be believed from a moment on.
    Revoked {
        /// The moment.
        at: Timestamp,
        /// Why, for people.
        reason: Option<String>,
    },
}

/// From when on a key is not to be believed, and why.
#[derive(Clone, Copy, Debug)]
pub struct Revocation<'k> {
    /// The moment.
    pub at: Timestamp,
    /// Why, for people.
    pub reason: Option<&'k str>,
}

impl Status {
    fn revocation(&self) -> Option<Revocation<'_>> {
        match self {
            Self::Revoked { at, reason } => Some(Revocation { at: *at, reason: reason.as_deref() }),
            Self::Active | Self::Retired => None,
        }
    }
}

/// A stretch of time, both ends included; open where an end is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Its first moment.
    pub from: Option<Timestamp>,
    /// Its last moment.
    pub until: Option<Timestamp>,
}

impl Window {
    /// Whether the moment lies within.
    pub fn contains(&self, moment: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= moment)
            && self.until.is_none_or(|until| moment <= until)
    }
}

/// A certificate authority whose certificates name signers.
#[derive(Clone, Debug)]
pub struct Authority {
    /// Its name, for people.
    pub name: String,
    /// Its roots and rules.
    pub authority: SignerAuthority,
}

/// A DID document that is believed.
#[derive(Clone, Debug)]
pub struct TrustedDidDocument {
    /// The DID that the document is about.
    pub did: String,
    /// Its keys under `assertionMethod`, each with its own id.
    pub keys: Vec<(KeyId, DocumentKey)>,
    /// Thumbprints of all keys that it calls revoked, and since when.
    pub revoked: Vec<(Sha256Digest, Timestamp)>,
    /// The document as given, JSON.
    pub raw: String,
    /// The digest of its canonical form (RFC 8785).
    pub canonical_sha256: Sha256Digest,
    /// From when to when its keys count.
    pub window: Window,
}
