//! Files that are whole or absent.
//!
//! New content goes into a temporary file in the target's folder, is synced, and gets the target's name in one step;
//! then the folder is synced. Whoever looks sees the old file or the new one, never a part, whenever the writer died.
//!
//! A temporary file is named `.genten-tmp-…` and stays locked as long as its writer lives. It is removed when the writer
//! gives up; what a killed writer left is removed by [`sweep`].

mod group;
mod temporary;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use temporary::{TEMPORARY_PREFIX, sweep};

use crate::error::{At, StoreError};
pub(crate) use group::Group;
pub(crate) use temporary::Temporary;

/// Who may read and write a new file (Unix permissions; elsewhere the folder's rules hold).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// The owner alone: 0600. For keys, and for whatever can hold a secret.
    Private,
    /// What the user's umask leaves of 0666. For files that are meant to be handed on.
    Shared,
}

/// Replaces the file at `target`, or makes it.
///
/// A file that exists keeps its permissions, except that [`Mode::Private`] always ends as 0600. A symbolic link stays; the
/// file behind it is replaced.
///
/// # Errors
/// The cause, with the path; the old file is then still in place.
///
/// ```
/// use genten_store::atomic::{Mode, replace};
/// # let folder = tempfile::tempdir().unwrap();
/// let target = folder.path().join("bundle.json");
/// replace(&target, b"first", Mode::Shared)?;
/// replace(&target, b"second", Mode::Shared)?;
/// assert_eq!(std::fs::read(&target).unwrap(), b"second");
/// # Ok::<(), genten_store::StoreError>(())
/// ```
pub fn replace(target: &Path, bytes: &[u8], mode: Mode) -> Result<(), StoreError> {
    let mut file = AtomicFile::beside(target, mode)?;
    file.append(bytes)?;
    file.replace()
}

/// As [`replace`], for content that can be made again: it is not synced. After a power cut the file may be the old one, or
/// empty.
///
/// # Errors
/// As [`replace`].
pub fn replace_soon(target: &Path, bytes: &[u8], mode: Mode) -> Result<(), StoreError> {
    let mut file = AtomicFile::beside(target, mode)?;
    file.append(bytes)?;
    file.take_over_permissions()?;
    file.temporary.replace_soon(&file.behind_link)
}

/// Makes the file at `target`, which must not exist. Of several writers exactly one succeeds.
///
/// # Errors
/// [`StoreError::AlreadyExists`] when anything has that name, a dangling symbolic link too.
///
/// ```
/// use genten_store::atomic::{Mode, create_new};
/// # let folder = tempfile::tempdir().unwrap();
/// let target = folder.path().join("signer.pem");
/// create_new(&target, b"key", Mode::Private)?;
/// assert_eq!(create_new(&target, b"other", Mode::Private).unwrap_err().code(), "store.already-exists");
/// # Ok::<(), genten_store::StoreError>(())
/// ```
pub fn create_new(target: &Path, bytes: &[u8], mode: Mode) -> Result<(), StoreError> {
    let mut file = AtomicFile::beside(target, mode)?;
    file.append(bytes)?;
    file.create_new()
}

/// A file under construction: nothing has its final name until [`replace`](AtomicFile::replace) or
/// [`create_new`](AtomicFile::create_new). Dropped before that, it leaves nothing.
#[derive(Debug)]
pub struct AtomicFile {
    temporary: Temporary,
    target: PathBuf,
    behind_link: PathBuf,
    mode: Mode,
}

impl AtomicFile {
    /// Starts a file that will be named `target`; its folder must exist.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn beside(target: &Path, mode: Mode) -> Result<Self, StoreError> {
        let target = target.to_path_buf();
        if target.file_name().is_none() {
            return Err(StoreError::NotAFile { path: target });
        }
        let behind_link = behind_link(&target);
        let temporary = Temporary::create(folder_of(&behind_link), mode)?;
        Ok(Self { temporary, target, behind_link, mode })
    }

    /// Adds the next bytes.
    ///
    /// # Errors
    /// The cause, with the target's path. Give up then: a part of the bytes may have been written.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.write_all(bytes).at(&self.target)
    }

    /// Syncs the bytes and gives them the target's name, in place of what has it now. See [`replace`].
    ///
    /// # Errors
    /// The cause, with the target's path; the old file is then still in place.
    pub fn replace(self) -> Result<(), StoreError> {
        self.take_over_permissions()?;
        self.temporary.replace(&self.behind_link)
    }

    fn take_over_permissions(&self) -> Result<(), StoreError> {
        match fs::metadata(&self.behind_link) {
            Ok(old) => self.take_over(&old),
            Err(_) => Ok(()),
        }
    }

    fn take_over(&self, old: &fs::Metadata) -> Result<(), StoreError> {
        if !old.is_file() {
            return Err(StoreError::NotAFile { path: self.target.clone() });
        }
        match self.mode {
            Mode::Private => Ok(()),
            Mode::Shared => self.temporary.set_permissions(old.permissions()),
        }
    }

    /// Syncs the bytes and gives them the target's name, which nothing may have. See [`create_new`].
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`], or another cause, with the target's path.
    pub fn create_new(self) -> Result<(), StoreError> {
        self.temporary.create_new(&self.target)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The file that a symbolic link leads to, or the path itself. Renaming over a link would replace the link.
fn behind_link(target: &Path) -> PathBuf {
    let is_link = fs::symlink_metadata(target).is_ok_and(|found| found.is_symlink());
    let resolved = if is_link { fs::canonicalize(target).ok() } else { None };
    resolved.unwrap_or_else(|| target.to_path_buf())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes the names in `folder` survive a power cut. Some file systems cannot; they say so by these two errors.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
        {
            Ok(())
        }
        result => result.at(folder),
    }
}
