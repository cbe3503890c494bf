//! The provenance contract (document 004): every sample byte for byte, and what holds for every block.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod blocks;
mod footers;
mod properties;
mod samples;
mod schemas;
