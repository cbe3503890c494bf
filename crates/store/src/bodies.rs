//! Bodies of fetched answers, kept by their SHA-256.
//!
//! The body with the digest `abcdef…` is the file `bodies/ab/cdef…`. A file gets that name only when it is complete and
//! its digest is known, so that the name cannot lie; storing the same bytes again changes nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use genten_primitives::{Sha256, Sha256Digest};

use crate::atomic::{self, Mode, Temporary, sync_folder};
use crate::error::{At, StoreError};
use crate::permissions::{has_other_names, make_private, make_private_folder};

/// A folder of bodies. Cheap to clone; any number of threads and processes may use one folder.
#[derive(Clone, Debug)]
pub struct Bodies {
    root: PathBuf,
}

/// What [`Bodies`] took in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBody {
    /// The SHA-256 of the bytes, which is the body's name.
    pub digest: Sha256Digest,
    /// The number of bytes.
    pub bytes: u64,
}

impl Bodies {
    /// The bodies in the folder `root`, which is made if it is missing.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let root = root.into();
        make_private_folder(&root)?;
        Ok(Self { root })
    }

    /// Stores bytes that are in memory.
    ///
    /// # Errors
    /// The cause, with the path; nothing is left behind then.
    pub fn put(&self, bytes: &[u8]) -> Result<Sha256Digest, StoreError> {
        let mut writer = self.writer()?;
        writer.append(bytes)?;
        Ok(writer.finish()?.digest)
    }

    /// Stores everything that `reader` gives, in constant memory.
    ///
    /// # Errors
    /// The cause, with the path; [`StoreError::Reader`] when the reader failed.
    pub fn put_reader(&self, reader: impl Read) -> Result<StoredBody, StoreError> {
        let mut writer = self.writer()?;
        let reader_failed = |source| StoreError::Reader { source };
        pump(reader, reader_failed, |piece| writer.append(piece))?;
        writer.finish()
    }

    /// Stores the file at `source` by moving it here, without a copy where the file system allows it. The file must be
    /// complete: nobody may write to it any more.
    ///
    /// # Errors
    /// The cause, with the path; the source is then still in place.
    pub fn put_file(&self, source: &Path) -> Result<StoredBody, StoreError> {
        let found = fs::symlink_metadata(source).at(source)?;
        if !found.is_file() {
            return Err(StoreError::NotAFile { path: source.to_path_buf() });
        }
        let body = self.move_or_copy(source, &found)?;
        match fs::remove_file(source) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::io(source, error))
            }
            _ => Ok(body),
        }
    }

    fn move_or_copy(&self, source: &Path, found: &fs::Metadata) -> Result<StoredBody, StoreError> {
        let file = open_to_sync(source).at(source)?;
        // Another name for the same file could be used to change the body later.
        if has_other_names(found) {
            return self.put_reader(file);
        }
        let body = digest_of(&file, source)?;
        if self.holds(&body) {
            sync_folder(&self.shard(&body.digest))?;
            return Ok(body);
        }
        make_private(&file).at(source)?;
        file.sync_all().at(source)?;
        let target = self.prepare(&body.digest)?;
        if fs::rename(source, &target).is_err() {
            // Most likely another file system.
            return self.put_reader(File::open(source).at(source)?);
        }
        sync_folder(&self.shard(&body.digest))?;
        Ok(body)
    }

    /// Starts a body whose bytes arrive in pieces.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn writer(&self) -> Result<BodyWriter, StoreError> {
        let temporary = Temporary::create(&self.root, Mode::Private)?;
        Ok(BodyWriter { bodies: self.clone(), temporary, hasher: Sha256::new(), bytes: 0 })
    }

    /// Whether a body with this digest is stored. Does not read it.
    pub fn contains(&self, digest: &Sha256Digest) -> bool {
        self.path(digest).is_file()
    }

    /// Where the body with this digest is, or would be.
    pub fn path(&self, digest: &Sha256Digest) -> PathBuf {
        self.shard(digest).join(&digest.to_string()[2..])
    }

    fn shard(&self, digest: &Sha256Digest) -> PathBuf {
        self.root.join(&digest.to_string()[..2])
    }

    /// Opens a body without looking at its bytes.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], or another cause, with the path.
    pub fn open_body(&self, digest: &Sha256Digest) -> Result<File, StoreError> {
        let path = self.path(digest);
        File::open(&path).at(&path)
    }

    /// Opens a body after reading it through once, in constant memory, to see that it is still the same.
    ///
    /// # Errors
    /// [`StoreError::BodyDamaged`] when the bytes have another digest; [`StoreError::NotFound`], or another cause.
    pub fn open_checked(&self, digest: &Sha256Digest) -> Result<File, StoreError> {
        let path = self.path(digest);
        let mut file = self.open_body(digest)?;
        let calculated = digest_of(&file, &path)?.digest;
        if calculated != *digest {
            return Err(StoreError::BodyDamaged { path, expected: *digest, calculated });
        }
        file.rewind().at(&path)?;
        Ok(file)
    }

    /// Removes what killed writers left, at least `age` old, and gives the number of removed files. Bodies are never
    /// removed. See [`atomic::sweep`].
    ///
    /// # Errors
    /// The cause, when the folder cannot be read.
    pub fn sweep(&self, age: Duration) -> Result<usize, StoreError> {
        atomic::sweep(&self.root, age)
    }

    /// Whether this body is stored, with the right length at least. A file of another length was damaged from outside and
    /// is replaced when its body comes again.
    fn holds(&self, body: &StoredBody) -> bool {
        let found = fs::symlink_metadata(self.path(&body.digest));
        found.is_ok_and(|found| found.is_file() && found.len() == body.bytes)
    }

    /// Makes the folder for a body and gives the body's path.
    fn prepare(&self, digest: &Sha256Digest) -> Result<PathBuf, StoreError> {
        let shard = self.shard(digest);
        if !shard.is_dir() {
            make_private_folder(&shard)?;
            sync_folder(&self.root)?;
        }
        Ok(self.path(digest))
    }
}

