//! Signature checks against published vectors: Wycheproof (ECDSA, Ed25519, RSA) and CCTV (Ed25519).
//!
//! The same tests run with and without the feature `aws-lc`: both must give every vector the same answer.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read vectors, and their helpers stand outside of test functions"
)]

use std::path::PathBuf;

use genten_primitives::json::{self, Limits, Value};
use genten_primitives::key::{KeyError, PublicKey};
use genten_primitives::signature::{Message, Scheme, SignatureError, verify};
use wycheproof::TestResult;

fn accepts(key: &PublicKey, scheme: Scheme, message: &[u8], signature: &[u8]) -> bool {
    verify(key, scheme, Message::Bytes(message), signature).is_ok()
}

fn ecdsa(name: wycheproof::ecdsa::TestName, scheme: Scheme, expected: (usize, usize)) {
    let set = wycheproof::ecdsa::TestSet::load(name).unwrap();
    let (mut valid, mut invalid) = (0, 0);
    for group in &set.test_groups {
        let key = PublicKey::from_spki_der(&group.der).unwrap();
        assert_eq!(key, PublicKey::from_spki_pem(&group.pem).unwrap());
        assert_eq!(key.to_spki_der(), &group.der[..]);
        for test in &group.tests {
            let accepted = accepts(&key, scheme, &test.msg, &test.sig);
            let wanted = test.result == TestResult::Valid;
            assert_eq!(accepted, wanted, "{name:?} {}: {}", test.tc_id, test.comment);
            if wanted { valid += 1 } else { invalid += 1 }
        }
    }
    assert_eq!((valid, invalid), expected, "{name:?}");
}

#[test]
fn wycheproof_ecdsa_p256() {
    use wycheproof::ecdsa::TestName::*;
    ecdsa(EcdsaSecp256r1Sha256P1363, Scheme::EcdsaSha256Fixed, (173, 89));
    ecdsa(EcdsaSecp256r1Sha256, Scheme::EcdsaSha256Der, (174, 310));
}

#[test]
fn wycheproof_ecdsa_p384() {
    use wycheproof::ecdsa::TestName::*;
    ecdsa(EcdsaSecp384r1Sha384P1363, Scheme::EcdsaSha384Fixed, (193, 87));
    ecdsa(EcdsaSecp384r1Sha384, Scheme::EcdsaSha384Der, (194, 310));
    ecdsa(EcdsaSecp384r1Sha256, Scheme::EcdsaSha256Der, (162, 310));
}

#[test]
fn wycheproof_ed25519() {
    let set = wycheproof::eddsa::TestSet::load(wycheproof::eddsa::TestName::Ed25519).unwrap();
    let mut count = 0;
    for group in &set.test_groups {
        let key = PublicKey::from_spki_der(&group.der).unwrap();
        assert_eq!(key, PublicKey::from_spki_pem(&group.pem).unwrap());
        assert_eq!(key.ed25519_bytes().unwrap()[..], group.key.pk[..]);
        for test in &group.tests {
            let accepted = accepts(&key, Scheme::Ed25519, &test.msg, &test.sig);
            assert_eq!(
                accepted,
                test.result == TestResult::Valid,
                "{}: {}",
                test.tc_id,
                test.comment
            );
            count += 1;
        }
    }
    assert_eq!(count, 151);
}

#[test]
fn wycheproof_rsa() {
    use wycheproof::rsa_pkcs1_verify::{TestName::*, TestSet};
    for (name, scheme) in [
        (Rsa2048Sha256, Scheme::RsaPkcs1Sha256),
        (Rsa2048Sha384, Scheme::RsaPkcs1Sha384),
        (Rsa4096Sha512, Scheme::RsaPkcs1Sha512),
    ] {
        for group in &TestSet::load(name).unwrap().test_groups {
            let key = PublicKey::from_spki_der(&group.der).unwrap();
            for test in &group.tests {
                let result = verify(&key, scheme, Message::Bytes(&test.msg), &test.sig);
                if cfg!(feature = "aws-lc") {
                    // "Acceptable" vectors lack the NULL of the DigestInfo: refused.
                    let wanted = test.result == TestResult::Valid;
                    assert_eq!(result.is_ok(), wanted, "{name:?} {}: {}", test.tc_id, test.comment);
                } else {
                    assert_eq!(result, Err(SignatureError::RsaUnavailable));
                }
            }
        }
    }
}

/// The strict rules accept 43 of the 914 edge cases: none with a point of small order, none that needs the cofactor.
#[test]
fn cctv_ed25519() {
    let Some(path) = shared("vectors/CCTV/ed25519/ed25519vectors.json") else { return };
    let text = std::fs::read(path).unwrap();
    let document = json::read(&text, Limits::bytes(1 << 20)).unwrap();
    let vectors = document.root().items().unwrap();
    let total = vectors.len();
    let accepted: Vec<_> = vectors.filter(|vector| cctv_accepts(*vector)).collect();
    assert_eq!((accepted.len(), total), (43, 914));
    for vector in accepted {
        for flag in vector.get("flags").and_then(Value::items).into_iter().flatten() {
            let flag = flag.as_str().unwrap();
            assert!(["low_order_component_A", "low_order_component_R"].contains(&flag.as_ref()));
        }
    }
}

fn cctv_accepts(vector: Value<'_>) -> bool {
    let text = |name| vector.get(name).unwrap().as_str().unwrap().into_owned();
    let signature: [u8; 64] = genten_primitives::encoding::from_hex(&text("sig")).unwrap();
    let key = genten_primitives::encoding::from_hex(&text("key")).unwrap();
    match PublicKey::ed25519_from_bytes(&key) {
        Ok(key) => accepts(&key, Scheme::Ed25519, text("msg").as_bytes(), &signature),
        Err(KeyError::Ed25519SmallOrder) => false,
        Err(other) => panic!("{other}"),
    }
}

/// A file of the vectors that stand beside the repository.
fn shared(file: &str) -> Option<PathBuf> {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = manifest.ancestors().nth(3).unwrap().join("shared").join(file);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: no {}", path.display());
    None
}
