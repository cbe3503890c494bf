//! Bundles that a real Rekor v2 log, two witnesses and a timestamp authority have signed (`cargo xtask peers --record`).

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read files, and their helpers stand outside of test functions"
)]

use std::path::{Path, PathBuf};

use genten_primitives::Timestamp;
use genten_verify::{Body, Policy, Report, Trust, TrustKit, Verdict, Verifier};

const NAMES: [&str; 5] =
    ["es256.txt", "ed25519.txt", "batch-0.txt", "batch-499.txt", "batch-999.txt"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/live")
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

fn text(name: &str) -> String {
    String::from_utf8(read(name)).unwrap()
}

fn now() -> Timestamp {
    "2026-12-01T00:00:00Z".parse().unwrap()
}

fn verifier(kit: &str) -> Verifier {
    let kit = TrustKit::read(kit.as_bytes()).unwrap();
    Verifier::new(Trust { kit, ..Trust::default() }, Policy::read(&text("policy.toml")).unwrap())
}

fn report(verifier: &Verifier, name: &str, bundle: &[u8]) -> Report {
    verifier.verify_bytes(bundle, &Body::of(&read(name)), now())
}

fn bundle(name: &str) -> Vec<u8> {
    read(&format!("{name}.provenance.json"))
}

#[test]
fn all_are_accepted_with_everything_asked_for() {
    let verifier = verifier(&text("trust.json"));
    for name in NAMES {
        let report = report(&verifier, name, &bundle(name));
        assert_eq!(
            report.verdict,
            Verdict::Accept,
            "{}",
            report.to_text(name, &Default::default())
        );
        assert_eq!(report.logs.len(), 2, "{name}");
        assert!(report.logs.iter().all(|entry| entry.witnesses == ["w1", "w2"]), "{name}");
        assert!(report.trusted_time.is_some(), "{name}");
    }
}

#[test]
fn a_missing_third_witness_and_a_wrong_key_of_one_leave_the_quorum_open() {
    let kit = text("trust.json");
    let third = "witness w3 w3.example+5b2ecde1+BBu4qGy1JiCywGi1qFdtBhR6VR99QLhByv6s6UE3DFQg";
    let third = third.replace("w3.example+5b2ecde1", "w2.example+5b2ecde1");
    let more = kit.replace("group both all w1 w2", &format!("{third}\\ngroup both all w1 w2 w3"));
    let because = |kit: &str| report(&verifier(kit), "es256.txt", &bundle("es256.txt")).verdict;
    let not_met =
        Verdict::Review { because: genten_verify::Code::find("log.quorum-not-met").unwrap() };
    assert_eq!(because(&more), not_met);
    let w2 = kit.split("witness w2 ").nth(1).unwrap().split(' ').next().unwrap();
    let other = "w2.example+5b2ecde1+BBu4qGy1JiCywGi1qFdtBhR6VR99QLhByv6s6UE3DFQg";
    assert_eq!(because(&kit.replace(w2, other)), not_met);
}

/// Changes one byte at a time. What is still accepted says the very same, and stands in the list below.
#[test]
fn no_byte_of_a_bundle_can_be_changed() {
    let verifier = verifier(&text("trust.json"));
    std::thread::scope(|scope| {
        for name in ["es256.txt", "ed25519.txt", "batch-499.txt"] {
            let verifier = &verifier;
            scope.spawn(move || change_each_byte(verifier, name));
        }
    });
}

fn change_each_byte(verifier: &Verifier, name: &str) {
    let good = bundle(name);
    let expected = report(verifier, name, &good);
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let found = report(verifier, name, &bytes);
        if found.verdict == Verdict::Accept {
            assert_eq!(found.logs, expected.logs, "{name}, byte {at}");
            assert_eq!(found.trusted_time, expected.trusted_time, "{name}, byte {at}");
            assert!(is_unsigned(&good, at), "{name}, byte {at}: {}", around(&good, at));
        }
    }
}

/// Bytes that nobody signs and that say nothing, or are said not to be checked:
/// - the type of the timestamp: under another one it is an item of an unknown type, which the report names, and the witnesses
///   state a time too;
/// - the name of the member that repeats the logged signature, which stands in the entry too and is checked there;
/// - in the answer of the timestamp authority the status, of which two mean "granted", and the list of hash functions
///   beside the signed part.
fn is_unsigned(bundle: &[u8], at: usize) -> bool {
    let text = std::str::from_utf8(bundle).unwrap();
    let in_value = |start: &str, range: std::ops::Range<usize>| {
        text.match_indices(start)
            .any(|(found, _)| range.contains(&at.wrapping_sub(found + start.len())))
    };
    in_value("},\"", 0.."signature".len())
        || in_value("\"type\":\"", 0.."rfc3161".len())
            && text[at.saturating_sub(7)..].contains("rfc3161")
        || in_value("\"token\":\"", 6..12)
        || in_value("\"token\":\"", 48..80)
}

fn around(bytes: &[u8], at: usize) -> String {
    let (from, to) = (at.saturating_sub(30), (at + 12).min(bytes.len()));
    String::from_utf8_lossy(&bytes[from..to]).into_owned()
}
