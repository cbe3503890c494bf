//! The HTTP facts of a fetch: member `http`.

use genten_primitives::Sha256Digest;

use crate::{Completeness, HeaderName, HeaderText, Protocol, SourceUrl};

/// A header field: name and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The field's name.
    pub name: HeaderName,
    /// The value; `None` where it is withheld (written as an empty string).
    pub value: Option<HeaderText>,
}

/// What the caller chose; present unless it was a plain GET with default headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// The method.
    pub method: HeaderName,
    /// Digest of the request's body.
    pub body_sha256: Option<Sha256Digest>,
    /// Headers that the caller set, in order.
    pub headers: Vec<Header>,
    /// Whether credentials were sent; `None` where the manifest does not say.
    pub credentials: Option<bool>,
}

impl HttpRequest {
    /// Whether the caller may have made the content (an echo page): another method than GET or HEAD, a body, or headers
    /// other than `Accept*`, `User-Agent`, `Sec-Fetch-*` and `Authorization`.
    pub fn may_have_made_the_content(&self) -> bool {
        !matches!(self.method.as_str(), "GET" | "HEAD")
            || self.body_sha256.is_some()
            || self.headers.iter().any(Header::may_have_made_the_content)
    }
}

/// Longest value that a harmless header may carry; a longer one can carry content.
const HARMLESS_VALUE: usize = 256;

impl Header {
    /// Whether the field's value is written into a manifest: `Accept*`, `User-Agent` and `Sec-Fetch-*`.
    pub fn is_public(name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        name.starts_with("accept") || name == "user-agent" || name.starts_with("sec-fetch-")
    }

    fn may_have_made_the_content(&self) -> bool {
        let name = self.name.as_str();
        match &self.value {
            Some(value) if value.as_str().len() > HARMLESS_VALUE => true,
            // A public value that is withheld was too long to be written, so that it can carry content.
            None if Self::is_public(name) => true,
            _ => !(Self::is_public(name) || name.eq_ignore_ascii_case("authorization")),
        }
    }
}

/// One redirect that was followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The URL that answered with the redirect.
    pub url: SourceUrl,
    /// Its status.
    pub status: u16,
    /// Its `Location`, word for word.
    pub location: HeaderText,
    /// Digest of the leaf certificate of that connection.
    pub tls_server_cert_sha256: Option<Sha256Digest>,
}

/// The facts of the exchange that delivered the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// Status of the final answer, 100 to 999.
    pub status: u16,
    /// What the caller chose.
    pub request: Option<HttpRequest>,
    /// The URL that delivered the content, when it differs from the requested one.
    pub final_url: Option<SourceUrl>,
    /// The redirects followed, in order.
    pub redirects: Vec<Redirect>,
    /// `Content-Encoding`, word for word.
    pub content_encoding: Option<HeaderText>,
    /// Digest of the content after its coding was undone.
    pub decoded_sha256: Option<Sha256Digest>,
    /// Length of the content as received, in bytes.
    pub content_bytes: Option<u64>,
    /// `Content-Type`, word for word.
    pub media_type: Option<HeaderText>,
    /// `ETag`, word for word.
    pub etag: Option<HeaderText>,
    /// `Last-Modified`, word for word.
    pub last_modified: Option<HeaderText>,
    /// `Date`, word for word.
    pub date: Option<HeaderText>,
    /// `Age`, word for word.
    pub age: Option<HeaderText>,
    /// `Content-Disposition`, word for word.
    pub content_disposition: Option<HeaderText>,
    /// The protocol of the final answer.
    pub protocol: Option<Protocol>,
    /// The upstream's own signature (RFC 9421) and the fields that it covers, word for word.
    pub signature: Vec<Header>,
    /// What the framing says of the body's end.
    pub completeness: Option<Completeness>,
    /// `Content-Range`, word for word, when the answer is a part.
    pub range: Option<HeaderText>,
}

impl Http {
    /// Facts that say no more than a status.
    pub fn with_status(status: u16) -> Self {
        Self {
            status,
            request: None,
            final_url: None,
            redirects: Vec::new(),
            content_encoding: None,
            decoded_sha256: None,
            content_bytes: None,
            media_type: None,
            etag: None,
            last_modified: None,
            date: None,
            age: None,
            content_disposition: None,
            protocol: None,
            signature: Vec::new(),
            completeness: None,
            range: None,
        }
    }
}
