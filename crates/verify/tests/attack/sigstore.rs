//! Wrong copies of good Sigstore bundles: none is accepted that differs in anything that counts.

use std::collections::BTreeSet;

use genten_verify::{Report, Verdict, Verifier};
use serde_json::Value;

use crate::common::case::Case;
use crate::common::directory;
use crate::inert::counting;
use crate::mutants::{flip, flip_count, length_changes, member_changes};

/// Wrong bytes that are tried on every run, over all bundles.
const SAMPLE: usize = 3_000;

/// The bundles, and what they hold.
fn good() -> (Vec<Case>, BTreeSet<String>) {
    let all = directory::all().into_iter();
    let good: Vec<_> = all
        .filter(|case| case.input_name.contains("sigstore") && case.expected.verdict == "accept")
        .collect();
    assert!(good.len() > 8);
    let parts = good.iter().flat_map(|case| parts(&serde_json::from_slice(&case.input).unwrap()));
    let parts = parts.collect();
    (good, parts)
}

/// Materials and log entries.
fn parts(bundle: &Value) -> BTreeSet<String> {
    let material = &bundle["verificationMaterial"];
    let entries = material["tlogEntries"].as_array().into_iter().flatten();
    entries.chain([material]).map(Value::to_string).collect()
}

/// Judges a mutant, which is accepted only if it says the same, or says less of logs and times.
fn check(
    (case, verifier, original): (&Case, &Verifier, &Report),
    what: &str,
    mutant: &[u8],
    all: &BTreeSet<String>,
) -> bool {
    let report = case.judge_sigstore(verifier, mutant);
    if report.verdict != Verdict::Accept {
        return false;
    }
    // The material of another bundle can be good for this one too.
    let one: Value = serde_json::from_slice(&case.input).unwrap();
    let other: Value = serde_json::from_slice(mutant).unwrap();
    let ours = parts(&one);
    if parts(&other).iter().any(|part| !ours.contains(part) && all.contains(part)) {
        return true;
    }
    let name = format!("{}: {what}", case.id);
    assert_eq!(report.sigstore, original.sigstore, "{name}");
    let said = |report: &Report| {
        (report.logs.clone(), report.timestamps.clone(), report.trusted_time.clone())
    };
    if said(&report) == said(original) {
        let places = counting(&one, &other);
        assert!(places.is_empty(), "{name} is accepted as before, and differs in {places:?}");
    }
    for stamp in &report.timestamps {
        assert!(original.timestamps.contains(stamp), "{name}: {stamp:?}");
    }
    for log in &report.logs {
        assert!(original.logs.contains(log), "{name}: {log:?}");
    }
    true
}

#[test]
fn no_wrong_byte_is_accepted() {
    let (good, all) = good();
    let flip_total: usize = good.iter().map(|case| flip_count(&case.input)).sum();
    let step = match std::env::var_os("GENTEN_SOAK") {
        Some(_) => 1,
        None => (flip_total / SAMPLE).max(1) | 1,
    };
    let (mut tried, mut accepted) = (0, 0);
    for (start, case) in good.iter().enumerate() {
        let (verifier, original) = (case.verifier().unwrap(), case.report().unwrap());
        let flips = (start % step..flip_count(&case.input)).step_by(step);
        let flips = flips.map(|number| flip(&case.input, number));
        for (what, mutant) in flips.chain(length_changes(&case.input)) {
            tried += 1;
            accepted += usize::from(check((case, &verifier, &original), &what, &mutant, &all));
        }
    }
    eprintln!("{tried} of {flip_total} wrong bytes tried, {accepted} accepted");
}

#[test]
fn no_wrong_member_is_accepted() {
    let (good, all) = good();
    let (mut tried, mut accepted) = (0, 0);
    for (at, case) in good.iter().enumerate() {
        let (verifier, original) = (case.verifier().unwrap(), case.report().unwrap());
        let value: Value = serde_json::from_slice(&case.input).unwrap();
        let other = &good[(at + 1) % good.len()];
        let other: Value = serde_json::from_slice(&other.input).unwrap();
        for (what, mutant) in member_changes(&value, &other) {
            tried += 1;
            accepted += usize::from(check((case, &verifier, &original), &what, &mutant, &all));
        }
    }
    eprintln!("{tried} wrong members tried, {accepted} accepted");
}
