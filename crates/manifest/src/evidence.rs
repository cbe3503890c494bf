//! Evidence that travels beside a manifest: kept word for word, typed where this version knows the type.

use genten_primitives::encoding::from_base64;
use genten_primitives::json::Value;
use genten_primitives::{Sha256Digest, Timestamp};

use crate::read::{Object, digest, parsed, string, time};
use crate::{ManifestError, ManifestRule, UnverifiedManifest};

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
    Batch,
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
    RekorV2,
    /// An RFC 3161 timestamp.
    Rfc3161,
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
            EvidenceKind::Batch => "batch",
            EvidenceKind::DidDocument { .. } => "did-document",
            EvidenceKind::External(_) => "external",
            EvidenceKind::RekorV2 => "rekor-v2",
            EvidenceKind::Rfc3161 => "rfc3161",
            EvidenceKind::TlsChain(_) => "tls-chain",
            EvidenceKind::Unknown { name } => name,
            EvidenceKind::X509Chain(_) => "x509-chain",
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
            "batch" => EvidenceKind::Batch,
            "did-document" => did_document(value)?,
            "external" => external(value)?,
            "rekor-v2" => EvidenceKind::RekorV2,
            "rfc3161" => EvidenceKind::Rfc3161,
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
