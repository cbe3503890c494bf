//! No wrong copy of a good input is accepted, unless it truly says the same.
//!
//! A sample of the wrong bytes is tried on every run, and all of them with `GENTEN_SOAK=1`; wrong members are all tried
//! always.

use std::collections::{BTreeMap, BTreeSet};

use genten_primitives::json::{self, Limits};
use genten_verify::input::{Input, InputError};
use genten_verify::{Body, Outcome as Ended, Report, Verdict, Verifier};
use serde_json::Value;

use crate::common::case::Case;
use crate::common::directory;
use crate::inert::counting;
use crate::mutants::{flip, flip_count, length_changes, member_changes};

/// Wrong bytes that are tried on every run, over all inputs.
const SAMPLE: usize = 12_000;

/// Why a wrong copy may be accepted all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Harmless {
    /// A member beside manifest and evidence, which is not signed and says nothing.
    Beside,
    /// The manifest that came out is another good one.
    AnotherGood,
    /// Evidence is another or gone: the report claims nothing that rests on it.
    Evidence,
    /// `transparency_log_id`, which is not signed: a pointer, reported as not checked.
    Pointer,
    /// The same JSON in another spelling.
    SameJson,
}

/// A good input and what is said of it.
struct Good {
    case: Case,
    verifier: Verifier,
    body: Body,
    report: Report,
    value: Value,
}

impl Good {
    fn new(case: Case) -> Self {
        let verifier = case.verifier().unwrap();
        let body = case.body.as_deref().map_or(Body::NotGiven, Body::of);
        let report = case.report().unwrap();
        assert_eq!(report.verdict, Verdict::Accept, "{}", case.id);
        let value = serde_json::from_slice(&case.input).unwrap();
        Self { case, verifier, body, report, value }
    }

    fn judge(&self, mutant: &[u8]) -> Option<Report> {
        let now = self.case.at.parse().unwrap();
        match Input::read(mutant) {
            Ok(input) => Some(self.verifier.verify_input(&input, &[], &self.body, now)),
            Err(InputError::Malformed(error)) => Some(self.verifier.malformed(&error, now)),
            Err(_) => None,
        }
    }

    /// Why the mutant is accepted; `None` where it is not.
    fn check(&self, what: &str, mutant: &[u8], all: &BTreeSet<String>) -> Option<Harmless> {
        let report = self.judge(mutant)?;
        let manifest = manifest_of(mutant);
        if manifest != manifest_of(&self.case.input)
            && manifest.is_some_and(|one| all.contains(&one))
        {
            return (report.verdict == Verdict::Accept).then_some(Harmless::AnotherGood);
        }
        let name = format!("{}: {what}", self.case.id);
        if report.attested {
            self.same_manifest(&name, &report);
        }
        if report.verdict != Verdict::Accept {
            return None;
        }
        self.same_manifest(&name, &report);
        if !self.has_evidence_of_another(mutant, all) {
            self.nothing_more_is_claimed(&name, &report);
            self.evidence_counts_as_it_is(&name, mutant, &report);
        }
        let harmless = self.harmless(mutant);
        assert!(harmless.is_some(), "{name} is accepted:\n{}", String::from_utf8_lossy(mutant));
        harmless
    }

    fn same_manifest(&self, name: &str, report: &Report) {
        let claims = |report: &Report| report.manifest.as_ref().unwrap().claims().clone();
        assert_eq!(report.manifest_id, self.report.manifest_id, "{name}");
        assert_eq!(claims(report), claims(&self.report), "{name}");
        assert_eq!(report.signer, self.report.signer, "{name}");
    }

    fn nothing_more_is_claimed(&self, name: &str, report: &Report) {
        for check in report.checks.iter().filter(|check| check.outcome == Ended::Passed) {
            let before = self.report.check(check.code);
            assert!(
                before.is_some_and(|before| before.outcome == Ended::Passed),
                "{name}: {check:?}"
            );
        }
    }

