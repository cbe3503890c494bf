//! Every code that the verifier can give has a case in `testdata`, or a reason why not.

use std::collections::BTreeSet;

use genten_verify::Code;

use crate::common::case::{Outcome, codes};
use crate::common::directory;

/// Codes without a case of their own, and why.
const WITHOUT_CASE: &[(&str, &str)] = &[
    (
        "certificate.not-checked",
        "of builds without RSA: the published bundles, in the tests named sigstore",
    ),
    ("certificate.sct-not-checked", "of builds without RSA: a CT log with an RSA key"),
    ("content.not-found", "no file says that a body was looked for: see limits.rs"),
    ("explain.unknown-code", "of the program"),
    ("external.contradicts", "needs a checker: see checkers.rs"),
    ("external.holds", "needs a checker: see checkers.rs"),
    ("input.artifact-digest", "of the program"),
    ("input.call", "of the program"),
    ("input.not-found", "of the program"),
    ("input.not-regular", "of the program"),
    ("input.not-result", "of the program"),
    ("input.not-sigstore", "of the program"),
    ("input.not-yet", "of the program"),
    ("input.one-body", "of the program"),
    ("input.unreadable", "of the program"),
    ("json.too-large", "a file of a megabyte: see limits.rs"),
    ("jws.payload.encoding", "an attached payload is compared as text, never decoded"),
    ("jws.payload.missing", "of batches"),
    ("jws.too-long", "a manifest cannot be that long"),
    ("key-id.certificate", "of signing"),
    ("key-id.document.controller", "DID documents are read with the kit: kit.malformed"),
    ("key-id.document.duplicate-method", "DID documents are read with the kit: kit.malformed"),
    ("key-id.document.end-time", "DID documents are read with the kit: kit.malformed"),
    ("key-id.document.key-material", "DID documents are read with the kit: kit.malformed"),
    ("key-id.document.method-missing", "of looking up one key"),
    ("key-id.document.not-for-assertion", "of looking up one key"),
    ("key-id.document.shape", "DID documents are read with the kit: kit.malformed"),
    ("key-id.not-in-certificate", "of signing"),
    ("key-id.other-key", "of signing"),
    ("key.too-large", "a file of a megabyte: see limits.rs"),
    ("log.signature-not-checked", "of builds without RSA: see checkers.rs"),
    ("manifest.extension-name", "of building"),
    ("manifest.malformed", "stands for codes without a row, of which there are none"),
    ("output.failed", "of the program"),
    ("policy.unknown", "of the program"),
    ("signature.invalid", "stands for codes without a row, of which there are none"),
];

#[test]
fn every_code_has_a_case() {
    let mut seen = BTreeSet::new();
    for case in directory::all() {
        match case.judge() {
            Outcome::Report(report) => seen.extend(codes(&report)),
            Outcome::Refused(code) => drop(seen.insert(code)),
        }
    }
    let excepted: BTreeSet<_> = WITHOUT_CASE.iter().map(|(code, _)| (*code).to_owned()).collect();
    let all: BTreeSet<_> = Code::all().map(|code| code.to_string()).collect();
    let missing: Vec<_> =
        all.iter().filter(|code| !seen.contains(*code) && !excepted.contains(*code)).collect();
    assert_eq!(missing, [] as [&String; 0]);
    let needless: Vec<_> =
        excepted.iter().filter(|code| seen.contains(*code) || !all.contains(*code)).collect();
    assert_eq!(needless, [] as [&String; 0]);
    let unexplained: Vec<_> = seen.iter().filter(|code| !all.contains(*code)).collect();
    assert_eq!(unexplained, [] as [&String; 0], "every code is explained");
}

/// One vector, one fault: without it the same inputs would be accepted or wait for a reader.
#[test]
fn no_two_faults_meet_in_one_case() {
    for case in directory::all() {
        let Outcome::Report(report) = case.judge() else { continue };
        let mut reasons: Vec<_> = report
            .checks
            .iter()
            .filter(|check| check.effect == genten_verify::Effect::Reject)
            .map(|check| check.code)
            .collect();
        reasons.dedup();
        let expected = usize::from(case.expected.verdict == "reject");
        assert_eq!(reasons.len(), expected, "{}: {reasons:?}", case.id);
    }
}
