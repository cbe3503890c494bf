//! Reading a log's folder, as anybody can: without locks, and with nothing believed that is not signed.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use genten_tlog::note::MAX_NOTE;
use genten_tlog::tile::{MAX_ENTRY, TILE_WIDTH, edge_tiles, write_bundle};
use genten_tlog::{
    AuthenticatedTiles, BundleId, Checkpoint, CheckpointError, ConsistencyProof, EntryBundle,
    InclusionProof, LeafIndex, LogIdentity, NoteKey, TileError, TileId, TreeSize,
    UnverifiedCheckpoint,
};

use super::{CHECKPOINT, LogError, VERIFIER_KEY};
use crate::error::{At, StoreError};

/// Longest bundle: 256 entries, each with its length before it.
const MAX_BUNDLE: usize = TILE_WIDTH as usize * (MAX_ENTRY + 2);

/// Longest file with a verifier key, in bytes.
const MAX_VERIFIER_KEY: usize = 8 << 10;

/// The folder of a log whose key is known. Cheap to clone.
///
/// A log goes on while it is read: whatever belongs together is read under one [`Checkpoint`].
#[derive(Clone, Debug)]
pub struct LogFolder {
    path: PathBuf,
    identity: LogIdentity,
}

impl LogFolder {
    /// The log at `path`, whose checkpoints this key signs and whose origin is the key's name. Reads nothing yet.
    ///
    /// # Errors
    /// [`LogError::Identity`] for the key of a witness; [`LogError::Store`].
    pub fn new(path: impl AsRef<Path>, key: NoteKey) -> Result<Self, LogError> {
        let path = path.as_ref();
        let path = std::path::absolute(path).at(path)?;
        let origin = key.name().to_owned();
        let identity = LogIdentity::new(&origin, vec![key])?;
        Ok(Self { path, identity })
    }

    /// The key that stands in the folder of a log, `log.vkey`: a claim, unless the folder is one's own.
    ///
    /// # Errors
    /// [`LogError::VerifierKey`]; [`LogError::Store`].
    pub fn stated_key(path: impl AsRef<Path>) -> Result<NoteKey, LogError> {
        let path = path.as_ref().join(VERIFIER_KEY);
        let bytes = read(&path, MAX_VERIFIER_KEY)?;
        let text = String::from_utf8_lossy(&bytes);
        let key = text.strip_suffix('\n').unwrap_or(&text).parse();
        key.map_err(|source| LogError::VerifierKey { path, source })
    }

    /// The folder, as an absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The key of the log.
    pub fn key(&self) -> &NoteKey {
        &self.identity.keys()[0]
    }

    /// The newest checkpoint.
    ///
    /// # Errors
    /// [`LogError::Checkpoint`] when the log's key has not signed it; [`LogError::Store`].
    pub fn checkpoint(&self) -> Result<Checkpoint, LogError> {
        let path = self.path.join(CHECKPOINT);
        let note = read(&path, MAX_NOTE)?;
        self.verify(&note).map_err(|source| LogError::Checkpoint { path, source })
    }

    /// The checkpoint of this log that a note is.
    pub(super) fn verify(&self, note: &[u8]) -> Result<Checkpoint, CheckpointError> {
        UnverifiedCheckpoint::parse(note)?.verify(&self.identity, &[])
    }

    /// The tiles of a signed tree: those at its right edge, to begin with.
    ///
    /// # Errors
    /// [`LogError::Tile`] when they do not make the signed root; [`LogError::TileMissing`]; [`LogError::Store`].
    pub fn tiles(&self, checkpoint: &Checkpoint) -> Result<AuthenticatedTiles, LogError> {
        self.authenticate(checkpoint, &self.read_edge(checkpoint)?)
    }

    pub(super) fn authenticate(
        &self,
        checkpoint: &Checkpoint,
        edge: &[Vec<u8>],
    ) -> Result<AuthenticatedTiles, LogError> {
        AuthenticatedTiles::new(checkpoint, edge)
            .map_err(|source| LogError::Tile { path: self.path.clone(), source })
    }

    /// The bytes of the tiles at the right edge, not compared with anything.
    pub(super) fn read_edge(&self, checkpoint: &Checkpoint) -> Result<Vec<Vec<u8>>, LogError> {
        edge_tiles(checkpoint.size()).into_iter().map(|tile| self.read_tile(tile)).collect()
    }

    /// Adds tiles, in the order in which the tree names them as missing.
    ///
    /// # Errors
    /// As [`tiles`](Self::tiles).
    pub fn load(&self, tiles: &mut AuthenticatedTiles, ids: &[TileId]) -> Result<(), LogError> {
        for id in ids {
            let bytes = self.read_tile(*id)?;
            tiles
                .add(*id, &bytes)
                .map_err(|source| LogError::Tile { path: self.file(id.to_string()), source })?;
        }
        Ok(())
    }

