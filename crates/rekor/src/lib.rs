//! Clients of transparency logs and timestamp authorities, within a tokio runtime.
//!
//! - [`RekorClient`] makes a Rekor v2 log keep an entry, or finds it again in the log that has it already.
//! - [`TimestampClient`] has a signature stamped (RFC 3161).
//! - [`LogReader`] reads any log that is published as tiles, from a URL or a folder: checkpoint, proofs, entries.
//! - [`LogHistory`] tells whether a checkpoint belongs to what the log has shown before.
//! - [`Follower`] looks whether a log only grows, and whose entries come in.
//! - [`prove_certificate`] proves that a log of Certificate Transparency holds a server's certificate.
//!
//! Nothing that a server says is believed before `genten-tlog` or `genten-pki` has verified it. Every answer has a limit, no
//! URL is built in, and no clock decides what is believed: times and randomness are arguments. (A `Retry-After` that is a date
//! is reckoned from the answer's own `Date`, without one from the system's clock.) Each error has a stable code and advice, and
//! for a submission [`SubmitError::next`] says what to do with the entry: nothing here waits, and nothing is sent again by
//! itself but a GET whose connection broke off. [`backoff`] says how long to wait.

mod accept;
pub mod backoff;
mod cache;
mod ct;
mod endpoint;
mod follow;
mod history;
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
pub use ct::{CtError, CtInclusion, CtPromise, ct_promises, prove_certificate};
pub use endpoint::{EndpointError, LogEndpoint};
pub use follow::{
    Begin, Behind, FollowError, FollowOutcome, FollowReport, FollowSink, FollowState, Follower,
    ForkEvidence, ForkKind, KeyUse, Relation, Sighting, StateError, Tally, Watch, compare,
};
pub use history::{HistoryError, LogHistory};
pub use http::{
    Answer, Cause, CodingError, HttpError, LogHttp, LogHttpBuilder, ServiceUrl, ServiceUrlError,
    retry_after,
};
pub use location::TreeLocation;
pub use reader::{EntryChunk, EntryWalk, Growth, LogReader, ReadError};
pub use recover::{CHECKPOINT_INTERVAL, MAX_SEARCH, Place, RecoverError};
pub use submit::{Next, RekorClient, SubmitError, UnloggableError};
pub use trust::{LogTrust, QuorumNotMet};
pub use tsa::{Stamp, StampError, TimestampClient};
