//! The right edge of a log: all that is needed of a tree to make a larger one.

use genten_primitives::Sha256Digest;
use genten_tlog::tile::{TILE_WIDTH, edge_tiles};
use genten_tlog::{BundleId, Checkpoint, TreeSize, merkle};

use super::nodes::{Nodes, TILE_LEVELS};
use super::{LogError, LogFolder};

/// The partial tiles and the partial bundle of a signed tree.
#[derive(Debug)]
pub(super) struct Edge {
    size: TreeSize,
    tiles: Vec<Vec<Sha256Digest>>,
    entries: Vec<Vec<u8>>,
}

impl Edge {
    /// Reads the edge of a tree; what does not make its root is refused.
    pub(super) fn read(folder: &LogFolder, checkpoint: &Checkpoint) -> Result<Self, LogError> {
        let size = checkpoint.size();
        let bytes = folder.read_edge(checkpoint)?;
        let mut authentic = folder.authenticate(checkpoint, &bytes)?;
        let mut tiles = vec![Vec::new(); TILE_LEVELS.into()];
        for (tile, bytes) in edge_tiles(size).into_iter().zip(&bytes) {
            let (hashes, _) = bytes.as_chunks();
            tiles[usize::from(tile.level())] =
                hashes.iter().map(|hash| Sha256Digest::from_bytes(*hash)).collect();
        }
        let (mut entries, mut buffer) = (Vec::new(), Vec::new());
        if let Some(partial) = BundleId::at(size.get() / u64::from(TILE_WIDTH), size) {
            let bundle = folder.bundle(&mut authentic, partial, &mut buffer)?;
            entries.extend(bundle.entries().iter().map(|entry| entry.to_vec()));
        }
        Ok(Self { size, tiles, entries })
    }

    /// The edge of a tree that has grown from this one by these entries.
    pub(super) fn advance(&self, nodes: &Nodes, entries: &[&[u8]]) -> Self {
        let entries = self.bundled(entries);
        let partial = entries.chunks_exact(TILE_WIDTH.into()).remainder();
        let entries = partial.iter().map(|entry| entry.to_vec()).collect();
        Self { size: nodes.size(), tiles: nodes.edge(), entries }
    }

    /// The tree with these entries more. `None`: no tree is so large.
    pub(super) fn grow(&self, entries: &[&[u8]]) -> Option<Nodes> {
        let size = TreeSize::new(self.size.get().checked_add(entries.len() as u64)?).ok()?;
        let leaves = entries.iter().map(|entry| merkle::leaf_hash(entry)).collect();
        Some(Nodes::grow(self.size, &self.tiles, leaves, size))
    }

    /// These entries, and before them those of the bundle that they continue.
    pub(super) fn bundled<'e>(&'e self, entries: &[&'e [u8]]) -> Vec<&'e [u8]> {
        self.entries.iter().map(Vec::as_slice).chain(entries.iter().copied()).collect()
    }
}
