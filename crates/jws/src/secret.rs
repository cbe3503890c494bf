//! Private keys: from 32 bytes, PKCS#8, SEC1 or JWK, and back. Wiped from memory when dropped; no `Debug`, no `Clone`.
//!
//! Written are PKCS#8 version 1 and JWK only: version 2, which ed25519-dalek writes by itself, is refused by OpenSSL 3.0,
//! Node and Python.

mod der;
mod jwk;

use genten_primitives::PublicKey;
use genten_primitives::json::{self, Limits, Value};
use genten_primitives::key::pem::{self, PemError};
use genten_primitives::key::{KeyError, KeyKind};
use p256::ecdsa::signature::Signer as _;
use zeroize::Zeroizing;

use crate::{Algorithm, Signature};

/// The private key of a signer.
///
/// It does not print itself and is not copied:
///
/// ```compile_fail,E0277
/// # use genten_jws::{Algorithm, SecretKey};
/// let key = SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32]).unwrap();
/// println!("{key:?}");
/// ```
/// ```compile_fail,E0599
/// # use genten_jws::{Algorithm, SecretKey};
/// let key = SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32]).unwrap();
/// let copy = key.clone();
/// ```
pub struct SecretKey {
    pub(crate) material: Material,
    public: PublicKey,
}

pub(crate) enum Material {
    EdDsa(ed25519_dalek::SigningKey),
    Es256(p256::ecdsa::SigningKey),
}

/// Why some bytes are not a private key that can sign manifests.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretKeyError {
    /// The DER in the PEM block is malformed, or its private key has another length.
    #[error("private key is malformed")]
    Der,
    /// The private key is encrypted with a passphrase.
    #[error("private key is encrypted")]
    Encrypted,
    /// The JWK, or its public half, breaks a rule.
    #[error("jwk is no private key")]
    Jwk(#[source] KeyError),
    /// A key of another kind, which signs no manifests.
    #[error("a {key} key signs no manifests")]
    KeyUnsupported {
        /// The key's kind.
        key: KeyKind,
    },
    /// Zero, or not below the order of P-256.
    #[error("not a private key of P-256")]
    OutOfRange,
    /// No strict PEM text of one block.
    #[error("not a pem text of one block")]
    Pem(#[from] PemError),
    /// A PEM block that holds something else.
    #[error("pem block holds {found:?} instead of a private key")]
    PemLabel {
        /// The block's label.
        found: String,
    },
    /// The public key that stands beside the private key is not its own.
    #[error("the public key beside the private key is another one")]
    PublicKeyMismatch,
    /// A PKCS#8 key of another algorithm or curve.
    #[error("key algorithm not supported")]
    Unsupported,
}

/// Reading.
impl SecretKey {
    /// A key from 32 bytes, which the caller took from a cryptographic source of randomness, and wipes.
    ///
    /// # Errors
    /// For ES256 one in 2^32 random values is out of range: take the next.
    pub fn from_bytes(algorithm: Algorithm, bytes: &[u8; 32]) -> Result<Self, SecretKeyError> {
        match algorithm {
            Algorithm::EdDsa => Ok(Self::ed25519(ed25519_dalek::SigningKey::from_bytes(bytes))),
            Algorithm::Es256 => p256::ecdsa::SigningKey::from_slice(bytes)
                .map(Self::p256)
                .map_err(|_| SecretKeyError::OutOfRange),
        }
    }

    /// A key from a PEM text of one block: `PRIVATE KEY` (PKCS#8) or `EC PRIVATE KEY` (SEC1).
    ///
    /// # Errors
    /// Another block, an encrypted key, another algorithm, malformed DER, a public key beside it that is not its own.
    pub fn from_pem(text: &str) -> Result<Self, SecretKeyError> {
        match pem::label(text)? {
            "PRIVATE KEY" => der::read_pkcs8(&Zeroizing::new(pem::decode(text)?)),
            "EC PRIVATE KEY" => der::read_sec1(&Zeroizing::new(pem::decode(text)?)),
            "ENCRYPTED PRIVATE KEY" => Err(SecretKeyError::Encrypted),
            found => Err(SecretKeyError::PemLabel { found: found.to_owned() }),
        }
    }

    /// A key from a private JWK (RFC 7518 section 6.2.2, RFC 8037 section 2).
    ///
    /// # Errors
    /// Members that are missing or malformed, another kind of key, a public half that is not its own.
    pub fn from_jwk(jwk: Value<'_>) -> Result<Self, SecretKeyError> {
        jwk::read(jwk)
    }

    /// A key from the JSON text of a private JWK of at most 64 KiB.
    ///
    /// # Errors
    /// As [`from_jwk`](Self::from_jwk), and text that is not strict JSON.
    pub fn from_jwk_bytes(text: &[u8]) -> Result<Self, SecretKeyError> {
        let document = json::read(text, Limits { bytes: 64 << 10, depth: 8 })
            .map_err(|error| SecretKeyError::Jwk(KeyError::Json(error)))?;
        jwk::read(document.root())
    }

    fn ed25519(key: ed25519_dalek::SigningKey) -> Self {
        let public = PublicKey::ed25519_from_bytes(key.verifying_key().as_bytes())
            .expect("a public key made from a private one is strong and canonical");
        Self { material: Material::EdDsa(key), public }
    }

    fn p256(key: p256::ecdsa::SigningKey) -> Self {
        let point = key.verifying_key().to_sec1_point(false);
        let public = PublicKey::p256_from_sec1(point.as_bytes())
            .expect("a public key made from a private one is on the curve");
        Self { material: Material::Es256(key), public }
    }

    /// This key, if `public` is its public half.
    fn expect_public(self, public: &PublicKey) -> Result<Self, SecretKeyError> {
        if self.public == *public { Ok(self) } else { Err(SecretKeyError::PublicKeyMismatch) }
    }
}

/// Writing and using.
impl SecretKey {
    /// The public half.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        match self.material {
            Material::EdDsa(_) => Algorithm::EdDsa,
            Material::Es256(_) => Algorithm::Es256,
        }
    }

    /// PKCS#8 version 1 as one PEM block (RFC 5958, RFC 8410 section 7, RFC 5915).
    pub fn to_pkcs8_pem(&self) -> Zeroizing<String> {
        let der = der::write_pkcs8(&self.material);
        Zeroizing::new(pem::encode("PRIVATE KEY", &der))
    }

    /// The private JWK as canonical JSON.
    pub fn to_jwk(&self) -> Zeroizing<String> {
        jwk::write(self)
    }

    /// The 32 secret bytes.
    pub(crate) fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(match &self.material {
            Material::EdDsa(key) => key.to_bytes(),
            Material::Es256(key) => key.to_bytes().into(),
        })
    }

    /// Deterministic in both algorithms (RFC 8032, RFC 6979), low S.
    pub(crate) fn sign(&self, message: &[u8]) -> Signature {
        match &self.material {
            Material::EdDsa(key) => Signature::from_bytes(key.sign(message).to_bytes()),
            Material::Es256(key) => {
                let signature: p256::ecdsa::Signature = key.sign(message);
                Signature::from_bytes(signature.normalize_s().to_bytes().into())
            }
        }
    }
}
