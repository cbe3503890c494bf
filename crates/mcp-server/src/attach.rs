//! Manifests for a result: one for each source, bound to the whole result and to its call.

use std::sync::Arc;

use genten::{Attested, Error, Genten, Terms};
use genten_manifest::{Bound, FetchPosition, RequestBinding};
use genten_mcp::binding::{BindError, bind};
use genten_mcp::call::{Call, CallError};
use genten_mcp::meta_key::{MANIFESTS, MetaPrefix};
use genten_mcp::saved::MAX_MANIFESTS;
use genten_primitives::Sha256Digest;
use serde_json::{Map, Value};

use crate::Fetches;
use crate::fetches::Source;

/// Whether results of a tool need a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sources {
    /// The tool takes nothing from elsewhere. What it records all the same is attested.
    None,
    /// Results may be made without one.
    Optional,
    /// A result without a source is an error.
    #[default]
    Required,
}

/// What stands behind the results of a server: who signs, and under which prefix in `_meta`.
#[derive(Clone)]
pub struct Provenance {
    genten: Genten,
    prefix: MetaPrefix,
    sources: Sources,
    tools: Vec<(String, Sources)>,
    reword: Option<Reword>,
}

/// What a caller reads instead of what a tool said of its failure: by the tool's name and its words.
type Reword = Arc<dyn Fn(&str, &str) -> String + Send + Sync>;

/// Why a result cannot carry its provenance. It must not leave the server as a success.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AttachError {
    /// The result holds what could reach a reader otherwise than it was signed.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The call is none.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The result is not the JSON object that the protocol wants.
    #[error("the result is no JSON object")]
    NoObject,
    /// The tool needs sources, and recorded none.
    #[error("no source was recorded for this result")]
    NoSource,
    /// More than [`MAX_MANIFESTS`], which no reader takes.
    #[error("more than {MAX_MANIFESTS} sources for one result")]
    TooManySources,
    /// A manifest could not be signed or recorded.
    #[error(transparent)]
    Sign(#[from] Error),
}

impl AttachError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Bind(error) => error.code(),
            Self::Call(_) => "mcp.call",
            Self::NoObject => "mcp.no-object",
            Self::NoSource => "mcp.no-source",
            Self::TooManySources => "mcp.too-many-sources",
            Self::Sign(error) => error.code(),
        }
    }
}

impl Provenance {
    /// Manifests by this producer, under the prefix `dev.genten`; every tool needs sources.
    pub fn new(genten: Genten) -> Self {
        let (prefix, sources) = (MetaPrefix::default(), Sources::default());
        Self { genten, prefix, sources, tools: Vec::new(), reword: None }
    }

    /// Under another prefix, best a domain of one's own in reverse.
    #[must_use]
    pub fn prefix(mut self, prefix: MetaPrefix) -> Self {
        self.prefix = prefix;
        self
    }

    /// Whether tools need sources that nothing else is said of.
    #[must_use]
    pub fn sources(mut self, sources: Sources) -> Self {
        self.sources = sources;
        self
    }

    /// Whether this tool needs sources.
    #[must_use]
    pub fn tool(mut self, name: impl Into<String>, sources: Sources) -> Self {
        self.tools.push((name.into(), sources));
        self
    }

    /// What a caller reads when a tool says that it failed: texts of exceptions can hold addresses, names and secrets. `words` gets
    /// the tool's name and its texts, can write them to a log, and gives what is sent in their place. Without this, texts of
    /// tools are sent as they are.
    ///
    /// ```no_run
    /// # use genten_mcp_server::Provenance;
    /// # fn set(provenance: Provenance) -> Provenance {
    /// provenance.reword_errors(|tool, text| {
    ///     eprintln!("{tool}: {text}");
    ///     "the source could not be read; try again later".to_owned()
    /// })
    /// # }
    /// ```
    #[must_use]
    pub fn reword_errors(
        mut self,
        words: impl Fn(&str, &str) -> String + Send + Sync + 'static,
    ) -> Self {
        self.reword = Some(Arc::new(words));
        self
    }

