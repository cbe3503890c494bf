//! Why there is no timestamp.

use std::time::Duration;

use genten_pki::TimestampResponseError;

use crate::HttpError;

/// Why there is no timestamp.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StampError {
    /// No answer.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The answer is something else than a timestamp reply.
    #[error("answer of media type {found:?} instead of application/timestamp-reply")]
    MediaType {
        /// Its media type; empty without one.
        found: String,
    },
    /// An answer with another status than 200 or 201.
    #[error("status {status} instead of a timestamp")]
    Status {
        /// The status.
        status: u16,
        /// How long the authority wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// The reply is not a timestamp for this request by one of the authorities.
    #[error("timestamp does not hold")]
    Wrong {
        /// What is wrong with it.
        source: TimestampResponseError,
        /// The reply, as evidence.
        reply: Vec<u8>,
    },
}

impl StampError {
    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Http(error) => error.code(),
            Self::MediaType { .. } => "rekor.tsa.media-type",
            Self::Status { .. } => "rekor.tsa.status",
            Self::Wrong { .. } => "rekor.tsa.wrong",
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Http(error) => error.hint(),
            Self::MediaType { .. } => {
                "check the URL: it must be the whole one to which requests are sent"
            }
            Self::Status { .. } => "check the URL; if it is right, try again later",
            Self::Wrong { .. } => {
                "check that the certificates are those of the authority at this URL, and its clock"
            }
        }
    }

    /// How long the authority wants to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}
