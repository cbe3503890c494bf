//! ECDSA on P-256 and P-384.
//!
//! The signature is read by the same code whichever library does the arithmetic, so both accept the same ones.

use super::digest::Digest;
use super::scheme::Form;
use super::{SignatureError, expect_length};
use crate::key::{KeyKind, PublicKey};

pub(super) fn p256(
    key: &PublicKey,
    point: &p256::ecdsa::VerifyingKey,
    digest: &Digest,
    form: Form,
    bytes: &[u8],
) -> Result<(), SignatureError> {
    use p256::ecdsa::Signature;
    let signature = match form {
        Form::Der => Signature::from_der(bytes),
        Form::Fixed => expect_length(bytes, 64).map(|()| Signature::from_slice(bytes))?,
    };
    let signature = signature.map_err(|_| SignatureError::Malformed)?;
    arithmetic::check(key, point, digest, &signature, || signature.to_der())
}

pub(super) fn p384(
    key: &PublicKey,
    point: &p384::ecdsa::VerifyingKey,
    digest: &Digest,
    form: Form,
    bytes: &[u8],
) -> Result<(), SignatureError> {
    use p384::ecdsa::Signature;
    let signature = match form {
        Form::Der => Signature::from_der(bytes),
        Form::Fixed => expect_length(bytes, 96).map(|()| Signature::from_slice(bytes))?,
    };
    let signature = signature.map_err(|_| SignatureError::Malformed)?;
    arithmetic::check(key, point, digest, &signature, || signature.to_der())
}

/// The other signature over the same message by the same key: (r, n − s) for (r, s), in DER.
pub(super) fn twin(der: &[u8], kind: KeyKind) -> Option<Vec<u8>> {
    match kind {
        KeyKind::P256 => {
            let one = p256::ecdsa::Signature::from_der(der).ok()?;
            let twin = p256::ecdsa::Signature::from_scalars(one.r(), -one.s()).ok()?;
            Some(twin.to_der().as_bytes().to_vec())
        }
        KeyKind::P384 => {
            let one = p384::ecdsa::Signature::from_der(der).ok()?;
            let twin = p384::ecdsa::Signature::from_scalars(one.r(), -one.s()).ok()?;
            Some(twin.to_der().as_bytes().to_vec())
        }
        _ => None,
    }
}

#[cfg(feature = "aws-lc")]
mod arithmetic {
    use super::{Digest, PublicKey, SignatureError};
    use crate::signature::aws;

    /// The DER, not the bytes that were read: for both forms it is made of the same two numbers.
    pub(super) fn check<K, S, D: AsRef<[u8]>>(
        key: &PublicKey,
        _: &K,
        digest: &Digest,
        _: &S,
        der: impl FnOnce() -> D,
    ) -> Result<(), SignatureError> {
        aws::verify(key, digest, der().as_ref())
    }
}

#[cfg(not(feature = "aws-lc"))]
mod arithmetic {
    use p256::ecdsa::signature::hazmat::PrehashVerifier;

    use super::{Digest, PublicKey, SignatureError};

    pub(super) fn check<K: PrehashVerifier<S>, S, D>(
        _: &PublicKey,
        point: &K,
        digest: &Digest,
        signature: &S,
        _: impl FnOnce() -> D,
    ) -> Result<(), SignatureError> {
        point.verify_prehash(digest.as_bytes(), signature).map_err(|_| SignatureError::Mismatch)
    }
}
