//! The program as a producer uses it: the real binary against real sites on this machine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod attest;
mod certificates;
mod check_output;
mod citations;
mod cron;
mod demo;
mod fetch;
mod following;
mod help;
mod interrupts;
mod keys;
#[cfg(target_os = "linux")]
mod limits;
mod log_words;
mod logging;
mod refetch;
mod refusals;
mod sources;
mod submitting;
mod world;
