//! `report.schema.json` and the reports that the verifier writes.

use genten_jws::{Algorithm, LocalSigner, ManifestSigner, SecretKey, Signer as _};
use genten_manifest::{Bundle, Claims};
use genten_primitives::Sha256Digest;
use genten_verify::{Body, Policy, Report, Trust, TrustKit, Verifier, keys_from_file};
use serde_json::Value;

use crate::{faults, repository, schema};

fn signed(algorithm: Algorithm) -> (Vec<u8>, Trust) {
    let key = SecretKey::from_bytes(algorithm, &[7; 32]).unwrap();
    let signer = ManifestSigner::new(LocalSigner::did_key(key)).unwrap();
    let claims = Claims::builder(
        "https://a.example/law".parse().unwrap(),
        "2026-11-30T08:15:00Z".parse().unwrap(),
        Sha256Digest::of(b"text"),
    );
    let manifest = signer.sign(claims.finish().unwrap()).unwrap();
    let bundle = Bundle::new(&manifest).to_json();
    let keys = vec![signer.signer().public_key().clone()];
    (bundle, Trust { keys, ..Trust::default() })
}

fn reports() -> Vec<Report> {
    let mut reports = Vec::new();
    for policy in ["basic", "mcp11", "high-trust"] {
        for algorithm in [Algorithm::Es256, Algorithm::EdDsa] {
            let (bundle, trust) = signed(algorithm);
            for trust in [trust, Trust::default()] {
                let verifier = Verifier::new(trust, Policy::built_in(policy).unwrap());
                for body in [Body::NotGiven, Body::NotFound, Body::of(b"text"), Body::of(b"other")]
                {
                    for now in ["2026-11-30T09:00:00Z", "2020-01-01T00:00:00Z"] {
                        let now = now.parse().unwrap();
                        reports.push(verifier.verify_bytes(&bundle, &body, now));
                        reports.push(verifier.verify_bytes(b"{}", &body, now));
                        reports.push(verifier.verify_bytes(&bundle[..99], &body, now));
                    }
                }
            }
        }
    }
    reports
}

#[test]
fn every_report_fits() {
    let schema = schema("report");
    let mut verdicts = std::collections::BTreeSet::new();
    for report in reports() {
        verdicts.insert(report.verdict.as_str());
        let json: Value = serde_json::from_slice(&report.to_json("a.provenance.json")).unwrap();
        assert_eq!(faults(&schema, &json), [] as [String; 0], "{json:#}");
        assert!(schema.is_valid(&Value::Array(vec![json])));
    }
    assert_eq!(verdicts.len(), 3, "only {verdicts:?}");
}

#[test]
fn a_report_says_what_it_must() {
    let schema = schema("report");
    let report = reports().into_iter().find(|report| report.verdict.as_str() == "accept").unwrap();
    let good: Value = serde_json::from_slice(&report.to_json("x")).unwrap();
    for member in ["attested", "checks", "not_proven", "now", "policy", "signer", "verdict"] {
        let mut json = good.clone();
        json.as_object_mut().unwrap().remove(member);
        assert!(!schema.is_valid(&json), "{member}");
    }
    let mut both = good;
    both["claimed"] = both["attested"].clone();
    assert!(!schema.is_valid(&both));
}

/// Reports of the test data, with logs, stamps and Sigstore bundles in them, judged without the files beside the bundle.
#[test]
fn reports_of_the_test_data_fit() {
    let schema = schema("report");
    let mut seen = std::collections::BTreeSet::new();
    for folder in std::fs::read_dir(repository().join("testdata/verify")).unwrap() {
        let folder = folder.unwrap().path();
        let bundles =
            ["bundle.provenance.json", "bundle.sigstore.json"].map(|name| folder.join(name));
        let Some(bundle) = bundles.iter().find_map(|path| std::fs::read(path).ok()) else {
            continue;
        };
        let kit = std::fs::read(folder.join("trust.json")).ok();
        let kit = kit.and_then(|kit| TrustKit::read(&kit).ok()).unwrap_or_default();
        let key = std::fs::read(folder.join("key.pem")).ok();
        let keys = key.and_then(|key| keys_from_file(&key).ok()).unwrap_or_default();
        let trust = Trust { kit, keys, ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
        let now = "2026-11-30T12:00:00Z".parse().unwrap();
        let report = verifier.verify_bytes(&bundle, &Body::NotGiven, now);
        let json: Value = serde_json::from_slice(&report.to_json("x")).unwrap();
        assert_eq!(faults(&schema, &json), [] as [String; 0], "{}: {json:#}", folder.display());
        seen.extend(json.as_object().unwrap().keys().cloned());
    }
    for member in ["logged", "timestamps", "trusted_time", "sigstore"] {
        assert!(seen.contains(member), "no report has {member}");
    }
}
