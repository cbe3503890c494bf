//! Sigstore bundles (`dev.sigstore.bundle` v0.1 to v0.3, protobuf JSON): read, not verified.

use std::borrow::Cow;

use genten_primitives::HashAlgorithm;
use genten_primitives::encoding::from_base64;
use genten_primitives::json::{self, JsonError, Kind, Limits, Value};
use genten_tlog::rekor::{EntryError, LogEntry};

/// Largest bundle in bytes: attestations can be long.
pub const MAX_SIGSTORE_BUNDLE: usize = 8 << 20;

/// Most log entries, and most timestamps, of one bundle.
const MAX_EVIDENCE: usize = 32;

/// A bundle that was read. Nothing about it is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigstoreBundle {
    /// Which version of the format.
    pub version: BundleVersion,
    /// Whose signature it is said to be.
    pub material: KeyMaterial,
    /// Log entries.
    pub entries: Vec<LogEntry>,
    /// RFC 3161 timestamps, DER.
    pub timestamps: Vec<Vec<u8>>,
    /// What is signed, and the signature.
    pub content: SignedContent,
}

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BundleVersion {
    /// 0.1: a log entry may come with the log's promise alone.
    V01,
    /// 0.2: an inclusion proof is a must.
    V02,
    /// 0.3: one certificate instead of a chain.
    V03,
}

/// Whose signature it is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyMaterial {
    /// Certificates (DER), leaf first.
    Certificates(Vec<Vec<u8>>),
    /// A key that the reader has to know.
    PublicKey {
        /// A hint which one.
        hint: String,
    },
}

/// What is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignedContent {
    /// An artifact itself.
    Message {
        /// Its digest, a hint.
        digest: Option<(HashAlgorithm, Vec<u8>)>,
        /// The signature.
        signature: Vec<u8>,
    },
    /// An attestation about artifacts (DSSE).
    Envelope {
        /// The type of the payload.
        payload_type: String,
        /// The payload.
        payload: Vec<u8>,
        /// The one signature.
        signature: Vec<u8>,
    },
}

impl SignedContent {
    /// The signature.
    pub fn signature(&self) -> &[u8] {
        match self {
            Self::Message { signature, .. } | Self::Envelope { signature, .. } => signature,
        }
    }
}

/// Why a text is no Sigstore bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SigstoreError {
    /// No certificate in the chain.
    #[error("certificate chain is empty")]
    ChainEmpty,
    /// Both or neither of a signed message and an envelope.
    #[error("{0}")]
    Content(&'static str),
    /// A log entry that cannot be read.
    #[error("log entry {index} is malformed: {source}")]
    Entry {
        /// Which entry, counted from 0.
        index: usize,
        /// What is wrong with it.
        source: EntryError,
    },
    /// Not JSON as it is accepted.
    #[error("{0}")]
    Json(JsonError),
    /// A member that is missing, or not of its type.
    #[error("{member} is missing or malformed")]
    Member {
        /// The member.
        member: &'static str,
    },
    /// An envelope with none or several signatures.
    #[error("envelope has {found} signatures instead of one")]
    Signatures {
        /// How many.
        found: usize,
    },
    /// More log entries or timestamps than any bundle has.
    #[error("{found} items in {member}, of at most {MAX_EVIDENCE}")]
    TooMany {
        /// The list.
        member: &'static str,
        /// How many.
        found: usize,
    },
    /// A version that this program does not know.
    #[error("media type {found:?} is none that is known")]
    UnknownVersion {
        /// The media type.
        found: String,
    },
}

impl SigstoreError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ChainEmpty => "sigstore.chain-empty",
            Self::Content(_) => "sigstore.content",
            Self::Entry { source: EntryError::Negative { .. }, .. } => "log.negative-index",
            Self::Entry { source: EntryError::KindUnsupported { .. }, .. } => {
                "log.kind-unsupported"
            }
            Self::Entry { .. } => "log.entry-malformed",
            Self::Json(error) => error.rule.code(),
            Self::Member { .. } => "sigstore.member",
            Self::Signatures { .. } => "sigstore.signatures",
            Self::TooMany { .. } => "sigstore.too-many",
            Self::UnknownVersion { .. } => "sigstore.unknown-version",
        }
    }

    /// The codes of this layer.
    pub const CODES: &'static [&'static str] = &[
        "sigstore.chain-empty",
        "sigstore.content",
        "log.negative-index",
        "log.kind-unsupported",
        "log.entry-malformed",
        "sigstore.member",
        "sigstore.signatures",
        "sigstore.too-many",
        "sigstore.unknown-version",
    ];
}

type Read<T> = Result<T, SigstoreError>;

impl SigstoreBundle {
    /// Reads one bundle.
    ///
    /// # Errors
    /// The first rule that the text breaks.
    pub fn read(bytes: &[u8]) -> Read<Self> {
        let limits = Limits::bytes(MAX_SIGSTORE_BUNDLE);
        let document = json::read(bytes, limits).map_err(SigstoreError::Json)?;
        let root = document.root();
        let version = version(root)?;
        let material = required(root, "verificationMaterial")?;
        Ok(Self {
            version,
            material: key_material(material, version)?,
            entries: entries(material)?,
            timestamps: timestamps(material)?,
            content: content(root)?,
        })
    }
}

