//! Where the body goes. A file appears only when the fetch succeeded; nothing stays behind otherwise.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempPath;
use tokio::fs::File;
use tokio::io::{AsyncWrite, AsyncWriteExt as _, BufWriter};

use crate::error::FetchError;
use crate::exchange::Body;

/// Where the bytes of the body go, as received.
#[non_exhaustive]
pub enum Sink<'w> {
    /// Nowhere: only the digests are taken.
    Discard,
    /// Into this file, which is written beside its target and renamed at the end. An existing file is replaced.
    File(PathBuf),
    /// Into memory, up to `limit` bytes; a larger body is an error.
    Memory {
        /// Most bytes.
        limit: u64,
    },
    /// Into the caller's writer, which is flushed but not shut down. On an error it has seen a part of the body.
    Writer(&'w mut (dyn AsyncWrite + Send + Unpin)),
}

impl std::fmt::Debug for Sink<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Discard => f.write_str("Discard"),
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Memory { limit } => f.debug_struct("Memory").field("limit", limit).finish(),
            Self::Writer(_) => f.write_str("Writer"),
        }
    }
}

impl Sink<'_> {
    /// The limit that the sink itself puts on a body.
    pub(crate) fn limit(&self) -> Option<u64> {
        match self {
            Self::Memory { limit } => Some(*limit),
            _ => None,
        }
    }
}

/// A sink in use.
pub(crate) enum OpenSink<'w> {
    Discard,
    File(NewFile),
    Memory(Vec<u8>),
    Writer(&'w mut (dyn AsyncWrite + Send + Unpin)),
}

/// Most memory that is reserved because of a `Content-Length`, which can be a lie.
const MAX_RESERVED: u64 = 4 << 20;

impl<'w> OpenSink<'w> {
    /// Opens the sink for a body of about `expected` bytes.
    pub(crate) async fn open(sink: Sink<'w>, expected: Option<u64>) -> Result<Self, FetchError> {
        Ok(match sink {
            Sink::Discard => Self::Discard,
            Sink::File(path) => Self::File(NewFile::create(path).await.map_err(sink_error)?),
            Sink::Memory { limit } => {
                let reserved = expected.unwrap_or(0).min(limit).min(MAX_RESERVED);
                Self::Memory(Vec::with_capacity(reserved as usize))
            }
            Sink::Writer(writer) => Self::Writer(writer),
        })
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        match self {
            Self::Discard => Ok(()),
            Self::File(file) => file.writer.write_all(bytes).await,
            Self::Memory(memory) => {
                memory.extend_from_slice(bytes);
                Ok(())
            }
            Self::Writer(writer) => writer.write_all(bytes).await,
        }
        .map_err(sink_error)
    }

    /// Makes the body final.
    pub(crate) async fn finish(self) -> Result<Body, FetchError> {
        match self {
            Self::Discard => Ok(Body::Discarded),
            Self::File(file) => file.keep().await.map(Body::File).map_err(sink_error),
            Self::Memory(memory) => Ok(Body::Memory(memory)),
            Self::Writer(writer) => {
                writer.flush().await.map_err(sink_error)?;
                Ok(Body::Written)
            }
        }
    }
}

fn sink_error(source: io::Error) -> FetchError {
    FetchError::Sink { source }
}

/// A file under a temporary name in its folder. Dropped, it is removed.
pub(crate) struct NewFile {
    writer: BufWriter<File>,
    temporary: TempPath,
    target: PathBuf,
}

/// Large enough that small h2 frames do not each cost a trip to the thread that writes.
const BUFFER: usize = 256 * 1024;

impl NewFile {
    async fn create(target: PathBuf) -> io::Result<Self> {
        let (file, temporary) = blocking({
            let target = target.clone();
            move || temporary_beside(&target)
        })
        .await?;
        let writer = BufWriter::with_capacity(BUFFER, File::from_std(file));
        Ok(Self { writer, temporary, target })
    }

    async fn keep(mut self) -> io::Result<PathBuf> {
        self.writer.flush().await?;
        self.writer.get_ref().sync_all().await?;
        // Nothing is awaited from here on, so a cancelled fetch has either kept nothing or is complete.
        self.temporary.persist(&self.target)?;
        Ok(self.target)
    }
}

fn temporary_beside(target: &Path) -> io::Result<(std::fs::File, TempPath)> {
    if target.file_name().is_none() || target.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".genten-").suffix(".part");
    // The file will be an ordinary one: what the user's umask says, not the 0600 of a secret.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    Ok(builder.tempfile_in(folder)?.into_parts())
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}
