//! What depends on the caller or on the build: checkers of external evidence, and signatures by RSA.

use genten_manifest::{ExternalEvidence, UnverifiedManifest};
use genten_primitives::encoding::base64url;
use genten_primitives::{PublicKey, Sha256Digest};
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::witness::policy;
use genten_tlog::rekor::HashedRekord;
use genten_verify::input::Input;
use genten_verify::{Body, ExternalChecker, ExternalOutcome, Report};
use serde_json::{Value, json};

use crate::common::NOW;
use crate::common::case::{Case, codes};
use crate::common::keys::es256;
use crate::common::kit::Kit;
use crate::common::manifest::{Draft, sha256};

const MEDIA_TYPE: &str = "application/x-word";

/// Takes the evidence at its word.
#[derive(Debug)]
struct Word;

impl ExternalChecker for Word {
    fn media_type(&self) -> &str {
        MEDIA_TYPE
    }

    fn check(&self, evidence: &ExternalEvidence, manifest: &UnverifiedManifest) -> ExternalOutcome {
        let url = manifest.claims().source_url.as_str().to_owned();
        match evidence.data.as_deref() {
            Some(b"good") => ExternalOutcome::Holds(url),
            Some(b"bad") => ExternalOutcome::Contradicts(url),
            _ => ExternalOutcome::NotChecked(url),
        }
    }
}

fn draft() -> Draft {
    Draft::new(&es256("signer"), &es256("signer").did_key())
}

fn judge(evidence: &[Value], checked: bool) -> Report {
    let case = Case::bundle(draft().bundle(evidence))
        .signer(&es256("signer").did_key())
        .policy_file("[require]\ndefault = [\"signature\", \"signer\", \"external\"]\n");
    let mut verifier = case.verifier().unwrap();
    if checked {
        verifier = verifier.with_checker(Box::new(Word));
    }
    let input = Input::read(&case.input).unwrap();
    verifier.verify_input(&input, &[], &Body::NotGiven, NOW.parse().unwrap())
}

fn external(word: &[u8]) -> Value {
    let data = genten_primitives::encoding::base64(word);
    json!({"type": "external", "media_type": MEDIA_TYPE, "sha256": sha256(word), "data": data,
        "manifest_id": draft().manifest_id()})
}

#[test]
fn a_checker_decides_on_its_own_media_type() {
    let because = |evidence: &[Value], checked| {
        let verdict = judge(evidence, checked).verdict;
        (verdict.as_str(), verdict.because().map(|code| code.as_str()))
    };
    assert_eq!(because(&[external(b"good")], true), ("accept", None));
    assert_eq!(because(&[external(b"bad")], true), ("reject", Some("external.contradicts")));
    assert_eq!(because(&[external(b"else")], true), ("review", Some("external.not-checked")));
    assert_eq!(because(&[external(b"good")], false), ("review", Some("external.not-checked")));
    let mut other = external(b"good");
    other["media_type"] = "application/x-other".into();
    assert_eq!(because(&[other], true), ("review", Some("external.not-checked")));
}

/// What is not this manifest's never reaches a checker.
#[test]
fn a_checker_does_not_overrule_the_binding() {
    let mut other = external(b"good");
    other["manifest_id"] = sha256(b"another manifest").into();
    let report = judge(&[other], true);
    assert_eq!(report.verdict.because().unwrap().as_str(), "external.other-manifest");
    let mut digest = external(b"good");
    digest["sha256"] = sha256(b"other").into();
    let report = judge(&[external(b"good"), digest], true);
    assert_eq!(report.verdict.because().unwrap().as_str(), "external.digest");
}

/// An entry by an RSA key, whose signature is made up: what a build cannot check is open, never taken for good.
#[test]
fn what_a_build_cannot_check_is_open() {
    let modulus = base64url(&[vec![0xc1], vec![0x5b; 255]].concat());
    let jwk = json!({"kty": "RSA", "n": modulus, "e": "AQAB"}).to_string();
    let key = PublicKey::from_jwk_bytes(jwk.as_bytes()).unwrap();
    let digest = Sha256Digest::of(draft().signing_input(&draft().header_text()).as_bytes());
    let body = HashedRekord::new(digest.as_bytes(), &[1; 256], &key).unwrap().to_body();
    let mut log = TestLog::new("log.example.org");
    let entry = log.log(&body, &Handing::default());
    let evidence = json!({"type": "rekor-v2", "subject": "manifest", "entry": entry});
    let case = Case::bundle(draft().bundle(&[evidence]))
        .signer(&es256("signer").did_key())
        .kit(&Kit::new().with("tlog_policies", json!([policy(&[log.note_key()], &[], 0)])))
        .policy_file("[require]\ndefault = [\"signature\", \"signer\", \"log\"]\n");
    match cfg!(feature = "aws-lc") {
        true => case.expect("reject", "log.signature-invalid"),
        false => case.expect("review", "log.signature-not-checked"),
    }
    assert!(!codes(&case.report().unwrap()).contains(&"log.included".to_owned()));
}
