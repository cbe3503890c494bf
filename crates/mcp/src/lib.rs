//! MCP for Genten: contracts between whoever answers and whoever reads the answer, checked without a network.
//!
//! Everything is an argument: bytes come in, decisions come out. Nothing here fetches, reads a file or looks at a clock.

pub mod citation;
