//! The output contract (document 000): each rule by a result that breaks it and nothing else.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod contract;
mod fixtures;
mod formats;
mod rules;
#[cfg(feature = "schema")]
mod schema;
