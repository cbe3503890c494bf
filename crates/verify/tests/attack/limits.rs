//! Inputs that want too much.

use std::time::Instant;

use genten_manifest::UnverifiedManifest;
use genten_verify::Body;
use serde_json::{Value, json};

use crate::common::NOW;
use crate::common::case::Case;
use crate::common::certificates::{Ca, no_edit, uri, x509_chain};
use crate::common::keys::es256;
use crate::common::kit::{Kit, authority};
use crate::common::manifest::{Draft, bundle};

fn draft() -> Draft {
    Draft::new(&es256("signer"), &es256("signer").did_key())
}

fn trusting(input: String) -> Case {
    Case::bundle(input).signer(&es256("signer").did_key())
}

#[test]
fn sizes_are_bounded_to_the_byte() {
    let limit = 64 << 10;
    let empty = draft().with("/org.example.x", "").sign().len();
    let of = |length: usize| {
        let text = draft().with("/org.example.x", "x".repeat(length - empty)).sign();
        assert_eq!(text.len(), length);
        text
    };
    trusting(of(limit)).expect("accept", "");
    trusting(of(limit + 1)).expect("reject", "manifest.too-large");
    trusting(bundle(&of(limit), &[])).expect("accept", "");
    trusting(bundle(&of(limit + 1), &[])).expect("reject", "manifest.too-large");

    let padding = (1 << 20) - draft().bundle(&[]).len();
    let text = format!("{}{}", draft().bundle(&[]), " ".repeat(padding));
    trusting(text.clone()).expect("accept", "");
    trusting(text + " ").expect("reject", "json.too-large");
}

#[test]
fn evidence_is_bounded_to_the_item() {
    let items = |count: usize| vec![json!({"type": "x"}); count];
    trusting(draft().bundle(&items(32))).expect("accept", "");
    trusting(draft().bundle(&items(33))).expect("reject", "evidence.count");
}

#[test]
fn depth_is_bounded_to_the_level() {
    let nested = |depth: usize| {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let value: Value = serde_json::from_str(&text).unwrap();
        Case::manifest(draft().with("/org.example.x", value).sign())
            .signer(&es256("signer").did_key())
    };
    nested(31).expect("accept", "");
    // Lists that were closed again make no room.
    let beside = format!("[[],{{}},[{}]]", "[[],[]],".repeat(40).trim_end_matches(','));
    let text = draft().sign().replacen(
        '{',
        &format!("{{\"a.b\":[{beside},{}{}],", "[".repeat(31), "]".repeat(31)),
        1,
    );
    Case::manifest(text).expect("reject", "json.too-deep");
    // A manifest this deep cannot be canonicalised by the tests' own reader either, so it is made of text.
    let deep = format!("{{\"org.example.x\":{}{},", "[".repeat(32), "]".repeat(32));
    let text = draft().sign().replacen('{', &deep, 1);
    Case::manifest(text).expect("reject", "json.too-deep");
}

#[test]
fn files_of_keys_and_policies_are_bounded() {
    let signed = || Case::manifest(draft().sign());
    signed().key(vec![b'x'; (1 << 20) + 1]).expect("none", "key.too-large");
    signed().key(vec![b'x'; 1 << 20]).expect("none", "key.format");
    let policy = |length: usize| {
        let rest = "[require]\ndefault = [\"signature\", \"signer\"]\n#";
        let have = "version = 1\nname = \"case\"\n".len() + rest.len();
        signed().policy_file(&format!("{rest}{}", "x".repeat(length - have)))
    };
    policy(64 << 10).expect("review", "signer.not-trusted");
    policy((64 << 10) + 1).expect("none", "policy.malformed");
}

/// Brackets within brackets exhaust no stack.
#[test]
fn nested_policies_and_kits_end() {
    let nested = format!("x = {}", "[".repeat(60_000));
    Case::manifest(draft().sign()).policy_file(&nested).expect("none", "policy.malformed");
    let kit = format!("{{\"x\":{}", "[".repeat(4 << 20));
    Case::manifest(draft().sign()).trust(kit).expect("none", "kit.malformed");
    let input = format!("{{\"mcp_signature\":{}", "[".repeat(1 << 19));
    Case::manifest(input).expect("reject", "json.too-deep");
}

/// A body that was looked for and not found is no body that was not given.
#[test]
fn a_body_that_was_not_found_is_said() {
    let case = Case::manifest(draft().sign()).signer(&es256("signer").did_key());
    let manifest = UnverifiedManifest::read(&case.input).unwrap();
    let report =
        case.verifier().unwrap().verify(&manifest, &[], &Body::NotFound, NOW.parse().unwrap());
    assert_eq!(report.verdict.because().unwrap().as_str(), "content.not-found");
    assert_eq!(report.verdict.exit_status(), 3);
}

/// Chains of ten certificates of one name, none of which leads anywhere, cost little.
#[test]
fn hostile_chains_end() {
    let key = es256("signer");
    let root = Ca::root("Example signers root", &no_edit);
    let id = "https://mcp.example.org/server";
    let leaf = Ca::named_like("Example signers root", "evil").leaf(&key, &uri(id));
    let chains: Vec<_> = (0..4)
        .map(|chain| {
            let of_one_name =
                |at| Ca::named_like("Example signers root", &format!("{chain} {at}")).der;
            let below: Vec<_> = (0..9).map(of_one_name).collect();
            let chain = std::iter::once(leaf.as_slice()).chain(below.iter().map(Vec::as_slice));
            x509_chain(&chain.collect::<Vec<_>>())
        })
        .collect();
    let kit = Kit::new().authority(authority(&root.der, "https://mcp.example.org/*"));
    let case = Case::bundle(Draft::new(&key, id).bundle(&chains)).kit(&kit);
    let start = Instant::now();
    let report = case.report().unwrap();
    assert_eq!(report.verdict.as_str(), "reject");
    eprintln!(
        "four hostile chains took {:?}: {}",
        start.elapsed(),
        report.verdict.because().unwrap()
    );
}
