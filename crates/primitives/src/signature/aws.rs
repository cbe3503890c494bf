//! ECDSA and RSA by AWS-LC.

use std::sync::OnceLock;

use aws_lc_rs::digest as aws_digest;
use aws_lc_rs::signature as aws;
use aws_lc_rs::signature::{ParsedPublicKey, VerificationAlgorithm};

use super::SignatureError;
use super::digest::Digest;
use crate::digest::HashAlgorithm;
use crate::key::{Material, PublicKey};

/// A key as AWS-LC holds it, per hash function, made when it is first needed.
#[derive(Default)]
pub(crate) struct Cache {
    sha256: OnceLock<Option<ParsedPublicKey>>,
    sha384: OnceLock<Option<ParsedPublicKey>>,
    sha512: OnceLock<Option<ParsedPublicKey>>,
}

impl Cache {
    fn slot(&self, hash: HashAlgorithm) -> &OnceLock<Option<ParsedPublicKey>> {
        match hash {
            HashAlgorithm::Sha256 => &self.sha256,
            HashAlgorithm::Sha384 => &self.sha384,
            HashAlgorithm::Sha512 => &self.sha512,
        }
    }
}

pub(super) fn verify(
    key: &PublicKey,
    digest: &Digest,
    signature: &[u8],
) -> Result<(), SignatureError> {
    let slot = key.prepared().aws.slot(digest.hash);
    let parsed = slot
        .get_or_init(|| parse(key, digest.hash))
        .as_ref()
        .ok_or_else(|| SignatureError::KeyRefused { key: key.kind() })?;
    let digest = aws_digest::Digest::import_less_safe(digest.as_bytes(), algorithm(digest.hash))
        .map_err(|_| SignatureError::Malformed)?;
    parsed.verify_digest_sig(&digest, signature).map_err(|_| SignatureError::Mismatch)
}

fn parse(key: &PublicKey, hash: HashAlgorithm) -> Option<ParsedPublicKey> {
    let scheme: &'static dyn VerificationAlgorithm = match (&key.prepared().material, hash) {
        (Material::P256(_), HashAlgorithm::Sha256) => &aws::ECDSA_P256_SHA256_ASN1,
        (Material::P256(_), HashAlgorithm::Sha384) => &aws::ECDSA_P256_SHA384_ASN1,
        (Material::P384(_), HashAlgorithm::Sha256) => &aws::ECDSA_P384_SHA256_ASN1,
        (Material::P384(_), HashAlgorithm::Sha384) => &aws::ECDSA_P384_SHA384_ASN1,
        (Material::Rsa(_), HashAlgorithm::Sha256) => &aws::RSA_PKCS1_2048_8192_SHA256,
        (Material::Rsa(_), HashAlgorithm::Sha384) => &aws::RSA_PKCS1_2048_8192_SHA384,
        (Material::Rsa(_), HashAlgorithm::Sha512) => &aws::RSA_PKCS1_2048_8192_SHA512,
        _ => return None,
    };
    ParsedPublicKey::new(scheme, key.to_spki_der()).ok()
}

fn algorithm(hash: HashAlgorithm) -> &'static aws_digest::Algorithm {
    match hash {
        HashAlgorithm::Sha256 => &aws_digest::SHA256,
        HashAlgorithm::Sha384 => &aws_digest::SHA384,
        HashAlgorithm::Sha512 => &aws_digest::SHA512,
    }
}