    /// What a caller reads of a failure; `None` where it is sent as the tool said it.
    pub(crate) fn reworded(&self, tool: &str, text: &str) -> Option<String> {
        self.reword.as_ref().map(|words| words(tool, text))
    }

    /// The fetches of a new call.
    pub fn fetches(&self) -> Fetches {
        Fetches::new(self.genten.clone())
    }

    /// Signs one manifest for each source of a result, and puts them into its `_meta`. An error result, which proves nothing,
    /// stays as it is, and so does one that says that its source could not be reached. Manifests that stand there already under
    /// this prefix give way.
    ///
    /// `result` is the result as it will be sent: an object with `content`, `structuredContent` and `isError`, or with the
    /// `contents` of a resource.
    ///
    /// # Errors
    /// The result cannot be bound, its source is missing, or signing failed: nothing must be sent then but an error.
    pub async fn attach(
        &self,
        call: &Call,
        fetches: &Fetches,
        result: &mut Map<String, Value>,
    ) -> Result<Vec<Attested>, AttachError> {
        if result.get("isError") == Some(&Value::Bool(true)) {
            return Ok(Vec::new());
        }
        // What a tool passes on of another server's must not stand where ours do.
        if let Some(meta) = result.get_mut("_meta").and_then(Value::as_object_mut) {
            meta.remove(&self.prefix.key(MANIFESTS));
        }
        let sources = fetches.take();
        if sources.is_empty() {
            let needs_source = self.sources_of(&call.bound) == Sources::Required;
            return match needs_source && !fetches.is_unreached() {
                true => Err(AttachError::NoSource),
                false => Ok(Vec::new()),
            };
        }
        let bytes = serde_json::to_vec(result).map_err(|_| AttachError::NoObject)?;
        let signed = self.sign(call, bind(&bytes)?, sources).await?;
        let manifests = signed.iter().map(|one| serde_json::from_slice(&one.manifest.to_json()));
        let manifests = manifests.collect::<Result<Vec<Value>, _>>();
        let manifests = manifests.map_err(|_| AttachError::NoObject)?;
        let meta = result.entry("_meta").or_insert_with(|| Value::Object(Map::new()));
        let meta = meta.as_object_mut().ok_or(AttachError::NoObject)?;
        meta.insert(self.prefix.key(MANIFESTS), Value::Array(manifests));
        Ok(signed)
    }

    async fn sign(
        &self,
        call: &Call,
        result_sha256: Sha256Digest,
        sources: Vec<Source>,
    ) -> Result<Vec<Attested>, AttachError> {
        let of = u32::try_from(sources.len()).ok().filter(|_| sources.len() <= MAX_MANIFESTS);
        let of = of.ok_or(AttachError::TooManySources)?;
        let mut signed = Vec::with_capacity(sources.len());
        for (index, source) in (0..of).zip(sources) {
            let request = RequestBinding {
                bound: call.bound.clone(),
                fetch: FetchPosition::new(index, of),
                nonce: call.nonce.clone(),
            };
            let bound = |terms: Terms| Terms {
                result_sha256: Some(result_sha256),
                request: Some(request),
                ..terms
            };
            signed.push(match source {
                Source::Recorded(exchange, terms) => {
                    self.genten.sign_exchange(*exchange, &bound(terms)).await?
                }
                Source::Reported(mut facts) => {
                    facts.terms = bound(std::mem::take(&mut facts.terms));
                    self.genten.attest(&facts).await?
                }
                Source::Cached(earlier, terms) => {
                    self.genten.attest_cached(&earlier, &bound(terms)).await?
                }
            });
        }
        Ok(signed)
    }

    fn sources_of(&self, bound: &Bound) -> Sources {
        let Bound::Tool { name, .. } = bound else { return self.sources };
        let own = self.tools.iter().rev().find(|(tool, _)| tool == name.as_str());
        own.map_or(self.sources, |(_, sources)| *sources)
    }
}
