//! Why no key was found behind an id.

use genten_primitives::Sha256Digest;
use genten_primitives::key::{KeyError, KeyKind};
use genten_primitives::time::TimestampError;

/// Why the id, the document or the certificate gives no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyLookupError {
    /// Not multibase `z` with base58btc.
    #[error("key is not base58btc")]
    Base58,
    /// A did:jwk that is not canonical base64url.
    #[error("jwk in the id is not canonical base64url")]
    Base64Url,
    /// Not the DER shape of a certificate, or a subjectAltName that is malformed or doubled.
    #[error("certificate is malformed at byte {offset}")]
    Certificate {
        /// Where reading stopped.
        offset: u32,
    },
    /// A verification method whose `controller` is not the document's own DID.
    #[error("verification method is controlled by {found:?}, not by the document's subject")]
    Controller {
        /// The value of `controller`.
        found: String,
    },
    /// Two verification methods of the document have this id: which key is meant is open.
    #[error("DID document has two verification methods {id:?}")]
    DuplicateMethod {
        /// The id, absolute.
        id: String,
    },
    /// `expires` or `revoked` of a verification method is no time that we read.
    #[error("time of the verification method's end cannot be read")]
    EndTime(#[from] TimestampError),
    /// The fragment is not that of the id's only key.
    #[error("fragment does not name the key in the id")]
    Fragment,
    /// The key itself breaks a rule.
    #[error("key is malformed")]
    Key(#[from] KeyError),
    /// Neither `publicKeyJwk` nor `publicKeyMultibase`, or both.
    #[error("verification method has {found} keys that can be read instead of one")]
    KeyMaterial {
        /// How many of the two members are present.
        found: usize,
    },
    /// A key that signs no manifests.
    #[error("a {key} key signs no manifests")]
    KeyUnsupported {
        /// The key's kind.
        key: KeyKind,
    },
    /// No verification method has this id.
    #[error("DID document has no verification method of this id")]
    MethodMissing,
    /// A multicodec prefix other than `ed25519-pub` and `p256-pub`, or a key of another length.
    #[error("multicodec names no Ed25519 or P-256 key of the right length")]
    Multicodec,
    /// The verification method is not listed under `assertionMethod`.
    #[error("verification method is not for assertions")]
    NotForAssertion,
    /// The certificate does not hold the id as a URI in its subjectAltName.
    #[error("certificate does not hold the key id")]
    NotInCertificate,
    /// The id or certificate is for another key.
    #[error("key {found} instead of {expected}")]
    OtherKey {
        /// Thumbprint of the key wanted.
        expected: Sha256Digest,
        /// Thumbprint of the key found.
        found: Sha256Digest,
    },
    /// A member of the DID document that is absent or of another JSON type than its own.
    #[error("member {member} of the DID document is missing or has the wrong json type")]
    Shape {
        /// The member's name.
        member: &'static str,
    },
}

impl KeyLookupError {
    /// All codes.
    pub const CODES: &'static [&'static str] = &[
        "key-id.base58",
        "key-id.base64url",
        "key-id.certificate",
        "key-id.document.controller",
        "key-id.document.duplicate-method",
        "key-id.document.end-time",
        "key-id.document.key-material",
        "key-id.document.method-missing",
        "key-id.document.not-for-assertion",
        "key-id.document.shape",
        "key-id.fragment",
        "key-id.key",
        "key-id.key-unsupported",
        "key-id.multicodec",
        "key-id.not-in-certificate",
        "key-id.other-key",
    ];

    /// Whether the key may be a good one, of a kind that signs no manifests.
    pub(super) fn is_other_kind(&self) -> bool {
        matches!(
            self,
            Self::Key(KeyError::CurveUnsupported | KeyError::Unsupported)
                | Self::KeyUnsupported { .. }
                | Self::Multicodec
        )
    }

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Base58 => "key-id.base58",
            Self::Base64Url => "key-id.base64url",
            Self::Certificate { .. } => "key-id.certificate",
            Self::Controller { .. } => "key-id.document.controller",
            Self::DuplicateMethod { .. } => "key-id.document.duplicate-method",
            Self::EndTime(_) => "key-id.document.end-time",
            Self::Fragment => "key-id.fragment",
            Self::Key(_) => "key-id.key",
            Self::KeyMaterial { .. } => "key-id.document.key-material",
            Self::KeyUnsupported { .. } => "key-id.key-unsupported",
            Self::MethodMissing => "key-id.document.method-missing",
            Self::Multicodec => "key-id.multicodec",
            Self::NotForAssertion => "key-id.document.not-for-assertion",
            Self::NotInCertificate => "key-id.not-in-certificate",
            Self::OtherKey { .. } => "key-id.other-key",
            Self::Shape { .. } => "key-id.document.shape",
        }
    }
}
