//! Public keys: P-256, P-384, Ed25519 and RSA, prepared once and used for any number of signature checks.
//!
//! A key is read from a SubjectPublicKeyInfo (DER or PEM), a JWK, a certificate, or its bare bytes. Whatever it was read
//! from, equal keys are equal and print the same SPKI, JWK and thumbprint. Keys that no signature can be trusted under
//! (points off the curve, Ed25519 points of small order, short RSA moduli) do not parse.

mod certificate;
mod details;
mod error;
mod jwk;
pub mod pem;
mod rsa;
mod spki;

use std::fmt;
use std::sync::{Arc, OnceLock};

pub use details::{KeyDetails, UnknownKeyDetails};
pub use error::KeyError;
use p256::elliptic_curve::sec1::ToSec1Point as _;

use crate::Sha256Digest;
use crate::json::Value;

/// A public key for signature checks. Cheap to clone.
///
/// Two keys are equal when their SubjectPublicKeyInfo is.
#[derive(Clone)]
pub struct PublicKey(Arc<Prepared>);

/// Which signatures a key can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyKind {
    /// Ed25519 (RFC 8032).
    Ed25519,
    /// ECDSA on NIST P-256.
    P256,
    /// ECDSA on NIST P-384.
    P384,
    /// RSA. Signatures are checked with the feature `aws-lc` only.
    Rsa {
        /// Length of the modulus in bits, 2048 to 8192.
        bits: u16,
    },
}

pub(crate) struct Prepared {
    pub(crate) material: Material,
    spki: Vec<u8>,
    thumbprint: OnceLock<Sha256Digest>,
    #[cfg(feature = "aws-lc")]
    pub(crate) aws: crate::signature::aws::Cache,
}

pub(crate) enum Material {
    Ed25519(ed25519_dalek::VerifyingKey),
    P256(p256::ecdsa::VerifyingKey),
    P384(p384::ecdsa::VerifyingKey),
    Rsa(rsa::RsaNumbers),
}

/// Reading.
impl PublicKey {
    /// A key from the DER of a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
    ///
    /// # Errors
    /// Bytes that are not exactly one DER SubjectPublicKeyInfo, an algorithm or curve that is not supported, a key that
    /// breaks its algorithm's rules.
    pub fn from_spki_der(der: &[u8]) -> Result<Self, KeyError> {
        spki::read(der).map(Self::new)
    }

    /// A key from a PEM text that holds one `PUBLIC KEY` block and nothing else (RFC 7468 section 13).
    ///
    /// # Errors
    /// As [`from_spki_der`](Self::from_spki_der); a private key and a certificate have errors of their own.
    ///
    /// ```
    /// use genten_primitives::key::{KeyKind, PublicKey};
    /// let key = PublicKey::from_spki_pem(
    ///     "-----BEGIN PUBLIC KEY-----\n\
    ///      MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
    ///      -----END PUBLIC KEY-----\n",
    /// ).unwrap();
    /// assert_eq!(key.kind(), KeyKind::Ed25519);
    /// ```
    pub fn from_spki_pem(text: &str) -> Result<Self, KeyError> {
        match pem::label(text)? {
            "PUBLIC KEY" => Self::from_spki_der(&pem::decode(text)?),
            label if label.ends_with("PRIVATE KEY") => Err(KeyError::PrivateKeyPem),
            label if label.ends_with("CERTIFICATE") => Err(KeyError::CertificatePem),
            label => Err(KeyError::PemLabel { found: label.to_owned() }),
        }
    }

    /// A key from a public JWK (RFC 7517, 7518 section 6, 8037 section 2).
    ///
    /// Members that say nothing about the key itself are ignored (RFC 7517 section 4); `use`, `key_ops` and `alg` must
    /// not contradict the checking of signatures.
    ///
    /// # Errors
    /// Members that are missing, of another type, not canonical base64url or of another length; private members; a key
    /// that breaks its algorithm's rules.
    pub fn from_jwk(jwk: Value<'_>) -> Result<Self, KeyError> {
        jwk::read_public(jwk).map(Self::new)
    }

    /// A key from the JSON text of a public JWK of at most 64 KiB.
    ///
    /// # Errors
    /// As [`from_jwk`](Self::from_jwk), and text that is not strict JSON.
    pub fn from_jwk_bytes(text: &[u8]) -> Result<Self, KeyError> {
        Self::from_jwk(jwk::parse(text)?.root())
    }

    /// The public half of a private JWK, for the signer that reads the private half itself.
    ///
    /// # Errors
    /// As [`from_jwk`](Self::from_jwk); a JWK without `d`.
    pub fn from_private_jwk(jwk: Value<'_>) -> Result<Self, KeyError> {
        jwk::read_public_half(jwk).map(Self::new)
    }

