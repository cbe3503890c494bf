//! A manifest in parts: what is claimed, and what makes it a signed manifest.

use std::sync::Arc;

use genten_primitives::json::{self, Limits, ObjectWriter, Value};
use genten_primitives::{Sha256Digest, Timestamp};

use crate::{
    Capture, Contradiction, CtLogProof, Http, KeyId, MAX_MANIFEST_BYTES, ManifestError,
    ManifestRule, RequestBinding, Retrieval, ShortText, SourceClass, SourceUrl, Tls,
    TransparencyLogId,
};

/// Everything that a manifest says about one fetch. Signed, except that the signer's name is added when signing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The URL as requested, byte for byte.
    pub source_url: SourceUrl,
    /// When the last byte of the content arrived from the network.
    pub fetched_at: Timestamp,
    /// Digest of the content as received: transfer framing removed, content coding kept.
    pub content_sha256: Sha256Digest,
    /// Digest of the leaf certificate (DER) of the connection that delivered the content.
    pub tls_server_cert_sha256: Option<Sha256Digest>,
    /// What Certificate Transparency says of that certificate.
    pub ct_log_proof: Option<CtLogProof>,
    /// The upstream's own revision mark, word for word.
    pub source_revision: Option<ShortText>,
    /// How the source behaves over time.
    pub source_class: Option<SourceClass>,
    /// Who made the request; `None` reads as reported.
    pub capture: Option<Capture>,
    /// When the manifest was signed, if more than a minute after `fetched_at`.
    pub attested_at: Option<Timestamp>,
    /// HTTP facts.
    pub http: Option<Http>,
    /// TLS facts.
    pub tls: Option<Tls>,
    /// The story of the retrieval.
    pub retrieval: Option<Retrieval>,
    /// Digest of the whole result that these facts stand in.
    pub result_sha256: Option<Sha256Digest>,
    /// The call that the result answers.
    pub request: Option<RequestBinding>,
    /// Members of others: reverse-DNS name (with a dot) and canonical JSON value.
    pub extensions: Vec<(String, Vec<u8>)>,
}

impl Claims {
    /// Starts from the three facts that every manifest has.
    pub fn builder(
        source_url: SourceUrl,
        fetched_at: Timestamp,
        content_sha256: Sha256Digest,
    ) -> ClaimsBuilder {
        ClaimsBuilder(Self {
            source_url,
            fetched_at,
            content_sha256,
            tls_server_cert_sha256: None,
            ct_log_proof: None,
            source_revision: None,
            source_class: None,
            capture: None,
            attested_at: None,
            http: None,
            tls: None,
            retrieval: None,
            result_sha256: None,
            request: None,
            extensions: Vec::new(),
        })
    }

    /// The URL that delivered the content: the last redirect's target, else the requested one.
    pub fn final_url(&self) -> &SourceUrl {
        let final_url = self.http.as_ref().and_then(|http| http.final_url.as_ref());
        final_url.unwrap_or(&self.source_url)
    }

    /// Who made the request; an unwritten `capture` reads as reported.
    pub fn capture(&self) -> Capture {
        self.capture.unwrap_or(Capture::Reported)
    }

    /// When the manifest says that it was signed: `attested_at`, else `fetched_at`.
    pub fn signed_at(&self) -> Timestamp {
        self.attested_at.unwrap_or(self.fetched_at)
    }

    /// Digest of the content after its coding was undone, when the signer states one.
    pub fn decoded_sha256(&self) -> Option<Sha256Digest> {
        self.http.as_ref().and_then(|http| http.decoded_sha256)
    }

    /// What the signature covers: the canonical form (RFC 8785) of the manifest without `mcp_signature` and
    /// `transparency_log_id`.
    pub fn payload(&self, key_id: &KeyId) -> Vec<u8> {
        crate::write::payload(self, key_id)
    }
}

/// Collects claims. Every member keeps its own rules, and those between members are checked at the end.
#[derive(Clone, Debug)]
pub struct ClaimsBuilder(Claims);

macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)+) => {
        $($(#[$doc])*
        #[must_use]
        pub fn $name(mut self, value: $type) -> Self {
            self.0.$name = Some(value);
            self
        })+
    };
}

impl ClaimsBuilder {
    setters! {
        /// Digest of the leaf certificate (DER).
        tls_server_cert_sha256: Sha256Digest,
        /// SCT list or inclusion proof of that certificate.
        ct_log_proof: CtLogProof,
        /// The upstream's own revision mark.
        source_revision: ShortText,
        /// How the source behaves over time.
        source_class: SourceClass,
        /// Who made the request.
        capture: Capture,
        /// When the manifest is signed, if more than a minute after `fetched_at`.
        attested_at: Timestamp,
        /// HTTP facts.
        http: Http,
        /// TLS facts.
        tls: Tls,
        /// The story of the retrieval.
        retrieval: Retrieval,
        /// Digest of the result that carries the manifest.
        result_sha256: Sha256Digest,
        /// The call that the result answers.
        request: RequestBinding,
    }

