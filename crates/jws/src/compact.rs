//! The compact serialization (RFC 7515 section 7.1), detached (appendix F) or attached.

use genten_manifest::{KeyId, UnverifiedManifest};
use genten_primitives::encoding::{from_base64url, push_base64url};
use genten_primitives::signature::{self, Message};
use genten_primitives::{PublicKey, Sha256Digest};

use crate::{Algorithm, Header, JwsError, Signature, Typ};

/// Longest compact JWS: what an attached manifest of full size needs.
pub const MAX_JWS_BYTES: usize = 128 << 10;

/// A compact JWS that was read and kept all rules of form. Nothing about it is verified.
#[derive(Clone, Debug)]
pub struct Jws<'t> {
    encoded_header: &'t str,
    encoded_payload: &'t str,
    header: Header,
    signature: Signature,
}

impl<'t> Jws<'t> {
    /// Reads `header..signature` or `header.payload.signature`.
    ///
    /// # Errors
    /// The first rule that the text breaks.
    pub fn read(text: &'t str, typ: Typ) -> Result<Self, JwsError> {
        let (limit, found) = (MAX_JWS_BYTES, text.len());
        if found > limit {
            return Err(JwsError::TooLong { limit, found });
        }
        let (encoded_header, encoded_payload, encoded_signature) = split(text)?;
        let header = Header::read(encoded_header, typ)?;
        let signature = Signature::decode(encoded_signature)?;
        Ok(Self { encoded_header, encoded_payload, header, signature })
    }

    /// The protected header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The signature.
    pub fn signature(&self) -> Signature {
        self.signature
    }

    /// The attached payload, decoded.
    ///
    /// # Errors
    /// No payload is attached, or it is not canonical base64url.
    pub fn payload(&self) -> Result<Vec<u8>, JwsError> {
        match self.encoded_payload {
            "" => Err(JwsError::PayloadMissing),
            encoded => from_base64url(encoded).map_err(|_| JwsError::PayloadEncoding),
        }
    }

    /// Checks that `kid` is the signer whom the message names.
    ///
    /// # Errors
    /// Both names, when they differ in a byte.
    pub fn expect_kid(&self, expected: &KeyId) -> Result<(), JwsError> {
        match &self.header.kid {
            found if found == expected => Ok(()),
            found => {
                Err(JwsError::KidMismatch { expected: expected.clone(), found: found.clone() })
            }
        }
    }

    /// Joins the JWS with the payload that it is to cover.
    ///
    /// # Errors
    /// Another payload is attached.
    pub fn over(self, payload: &[u8]) -> Result<SignedBytes, JwsError> {
        let input = signing_input(self.encoded_header, payload);
        let covered = &input[self.encoded_header.len() + 1..];
        if !self.encoded_payload.is_empty() && self.encoded_payload != covered {
            return Err(JwsError::PayloadMismatch);
        }
        let sha256 = Sha256Digest::of(input.as_bytes());
        Ok(SignedBytes { header: self.header, signature: self.signature, input, sha256 })
    }
}

fn split(text: &str) -> Result<(&str, &str, &str), JwsError> {
    let mut parts = text.split('.');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        _ if text.trim_start().starts_with('{') => Err(JwsError::JsonSerialization),
        (Some(header), Some(payload), Some(signature), None) => Ok((header, payload, signature)),
        _ => Err(JwsError::Parts { found: text.split('.').count() }),
    }
}

/// `b64url(header) "." b64url(payload)`: what is signed (RFC 7515 section 5.1).
pub(crate) fn signing_input(encoded_header: &str, payload: &[u8]) -> String {
    let length = encoded_header.len() + 1 + payload.len().div_ceil(3) * 4;
    let mut input = String::with_capacity(length);
    input.push_str(encoded_header);
    input.push('.');
    push_base64url(payload, &mut input);
    input
}

/// A JWS together with the bytes that its signature must cover. Several keys may be tried on it.
#[derive(Clone, Debug)]
pub struct SignedBytes {
    header: Header,
    signature: Signature,
    input: String,
    sha256: Sha256Digest,
}

impl SignedBytes {
    /// The signature of a manifest over what of it is signed.
    ///
    /// # Errors
    /// `mcp_signature` is no JWS of the profile, its `kid` is not `mcp_key_id`, or it carries another payload.
    pub fn of_manifest(manifest: &UnverifiedManifest) -> Result<Self, JwsError> {
        let jws = Jws::read(&manifest.manifest().mcp_signature, Typ::Manifest)?;
        jws.expect_kid(&manifest.manifest().mcp_key_id)?;
        jws.over(manifest.payload())
    }

    /// The protected header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The signature.
    pub fn signature(&self) -> Signature {
        self.signature
    }

    /// The signing input.
    pub fn input(&self) -> &[u8] {
        self.input.as_bytes()
    }

    /// SHA-256 of the signing input: of a manifest its `manifest_id`.
    pub fn sha256(&self) -> Sha256Digest {
        self.sha256
    }

    /// Checks the signature under one key, by the key's algorithm.
    ///
    /// # Errors
    /// A key of another algorithm than the header names, or a signature that does not hold.
    pub fn verify(&self, key: &PublicKey) -> Result<SignatureChecked, JwsError> {
        let algorithm = Algorithm::of(key).ok_or(JwsError::KeyUnsupported { key: key.kind() })?;
        if algorithm != self.header.alg {
            return Err(JwsError::AlgorithmMismatch { header: self.header.alg, key: algorithm });
        }
        let message = match algorithm {
            Algorithm::EdDsa => Message::Bytes(self.input.as_bytes()),
            Algorithm::Es256 => Message::Prehash(self.sha256.as_bytes()), // hashed once for both uses
        };
        signature::verify(key, algorithm.scheme(), message, self.signature.as_bytes())?;
        Ok(SignatureChecked::assertion(self.sha256, key.clone()))
    }
}

/// Proof that a signature over certain bytes holds under a certain key. Only [`SignedBytes::verify`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureChecked {
    sha256: Sha256Digest,
    key: PublicKey,
}

impl SignatureChecked {
    fn assertion(sha256: Sha256Digest, key: PublicKey) -> Self {
        Self { sha256, key }
    }

    /// SHA-256 of the signing input: of a manifest its `manifest_id`.
    pub fn sha256(&self) -> Sha256Digest {
        self.sha256
    }

    /// The key under which the signature holds.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }
}
