//! Rules that one changed line would drop without another test to notice it.

use genten_jws::{Signature, Signer as _};
use genten_primitives::encoding::{base64, hex};
use genten_primitives::{HashAlgorithm, Sha256Digest};
use genten_tlog::cosignature;
use genten_tlog::note::signature_line;
use genten_tlog::rekor::HashedRekord;
use genten_verify::Policy;
use serde_json::{Value, json};

use crate::log::{self, ARTIFACT, HOST, Recipe, ed25519, log_key, sign, small, witness};
use crate::small::{case, kit};
use crate::world::{Case, artifacts, outcome_of};

const IN_TOTO: &str = "application/vnd.in-toto+json";

/// A statement about a file of these digests, signed and logged.
fn attestation(payload_type: &str, digest: &Value) -> Value {
    let payload = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "file", "digest": digest}],
        "predicateType": "https://example.org/x",
        "predicate": {},
    });
    let payload = payload.to_string();
    let pae = format!("DSSEv1 {} {payload_type} {} {payload}", payload_type.len(), payload.len());
    let signer = log::signer();
    let signature = Signature::from_bytes(sign(&signer, pae.as_bytes())).to_der().unwrap();
    let digest = Sha256Digest::of(pae.as_bytes());
    let rekord = HashedRekord::new(digest.as_bytes(), &signature, signer.public_key()).unwrap();
    let mut bundle = Recipe { body: rekord.to_body(), ..Recipe::good() }.bundle();
    bundle.as_object_mut().unwrap().remove("messageSignature");
    bundle["dsseEnvelope"] = json!({
        "payloadType": payload_type,
        "payload": base64(payload.as_bytes()),
        "signatures": [{"sig": base64(&signature)}],
    });
    bundle
}

fn of_artifact(hash: HashAlgorithm) -> String {
    hex(&hash.digest(ARTIFACT))
}

#[test]
fn only_in_toto_is_a_statement() {
    let digest = json!({"sha256": of_artifact(HashAlgorithm::Sha256)});
    assert_eq!(case(&attestation(IN_TOTO, &digest)).answer(), "accept");
    for other in [
        "text/plain",
        "application/json",
        "application/vnd.in-toto+jso",
        "application/vnd.in-toto+json2",
        "Application/vnd.in-toto+json",
    ] {
        let answer = case(&attestation(other, &digest)).answer();
        assert_eq!(answer, "review sigstore.no-statement", "{other}");
    }
}

#[test]
fn every_digest_of_a_subject_counts() {
    let digest = json!({"sha256": of_artifact(HashAlgorithm::Sha256), "sha512": "00".repeat(64)});
    let case = case(&attestation(IN_TOTO, &digest));
    assert_eq!(case.answer(), "reject sigstore.other-artifact");
}

#[test]
fn a_digest_by_another_function_compares_with_nothing() {
    let bundle = attestation(IN_TOTO, &json!({"sha512": of_artifact(HashAlgorithm::Sha512)}));
    assert_eq!(case(&bundle).answer(), "accept", "the file itself");
    let [_, artifact] = artifacts(ARTIFACT);
    let by_digest = Case { artifact, ..case(&bundle) };
    assert_eq!(by_digest.answer(), "review sigstore.digest-needed");
}

#[test]
fn the_signers_own_log_is_no_log_under_high_trust() {
    let policies = [format!("log {}\nquorum none\n", log_key(HOST).to_vkey())];
    let case = Case { kit: kit(json!([]), &policies), ..case(&Recipe::good().bundle()) };
    assert_eq!(case.answer(), "accept");
    let strict = Case { policy: Policy::built_in("high-trust").unwrap(), ..case };
    assert_eq!(outcome_of(&strict.report(), "log.unwitnessed"), Some("missing"));
}

const EARLY: u64 = 1_790_000_000;
const LATE: u64 = 1_796_000_000;

fn cosigned(text: &str) -> Vec<String> {
    let cosign = |(name, seconds): (&str, u64)| {
        let signature = sign(&ed25519(name), &cosignature::message(seconds, text));
        signature_line(&witness(name), &cosignature::blob(seconds, &signature))
    };
    [("w1.example", EARLY), ("w2.example", LATE)].map(cosign).to_vec()
}

#[test]
fn of_two_policies_the_later_quorum_gives_the_time() {
    let bundle = Recipe { cosign: cosigned, ..Recipe::good() }.bundle();
    let policy = |name: &str| {
        let (log, witness) = (log_key(HOST).to_vkey(), witness(name).to_vkey());
        format!("log {log}\nwitness w {witness}\nquorum w\n")
    };
    for names in [["w1.example", "w2.example"], ["w2.example", "w1.example"]] {
        let case = Case { kit: kit(json!([small()]), &names.map(policy)), ..case(&bundle) };
        let by = case.report().logs[0].witnessed_by.unwrap();
        assert_eq!(by.as_millis(), i64::try_from(LATE).unwrap() * 1000);
    }
}

/// Logs of version 2 state no time: whoever has the log's key could make such a promise at any time.
#[test]
fn a_promise_of_version_2_is_no_time() {
    let mut bundle = Recipe::good().bundle();
    let entry = &mut bundle["verificationMaterial"]["tlogEntries"][0];
    let id = hex(log_key(HOST).full_id().as_bytes());
    let body = base64(&log::rekord().to_body());
    let message = format!(
        "{{\"body\":\"{body}\",\"integratedTime\":1796000000,\"logID\":\"{id}\",\"logIndex\":1}}"
    );
    let promise = base64(&sign(&log::secret(), message.as_bytes()));
    entry["inclusionPromise"] = json!({"signedEntryTimestamp": promise});
    entry["integratedTime"] = "1796000000".into();
    let case = case(&bundle);
    assert_eq!(case.answer(), "accept");
    assert_eq!(case.report().trusted_time, None);
}
