//! What can go wrong with durable state: one variant per cause, each with the path.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use genten_primitives::Sha256Digest;

/// Why something durable could not be read or written.
///
/// The message says what happened and where; [`StoreError::hint`] says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The target of a file that must be new exists.
    #[error("{} already exists", path.display())]
    AlreadyExists {
        /// The file that was left as it is.
        path: PathBuf,
    },
    /// The bytes of a stored body are not those that its name promises.
    #[error("{} has the SHA-256 {calculated}, its name promises {expected}", path.display())]
    BodyDamaged {
        /// The file.
        path: PathBuf,
        /// The digest that the body is stored under.
        expected: Sha256Digest,
        /// The digest of the bytes found.
        calculated: Sha256Digest,
    },
    /// Others kept the journal or the log locked for longer than we wait.
    #[error("{} stayed locked by another process for {} ms", path.display(), waited.as_millis())]
    Busy {
        /// The journal, or the lock of the log.
        path: PathBuf,
        /// How long this process waited.
        waited: Duration,
    },
    /// The journal's file is damaged.
    #[error("{} is damaged: {damage}", path.display())]
    Corrupt {
        /// The journal.
        path: PathBuf,
        /// What is wrong in it.
        damage: Damage,
    },
    /// SQLite refused an operation for a reason that is none of the other variants.
    #[error("{}: SQLite error {extended_code}: {message}", path.display())]
    Database {
        /// The journal.
        path: PathBuf,
        /// SQLite's extended result code.
        extended_code: i32,
        /// SQLite's own words.
        message: String,
    },
    /// No space or no quota is left on the file system, or the process may not write files so large.
    #[error("no space is left for {}", path.display())]
    DiskFull {
        /// The file that was being written.
        path: PathBuf,
    },
    /// A name for a key file that is not 1 to 128 of `A-Z a-z 0-9 . _ -`, or that begins with a dot.
    #[error("{name:?} is not a name for a key file")]
    InvalidKeyName {
        /// The name.
        name: String,
    },
    /// The operating system failed in another way.
    #[error("input or output failed at {}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The journal was written by a newer version.
    #[error("{} has schema version {found}, this program knows up to {supported}", path.display())]
    NewerSchema {
        /// The journal.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version that this program can read.
        supported: i64,
    },
    /// Something stands where a folder is needed.
    #[error("{} is not a folder", path.display())]
    NotADirectory {
        /// What was meant to be a folder or to lie below one.
        path: PathBuf,
    },
    /// A folder, or anything else that is not a regular file, stands where a file is needed.
    #[error("{} is not a regular file", path.display())]
    NotAFile {
        /// What was meant to be a file.
        path: PathBuf,
    },
    /// A SQLite database, but of another program.
    #[error("{} is a database of another program", path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },
    /// There is no such file or folder.
    #[error("{} does not exist", path.display())]
    NotFound {
        /// The file or folder.
        path: PathBuf,
    },
    /// A path that is not Unicode cannot be kept on this platform.
    #[error("{} cannot be recorded: the path is not valid Unicode", path.display())]
    PathNotUnicode {
        /// The path.
        path: PathBuf,
    },
    /// The operating system denies access.
    #[error("access to {} is denied", path.display())]
    Permission {
        /// The file or folder.
        path: PathBuf,
    },
    /// The bytes that were to be stored could not be read from where they came.
    #[error("the bytes to store could not be read")]
    Reader {
        /// What the reader said.
        source: io::Error,
    },
    /// The file system, or the file, can only be read.
    #[error("{} can only be read", path.display())]
    ReadOnly {
        /// The file or folder.
        path: PathBuf,
    },
    /// The journal has no row for this manifest.
    #[error("{} has no manifest {manifest_id}", path.display())]
    UnknownManifest {
        /// The journal.
        path: PathBuf,
        /// The id that was asked for.
        manifest_id: Sha256Digest,
    },
}

/// What is damaged in a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// SQLite cannot make sense of the file.
    #[error("{message}")]
    File {
        /// SQLite's own words.
        message: String,
    },
    /// The integrity check found contradictions.
    #[error("{} findings of the integrity check, the first: {}", findings.len(), findings.first().map_or("", String::as_str))]
    Integrity {
        /// SQLite's findings, at most a hundred.
        findings: Vec<String>,
    },
    /// A column holds a value that is never written.
    #[error("row {row} has an impossible value in column {column}")]
    Value {
        /// The row's number.
        row: i64,
        /// The column's name.
        column: &'static str,
    },
}

