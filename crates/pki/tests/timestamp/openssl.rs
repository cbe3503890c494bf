//! Tokens that `openssl ts` of OpenSSL 3 made, by an authority with a P-256 and one with an RSA key.

use std::path::{Path, PathBuf};

use genten_pki::{TimestampError as E, TimestampPart, TimestampToken, VerifiedTimestamp};

use crate::{authority, good_with_aws_lc, verify};

const MESSAGE: &[u8] = b"stamped by openssl";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/timestamp").join(name)
}

fn ask(token: &str, chain: &str) -> Result<VerifiedTimestamp, E> {
    let token = std::fs::read(file(token)).unwrap();
    verify(&token, MESSAGE, &[authority(&file(chain))])
}

/// The old attribute too, which names the certificate by SHA-1.
#[test]
fn ecdsa_tokens_hold() {
    for name in ["ec-sha256.tsr", "ec-sha384.tsr", "ec-old.tsr"] {
        let stamp = ask(name, "ec.pem").unwrap();
        assert!(stamp.time().to_string().starts_with("2026-11-30T12:26:4"), "{}", stamp.time());
        assert_eq!(stamp.accuracy().unwrap().as_micros(), 1_500_100);
        assert_eq!(stamp.policy().to_string(), "1.2.3.4.1");
        assert_eq!((stamp.authority(), stamp.authority_name()), (0, "test"));
    }
}

#[test]
fn sha1_is_refused_in_imprint_and_signature() {
    let algorithm = "1.3.14.3.2.26".parse().unwrap();
    let part = TimestampPart::Imprint;
    assert_eq!(ask("ec-sha1-imprint.tsr", "ec.pem"), Err(E::HashWeak { part, algorithm }));
    let algorithm = "1.3.14.3.2.26".parse().unwrap();
    let part = TimestampPart::Content;
    assert_eq!(ask("ec-sha1-signed.tsr", "ec.pem"), Err(E::HashWeak { part, algorithm }));
}

#[test]
fn ecdsa_with_sha512_cannot_be_checked() {
    let error = ask("ec-sha512.tsr", "ec.pem").unwrap_err();
    assert!(matches!(error, E::SignatureNotCheckable { .. }), "{error:?}");
    assert!(!error.is_contradiction());
}

#[test]
fn rsa_is_checked_where_the_build_can() {
    for name in ["rsa-sha256.tsr", "rsa-old.tsr"] {
        good_with_aws_lc(&ask(name, "rsa.pem"));
    }
}

#[test]
fn another_authority_is_not_known() {
    let error = ask("ec-sha256.tsr", "rsa.pem").unwrap_err();
    let signer = r#"timestamp authority with the certificate 1234 issued by "CN=ec root,O=Example" is not known"#;
    assert_eq!(error.to_string(), signer);
    let token = std::fs::read(file("ec-sha256.tsr")).unwrap();
    let token = TimestampToken::from_der(&token).unwrap();
    assert_eq!(error, E::UnknownAuthority { signer: token.claimed_signer() });
}

/// Any changed bit is refused, but in hints that are not signed.
#[test]
fn any_flipped_bit_is_refused() {
    let good = std::fs::read(file("ec-sha256.tsr")).unwrap();
    let authorities = [authority(&file("ec.pem"))];
    assert!(verify(&good, MESSAGE, &authorities).is_ok());
    let mut harmless = Vec::new();
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut token = good.clone();
            token[at] ^= 1 << bit;
            if verify(&token, MESSAGE, &authorities).is_ok() {
                harmless.push(at);
            }
        }
    }
    // The status (granted with or without changes), the hint at hash algorithms, and the field of embedded certificates,
    // which may be there or not.
    assert!(harmless.iter().all(|at| matches!(at, 8 | 39..52 | 229)), "{harmless:?}");
}
