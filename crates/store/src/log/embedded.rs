//! Beginning and opening a log that one writes.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use genten_primitives::Sha256Digest;
use genten_tlog::checkpoint::checkpoint_text;
use genten_tlog::merkle::EMPTY_ROOT;
use genten_tlog::note::signature_line;
use genten_tlog::{Checkpoint, NoteKeyKind, TreeSize};

use super::edge::Edge;
use super::lock;
use super::writer::LogWriter;
use super::{CHECKPOINT, CheckpointSigner, LogError, LogFolder, STATE, VERIFIER_KEY};
use crate::atomic::{self, Group};
use crate::error::StoreError;
use crate::permissions::make_private_folder;

/// How long to wait for another writer, unless told otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// A log of one's own: a folder, and the signer of its checkpoints. Threads may share it, and processes the folder.
pub struct EmbeddedLog {
    folder: LogFolder,
    signer: Box<dyn CheckpointSigner>,
    patience: Duration,
}

impl EmbeddedLog {
    /// Begins a log: makes the folder and signs the empty tree.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`] when there is a log; [`LogError::CheckpointLost`] when there was one; [`LogError::OtherKey`],
    /// [`LogError::SignerKind`], [`LogError::Signer`]; [`LogError::Store`].
    pub fn create(
        folder: impl AsRef<Path>,
        signer: Box<dyn CheckpointSigner>,
    ) -> Result<Self, LogError> {
        let log = Self::new(folder.as_ref(), signer)?;
        log.begin()?;
        Ok(log)
    }

    /// Opens a log.
    ///
    /// # Errors
    /// [`LogError::Checkpoint`] when its checkpoint is not signed by this key, [`LogError::OtherKey`] when it says so itself;
    /// [`LogError::SignerKind`]; [`LogError::Store`].
    pub fn open(
        folder: impl AsRef<Path>,
        signer: Box<dyn CheckpointSigner>,
    ) -> Result<Self, LogError> {
        let log = Self::new(folder.as_ref(), signer)?;
        log.expect_own_key()?;
        log.folder.checkpoint()?;
        Ok(log)
    }

    /// Opens a log; begins it if there is none. Several processes may do so at once.
    ///
    /// # Errors
    /// As [`create`](Self::create) and [`open`](Self::open).
    pub fn open_or_create(
        folder: impl AsRef<Path>,
        signer: Box<dyn CheckpointSigner>,
    ) -> Result<Self, LogError> {
        let log = Self::new(folder.as_ref(), signer)?;
        if !log.checkpoint_path().exists() {
            match log.begin() {
                // Another process was faster.
                Err(LogError::Store(StoreError::AlreadyExists { .. })) => {}
                result => result?,
            }
        }
        log.expect_own_key()?;
        log.folder.checkpoint()?;
        Ok(log)
    }

    fn new(folder: &Path, signer: Box<dyn CheckpointSigner>) -> Result<Self, LogError> {
        let key = signer.key().clone();
        match key.kind() {
            NoteKeyKind::Ed25519 => {
                Ok(Self { folder: LogFolder::new(folder, key)?, signer, patience: PATIENCE })
            }
            kind => Err(LogError::SignerKind { kind }),
        }
    }

    /// The folder, for reading.
    pub fn folder(&self) -> &LogFolder {
        &self.folder
    }

