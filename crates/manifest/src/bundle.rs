//! Manifest and evidence in one file: `*.provenance.json`.
//!
//! ```json
//! { "media_type": "application/vnd.genten.provenance-bundle+json;version=1", "manifest": {…}, "evidence": [ {…} ] }
//! ```

mod edit;

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use genten_primitives::json::{self, ArrayWriter, Limits, ObjectWriter, Value};

use crate::read::Object;
use crate::{
    Evidence, Manifest, ManifestError, ManifestRule, Subject, TlsChain, UnverifiedManifest,
};

/// The media type of a bundle, version 1.
pub const BUNDLE_MEDIA_TYPE: &str = "application/vnd.genten.provenance-bundle+json;version=1";

const MEDIA_TYPE_OF_ANY_VERSION: &str = "application/vnd.genten.provenance-bundle+json;version=";

/// Largest bundle, in bytes as received.
pub const MAX_BUNDLE_BYTES: usize = 1 << 20;

/// Most items of evidence in one bundle.
pub const MAX_EVIDENCE: usize = 32;

/// A bundle that was read and kept all rules of form. Nothing about it is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnverifiedBundle {
    manifest: UnverifiedManifest,
    manifest_raw: String,
    evidence: Vec<Evidence>,
    unknown: Vec<String>,
}

impl UnverifiedBundle {
    /// Reads one bundle.
    ///
    /// # Errors
    ///
    /// The first rule that the input breaks, with path and offset.
    pub fn read(bytes: &[u8]) -> Result<Self, ManifestError> {
        let document = json::read(bytes, Limits::bytes(MAX_BUNDLE_BYTES))?;
        Self::from_value(document.root())
    }

    /// Reads one manifest as a bundle without evidence.
    ///
    /// # Errors
    ///
    /// As [`UnverifiedManifest::read`].
    pub fn of_manifest(bytes: &[u8]) -> Result<Self, ManifestError> {
        let document = json::read(bytes, Limits::bytes(crate::MAX_MANIFEST_BYTES))?;
        let manifest = UnverifiedManifest::from_value(document.root())?;
        let manifest_raw = document.root().raw_text().to_owned();
        Ok(Self { manifest, manifest_raw, evidence: Vec::new(), unknown: Vec::new() })
    }

    /// Reads the bundle that stands as one value in a document.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn from_value(value: Value<'_>) -> Result<Self, ManifestError> {
        let mut unknown = Vec::new();
        check_media_type(value)?;
        let mut object = Object::open(value, &mut unknown)?;
        let evidence = object.required("evidence", evidence)?;
        let (manifest, manifest_raw) = object.required("manifest", |value| {
            Ok((UnverifiedManifest::from_value(value)?, value.raw_text().to_owned()))
        })?;
        object.value("media_type");
        object.close();
        Ok(Self { manifest, manifest_raw, evidence, unknown })
    }

    /// The manifest.
    pub fn manifest(&self) -> &UnverifiedManifest {
        &self.manifest
    }

    /// The evidence, in the order of the file, which has no meaning.
    pub fn evidence(&self) -> &[Evidence] {
        &self.evidence
    }

    /// Paths of members beside manifest and evidence that this version does not know.
    pub fn unknown_members(&self) -> &[String] {
        &self.unknown
    }

    /// The bundle as something that evidence can be added to; all that was received is kept word for word.
    pub fn to_bundle(&self) -> Bundle {
        let evidence = self.evidence.iter().map(|item| item.raw().as_bytes().to_vec()).collect();
        Bundle { manifest: self.manifest_raw.as_bytes().to_vec(), evidence }
    }
}

fn check_media_type(value: Value<'_>) -> Result<(), ManifestError> {
    let member = value.get("media_type").ok_or_else(|| ManifestRule::MediaType.at(value))?;
    match member.as_str().as_deref() {
        Some(BUNDLE_MEDIA_TYPE) => Ok(()),
        Some(other) if other.starts_with(MEDIA_TYPE_OF_ANY_VERSION) => {
            Err(ManifestRule::UnsupportedVersion.at(member))
        }
        _ => Err(ManifestRule::MediaType.at(member)),
    }
}

fn evidence(value: Value<'_>) -> Result<Vec<Evidence>, ManifestError> {
    let items = value.items().ok_or_else(|| ManifestRule::WrongType.at(value))?;
    if items.len() > MAX_EVIDENCE {
        return Err(ManifestRule::EvidenceCount.at(value));
    }
    items.map(Evidence::from_value).collect()
}

/// A bundle to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    manifest: Vec<u8>,
    evidence: Vec<Vec<u8>>,
}

impl Bundle {
    /// A bundle without evidence.
    pub fn new(manifest: &Manifest) -> Self {
        Self { manifest: manifest.to_json(), evidence: Vec::new() }
    }

    /// Adds the upstream's certificate chain.
    #[must_use]
    pub fn with_tls_chain(self, chain: &TlsChain) -> Self {
        let mut object = ObjectWriter::new();
        object.string("type", "tls-chain").raw("certificates", &base64_array(&chain.certificates));
        for (name, value) in
            [("scts", &chain.scts), ("ocsp", &chain.ocsp), ("tlog_proof", &chain.tlog_proof)]
        {
            object.optional(name, value.as_deref().map(base64).as_deref());
        }
        let item = object.finish();
        self.with(item)
    }

