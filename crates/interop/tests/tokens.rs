//! Tokens of Genten under josekit's OpenSSL, and tokens of josekit under Genten.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use genten_interop::{ALGORITHMS, signer};
use genten_jws::{
    Algorithm, CertificateHint, Jws, JwsSigner, LocalSigner, ManifestSigner, SecretKey,
    SignedBytes, Signer as _, Typ,
};
use genten_manifest::{Claims, UnverifiedManifest};
use genten_primitives::encoding::base64url;
use genten_primitives::{PublicKey, Sha256Digest};
use josekit::jws::{self, ES256, EdDSA, JwsHeader, JwsVerifier};
use proptest::prelude::*;

fn verifier(key: &PublicKey) -> Box<dyn JwsVerifier> {
    match Algorithm::of(key).unwrap() {
        Algorithm::EdDsa => Box::new(EdDSA.verifier_from_pem(key.to_spki_pem()).unwrap()),
        Algorithm::Es256 => Box::new(ES256.verifier_from_pem(key.to_spki_pem()).unwrap()),
    }
}

fn josekit_signer(key: &SecretKey) -> Box<dyn jws::JwsSigner> {
    let pem = key.to_pkcs8_pem();
    match key.algorithm() {
        Algorithm::EdDsa => Box::new(EdDSA.signer_from_pem(pem.as_bytes()).unwrap()),
        Algorithm::Es256 => Box::new(ES256.signer_from_pem(pem.as_bytes()).unwrap()),
    }
}

fn secret(algorithm: Algorithm, bytes: [u8; 32]) -> Option<SecretKey> {
    SecretKey::from_bytes(algorithm, &bytes).ok() // one in 2^32 is no key of P-256
}

/// The payload put back between the dots of a detached token.
fn attached(detached: &str, payload: &[u8]) -> String {
    detached.replacen("..", &format!(".{}.", base64url(payload)), 1)
}

#[test]
fn manifests_verify_in_josekit() {
    for algorithm in ALGORITHMS {
        let signer = ManifestSigner::new(signer(algorithm)).unwrap();
        let url = "https://www.rfc-editor.org/rfc/rfc9421.txt".parse().unwrap();
        let time = "2026-11-30T08:15:00Z".parse().unwrap();
        let claims = Claims::builder(url, time, Sha256Digest::of(b"body")).finish().unwrap();
        let manifest = signer.sign(claims).unwrap();
        let read = UnverifiedManifest::read(&manifest.to_json()).unwrap();
        let token = attached(&manifest.mcp_signature, read.payload());
        let verifier = verifier(signer.signer().public_key());
        let (payload, header) = jws::deserialize_compact(&token, verifier.as_ref()).unwrap();
        assert_eq!(payload, read.payload());
        assert_eq!(header.key_id(), Some(signer.signer().key_id().as_str()));
        assert_eq!(header.token_type(), Some("provenance-manifest+jws"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_genten_signs_josekit_verifies(es256: bool, bytes: [u8; 32], payload: Vec<u8>, batch: bool) {
        let algorithm = if es256 { Algorithm::Es256 } else { Algorithm::EdDsa };
        let Some(key) = secret(algorithm, bytes) else { return Ok(()) };
        let public = key.public_key().clone();
        let typ = if batch { Typ::Batch } else { Typ::Manifest };
        let signer = JwsSigner::new(LocalSigner::did_key(key), typ, CertificateHint::None).unwrap();
        let message = signer.sign(&payload).unwrap();
        let verifier = verifier(&public);
        prop_assert_eq!(attached(&message.detached(), &payload), message.attached());
        let (found, _) = jws::deserialize_compact(message.attached(), verifier.as_ref()).unwrap();
        prop_assert_eq!(&found, &payload);
        let other = attached(&message.detached(), &[&payload[..], b" "].concat());
        prop_assert!(jws::deserialize_compact(other, verifier.as_ref()).is_err());
    }

    #[test]
    fn what_josekit_signs_genten_verifies(es256: bool, bytes: [u8; 32], payload: Vec<u8>) {
        let algorithm = if es256 { Algorithm::Es256 } else { Algorithm::EdDsa };
        let Some(key) = secret(algorithm, bytes) else { return Ok(()) };
        let theirs = josekit_signer(&key);
        let ours = LocalSigner::did_key(key);
        let mut header = JwsHeader::new();
        header.set_key_id(ours.key_id().as_str());
        header.set_token_type(Typ::Manifest.as_str());
        let token = jws::serialize_compact(&payload, &header, theirs.as_ref()).unwrap();
        let (input, signature) = token.rsplit_once('.').unwrap();
        let detached = format!("{}..{signature}", input.split('.').next().unwrap());
        for token in [&token, &detached] {
            let jws = Jws::read(token, Typ::Manifest).unwrap();
            jws.expect_kid(ours.key_id()).unwrap();
            let signed: SignedBytes = jws.over(&payload).unwrap();
            prop_assert!(signed.verify(ours.public_key()).is_ok());
        }
        let changed = Jws::read(&detached, Typ::Manifest).unwrap().over(b"another");
        prop_assert!(changed.unwrap().verify(ours.public_key()).is_err());
    }
}
