//! `sigstore-verify` as oracle: what is accepted here, it accepts; what it rejects, is not accepted here. Each difference is
//! listed in `exceptions.txt`, with its reason, and the test fails when a listed one is no longer there.
#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

mod both;
mod corpus;
mod differences;
#[path = "../../../verify/tests/sigstore/log.rs"]
#[allow(dead_code, reason = "the tests of the verifier use more of it")]
mod log;
mod mutant;
mod random;

use both::Both;
use differences::Differences;

/// How many mutants are made: `GENTEN_SIGSTORE_MUTANTS`, else as many as CI has time for. The first ones are always the same.
fn mutants() -> u64 {
    const IN_CI: u64 = 2_000;
    let asked = std::env::var("GENTEN_SIGSTORE_MUTANTS").ok();
    asked.map_or(IN_CI, |text| text.parse::<u64>().unwrap().max(IN_CI))
}

#[test]
fn every_difference_is_known() {
    let Some(cases) = corpus::all() else { return };
    let judges: Vec<Both> = cases.iter().map(Both::new).collect();
    let mut differences = Differences::read();
    for (case, both) in cases.iter().zip(&judges) {
        differences.add(&case.name, &both.judge(&case.bundle));
    }
    for case in corpus::made_here().into_iter().chain(corpus::after_the_window(&cases)) {
        differences.add(&case.name, &Both::new(&case).judge(&case.bundle));
    }
    let good: Vec<_> = (0..cases.len())
        .filter(|at| judges[*at].judge(&cases[*at].bundle).is_accepted_by_any())
        .collect();
    for seed in 0..mutants() {
        let (at, what, bundle) = mutant::make(seed, &cases, &good);
        let name = format!("mutant {seed} of {}: {what}", cases[at].name);
        differences.add(&name, &judges[at].judge(&bundle));
    }
    differences.conclude();
}
