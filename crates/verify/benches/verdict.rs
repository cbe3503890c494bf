//! The whole verdict on one manifest, by a verifier that is warm: `cargo bench -p genten-verify --features aws-lc`.
//!
//! Times of one machine; the ratios against bare signature checks are printed by `scripts/check-speed`.

#![expect(clippy::unwrap_used, reason = "a bench may fail")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use genten_verify::{Body, Policy, Trust, TrustedSigner, Verdict, Verifier};

macro_rules! case {
    ($name:literal) => {
        (
            $name,
            include_bytes!(concat!("../../../testdata/verify/", $name, "/manifest.json"))
                .as_slice(),
        )
    };
}

/// Cases of `testdata/verify`, with the policy basic.
const CASES: [(&str, &[u8]); 2] = [case!("good-did-key-ed25519"), case!("good-did-key-es256")];

fn verdict(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verdict");
    for (case, manifest) in CASES {
        let verifier = Verifier::new(trust(manifest), Policy::built_in("basic").unwrap());
        let now = "2026-11-30T12:00:00Z".parse().unwrap();
        let verify = || verifier.verify_bytes(manifest, &Body::NotGiven, now);
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
