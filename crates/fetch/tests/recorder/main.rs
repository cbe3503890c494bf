//! The recorder against real servers on loopback sockets.

mod bodies;
mod support;
mod tls_facts;