    /// Whether an item is that of another case, which can be good for this manifest too.
    fn has_evidence_of_another(&self, mutant: &[u8], all: &BTreeSet<String>) -> bool {
        let Ok(mutant) = serde_json::from_slice::<Value>(mutant) else { return false };
        let ours = items(&self.value);
        let is_foreign = |item: &Value| !ours.contains(item) && all.contains(&item.to_string());
        items(&mutant).iter().any(is_foreign)
    }

    /// Evidence that differs in anything that counts is never counted as the original was.
    fn evidence_counts_as_it_is(&self, name: &str, mutant: &[u8], report: &Report) {
        if !says_the_same(report, &self.report) {
            return;
        }
        let Ok(mutant) = serde_json::from_slice::<Value>(mutant) else { return };
        let (ours, theirs) = (items(&self.value), items(&mutant));
        for item in ours.iter().filter(|item| self.counts(item, &ours)) {
            let is_there = theirs.iter().any(|other| counting(item, other).is_empty());
            assert!(is_there, "{name}: changed, and counted as before: {item}\n{theirs:?}");
        }
    }

    /// Whether the original counts all items of this kind.
    fn counts(&self, item: &Value, ours: &[Value]) -> bool {
        let of_kind: BTreeSet<_> = ours
            .iter()
            .filter(|other| other["type"] == item["type"])
            .map(Value::to_string)
            .collect();
        match item["type"].as_str() {
            Some("rekor-v2") => self.report.logs.len() == of_kind.len(),
            Some("rfc3161") => self.report.timestamps.len() == of_kind.len(),
            Some("batch") => of_kind.len() == 1,
            _ => false,
        }
    }

    /// In what the mutant differs, if in nothing that counts.
    fn harmless(&self, mutant: &[u8]) -> Option<Harmless> {
        if self.is_same(mutant) {
            return Some(Harmless::SameJson);
        }
        let mutant: Value = serde_json::from_slice(mutant).ok()?;
        let differing = differing(&self.value, &mutant);
        let pointers = ["/transparency_log_id", "/manifest/transparency_log_id"];
        match differing.as_slice() {
            [path] if pointers.contains(&path.as_str()) => Some(Harmless::Pointer),
            [path] if path == "/evidence" => Some(Harmless::Evidence),
            paths if self.is_beside(paths) => Some(Harmless::Beside),
            _ => None,
        }
    }

    fn is_same(&self, mutant: &[u8]) -> bool {
        canonical(mutant) == canonical(&self.case.input)
    }

    fn is_beside(&self, paths: &[String]) -> bool {
        let is_bundle = self.value.get("manifest").is_some();
        let known =
            |path: &String| ["/manifest", "/evidence", "/media_type"].contains(&path.as_str());
        is_bundle && !paths.iter().any(|path| known(path) || path.starts_with("/manifest/"))
    }
}

/// Whether others are said to stand behind it in the same way.
fn says_the_same(one: &Report, other: &Report) -> bool {
    let of_others = |report: &Report| {
        let checks = report.checks.iter().filter(|check| check.outcome == Ended::Passed);
        let codes: BTreeSet<_> = checks.map(|check| check.code.as_str()).collect();
        (report.logs.clone(), report.timestamps.clone(), report.trusted_time.clone(), codes)
    };
    of_others(one) == of_others(other)
}

fn canonical(text: &[u8]) -> Option<Vec<u8>> {
    let document = json::read(text, Limits::bytes(1 << 20)).ok()?;
    let mut out = Vec::new();
    document.root().write_canonical(&mut out);
    Some(out)
}

/// The members in which two objects differ; those of an inner `manifest` one by one.
fn differing(left: &Value, right: &Value) -> Vec<String> {
    let (Some(one), Some(two)) = (left.as_object(), right.as_object()) else {
        return vec![String::new()];
    };
    let names: BTreeSet<_> = one.keys().chain(two.keys()).collect();
    let mut paths = Vec::new();
    for name in names.into_iter().filter(|name| one.get(*name) != two.get(*name)) {
        match (name.as_str(), one.get(name), two.get(name)) {
            ("manifest", Some(one), Some(two)) => {
                paths
                    .extend(differing(one, two).into_iter().map(|path| format!("/manifest{path}")));
            }
            _ => paths.push(format!("/{name}")),
        }
    }
    paths
}

