//! Reading and writing public keys: published examples, refusals with their own errors, and one identity for all forms.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::{EncodingError, base64url, from_hex};
use genten_primitives::json::JsonRule;
use genten_primitives::key::pem::PemError;
use genten_primitives::key::{KeyError, KeyKind, PublicKey, pem};
use proptest::prelude::*;

const PEMS: [(&str, KeyKind); 4] = [
    (include_str!("data/ed25519.pem"), KeyKind::Ed25519),
    (include_str!("data/p256.pem"), KeyKind::P256),
    (include_str!("data/p384.pem"), KeyKind::P384),
    (include_str!("data/rsa2048.pem"), KeyKind::Rsa { bits: 2048 }),
];

fn p256() -> PublicKey {
    PublicKey::from_spki_pem(PEMS[1].0).unwrap()
}

#[test]
fn every_form_gives_the_same_key() {
    for (text, kind) in PEMS {
        let key = PublicKey::from_spki_pem(text).unwrap();
        assert_eq!(key.kind(), kind);
        assert_eq!(key.to_spki_pem(), text);
        assert_eq!(PublicKey::from_spki_der(key.to_spki_der()).as_ref(), Ok(&key));
        let again = PublicKey::from_jwk_bytes(key.to_jwk().as_bytes()).unwrap();
        assert_eq!(again, key);
        assert_eq!(again.to_spki_der(), key.to_spki_der());
        assert_eq!(again.thumbprint(), Sha256Digest::of(key.to_jwk().as_bytes()));
    }
    let key = p256();
    assert_eq!(PublicKey::p256_from_sec1(&key.p256_compressed().unwrap()), Ok(key));
}

/// RFC 7638 section 3.1.
#[test]
fn rsa_thumbprint_example() {
    let jwk = br#"{
      "kty": "RSA",
      "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
      "e": "AQAB",
      "alg": "RS256",
      "kid": "2011-04-29"
     }"#;
    let key = PublicKey::from_jwk_bytes(jwk).unwrap();
    assert_eq!(key.kind(), KeyKind::Rsa { bits: 2048 });
    let thumbprint = base64url(key.thumbprint().as_bytes());
    assert_eq!(thumbprint, "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
}

