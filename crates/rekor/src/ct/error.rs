//! Why there is no proof that a certificate is in a log of Certificate Transparency.

use genten_pki::{CertificateError, SctError};
use genten_tlog::TreeSize;

use crate::{Next, ReadError};

/// Why there is no proof that a certificate is in a log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CtError {
    /// No certificate.
    #[error("chain has no certificate")]
    ChainEmpty,
    /// A certificate that cannot be read.
    #[error("certificate cannot be read")]
    Certificate(#[from] CertificateError),
    /// None of the promises names a place in a log that publishes its tiles, is known, and may be believed.
    #[error("no promise names a place in a known static log")]
    NoStaticLog,
    /// The log has not published the certificate yet.
    #[error("{origin} has published {size} entries, and not yet the certificate at {index}")]
    NotYet {
        /// The log.
        origin: String,
        /// Where the certificate will be.
        index: u64,
        /// Entries that it has published.
        size: TreeSize,
    },
    /// The log should have published the certificate: its tree is younger than its maximum merge delay allows.
    #[error(
        "{origin} has published {size} entries, and breaks its promise of the certificate at {index}"
    )]
    Overdue {
        /// The log.
        origin: String,
        /// Where the certificate should be.
        index: u64,
        /// Entries that it has published.
        size: TreeSize,
        /// Its signed tree, as evidence.
        answer: Vec<u8>,
    },
    /// The log cannot be read.
    #[error("no proof from {origin}")]
    Read {
        /// The log.
        origin: String,
        /// Why.
        source: ReadError,
    },
    /// Promises that are no list of promises.
    #[error("list of scts cannot be read")]
    SctList(#[from] SctError),
    /// The log's tree is not signed by it, or holds something else where it promised the certificate.
    #[error("{origin} does not prove what it promised")]
    Wrong {
        /// The log.
        origin: String,
        /// What is wrong.
        source: Box<ReadError>,
        /// The checkpoint, or the log's proof of the other entry, as evidence.
        answer: Vec<u8>,
    },
}

impl CtError {
    /// What to do next.
    pub fn next(&self) -> Next {
        match self {
            Self::ChainEmpty | Self::Certificate(_) | Self::SctList(_) => Next::Never,
            Self::NoStaticLog => Next::Person,
            Self::Wrong { source, .. } => match **source {
                // What a log has signed at a place stays there.
                ReadError::OtherLeaf { .. } => Next::Never,
                _ => Next::Person,
            },
            Self::NotYet { .. } | Self::Overdue { .. } => Next::Later { after: None },
            Self::Read { source, .. } => Next::Later { after: source.retry_after() },
        }
    }

    /// What speaks against the log, with its promise.
    pub fn evidence(&self) -> Option<&[u8]> {
        match self {
            Self::Overdue { answer, .. } | Self::Wrong { answer, .. } => Some(answer),
            _ => None,
        }
    }

    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ChainEmpty => "rekor.ct.chain-empty",
            Self::Certificate(_) => "rekor.ct.certificate",
            Self::NoStaticLog => "rekor.ct.no-static-log",
            Self::NotYet { .. } => "rekor.ct.not-yet",
            Self::Overdue { .. } => "rekor.ct.overdue",
            Self::Read { source, .. } => source.code(),
            Self::SctList(_) => "rekor.ct.sct-list",
            Self::Wrong { source, .. } => source.code(),
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::ChainEmpty | Self::Certificate(_) | Self::SctList(_) => {
                "give the chain as the server sent it, the server's certificate first"
            }
            Self::NoStaticLog => {
                "nothing is wrong: not every certificate is in a log that publishes its tiles; a newer log list may know more logs"
            }
            Self::NotYet { .. } => "try again in a few minutes",
            Self::Overdue { .. } => {
                "keep the checkpoint, and try again; if it stays, tell those who keep the list of logs"
            }
            Self::Read { source, .. } => source.hint(),
            Self::Wrong { source, .. } => source.hint(),
        }
    }
}
