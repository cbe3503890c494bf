//! Signers that hold their key themselves.

mod ed25519ph;

use genten_manifest::KeyId;
use genten_primitives::{PublicKey, Sha256Digest, Sha512Digest};
use p256::ecdsa::signature::hazmat::PrehashSigner as _;

use crate::secret::Material;
use crate::{ContentLogSigner, SecretKey, SignError, Signature, Signer, key_id};

/// A signer of manifests with its key in this process.
pub struct LocalSigner {
    key: SecretKey,
    key_id: KeyId,
}

impl LocalSigner {
    /// A signer known as `key_id`.
    ///
    /// # Errors
    /// A key id that contains another key.
    pub fn new(key: SecretKey, key_id: KeyId) -> Result<Self, SignError> {
        key_id::expect_contained(&key_id, key.public_key()).map_err(SignError::KeyId)?;
        Ok(Self { key, key_id })
    }

    /// A signer known by its did:key.
    pub fn did_key(key: SecretKey) -> Self {
        let key_id = key_id::did_key(key.public_key()).expect("secret keys are P-256 or Ed25519");
        Self { key, key_id }
    }

    /// The key.
    pub fn key(&self) -> &SecretKey {
        &self.key
    }
}

impl Signer for LocalSigner {
    fn key_id(&self) -> &KeyId {
        &self.key_id
    }

    fn public_key(&self) -> &PublicKey {
        self.key.public_key()
    }

    fn sign(&self, signing_input: &[u8]) -> Result<Signature, SignError> {
        Ok(self.key.sign(signing_input))
    }

    fn sign_ed25519ph(&self, signing_input: &Sha512Digest) -> Option<Result<Signature, SignError>> {
        match &self.key.material {
            Material::EdDsa(key) => Some(ed25519ph::sign(key, signing_input)),
            Material::Es256(_) => None,
        }
    }
}

/// A content log key in this process. The key signs digests of contents, so it may sign nothing else.
pub struct ContentLogKey(SecretKey);

impl ContentLogKey {
    /// A content log key.
    ///
    /// # Errors
    /// A key of another kind than P-256.
    pub fn new(key: SecretKey) -> Result<Self, SignError> {
        match key.material {
            Material::Es256(_) => Ok(Self(key)),
            Material::EdDsa(_) => Err(SignError::KeyUnsupported { key: key.public_key().kind() }),
        }
    }

    /// The key.
    pub fn key(&self) -> &SecretKey {
        &self.0
    }
}

impl ContentLogSigner for ContentLogKey {
    fn public_key(&self) -> &PublicKey {
        self.0.public_key()
    }

    fn sign_prehash(&self, content: &Sha256Digest) -> Result<Signature, SignError> {
        let Material::Es256(key) = &self.0.material else {
            return Err(SignError::KeyUnsupported { key: self.0.public_key().kind() });
        };
        let signature: Result<p256::ecdsa::Signature, _> = key.sign_prehash(content.as_bytes());
        let signature = signature.map_err(|error| SignError::Signer(Box::new(error)))?;
        Ok(Signature::from_bytes(signature.normalize_s().to_bytes().into()))
    }
}

/// The key of a log of one's own, which signs the texts of its checkpoints (C2SP signed-note, kind 0x01) and nothing else.
pub struct CheckpointKey(SecretKey);

impl CheckpointKey {
    /// The key of a log.
    ///
    /// # Errors
    /// A key of another kind than Ed25519, which witnesses take.
    pub fn new(key: SecretKey) -> Result<Self, SignError> {
        match key.material {
            Material::EdDsa(_) => Ok(Self(key)),
            Material::Es256(_) => Err(SignError::KeyUnsupported { key: key.public_key().kind() }),
        }
    }

    /// The key.
    pub fn key(&self) -> &SecretKey {
        &self.0
    }

    /// Signs the text of a checkpoint, its last line feed included.
    pub fn sign(&self, text: &str) -> Signature {
        self.0.sign(text.as_bytes())
    }
}