    /// Makes the proof that the tree holds a leaf.
    ///
    /// # Errors
    /// [`LogError::NotOfTree`] for a leaf outside of the tree; as [`tiles`](Self::tiles).
    pub fn inclusion(
        &self,
        checkpoint: &Checkpoint,
        index: LeafIndex,
    ) -> Result<InclusionProof, LogError> {
        let mut tiles = self.tiles(checkpoint)?;
        let missing = tiles.missing_for_inclusion(index).map_err(|error| self.no_answer(error))?;
        self.load(&mut tiles, &missing)?;
        tiles.inclusion_proof(index).map_err(|error| self.no_answer(error))
    }

    /// Makes the proof that the tree has only grown since it had `old` leaves.
    ///
    /// # Errors
    /// [`LogError::NotOfTree`] for an old tree larger than this one; as [`tiles`](Self::tiles).
    pub fn consistency(
        &self,
        checkpoint: &Checkpoint,
        old: TreeSize,
    ) -> Result<ConsistencyProof, LogError> {
        let mut tiles = self.tiles(checkpoint)?;
        let missing = tiles.missing_for_consistency(old).map_err(|error| self.no_answer(error))?;
        self.load(&mut tiles, &missing)?;
        tiles.consistency_proof(old).map_err(|error| self.no_answer(error))
    }

    /// The entries of a bundle, each compared with its leaf hash in the tree. The tiles that this needs are added; the
    /// entries lie in `buffer`.
    ///
    /// # Errors
    /// [`LogError::NotOfTree`] for a bundle outside of the tree; as [`tiles`](Self::tiles).
    pub fn bundle<'b>(
        &self,
        tiles: &mut AuthenticatedTiles,
        bundle: BundleId,
        buffer: &'b mut Vec<u8>,
    ) -> Result<EntryBundle<'b>, LogError> {
        self.load_leaves(tiles, bundle)?;
        *buffer = self.read_bundle(bundle)?;
        tiles
            .bundle(bundle, buffer)
            .map_err(|source| LogError::Tile { path: self.file(bundle.to_string()), source })
    }

    /// Adds the tile with the leaf hashes of a bundle.
    pub(super) fn load_leaves(
        &self,
        tiles: &mut AuthenticatedTiles,
        bundle: BundleId,
    ) -> Result<(), LogError> {
        if BundleId::at(bundle.number(), tiles.size()) != Some(bundle) {
            let (tile, size) = (bundle.tile(), tiles.size());
            return Err(LogError::NotOfTree(TileError::NotOfTree { tile, size }));
        }
        let first = LeafIndex::new(bundle.number() * u64::from(TILE_WIDTH))
            .expect("the tree has the bundle, and so its first leaf");
        let missing = tiles.missing_for_inclusion(first).map_err(|error| self.no_answer(error))?;
        self.load(tiles, &missing)
    }

    fn read_tile(&self, tile: TileId) -> Result<Vec<u8>, LogError> {
        if let Some(bytes) = self.read_if_there(tile.to_string(), tile.bytes())? {
            return Ok(bytes);
        }
        let mut full =
            self.read_full(tile.to_string(), tile.full().to_string(), tile.full().bytes())?;
        full.truncate(tile.bytes());
        Ok(full)
    }

    fn read_bundle(&self, bundle: BundleId) -> Result<Vec<u8>, LogError> {
        if let Some(bytes) = self.read_if_there(bundle.to_string(), MAX_BUNDLE)? {
            return Ok(bytes);
        }
        let full = bundle.full().to_string();
        let bytes = self.read_full(bundle.to_string(), full.clone(), MAX_BUNDLE)?;
        EntryBundle::parse(&bytes, TILE_WIDTH)
            .and_then(|entries| write_bundle(&entries.entries()[..usize::from(bundle.width())]))
            .map_err(|source| LogError::Tile { path: self.file(full), source })
    }

    /// The full tile or bundle for which a partial one was removed, and of which that is the beginning.
    fn read_full(&self, part: String, full: String, limit: usize) -> Result<Vec<u8>, LogError> {
        let bytes = self.read_if_there(full, limit)?;
        bytes.ok_or_else(|| LogError::TileMissing { path: self.file(part) })
    }

    fn read_if_there(&self, name: String, limit: usize) -> Result<Option<Vec<u8>>, LogError> {
        match read(&self.file(name), limit) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn file(&self, name: String) -> PathBuf {
        self.path.join(name)
    }

    /// What it means when the tiles of a tree have no answer.
    pub(super) fn no_answer(&self, error: TileError) -> LogError {
        match error {
            TileError::NotOfTree { .. } | TileError::Proof(_) => LogError::NotOfTree(error),
            source => LogError::Tile { path: self.path.clone(), source },
        }
    }
}

/// The bytes of a file, of which one more than `limit` is read at most: longer is too long for whoever asks.
fn read(path: &Path, limit: usize) -> Result<Vec<u8>, StoreError> {
    // Opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(path).at(path)?.is_file() {
        return Err(StoreError::NotAFile { path: path.to_path_buf() });
    }
    let mut bytes = Vec::new();
    let file = File::open(path).at(path)?;
    file.take(limit as u64 + 1).read_to_end(&mut bytes).at(path)?;
    Ok(bytes)
}
