//! Certificate Transparency: published certificates, lists and tiles, and logs made for the test.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read files, and their helpers stand outside of test functions"
)]

#[path = "../common/mod.rs"]
mod common;

mod judge;
mod log_list;
mod published;
mod tile;
mod world;
