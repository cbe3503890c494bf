//! The servers of logs and timestamp authorities: as good as real ones, and as bad as told.

#![cfg(feature = "net")]
#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like the test")]

mod client;
mod logged;
mod read_faults;
mod recorded;
mod stamps;
mod taking;
mod tree;
mod write_faults;
