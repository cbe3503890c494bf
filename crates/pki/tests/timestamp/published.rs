//! Tokens of real authorities and of Sigstore's conformance suite, from the shared vectors.

use std::path::Path;

use genten_pki::{
    Certificate, TimestampAuthority, TimestampError as E, TimestampRequest, TimestampToken,
    VerifiedTimestamp,
};
use genten_primitives::Timestamp;
use genten_primitives::encoding::from_base64;
use genten_primitives::json::{self, Limits, Value};

use crate::common::{time, vectors};
use crate::{authority, good_with_aws_lc, unbounded, verify};

const FIXTURES: &str = "rfc3161-client/test/fixtures";

fn ask(folder: &Path, token: &str, message: &[u8]) -> Result<VerifiedTimestamp, E> {
    let token = std::fs::read(folder.join(token)).unwrap();
    verify(&token, message, &[authority(&folder.join("ts_chain.pem"))])
}

#[test]
fn staging_tokens_by_each_hash() {
    let Some(folder) = vectors(FIXTURES).map(|folder| folder.join("sigstage")) else { return };
    for name in ["sha256", "sha384", "sha512", "no-embedded-cert"] {
        let stamp = ask(&folder, &format!("response-{name}.tsr"), b"hello").unwrap();
        assert_eq!(stamp.policy().to_string(), "1.3.6.1.4.1.57264.2");
        assert_eq!(stamp.accuracy().unwrap().as_secs(), 1);
    }
    let stamp = ask(&folder, "response-sha256.tsr", b"hello").unwrap();
    assert_eq!(stamp.time(), time("2025-05-09T11:58:55Z"));
    let other = ask(&folder, "response-sha256.tsr", b"hallo").unwrap_err();
    assert!(matches!(other, E::Imprint { .. }) && other.is_contradiction());
}

#[test]
fn an_invalid_signature_is_refused() {
    let Some(folder) = vectors(FIXTURES).map(|folder| folder.join("sigstage")) else { return };
    let error = ask(&folder, "response-invalid-signature.tsr", b"hello").unwrap_err();
    assert!(matches!(error, E::Signature(_)), "{error:?}");
}

/// Expired since 2024, and good when it stamped.
#[test]
fn an_expired_chain_that_was_valid_then_passes() {
    let Some(folder) = vectors(FIXTURES).map(|folder| folder.join("sigstore.mock")) else { return };
    let payload = std::fs::read(folder.join("payload")).unwrap();
    let stamp = ask(&folder, "response-expired.tsr", &payload).unwrap();
    assert_eq!(stamp.time(), time("2023-02-01T00:00:00Z"));
    assert_eq!(stamp.serial(), [0xde, 0xad, 0xbe, 0xef], "a negative number");
}

#[test]
fn injected_certificates_are_refused() {
    let Some(folder) = vectors(FIXTURES).map(|folder| folder.join("test_tsa")) else { return };
    let good = ask(&folder, "response.tsr", b"hello");
    assert_eq!(good.unwrap().time(), time("2024-10-08T15:40:32Z"));
    let error = ask(&folder, "other_response.tsr", b"hello").unwrap_err();
    assert!(matches!(error, E::UnknownAuthority { .. }), "of an authority with the same name");
    let error = ask(&folder, "response-injected-certs.tsr", b"hello").unwrap_err();
    assert!(matches!(error, E::EmbeddedStranger { .. }), "{error:?}");
    let Some(go) = vectors("timestamp-authority/pkg/verification/testdata") else { return };
    let token = std::fs::read(go.join("response-injected-certs.tsr")).unwrap();
    let error = verify(&token, b"hello", &[authority(&folder.join("ts_chain.pem"))]);
    assert!(matches!(error, Err(E::EmbeddedStranger { .. })), "{error:?}");
}

/// RSA, signingCertificate of the old kind, and a chain that is embedded but for its root.
#[test]
fn identrust() {
    let Some(folder) = vectors(FIXTURES).map(|folder| folder.join("identrust")) else { return };
    let token = std::fs::read(folder.join("issue-104.tsr")).unwrap();
    let root = std::fs::read(folder.join("ts_chain.pem")).unwrap(); // DER, by its content
    let mut chain = embedded(&token);
    assert_eq!(chain.len(), 2);
    chain.push(Certificate::from_der(&root).unwrap());
    let answer = verify(&token, b"hello", &[unbounded(chain)]);
    good_with_aws_lc(&answer);
    let genuine = answer.is_ok_and(|stamp| stamp.time() == time("2025-03-11T08:52:08Z"));
    assert_eq!(genuine, cfg!(feature = "aws-lc"));
}

/// Whatever stands in the bytes and reads as a certificate.
fn embedded(token: &[u8]) -> Vec<Certificate> {
    let starts = (0..token.len()).filter(|at| token[*at..].starts_with(&[0x30, 0x82]));
    let whole = starts.filter_map(|at| {
        let length = 4 + usize::from(token[at + 2]) * 256 + usize::from(token[at + 3]);
        Certificate::from_der(token.get(at..at + length)?).ok()
    });
    whole.collect()
}

fn text(value: Value<'_>, path: &[&str]) -> Option<String> {
    let value = path.iter().try_fold(value, |value, name| value.get(name))?;
    value.as_str().map(|text| text.into_owned())
}

fn bytes(value: Value<'_>, path: &[&str]) -> Vec<u8> {
    let text = text(value, path).unwrap();
    from_base64(&text.replace('\n', "")).unwrap() // one case has lines
}

