//! Bundles that were recorded from a running log, witnesses and timestamp authority (`rekor-live`).

use std::path::PathBuf;

use genten_primitives::HashAlgorithm;
use genten_primitives::encoding::hex;
use genten_verify::{Policy, TrustKit};
use serde_json::{Value, json};

use crate::common::keys::ed25519;
use crate::common::kit::Kit;
use crate::world::{Case, artifacts, basic, json, keys, outcome_of, read, text, vectors};

/// P-256, Ed25519ph, P-384 and RSA.
const BUNDLES: [&str; 4] = ["blob", "ed", "p384", "rsa"];

/// Those whose checkpoints two witnesses cosigned.
const COSIGNED: [&str; 3] = ["ed", "p384", "rsa"];

pub(crate) fn live() -> Option<PathBuf> {
    vectors("rekor-live")
}

/// A recorded bundle with its file, its key and its trusted root.
pub(crate) fn case(name: &str) -> Option<Case> {
    let live = live()?;
    let beside = |end: &str| live.join(format!("bundles/{name}.{end}"));
    let [artifact, _] = artifacts(&read(beside("txt")));
    Some(Case {
        bundle: read(beside("sigstore.json")),
        artifact,
        kit: TrustKit::of_sigstore_root(&read(live.join("trusted_root.json"))).unwrap(),
        keys: keys(beside("pub")).unwrap(),
        identity: None,
        policy: basic(),
    })
}

/// The recorded bundle under a kit of the trusted root and policies.
fn under(name: &str, policies: &[String]) -> Option<Case> {
    let root: Value = json(live()?.join("trusted_root.json"));
    let kit = Kit::new()
        .with("sigstore_trusted_roots", json!([root]))
        .with("tlog_policies", json!(policies));
    let kit = TrustKit::read(kit.text().as_bytes()).unwrap();
    Some(Case { kit, ..case(name)? })
}

/// The recorded policy of witnesses, for the recorded log.
fn policy() -> Option<String> {
    let live = live()?;
    let log = text(live.join("log.vkey"));
    Some(format!("log {log}\n{}\n", text(live.join("witness-policy.txt"))))
}

/// RSA needs its backend.
fn accepted(name: &str) -> &'static str {
    match name == "rsa" && !cfg!(feature = "aws-lc") {
        true => "review signature.not-checked",
        false => "accept",
    }
}

fn asks_for_witnesses() -> Policy {
    let text = "version = 1\nname = \"w\"\n[require]\ndefault = [\"signature\", \"signer\", \"witness\"]\n";
    Policy::read(text).unwrap()
}

#[test]
fn each_is_accepted_under_its_key() {
    for name in BUNDLES {
        let Some(case) = case(name) else { return };
        assert_eq!(case.answer(), accepted(name), "{name}");
    }
}

#[test]
fn none_is_accepted_under_another_key_for_another_file_or_without_trust() {
    for name in BUNDLES {
        let Some(good) = case(name) else { return };
        for other in BUNDLES.into_iter().filter(|other| *other != name) {
            let other = case(other).unwrap();
            let answer = Case { keys: other.keys, ..good.clone() }.answer();
            assert!(!answer.starts_with("accept"), "{name}: {answer}");
            let answer = Case { artifact: other.artifact, ..good.clone() }.answer();
            assert!(!answer.starts_with("accept"), "{name}: {answer}");
        }
        let [other, digest] = artifacts(b"another file");
        for other in [other, digest] {
            let answer = Case { artifact: other, ..good.clone() }.answer();
            assert!(!answer.starts_with("accept"), "{name}: {answer}");
        }
        let no_key = Case { keys: Vec::new(), ..good.clone() }.answer();
        assert_eq!(no_key, "review sigstore.key-not-given", "{name}");
        let no_log = Case { kit: TrustKit::default(), ..good }.answer();
        assert!(no_log.starts_with("review "), "{name}: {no_log}");
    }
}

