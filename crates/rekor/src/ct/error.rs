//! Why there is no proof that a certificate is in a log of Certificate Transparency.

use genten_pki::{CertificateError, SctError};
use genten_tlog::TreeSize;

use crate::ReadError;

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
    /// The log cannot be read, or does not hold the certificate where it promised.
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
}

impl CtError {
    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ChainEmpty => "rekor.ct.chain-empty",
            Self::Certificate(_) => "rekor.ct.certificate",
            Self::NoStaticLog => "rekor.ct.no-static-log",
            Self::NotYet { .. } => "rekor.ct.not-yet",
            Self::Read { source, .. } => source.code(),
            Self::SctList(_) => "rekor.ct.sct-list",
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
            Self::Read { source, .. } => source.hint(),
        }
    }
}
