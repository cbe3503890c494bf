//! A recorded bundle (managed P-256 key, Rekor v2, RFC 3161) from its text to the verdict, by a warm verifier, here and by
//! sigstore-verify: `cargo bench -p genten-interop --bench sigstore`.
//!
//! Both run in turn, eleven times; printed are medians. Both check ECDSA by aws-lc.

#![expect(clippy::unwrap_used, reason = "a bench may fail")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use genten_verify::sigstore::{Artifact, SigstoreBundle, SigstoreQuestion};
use genten_verify::{Policy, Trust, TrustKit, Verdict, Verifier, keys_from_file};
use sigstore_trust_root::TrustedRoot;
use sigstore_types::{Bundle, DerPublicKey};
use sigstore_verify::PublicKeyVerificationPolicy;

const RUNS: usize = 11;
const SLICES: usize = 40;
const CALLS: u32 = 20;

fn main() {
    let live = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/rekor-live");
    if !live.exists() {
        return eprintln!("skipped: no {}", live.display());
    }
    let text = |name: &str| std::fs::read_to_string(live.join(name)).unwrap();
    let (bundle, artifact) = (text("bundles/blob.sigstore.json"), text("bundles/blob.txt"));
    let (key, root) = (text("bundles/blob.pub"), text("trusted_root.json"));

    let kit = TrustKit::of_sigstore_root(root.as_bytes()).unwrap();
    let trust = Trust { kit, keys: keys_from_file(key.as_bytes()).unwrap(), signers: vec![] };
    let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
    let now = "2026-11-30T12:00:00Z".parse().unwrap();
    let ours = || {
        let artifact = Artifact::of_reader(artifact.as_bytes()).unwrap();
        let question = SigstoreQuestion { artifact: Some(&artifact), identity: None };
        let bundle = SigstoreBundle::read(bundle.as_bytes()).unwrap();
        let report = verifier.verify_sigstore(&bundle, &question, now);
        assert!(matches!(black_box(report).verdict, Verdict::Accept));
    };

    let root = TrustedRoot::from_json(&root).unwrap();
    let oracle = sigstore_verify::Verifier::new(&root).unwrap();
    let policy = PublicKeyVerificationPolicy::new(DerPublicKey::from_pem(&key).unwrap());
    let theirs = || {
        let bundle = Bundle::from_json(&bundle).unwrap();
        black_box(oracle.verify(artifact.as_bytes(), &bundle, &policy).unwrap());
    };

    let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        their_times.push(microseconds(theirs));
        our_times.push(microseconds(ours));
    }
    let (theirs, ours) = (median(their_times), median(our_times));
    println!("{:<28}{:>14}{:>12}{:>8}", "", "sigstore µs", "ours µs", "ratio");
    println!("{:<28}{theirs:>14.2}{ours:>12.2}{:>8.3}", "a recorded bundle", ours / theirs);
}

fn microseconds(call: impl Fn()) -> f64 {
    let slice = || {
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        start.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS)
    };
    (0..SLICES).map(|_| slice()).fold(f64::INFINITY, f64::min)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
