//! Servers' certificates: fetched with promises of a static log, proven by its tiles, accepted offline by the proof.

#![cfg(feature = "log")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod bundles;
mod faults;
mod proofs;
mod queueing;
mod several;
mod world;
