//! Tiles and entry bundles (C2SP tlog-tiles): how a log is read from static files.
//!
//! A tile of level `L` and number `N` holds up to 256 hashes, each over `256^L` leaves; an entry bundle holds the entries behind
//! a tile of level 0. Nothing of a tile is believed before it hashes up to a signed root: [`AuthenticatedTiles`].

mod authenticated;
mod bundle;
mod error;
mod id;
mod node;
mod required;

pub use authenticated::AuthenticatedTiles;
pub use bundle::{EntryBundle, MAX_ENTRY, write_bundle};
pub use error::TileError;
pub use id::{BundleId, TileId, TilePathError};
pub use required::{all_tiles, edge_tiles, tiles_for_consistency, tiles_for_inclusion};

/// Hashes of a full tile, and entries of a full bundle.
pub const TILE_WIDTH: u16 = 256;

/// Bytes of a hash.
const HASH: usize = 32;
