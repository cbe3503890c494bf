//! What can be wrong with a file that describes a log.

use std::io;
use std::path::PathBuf;

use genten_pki::{
    PemError, ServiceError, SigningConfigError, TimestampAuthorityError, TrustedRootError,
};
use genten_rekor::{EndpointError, HttpError, ServiceUrlError};
use genten_tlog::{NoteKeyError, PolicyError};

/// Why nothing can be sent to the log that a file describes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogFileError {
    /// Certificates that are those of no timestamp authority.
    #[error("timestamp authority")]
    Authority(#[source] TimestampAuthorityError),
    /// The signing config names a timestamp authority, and the trusted root has the certificates of none.
    #[error("the trusted root has no timestamp authority, and {url} is to be asked for stamps")]
    AuthorityMissing {
        /// Its URL.
        url: String,
    },
    /// Certificates that cannot be read.
    #[error("certificates of the timestamp authority")]
    Certificates(#[source] PemError),
    /// The signing config and the trusted root do not give a usable log.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The file, or one that it names, cannot be read.
    #[error("{} cannot be read", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The HTTP client cannot be set up.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// Not UTF-8.
    #[error("{} is not text", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// Neither `[log]` nor `[sigstore]`, or both.
    #[error("one of [log] and [sigstore] is needed")]
    OneOfTwo,
    /// No number of entries that can be under way at a time.
    #[error("parallel = {stated} is not from 1 to {limit}")]
    Parallel {
        /// What the file says.
        stated: usize,
        /// The largest number.
        limit: usize,
    },
    /// The policy of witnesses.
    #[error("policy of witnesses")]
    Policy(#[source] PolicyError),
    /// No timestamp authority to use now.
    #[error("timestamp authorities")]
    Service(#[source] ServiceError),
    /// More than one of a kind is to be used.
    #[error("several {what} are to be used at the same time, and only one can be")]
    Several {
        /// Of what.
        what: &'static str,
    },
    /// The signing config.
    #[error("signing config")]
    SigningConfig(#[source] SigningConfigError),
    /// The file is not TOML of this shape.
    #[error("{message}")]
    Toml {
        /// What the reader said, with the line.
        message: String,
    },
    /// A file is larger than can be right.
    #[error("{} is larger than {limit} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Most bytes.
        limit: u64,
    },
    /// The trusted root.
    #[error("trusted root")]
    TrustedRoot(#[source] TrustedRootError),
    /// A URL.
    #[error(transparent)]
    Url(#[from] ServiceUrlError),
    /// Another version of the file.
    #[error("version {version} of the file is not known")]
    Version {
        /// The version.
        version: i64,
    },
    /// The log's key.
    #[error("vkey")]
    Vkey(#[source] NoteKeyError),
}

impl LogFileError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Endpoint(error) => error.code(),
            Self::File { .. } | Self::NotText { .. } | Self::TooLarge { .. } => "log.file",
            Self::Http(error) => error.code(),
            Self::Url(error) => error.code(),
            _ => "log.file.malformed",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::AuthorityMissing { .. } => {
                "Get the trusted root that belongs to the signing config; its stamps could not be verified."
            }
            Self::Endpoint(error) => error.hint(),
            Self::File { .. } => "Check the path and that you may read it.",
            Self::Http(error) => error.hint(),
            Self::Several { .. } => {
                "Use a signing config with the selector ANY, or EXACT with the count 1."
            }
            Self::Url(error) => error.hint(),
            _ => "Correct the file that describes the log; docs/logging.md shows one.",
        }
    }
}
