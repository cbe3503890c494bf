//! Clients of transparency logs and timestamp authorities.

mod accept;
pub mod backoff;
mod cache;
mod endpoint;
mod follow;
mod http;
mod location;
mod reader;
mod recover;
mod source;
mod submit;
mod trust;
mod tsa;

pub use accept::{Submitted, WrongEntry};

pub use cache::TreeCache;
pub use endpoint::{EndpointError, LogEndpoint};
pub use follow::{
    Begin, Behind, FollowError, FollowOutcome, FollowReport, FollowSink, FollowState, Follower,
    ForkEvidence, ForkKind, Relation, Sighting, StateError, Tally, Watch, compare,
};
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
