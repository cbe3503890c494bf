//! Into transparency logs, whatever they and the world around them do: a real producer, real homes, and a log and a timestamp
//! authority on loopback sockets that fail as they are told.
//!
//! The clocks of producer and authority stand still until a test moves them, so that an hour of outage takes no time.

#![cfg(feature = "log")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod bundles;
mod clocks;
mod conflicts;
mod contents;
mod disk;
mod evidence;
mod following;
mod forgetting;
mod home;
mod lost;
mod many;
mod outage;
mod producer;
mod reader;
mod recorded;
mod running;
mod sharing;
mod signers;
mod stamps;
mod statuses;
mod unreached;
mod world;
mod wrong;
