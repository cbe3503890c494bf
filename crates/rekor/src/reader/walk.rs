//! Entries of a log, one bundle after the other.

use std::future::Future;
use std::ops::Range;
use std::pin::Pin;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use genten_tlog::tile::TILE_WIDTH;
use genten_tlog::{
    AuthenticatedTiles, BundleId, Checkpoint, EntryBundle, LeafIndex, TileError, TileId, TreeSize,
};

use super::fetch::{Loaded, LogFile};
use super::{LogReader, PARALLEL, ReadError};

/// Entries per bundle.
const WIDTH: u64 = TILE_WIDTH as u64;

/// Entries of a log in order. A few bundles are read ahead; of the tree no more is kept than what stands above one tile.
pub struct EntryWalk<'r> {
    reader: &'r LogReader,
    checkpoint: &'r Checkpoint,
    edge: AuthenticatedTiles,
    /// The tiles above level 0 that were used last, and the number of the tile of level 1 among them.
    branch: Option<(u64, AuthenticatedTiles)>,
    /// What is still to be given out.
    left: Range<u64>,
    ahead: FuturesOrdered<Loading<'r>>,
    next_bundle: u64,
}

type Loading<'r> = Pin<Box<dyn Future<Output = (BundleId, Result<Loaded, ReadError>)> + Send + 'r>>;

/// Consecutive entries, all from one bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryChunk {
    bundle: Vec<u8>,
    width: u16,
    /// Which of them, as indices of the log.
    range: Range<u64>,
}

impl EntryChunk {
    /// The indices of the entries.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// The entries with their indices.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let bundle = EntryBundle::parse(&self.bundle, self.width);
        let entries = bundle.expect("was parsed when it was authenticated").entries().to_vec();
        let skipped = (self.range.start % WIDTH) as usize;
        self.range.clone().zip(entries.into_iter().skip(skipped))
    }
}

impl<'r> EntryWalk<'r> {
    pub(super) async fn start(
        reader: &'r LogReader,
        checkpoint: &'r Checkpoint,
        range: Range<u64>,
    ) -> Result<Self, ReadError> {
        let size = checkpoint.size();
        if range.end > size.get() {
            let index = LeafIndex::new(range.end - 1).unwrap_or(last(size));
            return Err(ReadError::BeyondTree { index, size });
        }
        Ok(Self {
            edge: reader.tiles(checkpoint).await?,
            reader,
            checkpoint,
            branch: None,
            next_bundle: range.start / WIDTH,
            left: range,
            ahead: FuturesOrdered::new(),
        })
    }

    /// The next entries; `None` at the end of the range. After an error nothing is skipped: the same entries are tried again.
    ///
    /// # Errors
    /// Tiles or bundles that cannot be read or authenticated.
    pub async fn next(&mut self) -> Result<Option<EntryChunk>, ReadError> {
        let next = self.advance().await;
        if next.is_err() {
            self.ahead = FuturesOrdered::new();
            self.next_bundle = self.left.start / WIDTH;
        }
        next
    }

    async fn advance(&mut self) -> Result<Option<EntryChunk>, ReadError> {
        self.read_ahead();
        let Some((bundle, loaded)) = self.ahead.next().await else { return Ok(None) };
        let branch = self.branch(bundle).await?;
        let (reader, origin) = (self.reader, self.checkpoint.origin());
        let check = |bytes: &[u8]| check(branch.clone(), bundle, bytes);
        let bytes = reader.authenticate(origin, LogFile::Bundle(bundle), loaded?, check).await?;
        let first = bundle.number() * WIDTH;
        let end = (first + u64::from(bundle.width())).min(self.left.end);
        let range = self.left.start..end;
        self.left.start = end;
        Ok(Some(EntryChunk { bundle: bytes, width: bundle.width(), range }))
    }

    fn read_ahead(&mut self) {
        while self.ahead.len() < PARALLEL && self.next_bundle * WIDTH < self.left.end {
            let Some(id) = BundleId::at(self.next_bundle, self.checkpoint.size()) else { return };
            let (reader, origin) = (self.reader, self.checkpoint.origin());
            self.ahead.push_back(Box::pin(async move {
                (id, reader.load(origin, LogFile::Bundle(id)).await)
            }));
            self.next_bundle += 1;
        }
    }

    /// The tiles above the leaf hashes of a bundle.
    async fn branch(&mut self, bundle: BundleId) -> Result<AuthenticatedTiles, ReadError> {
        let number = bundle.number() / WIDTH;
        match &self.branch {
            Some((known, tiles)) if *known == number => Ok(tiles.clone()),
            _ => {
                let mut tiles = self.edge.clone();
                let first = LeafIndex::new(bundle.number() * WIDTH).unwrap_or(last(tiles.size()));
                let mut missing = tiles.missing_for_inclusion(first)?;
                missing.retain(|tile| tile.level() > 0);
                self.reader.add_tiles(self.checkpoint, &mut tiles, missing).await?;
                Ok(self.branch.insert((number, tiles)).1.clone())
            }
        }
    }
}

/// The leaf hashes of a bundle make the tile that is asked for: so it need not be read.
fn check(mut above: AuthenticatedTiles, bundle: BundleId, bytes: &[u8]) -> Result<(), TileError> {
    let entries = EntryBundle::parse(bytes, bundle.width())?;
    let hashes: Vec<u8> = entries.leaf_hashes().iter().flat_map(|hash| *hash.as_bytes()).collect();
    let tile: TileId = bundle.tile();
    above.add(tile, &hashes)
}

/// The last leaf of a tree, which is not empty.
fn last(size: TreeSize) -> LeafIndex {
    LeafIndex::new(size.get().saturating_sub(1)).expect("sizes are at most 2^63 - 1")
}
