//! Which log.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::LogError;

/// The log that manifests go into.
///
/// ```
/// use genten::LogTarget;
/// let log = LogTarget::file("log.toml")?;
/// assert_eq!(LogTarget::from_name(&log.name()), log);
/// assert_eq!(LogTarget::Home.name(), "local");
/// # Ok::<(), genten::LogError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LogTarget {
    /// The log that a file describes, by its absolute path.
    File(PathBuf),
    /// The home's own log: the folder `log/`, which this machine alone writes.
    Home,
}

const HOME: &str = "local";

/// The absolute path, with its folder as the system knows it where `..` stands in it.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    if !absolute.components().any(|part| part == Component::ParentDir) {
        return Ok(absolute);
    }
    match (absolute.parent().map(Path::canonicalize), absolute.file_name()) {
        (Some(Ok(folder)), Some(name)) => Ok(folder.join(name)),
        _ => Ok(absolute),
    }
}

impl LogTarget {
    /// The log that a file describes; the file is read whenever something is sent. The name of a log is the path of its file, in
    /// which `..` is resolved: a folder on the way may be gone when it is read. Links are kept, so that what they lead to may change.
    ///
    /// # Errors
    /// A path that cannot be made absolute, or is not Unicode.
    pub fn file(path: impl AsRef<Path>) -> Result<Self, LogError> {
        let path = path.as_ref();
        let absolute =
            absolute(path).map_err(|source| LogError::File { path: path.to_owned(), source })?;
        match absolute.to_str() {
            Some(_) => Ok(Self::File(absolute)),
            None => Err(LogError::PathNotUnicode { path: absolute }),
        }
    }

    /// The name under which the outbox keeps what goes there: `local`, or the path of the file.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.to_string_lossy().into_owned(),
            Self::Home => HOME.to_owned(),
        }
    }

    /// The log of this name.
    pub fn from_name(name: &str) -> Self {
        match name {
            HOME => Self::Home,
            path => Self::File(path.into()),
        }
    }
}