    /// Adds a member of your own. Its name is reverse DNS and so holds a dot; its value is any JSON that Genten accepts.
    ///
    /// # Errors
    ///
    /// The value is no strict JSON, the name has no dot, or the name is taken.
    pub fn extension(mut self, name: &str, value: &[u8]) -> Result<Self, ManifestError> {
        let document = json::read(value, Limits::bytes(MAX_MANIFEST_BYTES))?;
        if !name.contains('.') || self.0.extensions.iter().any(|(taken, _)| taken == name) {
            return Err(ManifestRule::ExtensionName.at(document.root()));
        }
        let mut canonical = Vec::new();
        document.root().write_canonical(&mut canonical);
        // As a member it stands one level deeper, and its name is a string that has to be read too.
        let member = ObjectWriter::new().raw(name, &canonical).finish();
        json::read(&member, Limits::bytes(member.len()))?;
        self.0.extensions.push((name.to_owned(), canonical));
        Ok(self)
    }

    /// The claims.
    ///
    /// # Errors
    ///
    /// Two members that cannot both be true.
    pub fn finish(self) -> Result<Claims, Contradiction> {
        match self.0.contradiction() {
            None => Ok(self.0),
            Some(contradiction) => Err(contradiction),
        }
    }
}

/// A complete manifest: claims, signer's name, signature, and perhaps a pointer to a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// What is claimed.
    pub claims: Claims,
    /// Who signed, as a name.
    pub mcp_key_id: KeyId,
    /// The detached JWS, not looked into here.
    pub mcp_signature: String,
    /// A pointer to a log entry. Not signed.
    pub transparency_log_id: Option<TransparencyLogId>,
}

impl Manifest {
    /// The manifest as canonical JSON.
    pub fn to_json(&self) -> Vec<u8> {
        crate::write::manifest(self)
    }
}

/// A manifest that was read and kept all rules of form. Nothing about it is verified: show it under those words only.
/// Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnverifiedManifest(Arc<WhatWasRead>);

#[derive(Debug, PartialEq, Eq)]
struct WhatWasRead {
    manifest: Manifest,
    payload: Vec<u8>,
    unknown: Vec<String>,
}

impl UnverifiedManifest {
    /// Reads one manifest.
    ///
    /// # Errors
    ///
    /// The first rule that the input breaks, with path and offset.
    pub fn read(bytes: &[u8]) -> Result<Self, ManifestError> {
        let document = json::read(bytes, Limits::bytes(MAX_MANIFEST_BYTES))?;
        Self::from_value(document.root())
    }

    /// Reads the manifest that stands as one value in a document, such as a bundle.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read); offsets are those of the whole document.
    pub fn from_value(value: Value<'_>) -> Result<Self, ManifestError> {
        if value.raw().len() > MAX_MANIFEST_BYTES {
            return Err(ManifestRule::TooLarge.at(value));
        }
        let (manifest, unknown) = crate::read::manifest(value)?;
        let mut payload = Vec::with_capacity(value.raw().len());
        value.write_canonical_without(&["mcp_signature", "transparency_log_id"], &mut payload);
        Ok(Self(Arc::new(WhatWasRead { manifest, payload, unknown })))
    }

    /// The typed members.
    pub fn manifest(&self) -> &Manifest {
        &self.0.manifest
    }

    /// The claims, unverified.
    pub fn claims(&self) -> &Claims {
        &self.0.manifest.claims
    }

    /// What the signature must cover: the canonical form of what was **received**, so unknown members too.
    pub fn payload(&self) -> &[u8] {
        &self.0.payload
    }

    /// The manifest as it was received, as canonical JSON: with the members that this version does not know.
    pub fn to_json(&self) -> Vec<u8> {
        let document = json::read(&self.0.payload, Limits::bytes(self.0.payload.len()))
            .expect("the canonical form of what was read");
        let mut object = ObjectWriter::new();
        let members: Vec<_> = document.root().members().into_iter().flatten().collect();
        for (name, value) in &members {
            object.raw(name, value.raw());
        }
        object
            .string("mcp_signature", &self.0.manifest.mcp_signature)
            .text("transparency_log_id", self.0.manifest.transparency_log_id.as_ref());
        object.finish()
    }

    /// Paths of members that this version does not know; a newer producer may have written them.
    pub fn unknown_members(&self) -> &[String] {
        &self.0.unknown
    }
}
