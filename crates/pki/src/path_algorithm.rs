//! Signature checks for the path builder, by `genten-primitives`.

use der::Encode as _;
use der::asn1::{AnyRef, BitStringRef};
use genten_primitives::PublicKey;
use genten_primitives::signature::{Message, Scheme, verify};
use rustls_pki_types::{
    AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm, alg_id,
};

/// One signature algorithm under one kind of key.
#[derive(Debug)]
struct PathAlgorithm {
    key: AlgorithmIdentifier,
    signature: AlgorithmIdentifier,
    scheme: Scheme,
}

/// Every pair that can be checked. A pair that is missing here is "not checkable", never "invalid".
pub(crate) const PATH_ALGORITHMS: &[&dyn SignatureVerificationAlgorithm] = &[
    &PathAlgorithm::new(alg_id::ECDSA_P256, alg_id::ECDSA_SHA256, Scheme::EcdsaSha256Der),
    &PathAlgorithm::new(alg_id::ECDSA_P256, alg_id::ECDSA_SHA384, Scheme::EcdsaSha384Der),
    &PathAlgorithm::new(alg_id::ECDSA_P384, alg_id::ECDSA_SHA256, Scheme::EcdsaSha256Der),
    &PathAlgorithm::new(alg_id::ECDSA_P384, alg_id::ECDSA_SHA384, Scheme::EcdsaSha384Der),
    &PathAlgorithm::new(alg_id::ED25519, alg_id::ED25519, Scheme::Ed25519),
    #[cfg(feature = "aws-lc")]
    &PathAlgorithm::new(alg_id::RSA_ENCRYPTION, alg_id::RSA_PKCS1_SHA256, Scheme::RsaPkcs1Sha256),
    #[cfg(feature = "aws-lc")]
    &PathAlgorithm::new(alg_id::RSA_ENCRYPTION, alg_id::RSA_PKCS1_SHA384, Scheme::RsaPkcs1Sha384),
    #[cfg(feature = "aws-lc")]
    &PathAlgorithm::new(alg_id::RSA_ENCRYPTION, alg_id::RSA_PKCS1_SHA512, Scheme::RsaPkcs1Sha512),
];

impl PathAlgorithm {
    const fn new(key: AlgorithmIdentifier, signature: AlgorithmIdentifier, scheme: Scheme) -> Self {
        Self { key, signature, scheme }
    }
}

impl SignatureVerificationAlgorithm for PathAlgorithm {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let spki = spki(self.key, public_key).map_err(|_| InvalidSignature)?;
        let key = PublicKey::from_spki_der(&spki).map_err(|_| InvalidSignature)?;
        verify(&key, self.scheme, Message::Bytes(message), signature).map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        self.key
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.signature
    }
}

/// Puts the SubjectPublicKeyInfo together again that the path builder took apart.
fn spki(algorithm: AlgorithmIdentifier, public_key: &[u8]) -> Result<Vec<u8>, der::Error> {
    let algorithm = AnyRef::new(der::Tag::Sequence, algorithm.as_ref())?.to_der()?;
    let public_key = BitStringRef::from_bytes(public_key)?.to_der()?;
    AnyRef::new(der::Tag::Sequence, &[algorithm, public_key].concat())?.to_der()
}
