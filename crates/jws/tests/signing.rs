//! Signing: known answers, the round trip through a manifest, signers that take their time, and keys with one use.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use genten_jws::{
    Algorithm, AsyncSigner, BoxFuture, CertificateHint, ContentLogKey, ContentLogSigner, Immediate,
    Jws, JwsError, JwsSigner, LocalSigner, ManifestSigner, SecretKey, SignError, Signature,
    SignatureChecked, SignedBytes, Signer, Typ,
};
use genten_manifest::{Claims, KeyId, UnverifiedManifest};
use genten_primitives::encoding::{from_base64url, from_hex};
use genten_primitives::key::pem;
use genten_primitives::signature::{Message, Scheme, verify};
use genten_primitives::{PublicKey, Sha256Digest, Sha512Digest};
use proptest::prelude::*;

fn key(algorithm: Algorithm) -> SecretKey {
    SecretKey::from_bytes(algorithm, &[7; 32]).unwrap()
}

fn claims() -> Claims {
    let url = "https://www.rfc-editor.org/rfc/rfc9421.txt".parse().unwrap();
    let time = "2026-11-30T08:15:00Z".parse().unwrap();
    Claims::builder(url, time, Sha256Digest::of(b"body")).finish().unwrap()
}

/// RFC 6979 appendix A.2.5, with the smaller of the two S.
#[test]
fn es256_is_deterministic_with_low_s() {
    let x = from_hex("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721").unwrap();
    let signer = LocalSigner::did_key(SecretKey::from_bytes(Algorithm::Es256, &x).unwrap());
    for (message, r, s) in [
        (
            "sample",
            "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
            // n - f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
            "0834e36ad29a83bf2bc9385e491d6099c8fdf9d1ed67aa7ea5f51f93782857a9",
        ),
        (
            "test",
            "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
            "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
        ),
    ] {
        let signature = signer.sign(message.as_bytes()).unwrap();
        let expected = [from_hex::<32>(r).unwrap(), from_hex(s).unwrap()].concat();
        assert_eq!(signature.as_bytes()[..], expected, "{message}");
    }
}

/// RFC 8037 appendix A.4.
#[test]
fn eddsa_example() {
    let jwk = br#"{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
                   "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let signer = LocalSigner::did_key(SecretKey::from_jwk_bytes(jwk).unwrap());
    let input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
    let signature = signer.sign(input.as_bytes()).unwrap();
    let expected =
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
    assert_eq!(signature.as_bytes()[..], from_base64url(expected).unwrap());
}

/// RFC 8032 section 7.3.
#[test]
fn ed25519ph_example() {
    let secret =
        from_hex("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42").unwrap();
    let signer = LocalSigner::did_key(SecretKey::from_bytes(Algorithm::EdDsa, &secret).unwrap());
    let signature = signer.sign_ed25519ph(&Sha512Digest::of(b"abc")).unwrap().unwrap();
    let expected: [u8; 64] = from_hex(concat!(
        "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae41",
        "31f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406",
    ))
    .unwrap();
    assert_eq!(signature.as_bytes(), &expected);
    let es256 = LocalSigner::did_key(key(Algorithm::Es256));
    assert!(es256.sign_ed25519ph(&Sha512Digest::of(b"abc")).is_none());
}

/// What a manifest looks like when it is signed by the key of 32 bytes 07: both signatures are deterministic.
#[test]
fn golden_manifests() {
    for (algorithm, expected) in [
        (Algorithm::EdDsa, include_str!("data/golden-eddsa.json")),
        (Algorithm::Es256, include_str!("data/golden-es256.json")),
    ] {
        let signer = ManifestSigner::new(LocalSigner::did_key(key(algorithm))).unwrap();
        let json = String::from_utf8(signer.sign(claims()).unwrap().to_json()).unwrap();
        assert_eq!(json, expected.trim_end());
    }
}