    /// Sets how long [`lock`](Self::lock) waits for another writer; from the beginning it is ten seconds.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Waits until no other thread or process writes, and takes the log for writing. Its checkpoint and the right edge of its
    /// tree are read anew and verified.
    ///
    /// `known` is the note of the last checkpoint of this log that the caller has seen, kept outside of the folder: a log
    /// that does not continue it is refused.
    ///
    /// # Errors
    /// [`StoreError::Busy`]; [`LogError::Checkpoint`], [`LogError::Tile`] and [`LogError::TileMissing`] when the folder is
    /// damaged; [`LogError::RolledBack`], [`LogError::Forked`], [`LogError::KnownCheckpoint`]; [`LogError::Store`].
    pub fn lock(&self, known: Option<&[u8]>) -> Result<LogWriter<'_>, LogError> {
        let state = self.state();
        make_private_folder(&state)?;
        let lock = lock::acquire(&state, self.patience)?;
        // Nobody else writes now: whoever left them is dead.
        atomic::sweep(&state, Duration::ZERO)?;
        let (checkpoint, edge) = self.load(known)?;
        Ok(LogWriter::new(self, lock, checkpoint, edge))
    }

    /// Reads and verifies what an append begins with.
    pub(super) fn load(&self, known: Option<&[u8]>) -> Result<(Checkpoint, Edge), LogError> {
        let checkpoint = self.folder.checkpoint()?;
        let edge = Edge::read(&self.folder, &checkpoint)?;
        if let Some(known) = known.filter(|known| *known != checkpoint.note()) {
            let known = self.folder.verify(known).map_err(LogError::KnownCheckpoint)?;
            self.expect_continued(&known, &checkpoint)?;
        }
        Ok((checkpoint, edge))
    }

    fn expect_continued(&self, known: &Checkpoint, found: &Checkpoint) -> Result<(), LogError> {
        let path = || self.folder.path().to_path_buf();
        if known.size() > found.size() {
            let (known, found) = (known.size(), found.size());
            return Err(LogError::RolledBack { path: path(), known, found });
        }
        let proof = self.folder.consistency(found, known.size())?;
        known.is_extended_by(found, &proof).map_err(|source| {
            let (known, found) = (known.size(), found.size());
            LogError::Forked { path: path(), known, found, source }
        })
    }

    /// Makes folder, key file and the checkpoint of the empty tree, in this order.
    fn begin(&self) -> Result<(), LogError> {
        let root = self.folder.path();
        let there = root.ancestors().find(|folder| folder.is_dir()).unwrap_or(root);
        let mut group = Group::new(self.state(), BTreeSet::from([there.to_path_buf()]));
        group.make_folder(root)?;
        make_private_folder(&self.state())?;
        let _lock = lock::acquire(&self.state(), self.patience)?;
        self.expect_nothing()?;
        let key = [&self.folder.key().to_vkey(), "\n"].concat();
        group.put(&root.join(VERIFIER_KEY), key.as_bytes())?;
        group.finish()?;
        let empty = TreeSize::new(0).expect("zero is a size");
        self.publish(&self.sign(empty, EMPTY_ROOT)?)
    }

    fn expect_nothing(&self) -> Result<(), LogError> {
        let path = self.checkpoint_path();
        if path.exists() {
            return Err(StoreError::AlreadyExists { path }.into());
        }
        if self.folder.path().join("tile").exists() {
            return Err(LogError::CheckpointLost { path });
        }
        match self.expect_own_key() {
            Err(LogError::Store(StoreError::NotFound { .. })) => Ok(()),
            result => result,
        }
    }

    fn expect_own_key(&self) -> Result<(), LogError> {
        let (expected, found) = (self.folder.key(), LogFolder::stated_key(self.folder.path())?);
        if *expected == found {
            return Ok(());
        }
        let (expected, found) = (expected.to_vkey(), found.to_vkey());
        Err(LogError::OtherKey { path: self.folder.path().join(VERIFIER_KEY), expected, found })
    }

    /// Signs a tree, and checks the signature.
    pub(super) fn sign(&self, size: TreeSize, root: Sha256Digest) -> Result<Checkpoint, LogError> {
        let key = self.signer.key();
        let text = checkpoint_text(self.folder.key().name(), size, root);
        let line = signature_line(key, &self.signer.sign(&text));
        let note = [&text, "\n", &line].concat();
        self.folder.verify(note.as_bytes()).map_err(LogError::Signer)
    }

    /// Puts a checkpoint in place, durably: with this its tree exists.
    pub(super) fn publish(&self, checkpoint: &Checkpoint) -> Result<(), LogError> {
        let settled = BTreeSet::from([self.folder.path().to_path_buf()]);
        let mut group = Group::new(self.state(), settled);
        group.put(&self.checkpoint_path(), checkpoint.note())?;
        Ok(group.finish()?)
    }

    pub(super) fn state(&self) -> PathBuf {
        self.folder.path().join(STATE)
    }

    fn checkpoint_path(&self) -> PathBuf {
        self.folder.path().join(CHECKPOINT)
    }
}

impl fmt::Debug for EmbeddedLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddedLog").field("folder", &self.folder).finish_non_exhaustive()
    }
}
