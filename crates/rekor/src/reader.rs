//! Reads logs that are published as tiles (C2SP tlog-tiles). What it gives out hashes up to a signed root.

mod error;
mod fetch;
mod walk;

use std::ops::Range;

use genten_primitives::Sha256Digest;
use genten_tlog::note::MAX_NOTE;
use genten_tlog::tile::edge_tiles;
use genten_tlog::{
    AuthenticatedTiles, Checkpoint, ConsistencyProof, InclusionProof, LeafIndex, TreeSize,
};

pub use error::ReadError;
pub(crate) use fetch::LogFile;
pub use walk::{EntryChunk, EntryWalk};

use crate::source::TreeSource;
use crate::{LogHttp, LogTrust, TreeCache, TreeLocation};

/// Most requests to one log at a time.
pub(crate) const PARALLEL: usize = 8;

/// A log that can be read. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LogReader {
    source: TreeSource,
    trust: LogTrust,
    cache: Option<TreeCache>,
}

/// That a tree was part of another: the root that it had, and the proof that leads from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The root of the later tree when it had the earlier size.
    pub root: Sha256Digest,
    /// From this root to the later one.
    pub proof: ConsistencyProof,
}

impl LogReader {
    /// Reads the log of these keys where it is.
    pub fn new(http: LogHttp, location: TreeLocation, trust: LogTrust) -> Self {
        Self { source: TreeSource::new(http, location), trust, cache: None }
    }

    /// Keeps full tiles and bundles in a folder once they were authenticated.
    #[must_use]
    pub fn with_cache(mut self, cache: TreeCache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Whose checkpoints are believed.
    pub fn trust(&self) -> &LogTrust {
        &self.trust
    }

    /// The log's latest checkpoint, signed by the log and, where a policy asks for that, by enough witnesses.
    ///
    /// # Errors
    /// It cannot be read, or one of these signatures is missing or bad.
    pub async fn checkpoint(&self) -> Result<Checkpoint, ReadError> {
        let checkpoint = self.signed_checkpoint().await?;
        self.trust.check_quorum(&checkpoint)?;
        Ok(checkpoint)
    }

    /// The log's latest checkpoint, whether enough witnesses have signed or not: for comparing it with others.
    ///
    /// # Errors
    /// It cannot be read, or the log has not signed it.
    pub async fn signed_checkpoint(&self) -> Result<Checkpoint, ReadError> {
        let note = self.source.read("checkpoint", MAX_NOTE).await?;
        self.trust.verify(&note).map_err(ReadError::Checkpoint)
    }

    /// The tiles at the right edge of the checkpoint's tree: what all others are authenticated with.
    ///
    /// # Errors
    /// Tiles that cannot be read, or do not make the signed root.
    pub async fn tiles(&self, checkpoint: &Checkpoint) -> Result<AuthenticatedTiles, ReadError> {
        let edge = self.fetch_tiles(&edge_tiles(checkpoint.size())).await?;
        Ok(AuthenticatedTiles::new(checkpoint, &edge)?)
    }

    /// Makes the proof that the checkpoint's tree holds a leaf hash at an index.
    ///
    /// # Errors
    /// Tiles that cannot be read or authenticated; an index outside of the tree; another leaf there.
    pub async fn prove_inclusion(
        &self,
        checkpoint: &Checkpoint,
        index: LeafIndex,
        leaf: Sha256Digest,
    ) -> Result<InclusionProof, ReadError> {
        if index.get() >= checkpoint.size().get() {
            return Err(ReadError::BeyondTree { index, size: checkpoint.size() });
        }
        let mut tiles = self.tiles(checkpoint).await?;
        let missing = tiles.missing_for_inclusion(index)?;
        self.add_tiles(checkpoint, &mut tiles, missing).await?;
        let found = tiles.leaf_hash(index)?;
        if found != leaf {
            return Err(ReadError::OtherLeaf { index, expected: leaf, found });
        }
        let proof = tiles.inclusion_proof(index)?;
        checkpoint.includes(leaf, &proof).map_err(ReadError::Proof)?;
        Ok(proof)
    }

    /// What the checkpoint's tree was when it had `old` leaves. Whether that is the tree that somebody saw then, its root
    /// tells.
    ///
    /// # Errors
    /// Tiles that cannot be read or authenticated; an old tree larger than the new one.
    pub async fn prove_consistency(
        &self,
        old: TreeSize,
        new: &Checkpoint,
    ) -> Result<Growth, ReadError> {
        let mut tiles = self.tiles(new).await?;
        self.growth(new, &mut tiles, old).await
    }

    /// The same with tiles that were read before; those that are missing are added.
    pub(crate) async fn growth(
        &self,
        new: &Checkpoint,
        tiles: &mut AuthenticatedTiles,
        old: TreeSize,
    ) -> Result<Growth, ReadError> {
        let missing = tiles.missing_for_consistency(old)?;
        self.add_tiles(new, tiles, missing).await?;
        Ok(Growth { root: tiles.root_at(old)?, proof: tiles.consistency_proof(old)? })
    }

    /// The entries of a range of the checkpoint's tree, in order and authenticated, without keeping the tree in memory.
    ///
    /// # Errors
    /// A range that ends behind the tree; tiles at the edge that cannot be read or authenticated.
    pub async fn entries<'r>(
        &'r self,
        checkpoint: &'r Checkpoint,
        range: Range<u64>,
    ) -> Result<EntryWalk<'r>, ReadError> {
        EntryWalk::start(self, checkpoint, range).await
    }
}
