//! Rules that one changed line would drop without another test to notice it: each from a good case of `testdata`.

use genten_pki::Certificate;
use genten_primitives::PublicKey;
use genten_primitives::encoding::from_base64;
use genten_tlog::NoteKey;
use genten_verify::Body;
use genten_verify::input::Input;
use serde_json::{Value, json};

use crate::common::case::Case;
use crate::common::directory;
use crate::common::keys::es256;
use crate::common::kit::Kit;
use crate::common::manifest::Draft;

const ISSUER: &str = "https://issuer.example";

fn of(id: &str) -> Case {
    directory::all().into_iter().find(|case| case.id == id).unwrap()
}

fn kit_of(case: &Case) -> Value {
    serde_json::from_slice(case.trust.as_ref().unwrap()).unwrap()
}

fn under(case: &Case, kit: &Value) -> Case {
    case.clone().trust(kit.to_string())
}

/// The log of version 1 in the kit's trusted root: where it stands, and its key.
fn first_log(kit: &Value) -> (usize, NoteKey) {
    let tlogs = kit["sigstore_trusted_roots"][0]["tlogs"].as_array().unwrap();
    let is_first = |log: &Value| log["baseUrl"].as_str().unwrap().contains("rekor");
    let at = tlogs.iter().position(is_first).unwrap();
    let der = from_base64(tlogs[at]["publicKey"]["rawBytes"].as_str().unwrap()).unwrap();
    let key = PublicKey::from_spki_der(&der).unwrap();
    (at, NoteKey::for_log("rekor.example.org", &key).unwrap())
}

#[test]
fn a_promise_meets_no_quorum() {
    let case = of("good-sigstore-v1-promise");
    let mut kit = kit_of(&case);
    let others = kit_of(&of("quorum-of-both-policies"));
    let others = others["tlog_policies"][0].as_str().unwrap();
    let witness = others.lines().find(|line| line.starts_with("witness w1")).unwrap();
    let log = first_log(&kit).1.to_vkey();
    kit["tlog_policies"] = json!([format!("log {log}\n{witness}\nquorum w1\n")]);
    under(&case, &kit).expect("review", "log.quorum-not-met");
}

#[test]
fn a_promise_of_the_signers_own_log_is_unwitnessed() {
    let case = of("good-sigstore-v1-promise");
    let mut kit = kit_of(&case);
    let (at, log) = first_log(&kit);
    kit["sigstore_trusted_roots"][0]["tlogs"].as_array_mut().unwrap().remove(at);
    kit["tlog_policies"] = json!([format!("log {}\nquorum none\n", log.to_vkey())]);
    under(&case, &kit).policy("high-trust").expect("review", "log.unwitnessed");
}

#[test]
fn a_promise_is_held_against_the_window_of_the_key() {
    let case = of("good-sigstore-v1-promise");
    let mut kit = kit_of(&case);
    let (at, _) = first_log(&kit);
    kit["sigstore_trusted_roots"][0]["tlogs"][at]["publicKey"]["validFor"]["end"] =
        "2026-11-30T08:16:29Z".into();
    under(&case, &kit).expect("review", "log.key-window");
}

#[test]
fn a_given_key_does_not_answer_for_an_identity() {
    let case = of("good-sigstore-certificate");
    let bundle: Value = serde_json::from_slice(&case.input).unwrap();
    let der = bundle["verificationMaterial"]["certificate"]["rawBytes"].as_str().unwrap();
    let leaf = Certificate::from_der(&from_base64(der).unwrap()).unwrap();
    case.key(leaf.public_key().unwrap().to_spki_pem())
        .identity("https://github.example/other", ISSUER)
        .expect("reject", "sigstore.other-identity");
}

#[test]
fn the_age_of_another_key_dates_none() {
    let case = of("sigstore-time-key-unbound");
    let mut kit = kit_of(&case);
    kit["signers"] = json!([{
        "key_id": "did:web:x.example#1",
        "public_key": es256("somebody else").jwk(),
        "status": "active",
        "valid_from": "2020-01-01T00:00:00Z",
    }]);
    under(&case, &kit).expect("review", "time.key-unbound");
}

#[test]
fn an_entry_of_version_1_is_no_evidence_of_a_manifest() {
    let case = of("good-log-es256");
    for (kind, version) in [("hashedrekord", "0.0.1"), ("dsse", "0.0.1"), ("intoto", "0.0.2")] {
        let mut bundle: Value = serde_json::from_slice(&case.input).unwrap();
        bundle["evidence"][0]["entry"]["kindVersion"] = json!({"kind": kind, "version": version});
        let changed = Case { input: bundle.to_string().into_bytes(), ..case.clone() };
        changed.expect("reject", "log.kind-unsupported");
    }
}

/// A verifier that has seen evidence beside its own manifest says of it beside another one what a fresh verifier says.
#[test]
fn what_is_remembered_is_of_no_other_manifest() {
    let is_good = |case: &Case| {
        case.id.starts_with("good-") && case.input_name.starts_with("bundle.provenance")
    };
    let manifest = |id: &str| -> Value {
        let bundle: Value = serde_json::from_slice(&of(id).input).unwrap();
        bundle["manifest"].clone()
    };
    let manifests =
        ["good-batch", "good-log-es256", "good-certificate-expired-with-time"].map(manifest);
    let now = crate::common::NOW.parse().unwrap();
    let mut compared = 0;
    for case in directory::all().iter().filter(|case| is_good(case)) {
        let Ok(input) = Input::read(&case.input) else { continue };
        let warm = case.verifier().unwrap();
        for manifest in &manifests {
            warm.verify_input(&input, &[], &Body::NotGiven, now);
            let mut bundle: Value = serde_json::from_slice(&case.input).unwrap();
            bundle["manifest"] = manifest.clone();
            let other = Input::read(bundle.to_string().as_bytes()).unwrap();
            let cold = case.verifier().unwrap().verify_input(&other, &[], &Body::NotGiven, now);
            let found = warm.verify_input(&other, &[], &Body::NotGiven, now);
            assert_eq!(found, cold, "{}", case.id);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

fn copied(change: impl Fn(Draft) -> Draft) -> Case {
    let key = es256("signer");
    let id = key.did_key();
    let url =
        "https://web.archive.org/web/20261130081500id_/https://www.rfc-editor.org/rfc/rfc8890.txt";
    let copy = Draft::new(&key, &id)
        .with_http()
        .with("/source_url", url)
        .with("/fetched_at", "2026-11-30T08:20:00Z");
    let manifest: Value = serde_json::from_str(&change(copy).sign()).unwrap();
    let item = json!({"type": "archive", "manifest": manifest});
    Case::bundle(Draft::new(&key, &id).bundle(&[item]))
        .kit(&Kit::of(&id, &key))
        .policy_file("[require]\ndefault = [\"signature\", \"signer\", \"archive\"]\n")
}

#[test]
fn a_copy_is_a_plain_get_that_contradicts_nothing() {
    copied(|copy| copy).expect("accept", "");
    let open = |case: Case| case.expect("review", "archive.not-checked");
    open(copied(|copy| copy.with("/http/request", json!({"method": "HEAD"}))));
    open(copied(|copy| copy.with("/attested_at", "2026-11-30T08:00:00Z")));
}
