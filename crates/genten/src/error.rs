//! What can go wrong between a request and a signed manifest.

use genten_fetch::FetchError;
use genten_jws::{JwsError, SignError};
use genten_manifest::{Contradiction, ManifestError, ManifestRule, SourceUrlError, TextError};
use genten_mcp::binding::BindError;
use genten_primitives::time::TimestampError;
use genten_store::StoreError;

#[cfg(feature = "log")]
use crate::LogError;
use crate::{KeyError, RevisionError};

/// Why nothing was signed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two facts that cannot both be true.
    #[error("these facts contradict each other")]
    Contradiction(#[source] Contradiction),
    /// A member of the caller's own breaks a rule.
    #[error("this member of your own cannot stand in a manifest")]
    Extension(#[source] ManifestError),
    /// The fetch failed.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// A key could not be read or made.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// What is wanted of a log could not be queued.
    #[cfg(feature = "log")]
    #[error(transparent)]
    Log(#[from] LogError),
    /// Neither a signer nor a home with a key was given.
    #[error("no signer: give one, or a home where one can be kept")]
    NoSigner,
    /// The data of a result cannot be bound.
    #[error("the result cannot be bound to the fetch")]
    Result(#[source] ResultError),
    /// The revision could not be found.
    #[error("the source gives no revision that can be signed")]
    Revision(#[from] RevisionError),
    /// Two settings of which one would be passed over in silence.
    #[error("{one} was given beside {other}, and only one of them can count")]
    Settings {
        /// The one that would not count.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// The signer failed.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// The journal or a file failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A text that cannot stand in a manifest.
    #[error("this text cannot stand in a manifest")]
    Text(#[source] TextError),
    /// A time in another spelling.
    #[error("this time cannot stand in a manifest")]
    Time(#[source] TimestampError),
    /// The manifest or its bundle would be larger than verifiers read.
    #[error("the {what} would be {bytes} bytes, more than the {limit} that verifiers read")]
    TooLarge {
        /// Manifest or bundle.
        what: &'static str,
        /// Its size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The manifest would break a rule of its format.
    #[error("no verifier would read such a manifest")]
    Unreadable(#[source] ManifestError),
    /// The signer's signature does not hold under its own key, or is none of the profile.
    #[error("no verifier would accept the signature that the signer made")]
    WrongSignature(#[source] JwsError),
    /// A URL that cannot stand in a manifest.
    #[error("this URL cannot stand in a manifest")]
    Url(#[source] SourceUrlError),
}

/// Why the data of a result cannot be bound to the fetch.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultError {
    /// What clients could get otherwise than it was signed.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The data does not serialise to JSON.
    #[error("the data does not serialise to JSON")]
    Json(#[source] serde_json::Error),
}

impl Error {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Contradiction(error) => error.code(),
            Self::Extension(error) => error.code(),
            Self::Fetch(error) => error.code(),
            Self::Key(error) => error.code(),
            #[cfg(feature = "log")]
            Self::Log(error) => error.code(),
            Self::NoSigner => "signer.missing",
            Self::Result(ResultError::Json(_)) => "result.not-json",
            Self::Result(ResultError::Bind(error)) => error.code(),
            Self::Revision(_) => "revision.not-found",
            Self::Settings { .. } => "signer.settings",
            Self::Sign(_) => "signer.failed",
            Self::Store(error) => error.code(),
            Self::Text(_) => "manifest.text",
            Self::Time(_) => "manifest.time",
            Self::TooLarge { .. } => "manifest.too-large",
            Self::Unreadable(error) => error.code(),
            Self::WrongSignature(error) => error.code(),
            Self::Url(error) => ManifestRule::SourceUrl(*error).code(),
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Fetch(error) => error.hint(),
            Self::Store(error) => error.hint().to_string(),
            Self::Key(error) => error.hint().to_owned(),
            #[cfg(feature = "log")]
            Self::Log(error) => error.hint(),
            Self::Contradiction(_) => "Correct the facts: no verifier would accept them together.".to_owned(),
            Self::Extension(_) => "Name it in reverse DNS (with a dot), and give strict JSON without fractions.".to_owned(),
            Self::NoSigner => "Call GentenBuilder::signer, or GentenBuilder::home.".to_owned(),
            Self::Result(_) => "Change the data that the handler returns.".to_owned(),
            Self::Revision(_) => "Say where the revision stands: etag, header:NAME, json:/pointer, or the text itself.".to_owned(),
            Self::Settings { .. } => "Leave one of the two out. A key of the home has its chain beside it: KeyRing::keep.".to_owned(),
            Self::Sign(_) => "Check the key or the service that holds it.".to_owned(),
            Self::Text(_) => "Correct or shorten it, or leave it out.".to_owned(),
            Self::Time(_) => "Write it like 2026-11-30T08:15:00Z.".to_owned(),
            Self::TooLarge { .. } => "Sign fewer members of your own, or a shorter URL.".to_owned(),
            Self::Unreadable(_) => "Correct the member that is named.".to_owned(),
            Self::WrongSignature(_) => "Check the signer: its key id, and the form of its signatures.".to_owned(),
            Self::Url(_) => "Percent-encode what is no plain ASCII before the request.".to_owned(),
        }
    }
}
