//! The clients against real sockets, real files and the recorded answers of a real log.

#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like the test")]

mod cache;
mod ct;
mod endpoint;
mod follow;
mod follow_shown;
mod follow_state;
mod following;
mod history;
mod http;
mod proofs;
mod reader;
mod reader_faults;
mod recover;
mod server;
mod submit;
mod support;
mod tsa;
mod watch;
