//! One process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::atomic::Mode;
use crate::error::{At, StoreError};
use crate::permissions::restrict;

/// The right to do something that one process at a time may do. It ends when this is dropped, or with the process, however
/// that dies.
#[derive(Debug)]
pub struct ProcessLock {
    file: File,
    path: PathBuf,
}

/// How often to look whether a lock is free.
const PAUSE: Duration = Duration::from_millis(1);

/// Longest message, in bytes.
const MAX_MESSAGE: u64 = 256;

impl ProcessLock {
    /// Takes the lock that the file at `path` stands for, and waits for whoever has it.
    ///
    /// # Errors
    /// As [`try_take`](Self::try_take).
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        loop {
            let file = open(path)?;
            file.lock().at(path)?;
            if is_at(&file, path) {
                return Ok(Self { file, path: path.to_owned() });
            }
        }
    }

    /// Takes the lock that the file at `path` stands for, and waits for whoever has it, but not for longer than this.
    ///
    /// # Errors
    /// [`StoreError::Busy`]; as [`try_take`](Self::try_take).
    pub fn take_within(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        let start = Instant::now();
        loop {
            match Self::try_take(path)? {
                Some(lock) => return Ok(lock),
                None if start.elapsed() < patience => thread::sleep(PAUSE),
                None => return Err(StoreError::Busy { path: path.to_owned(), waited: patience }),
            }
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
            Ok(()) if is_at(&file, path) => Ok(Some(Self { file, path: path.to_owned() })),
            Ok(()) | Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(StoreError::io(path, source)),
        }
    }

    /// What a holder has left for those who come after. It is no more than a hint: a power cut may lose it, and what is not
    /// text counts as nothing.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn message(&self) -> Result<String, StoreError> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        let read = file.rewind().and_then(|()| file.take(MAX_MESSAGE).read_to_end(&mut bytes));
        read.at(&self.path)?;
        Ok(String::from_utf8(bytes).unwrap_or_default())
    }

    /// Leaves a short message in place of the last one.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn leave_message(&self, message: &str) -> Result<(), StoreError> {
        let write = || -> io::Result<()> {
            let mut file = &self.file;
            file.rewind()?;
            file.set_len(0)?;
            file.write_all(message.as_bytes())
        };
        write().at(&self.path)
    }
}

/// Whether the file still stands at the path: the lock of one that was removed keeps nobody out.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (held, there) = (file.metadata().map(place), std::fs::metadata(path).map(place));
    matches!((held, there), (Ok(held), Ok(there)) if held == there)
}

/// Files that are open cannot be removed there.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

fn open(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    restrict(&mut options, Mode::Private);
    options.open(path).at(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_lock_of_a_file_that_was_removed_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let removed = open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(!is_at(&removed, &path));
        let lock = ProcessLock::try_take(&path).unwrap().unwrap();
        assert!(is_at(&lock.file, &path) && !is_at(&removed, &path));
        let patience = Duration::from_millis(20);
        let busy = ProcessLock::take_within(&path, patience).unwrap_err();
        assert!(matches!(busy, StoreError::Busy { waited, .. } if waited == patience));
    }

    #[test]
    fn the_next_holder_finds_what_the_last_one_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = ProcessLock::try_take(&path).unwrap().unwrap();
        assert_eq!(first.message().unwrap(), "");
        first.leave_message("a long message").unwrap();
        first.leave_message("short").unwrap();
        assert!(ProcessLock::try_take(&path).unwrap().is_none());
        drop(first);
        let second = ProcessLock::try_take(&path).unwrap().unwrap();
        assert_eq!(second.message().unwrap(), "short");
        std::fs::write(&path, [0xff; 1000]).unwrap();
        assert_eq!(second.message().unwrap(), "");
    }
}
