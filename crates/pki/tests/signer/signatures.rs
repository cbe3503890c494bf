//! Signatures along the path.

use genten_pki::{ChainError, SignatureAlgorithm};
use genten_primitives::signature::Scheme;

use crate::common::{RSA_SHA1, RSA_SHA256, key, patched, root, root_with_key, rsa, self_signed};
use crate::{authority, plain, signer, verify};

#[test]
fn kinds_of_keys_mix() {
    let root = root_with_key("root", &plain, key(&rcgen::PKCS_ED25519));
    let upper = root.ca_with_key("upper", &plain, key(&rcgen::PKCS_ECDSA_P384_SHA384));
    let lower = upper.ca("lower", &plain);
    let leaf = lower.leaf(&signer);
    assert!(verify(&leaf, &[&upper, &lower], &authority(&root)).is_ok());
}

#[test]
fn signatures_must_be_those_of_the_issuers() {
    let root = root("root", &plain);
    let impostor = crate::common::root("root", &plain);
    let answer = verify(&impostor.leaf(&signer), &[], &authority(&root));
    assert_eq!(answer, Err(ChainError::Signature));
    let answer =
        verify(&crate::common::root("other", &plain).leaf(&signer), &[], &authority(&root));
    assert_eq!(answer, Err(ChainError::UnknownIssuer));
    let answer = verify(&self_signed(&signer), &[], &authority(&root));
    assert_eq!(answer, Err(ChainError::UnknownIssuer));
}

#[test]
fn an_algorithm_that_does_not_fit_the_key_is_a_wrong_signature() {
    let signed = root_with_key("root", &plain, key(&rcgen::PKCS_ED25519));
    let trusted = root("root", &plain);
    let answer = verify(&signed.leaf(&signer), &[], &authority(&trusted));
    assert_eq!(answer, Err(ChainError::Signature));
}

#[test]
fn what_cannot_be_checked_is_not_called_wrong() {
    let root = root_with_key("root", &plain, key(&rcgen::PKCS_ECDSA_P521_SHA512));
    let answer = verify(&root.leaf(&signer), &[], &authority(&root));
    let algorithm = SignatureAlgorithm::Other("1.2.840.10045.4.3.4".parse().unwrap());
    assert_eq!(answer, Err(ChainError::SignatureNotCheckable { algorithm }));
    let root = root_with_key("root", &plain, key(&rcgen::PKCS_ECDSA_P521_SHA256));
    let answer = verify(&root.leaf(&signer), &[], &authority(&root));
    let algorithm = SignatureAlgorithm::Known(Scheme::EcdsaSha256Der);
    assert_eq!(answer, Err(ChainError::SignatureNotCheckable { algorithm }));
}

#[test]
fn rsa_needs_its_backend_and_sha1_is_weak() {
    let root = root_with_key("root", &plain, rsa());
    let leaf = root.leaf(&signer);
    let answer = verify(&leaf, &[], &authority(&root));
    if cfg!(feature = "aws-lc") {
        assert!(answer.is_ok(), "{answer:?}");
    } else {
        let algorithm = SignatureAlgorithm::Known(Scheme::RsaPkcs1Sha256);
        assert_eq!(answer, Err(ChainError::SignatureNotCheckable { algorithm }));
    }
    let weak = patched(&leaf, RSA_SHA256, RSA_SHA1);
    let answer = verify(&weak, &[], &authority(&root));
    let algorithm = SignatureAlgorithm::Weak("1.2.840.113549.1.1.5".parse().unwrap());
    assert_eq!(answer, Err(ChainError::SignatureWeak { algorithm }));
}
