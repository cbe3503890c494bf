//! Logs, timestamps and bundles by the program: kits that name them, bundles that carry them, exports of both.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../support/mod.rs"]
mod support;

mod bundles;
mod exports;
mod kits;
mod kits_shown;
mod makers;
mod refusals;