#[test]
fn a_manifest_verifies_under_its_key_only() {
    for algorithm in [Algorithm::EdDsa, Algorithm::Es256] {
        let signer = ManifestSigner::new(LocalSigner::did_key(key(algorithm))).unwrap();
        let json = signer.sign(claims()).unwrap().to_json();
        let manifest = UnverifiedManifest::read(&json).unwrap();
        let signed = SignedBytes::of_manifest(&manifest).unwrap();
        let checked = signed.verify(signer.signer().public_key()).unwrap();
        assert_eq!(checked.key(), signer.signer().public_key());
        assert_eq!(checked.sha256(), Sha256Digest::of(signed.input()));
        let other = SecretKey::from_bytes(algorithm, &[8; 32]).unwrap();
        let error = signed.verify(other.public_key()).unwrap_err();
        assert_eq!(error.code(), "jws.signature.mismatch");
    }
}

/// 001-07, 001-12
#[test]
fn a_changed_manifest_does_not_verify() {
    let signer = ManifestSigner::new(LocalSigner::did_key(key(Algorithm::EdDsa))).unwrap();
    let json = String::from_utf8(signer.sign(claims()).unwrap().to_json()).unwrap();
    let verify = |json: &str| {
        let manifest = UnverifiedManifest::read(json.as_bytes()).unwrap();
        SignedBytes::of_manifest(&manifest)?.verify(signer.signer().public_key())
    };
    assert!(verify(&json).is_ok());
    assert!(verify(&json.replace(',', ", ")).is_ok(), "the canonical form is what counts");
    let pointer = json.replace("}", r#","transparency_log_id":"example.org/log#5"}"#);
    assert!(verify(&pointer).is_ok(), "a pointer to a log is not signed");
    let later = json.replace("08:15:00Z", "08:15:01Z");
    assert_eq!(verify(&later).unwrap_err().code(), "jws.signature.mismatch");
    let unknown = json.replace("}", r#","source_revison":"1"}"#);
    assert_eq!(verify(&unknown).unwrap_err().code(), "jws.signature.mismatch");
    let other = LocalSigner::did_key(SecretKey::from_bytes(Algorithm::EdDsa, &[8; 32]).unwrap());
    let renamed = json.replace(
        &format!(r#""mcp_key_id":"{}""#, signer.signer().key_id()),
        &format!(r#""mcp_key_id":"{}""#, other.key_id()),
    );
    assert_eq!(verify(&renamed).unwrap_err().code(), "jws.kid.mismatch");
}

#[test]
fn a_batch_statement_is_attached() {
    let signer = JwsSigner::new(
        LocalSigner::did_key(key(Algorithm::Es256)),
        Typ::Batch,
        CertificateHint::None,
    )
    .unwrap();
    let message = signer.sign(br#"{"root":"00","size":1}"#).unwrap();
    let attached = message.attached();
    let jws = Jws::read(&attached, Typ::Batch).unwrap();
    let payload = jws.payload().unwrap();
    assert_eq!(payload, br#"{"root":"00","size":1}"#);
    let signed = jws.over(&payload).unwrap();
    assert_eq!(signed.sha256(), message.sha256());
    assert!(signed.verify(signer.signer().public_key()).is_ok());
    let as_manifest = Jws::read(&attached, Typ::Manifest).unwrap_err();
    assert_eq!(as_manifest.code(), "jws.typ.other");
}

#[test]
fn certificates_are_checked_before_they_are_named() {
    let leaf = pem::decode(include_str!("data/san-uris.pem")).unwrap();
    let secret = || SecretKey::from_pem(include_str!("data/san-uris-key.pem")).unwrap();
    let id = |text: &str| text.parse::<KeyId>().unwrap();
    let signer = |secret, id| LocalSigner::new(secret, id).unwrap();
    let chain = [leaf];
    let good = signer(secret(), id("https://mcp.example.org/server"));
    let good = ManifestSigner::with_certificate(good, CertificateHint::Chain(&chain)).unwrap();
    let manifest = good.sign(claims()).unwrap();
    let jws = Jws::read(&manifest.mcp_signature, Typ::Manifest).unwrap();
    assert_eq!(jws.header().x5c, chain);
    let not_named = signer(secret(), id("https://mcp.example.org/other"));
    assert!(ManifestSigner::with_certificate(not_named, CertificateHint::Chain(&chain)).is_err());
    let other_key = signer(key(Algorithm::Es256), id("https://mcp.example.org/server"));
    assert!(ManifestSigner::with_certificate(other_key, CertificateHint::Chain(&chain)).is_err());
    let digest = Sha256Digest::of(&chain[0]);
    let named = signer(secret(), id("https://mcp.example.org/server"));
    let named = ManifestSigner::with_certificate(named, CertificateHint::Digest(digest)).unwrap();
    let manifest = named.sign(claims()).unwrap();
    let jws = Jws::read(&manifest.mcp_signature, Typ::Manifest).unwrap();
    assert_eq!(jws.header().x5t_s256, Some(digest));
}

#[test]
fn an_id_with_another_key_is_refused() {
    let other = LocalSigner::did_key(SecretKey::from_bytes(Algorithm::EdDsa, &[8; 32]).unwrap());
    let result = LocalSigner::new(key(Algorithm::EdDsa), other.key_id().clone());
    assert!(matches!(result.err(), Some(SignError::KeyId(_))));
}

/// A service that answers at the second poll, with a key of its own choice.
struct Service {
    shown: LocalSigner,
    used: LocalSigner,
}

impl AsyncSigner for Service {
    fn key_id(&self) -> &KeyId {
        self.shown.key_id()
    }

    fn public_key(&self) -> &PublicKey {
        self.shown.public_key()
    }

    fn sign<'a>(&'a self, signing_input: &'a [u8]) -> BoxFuture<'a, Result<Signature, SignError>> {
        let mut polled = false;
        Box::pin(std::future::poll_fn(move |context| {
            if std::mem::replace(&mut polled, true) {
                return Poll::Ready(self.used.sign(signing_input).map(high_s));
            }
            context.waker().wake_by_ref();
            Poll::Pending
        }))
    }
}

/// What an HSM may return.
fn high_s(signature: Signature) -> Signature {
    let Ok(low) = p256::ecdsa::Signature::from_slice(signature.as_bytes()) else {
        return signature;
    };
    let high = p256::ecdsa::Signature::from_scalars(*low.r(), -*low.s()).unwrap();
    Signature::from_der(high.to_der().as_bytes()).unwrap()
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

#[test]
fn a_service_signs_with_low_s() {
    let signer = || LocalSigner::did_key(key(Algorithm::Es256));
    let service: Arc<dyn AsyncSigner> = Arc::new(Service { shown: signer(), used: signer() });
    let service = ManifestSigner::new_async(service).unwrap();
    let manifest = wait(service.sign_async(claims())).unwrap();
    let local = ManifestSigner::new(signer()).unwrap().sign(claims()).unwrap();
    assert_eq!(manifest, local);
    let immediate = ManifestSigner::new_async(Immediate(signer())).unwrap();
    assert_eq!(wait(immediate.sign_async(claims())).unwrap(), local);
}

#[test]
fn a_service_with_another_key_is_noticed() {
    let used = SecretKey::from_bytes(Algorithm::Es256, &[9; 32]).unwrap();
    let service = Service {
        shown: LocalSigner::did_key(key(Algorithm::Es256)),
        used: LocalSigner::did_key(used),
    };
    let service = ManifestSigner::new_async(service).unwrap();
    let error = wait(service.sign_async(claims())).unwrap_err();
    assert!(matches!(error, SignError::NotVerified(_)));
}

#[test]
fn a_content_log_key_signs_digests() {
    let log_key = ContentLogKey::new(key(Algorithm::Es256)).unwrap();
    let content = Sha256Digest::of(b"content");
    let der = log_key.sign_prehash(&content).unwrap().to_der().unwrap();
    let check = |message| verify(log_key.public_key(), Scheme::EcdsaSha256Der, message, &der);
    assert_eq!(check(Message::Prehash(content.as_bytes())), Ok(()));
    assert_eq!(check(Message::Bytes(b"content")), Ok(()));
    assert!(ContentLogKey::new(key(Algorithm::EdDsa)).is_err());
}

/// Why the two kinds of signers are apart: whoever serves a body chooses its digest, and may serve the signing input of
/// a manifest. Signed by a manifest's key it would be that manifest's signature.
#[test]
fn a_body_can_be_a_signing_input() {
    let id = LocalSigner::did_key(key(Algorithm::Es256)).key_id().clone();
    let header = format!(r#"{{"alg":"ES256","kid":"{id}","typ":"provenance-manifest+jws"}}"#);
    let forged = claims().payload(&id);
    let body = [header.as_bytes(), &forged].map(genten_primitives::encoding::base64url).join(".");
    let log_key = ContentLogKey::new(key(Algorithm::Es256)).unwrap(); // the mistake: the same key
    let signature = log_key.sign_prehash(&Sha256Digest::of(body.as_bytes())).unwrap();
    let encoded_signature = genten_primitives::encoding::base64url(signature.as_bytes());
    let jws = format!("{}..{encoded_signature}", body.split('.').next().unwrap());
    let checked = Jws::read(&jws, Typ::Manifest).unwrap().over(&forged).unwrap();
    assert!(
        checked.verify(log_key.public_key()).is_ok(),
        "the forgery works with one key for both uses"
    );
}

fn check(jws: &str, payload: &[u8], key: &PublicKey) -> Result<SignatureChecked, JwsError> {
    Jws::read(jws, Typ::Manifest)?.over(payload)?.verify(key)
}

proptest! {
    #[test]
    fn what_is_signed_verifies(secret: [u8; 32], es256: bool, payload: Vec<u8>) {
        let algorithm = if es256 { Algorithm::Es256 } else { Algorithm::EdDsa };
        let signer = LocalSigner::did_key(SecretKey::from_bytes(algorithm, &secret).unwrap());
        let signer = JwsSigner::new(signer, Typ::Manifest, CertificateHint::None).unwrap();
        let message = signer.sign(&payload).unwrap();
        let key = signer.signer().public_key();
        let detached = check(&message.detached(), &payload, key).unwrap();
        prop_assert_eq!(detached.sha256(), message.sha256());
        prop_assert_eq!(check(&message.attached(), &payload, key).unwrap(), detached);
    }

    #[test]
    fn no_changed_token_verifies(es256: bool, at in any::<prop::sample::Index>(), byte in 0x20..0x7f_u8) {
        let algorithm = if es256 { Algorithm::Es256 } else { Algorithm::EdDsa };
        let signer = JwsSigner::new(LocalSigner::did_key(key(algorithm)), Typ::Manifest, CertificateHint::None).unwrap();
        let good = signer.sign(b"{}").unwrap().detached();
        let mut changed = good.clone().into_bytes();
        let at = at.index(changed.len());
        changed[at] = byte;
        let changed = String::from_utf8(changed).unwrap();
        let result = check(&changed, b"{}", signer.signer().public_key());
        prop_assert_eq!(result.is_ok(), changed == good);
    }

    #[test]
    fn no_text_panics(text in ".{0,300}", parts in "[A-Za-z0-9_-]{0,60}\\.[A-Za-z0-9_-]{0,60}\\.[A-Za-z0-9_-]{0,90}") {
        let _ = Jws::read(&text, Typ::Manifest);
        let _ = Jws::read(&parts, Typ::Batch);
    }

    #[test]
    fn no_header_panics(json in r#"\{("(alg|kid|typ|x5c|crit)":("ES256"|"none"|\[\]|1|null|"provenance-manifest\+jws"),?){0,5}\}"#) {
        let header = genten_primitives::encoding::base64url(json.as_bytes());
        let token = format!("{header}..AAAA");
        prop_assert!(Jws::read(&token, Typ::Manifest).is_err());
    }
}
