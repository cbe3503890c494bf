//! Evidence that travels beside a manifest: kept word for word, typed where this version knows the type.

use std::str::FromStr;

use genten_primitives::encoding::from_base64;
use genten_primitives::json::{self, Limits, Value};
use genten_primitives::{Sha256Digest, Timestamp};

use crate::read::{Object, digest, integer, parsed, string, time, word};
use crate::{ManifestError, ManifestRule, UnknownWord, UnverifiedManifest};

/// Most hashes of a proof in a Merkle tree: no tree is higher.
const MAX_PROOF_HASHES: usize = 63;

/// The deepest nesting that any reader of JSON here allows: what was read once is read again.
const DEEPEST: usize = 128;

/// One item of evidence. Unsigned: whatever it says counts only after it was checked against the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    raw: String,
    kind: EvidenceKind,
}

/// What an item is, with the members that its checks need.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvidenceKind {
    /// Another manifest, made from an archive's copy of the source.
    Archive(Box<UnverifiedManifest>),
    /// A signed Merkle batch that this manifest is a leaf of.
    Batch(BatchEvidence),
    /// A DID document, for display.
    DidDocument {
        /// The document, as JSON text.
        document: String,
        /// When it was retrieved, on the word of whoever wrote the bundle.
        retrieved_at: Option<Timestamp>,
    },
    /// Evidence of a kind that others define, bound by digest.
    External(ExternalEvidence),
    /// An entry of a Rekor v2 log.
    RekorV2(LogEvidence),
    /// An RFC 3161 timestamp.
    Rfc3161(TimestampEvidence),
    /// The upstream's certificate chain.
    TlsChain(TlsChain),
    /// A type that this version does not know.
    Unknown {
        /// The word in `type`.
        name: String,
    },
    /// The signer's certificate chain, DER, leaf first.
    X509Chain(Vec<Vec<u8>>),
}

/// What of a manifest was logged or time-stamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// The signed manifest.
    Manifest,
    /// The signed statement of a batch that the manifest is a leaf of.
    Batch,
    /// The content's digest.
    Content,
}

impl Subject {
    /// The word in `subject`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Batch => "batch",
            Self::Content => "content",
        }
    }
}

impl FromStr for Subject {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let all = [Self::Manifest, Self::Batch, Self::Content];
        all.into_iter().find(|subject| subject.as_str() == text).ok_or(UnknownWord)
    }
}

/// A place in a Merkle tree under a signed statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchEvidence {
    /// The statement: an attached JWS.
    pub statement: String,
    /// Which leaf the manifest is.
    pub index: u64,
    /// The proof's hashes, from the leaf upwards.
    pub hashes: Vec<Sha256Digest>,
}

/// An entry of a transparency log. It is read when it is checked: many manifests can share one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEvidence {
    /// What was logged.
    pub subject: Subject,
    /// The TransparencyLogEntry as the log sent it, JSON.
    pub entry: String,
    /// The logged signature, where it is not the one of the JWS.
    pub signature: Option<Vec<u8>>,
}

/// A timestamp of an authority.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampEvidence {
    /// Whose signature was stamped: the manifest's or the batch's.
    pub subject: Subject,
    /// TimeStampToken or TimeStampResp, DER.
    pub token: Vec<u8>,
    /// The stamped signature, where it is not the one of the JWS.
    pub signature: Option<Vec<u8>>,
}

/// The certificates behind `tls_server_cert_sha256`, and what came with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsChain {
    /// DER, leaf first.
    pub certificates: Vec<Vec<u8>>,
    /// SCT list of the TLS extension.
    pub scts: Option<Vec<u8>>,
    /// Stapled OCSP response, DER.
    pub ocsp: Option<Vec<u8>>,
    /// A C2SP tlog-proof of the certificate in a static CT log.
    pub tlog_proof: Option<Vec<u8>>,
}

/// Evidence of a kind that others define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalEvidence {
    /// Its media type.
    pub media_type: String,
    /// Digest of its bytes.
    pub sha256: Sha256Digest,
    /// Its bytes, when they travel along.
    pub data: Option<Vec<u8>>,
    /// Where its bytes are, when they do not.
    pub uri: Option<String>,
    /// What whoever attached it calls it.
    pub label: Option<String>,
    /// The manifest that it belongs to.
    pub manifest_id: Sha256Digest,
}

impl Evidence {
    /// The item as it was received, JSON.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// What the item is.
    pub fn kind(&self) -> &EvidenceKind {
        &self.kind
    }

    /// The word in `type`.
    pub fn type_name(&self) -> &str {
        match &self.kind {
            EvidenceKind::Archive(_) => "archive",
            EvidenceKind::Batch(_) => "batch",
            EvidenceKind::DidDocument { .. } => "did-document",
            EvidenceKind::External(_) => "external",
            EvidenceKind::RekorV2(_) => "rekor-v2",
            EvidenceKind::Rfc3161(_) => "rfc3161",
            EvidenceKind::TlsChain(_) => "tls-chain",
            EvidenceKind::Unknown { name } => name,
            EvidenceKind::X509Chain(_) => "x509-chain",
        }
    }

