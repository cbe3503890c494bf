//! Tiles and bundles: from the cache if they are there and good, otherwise from the log.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use genten_tlog::tile::{MAX_ENTRY, TILE_WIDTH};
use genten_tlog::{AuthenticatedTiles, BundleId, Checkpoint, TileError, TileId};

use super::{LogReader, PARALLEL, ReadError};

/// A file of a log that never changes once it is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFile {
    Bundle(BundleId),
    Tile(TileId),
}

impl LogFile {
    fn path(self) -> String {
        match self {
            Self::Bundle(id) => id.to_string(),
            Self::Tile(id) => id.to_string(),
        }
    }

    fn is_full(self) -> bool {
        match self {
            Self::Bundle(id) => id.width() == TILE_WIDTH,
            Self::Tile(id) => id.is_full(),
        }
    }

    fn is_kept(self) -> bool {
        matches!(self, Self::Tile(_)) && self.is_full()
    }

    fn full(self) -> Self {
        match self {
            Self::Bundle(id) => Self::Bundle(id.full()),
            Self::Tile(id) => Self::Tile(id.full()),
        }
    }

    /// Most bytes of it.
    fn limit(self) -> usize {
        match self {
            Self::Bundle(id) => usize::from(id.width()) * (MAX_ENTRY + 2),
            Self::Tile(id) => id.bytes(),
        }
    }

    /// The beginning of the full file that is this partial one. What is malformed stays, to be refused later.
    fn beginning_of(self, mut full: Vec<u8>) -> Vec<u8> {
        let length = match self {
            Self::Bundle(id) => bundle_length(&full, id.width()),
            Self::Tile(id) => Some(id.bytes()),
        };
        if let Some(length) = length {
            full.truncate(length);
        }
        full
    }
}

/// Bytes of the first entries of a bundle: each is a length of two bytes and so many more.
fn bundle_length(bytes: &[u8], entries: u16) -> Option<usize> {
    let mut length = 0;
    for _ in 0..entries {
        let head = bytes.get(length..)?.first_chunk()?;
        length += 2 + usize::from(u16::from_be_bytes(*head));
    }
    Some(length)
}

/// Bytes that are not authenticated yet.
pub(super) struct Loaded {
    bytes: Vec<u8>,
    is_cached: bool,
}

impl LogReader {
    /// Adds tiles of which each comes after the one above it.
    pub(super) async fn add_tiles(
        &self,
        checkpoint: &Checkpoint,
        tiles: &mut AuthenticatedTiles,
        missing: Vec<TileId>,
    ) -> Result<(), ReadError> {
        let origin = checkpoint.origin();
        let loads = missing.iter().copied().map(|tile| self.load(origin, LogFile::Tile(tile)));
        let loaded: Vec<_> = stream::iter(loads).buffered(PARALLEL).try_collect().await?;
        for (tile, loaded) in missing.into_iter().zip(loaded) {
            let add = |bytes: &[u8]| tiles.add(tile, bytes);
            self.authenticate(origin, LogFile::Tile(tile), loaded, add).await?;
        }
        Ok(())
    }

    pub(super) async fn fetch_tiles(&self, ids: &[TileId]) -> Result<Vec<Vec<u8>>, ReadError> {
        let fetches = ids.iter().copied().map(|tile| self.fetch(LogFile::Tile(tile)));
        stream::iter(fetches).buffered(PARALLEL).try_collect().await
    }

    pub(super) async fn load(&self, origin: &str, file: LogFile) -> Result<Loaded, ReadError> {
        if let Some(cache) = self.cache.as_ref().filter(|_| file.is_kept())
            && let Some(bytes) = cache.get(origin, &file.path(), file.limit()).await
        {
            return Ok(Loaded { bytes, is_cached: true });
        }
        Ok(Loaded { bytes: self.fetch(file).await?, is_cached: false })
    }

    /// The bytes once `check` accepts them. What the cache holds is fetched anew when it is not accepted.
    pub(super) async fn authenticate(
        &self,
        origin: &str,
        file: LogFile,
        mut loaded: Loaded,
        mut check: impl FnMut(&[u8]) -> Result<(), TileError>,
    ) -> Result<Vec<u8>, ReadError> {
        match check(&loaded.bytes) {
            Err(_) if loaded.is_cached => {
                loaded = Loaded { bytes: self.fetch(file).await?, is_cached: false };
                check(&loaded.bytes)?;
            }
            checked => checked?,
        }
        if let Some(cache) = self.cache.as_ref().filter(|_| file.is_kept() && !loaded.is_cached) {
            cache.put(origin, &file.path(), loaded.bytes.clone()).await;
        }
        Ok(loaded.bytes)
    }

    /// The file from the log itself. A partial one may be gone once the full one is there, of which it is the beginning.
    pub(crate) async fn fetch(&self, file: LogFile) -> Result<Vec<u8>, ReadError> {
        let absent = match self.source.read(&file.path(), file.limit()).await {
            Err(error) if error.is_absent() && !file.is_full() => error,
            read => return read,
        };
        let full = file.full();
        match self.source.read(&full.path(), full.limit()).await {
            Ok(bytes) => Ok(file.beginning_of(bytes)),
            Err(error) if error.is_absent() => Err(absent),
            Err(error) => Err(error),
        }
    }
}
