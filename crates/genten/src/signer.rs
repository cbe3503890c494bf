//! The one who signs: a key in this process, or somebody who takes his time.

use genten_jws::{AsyncSigner, CertificateHint, ManifestSigner, SignError, SignedBytes, Signer};
use genten_manifest::{Claims, Manifest, UnverifiedManifest};
use genten_primitives::{PublicKey, Sha256Digest};

use crate::Error;

/// A signer of either kind.
pub(crate) enum AnySigner {
    Sync(ManifestSigner<Box<dyn Signer>>),
    Async(ManifestSigner<Box<dyn AsyncSigner>>),
}

impl AnySigner {
    pub(crate) fn sync(signer: Box<dyn Signer>) -> Result<Self, SignError> {
        ManifestSigner::with_certificate(signer, CertificateHint::None).map(Self::Sync)
    }

    pub(crate) fn asynchronous(signer: Box<dyn AsyncSigner>) -> Result<Self, SignError> {
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

/// The identity of a manifest that was just made, read and checked as a verifier does: what it would refuse, whoever the
/// signer is, is not handed out.
pub(crate) fn manifest_id(json: &[u8], key: &PublicKey) -> Result<Sha256Digest, Error> {
    let manifest = UnverifiedManifest::read(json).map_err(Error::Unreadable)?;
    let signed = SignedBytes::of_manifest(&manifest).map_err(Error::WrongSignature)?;
    signed.verify(key).map_err(Error::WrongSignature)?;
    Ok(signed.sha256())
}