fn authorities(trusted_root: &Path) -> Vec<TimestampAuthority> {
    let file = std::fs::read(trusted_root).unwrap();
    let document = json::read(&file, Limits::bytes(1 << 20)).unwrap();
    let Some(list) = document.root().get("timestampAuthorities") else { return Vec::new() };
    let authority = |one: Value<'_>| {
        let chain = one.get("certChain").unwrap().get("certificates").unwrap().items().unwrap();
        let chain = chain
            .map(|certificate| Certificate::from_der(&bytes(certificate, &["rawBytes"])).unwrap());
        let at = |end| text(one, &["validFor", end]).map(|text| text.parse::<Timestamp>().unwrap());
        let chain = chain.collect();
        TimestampAuthority::new("sigstore".to_owned(), chain, at("start"), at("end")).unwrap()
    };
    list.items().unwrap().map(authority).collect()
}

/// The stamped signature and the tokens of a bundle.
fn stamps(bundle: &[u8]) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
    let document = json::read(bundle, Limits::bytes(1 << 20)).ok()?;
    let root = document.root();
    let data = root.get("verificationMaterial")?.get("timestampVerificationData")?;
    let tokens = data.get("rfc3161Timestamps")?.items()?;
    let tokens: Vec<_> = tokens.map(|token| bytes(token, &["signedTimestamp"])).collect();
    let signature = match root.get("dsseEnvelope") {
        Some(envelope) => bytes(envelope.get("signatures")?.items()?.next()?, &["sig"]),
        None => bytes(root, &["messageSignature", "signature"]),
    };
    Some((signature, tokens))
}

#[test]
fn live_bundles() {
    let Some(folder) = vectors("rekor-live") else { return };
    let pem = authority(&folder.join("tsa-chain.pem"));
    let mut seen = 0;
    for name in ["blob", "ed", "p384", "rsa"] {
        let bundle = std::fs::read(folder.join("bundles").join(format!("{name}.sigstore.json")));
        let (signature, tokens) = stamps(&bundle.unwrap()).unwrap();
        for token in tokens {
            assert!(verify(&token, &signature, std::slice::from_ref(&pem)).is_ok(), "{name}");
            let root = authorities(&folder.join("trusted_root.json"));
            assert!(verify(&token, &signature, &root).is_ok(), "{name}");
            assert!(verify(&token, b"other", &root).unwrap_err().is_contradiction());
            seen += 1;
        }
    }
    assert_eq!(seen, 4);
}

/// What a case of the conformance suite says about its timestamps. Most negative cases are about something else, such as a
/// time at which the bundle's own signer could not sign.
#[derive(Debug, PartialEq)]
enum Outcome {
    Good,
    Imprint,
    OutsideWindow,
    Unknown,
    Validity,
}

fn outcome(answer: &Result<VerifiedTimestamp, E>) -> Outcome {
    match answer {
        Ok(_) => Outcome::Good,
        Err(E::Imprint { .. }) => Outcome::Imprint,
        Err(E::OutsideWindow { .. }) => Outcome::OutsideWindow,
        Err(E::UnknownAuthority { .. }) => Outcome::Unknown,
        Err(E::Validity { .. }) => Outcome::Validity,
        Err(error) => panic!("{error}"),
    }
}

fn expected(case: &str) -> Outcome {
    match case {
        "rekor2-timestamp-payload-mismatch_fail" => Outcome::Imprint,
        "rekor2-timestamp-outside-trust-root-tsa-validity_fail" => Outcome::OutsideWindow,
        "rekor2-timestamp-untrusted-tsa-with-embedded-cert_fail"
        | "rekor2-timestamp-untrusted-tsa-without-embedded-cert_fail" => Outcome::Unknown,
        "rekor2-timestamp-outside-tsa-cert-validity_fail" => Outcome::Validity,
        _ => Outcome::Good,
    }
}

#[test]
fn conformance_bundles() {
    let Some(cases) = vectors("sigstore-conformance/test/assets/bundle-verify") else { return };
    let Some(production) = vectors("sigstore-root-signing/targets/trusted_root.json") else {
        return;
    };
    let mut seen = 0;
    for case in std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(bundle) = std::fs::read(case.join("bundle.sigstore.json")) else { continue };
        let Some((signature, tokens)) = stamps(&bundle) else { continue };
        let own = case.join("trusted_root.json");
        let authorities = authorities(if own.exists() { &own } else { &production });
        let name = case.file_name().unwrap().to_str().unwrap();
        for token in tokens {
            let answer = verify(&token, &signature, &authorities);
            assert_eq!(outcome(&answer), expected(name), "{name}: {answer:?}");
            seen += 1;
        }
    }
    println!("{seen} tokens");
    assert!(seen >= 33, "{seen}");
}

#[test]
fn published_answers_are_not_ours() {
    let Some(folder) = vectors(FIXTURES).map(|folder| folder.join("test_tsa")) else { return };
    let answer = std::fs::read(folder.join("response.tsr")).unwrap();
    let authority = authority(&folder.join("ts_chain.pem"));
    let request = TimestampRequest::new(b"hello", 0x36a4_4f9f_4a39_1fd3);
    // The nonce is right, but this answer is over SHA-512, which was not asked for.
    let error = request.check_response(&answer, &[authority]).unwrap_err();
    assert!(error.to_string().contains("SHA-512"), "{error}");
    assert!(TimestampToken::from_der(&answer).is_ok());
}
