//! The citation contract (document 002): every rule by a file that breaks it and nothing else, in the contract's own words.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod files;
mod made;
mod reading;
mod rules;
mod samples;
