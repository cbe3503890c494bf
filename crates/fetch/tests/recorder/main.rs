//! The recorder against real servers on loopback sockets.

#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like the test")]

mod bodies;
mod framing_http1;
mod framing_http2;
mod proxies;
mod redirects;
mod refusals;
mod statuses;
mod support;
mod tls_facts;
