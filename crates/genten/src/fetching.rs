//! One fetch to sign: the request, where the body goes, and what is signed beside the facts.

use genten_fetch::{Request, Sink};
use genten_manifest::{RequestBinding, SourceClass};
use genten_primitives::Sha256Digest;

use crate::{RevisionFrom, Terms};

/// Largest body that is kept in memory unless the caller says otherwise: 32 MiB.
const MEMORY: u64 = 32 << 20;

/// What [`Genten::fetch`](crate::Genten::fetch) takes; a URL or a [`Request`] alone will do.
///
/// ```
/// # use genten::jws::{Algorithm, LocalSigner, SecretKey};
/// # use genten_testkit::{Answer, HttpsSite};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let law = Answer::ok("Article 1.").header("etag", "\"v7\"");
/// # let site = HttpsSite::builder().route("/law", law).start().await?;
/// # let (url, key) = (site.url("/law"), SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32])?);
/// # let genten = genten::Genten::builder().signer(LocalSigner::did_key(key)).build()?;
/// use genten::manifest::SourceClass;
/// use genten::{Fetch, RevisionFrom};
///
/// let fetch = Fetch::get(url).class(SourceClass::Revisioned).revision(RevisionFrom::Etag);
/// let attested = genten.fetch(fetch).await?;
/// assert_eq!(attested.body(), Some(&b"Article 1."[..]));
/// let revision = attested.manifest.claims.source_revision.expect("the server sends an ETag");
/// assert_eq!(revision.as_str(), "\"v7\"");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Fetch<'w> {
    pub(crate) request: Request,
    pub(crate) sink: Sink<'w>,
    pub(crate) terms: Terms,
}

impl<'w> Fetch<'w> {
    /// A GET whose body stays in memory, up to 32 MiB.
    pub fn get(url: impl Into<String>) -> Self {
        Self::new(Request::get(url))
    }

    /// Any request.
    pub fn new(request: Request) -> Self {
        Self { request, sink: Sink::Memory { limit: MEMORY }, terms: Terms::default() }
    }

    /// Where the body goes.
    #[must_use]
    pub fn sink(mut self, sink: Sink<'w>) -> Self {
        self.sink = sink;
        self
    }

    /// How the source behaves over time.
    #[must_use]
    pub fn class(mut self, class: SourceClass) -> Self {
        self.terms.class = Some(class);
        self
    }

    /// Where the source's revision is found.
    #[must_use]
    pub fn revision(mut self, revision: RevisionFrom) -> Self {
        self.terms.revision = Some(revision);
        self
    }

    /// The call and the result that the fetch was made for.
    #[must_use]
    pub fn bind(mut self, result_sha256: Sha256Digest, request: Option<RequestBinding>) -> Self {
        self.terms.result_sha256 = Some(result_sha256);
        self.terms.request = request;
        self
    }

    /// What is signed beside the facts, as far as it is known.
    pub fn stated_terms(&self) -> &Terms {
        &self.terms
    }

    /// All that is signed beside the facts.
    #[must_use]
    pub fn terms(mut self, terms: Terms) -> Self {
        self.terms = terms;
        self
    }
}

impl From<&str> for Fetch<'_> {
    fn from(url: &str) -> Self {
        Self::get(url)
    }
}

impl From<String> for Fetch<'_> {
    fn from(url: String) -> Self {
        Self::get(url)
    }
}

impl From<Request> for Fetch<'_> {
    fn from(request: Request) -> Self {
        Self::new(request)
    }
}
