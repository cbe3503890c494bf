//! What can be wrong with a public key.

use super::KeyKind;
use super::pem::PemError;
use crate::encoding::EncodingError;
use crate::json::JsonError;

/// Why some bytes are not a public key that signatures can be checked with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// Not the DER shape of a certificate (RFC 5280 section 4.1).
    #[error("not the DER of one certificate (byte {offset})")]
    CertificateDer {
        /// Where reading stopped.
        offset: u32,
    },
    /// A PEM certificate where a bare public key is wanted.
    #[error("a certificate, not a public key")]
    CertificatePem,
    /// An elliptic curve other than P-256, P-384 and Ed25519.
    #[error("elliptic curve not supported")]
    CurveUnsupported,
    /// 32 bytes that encode no point of edwards25519.
    #[error("not a point of edwards25519")]
    Ed25519NotOnCurve,
    /// A point with a second, non-canonical spelling (RFC 8032 section 5.1.3).
    #[error("ed25519 key in non-canonical encoding")]
    Ed25519NonCanonical,
    /// A point of small order: a signature under it says nothing about the message.
    #[error("ed25519 key of small order")]
    Ed25519SmallOrder,
    /// The JWK is not strict JSON.
    #[error("jwk is not strict json")]
    Json(#[from] JsonError),
    /// The JWK is made for another algorithm than its key has.
    #[error("jwk is for the algorithm {found:?}, which is not one of a {key} key")]
    JwkAlgorithm {
        /// The key's kind.
        key: KeyKind,
        /// The value of `alg`.
        found: String,
    },
    /// A member that is not canonical base64url.
    #[error("jwk member {member} is not canonical base64url")]
    JwkEncoding {
        /// The member's name.
        member: &'static str,
        /// Which rule it broke.
        source: EncodingError,
    },
    /// `key_ops` or `use` does not allow what the key is wanted for, or repeats itself (RFC 7517 sections 4.2, 4.3).
    #[error("jwk member {member} does not allow signatures")]
    JwkForbidden {
        /// `use` or `key_ops`.
        member: &'static str,
    },
    /// A coordinate or number of another length.
    #[error("jwk member {member} has {found} bytes instead of {expected}")]
    JwkLength {
        /// The member's name.
        member: &'static str,
        /// Bytes that it must have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// A required member that is absent.
    #[error("jwk has no member {member}")]
    JwkMissing {
        /// The member's name.
        member: &'static str,
    },
    /// Private or secret members (`d`, `p`, `k` …) where a public key is wanted.
    #[error("jwk holds a private key (member {member})")]
    JwkPrivate {
        /// The first private member found.
        member: &'static str,
    },
    /// A member of another JSON type than its own.
    #[error("jwk member {member} has the wrong json type")]
    JwkType {
        /// The member's name; `$` for the JWK itself.
        member: &'static str,
    },
    /// No strict PEM text of one block.
    #[error("not a pem text of one block")]
    Pem(#[from] PemError),
    /// A PEM block that holds something else than a public key.
    #[error("pem block holds {found:?} instead of a public key")]
    PemLabel {
        /// The block's label.
        found: String,
    },
    /// Not the DER of an RSAPublicKey, bare or inside a SubjectPublicKeyInfo.
    #[error("not the DER of one RSAPublicKey (byte {offset})")]
    Pkcs1Der {
        /// Where reading stopped.
        offset: u32,
    },
    /// A SEC1 point of another length or form, or not on the curve.
    #[error("not a point of {curve}")]
    Point {
        /// The curve.
        curve: KeyKind,
    },
    /// A PEM private key where a public key is wanted.
    #[error("a private key, not a public key")]
    PrivateKeyPem,
    /// An RSA exponent that is even, below 3, longer than 33 bits or written with leading zeros.
    #[error("rsa exponent is even, too small or too large")]
    RsaExponent,
    /// An RSA modulus that is even, shorter than 2048 or longer than 8192 bits, or written with leading zeros.
    #[error("rsa modulus of {bits} bits is not an odd number of 2048 to 8192 bits")]
    RsaModulus {
        /// Length of the modulus.
        bits: usize,
    },
    /// Not the DER of a SubjectPublicKeyInfo.
    #[error("not the DER of one SubjectPublicKeyInfo (byte {offset})")]
    SpkiDer {
        /// Where reading stopped.
        offset: u32,
    },
    /// A key algorithm other than ECDSA, Ed25519 and RSA, or a JWK of another `kty`.
    #[error("key algorithm not supported")]
    Unsupported,
}
