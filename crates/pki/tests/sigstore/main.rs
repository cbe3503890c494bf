//! Sigstore's documents and certificates: the published ones, and a world made for the test.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read files, and their helpers stand outside of test functions"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../ct/world.rs"]
mod world;

mod fulcio;
mod published;
mod signing_config;
mod trusted_root;
