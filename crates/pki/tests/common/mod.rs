//! Published files beside the repository, and certificates made on the spot.
#![allow(dead_code, reason = "each test file uses a part")]

use std::path::{Path, PathBuf};

/// A file or folder of the shared vectors; says so aloud when it is absent.
pub(crate) fn vectors(path: &str) -> Option<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let found = repository.parent()?.join("shared/vectors").join(path);
    if !found.exists() {
        eprintln!("SKIPPED: no {}", found.display());
        return None;
    }
    Some(found)
}

/// All files below `folder`, in order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
