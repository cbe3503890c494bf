//! Temporary files: made, named once, or removed; and the removal of those whose writer was killed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Mode, folder_of, sync_folder};
use crate::error::{At, StoreError};
use crate::permissions::restrict;

/// How the name of every temporary file begins.
pub const TEMPORARY_PREFIX: &str = ".genten-tmp-";

/// A file without its final name. Locked while it lives; removed on drop.
#[derive(Debug)]
pub(crate) struct Temporary {
    file: File,
    path: PathBuf,
    /// Whether `path` still names this file, so that it must be removed.
    named: bool,
}

impl Temporary {
    /// An empty file in `folder`.
    pub(crate) fn create(folder: &Path, mode: Mode) -> Result<Self, StoreError> {
        loop {
            let path = folder.join(fresh_name());
            let file = match create_exclusive(&path, mode) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                // The name of the temporary file would say nothing to a user.
                Err(error) => return Err(StoreError::io(folder, error)),
            };
            let temporary = Self { file, path, named: true };
            match temporary.file.try_lock() {
                Ok(()) => return Ok(temporary),
                // A sweeper has it.
                Err(TryLockError::WouldBlock) => continue,
                // No locks here. Then nobody sweeps here either.
                Err(TryLockError::Error(_)) => return Ok(temporary),
            }
        }
    }

    pub(crate) fn set_permissions(&self, permissions: fs::Permissions) -> Result<(), StoreError> {
        self.file.set_permissions(permissions).at(&self.path)
    }

    /// Syncs, and takes the name `target` from whatever has it.
    pub(crate) fn replace(self, target: &Path) -> Result<(), StoreError> {
        self.sync_and_name(target)?;
        sync_folder(folder_of(target))
    }

    /// The same, except that the folder is left to be synced.
    pub(crate) fn sync_and_name(mut self, target: &Path) -> Result<(), StoreError> {
        self.file.sync_all().at(target)?;
        self.rename(target)
    }

    /// Takes the name `target` from whatever has it, without syncing anything.
    pub(crate) fn replace_soon(mut self, target: &Path) -> Result<(), StoreError> {
        self.rename(target)
    }

    /// Syncs, and takes the name `target` if it is free.
    pub(crate) fn create_new(mut self, target: &Path) -> Result<(), StoreError> {
        self.file.sync_all().at(target)?;
        match fs::hard_link(&self.path, target) {
            Ok(()) => {}
            Err(error) if may_lack_hard_links(&error) => self.reserve_and_rename(target)?,
            Err(error) => return Err(StoreError::io(target, error)),
        }
        drop(self);
        sync_folder(folder_of(target))
    }

    /// For file systems without hard links: an empty file reserves the name. A process that is killed between the two
    /// steps leaves it empty, which is why this is the second choice.
    fn reserve_and_rename(&mut self, target: &Path) -> Result<(), StoreError> {
        drop(create_exclusive(target, Mode::Private).at(target)?);
        self.rename(target).inspect_err(|_| drop(fs::remove_file(target)))
    }

    fn rename(&mut self, target: &Path) -> Result<(), StoreError> {
        fs::rename(&self.path, target).at(target)?;
        self.named = false;
        Ok(())
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.named {
            // If this fails, a sweep gets it later.
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Unique among the threads of this process by the counter, among processes by their number, and among machines that
/// share a folder by the time; a collision is only another round.
fn fresh_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{TEMPORARY_PREFIX}{:x}-{time:x}-{count:x}", process::id())
}

fn create_exclusive(path: &Path, mode: Mode) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    restrict(&mut options, mode);
    options.open(path)
}

/// FAT and some network file systems answer "not permitted" or "not supported". A folder that cannot be written answers
/// the same, and then the second way fails too, with the true cause.
fn may_lack_hard_links(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported)
}

/// Removes from `folder` the temporary files of writers that are dead: those that nobody has locked and that were last
/// written at least `age` ago. Gives the number of removed files.
///
/// The age protects a file whose writer has made it but not locked it yet; an hour is plenty. A file that cannot be
/// examined or removed stays: sweeping is never worth an error of its own.
///
/// # Errors
/// The cause, when the folder itself cannot be read.
pub fn sweep(folder: &Path, age: Duration) -> Result<usize, StoreError> {
    let names = fs::read_dir(folder).at(folder)?.filter_map(Result::ok);
    let temporary = names.filter(|entry| {
        entry.file_name().as_encoded_bytes().starts_with(TEMPORARY_PREFIX.as_bytes())
    });
    Ok(temporary.filter(|entry| remove_if_dead(&entry.path(), age).is_ok_and(|gone| gone)).count())
}

fn remove_if_dead(path: &Path, age: Duration) -> io::Result<bool> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(false);
    }
    let file = File::open(path)?;
    if file.try_lock().is_err() || !is_older(&file, age)? {
        return Ok(false);
    }
    fs::remove_file(path)?;
    Ok(true)
}

fn is_older(file: &File, age: Duration) -> io::Result<bool> {
    let written = file.metadata()?.modified()?;
    // A time in the future is a clock that was set back: not old.
    Ok(SystemTime::now().duration_since(written).is_ok_and(|since| since >= age))
}
