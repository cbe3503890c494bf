//! The one who signs: a key in this process, or somebody who takes his time.

#[cfg(feature = "log")]
use genten_jws::{Algorithm, JwsSigner, Signature, SignedMessage, Typ};
use std::sync::Arc;

use genten_jws::{AsyncSigner, CertificateHint, ManifestSigner, SignError, SignedBytes, Signer};
use genten_manifest::{Claims, Manifest, UnverifiedManifest};
use genten_primitives::PublicKey;
#[cfg(feature = "log")]
use genten_primitives::Sha512Digest;

use crate::Error;
#[cfg(feature = "log")]
use crate::logging::{LogError, es256_body, log_body};

/// A signer of either kind.
pub(crate) enum AnySigner {
    Sync(ManifestSigner<Arc<dyn Signer>>),
    Async(ManifestSigner<Arc<dyn AsyncSigner>>),
}

impl AnySigner {
    pub(crate) fn sync(signer: Arc<dyn Signer>) -> Result<Self, SignError> {
        ManifestSigner::with_certificate(signer, CertificateHint::None).map(Self::Sync)
    }

    pub(crate) fn asynchronous(signer: Arc<dyn AsyncSigner>) -> Result<Self, SignError> {
        ManifestSigner::with_certificate_async(signer, CertificateHint::None).map(Self::Async)
    }

    pub(crate) fn public_key(&self) -> &PublicKey {
        match self {
            Self::Sync(signer) => Signer::public_key(signer.signer()),
            Self::Async(signer) => AsyncSigner::public_key(signer.signer()),
        }
    }

    pub(crate) fn key_id(&self) -> &genten_manifest::KeyId {
        match self {
            Self::Sync(signer) => Signer::key_id(signer.signer()),
            Self::Async(signer) => AsyncSigner::key_id(signer.signer()),
        }
    }

    pub(crate) async fn sign(&self, claims: Claims) -> Result<Manifest, SignError> {
        match self {
            Self::Sync(signer) => signer.sign(claims),
            Self::Async(signer) => signer.sign_async(claims).await,
        }
    }
}

/// For logs.
#[cfg(feature = "log")]
impl AnySigner {
    /// Signs the statement of a batch.
    pub(crate) async fn sign_batch(&self, payload: &[u8]) -> Result<SignedMessage, SignError> {
        match self {
            Self::Sync(signer) => {
                let signer = Arc::clone(signer.signer());
                JwsSigner::new(signer, Typ::Batch, CertificateHint::None)?.sign(payload)
            }
            Self::Async(signer) => {
                let signer = Arc::clone(signer.signer());
                let signer = JwsSigner::new_async(signer, Typ::Batch, CertificateHint::None)?;
                signer.sign_async(payload).await
            }
        }
    }

    /// The body of a log entry about a signing input: with ES256 the signature is that of the JWS, with Ed25519 another one of
    /// the same key, Ed25519ph.
    pub(crate) async fn log_body(
        &self,
        signing_input: &[u8],
        signature: Signature,
    ) -> Result<Vec<u8>, LogError> {
        let key = self.public_key();
        match Algorithm::of(key) {
            Some(Algorithm::EdDsa) => {
                let digest = Sha512Digest::of(signing_input);
                let signature = self.sign_prehash(&digest).await?;
                log_body(digest.as_bytes(), signature.as_bytes(), key)
            }
            _ => es256_body(signing_input, signature, key),
        }
    }

    /// Whether this signer can sign what logs take. To find out, it signs nothing once: an empty message.
    pub(crate) fn can_log(&self) -> bool {
        let nothing = Sha512Digest::of(b"");
        match self {
            _ if Algorithm::of(self.public_key()) != Some(Algorithm::EdDsa) => true,
            Self::Sync(signer) => Signer::sign_ed25519ph(signer.signer(), &nothing).is_some(),
            Self::Async(signer) => AsyncSigner::sign_ed25519ph(signer.signer(), &nothing).is_some(),
        }
    }

    async fn sign_prehash(&self, digest: &Sha512Digest) -> Result<Signature, LogError> {
        let signed = match self {
            Self::Sync(signer) => Signer::sign_ed25519ph(signer.signer(), digest),
            Self::Async(signer) => match AsyncSigner::sign_ed25519ph(signer.signer(), digest) {
                Some(signed) => Some(signed.await),
                None => None,
            },
        };
        Ok(signed.ok_or(LogError::NoPrehash)??)
    }
}

/// What is signed in a manifest that was just made, read and checked as a verifier does: what it would refuse, whoever the
/// signer is, is not handed out.
pub(crate) fn checked(json: &[u8], key: &PublicKey) -> Result<SignedBytes, Error> {
    let manifest = UnverifiedManifest::read(json).map_err(Error::Unreadable)?;
    let signed = SignedBytes::of_manifest(&manifest).map_err(Error::WrongSignature)?;
    signed.verify(key).map_err(Error::WrongSignature)?;
    Ok(signed)
}
