//! Private keys: PKCS#8, SEC1 and JWK, read by us and by OpenSSL.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests give key files to OpenSSL, and their helpers stand outside of test functions"
)]

use std::process::Command;

use genten_jws::{Algorithm, SecretKey, SecretKeyError};
use genten_primitives::encoding::{base64url, from_hex};
use genten_primitives::key::pem::PemError;
use genten_primitives::key::{KeyError, KeyKind, pem};
use proptest::prelude::*;

fn error(result: Result<SecretKey, SecretKeyError>) -> SecretKeyError {
    match result {
        Ok(_) => panic!("must be refused"),
        Err(error) => error,
    }
}

/// RFC 8410 section 10.3.
const RFC_8410: &str = "-----BEGIN PRIVATE KEY-----\n\
                        MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
                        -----END PRIVATE KEY-----\n";

/// The same key as PKCS#8 version 2 with its public key and an attribute.
const RFC_8410_V2: &str = "-----BEGIN PRIVATE KEY-----\n\
    MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
    oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB\n\
    Z9w7lshQhqowtrbLDFw4rXAxZuE=\n\
    -----END PRIVATE KEY-----\n";

#[test]
fn rfc_8410_example() {
    let key = SecretKey::from_pem(RFC_8410).unwrap();
    assert_eq!(key.algorithm(), Algorithm::EdDsa);
    assert_eq!(
        key.public_key().to_spki_pem(),
        "-----BEGIN PUBLIC KEY-----\n\
         MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
         -----END PUBLIC KEY-----\n"
    );
    assert_eq!(*key.to_pkcs8_pem(), RFC_8410);
    let version_2 = SecretKey::from_pem(RFC_8410_V2).unwrap();
    assert_eq!(version_2.public_key(), key.public_key());
    assert_eq!(*version_2.to_pkcs8_pem(), RFC_8410, "written as version 1");
}

