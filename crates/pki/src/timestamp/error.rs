//! Why a timestamp is not accepted.

use std::fmt;

use genten_primitives::signature::SignatureError;
use genten_primitives::{Sha256Digest, Timestamp};

use super::hash::{HashAlgorithm, HashValue};
use super::{MAX_ATTRIBUTES, MAX_EMBEDDED, MAX_TIMESTAMP};
use crate::{CertificateError, Oid, SignatureAlgorithm, Validity};

/// Which hash of a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimestampPart {
    /// Of the TSTInfo, in the signed attribute messageDigest.
    Content,
    /// Of the stamped bytes.
    Imprint,
    /// Of the signer's certificate, in the signed attribute signingCertificateV2.
    SigningCertificate,
}

/// Whom a token names as its signer (RFC 5652 section 5.3, SignerIdentifier).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimestampSigner {
    /// By certificate.
    IssuerAndSerial {
        /// The text of the certificate's issuer ([`Name`](crate::Name)).
        issuer: String,
        /// The certificate's serial number: lower-case hexadecimal of its DER content.
        serial: String,
    },
    /// By key.
    SubjectKeyId {
        /// The subject key identifier in lower-case hexadecimal.
        id: String,
    },
}

/// Why a timestamp is not accepted: one variant per rule, in the order of checking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimestampError {
    /// More bytes than [`MAX_TIMESTAMP`].
    #[error("timestamp of {length} bytes, of at most {MAX_TIMESTAMP}")]
    TooLarge {
        /// Its length in bytes.
        length: usize,
    },
    /// Not the DER of exactly one TimeStampResp or TimeStampToken with the versions of RFC 3161 and RFC 5652.
    #[error("not the der of one timestamp (byte {offset})")]
    Malformed {
        /// Where reading stopped, within the innermost part that was read.
        offset: u32,
    },
    /// The authority did not grant the request (RFC 3161 section 2.4.2, PKIStatus).
    #[error("timestamp authority refused the request with status {status}")]
    Refused {
        /// 2 rejection, 3 waiting, 4 and 5 revocation; other numbers have no meaning.
        status: u8,
    },
    /// An answer that grants the request and has no token.
    #[error("timestamp answer has no token")]
    TokenMissing,
    /// Another CMS content than signed data.
    #[error("content type {found} instead of signed data")]
    NotSignedData {
        /// What it is.
        found: Oid,
    },
    /// Signed data, but not over a TSTInfo.
    #[error("signed content of type {found} instead of timestamp information")]
    NotTimestamp {
        /// What it is.
        found: Oid,
    },
    /// The TSTInfo itself is not in the token.
    #[error("token does not hold its signed content")]
    ContentMissing,
    /// The TSTInfo has a critical extension, of which none is understood.
    #[error("timestamp has the critical extension {oid}, which is not understood")]
    CriticalExtension {
        /// The extension.
        oid: Oid,
    },
    /// More embedded certificates than [`MAX_EMBEDDED`].
    #[error("token with {found} certificates, of at most {MAX_EMBEDDED}")]
    TooManyCertificates {
        /// How many there are.
        found: usize,
    },
    /// No signer, or several (RFC 3161 section 2.4.2).
    #[error("token of {found} signers instead of 1")]
    SignerCount {
        /// How many there are.
        found: usize,
    },
    /// No signed attributes: the signature would be over the content alone.
    #[error("token has no signed attributes")]
    AttributesMissing,
    /// More signed attributes than [`MAX_ATTRIBUTES`].
    #[error("token with {found} signed attributes, of at most {MAX_ATTRIBUTES}")]
    TooManyAttributes {
        /// How many there are.
        found: usize,
    },
    /// The same signed attribute twice.
    #[error("token has the signed attribute {oid} twice")]
    AttributeRepeated {
        /// The attribute.
        oid: Oid,
    },
    /// A signed attribute with no value, or several.
    #[error("signed attribute {oid} of {found} values instead of 1")]
    AttributeValues {
        /// The attribute.
        oid: Oid,
        /// How many values it has.
        found: usize,
    },
    /// A signed attribute that must be there is not. Of signingCertificateV2 and signingCertificate one is enough.
    #[error("token lacks the signed attribute {oid}")]
    AttributeMissing {
        /// The attribute.
        oid: Oid,
    },
    /// The signed attribute contentType names another type than TSTInfo.
    #[error("signed attribute says that the content is {found}")]
    ContentTypeAttribute {
        /// What it names.
        found: Oid,
    },
    /// No authority given is the signer: the trust kit does not hold it. Nothing is known about the signature.
    #[error("timestamp authority with {signer} is not known")]
    UnknownAuthority {
        /// Whom the token names.
        signer: TimestampSigner,
    },
    /// An embedded certificate that is none of the authority's cannot be read.
    #[error("embedded certificate {index} is unreadable")]
    EmbeddedCertificate {
        /// Its place among the embedded certificates, the first being 0.
        index: usize,
        /// What is wrong with it.
        source: CertificateError,
    },
    /// The token embeds another certificate as the signer's than the authority has.
    #[error("token embeds {found} as its signer's certificate, the authority has {expected}")]
    EmbeddedSigner {
        /// SHA-256 of the authority's certificate.
        expected: Sha256Digest,
        /// SHA-256 of the embedded one.
        found: Sha256Digest,
    },
    /// The token embeds a certificate that is neither the authority's nor one of a CA: it could only pass for the signer's.
    #[error("token embeds {sha256}, a certificate of somebody else")]
    EmbeddedStranger {
        /// SHA-256 of the certificate.
        sha256: Sha256Digest,
    },
    /// A hash by SHA-1 or MD5.
    #[error("hash algorithm {algorithm} ({part:?}) is broken")]
    HashWeak {
        /// Which hash.
        part: TimestampPart,
        /// Its algorithm.
        algorithm: Oid,
    },
    /// A hash that this library cannot calculate: nothing is known about it.
    #[error("no check for hashes by {algorithm} ({part:?})")]
    HashNotCheckable {
        /// Which hash.
        part: TimestampPart,
        /// Its algorithm.
        algorithm: Oid,
    },
    /// The signed attribute messageDigest is not the hash of the TSTInfo.
    #[error("content has the hash {calculated}, the signed attribute says {expected}")]
    MessageDigest {
        /// The attribute.
        expected: HashValue,
        /// The hash of the content.
        calculated: HashValue,
    },
    /// The signed attribute signingCertificateV2 or signingCertificate means another certificate, by its hash.
    #[error("signer certificate has the hash {calculated}, the signed attribute says {expected}")]
    SigningCertificate {
        /// The first hash of the attribute.
        expected: HashValue,
        /// The hash of the authority's certificate.
        calculated: HashValue,
    },
    /// The signed attribute signingCertificateV2 or signingCertificate means another certificate, by issuer or serial
    /// number.
    #[error(
        "signed attribute names another issuer or serial number than the signer certificate has"
    )]
    SigningCertificateIssuer,
    /// Signed by MD5, SHA-1 or the like.
    #[error("signature algorithm {algorithm} is broken")]
    SignatureWeak {
        /// The algorithm that the token names.
        algorithm: SignatureAlgorithm,
    },
    /// The signature is by another hash algorithm than the token names beside it (RFC 5652 section 5.4, RFC 8419 section
    /// 3.1).
    #[error("signature algorithm {algorithm} does not go with {hash}")]
    SignatureHash {
        /// The algorithm that the token names.
        algorithm: SignatureAlgorithm,
        /// The hash algorithm that the token names.
        hash: HashAlgorithm,
    },
    /// This build or this library has no way to check the signature: nothing is known about it.
    #[error("no check for signatures by {algorithm} under the authority's key")]
    SignatureNotCheckable {
        /// The algorithm that the token names.
        algorithm: SignatureAlgorithm,
    },
    /// Another key made the signature, or the signed attributes were changed.
    #[error("timestamp signature does not verify")]
    Signature(#[source] SignatureError),
    /// A certificate of the authority was not valid at the time of the stamp.
    #[error("stamped at {gen_time}, certificate {sha256} is valid from {} to {}", .validity.not_before, .validity.not_after)]
    Validity {
        /// SHA-256 of the certificate.
        sha256: Sha256Digest,
        /// The time of the stamp.
        gen_time: Timestamp,
        /// When the certificate may be used.
        validity: Validity,
    },
    /// A signature in the authority's chain that this build or this library cannot check.
    #[error("no check for signatures by {algorithm} in the authority's chain")]
    PathNotCheckable {
        /// The algorithm that a certificate names.
        algorithm: SignatureAlgorithm,
    },
    /// Stamped outside the time in which the trust kit relies on this authority.
    #[error("stamped at {gen_time}, outside the time for which the authority is trusted")]
    OutsideWindow {
        /// The time of the stamp: rounded down when it is too early, up when it is too late.
        gen_time: Timestamp,
        /// First moment of the window.
        from: Option<Timestamp>,
        /// Last moment of the window.
        until: Option<Timestamp>,
    },
    /// The hash in the token has not the length of its algorithm.
    #[error("imprint of {found} bytes is none by {algorithm}")]
    ImprintLength {
        /// The algorithm.
        algorithm: HashAlgorithm,
        /// The length in bytes.
        found: usize,
    },
    /// The token is about other bytes.
    #[error("stamped bytes have the hash {calculated}, the token says {expected}")]
    Imprint {
        /// The token's.
        expected: HashValue,
        /// That of the bytes given.
        calculated: HashValue,
    },
}

