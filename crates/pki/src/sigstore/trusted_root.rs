//! Trusted roots: what a verifier of Sigstore bundles believes.

use genten_primitives::Sha256Digest;
use genten_primitives::json::{self, Limits, Value};
use genten_primitives::key::{KeyDetails, KeyKind};

use super::authority::{TrustedAuthority, read_authority};
use super::log::{TrustedLog, read_ctlog, read_tlog};
use crate::document::{DocumentError, list, required, text};
use crate::{CertificateError, TimestampAuthority};

/// Largest trusted root that is read, in bytes.
pub const MAX_TRUSTED_ROOT: usize = 1024 * 1024;

/// Most entries of one kind.
const MAX_ENTRIES: usize = 256;

/// As production writes it today, and the two that the specification names.
const MEDIA_TYPES: [&str; 3] = [
    "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    "application/vnd.dev.sigstore.trustedroot.v0.1+json",
    "application/vnd.dev.sigstore.trustedroot.v0.2+json",
];

/// A trusted root (`trusted_root.json`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedRoot {
    tlogs: Vec<TrustedLog>,
    ctlogs: Vec<TrustedLog>,
    certificate_authorities: Vec<TrustedAuthority>,
    timestamp_authorities: Vec<TrustedAuthority>,
}

/// Why a document is not a trusted root. At fault is its publisher.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrustedRootError {
    /// A certificate of an authority that cannot be read.
    #[error("{path} is not a certificate")]
    Certificate {
        /// Where it stands.
        path: String,
        /// What is wrong with it.
        source: CertificateError,
    },
    /// An authority without a certificate.
    #[error("{path} has no certificate")]
    CertificatesMissing {
        /// The authority.
        path: String,
    },
    /// A checkpoint key id that is shorter than the four bytes of notes or longer than a SHA-256.
    #[error("{path} has {found} bytes instead of 4 to 32")]
    CheckpointKeyId {
        /// Where it stands.
        path: String,
        /// Its length.
        found: usize,
    },
    /// A member that is not what it should be.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A base URL that names no host.
    #[error("{path} is not an http or https url with a host")]
    Host {
        /// Where it stands.
        path: String,
    },
    /// A key of another kind than the document says.
    #[error("{path} is a {key} key, not one of {details}")]
    KeyDetails {
        /// Where it stands.
        path: String,
        /// What the document says.
        details: KeyDetails,
        /// What the key is.
        key: KeyKind,
    },
    /// A certificate transparency log whose id is not the SHA-256 of its key (RFC 6962 section 3.2).
    #[error("{path} has the id {found}, its key has {calculated}")]
    LogId {
        /// The log.
        path: String,
        /// What the document says.
        found: Sha256Digest,
        /// SHA-256 of the key's SubjectPublicKeyInfo.
        calculated: Sha256Digest,
    },
    /// A log id of other than 32 bytes.
    #[error("{path} has {found} bytes instead of 32")]
    LogIdLength {
        /// Where it stands.
        path: String,
        /// Its length.
        found: usize,
    },
    /// A media type that names no trusted root.
    #[error("{found:?} is not the media type of a trusted root")]
    MediaType {
        /// The media type.
        found: String,
    },
}

impl TrustedRoot {
    /// Reads the text of a trusted root.
    ///
    /// # Errors
    /// Text that is larger than [`MAX_TRUSTED_ROOT`] or not strict JSON, and as [`read`](Self::read).
    pub fn from_bytes(text: &[u8]) -> Result<Self, TrustedRootError> {
        let document =
            json::read(text, Limits::bytes(MAX_TRUSTED_ROOT)).map_err(DocumentError::from)?;
        Self::read(document.root())
    }

    /// Reads a trusted root. A log whose key is of an unsupported kind is kept as unusable.
    ///
    /// # Errors
    /// An unknown media type, members that are missing or malformed, an entry without the start of its window.
    pub fn read(value: Value<'_>) -> Result<Self, TrustedRootError> {
        let found = text(required(value, "mediaType")?)?;
        if !MEDIA_TYPES.contains(&&*found) {
            return Err(TrustedRootError::MediaType { found });
        }
        let authorities = |member| list(value, member, MAX_ENTRIES, read_authority);
        Ok(Self {
            tlogs: list(value, "tlogs", MAX_ENTRIES, read_tlog)?,
            ctlogs: list(value, "ctlogs", MAX_ENTRIES, read_ctlog)?,
            certificate_authorities: authorities("certificateAuthorities")?,
            timestamp_authorities: authorities("timestampAuthorities")?,
        })
    }

    /// Transparency logs of signatures, in the order of the document.
    pub fn tlogs(&self) -> &[TrustedLog] {
        &self.tlogs
    }

    /// Certificate transparency logs.
    pub fn ctlogs(&self) -> &[TrustedLog] {
        &self.ctlogs
    }

    /// Authorities of signing certificates.
    pub fn certificate_authorities(&self) -> &[TrustedAuthority] {
        &self.certificate_authorities
    }

    /// The timestamp authorities whose certificates can be relied on.
    pub fn usable_timestamp_authorities(&self) -> impl Iterator<Item = TimestampAuthority> {
        self.timestamp_authorities.iter().filter_map(|one| {
            let name = one.uri.clone().or_else(|| one.subject.common_name.clone());
            let (from, until) = one.window.millis();
            let certificates = one.certificates.clone();
            TimestampAuthority::new(name.unwrap_or_default(), certificates, Some(from), until).ok()
        })
    }

    /// Authorities of RFC 3161 timestamps.
    pub fn timestamp_authorities(&self) -> &[TrustedAuthority] {
        &self.timestamp_authorities
    }
}