fn good() -> Vec<Good> {
    let accepted =
        |case: &Case| case.expected.verdict == "accept" && !case.input_name.contains("sigstore");
    let good: Vec<_> = directory::all().into_iter().filter(accepted).map(Good::new).collect();
    assert!(good.len() >= 20);
    good
}

/// The manifest in an input, as text of which there is one spelling.
fn manifest_of(input: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(input).ok()?;
    Some(value.get("manifest").unwrap_or(&value).to_string())
}

/// The items of evidence in a bundle.
fn items(bundle: &Value) -> Vec<Value> {
    bundle["evidence"].as_array().cloned().unwrap_or_default()
}

/// The manifests and the items of evidence that are good as they are.
fn originals(good: &[Good]) -> BTreeSet<String> {
    let manifests = good.iter().filter_map(|good| manifest_of(&good.case.input));
    let items = good.iter().flat_map(|good| items(&good.value));
    manifests.chain(items.map(|item| item.to_string())).collect()
}

/// Bundles of which every byte is changed on every run, one bit each: the evidence of all kinds that logs and authorities give.
const EVERY_BYTE: [&str; 3] = ["good-log-es256", "good-log-eddsa", "good-batch"];

#[derive(Default)]
struct Tally {
    tried: usize,
    accepted: BTreeMap<Harmless, usize>,
}

impl Tally {
    fn count(&mut self, accepted: Option<Harmless>) {
        self.tried += 1;
        if let Some(harmless) = accepted {
            *self.accepted.entry(harmless).or_default() += 1;
        }
    }
}

/// 001-12, 001-16
#[test]
fn no_wrong_byte_is_accepted() {
    let good = good();
    let originals = originals(&good);
    let all: usize = good.iter().map(|good| flip_count(&good.case.input)).sum();
    let step = match std::env::var_os("GENTEN_SOAK") {
        Some(_) => 1,
        None => (all / SAMPLE).max(1) | 1, // odd, so that all flips and places take part
    };
    let mut tally = Tally::default();
    for (start, good) in good.iter().enumerate() {
        for number in (start % step..flip_count(&good.case.input)).step_by(step) {
            let (what, mutant) = flip(&good.case.input, number);
            tally.count(good.check(&what, &mutant, &originals));
        }
        for (what, mutant) in length_changes(&good.case.input) {
            tally.count(good.check(&what, &mutant, &originals));
        }
    }
    let Tally { tried, accepted } = tally;
    eprintln!("{tried} tried, of {all} wrong bytes and all wrong lengths; accepted: {accepted:?}");
}

#[test]
fn no_wrong_byte_of_evidence_counts() {
    let good = good();
    let originals = originals(&good);
    let mut tally = Tally::default();
    for good in good.iter().filter(|good| EVERY_BYTE.contains(&good.case.id.as_str())) {
        let text = String::from_utf8(good.case.input.clone()).unwrap();
        let start = text.find("\"evidence\"").unwrap();
        for at in start..text.len() {
            let (what, mutant) = flip(&good.case.input, 3 * at);
            tally.count(good.check(&what, &mutant, &originals));
        }
    }
    eprintln!("{} wrong bytes of evidence tried; accepted: {:?}", tally.tried, tally.accepted);
}

#[test]
fn no_wrong_member_is_accepted() {
    let good = good();
    let originals = originals(&good);
    let mut tally = Tally::default();
    for (at, one) in good.iter().enumerate() {
        // Another input of the same kind, so that most of its members stand at the same places.
        let is_bundle = |good: &Good| good.value.get("manifest").is_some();
        let mut others = good.iter().cycle().skip(at + 1);
        let other = others.find(|other| is_bundle(other) == is_bundle(one)).unwrap();
        for (what, mutant) in member_changes(&one.value, &other.value) {
            tally.count(one.check(&what, &mutant, &originals));
        }
    }
    eprintln!("{} wrong members tried; accepted: {:?}", tally.tried, tally.accepted);
}
