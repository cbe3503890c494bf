//! What can be wrong with a file that describes a log.

use std::io;
use std::path::{Path, PathBuf};

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
    #[error("{}:{line}:{column}: {message}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What the reader said.
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
    /// What the file says is of no use.
    #[error("{} describes no usable log", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<Self>,
    },
    /// A URL in a document of Sigstore.
    #[error(transparent)]
    Url(#[from] ServiceUrlError),
    /// A URL in the file.
    #[error("{member} = {text:?}")]
    UrlOf {
        /// The member that holds it.
        member: &'static str,
        /// What it says, unless a password may stand in it.
        text: String,
        /// Why it is none.
        source: ServiceUrlError,
    },
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
    pub(super) fn of_toml(path: &Path, text: &str, error: &toml::de::Error) -> Self {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let last = before.rsplit('\n').next().unwrap_or_default();
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        let (line, column) = (before.matches('\n').count() + 1, last.chars().count() + 1);
        Self::Toml { path: path.to_owned(), line, column, message }
    }

    pub(super) fn url(member: &'static str, text: &str, source: ServiceUrlError) -> Self {
        let shown = if text.contains('@') { "…" } else { text };
        Self::UrlOf { member, text: shown.to_owned(), source }
    }

    /// The same, with the file that says so.
    pub(super) fn in_file(self, path: &Path) -> Self {
        match self {
            Self::File { .. }
            | Self::NotText { .. }
            | Self::TooLarge { .. }
            | Self::Toml { .. } => self,
            _ => Self::Unusable { path: path.to_owned(), source: Box::new(self) },
        }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Endpoint(error) => error.code(),
            Self::File { .. } | Self::NotText { .. } | Self::TooLarge { .. } => "log.file",
            Self::Http(error) => error.code(),
            Self::Unusable { source, .. } => source.code(),
            Self::Url(error) | Self::UrlOf { source: error, .. } => error.code(),
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
            Self::Unusable { source, .. } => source.hint(),
            Self::Url(error) | Self::UrlOf { source: error, .. } => error.hint(),
            _ => "Correct the file that describes the log; docs/logging.md shows one.",
        }
    }
}
