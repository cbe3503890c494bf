//! The program as its users meet it: arguments and files in, streams and exit status out.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod bodies;
mod common;
mod evidence;
mod files;
mod folders;
mod inputs;
mod lists;
mod names;
mod offline;
mod results;
mod settings;
mod sigstore;
mod statuses;
mod transcripts;
