//! The outbox: everything wanted gets to be sent, by one process at a time, and nothing is forgotten.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../common/mod.rs"]
mod common;

mod arriving;
mod kit;
mod past;
mod sending;
mod wanting;
