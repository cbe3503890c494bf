//! MCP for Genten: what a result promises and who stands behind it, and the contracts between whoever answers and whoever
//! reads the answer, checked without a network.
//!
//! Everything is an argument: bytes come in, decisions come out. Nothing here fetches, reads a file or looks at a clock.

pub mod binding;
pub mod call;
pub mod citation;
pub mod contract;
pub mod meta_key;
pub mod output;
pub mod saved;
pub mod visible;

/// The examples of the guide are compiled.
#[cfg(doctest)]
mod docs {
    #[doc = include_str!("../../../docs/contracts.md")]
    struct Contracts;
}
