//! OpenSSL's keys in Genten, Genten's keys in josekit.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use genten_josekit::{GentenJwsSigner, GentenJwsVerifier, JosekitSigner, JosekitSignerError};
use genten_jws::{
    Algorithm, LocalSigner, ManifestSigner, SecretKey, SignError, SignedBytes, Signer, Typ,
};
use genten_manifest::{Claims, UnverifiedManifest};
use genten_primitives::{PublicKey, Sha256Digest};
use josekit::jwk::alg::ec::{EcCurve, EcKeyPair};
use josekit::jwk::alg::ed::{EdCurve, EdKeyPair};
use josekit::jws::{ES256, EdDSA, JwsHeader, JwsSigner, deserialize_compact, serialize_compact};

fn claims() -> Claims {
    let url = "https://www.rfc-editor.org/rfc/rfc9421.txt".parse().unwrap();
    let time = "2026-11-30T08:15:00Z".parse().unwrap();
    Claims::builder(url, time, Sha256Digest::of(b"body")).finish().unwrap()
}

fn public_key(pem: Vec<u8>) -> PublicKey {
    PublicKey::from_spki_pem(&String::from_utf8(pem).unwrap()).unwrap()
}

/// A fresh key of OpenSSL for each algorithm.
fn openssl_signers() -> Vec<(Box<dyn JwsSigner>, PublicKey)> {
    let ec = EcKeyPair::generate(EcCurve::P256).unwrap();
    let ed = EdKeyPair::generate(EdCurve::Ed25519).unwrap();
    vec![
        (
            Box::new(ES256.signer_from_der(ec.to_der_private_key()).unwrap()),
            public_key(ec.to_pem_public_key()),
        ),
        (
            Box::new(EdDSA.signer_from_der(ed.to_der_private_key()).unwrap()),
            public_key(ed.to_pem_public_key()),
        ),
    ]
}

fn local(algorithm: Algorithm) -> LocalSigner {
    LocalSigner::did_key(SecretKey::from_bytes(algorithm, &[7; 32]).unwrap())
}

#[test]
fn keys_of_openssl_sign_manifests() {
    for (signer, key) in openssl_signers() {
        let signer = JosekitSigner::did_key(signer, key.clone()).unwrap();
        let signer = ManifestSigner::new(signer).unwrap();
        // OpenSSL signs with either S; the manifest always has the smaller one.
        for _ in 0..20 {
            let manifest = signer.sign(claims()).unwrap().to_json();
            let manifest = UnverifiedManifest::read(&manifest).unwrap();
            let signed = SignedBytes::of_manifest(&manifest).unwrap();
            assert!(signed.verify(&key).is_ok());
            if key.kind() == genten_primitives::key::KeyKind::P256 {
                assert!(signed.signature().as_bytes()[32] < 0x80, "high S");
            }
        }
    }
}

#[test]
fn another_public_key_is_noticed_at_once() {
    let [(signer, _), ..] = &openssl_signers()[..] else { panic!() };
    let [(_, other), ..] = &openssl_signers()[..] else { panic!() };
    let signer = JosekitSigner::did_key(signer.clone(), other.clone()).unwrap();
    assert!(matches!(Signer::sign(&signer, b"a.b"), Err(SignError::NotVerified(_))));
}

#[test]
fn signer_and_key_have_one_algorithm() {
    let [(ec, ec_key), (_, ed_key)] = &openssl_signers()[..] else { panic!() };
    let mismatch = JosekitSigner::did_key(ec.clone(), ed_key.clone()).unwrap_err();
    assert!(matches!(mismatch, JosekitSignerError::Algorithm { key: Algorithm::EdDsa, .. }));
    let other_id = genten_jws::key_id::did_key(ed_key).unwrap();
    let id = JosekitSigner::new(ec.clone(), ec_key.clone(), other_id).unwrap_err();
    assert!(matches!(id, JosekitSignerError::KeyId(_)));
}

fn header(kid: &str, typ: &str) -> JwsHeader {
    let mut header = JwsHeader::new();
    header.set_key_id(kid);
    header.set_token_type(typ);
    header
}

#[test]
fn genten_serves_callers_of_josekit() {
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa] {
        let signer = local(algorithm);
        let (kid, key) = (signer.key_id().as_str().to_owned(), signer.public_key().clone());
        let signer = GentenJwsSigner::new(signer).unwrap();
        for typ in [Typ::Manifest, Typ::Batch] {
            let token = serialize_compact(b"{}", &header(&kid, typ.as_str()), &signer).unwrap();
            let verifier = GentenJwsVerifier::new(key.clone(), typ).unwrap();
            let (payload, found) = deserialize_compact(&token, &verifier).unwrap();
            assert_eq!(
                (payload.as_slice(), found.algorithm()),
                (&b"{}"[..], Some(algorithm.as_str()))
            );
        }
    }
}

#[test]
fn a_key_of_manifests_signs_nothing_else() {
    let signer = local(Algorithm::Es256);
    let kid = signer.key_id().as_str().to_owned();
    let signer = GentenJwsSigner::new(signer).unwrap();
    let error = |header: &str| {
        let input = format!("{}.e30", genten_primitives::encoding::base64url(header.as_bytes()));
        JwsSigner::sign(&signer, input.as_bytes()).unwrap_err().to_string()
    };
    let jwt = error(&format!(r#"{{"alg":"ES256","kid":"{kid}","typ":"JWT"}}"#));
    assert!(jwt.contains("header of no manifest"), "{jwt}");
    let typ = Typ::Manifest;
    let other = error(&format!(r#"{{"alg":"ES256","kid":"urn:example:b","typ":"{typ}"}}"#));
    assert!(other.contains("not this signer's"), "{other}");
    assert!(JwsSigner::sign(&signer, b"\xff").is_err());
    assert!(JwsSigner::sign(&signer, &[0; 32]).is_err());
}

#[test]
fn josekit_with_our_verifier_is_strict() {
    let signer = local(Algorithm::Es256);
    let verifier = GentenJwsVerifier::new(signer.public_key().clone(), Typ::Manifest).unwrap();
    let kid = signer.key_id();
    let check = |header: &str| {
        let encode = genten_primitives::encoding::base64url;
        let input = format!("{}.{}", encode(header.as_bytes()), encode(b"{}"));
        let signature = Signer::sign(&signer, input.as_bytes()).unwrap();
        deserialize_compact(format!("{input}.{}", encode(signature.as_bytes())), &verifier)
    };
    let typ = r#""typ":"provenance-manifest+jws""#;
    assert!(check(&format!(r#"{{"alg":"ES256","kid":"{kid}",{typ}}}"#)).is_ok());
    for lenient in [
        format!(r#"{{"alg":"none","alg":"ES256","kid":"{kid}",{typ}}}"#),
        format!(r#"{{"alg":"ES256","b64":false,"kid":"{kid}",{typ}}}"#),
        format!(r#"{{"alg":"ES256","crit":[],"kid":"{kid}",{typ}}}"#),
        format!(r#"{{"alg":"ES256","kid":"{kid}","typ":"JWT"}}"#),
    ] {
        let error = check(&lenient).unwrap_err();
        assert!(error.to_string().starts_with("Invalid signature"), "{error}");
    }
}
