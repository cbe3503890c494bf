//! The library as a program's author uses it: real HTTPS sites, the public API, and a verifier at the end.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod attesting;
mod bodies;
mod fetching;
mod homes;
mod refusals;
mod requests;
mod results;
mod scenarios;
mod signers;
mod support;
mod terms;
