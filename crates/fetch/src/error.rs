//! Every way in which a fetch can fail, each with a stable code and advice.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::time::Duration;

use genten_primitives::Sha256Digest;

use crate::completeness::Cut;
use crate::guard::AddressClass;
use crate::url::{Spelling, UrlError};

/// An error of a library below, kept for `source()`.
pub type Cause = Box<dyn std::error::Error + Send + Sync + 'static>;

/// Why there is no exchange. An answer with status 404 or 500 is an exchange, not an error.
///
/// [`code`](Self::code) never changes for a cause; [`hint`](Self::hint) says what to do. No message contains a header
/// value or a query parameter that looks like a credential.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// No TCP connection to any address of the host.
    #[error("no connection to {host}")]
    Connect {
        /// The host (of the proxy, when one was asked for).
        host: String,
        /// What the system said.
        source: io::Error,
    },
    /// The name does not resolve to an address.
    #[error("the name {host} does not resolve")]
    Dns {
        /// The name.
        host: String,
        /// What the resolver said.
        source: io::Error,
    },
    /// The address guard refused where the request would have gone.
    #[error("{host} is at {address}, which is not a public address ({class})")]
    Guarded {
        /// The host as in the URL.
        host: String,
        /// The refused address.
        address: IpAddr,
        /// Why it is not public.
        class: AddressClass,
    },
    /// The connection or stream ended before a complete answer head.
    #[error("{host} ended the connection without an answer")]
    NoAnswer {
        /// The host.
        host: String,
        /// What the HTTP library said.
        source: Cause,
    },
    /// The answer is about a part of the document, and none was asked for.
    #[error("the answer is a part of the document (206) although the whole was asked for")]
    PartialAnswer,
    /// The peer does not speak HTTP as it must.
    #[error("the answer of {host} breaks the rules of HTTP")]
    Protocol {
        /// The host.
        host: String,
        /// What the HTTP library said.
        source: Cause,
    },
    /// The proxy did not open a way to the host.
    #[error("the proxy did not open a way to {host}")]
    Proxy {
        /// The host behind the proxy.
        host: String,
        /// What the HTTP library said.
        source: Cause,
    },
    /// `Content-Range` and the number of bytes contradict each other.
    #[error("Content-Range announces {announced} bytes, {received} came")]
    RangeMismatch {
        /// Bytes by `Content-Range`.
        announced: u64,
        /// Bytes that came.
        received: u64,
    },
    /// A redirect that is not followed.
    #[error("redirect number {number} is not followed: {reason}")]
    Redirect {
        /// Counted from 1.
        number: usize,
        /// Why.
        reason: RedirectError,
    },
    /// A header or method of the request that this recorder does not send.
    #[error("the request cannot be sent: {reason} ({name})")]
    Request {
        /// Header name or method.
        name: String,
        /// Why.
        reason: RequestError,
    },
    /// The recorder cannot be built from these settings.
    #[error("the recorder cannot be set up: {reason}")]
    Setup {
        /// Why.
        reason: SetupError,
    },
    /// The body could not be stored.
    #[error("the body could not be stored")]
    Sink {
        /// What the system said.
        source: io::Error,
    },
    /// No trusted TLS connection.
    #[error("no trusted TLS connection to {host}: {reason}{}", Issuer(.presented))]
    Tls {
        /// The host.
        host: String,
        /// Why.
        reason: TlsError,
        /// The certificate that the peer showed, where it showed one.
        presented: Option<PresentedCertificate>,
    },
    /// Something took longer than allowed.
    #[error("{waiting_for} took longer than {limit:?}")]
    Timeout {
        /// What was waited for.
        waiting_for: Waiting,
        /// The limit that was set.
        limit: Duration,
    },
    /// More bytes than allowed.
    #[error("the body is larger than {limit} bytes")]
    TooLarge {
        /// The limit that was set.
        limit: u64,
        /// What `Content-Length` announces, where that alone was too much.
        announced: Option<u64>,
    },
    /// The body ended before it was complete.
    #[error("the body is truncated after {received} bytes: {cut}")]
    Truncated {
        /// Bytes that came.
        received: u64,
        /// Bytes by `Content-Length`.
        announced: Option<u64>,
        /// How it ended.
        cut: Cut,
    },
    /// The facts of the connection that delivered the answer are not known.
    #[error("the answer of {host} cannot be tied to a connection")]
    Unbound {
        /// The host.
        host: String,
    },
    /// The URL cannot be requested as it is written.
    #[error(transparent)]
    Url(#[from] UrlError),
}

