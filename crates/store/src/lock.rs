//! One process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::atomic::Mode;
use crate::error::{At, StoreError};
use crate::permissions::restrict;

/// The right to do something that one process at a time may do. It ends when this is dropped, or with the process, however
/// that dies.
#[derive(Debug)]
pub struct ProcessLock {
    _file: File,
}

impl ProcessLock {
    /// Takes the lock that the file at `path` stands for, and waits for whoever has it.
    ///
    /// # Errors
    /// As [`try_take`](Self::try_take).
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let file = open(path)?;
        match file.lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(source) => Err(StoreError::io(path, source)),
        }
    }

    /// Takes the lock that the file at `path` stands for; `None` while another process, or another part of this one, has it.
    /// The file is made where it is missing, and stays.
    ///
    /// # Errors
    /// The cause, with the path. File systems without locks are one.
    pub fn try_take(path: &Path) -> Result<Option<Self>, StoreError> {
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(StoreError::io(path, source)),
        }
    }
}

fn open(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    restrict(&mut options, Mode::Private);
    options.open(path).at(path)
}
