//! Reads the files of a log, from a URL or from a folder. Nothing of them is checked here.

use std::io;
use std::path::PathBuf;

use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

use crate::{LogHttp, ReadError, ServiceUrl, TreeLocation};

/// Where a log is read, and by what.
#[derive(Clone, Debug)]
pub(crate) enum TreeSource {
    Folder(PathBuf),
    Url(LogHttp, ServiceUrl),
}

impl TreeSource {
    pub(crate) fn new(http: LogHttp, location: TreeLocation) -> Self {
        match location {
            TreeLocation::Folder(folder) => Self::Folder(folder),
            TreeLocation::Url(url) => Self::Url(http, url),
        }
    }

    /// The file at a path below the log's prefix, of at most `limit` bytes.
    pub(crate) async fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, ReadError> {
        match self {
            Self::Folder(folder) => read_file(folder.join(path), limit).await,
            Self::Url(http, prefix) => get(http, &prefix.below(path), limit).await,
        }
    }
}

async fn get(http: &LogHttp, url: &ServiceUrl, limit: usize) -> Result<Vec<u8>, ReadError> {
    let answer = http.get(url, limit).await?;
    match answer.status {
        200 => Ok(answer.body),
        501 => Err(ReadError::NotServed { url: url.to_string() }),
        status => {
            let (url, retry_after) = (url.to_string(), answer.retry_after);
            Err(ReadError::Status { url, status, retry_after })
        }
    }
}

async fn read_file(path: PathBuf, limit: usize) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let read = async {
        // Opening a pipe would wait for somebody to write into it.
        if !tokio::fs::metadata(&path).await?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        let file = File::open(&path).await?;
        file.take(limit as u64 + 1).read_to_end(&mut bytes).await
    };
    match read.await {
        Ok(length) if length > limit => Err(ReadError::FileTooLarge { path, limit }),
        Ok(_) => Ok(bytes),
        Err(source) => Err(ReadError::File { path, source }),
    }
}