/// Why a redirect is not followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RedirectError {
    /// The answer has several different `Location` fields.
    #[error("several different locations")]
    Ambiguous,
    /// The request has a body, which may be confidential, and the target is another origin.
    #[error("it would send the request's body to {to}")]
    BodyLeak {
        /// The other host.
        to: String,
    },
    /// The target is another site (registrable domain) and the policy refuses that.
    #[error("it leaves the site, from {from} to {to}")]
    CrossSite {
        /// The host that redirects.
        from: String,
        /// The host of the target.
        to: String,
    },
    /// From https to http.
    #[error("it leads from https to http")]
    Downgrade,
    /// `Location` has characters that no URL may have and that a manifest cannot hold, or raw UTF-8, which browsers read
    /// in another way than the rules for header fields.
    #[error("its location has characters that must be percent-encoded")]
    Encoding {
        /// The target as it should be spelled.
        target: Spelling,
    },
    /// `Location` is no http or https URL, names a user, or is too long.
    #[error("its location is no usable http or https URL")]
    Location,
    /// The same request again.
    #[error("it leads back to an earlier URL of this fetch")]
    Loop,
    /// More than the policy allows.
    #[error("there were already {limit}")]
    TooMany {
        /// The limit that was set.
        limit: usize,
    },
}

/// Why a request cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The name is no token (RFC 9110 section 5.6.2).
    #[error("not a valid name")]
    Name,
    /// Framing, routing and hop-by-hop fields are the recorder's own.
    #[error("the recorder sets this field itself")]
    Reserved,
    /// The method would open a tunnel or echo credentials.
    #[error("not a method that fetches something")]
    Method,
    /// The value has control characters.
    #[error("not a valid value")]
    Value,
}

/// Why a recorder cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The HTTP client refused its settings.
    #[error("the HTTP client refused its settings")]
    Client(#[source] Cause),
    /// A guard cannot see through a proxy to which address a request goes.
    #[error("the address guard cannot see behind a proxy")]
    GuardedProxy,
    /// The proxy URL is not usable.
    #[error("not a proxy URL like http://host:port")]
    Proxy,
    /// No certificate in the PEM text, or a broken one.
    #[error("not certificates in PEM")]
    Roots,
}

/// Why a TLS connection is not trusted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// The certificate is broken or not made for a server.
    #[error("its certificate is not usable ({0})")]
    Certificate(String),
    /// The certificate is that of an authority, which signs certificates and serves nobody.
    #[error("its certificate is that of an authority, not of a server")]
    CertificateAuthority,
    /// The certificate was valid only earlier.
    #[error("its certificate has expired")]
    Expired,
    /// The handshake failed before or after the certificate was judged.
    #[error("the handshake failed ({0})")]
    Handshake(String),
    /// The certificate will be valid only later.
    #[error("its certificate is not valid yet")]
    NotYetValid,
    /// The chain does not end at a trusted root.
    #[error("its certificate does not come from a trusted root")]
    UnknownIssuer,
    /// The certificate is for other names.
    #[error("its certificate is for another host ({})", .names.join(", "))]
    WrongHost {
        /// The names in the certificate.
        names: Vec<String>,
    },
}

/// The leaf certificate of a refused TLS connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedCertificate {
    /// Its issuer's name (empty when the certificate cannot be read).
    pub issuer: String,
    /// SHA-256 of its DER.
    pub sha256: Sha256Digest,
}

/// What a time-out waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Waiting {
    /// The head of the answer.
    Answer,
    /// The next piece of the body.
    Body,
    /// Name, TCP and TLS.
    Connection,
    /// The whole fetch with its redirects.
    Everything,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Answer => "the answer",
            Self::Body => "the next piece of the body",
            Self::Connection => "the connection",
            Self::Everything => "the whole fetch",
        })
    }
}

/// Prints the presented issuer behind the reason; it is a stranger's text, so control characters are escaped.
struct Issuer<'a>(&'a Option<PresentedCertificate>);

impl fmt::Display for Issuer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(certificate) if !certificate.issuer.is_empty() => {
                write!(f, "; presented issuer: {}", certificate.issuer.escape_debug())
            }
            _ => Ok(()),
        }
    }
}
