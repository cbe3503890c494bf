//! Key files: what Genten writes OpenSSL and josekit read, and the reverse.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use genten_jws::{Algorithm, SecretKey};
use genten_primitives::PublicKey;
use josekit::jwk::Jwk;
use josekit::jws::{ES256, EdDSA};
use openssl::ec::{EcGroup, EcKey};
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private, Public};
use openssl::sign::Verifier;
use proptest::prelude::*;

fn openssl_public(pem: &str) -> PKey<Public> {
    PKey::public_key_from_pem(pem.as_bytes()).unwrap()
}

fn openssl_private(pem: &str) -> PKey<Private> {
    PKey::private_key_from_pem(pem.as_bytes()).unwrap()
}

fn spki(pem: Vec<u8>) -> PublicKey {
    PublicKey::from_spki_pem(&String::from_utf8(pem).unwrap()).unwrap()
}

fn new_openssl_keys() -> Vec<(Algorithm, PKey<Private>)> {
    let group = EcGroup::from_curve_name(Nid::X9_62_PRIME256V1).unwrap();
    let ec = EcKey::generate(&group).unwrap();
    vec![
        (Algorithm::Es256, PKey::from_ec_key(ec).unwrap()),
        (Algorithm::EdDsa, PKey::generate_ed25519().unwrap()),
    ]
}

#[test]
fn genten_reads_what_openssl_writes() {
    for _ in 0..20 {
        for (algorithm, theirs) in new_openssl_keys() {
            let pem = String::from_utf8(theirs.private_key_to_pem_pkcs8().unwrap()).unwrap();
            let ours = SecretKey::from_pem(&pem).unwrap();
            assert_eq!(ours.algorithm(), algorithm);
            assert_eq!(*ours.public_key(), spki(theirs.public_key_to_pem().unwrap()));
        }
    }
}

#[test]
fn genten_reads_the_older_form_of_ec_keys() {
    let group = EcGroup::from_curve_name(Nid::X9_62_PRIME256V1).unwrap();
    let ec = EcKey::generate(&group).unwrap();
    let pem = String::from_utf8(ec.private_key_to_pem().unwrap()).unwrap();
    assert!(pem.starts_with("-----BEGIN EC PRIVATE KEY-----"));
    let theirs = PKey::from_ec_key(ec).unwrap();
    let ours = SecretKey::from_pem(&pem).unwrap();
    assert_eq!(*ours.public_key(), spki(theirs.public_key_to_pem().unwrap()));
}

#[test]
fn keys_of_other_kinds_are_refused() {
    let group = EcGroup::from_curve_name(Nid::SECP256K1).unwrap();
    let k256 = PKey::from_ec_key(EcKey::generate(&group).unwrap()).unwrap();
    let x25519 = PKey::generate_x25519().unwrap();
    let ed448 = PKey::generate_ed448().unwrap();
    for theirs in [k256, x25519, ed448] {
        let private = String::from_utf8(theirs.private_key_to_pem_pkcs8().unwrap()).unwrap();
        let public = String::from_utf8(theirs.public_key_to_pem().unwrap()).unwrap();
        assert!(SecretKey::from_pem(&private).is_err());
        assert!(PublicKey::from_spki_pem(&public).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn openssl_and_josekit_read_what_genten_writes(es256: bool, bytes: [u8; 32]) {
        let algorithm = if es256 { Algorithm::Es256 } else { Algorithm::EdDsa };
        let Ok(key) = SecretKey::from_bytes(algorithm, &bytes) else { return Ok(()) };
        let (private, public) = (key.to_pkcs8_pem(), key.public_key().to_spki_pem());

        let theirs = openssl_private(&private);
        prop_assert!(theirs.public_eq(&openssl_public(&public)));
        prop_assert_eq!(&spki(theirs.public_key_to_pem().unwrap()), key.public_key());
        let again = String::from_utf8(theirs.private_key_to_pem_pkcs8().unwrap()).unwrap();
        prop_assert_eq!(&*SecretKey::from_pem(&again).unwrap().to_pkcs8_pem(), &*private);

        let jwk = Jwk::from_bytes(key.to_jwk().as_bytes()).unwrap();
        let message = b"header.payload";
        let signature = match algorithm {
            Algorithm::Es256 => {
                josekit_signs(&ES256.signer_from_pem(private.as_bytes()).unwrap(), message);
                josekit_signs(&ES256.signer_from_jwk(&jwk).unwrap(), message)
            }
            Algorithm::EdDsa => {
                josekit_signs(&EdDSA.signer_from_pem(private.as_bytes()).unwrap(), message);
                josekit_signs(&EdDSA.signer_from_jwk(&jwk).unwrap(), message)
            }
        };
        prop_assert!(openssl_verifies(algorithm, &public, message, signature));
    }
}

fn josekit_signs(signer: &dyn josekit::jws::JwsSigner, message: &[u8]) -> [u8; 64] {
    signer.sign(message).unwrap().try_into().unwrap()
}

fn openssl_verifies(
    algorithm: Algorithm,
    public: &str,
    message: &[u8],
    signature: [u8; 64],
) -> bool {
    let key = openssl_public(public);
    match algorithm {
        Algorithm::EdDsa => {
            let mut verifier = Verifier::new_without_digest(&key).unwrap();
            verifier.verify_oneshot(&signature, message).unwrap()
        }
        Algorithm::Es256 => {
            let der = genten_jws::Signature::from_bytes(signature).to_der().unwrap();
            let mut verifier = Verifier::new(MessageDigest::sha256(), &key).unwrap();
            verifier.verify_oneshot(&der, message).unwrap()
        }
    }
}
