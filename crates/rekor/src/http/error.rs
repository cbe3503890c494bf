//! What can go wrong between a request and its answer.

use std::error::Error;
use std::io;
use std::time::Duration;

use super::CodingError;

/// An error of a library below, kept for `source()`.
pub type Cause = Box<dyn Error + Send + Sync + 'static>;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The connection ended, or stopped making sense, after something was sent.
    #[error("the exchange with {host} broke off")]
    BrokenOff {
        /// The host, with the port where the URL states one.
        host: String,
        /// What the HTTP library said.
        source: Cause,
    },
    /// The body is in a coding that cannot be undone.
    #[error("the answer of {host} cannot be decoded")]
    Coding {
        /// The host, with the port where the URL states one.
        host: String,
        /// Why.
        source: CodingError,
    },
    /// A redirect to another host, from https to http, from a body to none, or one too many.
    #[error("{host} redirects to where the request must not go")]
    Redirect {
        /// The host that redirects.
        host: String,
    },
    /// No certificate in the PEM text, or a broken one.
    #[error("not certificates in PEM")]
    Roots,
    /// The HTTP client refused its settings.
    #[error("the http client refused its settings")]
    Setup {
        /// What it said.
        source: Cause,
    },
    /// No answer in time. Whether the server got the request is not known.
    #[error("{host} gave no answer within {limit:?}")]
    Timeout {
        /// The host, with the port where the URL states one.
        host: String,
        /// The limit that was set.
        limit: Duration,
    },
    /// No trusted TLS connection; nothing was sent.
    #[error("no trusted TLS connection to {host}")]
    Tls {
        /// The host, with the port where the URL states one.
        host: String,
        /// What is wrong.
        source: Cause,
    },
    /// More bytes than such an answer may have.
    #[error("the answer of {host} is larger than {limit} bytes")]
    TooLarge {
        /// The host, with the port where the URL states one.
        host: String,
        /// The limit.
        limit: usize,
    },
    /// The name does not resolve, or nobody answers there; nothing was sent.
    #[error("no connection to {host}")]
    Unreached {
        /// The host, with the port where the URL states one.
        host: String,
        /// What the system said.
        source: Cause,
    },
    /// A user agent with control characters.
    #[error("not a usable user agent")]
    UserAgent,
}

impl HttpError {
    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BrokenOff { .. } => "rekor.http.broken-off",
            Self::Coding { .. } => "rekor.http.coding",
            Self::Redirect { .. } => "rekor.http.redirect",
            Self::Roots => "rekor.http.roots",
            Self::Setup { .. } => "rekor.http.setup",
            Self::Timeout { .. } => "rekor.http.timeout",
            Self::Tls { .. } => "rekor.http.tls",
            Self::TooLarge { .. } => "rekor.http.too-large",
            Self::Unreached { .. } => "rekor.http.unreached",
            Self::UserAgent => "rekor.http.user-agent",
        }
    }

    /// What to do, in a sentence for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::BrokenOff { .. } | Self::Timeout { .. } => {
                "try again; the server may have done what was asked for"
            }
            Self::Coding { .. } | Self::TooLarge { .. } => {
                "check the URL; the server is broken, or something else answers there"
            }
            Self::Redirect { .. } => "use the URL to which the service has moved",
            Self::Roots => "give a file with -----BEGIN CERTIFICATE----- blocks",
            Self::Setup { .. } => "this is a defect of the program: please report it",
            Self::Tls { .. } => {
                "check this machine's clock and the host; give the root certificate if the service has a private one"
            }
            Self::Unreached { .. } => {
                "check host, port and network; the service may be down, then try again later"
            }
            Self::UserAgent => "use printable ASCII characters",
        }
    }

    /// Whether the server may have got the request: then nobody knows what came of it.
    pub fn was_sent(&self) -> bool {
        match self {
            Self::BrokenOff { .. }
            | Self::Coding { .. }
            | Self::Redirect { .. }
            | Self::Timeout { .. }
            | Self::TooLarge { .. } => true,
            Self::Roots
            | Self::Setup { .. }
            | Self::Tls { .. }
            | Self::Unreached { .. }
            | Self::UserAgent => false,
        }
    }

    /// The error of a request that has no answer, or not the whole of one.
    pub(super) fn of_exchange(host: &str, error: reqwest::Error) -> Self {
        let (host, error) = (host.to_owned(), error.without_url());
        if !error.is_connect() {
            return Self::BrokenOff { host, source: error.into() };
        }
        match rustls_error(&error).cloned() {
            Some(tls) => Self::Tls { host, source: tls.into() },
            None => Self::Unreached { host, source: error.into() },
        }
    }
}

/// The error of TLS among the causes, also inside an `io::Error`, which its `source()` skips.
fn rustls_error(error: &reqwest::Error) -> Option<&rustls::Error> {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |&last| {
        let inside = last.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
        inside.map(|inner| inner as &(dyn Error + 'static)).or_else(|| last.source())
    })
    .find_map(|cause| cause.downcast_ref())
}