    /// Adds the signer's certificate chain: DER, leaf first.
    #[must_use]
    pub fn with_x509_chain(self, certificates: &[Vec<u8>]) -> Self {
        let item = ObjectWriter::new()
            .string("type", "x509-chain")
            .raw("certificates", &base64_array(certificates))
            .finish();
        self.with(item)
    }

    /// Adds an entry of a transparency log: `entry` is a TransparencyLogEntry as the log sent it, JSON; `signature` the
    /// logged signature where it is not the one of the JWS.
    ///
    /// # Errors
    ///
    /// The entry is no JSON object, or the bundle is full.
    pub fn with_log_entry(
        self,
        subject: Subject,
        entry: &[u8],
        signature: Option<&[u8]>,
    ) -> Result<Self, ManifestError> {
        let item = ObjectWriter::new()
            .string("type", "rekor-v2")
            .string("subject", subject.as_str())
            .raw("entry", entry.trim_ascii())
            .optional("signature", signature.map(base64).as_deref())
            .finish();
        self.with_evidence(&item)
    }

    /// Adds the manifest's place in a batch: `statement` is the signed statement, an attached JWS.
    ///
    /// # Errors
    ///
    /// Too many hashes, or the bundle is full.
    pub fn with_batch(
        self,
        statement: &str,
        index: u64,
        hashes: &[Sha256Digest],
    ) -> Result<Self, ManifestError> {
        let mut array = ArrayWriter::new();
        for hash in hashes {
            array.string(&hash.to_string());
        }
        let item = ObjectWriter::new()
            .string("type", "batch")
            .string("statement", statement)
            .integer("index", i64::try_from(index).unwrap_or(i64::MAX))
            .raw("hashes", &array.finish())
            .finish();
        self.with_evidence(&item)
    }

    /// Adds a timestamp: `token` is a TimeStampResp or TimeStampToken (DER), `signature` what was stamped where it is not
    /// the signature of the JWS.
    ///
    /// # Errors
    ///
    /// The bundle is full.
    pub fn with_timestamp(
        self,
        subject: Subject,
        token: &[u8],
        signature: Option<&[u8]>,
    ) -> Result<Self, ManifestError> {
        let item = ObjectWriter::new()
            .string("type", "rfc3161")
            .string("subject", subject.as_str())
            .string("token", &base64(token))
            .optional("signature", signature.map(base64).as_deref())
            .finish();
        self.with_evidence(&item)
    }

    /// Adds one item of evidence as JSON.
    ///
    /// # Errors
    ///
    /// It is no evidence that a reader would take.
    pub fn with_evidence(self, item: &[u8]) -> Result<Self, ManifestError> {
        let document = json::read(item, Limits::bytes(MAX_BUNDLE_BYTES))?;
        Evidence::from_value(document.root())?;
        if self.evidence.len() == MAX_EVIDENCE {
            return Err(ManifestRule::EvidenceCount.at(document.root()));
        }
        Ok(self.with(document.root().raw().to_vec()))
    }

    /// The bundle with those items only that `keep` wants, each told by its place.
    #[must_use]
    pub fn keeping(mut self, keep: impl Fn(usize) -> bool) -> Self {
        let mut place = 0..;
        self.evidence.retain(|_| place.next().is_some_and(&keep));
        self
    }

    /// The items of evidence, as JSON.
    pub fn evidence(&self) -> &[Vec<u8>] {
        &self.evidence
    }

    /// Whether the item that was added last was there before, however it was spelt.
    pub fn repeats_last(&self) -> bool {
        let Some((last, before)) = self.evidence.split_last() else { return false };
        let digest = canonical_sha256(last);
        before.iter().any(|item| canonical_sha256(item) == digest)
    }

    fn with(mut self, item: Vec<u8>) -> Self {
        self.evidence.push(item);
        self
    }

    /// The bundle as it is written to a file, with a line feed at the end.
    pub fn to_json(&self) -> Vec<u8> {
        let mut array = ArrayWriter::new();
        for item in &self.evidence {
            array.raw(item);
        }
        let mut out = Vec::new();
        out.extend_from_slice(b"{\"media_type\":");
        json::write_string(BUNDLE_MEDIA_TYPE, &mut out);
        out.extend_from_slice(b",\n\"manifest\":");
        out.extend_from_slice(&self.manifest);
        out.extend_from_slice(b",\n\"evidence\":");
        out.extend_from_slice(&array.finish());
        out.extend_from_slice(b"}\n");
        out
    }
}

/// What two spellings of one item have in common.
fn canonical_sha256(item: &[u8]) -> Sha256Digest {
    match json::read(item, Limits::bytes(MAX_BUNDLE_BYTES)) {
        Ok(document) => document.root().canonical_sha256(),
        Err(_) => Sha256Digest::of(item),
    }
}

fn base64_array(items: &[Vec<u8>]) -> Vec<u8> {
    let mut array = ArrayWriter::new();
    for item in items {
        array.string(&base64(item));
    }
    array.finish()
}
