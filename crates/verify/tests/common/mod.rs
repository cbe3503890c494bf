//! What the tests of the verifier share: keys that are always the same, certificates, manifests with every liberty that a
//! forger has, trust kits, and cases that say what must come of them.
#![allow(dead_code, reason = "each test uses a part")]
#![allow(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

pub(crate) mod case;
pub(crate) mod certificates;
pub(crate) mod directory;
pub(crate) mod keys;
pub(crate) mod kit;
pub(crate) mod manifest;

use genten_primitives::json::{self, Limits};

/// The time taken as now where a case has no reason to say otherwise.
pub(crate) const NOW: &str = "2026-11-30T12:00:00Z";

/// When the content was fetched, by default.
pub(crate) const FETCHED: &str = "2026-11-30T08:15:00Z";

/// What was fetched, by default.
pub(crate) const BODY: &[u8] = b"The Internet is for End Users.\n";

/// Canonical JSON (RFC 8785) of a text.
pub(crate) fn canonical(text: &str) -> String {
    let document = json::read(text.as_bytes(), Limits::bytes(16 << 20)).unwrap();
    let mut out = Vec::new();
    document.root().write_canonical(&mut out);
    String::from_utf8(out).unwrap()
}
