//! What the reader of a JWS refuses.

use genten_manifest::{KeyId, KeyIdError};
use genten_primitives::json::JsonError;
use genten_primitives::key::KeyKind;
use genten_primitives::signature::SignatureError;

use crate::{Algorithm, Typ};

/// Which rule a protected header breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// No `alg`.
    #[error("header has no alg")]
    AlgMissing,
    /// `alg` is `none`, in whatever case: not signed at all.
    #[error("alg is none: not signed")]
    AlgNone,
    /// An algorithm outside the profile.
    #[error("alg {found:?} is neither ES256 nor EdDSA")]
    AlgUnsupported {
        /// The value of `alg`.
        found: String,
    },
    /// `b64` (RFC 7797), whatever its value.
    #[error("header has b64")]
    B64,
    /// `crit` (RFC 7515 section 4.1.11), whatever its value.
    #[error("header has crit")]
    Crit,
    /// Two members with one name.
    #[error("header has a member twice")]
    DuplicateMember(#[source] JsonError),
    /// Not canonical base64url without padding.
    #[error("header is not canonical base64url")]
    Encoding,
    /// Not strict JSON.
    #[error("header is not strict json")]
    Json(#[source] JsonError),
    /// A key, or where to get one, that the message brings along.
    #[error("header has {member}: a key from the message itself is never used")]
    KeyReference {
        /// `jwk`, `jku` or `x5u`.
        member: &'static str,
    },
    /// `kid` is no key id.
    #[error("kid is no key id")]
    Kid(#[source] KeyIdError),
    /// No `kid`.
    #[error("header has no kid")]
    KidMissing,
    /// JSON, but no object.
    #[error("header is no json object")]
    NotObject,
    /// Longer than [`MAX_HEADER_BYTES`](crate::MAX_HEADER_BYTES).
    #[error("header of {found} base64url characters, {limit} allowed")]
    TooLong {
        /// Characters allowed.
        limit: usize,
        /// Characters found.
        found: usize,
    },
    /// No `typ`.
    #[error("header has no typ")]
    TypMissing,
    /// `typ` names another kind of message.
    #[error("typ {found:?} instead of {expected}")]
    TypOther {
        /// The kind wanted.
        expected: Typ,
        /// The value of `typ`.
        found: String,
    },
    /// A member that the profile does not know.
    #[error("header has the unknown member {member:?}")]
    UnknownMember {
        /// The member's name.
        member: String,
    },
    /// `typ` names the right kind in a later version: no fault, but nothing that this version can judge.
    #[error("typ {found:?} is a later version of {known}")]
    UnsupportedVersion {
        /// The version known here.
        known: Typ,
        /// The value of `typ`.
        found: String,
    },
    /// A member of another JSON type than its own.
    #[error("header member {member} has the wrong json type")]
    WrongType {
        /// The member's name.
        member: &'static str,
    },
    /// `x5c` is not an array of one to ten certificates in base64.
    #[error("x5c is not a list of base64 certificates")]
    X5c,
    /// `x5t#S256` is not the base64url of 32 bytes.
    #[error("x5t#S256 is not the base64url of a SHA-256 digest")]
    X5t,
    /// `x5t#S256` is not the digest of the first certificate of `x5c`.
    #[error("x5t#S256 is not the digest of the certificate in x5c")]
    X5tMismatch,
}

impl HeaderError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AlgMissing => "jws.alg.missing",
            Self::AlgNone => "jws.alg.none",
            Self::AlgUnsupported { .. } => "jws.alg.unsupported",
            Self::B64 => "jws.header.b64",
            Self::Crit => "jws.header.crit",
            Self::DuplicateMember(_) => "jws.header.duplicate-member",
            Self::Encoding => "jws.header.encoding",
            Self::Json(_) => "jws.header.json",
            Self::KeyReference { .. } => "jws.header.key-reference",
            Self::Kid(_) => "jws.kid.malformed",
            Self::KidMissing => "jws.kid.missing",
            Self::NotObject => "jws.header.not-object",
            Self::TooLong { .. } => "jws.header.too-long",
            Self::TypMissing => "jws.typ.missing",
            Self::TypOther { .. } => "jws.typ.other",
            Self::UnknownMember { .. } => "jws.header.unknown-member",
            Self::UnsupportedVersion { known: Typ::Manifest, .. } => "manifest.unsupported-version",
            Self::UnsupportedVersion { known: Typ::Batch, .. } => "batch.unsupported-version",
            Self::WrongType { .. } => "jws.header.wrong-type",
            Self::X5c => "jws.header.x5c",
            Self::X5t => "jws.header.x5t",
            Self::X5tMismatch => "jws.header.x5t-mismatch",
        }
    }
}

