//! The embedded log, with real files, processes, full disks and damage.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../common/mod.rs"]
mod common;

mod begin;
mod damage;
mod growth;
mod kit;
mod known;
mod limits;
mod reading;
mod writers;
