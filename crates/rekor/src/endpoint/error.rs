//! Why a log cannot be used.

use genten_pki::{ServiceError, UnusableLog};
use genten_primitives::Timestamp;
use genten_tlog::{LogIdentityError, NoteKeyError};

use crate::ServiceUrlError;

/// Why configuration and keys do not describe a log that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndpointError {
    /// A key that signs for no log, or keys that cannot be told apart.
    #[error("keys do not describe a log")]
    Identity(#[from] LogIdentityError),
    /// The trusted root lists no log of this URL.
    #[error("trusted root has no key for the log at {url}")]
    KeyMissing {
        /// The URL in the signing config.
        url: String,
    },
    /// The trusted root lists the log, but believes its key at another time.
    #[error("trusted root does not believe the key of the log at {url} at {at}")]
    KeyOutsideWindow {
        /// The URL in the signing config.
        url: String,
        /// The time asked for.
        at: Timestamp,
    },
    /// The log's key is of a kind that cannot be checked.
    #[error("key of the log at {url} cannot be used")]
    KeyUnusable {
        /// The URL in the trusted root.
        url: String,
        /// Why.
        source: UnusableLog,
    },
    /// A host that cannot be the name of a key.
    #[error("the log at {url} has no usable name")]
    Name {
        /// The URL in the trusted root.
        url: String,
        /// Why.
        source: NoteKeyError,
    },
    /// The signing config selects no service.
    #[error("signing config gives no log")]
    Service(#[from] ServiceError),
    /// The URL in the signing config cannot be used.
    #[error("url of the log in the signing config cannot be used")]
    Url(#[from] ServiceUrlError),
}

impl EndpointError {
    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Identity(_) => "rekor.endpoint.identity",
            Self::KeyMissing { .. } => "rekor.endpoint.key-missing",
            Self::KeyOutsideWindow { .. } => "rekor.endpoint.key-window",
            Self::KeyUnusable { .. } => "rekor.endpoint.key-unusable",
            Self::Name { .. } => "rekor.endpoint.name",
            Self::Service(_) => "rekor.endpoint.no-service",
            Self::Url(_) => "rekor.endpoint.url",
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Identity(_) | Self::Name { .. } => {
                "give the log's own vkey, as its operator publishes it"
            }
            Self::KeyMissing { .. } | Self::KeyOutsideWindow { .. } => {
                "get a trusted root and a signing config that were published together; one of them is older"
            }
            Self::KeyUnusable { .. } => "use another log, or a newer version of this program",
            Self::Service(_) => "get a fresh signing config; check this machine's clock",
            Self::Url(_) => "get the signing config again from whoever publishes it",
        }
    }
}
