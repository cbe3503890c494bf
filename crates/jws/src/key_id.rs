//! From an `mcp_key_id` to the key behind it, and back.
//!
//! Three kinds of id, three places: did:key and did:jwk contain the key; the key of a did:web stands in a DID document
//! that the caller holds; any other URI stands in a certificate. Nothing is resolved or fetched, and whether a document
//! or certificate is trusted is not decided here.

mod certificate;
mod did_document;
mod error;
mod multikey;

use genten_manifest::{KeyId, KeyIdKind};
use genten_primitives::PublicKey;
use genten_primitives::encoding::{base64url, from_base64url};

pub use did_document::{DocumentKey, assertion_keys, key_in_document, revoked_keys};
pub use error::KeyLookupError;

use crate::Algorithm;

/// The key that a did:key or did:jwk contains; `None` for other ids.
///
/// # Errors
/// The id contains no key of ours, or its fragment is not that of its only key.
///
/// ```
/// use genten_jws::key_id;
/// let id = "did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169\
///           #zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169".parse().unwrap();
/// let key = key_id::contained_key(&id).unwrap().unwrap();
/// assert_eq!(key_id::did_key(&key), Some(id));
/// ```
pub fn contained_key(id: &KeyId) -> Option<Result<PublicKey, KeyLookupError>> {
    match id.kind() {
        KeyIdKind::DidJwk => Some(key_in_did_jwk(id)),
        KeyIdKind::DidKey => Some(key_in_did_key(id)),
        KeyIdKind::CertificateUri | KeyIdKind::DidWeb => None,
    }
}

/// <https://w3c-ccg.github.io/did-key-spec/>: the fragment repeats the key.
fn key_in_did_key(id: &KeyId) -> Result<PublicKey, KeyLookupError> {
    let multibase = id.did().strip_prefix("did:key:").unwrap_or_default();
    if id.fragment() != multibase {
        return Err(KeyLookupError::Fragment);
    }
    multikey::decode(multibase)
}

/// <https://github.com/quartzjer/did-jwk/blob/main/spec.md>: the fragment is `0`.
fn key_in_did_jwk(id: &KeyId) -> Result<PublicKey, KeyLookupError> {
    if id.fragment() != "0" {
        return Err(KeyLookupError::Fragment);
    }
    let encoded = id.did().strip_prefix("did:jwk:").unwrap_or_default();
    let jwk = from_base64url(encoded).map_err(|_| KeyLookupError::Base64Url)?;
    signing_key(PublicKey::from_jwk_bytes(&jwk)?)
}

/// A key that can sign manifests.
fn signing_key(key: PublicKey) -> Result<PublicKey, KeyLookupError> {
    match Algorithm::of(&key) {
        Some(_) => Ok(key),
        None => Err(KeyLookupError::KeyUnsupported { key: key.kind() }),
    }
}

/// Checks that an id which contains a key contains this one. Other ids pass.
///
/// # Errors
/// Another key, or a malformed id.
pub fn expect_contained(id: &KeyId, key: &PublicKey) -> Result<(), KeyLookupError> {
    match contained_key(id) {
        Some(Ok(found)) if found != *key => {
            Err(KeyLookupError::OtherKey { expected: key.thumbprint(), found: found.thumbprint() })
        }
        Some(Err(error)) => Err(error),
        _ => Ok(()),
    }
}

/// The did:key of a P-256 or Ed25519 key; `None` for other keys.
pub fn did_key(key: &PublicKey) -> Option<KeyId> {
    let multibase = multikey::encode(key)?;
    let id = format!("did:key:{multibase}#{multibase}");
    Some(id.parse().expect("base58 fits a key id"))
}

/// The did:jwk of a P-256 or Ed25519 key, made of the canonical JWK without optional members; `None` for other keys.
pub fn did_jwk(key: &PublicKey) -> Option<KeyId> {
    Algorithm::of(key)?;
    let id = format!("did:jwk:{}#0", base64url(key.to_jwk().as_bytes()));
    Some(id.parse().expect("base64url fits a key id"))
}

/// The key of a certificate (DER) whose subjectAltName holds the id as URI, byte for byte; `None` where it does not.
/// Whether the certificate is trusted is another question.
///
/// # Errors
/// A malformed certificate, a key that signs no manifests.
pub fn key_in_certificate(
    id: &KeyId,
    certificate: &[u8],
) -> Option<Result<PublicKey, KeyLookupError>> {
    if id.kind() != KeyIdKind::CertificateUri {
        return None;
    }
    let uris = match certificate::san_uris(certificate) {
        Ok(uris) => uris,
        Err(error) => return Some(Err(error)),
    };
    uris.contains(&id.as_str()).then(|| signing_key(PublicKey::from_certificate_der(certificate)?))
}

/// The URIs in the subjectAltName of a certificate (DER), in its order.
///
/// # Errors
/// A malformed certificate.
pub fn certificate_uris(certificate: &[u8]) -> Result<Vec<&str>, KeyLookupError> {
    certificate::san_uris(certificate)
}

/// Checks that a certificate is for this key, and where the id is no DID, that it holds the id.
///
/// # Errors
/// Another key, a certificate without the id, a malformed certificate.
pub fn expect_certified(
    id: &KeyId,
    key: &PublicKey,
    certificate: &[u8],
) -> Result<(), KeyLookupError> {
    let found = PublicKey::from_certificate_der(certificate)?;
    if found != *key {
        let (expected, found) = (key.thumbprint(), found.thumbprint());
        return Err(KeyLookupError::OtherKey { expected, found });
    }
    if id.kind() != KeyIdKind::CertificateUri {
        return Ok(());
    }
    match key_in_certificate(id, certificate) {
        Some(result) => result.map(drop),
        None => Err(KeyLookupError::NotInCertificate),
    }
}