/// A body that is being stored. Dropped before [`finish`](BodyWriter::finish), it leaves nothing.
#[derive(Debug)]
pub struct BodyWriter {
    bodies: Bodies,
    temporary: Temporary,
    hasher: Sha256,
    bytes: u64,
}

impl BodyWriter {
    /// Adds the next bytes.
    ///
    /// # Errors
    /// The cause, with the path. Give up then: a part of the bytes may have been written.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.write_all(bytes).map_err(|source| StoreError::io(&self.bodies.root, source))
    }

    /// Makes the body durable under its digest.
    ///
    /// # Errors
    /// The cause, with the path; nothing is left behind then.
    pub fn finish(self) -> Result<StoredBody, StoreError> {
        let body = StoredBody { digest: self.hasher.finish(), bytes: self.bytes };
        let target = self.bodies.prepare(&body.digest)?;
        if self.bodies.holds(&body) {
            // Whoever stored it may not have come to syncing the folder yet.
            sync_folder(&self.bodies.shard(&body.digest))?;
            return Ok(body);
        }
        self.temporary.replace(&target)?;
        Ok(body)
    }
}

impl Write for BodyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.temporary.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Windows syncs only what can be written.
fn open_to_sync(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(cfg!(windows)).open(path)
}

fn digest_of(file: &File, path: &Path) -> Result<StoredBody, StoreError> {
    let read = Sha256Digest::of_reader(file);
    let (digest, bytes) = read.map_err(|source| StoreError::io(path, source))?;
    Ok(StoredBody { digest, bytes })
}

const PIECE: usize = 64 * 1024;

fn pump(
    mut reader: impl Read,
    reader_failed: impl Fn(io::Error) -> StoreError,
    mut take: impl FnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut buffer = vec![0; PIECE];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => take(&buffer[..length])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(reader_failed(error)),
        }
    }
}
