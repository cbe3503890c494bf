//! Why a signature is not accepted.

use super::Scheme;
use crate::key::KeyKind;

/// Why a signature is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// AWS-LC does not take the key: nothing was checked.
    #[error("{key} key is refused by the library that checks its signatures")]
    KeyRefused {
        /// The key's kind.
        key: KeyKind,
    },
    /// A signature of another length.
    #[error("signature has {found} bytes instead of {expected}")]
    Length {
        /// Bytes of a signature under this key.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// Not one strict DER ECDSA-Sig-Value, or a number that is zero or not below the order of the curve.
    #[error("signature is malformed")]
    Malformed,
    /// The signature was made by another key or over another message.
    #[error("signature does not verify")]
    Mismatch,
    /// A digest of another length, or any digest for Ed25519, which signs the message itself.
    #[error("digest of {found} bytes does not fit {scheme}")]
    Prehash {
        /// The scheme asked for.
        scheme: Scheme,
        /// Bytes given.
        found: usize,
    },
    /// RSA without the feature `aws-lc`: nothing was checked.
    #[error("rsa signatures cannot be checked by this build")]
    RsaUnavailable,
    /// The scheme is none of the key's.
    #[error("{scheme} is no scheme of a {key} key")]
    SchemeMismatch {
        /// The key's kind.
        key: KeyKind,
        /// The scheme asked for.
        scheme: Scheme,
    },
}

impl SignatureError {
    /// Whether this build has no way to check the signature, or will not check one under such a key: that tells nothing of
    /// whether it holds.
    pub const fn is_not_checkable(&self) -> bool {
        matches!(self, Self::RsaUnavailable | Self::KeyRefused { .. })
    }
}
