//! Files: opened only when they are what they should be, never read without a limit.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::Problem;

/// What manifests and bundles in folders are called.
const MANIFEST_SUFFIX: &str = ".provenance.json";

/// Opens a regular file; `length` in bytes. Pipes and devices could block for ever, or never end.
pub(crate) fn open_regular(path: &Path) -> Result<(File, u64), Problem> {
    let regular = |metadata: &fs::Metadata| match kind(metadata.file_type()) {
        None => Ok(()),
        Some(other) => Err(Problem::NotRegular(other)),
    };
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    Ok((file, metadata.len()))
}

/// What a file is that is not regular.
pub(crate) fn kind(kind: FileType) -> Option<&'static str> {
    match kind {
        kind if kind.is_file() => None,
        kind if kind.is_dir() => Some("a folder"),
        kind if kind.is_symlink() => Some("a link"),
        _ => Some("a pipe, socket or device"),
    }
}

/// Reads a file of at most `limit` bytes. Of a longer one comes one byte more, so that whoever reads it can tell.
pub(crate) fn read_at_most(path: &Path, limit: usize) -> Result<Vec<u8>, Problem> {
    // Kits and keys are small: one read, and no growing.
    let mut bytes = Vec::with_capacity(limit.min(64 * 1024));
    File::open(path)?.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a folder's file is one to verify.
pub(crate) fn is_input(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.ends_with(MANIFEST_SUFFIX.as_bytes()) || name.ends_with(b".jsonl")
}

/// Where the body of `NAME.provenance.json` would be: `NAME`.
pub(crate) fn sibling(path: &Path) -> Option<PathBuf> {
    let without = |path: &Path, extension: &str| {
        let fits = path.extension().is_some_and(|found| found == extension);
        path.file_stem().filter(|_| fits).map(PathBuf::from)
    };
    let name = without(&without(path, "json")?, "provenance")?;
    Some(path.with_file_name(name))
}

/// The manifest of a document, where there is one: the inverse of [`sibling`].
pub(crate) fn manifest_beside(path: &Path) -> Option<PathBuf> {
    let mut name = path.file_name()?.to_owned();
    name.push(MANIFEST_SUFFIX);
    Some(path.with_file_name(name)).filter(|manifest| manifest.is_file())
}

/// A file name for people and reports.
pub(crate) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// What a walk comes across.
pub(crate) enum Found {
    /// A regular file of a name that was asked for.
    File(PathBuf),
    /// A folder that cannot be read.
    Unreadable(PathBuf, io::Error),
    /// Something that is passed over, and what it is.
    Passed(PathBuf, &'static str),
}

/// All files below a folder, in the order of their names. Links are not followed, and only regular files are given out.
pub(crate) struct Walk {
    wanted: fn(&OsStr) -> bool,
    open: Vec<Folder>,
    unreadable: Vec<(PathBuf, io::Error)>,
}

struct Folder {
    path: PathBuf,
    entries: std::vec::IntoIter<(OsString, FileType)>,
}

impl Walk {
    /// Files whose name is wanted.
    pub(crate) fn new(folder: &Path, wanted: fn(&OsStr) -> bool) -> io::Result<Self> {
        let open = vec![Folder::open(folder.to_owned())?];
        Ok(Self { wanted, open, unreadable: Vec::new() })
    }

    fn enter(&mut self, path: PathBuf) {
        match Folder::open(path.clone()) {
            Ok(folder) => self.open.push(folder),
            Err(error) => self.unreadable.push((path, error)),
        }
    }

    /// Only what could have been meant to be verified is worth a word.
    fn is_worth_a_word(&self, path: &Path, name: &OsStr) -> bool {
        (self.wanted)(name) || fs::metadata(path).is_ok_and(|metadata| metadata.is_dir())
    }
}

impl Folder {
    fn open(path: PathBuf) -> io::Result<Self> {
        let entry = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok((entry.file_name(), entry.file_type()?))
        };
        let mut entries = fs::read_dir(&path)?.map(entry).collect::<io::Result<Vec<_>>>()?;
        entries.sort_by(|left, right| left.0.cmp(&right.0));
        Ok(Self { path, entries: entries.into_iter() })
    }
}

impl Iterator for Walk {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            if let Some((path, error)) = self.unreadable.pop() {
                return Some(Found::Unreadable(path, error));
            }
            let folder = self.open.last_mut()?;
            let Some((name, file_type)) = folder.entries.next() else {
                self.open.pop();
                continue;
            };
            let path = folder.path.join(&name);
            match kind(file_type) {
                _ if file_type.is_dir() => self.enter(path),
                None if (self.wanted)(&name) => return Some(Found::File(path)),
                Some(what) if self.is_worth_a_word(&path, &name) => {
                    return Some(Found::Passed(path, what));
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_lies_beside_its_manifest() {
        let of = |path: &str| sibling(Path::new(path)).map(|path| shown(&path));
        assert_eq!(of("a/b.txt.provenance.json").as_deref(), Some("a/b.txt"));
        assert_eq!(of("b.provenance.json").as_deref(), Some("b"));
        assert_eq!(of(".provenance.json"), None);
        assert_eq!(of("b.json"), None);
        assert_eq!(of("b.provenance.jsonl"), None);
        assert_eq!(of("-"), None);
    }
}
