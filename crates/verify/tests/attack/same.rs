//! The same inputs give the same report: again, in another order, in another thread, beside other inputs.

use genten_manifest::Evidence;
use genten_primitives::json::{self, Limits};
use genten_verify::input::Input;
use genten_verify::{Body, Report, Verifier};

use crate::common::case::Case;
use crate::common::{NOW, directory};

/// Every input of `testdata` that can be judged at all, with its body.
fn inputs() -> Vec<(String, Input, Body)> {
    let read = |case: Case| {
        let body = case.body.as_deref().map_or(Body::NotGiven, Body::of);
        Some((case.id, Input::read(&case.input).ok()?, body))
    };
    directory::all().into_iter().filter_map(read).collect()
}

/// Verifiers of many minds.
fn verifiers() -> Vec<(String, Verifier)> {
    let wanted = |case: &Case| case.id.starts_with("good-") || case.id.starts_with("status-");
    let cases = directory::all().into_iter().filter(wanted).step_by(29);
    cases.filter_map(|case| Some((case.id.clone(), case.verifier().ok()?))).collect()
}

fn judge(verifier: &Verifier, input: &(String, Input, Body)) -> Report {
    verifier.verify_input(&input.1, &[], &input.2, NOW.parse().unwrap())
}

#[test]
fn order_and_company_change_nothing() {
    let inputs = inputs();
    for (name, shared) in verifiers() {
        let forth: Vec<_> = inputs.iter().map(|input| judge(&shared, input)).collect();
        let mut back: Vec<_> = inputs.iter().rev().map(|input| judge(&shared, input)).collect();
        back.reverse();
        for ((input, forth), back) in inputs.iter().zip(&forth).zip(&back) {
            assert_eq!(forth, back, "{} by {name}", input.0);
            assert_eq!(forth.to_json("x"), back.to_json("x"));
        }
    }
}

#[test]
fn a_verifier_without_memory_says_the_same() {
    let cases = directory::all();
    let inputs = inputs();
    let (name, shared) = verifiers().into_iter().next().unwrap();
    let case = cases.iter().find(|case| case.id == name).unwrap();
    for input in &inputs {
        let fresh = case.verifier().unwrap();
        assert_eq!(judge(&fresh, input), judge(&shared, input), "{}", input.0);
    }
}

#[test]
fn threads_say_the_same() {
    let inputs = inputs();
    let (_, verifier) = verifiers().into_iter().next().unwrap();
    let alone: Vec<_> = inputs.iter().map(|input| judge(&verifier, input)).collect();
    std::thread::scope(|scope| {
        for start in 0..4 {
            let (verifier, inputs, alone) = (&verifier, &inputs, &alone);
            scope.spawn(move || {
                for turn in 0..inputs.len() {
                    let at = (start * 53 + turn) % inputs.len();
                    assert_eq!(judge(verifier, &inputs[at]), alone[at], "{}", inputs[at].0);
                }
            });
        }
    });
}

/// `verify_bytes` and the reader of documents agree.
#[test]
fn bytes_and_documents_say_the_same() {
    for case in directory::all() {
        let (Ok(verifier), Ok(input)) = (case.verifier(), Input::read(&case.input)) else {
            continue;
        };
        let body = case.body.as_deref().map_or(Body::NotGiven, Body::of);
        let now = case.at.parse().unwrap();
        let read = verifier.verify_input(&input, &[], &body, now);
        assert_eq!(verifier.verify_bytes(&case.input, &body, now), read, "{}", case.id);
    }
}

/// The same item with other spaces.
fn respelled(item: &Evidence) -> Evidence {
    let text = item.raw().replacen('{', "{ \n\t", 1);
    let document = json::read(text.as_bytes(), Limits::bytes(text.len())).unwrap();
    Evidence::from_value(document.root()).unwrap()
}

/// What came twice is one item, whether it is spelled alike or not, and with a bundle or beside a
/// manifest.
#[test]
fn copies_of_evidence_change_nothing() {
    let mut bundles = 0;
    for case in directory::all() {
        let (Ok(verifier), Ok(input)) = (case.verifier(), Input::read(&case.input)) else {
            continue;
        };
        let now = case.at.parse().unwrap();
        let judge = |input: &Input, more: &[Evidence]| {
            verifier.verify_input(input, more, &Body::NotGiven, now)
        };
        let copies: Vec<_> = input.evidence().iter().map(respelled).collect();
        assert_eq!(judge(&input, &copies), judge(&input, &[]), "{}", case.id);
        let alone = Input::Manifest(input.manifest().clone());
        let twice = [input.evidence(), &copies].concat();
        assert_eq!(judge(&alone, &twice), judge(&alone, input.evidence()), "{}", case.id);
        bundles += usize::from(!copies.is_empty());
    }
    assert!(bundles > 0);
}
