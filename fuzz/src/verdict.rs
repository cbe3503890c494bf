//! What an input is, and the whole verdict about it.

use std::sync::LazyLock;

use genten_primitives::json::{self, Limits, Value};
use genten_verify::sigstore::{Artifact, SigstoreBundle, SigstoreQuestion};
use genten_verify::{
    Body, Policy, Report, TextLevel, TextOptions, Trust, TrustKit, TrustedSigner, Verdict,
    Verifier, detect,
};

/// The kind does not depend on anything but the bytes.
pub(crate) fn input_kind(bytes: &[u8]) -> bool {
    let kind = detect(bytes);
    assert_eq!(kind, detect(bytes));
    if let Err(unknown) = &kind {
        assert!(unknown.code().contains('.') && !unknown.to_string().is_empty());
    }
    kind.is_ok()
}

/// Bytes under every kind of trust and policy: the same report twice, strict JSON, nothing accepted without trust.
pub(crate) fn verdict(bytes: &[u8]) -> bool {
    let now = "2026-11-30T12:00:00Z".parse().expect("a time");
    let mut accepted = false;
    for (verifier, trusts_somebody) in VERIFIERS.iter() {
        for body in [Body::NotGiven, Body::NotFound, Body::of(b"the bytes")] {
            let report = verifier.verify_bytes(bytes, &body, now);
            assert_eq!(report, verifier.verify_bytes(bytes, &body, now));
            check(&report, *trusts_somebody);
            accepted |= report.verdict == Verdict::Accept;
        }
    }
    accepted
}

/// A bundle under the recorded logs and authorities, with the key that signed the seeds: never accepted for another artifact,
/// nor without a log.
pub(crate) fn sigstore_bundle(bytes: &[u8]) -> bool {
    let Ok(bundle) = SigstoreBundle::read(bytes) else { return false };
    let now = "2026-12-01T00:00:00Z".parse().expect("a time");
    let artifact = |bytes: &[u8]| Artifact::of_reader(bytes).expect("bytes in memory");
    let (right, wrong) = (artifact(ARTIFACT), artifact(b"other"));
    let ask = |artifact| SigstoreQuestion { artifact, identity: None };
    let report = SIGSTORE.verify_sigstore(&bundle, &ask(Some(&right)), now);
    assert_eq!(report, SIGSTORE.verify_sigstore(&bundle, &ask(Some(&right)), now));
    check(&report, true);
    let of_other = SIGSTORE.verify_sigstore(&bundle, &ask(Some(&wrong)), now);
    assert_ne!(of_other.verdict, Verdict::Accept);
    assert_ne!(SIGSTORE.verify_sigstore(&bundle, &ask(None), now).verdict, Verdict::Accept);
    assert!(report.verdict != Verdict::Accept || !report.logs.is_empty());
    true
}

/// What the seeds sign.
const ARTIFACT: &[u8] = include_bytes!("../corpus/sigstore_bundle/artifact");

static SIGSTORE: LazyLock<Verifier> = LazyLock::new(|| {
    let kit = TrustKit::read(include_bytes!("../../testdata/live/trust.json"));
    let kit = kit.expect("the recorded kit is a good one");
    let keys = kit.signers().iter().map(|signer| signer.public_key.clone()).collect();
    let trust = Trust { kit, keys, ..Trust::default() };
    Verifier::new(trust, Policy::built_in("basic").expect("built in"))
});

/// Prepared once and used for all inputs, as a verifier is meant to be.
static VERIFIERS: LazyLock<Vec<(Verifier, bool)>> = LazyLock::new(|| {
    let with = |policy| {
        let policy = move || Policy::built_in(policy).expect("built in");
        trusts().into_iter().map(move |(trust, some)| (Verifier::new(trust, policy()), some))
    };
    ["basic", "mcp11", "high-trust"].into_iter().flat_map(with).collect()
});

fn trusts() -> Vec<(Trust, bool)> {
    let signers =
        SIGNERS.map(|id| TrustedSigner::new(id).expect("the id of a test signer")).to_vec();
    let kit = TrustKit::read(include_bytes!("../corpus/trust_kit/several-signers.json"));
    let kit = kit.expect("the seed is a good kit");
    let live = TrustKit::read(include_bytes!("../../testdata/live/trust.json"));
    let live = live.expect("the recorded kit is a good one");
    vec![
        (Trust::default(), false),
        (Trust { kit: live, ..Trust::default() }, true),
        (Trust { signers, ..Trust::default() }, true),
        (Trust { kit, ..Trust::default() }, true),
    ]
}

/// Signers of the test data.
const SIGNERS: [&str; 2] = [
    "did:key:zDnaeynfZZz4eWT7fb6obrnBWhzicqWWErvPJreK9wzB6HpcG",
    "did:key:z6Mkfu9MDSQfp9RN9UQx64S6gGa71A5Qfn1YquLD6CPsVd6a",
];

fn check(report: &Report, trusts_somebody: bool) {
    let accepted = report.verdict == Verdict::Accept;
    assert_eq!(report.verdict.because().is_none(), accepted);
    assert!(!accepted || trusts_somebody);
    assert!(!accepted || report.attested || report.sigstore.is_some());
    assert!(report.sigstore.is_none() || !report.attested);
    assert!(!report.attested || report.manifest_id.is_some());
    let trusted = report.signer.as_ref().is_some_and(|signer| signer.trusted_by.is_some());
    assert!(!report.attested || trusted);

    let json = report.to_json("input\u{1b}[31m\n.json");
    let document = json::read(&json, Limits::bytes(64 << 20)).expect("a report is strict JSON");
    let root = document.root();
    assert_eq!(root.get("attested").is_some(), report.attested);
    // What stands beside attested claims is what nobody signed or confirmed.
    let beside = root.get("claimed").filter(|_| report.attested);
    for (name, _) in beside.and_then(Value::members).into_iter().flatten() {
        assert!(["mcp_key_id", "transparency_log_id"].contains(&name.as_ref()));
        assert!(root.get("attested").and_then(|attested| attested.get(&name)).is_none());
    }
    assert_eq!(
        root.get("verdict").and_then(|word| word.as_str()).as_deref(),
        Some(report.verdict.as_str())
    );

    let options = TextOptions { level: TextLevel::Verbose, at_given: true, file: None };
    let text = report.to_text("input\u{1b}[31m\n.json", &options);
    assert!(text.starts_with(&report.verdict.as_str().to_uppercase()));
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
}
