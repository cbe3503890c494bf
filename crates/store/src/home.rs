//! The home: the one folder that holds a producer's keys, configuration, journal, log and bodies.
//!
//! ```text
//! keys/        private keys, for the owner alone (0700, each file 0600)
//! config.toml  the configuration, which this crate does not read
//! journal.db   the journal (with journal.db-wal and journal.db-shm while it is in use)
//! log/         the embedded transparency log
//! bodies/      fetched bytes by their SHA-256
//! evidence/    answers of logs that did not hold, for people
//! tiles/       authenticated tiles of logs that were read
//! senders/     one file for each log, locked by the process that sends to it; it says until when to leave the log alone. And
//!              one for completing bundles
//! ```

use std::path::{Path, PathBuf};
use std::time::Duration;

use genten_primitives::Sha256Digest;

use crate::atomic::{self, Mode};
use crate::bodies::Bodies;
use crate::error::{At, StoreError};
use crate::journal::{Durability, Journal};
use crate::lock::ProcessLock;
use crate::permissions::{close_folder, make_private_folder};

/// A home folder. Cheap to clone; several threads and processes may use one home.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
    bodies: Bodies,
}

/// A temporary file that was not written for this long, and whose writer is dead, is rubbish.
const LEFT_OVER: Duration = Duration::from_secs(3600);

impl Home {
    /// Opens the home at `root` and makes what is missing of it. New folders are for the owner alone; `keys/` becomes so
    /// even if it was not. Removes temporary files that killed processes left more than an hour ago.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let root = std::path::absolute(root.into())
            .map_err(|source| StoreError::Io { path: PathBuf::from("."), source })?;
        let keys = root.join("keys");
        make_private_folder(&root)?;
        make_private_folder(&keys)?;
        close_folder(&keys).at(&keys)?;
        let bodies = Bodies::open(root.join("bodies"))?;
        let home = Self { root, bodies };
        home.sweep(LEFT_OVER)?;
        Ok(home)
    }

    /// The home's own folder, as an absolute path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the private keys.
    pub fn keys(&self) -> PathBuf {
        self.root.join("keys")
    }

    /// The configuration file; it need not exist.
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// The folder of the embedded log; it need not exist.
    pub fn log(&self) -> PathBuf {
        self.root.join("log")
    }

    /// The folder for answers of logs that did not hold; made where it is missing.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn evidence(&self) -> Result<PathBuf, StoreError> {
        let folder = self.root.join("evidence");
        make_private_folder(&folder)?;
        Ok(folder)
    }

    /// Takes the right to send what is queued for the log of this name; `None` while another process has it.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn sender(&self, log: &str) -> Result<Option<ProcessLock>, StoreError> {
        let folder = self.root.join("senders");
        make_private_folder(&folder)?;
        ProcessLock::try_take(&folder.join(Sha256Digest::of(log.as_bytes()).to_string()))
    }

    /// Takes the right to complete bundles, and waits for another process that has it.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn placer(&self) -> Result<ProcessLock, StoreError> {
        let folder = self.root.join("senders");
        make_private_folder(&folder)?;
        ProcessLock::take(&folder.join("placer"))
    }

    /// The bodies.
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// Where the journal is, or will be.
    pub fn journal_path(&self) -> PathBuf {
        self.root.join("journal.db")
    }

    /// Opens the journal; makes it if it is missing.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn journal(&self, durability: Durability) -> Result<Journal, StoreError> {
        Journal::open(self.journal_path(), durability)
    }

    /// Where the key file of this name is, or would be.
    ///
    /// # Errors
    /// [`StoreError::InvalidKeyName`] unless the name is 1 to 128 of `A-Z a-z 0-9 . _ -` and begins with no dot: it can
    /// then not lead out of `keys/`.
    pub fn key_path(&self, name: &str) -> Result<PathBuf, StoreError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let valid =
            (1..=128).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(fits);
        if !valid {
            return Err(StoreError::InvalidKeyName { name: name.to_owned() });
        }
        Ok(self.keys().join(name))
    }

    /// Writes a new key file, 0600. An existing key is never overwritten: of several callers one succeeds.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`]; [`StoreError::InvalidKeyName`]; or another cause, with the path.
    pub fn create_key(&self, name: &str, contents: &[u8]) -> Result<PathBuf, StoreError> {
        let path = self.key_path(name)?;
        atomic::create_new(&path, contents, Mode::Private)?;
        Ok(path)
    }

    /// Removes temporary files of dead writers that are at least `age` old, and gives their number. Opening does this
    /// with an hour.
    ///
    /// # Errors
    /// The cause, when a folder cannot be read.
    pub fn sweep(&self, age: Duration) -> Result<usize, StoreError> {
        let own = atomic::sweep(&self.root, age)?;
        let keys = atomic::sweep(&self.keys(), age)?;
        Ok(own + keys + self.bodies.sweep(age)?)
    }
}