/// Why a text is no JWS of the profile, or does not cover a payload under a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JwsError {
    /// The header names another algorithm than the key has.
    #[error("header says {header}, the key is for {key}")]
    AlgorithmMismatch {
        /// The algorithm in the header.
        header: Algorithm,
        /// The algorithm of the key.
        key: Algorithm,
    },
    /// The protected header breaks a rule.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The JSON serialization (RFC 7515 section 7.2), which can hold several signatures.
    #[error("json serialization of a jws, only the compact one is accepted")]
    JsonSerialization,
    /// A key that signs no manifests: neither P-256 nor Ed25519.
    #[error("a {key} key signs no manifests")]
    KeyUnsupported {
        /// The key's kind.
        key: KeyKind,
    },
    /// `kid` is not the signer that the message names.
    #[error("kid {found} instead of {expected}")]
    KidMismatch {
        /// The signer that the message names.
        expected: KeyId,
        /// The value of `kid`.
        found: KeyId,
    },
    /// Not three parts.
    #[error("{found} parts instead of header, payload and signature")]
    Parts {
        /// Parts found.
        found: usize,
    },
    /// The attached payload is not canonical base64url.
    #[error("payload is not canonical base64url")]
    PayloadEncoding,
    /// The attached payload is another than the one to be covered.
    #[error("attached payload differs from the one to be covered")]
    PayloadMismatch,
    /// A payload was to be attached.
    #[error("no payload is attached")]
    PayloadMissing,
    /// The signature does not verify under the key.
    #[error("signature does not hold")]
    Signature(#[from] SignatureError),
    /// The signature is ASN.1 DER instead of R and S.
    #[error("signature is asn.1 der instead of 64 bytes R and S")]
    SignatureDer,
    /// The signature is not canonical base64url without padding.
    #[error("signature is not canonical base64url")]
    SignatureEncoding,
    /// The signature does not have 64 bytes.
    #[error("signature has {found} bytes instead of 64")]
    SignatureLength {
        /// Bytes found.
        found: usize,
    },
    /// Longer than [`MAX_JWS_BYTES`](crate::MAX_JWS_BYTES).
    #[error("jws of {found} bytes, {limit} allowed")]
    TooLong {
        /// Bytes allowed.
        limit: usize,
        /// Bytes found.
        found: usize,
    },
}

impl JwsError {
    /// Whether nothing is wrong but that the message is of a later version, which may have rules of its own.
    pub const fn is_later_version(&self) -> bool {
        matches!(self, Self::Header(HeaderError::UnsupportedVersion { .. }))
    }

    /// All codes, those of the header among them.
    pub const CODES: &'static [&'static str] = &[
        "batch.unsupported-version",
        "jws.alg.mismatch",
        "jws.alg.missing",
        "jws.alg.none",
        "jws.alg.unsupported",
        "jws.header.b64",
        "jws.header.crit",
        "jws.header.duplicate-member",
        "jws.header.encoding",
        "jws.header.json",
        "jws.header.key-reference",
        "jws.header.not-object",
        "jws.header.too-long",
        "jws.header.unknown-member",
        "jws.header.wrong-type",
        "jws.header.x5c",
        "jws.header.x5t",
        "jws.header.x5t-mismatch",
        "jws.json-serialization",
        "jws.key.unsupported",
        "jws.kid.malformed",
        "jws.kid.mismatch",
        "jws.kid.missing",
        "jws.parts",
        "jws.payload.encoding",
        "jws.payload.mismatch",
        "jws.payload.missing",
        "jws.signature.der",
        "jws.signature.encoding",
        "jws.signature.length",
        "jws.signature.malformed",
        "jws.signature.mismatch",
        "jws.too-long",
        "jws.typ.missing",
        "jws.typ.other",
        "manifest.unsupported-version",
    ];

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AlgorithmMismatch { .. } => "jws.alg.mismatch",
            Self::Header(error) => error.code(),
            Self::JsonSerialization => "jws.json-serialization",
            Self::KeyUnsupported { .. } => "jws.key.unsupported",
            Self::KidMismatch { .. } => "jws.kid.mismatch",
            Self::Parts { .. } => "jws.parts",
            Self::PayloadEncoding => "jws.payload.encoding",
            Self::PayloadMismatch => "jws.payload.mismatch",
            Self::PayloadMissing => "jws.payload.missing",
            Self::Signature(SignatureError::Malformed) => "jws.signature.malformed",
            Self::Signature(_) => "jws.signature.mismatch",
            Self::SignatureDer => "jws.signature.der",
            Self::SignatureEncoding => "jws.signature.encoding",
            Self::SignatureLength { .. } => "jws.signature.length",
            Self::TooLong { .. } => "jws.too-long",
        }
    }
}
