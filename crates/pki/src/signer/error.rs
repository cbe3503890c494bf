//! Why a certificate does not make its key a signer's key.

use genten_primitives::{Sha256Digest, Timestamp};

use crate::certificate::whole_seconds;
use crate::path_algorithm::PATH_ALGORITHMS;
use crate::{MAX_CHAIN, SignatureAlgorithm};

/// Why a certificate does not make its key a signer's key: one variant per rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// The signer's certificate is one of a CA.
    #[error("signer certificate belongs to a CA")]
    CaAsLeaf,
    /// A certificate has a critical extension that is not understood (RFC 5280 section 4.2).
    #[error("a certificate has a critical extension that is not understood")]
    CriticalExtension,
    /// More issuers in a row than the path builder follows.
    #[error("path is too long")]
    Depth,
    /// A certificate's validity is over.
    #[error("a certificate expired at {not_after}, before {at}")]
    Expired {
        /// The time asked for.
        at: Timestamp,
        /// End of the validity.
        not_after: Timestamp,
    },
    /// The key purposes of a certificate in the path are none of a signer.
    #[error("certificate {sha256} is not for signers by its extended key usage")]
    ExtendedKeyUsage {
        /// The certificate, the signer's or an issuer's.
        sha256: Sha256Digest,
    },
    /// An issuer whose key usage does not allow signing certificates.
    #[error("certificate {sha256} may not sign certificates by its key usage")]
    IssuerKeyUsage {
        /// The issuer.
        sha256: Sha256Digest,
    },
    /// An issuer that is not a CA.
    #[error("an issuer in the path is not a CA")]
    IssuerNotCa,
    /// The key id is none of the URIs in the signer certificate's subjectAltName.
    #[error("key id {key_id:?} is no URI in the signer certificate")]
    KeyIdNotInCertificate {
        /// The key id.
        key_id: String,
    },
    /// The authority may not certify this key id.
    #[error("key id {key_id:?} matches no san_uri pattern of the authority")]
    KeyIdNotCovered {
        /// The key id.
        key_id: String,
    },
    /// The signer certificate has a key usage without digitalSignature.
    #[error("signer certificate may not sign by its key usage")]
    KeyUsage,
    /// A certificate or its name constraints cannot be read by the path builder.
    #[error("a certificate in the path is malformed")]
    Malformed,
    /// A name violates the constraints of an issuer (RFC 5280 section 4.2.1.10).
    #[error("a name is outside the name constraints of an issuer")]
    NameConstraints,
    /// No moment at which all certificates of a path are valid.
    #[error("the certificates were never valid at the same time")]
    NeverValid,
    /// A certificate is not valid yet.
    #[error("a certificate is not valid before {not_before}, after {at}")]
    NotYetValid {
        /// The time asked for.
        at: Timestamp,
        /// Beginning of the validity.
        not_before: Timestamp,
    },
    /// More CAs below an issuer than it allows (RFC 5280 section 4.2.1.9).
    #[error("path is longer than an issuer allows")]
    PathLength,
    /// A certificate of the path is revoked by the trust kit.
    #[error("certificate {sha256} is revoked")]
    Revoked {
        /// The certificate.
        sha256: Sha256Digest,
    },
    /// A signature in the path does not verify.
    #[error("a signature in the path does not verify")]
    Signature,
    /// A signature in the path that this build or this library cannot check.
    #[error("no check for signatures by {algorithm} under the issuer's key")]
    SignatureNotCheckable {
        /// The algorithm that the certificate names.
        algorithm: SignatureAlgorithm,
    },
    /// A signature in the path by MD5, SHA-1 or the like.
    #[error("signature algorithm {algorithm} is broken")]
    SignatureWeak {
        /// The algorithm that the certificate names.
        algorithm: SignatureAlgorithm,
    },
    /// The search for a path took more work than it may.
    #[error("the certificates offer too many paths")]
    TooComplex,
    /// More certificates than [`MAX_CHAIN`].
    #[error("chain of {found} certificates, of at most {MAX_CHAIN}")]
    TooManyCertificates {
        /// How many there are.
        found: usize,
    },
    /// No chain of names and signatures leads to a root of the authority.
    #[error("no path to a root of the authority")]
    UnknownIssuer,
    /// An issuer constrains URIs, which no library checks for us: the path may be fine.
    #[error("an issuer constrains uris, which cannot be checked")]
    UriConstraintsUnsupported,
}

impl ChainError {
    /// Translates the path builder's answer at the time `at`.
    pub(crate) fn from_path_builder(error: webpki::Error, at: Timestamp) -> Self {
        use webpki::Error as E;
        match error {
            E::UnknownIssuer => Self::UnknownIssuer,
            E::CertExpired { not_after, .. } => whole_seconds(not_after.as_secs())
                .map_or(Self::Malformed, |not_after| Self::Expired { at, not_after }),
            E::CertNotValidYet { not_before, .. } => whole_seconds(not_before.as_secs())
                .map_or(Self::Malformed, |not_before| Self::NotYetValid { at, not_before }),
            E::InvalidSignatureForPublicKey => Self::Signature,
            E::UnsupportedSignatureAlgorithmContext(context) => {
                Self::unsupported(&context.signature_algorithm_id)
            }
            E::UnsupportedSignatureAlgorithmForPublicKeyContext(context) => {
                Self::unfitting(&context.signature_algorithm_id, &context.public_key_algorithm_id)
            }
            E::CaUsedAsEndEntity => Self::CaAsLeaf,
            E::EndEntityUsedAsCa => Self::IssuerNotCa,
            E::NameConstraintViolation => Self::NameConstraints,
            E::PathLenConstraintViolated => Self::PathLength,
            E::MaximumPathDepthExceeded => Self::Depth,
            E::UnsupportedCriticalExtension => Self::CriticalExtension,
            E::MaximumPathBuildCallsExceeded
            | E::MaximumSignatureChecksExceeded
            | E::MaximumNameConstraintComparisonsExceeded => Self::TooComplex,
            _ => Self::Malformed,
        }
    }

    fn unsupported(algorithm: &[u8]) -> Self {
        match SignatureAlgorithm::from_identifier(algorithm) {
            Ok(algorithm @ SignatureAlgorithm::Weak(_)) => Self::SignatureWeak { algorithm },
            Ok(algorithm) => Self::SignatureNotCheckable { algorithm },
            Err(_) => Self::Malformed,
        }
    }

    /// A known algorithm under a known key that it does not fit is a wrong signature.
    fn unfitting(algorithm: &[u8], key: &[u8]) -> Self {
        let known = PATH_ALGORITHMS.iter().any(|pair| pair.public_key_alg_id().as_ref() == key);
        if known { Self::Signature } else { Self::unsupported(algorithm) }
    }
}
