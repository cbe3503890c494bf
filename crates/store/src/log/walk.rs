//! Through a whole log, in constant memory.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use genten_primitives::Sha256Digest;
use genten_tlog::tile::TILE_WIDTH;
use genten_tlog::{AuthenticatedTiles, BundleId, Checkpoint, LeafIndex};

use super::{LogError, LogFolder};

impl LogFolder {
    /// Where these leaf hashes stand, as far as the tree holds them at the index `from` or after it. What stands there
    /// twice is given where it stands first.
    ///
    /// # Errors
    /// As [`tiles`](Self::tiles).
    pub fn find(
        &self,
        checkpoint: &Checkpoint,
        from: u64,
        leaves: &HashSet<Sha256Digest>,
    ) -> Result<HashMap<Sha256Digest, LeafIndex>, LogError> {
        let mut found = HashMap::new();
        self.walk(checkpoint, from / WIDTH, |tiles, bundle| {
            self.load_leaves(tiles, bundle)?;
            let first = bundle.number() * WIDTH;
            for index in first.max(from)..first + u64::from(bundle.width()) {
                let index = LeafIndex::new(index).expect("the tree has this leaf");
                let leaf = tiles.leaf_hash(index).map_err(|error| self.no_answer(error))?;
                if leaves.contains(&leaf) {
                    found.entry(leaf).or_insert(index);
                }
            }
            let all = found.len() == leaves.len();
            Ok(if all { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(found)
    }

    /// Reads every tile and every entry of the newest tree and compares them with its signed root. `progress` hears how many
    /// entries are done, and how many there are.
    ///
    /// Gives the checkpoint whose tree was read.
    ///
    /// # Errors
    /// The first file that is missing or is not what the log has signed; as [`checkpoint`](Self::checkpoint) and
    /// [`tiles`](Self::tiles).
    pub fn check(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Checkpoint, LogError> {
        let checkpoint = self.checkpoint()?;
        let (mut done, total) = (0, checkpoint.size().get());
        let mut buffer = Vec::new();
        self.walk(&checkpoint, 0, |tiles, bundle| {
            self.bundle(tiles, bundle, &mut buffer)?;
            done += u64::from(bundle.width());
            progress(done, total);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(checkpoint)
    }

    /// Visits the bundles of a tree from the one with this number on, each with tiles that hold what was needed before it
    /// below the same tile of level 1.
    fn walk(
        &self,
        checkpoint: &Checkpoint,
        from: u64,
        mut visit: impl FnMut(&mut AuthenticatedTiles, BundleId) -> Result<ControlFlow<()>, LogError>,
    ) -> Result<(), LogError> {
        let edge = self.tiles(checkpoint)?;
        let mut tiles = edge.clone();
        let bundles = (from..).map_while(|number| BundleId::at(number, checkpoint.size()));
        for bundle in bundles {
            if bundle.number() % WIDTH == 0 {
                tiles = edge.clone();
            }
            if visit(&mut tiles, bundle)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

const WIDTH: u64 = TILE_WIDTH as u64;