impl TimestampError {
    /// Whether the token contradicts what it is to show: no other trust kit and no other build would accept it.
    ///
    /// Otherwise it only falls short, and nothing in it speaks against the stamp: the trust kit does not hold the authority,
    /// or does not rely on it at that time (another kit may, with a window of its own), or an algorithm cannot be checked
    /// here. A certificate that was not valid at the time of the stamp is a contradiction: the authority's own papers say
    /// that it could not stamp then. An error that is no contradiction hides none that can be seen without what is missing.
    pub fn is_contradiction(&self) -> bool {
        !matches!(
            self,
            Self::UnknownAuthority { .. }
                | Self::HashNotCheckable { .. }
                | Self::SignatureNotCheckable { .. }
                | Self::PathNotCheckable { .. }
                | Self::OutsideWindow { .. }
        )
    }

    /// How far an authority came that was tried: of several errors the one that came furthest tells most. One authority
    /// that only falls short outweighs all that contradict.
    pub(super) fn stage(&self) -> u8 {
        match self {
            Self::OutsideWindow { .. } => 6,
            Self::PathNotCheckable { .. } => 5,
            Self::SignatureNotCheckable { .. } | Self::HashNotCheckable { .. } => 4,
            Self::Validity { .. } => 3,
            Self::Signature(_) => 2,
            Self::SigningCertificate { .. } | Self::SigningCertificateIssuer => 1,
            _ => 0,
        }
    }

    pub(super) fn malformed(error: &der::Error) -> Self {
        Self::Malformed { offset: crate::asn1::offset(error) }
    }
}

impl fmt::Display for TimestampSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IssuerAndSerial { issuer, serial } => {
                write!(f, "the certificate {serial} issued by {issuer:?}")
            }
            Self::SubjectKeyId { id } => write!(f, "the key {id}"),
        }
    }
}
