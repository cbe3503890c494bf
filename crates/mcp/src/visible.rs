//! Sources that a result shows to its reader: those of a provenance outputSchema (`sources[]` with `uri` and `retrievedAt`), and
//! blocks of the provenance contract (`source_url` and `retrieved_at`). Who reads the result sees them, not the manifests: the
//! two must agree.

use genten_manifest::{Claims, SourceUrl};
use genten_primitives::json::Value;
use genten_primitives::{Sha256Digest, Timestamp};
use jiff::Timestamp as Instant;

use crate::output::digest_of_content_hash;
use crate::saved::Saved;

/// Most sources of one result that are compared.
pub const MAX_SOURCES: usize = 4096;

/// A source as a result shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleSource {
    /// Where it stands.
    pub path: String,
    /// The URL.
    pub url: String,
    /// When it was retrieved; `None` where that is not given, or not as a moment.
    pub retrieved: Option<Instant>,
    /// The digest of its content, where it is given.
    pub sha256: Option<Result<Sha256Digest, String>>,
}

/// How a visible source stands to the manifests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// One manifest says the same.
    Attested,
    /// Manifests with its URL say something else.
    Contradicted,
    /// No manifest has its URL.
    Unattested,
}

impl VisibleSource {
    /// How it stands to what the manifests of its result say.
    pub fn standing<'c>(&self, claims: impl IntoIterator<Item = &'c Claims>) -> Standing {
        let mut standing = Standing::Unattested;
        for one in claims.into_iter().filter(|one| self.is_at(one)) {
            if self.agrees(one) {
                return Standing::Attested;
            }
            standing = Standing::Contradicted;
        }
        standing
    }

    fn is_at(&self, claims: &Claims) -> bool {
        let urls: [&SourceUrl; 2] = [&claims.source_url, claims.final_url()];
        urls.iter().any(|url| url.as_str() == self.url)
    }

    fn agrees(&self, claims: &Claims) -> bool {
        let seconds = |time: Timestamp| time.as_millis().div_euclid(1000);
        let same_time =
            self.retrieved.is_none_or(|found| found.as_second() == seconds(claims.fetched_at));
        let same_bytes = self.sha256.as_ref().is_none_or(|found| {
            let stated = [Some(claims.content_sha256), claims.decoded_sha256()];
            found.as_ref().is_ok_and(|found| stated.contains(&Some(*found)))
        });
        same_time && same_bytes
    }
}

/// The sources that a result shows, in its structured content and in `_meta`; at most [`MAX_SOURCES`], and whether there are
/// more.
pub fn visible_sources(saved: &Saved<'_>) -> (Vec<VisibleSource>, bool) {
    let object = saved.object();
    let structured = object.and_then(|object| object.structured());
    let meta = object.and_then(|object| object.meta());
    let meta = meta.and_then(Value::members).into_iter().flatten();
    let copies = meta.filter(|(key, _)| key.ends_with("/provenance")).map(|(_, value)| value);
    let shown = structured.and_then(|structured| structured.get("provenance"));
    let mut found = Vec::new();
    for provenance in shown.into_iter().chain(copies) {
        of_schema(provenance, &mut found);
        of_contract(provenance, &mut found);
    }
    let is_more = found.len() > MAX_SOURCES;
    found.truncate(MAX_SOURCES);
    (found, is_more)
}

/// `{"generatedAt", "sources": [{"uri", "retrievedAt", "contentHash"?}]}`
fn of_schema(provenance: Value<'_>, found: &mut Vec<VisibleSource>) {
    let sources = provenance.get("sources").and_then(Value::items);
    found.extend(
        sources
            .into_iter()
            .flatten()
            .take(MAX_SOURCES + 1)
            .filter_map(|source| visible(source, ["uri", "retrievedAt"])),
    );
}

/// A block or several, each with the slices of its source. The time of a block with slices is the oldest among them, and so none of
/// its own.
fn of_contract(provenance: Value<'_>, found: &mut Vec<VisibleSource>) {
    let blocks = provenance.items().map_or(vec![provenance], Iterator::collect);
    for block in blocks {
        let slices = block.get("field_sources").and_then(Value::items);
        let slices = slices.into_iter().flatten().take(MAX_SOURCES);
        let slices: Vec<_> = slices.filter_map(|one| visible(one, CONTRACT)).collect();
        let own = visible(block, CONTRACT);
        found.extend(own.map(|own| match slices.is_empty() {
            true => own,
            false => VisibleSource { retrieved: None, ..own },
        }));
        found.extend(slices);
    }
}

const CONTRACT: [&str; 2] = ["source_url", "retrieved_at"];

fn visible(source: Value<'_>, [url, time]: [&str; 2]) -> Option<VisibleSource> {
    let text = |name: &str| source.get(name).and_then(Value::as_str);
    let sha256 =
        text("contentHash").map(|hash| digest_of_content_hash(&hash).ok_or(hash.into_owned()));
    Some(VisibleSource {
        path: source.path(),
        url: text(url)?.into_owned(),
        // A time without an offset is no moment.
        retrieved: text(time).and_then(|time| time.parse().ok()),
        sha256,
    })
}
