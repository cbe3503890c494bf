//! MCP for Genten: what a result promises and who stands behind it, and the contracts between whoever answers and whoever
//! reads the answer, checked without a network.
//!
//! Everything is an argument: bytes come in, decisions come out. Nothing here fetches, reads a file or looks at a clock.

pub mod binding;
pub mod call;
pub mod citation;
pub mod meta_key;
pub mod output;
pub mod saved;
pub mod visible;