    /// An RSA key from the DER of its bare RSAPublicKey (RFC 8017 appendix A.1.1), as old logs publish theirs.
    ///
    /// # Errors
    /// Bytes that are not exactly one DER RSAPublicKey, numbers that break RSA's rules.
    pub fn from_pkcs1_der(der: &[u8]) -> Result<Self, KeyError> {
        rsa::RsaNumbers::from_pkcs1(der).map(|numbers| Self::new(Material::Rsa(numbers)))
    }

    /// The subject's key of a certificate (DER). Nothing else of the certificate is looked at.
    ///
    /// # Errors
    /// Bytes that do not have the shape of one certificate, and as [`from_spki_der`](Self::from_spki_der).
    pub fn from_certificate_der(der: &[u8]) -> Result<Self, KeyError> {
        Self::from_spki_der(certificate::spki(der)?)
    }

    /// A P-256 key from a SEC1 point, compressed (33 bytes) or uncompressed (65 bytes).
    ///
    /// # Errors
    /// Other encodings, a point that is not on the curve.
    pub fn p256_from_sec1(point: &[u8]) -> Result<Self, KeyError> {
        spki::p256(point).map(Self::new)
    }

    /// A P-384 key from a SEC1 point, compressed (49 bytes) or uncompressed (97 bytes).
    ///
    /// # Errors
    /// Other encodings, a point that is not on the curve.
    pub fn p384_from_sec1(point: &[u8]) -> Result<Self, KeyError> {
        spki::p384(point).map(Self::new)
    }

    /// An Ed25519 key from its 32 bytes (RFC 8032 section 5.1.5).
    ///
    /// # Errors
    /// Bytes that are no point, a point of small order, a non-canonical encoding.
    pub fn ed25519_from_bytes(bytes: &[u8; 32]) -> Result<Self, KeyError> {
        spki::ed25519(bytes).map(Self::new)
    }

    fn new(material: Material) -> Self {
        let spki = spki::write(&material);
        Self(Arc::new(Prepared {
            material,
            spki,
            thumbprint: OnceLock::new(),
            #[cfg(feature = "aws-lc")]
            aws: Default::default(),
        }))
    }
}

/// Writing.
impl PublicKey {
    /// What kind of key this is.
    pub fn kind(&self) -> KeyKind {
        match &self.0.material {
            Material::Ed25519(_) => KeyKind::Ed25519,
            Material::P256(_) => KeyKind::P256,
            Material::P384(_) => KeyKind::P384,
            Material::Rsa(numbers) => KeyKind::Rsa { bits: numbers.bits() },
        }
    }

    /// The DER of the SubjectPublicKeyInfo. Points are written uncompressed.
    pub fn to_spki_der(&self) -> &[u8] {
        &self.0.spki
    }

    /// The SubjectPublicKeyInfo as one PEM block with lines of 64 characters, ended by a line feed.
    pub fn to_spki_pem(&self) -> String {
        pem::encode("PUBLIC KEY", &self.0.spki)
    }

    /// The JWK with the required members only, as canonical JSON (RFC 8785): the input of the thumbprint.
    ///
    /// ```
    /// # use genten_primitives::PublicKey;
    /// let text = r#"{"crv":"Ed25519","kty":"OKP","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    /// assert_eq!(PublicKey::from_jwk_bytes(text.as_bytes()).unwrap().to_jwk(), text);
    /// ```
    pub fn to_jwk(&self) -> String {
        jwk::write(&self.0.material)
    }

    /// SHA-256 of the canonical JWK (RFC 7638, RFC 8037 appendix A.3).
    pub fn thumbprint(&self) -> Sha256Digest {
        *self.0.thumbprint.get_or_init(|| Sha256Digest::of(self.to_jwk().as_bytes()))
    }

    /// The 32 bytes of an Ed25519 key; `None` for other kinds.
    pub fn ed25519_bytes(&self) -> Option<&[u8; 32]> {
        match &self.0.material {
            Material::Ed25519(key) => Some(key.as_bytes()),
            _ => None,
        }
    }

    /// The compressed SEC1 point of a P-256 key (33 bytes); `None` for other kinds.
    pub fn p256_compressed(&self) -> Option<[u8; 33]> {
        match &self.0.material {
            Material::P256(key) => key.as_affine().to_sec1_point(true).as_bytes().try_into().ok(),
            _ => None,
        }
    }

    pub(crate) fn prepared(&self) -> &Prepared {
        &self.0
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.spki == other.0.spki
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({}, thumbprint {})", self.kind(), self.thumbprint())
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ed25519 => f.write_str("Ed25519"),
            Self::P256 => f.write_str("P-256"),
            Self::P384 => f.write_str("P-384"),
            Self::Rsa { bits } => write!(f, "RSA-{bits}"),
        }
    }
}
