//! Whoever can sign: in this process, in an HSM, or behind a service.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use genten_manifest::KeyId;
use genten_primitives::key::KeyKind;
use genten_primitives::signature::SignatureError;
use genten_primitives::{PublicKey, Sha256Digest, Sha512Digest};

use crate::Signature;
use crate::key_id::KeyLookupError;

/// A key that signs manifests, batch statements and their log entries, and nothing else.
///
/// It takes whole messages only. Where a digest that somebody else chose is to be signed, that is the work of a
/// [`ContentLogSigner`] with a key of its own: such a digest could be that of a manifest's signing input.
pub trait Signer: Send + Sync {
    /// The name under which the signer is known.
    fn key_id(&self) -> &KeyId;

    /// The key that checks the signatures; its algorithm is that of the signer.
    fn public_key(&self) -> &PublicKey;

    /// Signs a JWS signing input.
    ///
    /// # Errors
    /// The key cannot be used.
    fn sign(&self, signing_input: &[u8]) -> Result<Signature, SignError>;

    /// Signs the SHA-512 of a signing input as Ed25519ph with empty context (RFC 8032 section 5.1), the only form in which
    /// logs take Ed25519. `None`: this signer cannot.
    fn sign_ed25519ph(
        &self,
        _signing_input: &Sha512Digest,
    ) -> Option<Result<Signature, SignError>> {
        None
    }
}

/// A future on the heap.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A [`Signer`] that takes its time: an HSM, a KMS, another process.
pub trait AsyncSigner: Send + Sync {
    /// The name under which the signer is known.
    fn key_id(&self) -> &KeyId;

    /// The key that checks the signatures.
    fn public_key(&self) -> &PublicKey;

    /// Signs a JWS signing input.
    fn sign<'a>(&'a self, signing_input: &'a [u8]) -> BoxFuture<'a, Result<Signature, SignError>>;

    /// As [`Signer::sign_ed25519ph`].
    fn sign_ed25519ph<'a>(
        &'a self,
        _signing_input: &'a Sha512Digest,
    ) -> Option<BoxFuture<'a, Result<Signature, SignError>>> {
        None
    }
}

/// A key that signs digests of contents for a log, and nothing else: the digests are chosen by whoever made the content.
///
/// No signer of manifests implements this.
///
/// ```compile_fail
/// fn takes_content_log_signers(_: impl genten_jws::ContentLogSigner) {}
/// fn no_manifest_signer_fits(signer: genten_jws::LocalSigner) {
///     takes_content_log_signers(signer);
/// }
/// ```
pub trait ContentLogSigner: Send + Sync {
    /// The key that checks the signatures: P-256.
    fn public_key(&self) -> &PublicKey;

    /// Signs a content's SHA-256 by ECDSA.
    ///
    /// # Errors
    /// The key cannot be used.
    fn sign_prehash(&self, content: &Sha256Digest) -> Result<Signature, SignError>;
}

/// Why nothing was signed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignError {
    /// The signer's name contains another key than the signer has.
    #[error("key id does not fit the signer's key")]
    KeyId(#[source] KeyLookupError),
    /// The key is neither P-256 nor Ed25519, or not of the kind that this use needs.
    #[error("a {key} key cannot sign this")]
    KeyUnsupported {
        /// The key's kind.
        key: KeyKind,
    },
    /// What the signer returned does not verify under its public key.
    #[error("the signer returned a signature that does not hold under its public key")]
    NotVerified(#[source] SignatureError),
    /// The HSM, service or library behind the signer failed.
    #[error("signer is not able to sign")]
    Signer(#[source] Box<dyn Error + Send + Sync>),
}

/// Lets a [`Signer`] stand where an [`AsyncSigner`] is wanted.
pub struct Immediate<S>(
    /// The signer.
    pub S,
);

impl<S: Signer> AsyncSigner for Immediate<S> {
    fn key_id(&self) -> &KeyId {
        self.0.key_id()
    }

    fn public_key(&self) -> &PublicKey {
        self.0.public_key()
    }

    fn sign<'a>(&'a self, signing_input: &'a [u8]) -> BoxFuture<'a, Result<Signature, SignError>> {
        Box::pin(std::future::ready(self.0.sign(signing_input)))
    }

    fn sign_ed25519ph<'a>(
        &'a self,
        signing_input: &'a Sha512Digest,
    ) -> Option<BoxFuture<'a, Result<Signature, SignError>>> {
        let signed = self.0.sign_ed25519ph(signing_input)?;
        Some(Box::pin(std::future::ready(signed)))
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<S: Signer + ?Sized> Signer for $pointer {
            fn key_id(&self) -> &KeyId {
                (**self).key_id()
            }

            fn public_key(&self) -> &PublicKey {
                (**self).public_key()
            }

            fn sign(&self, signing_input: &[u8]) -> Result<Signature, SignError> {
                (**self).sign(signing_input)
            }

            fn sign_ed25519ph(&self, signing_input: &Sha512Digest) -> Option<Result<Signature, SignError>> {
                (**self).sign_ed25519ph(signing_input)
            }
        }
    )+};
}

macro_rules! forward_async {
    ($($pointer:ty),+) => {$(
        impl<S: AsyncSigner + ?Sized> AsyncSigner for $pointer {
            fn key_id(&self) -> &KeyId {
                (**self).key_id()
            }

            fn public_key(&self) -> &PublicKey {
                (**self).public_key()
            }

            fn sign<'a>(&'a self, signing_input: &'a [u8]) -> BoxFuture<'a, Result<Signature, SignError>> {
                (**self).sign(signing_input)
            }

            fn sign_ed25519ph<'a>(
                &'a self,
                signing_input: &'a Sha512Digest,
            ) -> Option<BoxFuture<'a, Result<Signature, SignError>>> {
                (**self).sign_ed25519ph(signing_input)
            }
        }
    )+};
}

forward!(&S, Box<S>, Arc<S>);
forward_async!(&S, Box<S>, Arc<S>);
