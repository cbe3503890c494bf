//! Sigstore bundles: published ones, recorded ones, and those that a verifier less strict than this one accepts.
#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

#[path = "../common/mod.rs"]
mod common;

mod conformance;
mod gaps;
mod live;
mod log;
mod pinned;
mod published;
mod small;
mod world;