impl StoreError {
    /// The stable, dotted code of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::AlreadyExists { .. } => "store.already-exists",
            Self::BodyDamaged { .. } => "store.body-damaged",
            Self::Busy { .. } => "store.busy",
            Self::Corrupt { .. } => "store.corrupt",
            Self::Database { .. } => "store.database",
            Self::DiskFull { .. } => "store.disk-full",
            Self::InvalidKeyName { .. } => "store.key-name",
            Self::Io { .. } => "store.io",
            Self::NewerSchema { .. } => "store.newer-schema",
            Self::NotADirectory { .. } => "store.not-a-directory",
            Self::NotAFile { .. } => "store.not-a-file",
            Self::NotAJournal { .. } => "store.not-a-journal",
            Self::NotFound { .. } => "store.not-found",
            Self::PathNotUnicode { .. } => "store.path-not-unicode",
            Self::Permission { .. } => "store.permission",
            Self::Reader { .. } => "store.reader",
            Self::ReadOnly { .. } => "store.read-only",
            Self::UnknownManifest { .. } => "store.unknown-manifest",
        }
    }

    /// What a user can do about it, as one sentence.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::AlreadyExists { .. } => "choose another name, or move the existing file away",
            Self::BodyDamaged { .. } => {
                "the file was changed or the disk is failing: restore it from a copy, or fetch again"
            }
            Self::Busy { .. } => "end the other process, or try again when it has finished",
            Self::Corrupt { .. } => {
                "keep a copy of the file and of its -wal and -shm, then restore a backup or use another home"
            }
            Self::Database { .. } => "check the file system that holds the journal, then try again",
            Self::DiskFull { .. } => {
                "free some space or raise the quota or limit; nothing written is lost"
            }
            Self::InvalidKeyName { .. } => {
                "use letters, digits, dots, hyphens and underscores, and no dot at the beginning"
            }
            Self::Io { .. } => "check the disk and the file system",
            Self::NewerSchema { .. } => "use the program version that wrote it, or a newer one",
            Self::NotADirectory { .. } => "move what stands there away, or choose another home",
            Self::NotAFile { .. } => "move what stands there away, or name another file",
            Self::NotAJournal { .. } => "choose another home, or move the foreign file away",
            Self::NotFound { .. } => "check the spelling of the path",
            Self::PathNotUnicode { .. } => "give the file or folder a name in Unicode",
            Self::Permission { .. } => {
                "check the owner and the permissions of the path and of the folders above it"
            }
            Self::Reader { .. } => "check where the bytes come from; nothing was stored",
            Self::ReadOnly { .. } => "choose a home on a file system that can be written",
            Self::UnknownManifest { .. } => "check the id, and that this is the home that made it",
        }
    }

    /// The cause behind what the system said about `path`.
    pub fn io(path: &Path, source: io::Error) -> Self {
        use io::ErrorKind as Kind;
        let path = path.to_path_buf();
        match source.kind() {
            Kind::AlreadyExists => Self::AlreadyExists { path },
            Kind::IsADirectory => Self::NotAFile { path },
            Kind::NotADirectory => Self::NotADirectory { path },
            Kind::NotFound => Self::NotFound { path },
            Kind::PermissionDenied => Self::Permission { path },
            Kind::FileTooLarge | Kind::QuotaExceeded | Kind::StorageFull => Self::DiskFull { path },
            Kind::ReadOnlyFilesystem => Self::ReadOnly { path },
            _ => Self::Io { path, source },
        }
    }
}

/// Names the path that a system call was about.
pub(crate) trait At<T> {
    /// Turns the system's error into the cause at `path`.
    fn at(self, path: &Path) -> Result<T, StoreError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::io(path, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_errors_become_causes() {
        let cases = [
            (io::ErrorKind::StorageFull, "store.disk-full"),
            (io::ErrorKind::QuotaExceeded, "store.disk-full"),
            (io::ErrorKind::FileTooLarge, "store.disk-full"),
            (io::ErrorKind::PermissionDenied, "store.permission"),
            (io::ErrorKind::NotFound, "store.not-found"),
            (io::ErrorKind::NotADirectory, "store.not-a-directory"),
            (io::ErrorKind::ReadOnlyFilesystem, "store.read-only"),
            (io::ErrorKind::IsADirectory, "store.not-a-file"),
            (io::ErrorKind::TimedOut, "store.io"),
        ];
        for (kind, code) in cases {
            let error = StoreError::io(Path::new("/home/a"), kind.into());
            assert_eq!(error.code(), code);
            assert!(error.to_string().contains("/home/a"), "{error}");
            assert!(!error.hint().is_empty());
        }
    }
}
