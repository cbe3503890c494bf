//! What the caller asks for.

use std::time::Duration;

use bytes::Bytes;

use crate::range::ByteRange;
use crate::redirect::RedirectPolicy;

/// One fetch: a URL and how to ask for it.
///
/// Nothing is checked before [`Recorder::fetch`](crate::Recorder::fetch), which refuses what it cannot send as written.
///
/// ```
/// use genten_fetch::{CrossSite, RedirectPolicy, Request};
/// let request = Request::get("https://www.rfc-editor.org/rfc/rfc9421.txt")
///     .header("accept-language", "en")
///     .max_bytes(16 << 20)
///     .redirects(RedirectPolicy::limited(3).cross_site(CrossSite::Refuse));
/// assert_eq!(request.url(), "https://www.rfc-editor.org/rfc/rfc9421.txt");
/// ```
#[derive(Clone)]
pub struct Request {
    pub(crate) url: String,
    pub(crate) method: String,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Option<Bytes>,
    pub(crate) range: Option<ByteRange>,
    pub(crate) allow_partial: bool,
    pub(crate) max_bytes: Option<u64>,
    pub(crate) idle_timeout: Duration,
    pub(crate) total_timeout: Option<Duration>,
    pub(crate) redirects: RedirectPolicy,
}

impl Request {
    /// A GET of `url`.
    pub fn get(url: impl Into<String>) -> Self {
        Self::new("GET", url)
    }

    /// A request with another method, upper case as it is sent.
    pub fn new(method: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            method: method.into(),
            headers: Vec::new(),
            body: None,
            range: None,
            allow_partial: false,
            max_bytes: None,
            idle_timeout: Duration::from_secs(60),
            total_timeout: None,
            redirects: RedirectPolicy::default(),
        }
    }

    /// The URL as it was given.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Adds a header field. Fields of framing, routing and the connection (`Host`, `Content-Length`, `Connection` …) are
    /// the recorder's own and refused.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// The body to send.
    pub fn body(mut self, bytes: impl Into<Bytes>) -> Self {
        self.body = Some(bytes.into());
        self
    }

    /// Asks for a part of the document. Without this no `Range` is sent.
    pub fn range(mut self, range: impl Into<ByteRange>) -> Self {
        self.range = Some(range.into());
        self
    }

    /// Accepts truncated bodies, and 206 answers that were not asked for; they are marked as partial. Off by default.
    pub fn allow_partial(mut self, allow: bool) -> Self {
        self.allow_partial = allow;
        self
    }

    /// Largest body in bytes (content coding not removed). No limit by default.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// Longest wait for the head of each answer and for each piece of the body; 60 seconds by default.
    pub fn idle_timeout(mut self, limit: Duration) -> Self {
        self.idle_timeout = limit;
        self
    }

    /// Longest time for the whole fetch with its redirects. No limit by default: a server that drips bytes is only
    /// stopped by this.
    pub fn total_timeout(mut self, limit: Duration) -> Self {
        self.total_timeout = Some(limit);
        self
    }

    /// Which redirects to follow.
    pub fn redirects(mut self, policy: RedirectPolicy) -> Self {
        self.redirects = policy;
        self
    }
}

impl std::fmt::Debug for Request {
    /// Shows neither header values nor the query: both can be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &crate::url::displayed_url(&self.url))
            .field("headers", &self.headers.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_has_no_secrets() {
        let request = Request::get("https://h/?token=s3cret").header("authorization", "s3cret");
        assert!(!format!("{request:?}").contains("s3cret"));
    }
}
