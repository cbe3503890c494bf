//! What one fetch was: everything that a manifest says about it, and the bytes.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use genten_primitives::{Sha256Digest, Timestamp, encoding};

use crate::completeness::Completeness;
use crate::decoding::DecodeFailure;
use crate::fields::Fields;
use crate::url;

/// The record of one fetch. Only a [`Recorder`](crate::Recorder) makes one.
#[derive(Clone)]
#[non_exhaustive]
pub struct Exchange {
    /// The URL as the caller wrote it.
    pub requested_url: String,
    /// The URL of the final answer, equal to the requested one when nothing redirected.
    pub final_url: String,
    /// What the caller chose; `None` for a plain GET with default fields.
    pub request: Option<RequestFacts>,
    /// The redirects before the final answer, in order.
    pub hops: Vec<Hop>,
    /// Status of the final answer.
    pub status: u16,
    /// Protocol of the final answer.
    pub protocol: Protocol,
    /// Header fields of the final answer.
    pub fields: Fields,
    /// Trailer fields, which no digest covers; they are not authenticated by anything but the connection.
    pub trailers: Fields,
    /// Whether the body is whole.
    pub completeness: Completeness,
    /// Which part came, when it is partial: `Content-Range` of a 206 answer, or the same form for a truncated body.
    pub range: Option<String>,
    /// SHA-256 of the bytes as received: transfer framing removed, content coding kept.
    pub content_sha256: Sha256Digest,
    /// How many bytes those are.
    pub content_bytes: u64,
    /// The body without its content coding, where one was declared and there was a whole body.
    pub decoded: Option<Result<Decoded, DecodeFailure>>,
    /// When the fetch began.
    pub started_at: Timestamp,
    /// When the last byte of the body arrived.
    pub fetched_at: Timestamp,
    /// The TLS connection that delivered the answer; `None` for http.
    pub tls: Option<TlsFacts>,
    /// Whether a proxy was asked for, and so was in between.
    pub proxied: bool,
    /// The other end of the connection (the proxy's, when there was one).
    pub peer: SocketAddr,
    /// Requests and attempts of this fetch.
    pub retrieval: Retrieval,
    /// What a person should know.
    pub warnings: Vec<Warning>,
    /// Where the bytes are.
    pub body: Body,
}

impl Exchange {
    /// The SHA-256 of the decoded body, where decoding worked.
    pub fn decoded_sha256(&self) -> Option<Sha256Digest> {
        self.decoded.as_ref()?.as_ref().ok().map(|decoded| decoded.sha256)
    }
}

impl fmt::Debug for Exchange {
    /// Without what can be secret: values of fields and of credential-like parameters, and the body.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("final_url", &url::displayed_url(&self.final_url))
            .field("hops", &self.hops)
            .field("status", &self.status)
            .field("protocol", &self.protocol)
            .field("completeness", &self.completeness)
            .field("range", &self.range)
            .field("content_sha256", &self.content_sha256)
            .field("content_bytes", &self.content_bytes)
            .field("decoded", &self.decoded)
            .field("fetched_at", &self.fetched_at)
            .field("warnings", &self.warnings)
            .field("body", &self.body)
            .finish_non_exhaustive()
    }
}

/// The body without its content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Its SHA-256.
    pub sha256: Sha256Digest,
    /// Its length.
    pub bytes: u64,
}

/// What the caller chose, as it may be published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestFacts {
    /// The method of the first request.
    pub method: String,
    /// SHA-256 of the request's body.
    pub body_sha256: Option<Sha256Digest>,
    /// The fields that the caller set. Values are empty except for `Accept*`, `User-Agent` and `Sec-Fetch-*` of up to 256
    /// bytes: anything else can be a secret.
    pub headers: Vec<(String, String)>,
    /// Whether a field looks like a credential.
    pub credentials: bool,
}

/// An answer that redirected.
#[derive(Clone)]
pub struct Hop {
    /// The URL that was requested.
    pub url: String,
    /// Status of the answer.
    pub status: u16,
    /// `Location`, verbatim.
    pub location: String,
    /// The TLS connection of this answer.
    pub tls: Option<TlsFacts>,
}

impl fmt::Debug for Hop {
    /// Without what can be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, url::displayed_url(&self.url))
    }
}

/// The protocol of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Protocol {
    /// HTTP/1.1 (and 1.0).
    Http1,
    /// HTTP/2.
    Http2,
}

impl Protocol {
    /// The word in a manifest's `http.protocol`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http1 => "http/1.1",
            Self::Http2 => "h2",
        }
    }
}

