//! Keys that are made from their names, so that a test world is the same on every run.

use std::sync::Arc;

use genten_jws::{
    Algorithm, ContentLogKey, ContentLogSigner as _, LocalSigner, SecretKey, Signer as _,
};
use genten_primitives::{PublicKey, Sha256Digest, Sha512Digest};
use genten_tlog::rekor::HashedRekord;
use rcgen::{PublicKeyData, SigningKey};

/// A key pair made from a name. Its private half is as public as its name: trust none of them for anything.
///
/// ```
/// use genten_testkit::SeedKey;
/// assert_eq!(SeedKey::es256("log").public(), SeedKey::es256("log").public());
/// assert_ne!(SeedKey::es256("log").public(), SeedKey::es256("other").public());
/// ```
#[derive(Clone)]
pub struct SeedKey(Arc<Secrets>);

struct Secrets {
    signer: LocalSigner,
    /// The same key for digests; `None` for Ed25519, which logs take in no such form.
    content: Option<ContentLogKey>,
}

impl SeedKey {
    /// The P-256 key of this name.
    pub fn es256(name: &str) -> Self {
        Self::new(Algorithm::Es256, name)
    }

    /// The Ed25519 key of this name.
    pub fn ed25519(name: &str) -> Self {
        Self::new(Algorithm::EdDsa, name)
    }

    fn new(algorithm: Algorithm, name: &str) -> Self {
        let seed = Sha256Digest::of(format!("genten test key {algorithm} {name}").as_bytes());
        let secret = || {
            SecretKey::from_bytes(algorithm, seed.as_bytes())
                .expect("a hash is below the order of the curve, but once in 2^32")
        };
        let content = ContentLogKey::new(secret()).ok();
        Self(Arc::new(Secrets { signer: LocalSigner::did_key(secret()), content }))
    }

    /// The public half.
    pub fn public(&self) -> &PublicKey {
        self.0.signer.public_key()
    }

    /// ES256 or EdDSA.
    pub fn algorithm(&self) -> Algorithm {
        self.0.signer.key().algorithm()
    }

    /// The signer of manifests with this key.
    pub fn signer(&self) -> &LocalSigner {
        &self.0.signer
    }

    /// The signature as JOSE writes it: 64 bytes, without randomness.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        *self.0.signer.sign(message).expect("a key in memory signs").as_bytes()
    }

    /// The signature as X.509, logs and timestamps write it: DER for ECDSA with SHA-256, 64 bytes for Ed25519.
    pub fn sign_der(&self, message: &[u8]) -> Vec<u8> {
        let signature = self.0.signer.sign(message).expect("a key in memory signs");
        match self.algorithm() {
            Algorithm::Es256 => signature.to_der().expect("neither half is zero"),
            Algorithm::EdDsa => signature.as_bytes().to_vec(),
        }
    }

    /// What a log keeps of a message: SHA-256 and ECDSA, or SHA-512 and Ed25519ph. Both are without randomness, so that an
    /// ECDSA signature here is the one of [`sign`](Self::sign).
    pub fn rekord(&self, message: &[u8]) -> HashedRekord {
        let (digest, signature) = match self.algorithm() {
            Algorithm::Es256 => {
                (Sha256Digest::of(message).as_bytes().to_vec(), self.sign_der(message))
            }
            Algorithm::EdDsa => {
                let digest = Sha512Digest::of(message);
                let signature = self.0.signer.sign_ed25519ph(&digest).expect("the key is Ed25519");
                let signature = signature.expect("a key in memory signs");
                (digest.as_bytes().to_vec(), signature.as_bytes().to_vec())
            }
        };
        HashedRekord::new(&digest, &signature, self.public()).expect("logs take both kinds")
    }

    /// What a log keeps of a content of which only the digest is known; `None` for Ed25519, which no log takes so.
    pub fn content_rekord(&self, content: &Sha256Digest) -> Option<HashedRekord> {
        let signature = self.0.content.as_ref()?.sign_prehash(content).ok()?.to_der()?;
        HashedRekord::new(content.as_bytes(), &signature, self.public())
    }
}

impl std::fmt::Debug for SeedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SeedKey({})", self.0.signer.key_id())
    }
}

impl PublicKeyData for SeedKey {
    fn der_bytes(&self) -> &[u8] {
        let spki = self.public().to_spki_der();
        let length = match self.algorithm() {
            Algorithm::EdDsa => 32,
            Algorithm::Es256 => 65,
        };
        &spki[spki.len() - length..]
    }

    fn algorithm(&self) -> &'static rcgen::SignatureAlgorithm {
        match self.0.signer.key().algorithm() {
            Algorithm::EdDsa => &rcgen::PKCS_ED25519,
            Algorithm::Es256 => &rcgen::PKCS_ECDSA_P256_SHA256,
        }
    }
}

impl SigningKey for SeedKey {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        Ok(self.sign_der(message))
    }
}