/// A digest by another function than the one that was signed with says nothing, right or wrong.
#[test]
fn a_bare_digest_must_be_of_the_function_that_was_signed_with() {
    for (name, right) in [("blob", "sha256"), ("ed", "sha512"), ("p384", "sha384")] {
        let Some(good) = case(name) else { return };
        let file = read(live().unwrap().join(format!("bundles/{name}.txt")));
        for hash in HashAlgorithm::ALL {
            for (content, of_right) in
                [(file.as_slice(), "accept"), (b"another", "reject sigstore.other-artifact")]
            {
                let artifact = format!("{}:{}", hash.as_str(), hex(&hash.digest(content)));
                let case = Case { artifact: artifact.parse().unwrap(), ..good.clone() };
                let is_right = hash.as_str() == right;
                let expected = if is_right { of_right } else { "review sigstore.digest-needed" };
                assert_eq!(case.answer(), expected, "{name} {artifact}");
            }
        }
    }
}

#[test]
fn two_of_two_witnesses_are_counted() {
    let Some(policy) = policy() else { return };
    for name in COSIGNED {
        let case = under(name, std::slice::from_ref(&policy)).unwrap();
        assert_eq!(case.answer(), accepted(name), "{name}");
        if accepted(name) != "accept" {
            continue;
        }
        let report = case.report();
        assert_eq!(report.logs[0].witnesses, ["w1", "w2"], "{name}");
        assert!(report.logs[0].witnessed_by.is_some(), "{name}");
        assert_eq!(outcome_of(&report, "witness.quorum"), Some("passed"), "{name}");
        assert_eq!(Case { policy: asks_for_witnesses(), ..case }.answer(), "accept", "{name}");
    }
    let alone = under("blob", &[policy]).unwrap();
    assert_eq!(alone.answer(), "review log.quorum-not-met");
}

/// Without a policy of witnesses nobody looks at cosignatures, and a policy that asks for them is not satisfied.
#[test]
fn cosignatures_count_only_where_a_kit_names_the_witnesses() {
    for name in COSIGNED {
        let Some(case) = case(name) else { return };
        if accepted(name) != "accept" {
            continue;
        }
        let case = Case { policy: asks_for_witnesses(), ..case };
        assert_eq!(case.answer(), "review witness.missing", "{name}");
    }
}

#[test]
fn a_third_witness_and_a_wrong_key_of_a_witness_leave_the_quorum_open() {
    let Some(policy) = policy() else { return };
    let third = genten_tlog::NoteKey::cosignature("w3.example", ed25519("w3").public()).unwrap();
    let three = policy.replace(
        "group q 2 w1 w2",
        &format!("witness w3 {} http://127.0.0.1:8103\ngroup q 3 w1 w2 w3", third.to_vkey()),
    );
    let wrong = genten_tlog::NoteKey::cosignature("w2.example", ed25519("w2").public()).unwrap();
    let right = text(live().unwrap().join("w2.example.vkey"));
    let two = policy.replace(&right, &wrong.to_vkey());
    assert!(three != policy && two != policy);
    for name in COSIGNED.into_iter().filter(|name| accepted(name) == "accept") {
        for (policy, cosigned) in [
            (&three, "cosigned by w1, w2; asked for 3 of 3: w1, w2, w3"),
            (&two, "cosigned by w1; asked for 2 of 2: w1, w2"),
        ] {
            let case = under(name, std::slice::from_ref(policy)).unwrap();
            assert_eq!(case.answer(), "review log.quorum-not-met", "{name}");
            let report = case.report();
            let check =
                report.checks.iter().find(|check| check.code.as_str() == "log.quorum-not-met");
            let detail = check.unwrap().detail.text().unwrap();
            assert_eq!(detail, cosigned, "{name}");
            let case = Case { policy: asks_for_witnesses(), ..case };
            assert!(case.answer().starts_with("review "), "{name}");
        }
    }
}