    /// SHA-256 of the item's canonical form (RFC 8785): what two spellings of one item have in
    /// common. It is computed at each call, since only evidence that comes together from several
    /// files is compared.
    pub fn canonical_sha256(&self) -> Sha256Digest {
        match json::read(self.raw.as_bytes(), Limits { bytes: self.raw.len(), depth: DEEPEST }) {
            Ok(document) => document.root().canonical_sha256(),
            // Only with numbers that no bundle may hold; then it is compared as it stands.
            Err(_) => Sha256Digest::of(self.raw.as_bytes()),
        }
    }

    /// Reads one item.
    ///
    /// # Errors
    ///
    /// The members do not fit a type that this version knows.
    pub fn from_value(value: Value<'_>) -> Result<Self, ManifestError> {
        let name = value.get("type").ok_or_else(|| ManifestRule::Missing("type").at(value))?;
        let name = string(name)?;
        let kind = match name.as_str() {
            "archive" => archive(value)?,
            "batch" => batch(value)?,
            "did-document" => did_document(value)?,
            "external" => external(value)?,
            "rekor-v2" => log_entry(value)?,
            "rfc3161" => timestamp(value)?,
            "tls-chain" => tls_chain(value)?,
            "x509-chain" => EvidenceKind::X509Chain(certificates(value)?),
            _ => EvidenceKind::Unknown { name },
        };
        Ok(Self { raw: value.raw_text().to_owned(), kind })
    }
}

fn bytes(value: Value<'_>) -> Result<Vec<u8>, ManifestError> {
    let text = value.as_str().ok_or_else(|| ManifestRule::WrongType.at(value))?;
    from_base64(&text).map_err(|_| ManifestRule::EvidenceBase64.at(value))
}

fn member<'d>(value: Value<'d>, name: &'static str) -> Result<Value<'d>, ManifestError> {
    value.get(name).ok_or_else(|| ManifestRule::Missing(name).at(value))
}

fn certificates(value: Value<'_>) -> Result<Vec<Vec<u8>>, ManifestError> {
    let list = member(value, "certificates")?;
    let items = list.items().ok_or_else(|| ManifestRule::WrongType.at(list))?;
    if items.len() == 0 {
        return Err(ManifestRule::EvidenceMembers.at(list));
    }
    items.map(bytes).collect()
}

fn batch(value: Value<'_>) -> Result<EvidenceKind, ManifestError> {
    let hashes = member(value, "hashes")?;
    let items = hashes.items().ok_or_else(|| ManifestRule::WrongType.at(hashes))?;
    if items.len() > MAX_PROOF_HASHES {
        return Err(ManifestRule::EvidenceMembers.at(hashes));
    }
    Ok(EvidenceKind::Batch(BatchEvidence {
        hashes: items.map(digest).collect::<Result<_, _>>()?,
        index: integer(member(value, "index")?)?,
        statement: string(member(value, "statement")?)?,
    }))
}

fn log_entry(value: Value<'_>) -> Result<EvidenceKind, ManifestError> {
    let entry = member(value, "entry")?;
    entry.members().ok_or_else(|| ManifestRule::WrongType.at(entry))?;
    Ok(EvidenceKind::RekorV2(LogEvidence {
        entry: entry.raw_text().to_owned(),
        signature: value.get("signature").map(bytes).transpose()?,
        subject: word(member(value, "subject")?)?,
    }))
}

fn timestamp(value: Value<'_>) -> Result<EvidenceKind, ManifestError> {
    let subject = member(value, "subject")?;
    let evidence = TimestampEvidence {
        signature: value.get("signature").map(bytes).transpose()?,
        subject: word(subject)?,
        token: bytes(member(value, "token")?)?,
    };
    match evidence.subject {
        Subject::Content => Err(ManifestRule::Word.at(subject)),
        Subject::Manifest | Subject::Batch => Ok(EvidenceKind::Rfc3161(evidence)),
    }
}

fn archive(value: Value<'_>) -> Result<EvidenceKind, ManifestError> {
    let manifest = UnverifiedManifest::from_value(member(value, "manifest")?)?;
    Ok(EvidenceKind::Archive(Box::new(manifest)))
}

fn did_document(value: Value<'_>) -> Result<EvidenceKind, ManifestError> {
    let document = member(value, "document")?.raw_text().to_owned();
    let retrieved_at = value.get("retrieved_at").map(time).transpose()?;
    Ok(EvidenceKind::DidDocument { document, retrieved_at })
}

fn tls_chain(value: Value<'_>) -> Result<EvidenceKind, ManifestError> {
    let optional = |name| value.get(name).map(bytes).transpose();
    Ok(EvidenceKind::TlsChain(TlsChain {
        certificates: certificates(value)?,
        scts: optional("scts")?,
        ocsp: optional("ocsp")?,
        tlog_proof: optional("tlog_proof")?,
    }))
}

fn external(value: Value<'_>) -> Result<EvidenceKind, ManifestError> {
    let mut ignored = Vec::new();
    let mut object = Object::open(value, &mut ignored)?;
    let data = object.optional("data", bytes)?;
    let label = object.optional("label", string)?;
    let manifest_id = object.required("manifest_id", digest)?;
    let media_type = object.required("media_type", string)?;
    let sha256 = object.required("sha256", |value| parsed(value, |_| ManifestRule::Digest))?;
    let uri = object.optional("uri", string)?;
    if data.is_some() == uri.is_some() {
        return Err(ManifestRule::EvidenceMembers.at(value));
    }
    Ok(EvidenceKind::External(ExternalEvidence {
        media_type,
        sha256,
        data,
        uri,
        label,
        manifest_id,
    }))
}