/// RFC 8037 appendices A.2 and A.3.
#[test]
fn ed25519_thumbprint_example() {
    let jwk = br#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let key = PublicKey::from_jwk_bytes(jwk).unwrap();
    assert_eq!(
        key.ed25519_bytes(),
        Some(
            &from_hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a").unwrap()
        )
    );
    let thumbprint = base64url(key.thumbprint().as_bytes());
    assert_eq!(thumbprint, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
}

#[test]
fn certificate_gives_its_key() {
    let der = pem::decode(include_str!("data/p256-certificate.pem")).unwrap();
    assert_eq!(PublicKey::from_certificate_der(&der), Ok(p256()));
    for end in [0, 1, 30, der.len() / 2, der.len() - 1] {
        let error = PublicKey::from_certificate_der(&der[..end]).unwrap_err();
        assert!(matches!(error, KeyError::CertificateDer { .. }), "{end} {error}");
    }
    let trailing = PublicKey::from_certificate_der(&[der.as_slice(), &[0]].concat());
    assert!(matches!(trailing, Err(KeyError::CertificateDer { .. })));
    let spki = PublicKey::from_certificate_der(p256().to_spki_der());
    assert!(matches!(spki, Err(KeyError::CertificateDer { .. })));
}

#[test]
fn pem_of_something_else_is_named() {
    let read = PublicKey::from_spki_pem;
    let block = |label| pem::encode(label, b"secret");
    for label in ["PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY"] {
        assert_eq!(read(&block(label)), Err(KeyError::PrivateKeyPem));
    }
    let certificate = include_str!("data/p256-certificate.pem");
    assert_eq!(read(certificate), Err(KeyError::CertificatePem));
    let found = "RSA PUBLIC KEY".to_owned();
    assert_eq!(read(&block("RSA PUBLIC KEY")), Err(KeyError::PemLabel { found }));
    let two = format!("{}{}", PEMS[0].0, PEMS[1].0);
    assert_eq!(read(&two), Err(KeyError::Pem(PemError::Several)));
    assert_eq!(read("{}"), Err(KeyError::Pem(PemError::NotPem)));
}

/// SubjectPublicKeyInfo as OpenSSL writes them.
#[test]
fn spki_of_other_keys_is_refused() {
    let read = |base64: &str| {
        PublicKey::from_spki_der(&genten_primitives::encoding::from_base64(base64).unwrap())
    };
    let compressed =
        "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgACLnDCuSYwAm+OvDrRr05EERyHkxjzp24iPLGp/CiEwCM=";
    assert_eq!(read(compressed), Ok(p256()));
    let hybrid = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAGLnDCuSYwAm+OvDrRr05EERyHkxjz\
                  p24iPLGp/CiEwCNUYnLWL0Oq9aJFS37dG/5MHDSDFmnk1MKSStqi7PznOg==";
    assert_eq!(read(hybrid), Err(KeyError::Point { curve: KeyKind::P256 }));
    let secp256k1 = "MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEZUqrWF8D3DBCVFAmEF5uAzFj4xzbDufa\
                     9PbysWTzaYCS63GB/mgtbPub02zQbm8/2PSxkXNWBAwOe4S7u8sN/A==";
    assert_eq!(read(secp256k1), Err(KeyError::CurveUnsupported));
    let x25519 = "MCowBQYDK2VuAyEAyor1mOo6bRjFx2iSa53QQjf3xeb+quXmMDEg8id3iEg=";
    assert_eq!(read(x25519), Err(KeyError::Unsupported));
    let rsa1024 = "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7v3U9IETjbUwxxll7IpTTDpR/\
                   kr64B9YKpyYBX1qEHNOdKgFbOUV2epfGTi/HJY3AfKFZBRvu2TM0R8lESg9NpuXH\
                   tc9pqafBSM6dcHPluO4axfpDnGaDEUJaTnhNgcqdkGFU/1aD/X00qtAZAVExBQF/\
                   iyVeJludTpEVtla40wIDAQAB";
    assert_eq!(read(rsa1024), Err(KeyError::RsaModulus { bits: 1024 }));
}

#[test]
fn spki_has_one_spelling() {
    for (text, _) in PEMS {
        let der = PublicKey::from_spki_pem(text).unwrap().to_spki_der().to_vec();
        let trailing = [der.as_slice(), &[0]].concat();
        for bad in [&trailing[..], &der[..der.len() - 1], &[], &[0x30, 0x80]] {
            let error = PublicKey::from_spki_der(bad).unwrap_err();
            assert!(matches!(error, KeyError::SpkiDer { .. }), "{error}");
        }
    }
    let ed25519 = PublicKey::from_spki_pem(PEMS[0].0).unwrap();
    let with_null = [
        &[0x30, 0x2c, 0x30, 0x07],
        &ed25519.to_spki_der()[4..9],
        &[5, 0],
        &ed25519.to_spki_der()[9..],
    ];
    let error = PublicKey::from_spki_der(&with_null.concat()).unwrap_err();
    assert_eq!(error, KeyError::SpkiDer { offset: 0 });
}

/// RFC 8017 appendix A.1.1, against the same numbers inside a SubjectPublicKeyInfo.
#[test]
fn bare_rsa_key_is_the_same_key() {
    let key = PublicKey::from_spki_pem(PEMS[3].0).unwrap();
    let bare = &key.to_spki_der()[24..];
    assert_eq!(PublicKey::from_pkcs1_der(bare).as_ref(), Ok(&key));
    assert!(PublicKey::from_spki_der(bare).is_err());
    for bad in [&[bare, &[0]].concat()[..], &bare[..bare.len() - 1], &[], key.to_spki_der()] {
        let error = PublicKey::from_pkcs1_der(bad).unwrap_err();
        assert!(matches!(error, KeyError::Pkcs1Der { .. }), "{error}");
    }
    let even = [&bare[..bare.len() - 1], &[0]].concat();
    assert_eq!(PublicKey::from_pkcs1_der(&even), Err(KeyError::RsaExponent));
}

#[test]
fn points_off_the_curve_are_refused() {
    let curve = KeyKind::P256;
    let mut point = p256().to_spki_der()[26..].to_vec();
    assert_eq!(PublicKey::p256_from_sec1(&point), Ok(p256()));
    point[64] ^= 1;
    for bad in [&point[..], &point[..64], &[0], &[], &[5; 33], &[2; 34]] {
        assert_eq!(PublicKey::p256_from_sec1(bad), Err(KeyError::Point { curve }));
    }
    let x_not_on_curve = [&[2][..], &[0xff; 32]].concat();
    assert_eq!(PublicKey::p256_from_sec1(&x_not_on_curve), Err(KeyError::Point { curve }));
    let curve = KeyKind::P384;
    assert_eq!(PublicKey::p384_from_sec1(&[4; 97]), Err(KeyError::Point { curve }));
}

#[test]
fn weak_ed25519_keys_are_refused() {
    let read = |hex| PublicKey::ed25519_from_bytes(&from_hex(hex).unwrap());
    for small_order in [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0100000000000000000000000000000000000000000000000000000000000080",
    ] {
        assert_eq!(read(small_order), Err(KeyError::Ed25519SmallOrder));
    }
    let y_is_p_plus_3 = "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f";
    assert_eq!(read(y_is_p_plus_3), Err(KeyError::Ed25519NonCanonical));
    let y_is_2 = "0200000000000000000000000000000000000000000000000000000000000000";
    assert_eq!(read(y_is_2), Err(KeyError::Ed25519NotOnCurve));
}

const X: &str = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
const Y: &str = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

fn ec_jwk(more: &str) -> Result<PublicKey, KeyError> {
    let jwk = format!(r#"{{"kty":"EC","crv":"P-256","x":"{X}","y":"{Y}"{more}}}"#);
    PublicKey::from_jwk_bytes(jwk.as_bytes())
}

#[test]
fn jwk_may_say_more_than_the_key() {
    let key = ec_jwk("").unwrap();
    for more in [
        r#","kid":"a","x5c":[],"ext":true,"iat":1,"nothing":null"#,
        r#","use":"sig""#,
        r#","key_ops":["verify"]"#,
        r#","key_ops":["sign","verify"],"use":"sig","alg":"ES256""#,
    ] {
        assert_eq!(ec_jwk(more).as_ref(), Ok(&key), "{more}");
    }
}

#[test]
fn jwk_that_contradicts_signing_is_refused() {
    for (more, member) in [
        (r#","use":"enc""#, "use"),
        (r#","key_ops":["encrypt"]"#, "key_ops"),
        (r#","key_ops":["sign"]"#, "key_ops"),
        (r#","key_ops":[]"#, "key_ops"),
        (r#","key_ops":["verify","verify"]"#, "key_ops"),
    ] {
        assert_eq!(ec_jwk(more), Err(KeyError::JwkForbidden { member }), "{more}");
    }
    for (more, member) in [
        (r#","use":1"#, "use"),
        (r#","key_ops":"verify""#, "key_ops"),
        (r#","key_ops":[1]"#, "key_ops"),
        (r#","alg":null"#, "alg"),
    ] {
        assert_eq!(ec_jwk(more), Err(KeyError::JwkType { member }), "{more}");
    }
    let found = "ES384".to_owned();
    assert_eq!(
        ec_jwk(r#","alg":"ES384""#),
        Err(KeyError::JwkAlgorithm { key: KeyKind::P256, found })
    );
}

#[test]
fn private_jwk_is_no_public_key() {
    for member in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
        let error = ec_jwk(&format!(r#","{member}":"AA""#));
        assert_eq!(error, Err(KeyError::JwkPrivate { member }));
    }
}

#[test]
fn jwk_members_are_checked() {
    let read = |text: String| PublicKey::from_jwk_bytes(text.as_bytes()).unwrap_err();
    let ec = |crv: &str, x: &str, y: &str| {
        read(format!(r#"{{"kty":"EC","crv":"{crv}","x":"{x}","y":"{y}"}}"#))
    };
    assert_eq!(ec("P-256", Y, X), KeyError::Point { curve: KeyKind::P256 });
    assert_eq!(ec("P-521", X, Y), KeyError::CurveUnsupported);
    assert_eq!(ec("p-256", X, Y), KeyError::CurveUnsupported);
    let source = EncodingError::Base64Url;
    assert_eq!(ec("P-256", &format!("{X}="), Y), KeyError::JwkEncoding { member: "x", source });
    let found = 31;
    assert_eq!(ec("P-256", X, &Y[..42]), KeyError::JwkEncoding { member: "y", source });
    let short = base64url(&[1; 31]);
    assert_eq!(ec("P-256", X, &short), KeyError::JwkLength { member: "y", expected: 32, found });
    let long = base64url(&[0; 33]);
    assert_eq!(ec("P-256", &long, Y), KeyError::JwkLength { member: "x", expected: 32, found: 33 });
    assert_eq!(
        read(format!(r#"{{"kty":"EC","crv":"P-256","x":"{X}"}}"#)),
        KeyError::JwkMissing { member: "y" }
    );
    assert_eq!(
        read(format!(r#"{{"kty":"EC","crv":"P-256","x":1,"y":"{Y}"}}"#)),
        KeyError::JwkType { member: "x" }
    );
    assert_eq!(read("{}".to_owned()), KeyError::JwkMissing { member: "kty" });
    assert_eq!(read("[]".to_owned()), KeyError::JwkType { member: "$" });
    assert_eq!(read(r#"{"kty":"oct"}"#.to_owned()), KeyError::Unsupported);
    assert_eq!(
        read(r#"{"kty":"OKP","crv":"X25519","x":"AA"}"#.to_owned()),
        KeyError::CurveUnsupported
    );
    assert_eq!(
        read(r#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#.to_owned()),
        KeyError::RsaModulus { bits: 17 }
    );
}

#[test]
fn jwk_is_strict_json() {
    let error = ec_jwk(r#","kty":"EC""#).unwrap_err();
    let KeyError::Json(error) = error else { panic!("{error}") };
    assert_eq!(error.rule, JsonRule::DuplicateMember);
    let large = format!(r#"{{"kty":"EC","padding":"{}"}}"#, "x".repeat(1 << 16));
    let error = PublicKey::from_jwk_bytes(large.as_bytes()).unwrap_err();
    let KeyError::Json(error) = error else { panic!("{error}") };
    assert_eq!(error.rule, JsonRule::TooLarge);
}

proptest! {
    #[test]
    fn no_input_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in ".{0,200}") {
        let _ = PublicKey::from_spki_der(&bytes);
        let _ = PublicKey::from_certificate_der(&bytes);
        let _ = PublicKey::p256_from_sec1(&bytes);
        let _ = PublicKey::p384_from_sec1(&bytes);
        let _ = PublicKey::from_jwk_bytes(&bytes);
        let _ = PublicKey::from_spki_pem(&text);
    }

    #[test]
    fn what_is_read_prints_back(which in 0..4_usize, at in any::<prop::sample::Index>(), bit in 0..8_u8) {
        let mut der = PublicKey::from_spki_pem(PEMS[which].0).unwrap().to_spki_der().to_vec();
        let at = at.index(der.len());
        der[at] ^= 1 << bit;
        if let Ok(key) = PublicKey::from_spki_der(&der) {
            prop_assert_eq!(key.to_spki_der(), &der[..]);
        }
    }
}
