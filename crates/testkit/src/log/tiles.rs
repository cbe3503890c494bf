//! A log as C2SP tlog-tiles: its tiles and entry bundles, and all of it as a folder of files.

use std::io;
use std::path::Path;

use genten_tlog::tile::{TILE_WIDTH, all_tiles};
use genten_tlog::{BundleId, TileId, TreeSize};

use super::{Handing, TestLog};

impl TestLog {
    /// The bytes of a tile, full or partial; `None` if the log is not that large.
    pub fn tile(&self, tile: TileId) -> Option<Vec<u8>> {
        let begin = usize::try_from(tile.number()).ok()?.checked_mul(usize::from(TILE_WIDTH))?;
        let end = begin.checked_add(usize::from(tile.width()))?;
        let hashes = self.tree.hashes(8 * usize::from(tile.level()), begin..end)?;
        Some(hashes.iter().flat_map(|hash| *hash.as_bytes()).collect())
    }

    /// The bytes of a bundle, full or partial; `None` if the log is not that large, or an entry is longer than 65,535 bytes.
    pub fn bundle(&self, bundle: BundleId) -> Option<Vec<u8>> {
        let begin = usize::try_from(bundle.number()).ok()?.checked_mul(usize::from(TILE_WIDTH))?;
        let end = begin.checked_add(usize::from(bundle.width()))?;
        let mut bytes = Vec::new();
        for leaf in self.leaves.get(begin..end)? {
            bytes.extend(u16::try_from(leaf.len()).ok()?.to_be_bytes());
            bytes.extend_from_slice(leaf);
        }
        Some(bytes)
    }

    /// Writes the log as files below `folder`, which is made: `checkpoint` as [`checkpoint`](Self::checkpoint) gives it, and
    /// the tiles and bundles of that size.
    ///
    /// # Errors
    /// When a file cannot be written, or an entry does not fit a bundle.
    pub fn write_folder(&self, folder: &Path, handing: &Handing<'_>) -> io::Result<()> {
        let size = handing.size.unwrap_or(self.len());
        let size = TreeSize::new(size as u64).map_err(io::Error::other)?;
        for tile in all_tiles(size) {
            write(folder, &tile.to_string(), self.tile(tile))?;
        }
        for bundle in (0..).map_while(|number| BundleId::at(number, size)) {
            write(folder, &bundle.to_string(), self.bundle(bundle))?;
        }
        write(folder, "checkpoint", Some(self.checkpoint(handing).into_bytes()))
    }
}

fn write(folder: &Path, path: &str, bytes: Option<Vec<u8>>) -> io::Result<()> {
    let bytes = bytes.ok_or_else(|| io::Error::other(format!("no {path} of that size")))?;
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
    std::fs::write(path, bytes)
}
