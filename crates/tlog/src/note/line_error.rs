//! Why a signature line of a known key is not accepted.

use genten_primitives::signature::SignatureError;

/// Why a signature line of a known key is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// A blob of another length than a cosignature has.
    #[error("cosignature has {found} bytes instead of {expected}")]
    CosignatureLength {
        /// Bytes of a time and a signature.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The signature itself.
    #[error("signature is not accepted")]
    Signature(#[from] SignatureError),
    /// A time beyond 2^63 - 1.
    #[error("time {found} is beyond 2^63 - 1")]
    TimeRange {
        /// The time given.
        found: u64,
    },
    /// A cosignature that says nothing about when.
    #[error("cosignature has the time 0")]
    TimeZero,
    /// A tree head signature by another algorithm than the key's.
    #[error("tree head signature of algorithm {found:?} instead of {expected:?}")]
    TreeHeadAlgorithm {
        /// Hash and signature algorithm (RFC 5246 section 7.4.1.4.1) of the key.
        expected: [u8; 2],
        /// Those given.
        found: [u8; 2],
    },
    /// A tree head signature whose lengths do not add up.
    #[error("tree head signature is cut off or followed by other bytes")]
    TreeHeadLength,
}
