//! What a log would refuse, found before it is asked: its own answer gives no reason.

use genten_primitives::key::KeyDetails;
use genten_tlog::rekor::{BodyError, HashedRekord, MAX_BODY};

/// Why no log takes an entry. At fault is who made it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnloggableError {
    /// The digest has another length than its hash function gives.
    #[error("digest of {found} bytes instead of {expected}")]
    DigestLength {
        /// Bytes by the hash function.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// A key that cannot be read, or that logs do not take, or not with this digest.
    #[error("logs take no entries by this key")]
    Key(#[source] BodyError),
    /// Pure Ed25519 signs the message itself, which a log never sees.
    #[error("logs take Ed25519 signatures over a digest only (Ed25519ph)")]
    PureEd25519,
    /// The signature does not hold.
    #[error("signature of the entry does not hold")]
    Signature(#[source] BodyError),
    /// More bytes than an entry may have.
    #[error("entry of {found} bytes, of at most {limit}")]
    TooLarge {
        /// Bytes of an entry at most.
        limit: usize,
        /// Bytes of this one.
        found: usize,
    },
}

impl UnloggableError {
    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::DigestLength { .. } => "rekor.unloggable.digest-length",
            Self::Key(_) => "rekor.unloggable.key",
            Self::PureEd25519 => "rekor.unloggable.pure-ed25519",
            Self::Signature(_) => "rekor.unloggable.signature",
            Self::TooLarge { .. } => "rekor.unloggable.too-large",
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::DigestLength { .. } => {
                "use SHA-256 with P-256 and RSA, SHA-384 with P-384, SHA-512 with Ed25519ph"
            }
            Self::Key(_) => "use a P-256, P-384, Ed25519 or RSA key of 2048, 3072 or 4096 bits",
            Self::PureEd25519 => {
                "sign the SHA-512 digest with Ed25519ph and the same key, and log that signature"
            }
            Self::Signature(_) => "sign the digest that is logged, with the key that is logged",
            Self::TooLarge { .. } => "log the public key instead of a long certificate",
        }
    }
}

/// Checks an entry as the log will.
pub(super) fn check(rekord: &HashedRekord) -> Result<(), UnloggableError> {
    if rekord.details == KeyDetails::Ed25519 {
        return Err(UnloggableError::PureEd25519);
    }
    let (expected, found) = (rekord.hash.len(), rekord.digest.len());
    if expected != found {
        return Err(UnloggableError::DigestLength { expected, found });
    }
    let (limit, found) = (MAX_BODY, rekord.to_body().len());
    if found > limit {
        return Err(UnloggableError::TooLarge { limit, found });
    }
    match rekord.check_signature() {
        Ok(_) => Ok(()),
        // This build cannot know; the log can.
        Err(BodyError::Signature(error)) if error.is_not_checkable() => Ok(()),
        Err(error @ BodyError::Signature(_)) => Err(UnloggableError::Signature(error)),
        Err(error) => Err(UnloggableError::Key(error)),
    }
}
