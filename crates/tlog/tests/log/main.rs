//! Logs as others run them, and logs made on the spot.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read files, and their helpers stand outside of test functions"
)]

mod checkpoint;
mod checkpoint_flaws;
mod common;
mod conformance;
mod merkle;
mod merkle_vectors;
mod note;
mod note_key;
mod policy;
mod proof_file;
mod published;
mod published_tiles;
mod rekor;
mod tile;
mod tile_path;
