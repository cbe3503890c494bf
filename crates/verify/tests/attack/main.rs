//! The verifier under attack: what `testdata` cannot hold as files, or not for every byte.
#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]
#![expect(clippy::disallowed_methods, reason = "tests have a clock and an environment")]

#[path = "../common/mod.rs"]
mod common;

mod checkers;
mod codes;
mod forgery;
mod hostile;
mod inert;
mod kits;
mod limits;
mod mutants;
mod mutation;
mod pinned;
mod report;
mod same;
mod sigstore;
mod silence;
