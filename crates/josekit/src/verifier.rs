//! A verifier for josekit.

use genten_jws::{Algorithm, Jws, Typ};
use genten_primitives::PublicKey;
use genten_primitives::encoding::base64url;
use josekit::JoseError;
use josekit::jws::{JwsAlgorithm, JwsVerifier};

use crate::JosekitSignerError;
use crate::algorithm::Named;

/// Checks tokens that josekit has taken apart, by Genten's rules: the header once more and strictly, then the signature
/// (Ed25519 without small-order and non-canonical points).
///
/// josekit knows no detached payloads: put the payload back before.
///
/// ```
/// use genten_josekit::GentenJwsVerifier;
/// use genten_josekit::josekit::jws::deserialize_compact;
/// use genten_jws::{Algorithm, CertificateHint, JwsSigner, LocalSigner, SecretKey, Signer as _, Typ};
///
/// let signer = LocalSigner::did_key(SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32]).unwrap());
/// let key = signer.public_key().clone();
/// let signer = JwsSigner::new(signer, Typ::Batch, CertificateHint::None).unwrap();
/// let token = signer.sign(b"{}").unwrap().attached();
///
/// let verifier = GentenJwsVerifier::new(key, Typ::Batch).unwrap();
/// let (payload, _) = deserialize_compact(&token, &verifier).unwrap();
/// assert_eq!(payload, b"{}");
/// ```
#[derive(Clone, Debug)]
pub struct GentenJwsVerifier {
    key: PublicKey,
    typ: Typ,
    algorithm: Named,
}

impl GentenJwsVerifier {
    /// A verifier of messages of one kind under one key.
    ///
    /// # Errors
    /// The key is neither P-256 nor Ed25519.
    pub fn new(key: PublicKey, typ: Typ) -> Result<Self, JosekitSignerError> {
        match Algorithm::of(&key) {
            Some(algorithm) => Ok(Self { key, typ, algorithm: Named(algorithm) }),
            None => Err(JosekitSignerError::KeyUnsupported { key: key.kind() }),
        }
    }

    fn check(&self, message: &[u8], signature: &[u8]) -> Result<(), anyhow::Error> {
        let message = std::str::from_utf8(message)?;
        let token = format!("{message}.{}", base64url(signature));
        let jws = Jws::read(&token, self.typ)?;
        let payload = jws.payload()?;
        jws.over(&payload)?.verify(&self.key)?;
        Ok(())
    }
}

impl JwsVerifier for GentenJwsVerifier {
    fn algorithm(&self) -> &dyn JwsAlgorithm {
        &self.algorithm
    }

    /// None: `kid` is compared with the manifest's `mcp_key_id`, which josekit does not know.
    fn key_id(&self) -> Option<&str> {
        None
    }

    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), JoseError> {
        self.check(message, signature).map_err(JoseError::InvalidSignature)
    }

    fn box_clone(&self) -> Box<dyn JwsVerifier> {
        Box::new(self.clone())
    }
}