fn optional<'d>(object: Value<'d>, member: &'static str) -> Option<Value<'d>> {
    object.get(member).filter(|value| value.kind() != Kind::Null)
}

fn required<'d>(object: Value<'d>, member: &'static str) -> Read<Value<'d>> {
    optional(object, member).ok_or(SigstoreError::Member { member })
}

fn text<'d>(object: Value<'d>, member: &'static str) -> Read<Cow<'d, str>> {
    required(object, member)?.as_str().ok_or(SigstoreError::Member { member })
}

fn bytes(object: Value<'_>, member: &'static str) -> Read<Vec<u8>> {
    from_base64(&text(object, member)?).map_err(|_| SigstoreError::Member { member })
}

/// The items of a list that may be absent.
fn items<'d>(object: Value<'d>, member: &'static str) -> Read<impl Iterator<Item = Value<'d>>> {
    let list = optional(object, member)
        .map(|value| value.items().ok_or(SigstoreError::Member { member }))
        .transpose()?;
    match list.as_ref().map_or(0, ExactSizeIterator::len) {
        0..=MAX_EVIDENCE => Ok(list.into_iter().flatten()),
        found => Err(SigstoreError::TooMany { member, found }),
    }
}

fn version(root: Value<'_>) -> Read<BundleVersion> {
    let media_type = text(root, "mediaType")?;
    match media_type.as_ref() {
        "application/vnd.dev.sigstore.bundle+json;version=0.1" => Ok(BundleVersion::V01),
        "application/vnd.dev.sigstore.bundle+json;version=0.2" => Ok(BundleVersion::V02),
        "application/vnd.dev.sigstore.bundle+json;version=0.3"
        | "application/vnd.dev.sigstore.bundle.v0.3+json" => Ok(BundleVersion::V03),
        other => Err(SigstoreError::UnknownVersion { found: other.to_owned() }),
    }
}

/// Exactly one of the three. From version 0.3 on a chain is no choice.
fn key_material(material: Value<'_>, version: BundleVersion) -> Read<KeyMaterial> {
    let one = optional(material, "certificate");
    let chain = optional(material, "x509CertificateChain");
    let key = optional(material, "publicKey");
    match (one, chain, key) {
        (Some(certificate), None, None) => {
            Ok(KeyMaterial::Certificates(vec![bytes(certificate, "rawBytes")?]))
        }
        (None, Some(chain), None) if version < BundleVersion::V03 => certificates(chain),
        (None, None, Some(key)) => {
            key.members().ok_or(SigstoreError::Member { member: "publicKey" })?;
            let hint = optional(key, "hint").and_then(Value::as_str).unwrap_or_default();
            Ok(KeyMaterial::PublicKey { hint: hint.into_owned() })
        }
        _ => Err(SigstoreError::Content("exactly one of certificate and public key is needed")),
    }
}

fn certificates(chain: Value<'_>) -> Read<KeyMaterial> {
    let certificates = items(chain, "certificates")?;
    let certificates: Vec<_> =
        certificates.map(|one| bytes(one, "rawBytes")).collect::<Read<_>>()?;
    match certificates.is_empty() {
        true => Err(SigstoreError::ChainEmpty),
        false => Ok(KeyMaterial::Certificates(certificates)),
    }
}

fn entries(material: Value<'_>) -> Read<Vec<LogEntry>> {
    let read = |(index, item)| {
        LogEntry::from_value(item).map_err(|source| SigstoreError::Entry { index, source })
    };
    items(material, "tlogEntries")?.enumerate().map(read).collect()
}

fn timestamps(material: Value<'_>) -> Read<Vec<Vec<u8>>> {
    let Some(data) = optional(material, "timestampVerificationData") else {
        return Ok(Vec::new());
    };
    data.members().ok_or(SigstoreError::Member { member: "timestampVerificationData" })?;
    items(data, "rfc3161Timestamps")?.map(|item| bytes(item, "signedTimestamp")).collect()
}

fn content(root: Value<'_>) -> Read<SignedContent> {
    match (optional(root, "messageSignature"), optional(root, "dsseEnvelope")) {
        (Some(message), None) => Ok(SignedContent::Message {
            digest: optional(message, "messageDigest").map(digest).transpose()?,
            signature: bytes(message, "signature")?,
        }),
        (None, Some(envelope)) => self::envelope(envelope),
        _ => Err(SigstoreError::Content("exactly one of message and envelope is needed")),
    }
}

fn digest(value: Value<'_>) -> Read<(HashAlgorithm, Vec<u8>)> {
    let malformed = SigstoreError::Member { member: "messageDigest" };
    let hash = HashAlgorithm::from_sigstore_name(&text(value, "algorithm")?);
    let (hash, digest) = (hash.ok_or_else(|| malformed.clone())?, bytes(value, "digest")?);
    if digest.len() == hash.len() { Ok((hash, digest)) } else { Err(malformed) }
}

fn envelope(envelope: Value<'_>) -> Read<SignedContent> {
    let signatures: Vec<_> = items(envelope, "signatures")?.collect();
    let [signature] = signatures[..] else {
        return Err(SigstoreError::Signatures { found: signatures.len() });
    };
    Ok(SignedContent::Envelope {
        payload_type: text(envelope, "payloadType")?.into_owned(),
        payload: bytes(envelope, "payload")?,
        signature: bytes(signature, "sig")?,
    })
}
