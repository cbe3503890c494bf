//! Many files that become durable together.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{Mode, Temporary, folder_of, sync_folder};
use crate::error::{At, StoreError};

/// Files of which each is whole or absent, and all of which are durable after [`finish`](Group::finish): every file is
/// synced before it gets its name, and each folder once at the end. Missing folders are made.
#[derive(Debug)]
pub(crate) struct Group {
    staging: PathBuf,
    settled: BTreeSet<PathBuf>,
    unsynced: BTreeSet<PathBuf>,
}

impl Group {
    /// A group whose temporary files lie in the folder `staging`, on the same file system.
    ///
    /// `settled` are folders whose names are known to be durable; one of them stands above every file. That a folder
    /// exists is not enough: whoever made it may have died before its name was synced.
    pub(crate) fn new(staging: PathBuf, settled: BTreeSet<PathBuf>) -> Self {
        Self { staging, settled, unsynced: BTreeSet::new() }
    }

    /// Writes one file, in place of what has its name now.
    pub(crate) fn put(&mut self, target: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        self.make_folder(folder_of(target))?;
        let mut file = Temporary::create(&self.staging, Mode::Shared)?;
        file.write_all(bytes).at(target)?;
        file.sync_and_name(target)?;
        self.unsynced.insert(folder_of(target).to_path_buf());
        Ok(())
    }

    /// Makes a folder, and those above it, where they are missing.
    pub(crate) fn make_folder(&mut self, folder: &Path) -> Result<(), StoreError> {
        if self.settled.contains(folder) {
            return Ok(());
        }
        let above = folder_of(folder);
        self.make_folder(above)?;
        match fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(StoreError::NotADirectory { path: folder.to_path_buf() });
            }
            result => result.at(folder)?,
        }
        self.unsynced.insert(above.to_path_buf());
        self.settled.insert(folder.to_path_buf());
        Ok(())
    }

    /// Makes all names durable.
    pub(crate) fn finish(self) -> Result<(), StoreError> {
        self.unsynced.iter().try_for_each(|folder| sync_folder(folder))
    }
}
