//! Checks of one signature under one key.
//!
//! The algorithm is an argument and must fit the key; nothing in a message chooses it. Ed25519 is checked by the rules
//! of ed25519-dalek's `verify_strict` always: canonical S, no key and no R of small order. ECDSA accepts both S and
//! its twin n − S, and DER in its one spelling only; the feature `aws-lc` makes it faster and changes no answer.

#[cfg(feature = "aws-lc")]
pub(crate) mod aws;
mod digest;
mod ecdsa;
mod error;
mod scheme;

pub use error::SignatureError;
pub use scheme::{Message, Scheme};

use crate::key::{KeyKind, Material, PublicKey};
use digest::Digest;
use scheme::Family;

/// Checks that `signature` was made over `message` by the owner of `key`.
///
/// # Errors
/// A scheme that does not fit the key, a malformed signature, a signature that does not verify.
///
/// ```
/// use genten_primitives::{PublicKey, encoding::from_hex, signature::{Message, Scheme, verify}};
/// // RFC 8032 section 7.1, TEST 2
/// let key = from_hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c").unwrap();
/// let key = PublicKey::ed25519_from_bytes(&key).unwrap();
/// let signature: [u8; 64] = from_hex(concat!(
///     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
///     "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
/// )).unwrap();
/// assert_eq!(verify(&key, Scheme::Ed25519, Message::Bytes(&[0x72]), &signature), Ok(()));
/// assert!(verify(&key, Scheme::Ed25519, Message::Bytes(&[0x73]), &signature).is_err());
/// ```
pub fn verify(
    key: &PublicKey,
    scheme: Scheme,
    message: Message<'_>,
    signature: &[u8],
) -> Result<(), SignatureError> {
    let digest = || Digest::of(message, scheme);
    match (&key.prepared().material, scheme.family()) {
        (Material::Ed25519(point), Family::Ed25519) => ed25519(point, message, signature),
        (Material::Ed25519(point), Family::Ed25519ph) => ed25519ph(point, digest()?, signature),
        (Material::P256(point), Family::Ecdsa(form)) => {
            ecdsa::p256(key, point, &digest()?, form, signature)
        }
        (Material::P384(point), Family::Ecdsa(form)) => {
            ecdsa::p384(key, point, &digest()?, form, signature)
        }
        (Material::Rsa(_), Family::Rsa) => rsa(key, &digest()?, signature),
        _ => Err(SignatureError::SchemeMismatch { key: key.kind(), scheme }),
    }
}

/// The twin of an ECDSA signature in DER: (r, n − s) for (r, s), which everybody can make and which is as good. `None` for
/// keys of other kinds, and for what is no signature under a key of this kind.
///
/// Whoever looks something up by the digest of bytes that hold a signature looks up its twin too.
pub fn ecdsa_twin(der: &[u8], kind: KeyKind) -> Option<Vec<u8>> {
    ecdsa::twin(der, kind)
}

fn ed25519(
    key: &ed25519_dalek::VerifyingKey,
    message: Message<'_>,
    signature: &[u8],
) -> Result<(), SignatureError> {
    let signature = ed25519_signature(signature)?;
    match message {
        Message::Bytes(bytes) => {
            key.verify_strict(bytes, &signature).map_err(|_| SignatureError::Mismatch)
        }
        Message::Prehash(digest) => {
            Err(SignatureError::Prehash { scheme: Scheme::Ed25519, found: digest.len() })
        }
    }
}

fn ed25519ph(
    key: &ed25519_dalek::VerifyingKey,
    digest: Digest,
    signature: &[u8],
) -> Result<(), SignatureError> {
    let signature = ed25519_signature(signature)?;
    key.verify_prehashed_strict(digest, None, &signature).map_err(|_| SignatureError::Mismatch)
}

fn ed25519_signature(bytes: &[u8]) -> Result<ed25519_dalek::Signature, SignatureError> {
    expect_length(bytes, 64)?;
    ed25519_dalek::Signature::from_slice(bytes).map_err(|_| SignatureError::Malformed)
}

#[cfg(feature = "aws-lc")]
fn rsa(key: &PublicKey, digest: &Digest, signature: &[u8]) -> Result<(), SignatureError> {
    if let KeyKind::Rsa { bits } = key.kind() {
        expect_length(signature, usize::from(bits).div_ceil(8))?;
    }
    aws::verify(key, digest, signature)
}

#[cfg(not(feature = "aws-lc"))]
fn rsa(_: &PublicKey, _: &Digest, _: &[u8]) -> Result<(), SignatureError> {
    Err(SignatureError::RsaUnavailable)
}

fn expect_length(signature: &[u8], expected: usize) -> Result<(), SignatureError> {
    match signature.len() {
        found if found == expected => Ok(()),
        found => Err(SignatureError::Length { expected, found }),
    }
}
