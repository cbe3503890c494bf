//! Clients of transparency logs and timestamp authorities.

mod accept;
mod backoff;
mod cache;
mod endpoint;
mod http;
mod location;
mod reader;
mod recover;
mod source;
mod submit;
mod trust;
mod tsa;

pub use accept::{Submitted, WrongEntry};
pub use backoff::backoff;
pub use cache::TreeCache;
pub use endpoint::{EndpointError, LogEndpoint};
pub use http::{
    Answer, Cause, CodingError, HttpError, LogHttp, LogHttpBuilder, ServiceUrl, ServiceUrlError,
    retry_after,
};
pub use location::TreeLocation;
pub use reader::{EntryChunk, EntryWalk, Growth, LogReader, ReadError};
pub use recover::{MAX_SEARCH, Place, RecoverError};
pub use submit::{Next, RekorClient, SubmitError, UnloggableError};
pub use trust::{LogTrust, QuorumNotMet};
pub use tsa::{Stamp, StampError, TimestampClient};
