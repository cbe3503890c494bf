//! Tiles of logs that were read before: full ones, each authenticated before it was kept, and again when it is used. Bundles are
//! read once and are large, so that they are not kept: a log must not fill a disk.

use std::path::{Path, PathBuf};

use genten_primitives::Sha256Digest;
use genten_store::StoreError;
use genten_store::atomic::{Mode, replace};
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

/// A folder for what never changes. Several programs may use it at the same time.
///
/// Each log has a folder of its own, named by the SHA-256 (hexadecimal) of its origin, with the files under their own names.
#[derive(Clone, Debug)]
pub struct TreeCache {
    folder: PathBuf,
}

impl TreeCache {
    /// A cache in this folder, which is made when it is needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where a file of a log is kept. `path` is that of a tile.
    pub fn path(&self, origin: &str, path: &str) -> PathBuf {
        let log = Sha256Digest::of(origin.as_bytes()).to_string();
        self.folder.join(log).join(path)
    }

    /// A file of at most `limit` bytes. What cannot be read counts as absent.
    pub(crate) async fn get(&self, origin: &str, path: &str, limit: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let path = self.path(origin, path);
        // Opening a pipe would wait for somebody to write into it.
        tokio::fs::metadata(&path).await.ok().filter(std::fs::Metadata::is_file)?;
        let file = File::open(path).await.ok()?;
        file.take(limit as u64 + 1).read_to_end(&mut bytes).await.ok()?;
        Some(bytes)
    }

    /// Keeps a file. A cache that cannot be written costs requests and no answers, so that its errors end here.
    pub(crate) async fn put(&self, origin: &str, path: &str, bytes: Vec<u8>) {
        let target = self.path(origin, path);
        let written = tokio::task::spawn_blocking(move || write(&target, &bytes));
        drop(written.await);
    }
}

fn write(target: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    if let Some(folder) = target.parent() {
        // If this fails, the file cannot be made either, and that says why.
        drop(std::fs::create_dir_all(folder));
    }
    replace(target, bytes, Mode::Shared)
}
