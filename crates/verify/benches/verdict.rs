//! The whole verdict on one manifest, by a verifier that is warm: `cargo bench -p genten-verify --features aws-lc`.
//!
//! Times of one machine; the ratios against bare signature checks are printed by `scripts/check-speed`.

#![expect(clippy::unwrap_used, reason = "a bench may fail")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use genten_verify::{Body, Policy, Trust, TrustedSigner, Verdict, Verifier};

/// Cases of `testdata/verify`, with the policy basic.
const CASES: [&str; 2] = ["good-did-key-ed25519", "good-did-key-es256"];

fn verdict(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verdict");
    for case in CASES {
        let manifest = std::fs::read(format!(
            "{}/../../testdata/verify/{case}/manifest.json",
            env!("CARGO_MANIFEST_DIR")
        ));
        let manifest = manifest.unwrap();
        let verifier = Verifier::new(trust(&manifest), Policy::built_in("basic").unwrap());
        let now = "2026-11-30T12:00:00Z".parse().unwrap();
        let verify = || verifier.verify_bytes(&manifest, &Body::NotGiven, now);
        assert!(matches!(verify().verdict, Verdict::Accept), "{case}");
        group.throughput(Throughput::Elements(1));
        group.bench_function(case, |bencher| bencher.iter(verify));
    }
    group.finish();
}

/// Trust in whoever signed this.
fn trust(manifest: &[u8]) -> Trust {
    let json: serde_json::Value = serde_json::from_slice(manifest).unwrap();
    let signer = TrustedSigner::new(json["mcp_key_id"].as_str().unwrap()).unwrap();
    Trust { signers: vec![signer], ..Trust::default() }
}

criterion_group!(benches, verdict);
criterion_main!(benches);