/// Facts of one TLS connection, taken by its own handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFacts {
    /// `TLSv1.2` or `TLSv1.3`.
    pub version: &'static str,
    /// SHA-256 of the leaf certificate.
    pub leaf_sha256: Sha256Digest,
    /// SHA-256 of the leaf's SubjectPublicKeyInfo.
    pub spki_sha256: Sha256Digest,
    /// Issuer name of the leaf as RFC 4514 writes it, the last part first (`CN=E5,O=Let's Encrypt,C=US`).
    pub issuer: String,
    /// What kind of authority vouches for the host.
    pub trust: Trust,
    /// Whether a proxy was in between.
    pub proxy: bool,
    /// The certificates as the server sent them, DER, leaf first.
    pub chain: Vec<Vec<u8>>,
    /// The stapled OCSP answer.
    pub ocsp: Option<Vec<u8>>,
    /// The SignedCertificateTimestampList embedded in the leaf, TLS-encoded (RFC 6962 section 3.3).
    pub sct_list: Option<Vec<u8>>,
}

impl TlsFacts {
    /// The manifest's `ct_log_proof` from the embedded list: `sct-list:` and base64url.
    pub fn ct_log_proof(&self) -> Option<String> {
        let list = self.sct_list.as_ref()?;
        Some(format!("sct-list:{}", encoding::base64url(list)))
    }
}

/// What kind of authority vouches for a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trust {
    /// A root that the caller added, such as an office's.
    PrivateRoot,
    /// A root of the embedded Mozilla set; the leaf has no SCTs.
    PublicWithoutSct,
    /// A root of the embedded Mozilla set; the leaf has embedded SCTs (not checked here).
    PublicWithSct,
    /// None: the caller turned verification off.
    Unverified,
}

impl Trust {
    /// The word in a manifest's `tls.trust`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PrivateRoot => "private-root",
            Self::PublicWithoutSct => "public-without-sct",
            Self::PublicWithSct => "public-with-sct",
            Self::Unverified => "unverified",
        }
    }
}

/// How the fetch went, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retrieval {
    /// Requests that were needed: one, and one per redirect.
    pub requests: u64,
    /// Requests that were sent. The recorder never repeats one by itself.
    pub attempts: u64,
    /// What went wrong, by kind.
    pub anomalies: Vec<Anomaly>,
}

/// A kind of trouble and how often it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anomaly {
    /// What it was.
    pub kind: AnomalyKind,
    /// How often.
    pub count: u64,
}

/// Kinds of trouble with a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnomalyKind {
    /// A 4xx answer.
    Http4xx,
    /// A 5xx answer.
    Http5xx,
    /// The body was truncated, contradicted its framing, or did not decode.
    MalformedBody,
    /// A 429 answer.
    RateLimited,
}

impl AnomalyKind {
    /// The word in a manifest's `retrieval.anomalies`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http4xx => "http_4xx",
            Self::Http5xx => "http_5xx",
            Self::MalformedBody => "malformed_body",
            Self::RateLimited => "rate_limited",
        }
    }
}

/// Something that a person should know about an exchange.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// The content coding could not be removed; the bytes as received are recorded all the same.
    #[error("the body does not decode: {0}")]
    Coding(DecodeFailure),
    /// A query parameter looks like a credential and stands in the manifest.
    #[error(
        "the query parameter {name} looks like a credential, and the URL will be in the manifest"
    )]
    CredentialParameter {
        /// The parameter's name; its value is never shown.
        name: String,
    },
    /// A redirect led to another site.
    #[error("redirected to another site, from {from} to {to}")]
    CrossSite {
        /// The host that redirected.
        from: String,
        /// The host of the target.
        to: String,
    },
    /// Several fields where one is allowed; the first is recorded.
    #[error("the answer has several {name} fields")]
    RepeatedField {
        /// The field's name.
        name: &'static str,
    },
    /// An answer that must not have a body has one.
    #[error("an answer with status {status} has a body")]
    UnexpectedBody {
        /// The status.
        status: u16,
    },
}

/// Where the bytes of the body are.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// Only its digest was taken.
    Discarded,
    /// In this file.
    File(PathBuf),
    /// Here.
    Memory(Vec<u8>),
    /// Handed to the caller's writer.
    Written,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discarded => f.write_str("Discarded"),
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Memory(bytes) => write!(f, "Memory({} bytes)", bytes.len()),
            Self::Written => f.write_str("Written"),
        }
    }
}
