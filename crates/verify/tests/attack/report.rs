//! What every report is, whatever was judged.

use genten_primitives::json::{self, Limits};
use genten_verify::{Effect, Outcome as Ended, Report, TextLevel, TextOptions, Verdict};
use serde_json::Value;

use crate::common::case::Outcome;
use crate::common::directory;

fn reports() -> impl Iterator<Item = (String, Report)> {
    directory::all().into_iter().filter_map(|case| match case.judge() {
        Outcome::Report(report) => Some((case.id, *report)),
        Outcome::Refused(_) => None,
    })
}

/// The report in JSON, read by two readers.
pub(crate) fn read_json(report: &Report, name: &str) -> Value {
    let text = report.to_json(name);
    json::read(&text, Limits::bytes(1 << 20)).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// What must hold of any report.
pub(crate) fn check(name: &str, report: &Report) {
    reason_is_the_highest(name, report);
    attested_means_checked(name, report);
    shape(name, report);
    outcomes_and_effects_agree(name, report);
}

fn reason_is_the_highest(name: &str, report: &Report) {
    let highest = |effect| {
        report.checks.iter().filter(|check| check.effect == effect).map(|check| check.code).min()
    };
    let expected = match (highest(Effect::Reject), highest(Effect::Review)) {
        (Some(because), _) => Verdict::Reject { because },
        (None, Some(because)) => Verdict::Review { because },
        (None, None) => Verdict::Accept,
    };
    assert_eq!(report.verdict, expected, "{name}");
    assert!(!report.checks.is_empty(), "{name}: nothing was checked");
}

fn has(report: &Report, code: &str) -> bool {
    report.checks.iter().any(|check| check.code.as_str() == code && check.outcome == Ended::Passed)
}

/// A Sigstore bundle is accepted only with a valid signature, by whom was asked for, about the file that was given.
fn bundle_means_checked(name: &str, report: &Report) {
    assert!(!report.attested, "{name}: a Sigstore bundle attests no claim of a manifest");
    if report.verdict == Verdict::Accept {
        assert!(has(report, "sigstore.signature-valid"), "{name}");
        assert!(has(report, "sigstore.key-given") || has(report, "sigstore.identity"), "{name}");
        assert!(has(report, "sigstore.artifact"), "{name}");
    }
}

/// Nothing is attested, and nothing accepted, without a valid signature by a trusted signer.
fn attested_means_checked(name: &str, report: &Report) {
    if report.sigstore.is_some() {
        return bundle_means_checked(name, report);
    }
    let signed = has(report, "signature.valid");
    let trusted = has(report, "signer.trusted");
    assert_eq!(report.attested, signed && trusted, "{name}");
    if report.verdict == Verdict::Accept {
        assert!(report.attested, "{name}");
    }
    // A revoked, retired or misplaced signer attests nothing, however good its signature.
    let flaw = |check: &&genten_verify::Check| {
        check.requirement == Some(genten_verify::Requirement::Signer)
            && check.outcome != Ended::Passed
    };
    assert!(!report.attested || !report.checks.iter().any(|check| flaw(&check)), "{name}");
    if report.attested {
        let signer = report.signer.as_ref().unwrap();
        assert!(signer.key.is_some() && signer.trusted_by.is_some(), "{name}");
        assert!(report.manifest_id.is_some(), "{name}");
    }
}

/// The same members on success and on failure.
fn shape(name: &str, report: &Report) {
    let value = read_json(report, name);
    let object = value.as_object().unwrap();
    assert_eq!(object["input"], *name);
    assert_eq!(object["verdict"], report.verdict.as_str());
    assert_eq!(object.contains_key("because"), report.verdict != Verdict::Accept, "{name}");
    for member in ["now", "version"] {
        assert!(object[member].is_string(), "{name}: {member}");
    }
    assert_eq!(object["policy"]["sha256"].as_str().unwrap().len(), 64, "{name}");
    assert_eq!(object["checks"].as_array().unwrap().len(), report.checks.len(), "{name}");
    assert_eq!(object["notes"].as_array().unwrap().len(), report.notes.len(), "{name}");
    let claims = [object.contains_key("attested"), object.contains_key("claimed")];
    match &report.manifest {
        None => assert_eq!(claims, [false, false], "{name}"),
        Some(_) if report.attested => assert!(claims[0], "{name}"),
        Some(_) => assert_eq!(claims, [false, true], "{name}"),
    }
}

fn outcomes_and_effects_agree(name: &str, report: &Report) {
    for check in &report.checks {
        match (check.outcome, check.effect) {
            (Ended::Passed | Ended::NotRequired, effect) => {
                assert_eq!(effect, Effect::None, "{name}: {check:?}");
            }
            (Ended::Failed, effect) => assert_eq!(effect, Effect::Reject, "{name}: {check:?}"),
            (Ended::Missing | Ended::NotChecked, effect) => {
                assert_ne!(effect, Effect::Reject, "{name}: {check:?}");
            }
        }
    }
}

#[test]
fn every_report_keeps_the_rules() {
    for (name, report) in reports() {
        check(&name, &report);
    }
}

/// Both forms say the same.
#[test]
fn text_and_json_agree() {
    for (name, report) in reports() {
        let options = TextOptions { level: TextLevel::Verbose, ..TextOptions::default() };
        let text = report.to_text(&name, &options);
        let first = text.lines().next().unwrap();
        let verdict = report.verdict.as_str().to_uppercase();
        assert!(first.starts_with(&format!("{verdict} {name}: ")), "{first}");
        if let Some(code) = report.verdict.because() {
            assert!(first.contains(&format!("[{code}]")), "{first}");
        }
        for check in &report.checks {
            assert!(text.contains(&format!("[{}]", check.code)), "{name}: {}", check.code);
        }
        assert_eq!(
            text.contains("CLAIMED, not attested"),
            !report.attested && report.manifest.is_some(),
            "{name}"
        );
        assert_eq!(text.contains("attested by the signer"), report.attested, "{name}");
        assert_eq!(
            text.contains("not proven by this"),
            report.verdict == Verdict::Accept,
            "{name}"
        );
    }
}

/// Both sides of a failed comparison stand in the report.
#[test]
fn comparisons_show_both_sides() {
    let sides = |id: &str| {
        let (_, report) = reports().find(|(name, _)| name == id).unwrap();
        let because = report.verdict.because().unwrap();
        let check = report.check(because).unwrap();
        (check.detail.sides().unwrap(), check.detail.text().unwrap_or_default().into_owned())
    };
    let ((expected, found), distance) = sides("time-61s-ahead");
    assert_eq!(
        (expected.as_str(), found.as_str()),
        ("2026-11-30T12:00:00Z", "2026-11-30T12:01:01Z")
    );
    assert_eq!(distance, "61.000 s later");
    let (_, distance) = sides("time-10min-ahead");
    assert_eq!(distance, "0 h 10 min later");
    let ((expected, found), _) = sides("body-shorter");
    assert_eq!((expected.as_str(), found.as_str()), ("31 bytes", "30 bytes"));
    let ((expected, found), _) = sides("body-changed");
    assert!(expected.len() == 64 && found.len() == 64 && expected != found);
    let ((expected, found), _) = sides("tls-other-issuer");
    assert_eq!((expected.as_str(), found.as_str()), ("CN=Let's Encrypt", "CN=Example TLS root"));
    let ((expected, found), _) = sides("status-revoked");
    assert!(expected.contains("2026-11-30T11:00:00Z") && found == "no trusted time");
}

#[test]
fn a_name_beside_a_bare_key_is_only_claimed() {
    let (_, report) = reports().find(|(name, _)| name == "good-bare-key-es256").unwrap();
    let value = read_json(&report, "x");
    assert_eq!(
        value["claimed"],
        serde_json::json!({"mcp_key_id": "did:web:unheard.example#key-1"})
    );
    assert_eq!(value["attested"]["mcp_key_id"], Value::Null);
    assert!(value["attested"]["source_url"].is_string());
    assert_eq!(value["signer"]["id_checked"], false);
    let text = report.to_text("x", &TextOptions::default());
    assert!(text.contains("(claimed id, not checked)"), "{text}");
}

/// Whatever was given stands in the report of a malformed input too.
#[test]
fn a_malformed_input_is_reported_with_body_policy_and_kit() {
    use crate::common::keys::es256;
    let kit = crate::common::kit::Kit::of("urn:a:b", &es256("signer"));
    let case = crate::common::case::Case::manifest("{\"source_url\":1}").kit(&kit).with_body();
    let report = case.report().unwrap();
    assert_eq!(report.body.as_ref().unwrap().bytes, 31);
    assert!(report.kit_sha256.is_some());
    let value = read_json(&report, "x");
    assert_eq!(value["body"]["bytes"], 31);
}