/// RFC 8037 appendix A.1.
#[test]
fn rfc_8037_example() {
    let jwk = r#"{"kty":"OKP","crv":"Ed25519",
        "d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let key = SecretKey::from_jwk_bytes(jwk.as_bytes()).unwrap();
    let bytes =
        from_hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60").unwrap();
    let same = SecretKey::from_bytes(Algorithm::EdDsa, &bytes).unwrap();
    assert_eq!(key.public_key(), same.public_key());
    let canonical: String = jwk.chars().filter(|c| !c.is_whitespace()).collect();
    assert_eq!(
        *key.to_jwk(),
        canonical
            .replace(r#""kty":"OKP","crv":"Ed25519","#, r#""crv":"Ed25519","#)
            .replace(r#","x""#, r#","kty":"OKP","x""#)
    );
}

/// RFC 7515 appendix A.3.1.
#[test]
fn rfc_7515_key() {
    let jwk = br#"{"kty":"EC","crv":"P-256",
        "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        "d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}"#;
    let key = SecretKey::from_jwk_bytes(jwk).unwrap();
    assert_eq!(key.algorithm(), Algorithm::Es256);
    let again = SecretKey::from_jwk_bytes(key.to_jwk().as_bytes()).unwrap();
    assert_eq!(again.public_key(), key.public_key());
    assert_eq!(again.to_pkcs8_pem(), key.to_pkcs8_pem());
}

#[test]
fn private_jwk_is_read_strictly() {
    let ed = |x: &[u8], d: &str, more: &str| {
        let x = base64url(x);
        let jwk = format!(r#"{{"kty":"OKP","crv":"Ed25519","x":"{x}","d":"{d}"{more}}}"#);
        SecretKey::from_jwk_bytes(jwk.as_bytes())
    };
    let d = base64url(&[1; 32]);
    let x = SecretKey::from_bytes(Algorithm::EdDsa, &[1; 32]).unwrap();
    let x = x.public_key().ed25519_bytes().unwrap();
    assert!(ed(x, &d, "").is_ok());
    assert!(ed(x, &d, r#","key_ops":["sign"],"use":"sig","alg":"EdDSA""#).is_ok());
    let other = SecretKey::from_bytes(Algorithm::EdDsa, &[2; 32]).unwrap();
    let other = other.public_key().ed25519_bytes().unwrap();
    assert_eq!(error(ed(other, &d, "")), SecretKeyError::PublicKeyMismatch);
    let jwk = |error| SecretKeyError::Jwk(error);
    let forbidden = KeyError::JwkForbidden { member: "key_ops" };
    assert_eq!(error(ed(x, &d, r#","key_ops":["verify"]"#)), jwk(forbidden));
    let length = KeyError::JwkLength { member: "d", expected: 32, found: 31 };
    assert_eq!(error(ed(x, &base64url(&[1; 31]), "")), jwk(length));
    let public =
        r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let missing = KeyError::JwkMissing { member: "d" };
    assert_eq!(error(SecretKey::from_jwk_bytes(public.as_bytes())), jwk(missing));
}

#[test]
fn p256_numbers_have_a_range() {
    let order =
        from_hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551").unwrap();
    for bytes in [[0; 32], [0xff; 32], order] {
        let result = SecretKey::from_bytes(Algorithm::Es256, &bytes);
        assert_eq!(error(result), SecretKeyError::OutOfRange);
    }
    let mut largest = order;
    largest[31] -= 1;
    assert!(SecretKey::from_bytes(Algorithm::Es256, &largest).is_ok());
}

#[test]
fn pem_of_something_else_is_named() {
    let read = |label| error(SecretKey::from_pem(&pem::encode(label, &[0x30, 0])));
    assert_eq!(read("ENCRYPTED PRIVATE KEY"), SecretKeyError::Encrypted);
    for label in ["PUBLIC KEY", "CERTIFICATE", "RSA PRIVATE KEY"] {
        assert_eq!(read(label), SecretKeyError::PemLabel { found: label.to_owned() });
    }
    assert_eq!(read("PRIVATE KEY"), SecretKeyError::Der);
    assert_eq!(read("EC PRIVATE KEY"), SecretKeyError::Der);
    let text = error(SecretKey::from_pem("key"));
    assert_eq!(text, SecretKeyError::Pem(PemError::NotPem));
    let two = format!("{RFC_8410}{RFC_8410}");
    assert_eq!(error(SecretKey::from_pem(&two)), SecretKeyError::Pem(PemError::Several));
}

#[test]
fn public_key_beside_a_private_key_must_be_its_own() {
    for (text, at) in [(RFC_8410_V2, 100), (&*p256_pkcs8(), 100)] {
        let mut der = pem::decode(text).unwrap();
        der[at] ^= 1;
        let text = pem::encode("PRIVATE KEY", &der);
        let error = error(SecretKey::from_pem(&text));
        assert!(matches!(error, SecretKeyError::PublicKeyMismatch | SecretKeyError::Der));
    }
}

fn p256_pkcs8() -> String {
    SecretKey::from_bytes(Algorithm::Es256, &[7; 32]).unwrap().to_pkcs8_pem().to_string()
}

fn openssl(arguments: &[&str], key: &str) -> Option<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), key).unwrap();
    let path = file.path().to_str().unwrap();
    let Ok(output) = Command::new("openssl").args(arguments).args(["-in", path]).output() else {
        eprintln!("SKIPPED: no openssl");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn openssl_reads_what_we_write() {
    for algorithm in [Algorithm::EdDsa, Algorithm::Es256] {
        let key = SecretKey::from_bytes(algorithm, &[7; 32]).unwrap();
        let Some(public) = openssl(&["pkey", "-pubout"], &key.to_pkcs8_pem()) else { return };
        assert_eq!(public, key.public_key().to_spki_pem());
        let text = openssl(&["pkey"], &key.to_pkcs8_pem()).unwrap();
        assert_eq!(text, *key.to_pkcs8_pem(), "the same bytes as OpenSSL writes");
    }
}

#[test]
fn we_read_what_openssl_writes() {
    let key = SecretKey::from_bytes(Algorithm::Es256, &[7; 32]).unwrap();
    let Some(sec1) = openssl(&["ec"], &key.to_pkcs8_pem()) else { return };
    assert!(sec1.starts_with("-----BEGIN EC PRIVATE KEY-----"));
    assert_eq!(SecretKey::from_pem(&sec1).unwrap().public_key(), key.public_key());
    let without_public = openssl(&["ec", "-no_public"], &key.to_pkcs8_pem()).unwrap();
    assert_eq!(SecretKey::from_pem(&without_public).unwrap().public_key(), key.public_key());
}

/// Made with `openssl genpkey`.
#[test]
fn keys_of_other_kinds_are_refused() {
    let x25519 = "MC4CAQAwBQYDK2VuBCIEIHgH4mZ0zC3jV7bWqOaXFTAHGrbpqHDYVUUvJUdFYVxk";
    let text = format!("-----BEGIN PRIVATE KEY-----\n{x25519}\n-----END PRIVATE KEY-----\n");
    assert_eq!(error(SecretKey::from_pem(&text)), SecretKeyError::Unsupported);
    let jwk = r#"{"kty":"EC","crv":"P-384","d":"AA",
        "x":"lInTxl8fjLKp_UCrxI0WDklahi-7-_6JbtiHjiRvMvhedhKVdHBfi2HCY8t_QJyc",
        "y":"y6N1IC-2mXxHreETBW7K3mBcw0qGr3CWHCs-yl09yCQRLcyfGv7XhqAngHOu51Zv"}"#;
    let unsupported = SecretKeyError::KeyUnsupported { key: KeyKind::P384 };
    assert_eq!(error(SecretKey::from_jwk_bytes(jwk.as_bytes())), unsupported);
}

proptest! {
    #[test]
    fn every_form_gives_the_same_key(bytes: [u8; 32], es256: bool) {
        let algorithm = if es256 { Algorithm::Es256 } else { Algorithm::EdDsa };
        let key = SecretKey::from_bytes(algorithm, &bytes).unwrap();
        let from_pem = SecretKey::from_pem(&key.to_pkcs8_pem()).unwrap();
        let from_jwk = SecretKey::from_jwk_bytes(key.to_jwk().as_bytes()).unwrap();
        prop_assert_eq!(from_pem.public_key(), key.public_key());
        prop_assert_eq!(from_jwk.public_key(), key.public_key());
        prop_assert_eq!(from_jwk.to_pkcs8_pem(), key.to_pkcs8_pem());
    }

    #[test]
    fn no_input_panics(bytes in proptest::collection::vec(any::<u8>(), 0..150)) {
        let _ = SecretKey::from_pem(&pem::encode("PRIVATE KEY", &bytes));
        let _ = SecretKey::from_pem(&pem::encode("EC PRIVATE KEY", &bytes));
        let _ = SecretKey::from_jwk_bytes(&bytes);
    }

    #[test]
    fn flipped_key_files_do_not_panic(at in any::<prop::sample::Index>(), bit in 0..8_u8, ed: bool) {
        let text = if ed { RFC_8410_V2.to_owned() } else { p256_pkcs8() };
        let mut der = pem::decode(&text).unwrap();
        let at = at.index(der.len());
        der[at] ^= 1 << bit;
        let _ = SecretKey::from_pem(&pem::encode("PRIVATE KEY", &der));
    }
}
