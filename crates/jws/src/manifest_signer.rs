//! From claims to a signed manifest.

use genten_manifest::{Claims, KeyId, Manifest};

use crate::{AsyncSigner, CertificateHint, JwsSigner, SignError, SignedMessage, Signer, Typ};

/// Signs manifests with one signer.
///
/// ```
/// use genten_jws::{Algorithm, LocalSigner, ManifestSigner, SecretKey, SignedBytes, Signer};
/// use genten_manifest::{Claims, UnverifiedManifest};
/// use genten_primitives::Sha256Digest;
///
/// let key = SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32]).unwrap();
/// let signer = ManifestSigner::new(LocalSigner::did_key(key)).unwrap();
/// let claims = Claims::builder(
///     "https://www.rfc-editor.org/rfc/rfc9421.txt".parse().unwrap(),
///     "2026-11-30T08:15:00Z".parse().unwrap(),
///     Sha256Digest::of(b"the bytes"),
/// );
/// let json = signer.sign(claims.finish().unwrap()).unwrap().to_json();
///
/// let manifest = UnverifiedManifest::read(&json).unwrap();
/// let signed = SignedBytes::of_manifest(&manifest).unwrap();
/// assert!(signed.verify(signer.signer().public_key()).is_ok());
/// ```
pub struct ManifestSigner<S>(JwsSigner<S>);

impl<S: Signer> ManifestSigner<S> {
    /// A signer of manifests that say nothing of certificates.
    ///
    /// # Errors
    /// The key is neither P-256 nor Ed25519, or the key id contains another key.
    pub fn new(signer: S) -> Result<Self, SignError> {
        Self::with_certificate(signer, CertificateHint::None)
    }

    /// A signer of manifests that name or carry the signer's certificate.
    ///
    /// # Errors
    /// As [`new`](Self::new); the leaf of the chain is for another key or does not hold the key id.
    pub fn with_certificate(
        signer: S,
        certificate: CertificateHint<'_>,
    ) -> Result<Self, SignError> {
        JwsSigner::new(signer, Typ::Manifest, certificate).map(Self)
    }

    /// Signs claims.
    ///
    /// # Errors
    /// The signer is not able to sign.
    pub fn sign(&self, claims: Claims) -> Result<Manifest, SignError> {
        let key_id = self.signer().key_id();
        let message = self.0.sign(&claims.payload(key_id))?;
        Ok(manifest(claims, key_id, &message))
    }
}

impl<S: AsyncSigner> ManifestSigner<S> {
    /// As [`new`](Self::new), for a signer that takes its time.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn new_async(signer: S) -> Result<Self, SignError> {
        Self::with_certificate_async(signer, CertificateHint::None)
    }

    /// As [`with_certificate`](Self::with_certificate), for a signer that takes its time.
    ///
    /// # Errors
    /// As [`with_certificate`](Self::with_certificate).
    pub fn with_certificate_async(
        signer: S,
        certificate: CertificateHint<'_>,
    ) -> Result<Self, SignError> {
        JwsSigner::new_async(signer, Typ::Manifest, certificate).map(Self)
    }

    /// Signs claims, and checks what came back.
    ///
    /// # Errors
    /// The signer is not able to sign, or its signature does not hold under its public key.
    pub async fn sign_async(&self, claims: Claims) -> Result<Manifest, SignError> {
        let key_id = self.signer().key_id();
        let message = self.0.sign_async(&claims.payload(key_id)).await?;
        Ok(manifest(claims, key_id, &message))
    }
}

impl<S> ManifestSigner<S> {
    /// The signer.
    pub fn signer(&self) -> &S {
        self.0.signer()
    }
}

fn manifest(claims: Claims, key_id: &KeyId, message: &SignedMessage) -> Manifest {
    let mcp_signature = message.detached();
    Manifest { claims, mcp_key_id: key_id.clone(), mcp_signature, transparency_log_id: None }
}
