//! What a server states of its sources. Every time is given by itself, and a time that is not known stays away: none is ever made
//! from another.

use std::fmt;
use std::str::FromStr;

use genten_manifest::Claims;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_primitives::{Sha256Digest, Timestamp};

use super::content_hash;
use super::formats::day;

/// The `provenance` of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatedProvenance {
    /// When the result was put together; no time of a source.
    pub generated_at: Timestamp,
    /// The sources; at least one.
    pub sources: Vec<StatedSource>,
    /// What was done with them, in order.
    pub transformations: Vec<Transformation>,
    /// What is missing, provisional or estimated. It stands here and not among the data.
    pub warnings: Vec<String>,
}

/// A source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatedSource {
    /// By which data refers to it (`sourceRefs`).
    pub id: String,
    /// What is known of the fetch.
    pub fetched: Fetched,
    /// What the source is.
    pub description: Description,
    /// When it was published.
    pub published_at: Option<Timestamp>,
    /// The day from which it is in force, or as of which it holds.
    pub effective_at: Option<Date>,
    /// The place in it: article, page, paragraph, JSON Pointer.
    pub locator: Option<String>,
    /// Under which terms it may be used.
    pub license: Option<String>,
}

/// What is known of a fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The URL as requested: `uri`.
    pub uri: String,
    /// When it was really fetched, also where the result came from a cache: `retrievedAt`.
    pub retrieved_at: Timestamp,
    /// SHA-256 of the bytes as received: `contentHash`.
    pub content_sha256: Option<Sha256Digest>,
}

/// What a source is. It is read from the source; a host's name is no publisher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// As the source calls itself.
    pub title: String,
    /// Who published it.
    pub publisher: String,
    /// Its kind, one of those that the contract knows.
    pub source_type: String,
}

/// Something that was done with the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transformation {
    /// What kind of thing.
    pub kind: TransformationKind,
    /// In words.
    pub description: String,
    /// The version of the program that did it.
    pub tool_version: Option<String>,
}

/// What is done with sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransformationKind {
    /// A part was taken out.
    Extract,
    /// Some was left out.
    Filter,
    /// The form was changed.
    Normalize,
    /// Many became one.
    Aggregate,
}

impl TransformationKind {
    pub(super) const ALL: [Self; 4] =
        [Self::Extract, Self::Filter, Self::Normalize, Self::Aggregate];

    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Extract => "extract",
            Self::Filter => "filter",
            Self::Normalize => "normalize",
            Self::Aggregate => "aggregate",
        }
    }
}

/// A day, without time or zone: `2026-04-01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(jiff::civil::Date);

/// The text is no day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a day like 2026-04-01")]
pub struct DateError;

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        day(text).map(Self).ok_or(DateError)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What cannot be stated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StatedError {
    /// An empty text says nothing: leave the member away, or say it.
    #[error("{member} is empty")]
    Empty {
        /// The member.
        member: &'static str,
    },
    /// There is no source.
    #[error("no source is stated")]
    NoSource,
}

impl From<&Claims> for Fetched {
    /// As a manifest says it: `source_url`, `fetched_at`, `content_sha256`.
    fn from(claims: &Claims) -> Self {
        Self {
            uri: claims.source_url.as_str().to_owned(),
            retrieved_at: claims.fetched_at,
            content_sha256: Some(claims.content_sha256),
        }
    }
}

impl StatedSource {
    /// A source of which nothing else is known.
    pub fn new(id: impl Into<String>, fetched: Fetched, description: Description) -> Self {
        let (published_at, effective_at) = (None, None);
        let (locator, license) = (None, None);
        Self { id: id.into(), fetched, description, published_at, effective_at, locator, license }
    }

    fn write(&self) -> Result<Vec<u8>, StatedError> {
        let hash = self.fetched.content_sha256.map(content_hash);
        let mut source = ObjectWriter::new();
        text(&mut source, "id", Some(&self.id))?;
        text(&mut source, "uri", Some(&self.fetched.uri))?;
        text(&mut source, "title", Some(&self.description.title))?;
        text(&mut source, "publisher", Some(&self.description.publisher))?;
        text(&mut source, "sourceType", Some(&self.description.source_type))?;
        text(&mut source, "locator", self.locator.as_ref())?;
        text(&mut source, "license", self.license.as_ref())?;
        source
            .text("retrievedAt", Some(&self.fetched.retrieved_at))
            .text("publishedAt", self.published_at.as_ref())
            .text("effectiveAt", self.effective_at.as_ref())
            .optional("contentHash", hash.as_deref());
        Ok(source.finish())
    }
}

impl Transformation {
    fn write(&self) -> Result<Vec<u8>, StatedError> {
        let mut object = ObjectWriter::new();
        object.string("type", self.kind.as_str());
        text(&mut object, "description", Some(&self.description))?;
        text(&mut object, "toolVersion", self.tool_version.as_ref())?;
        Ok(object.finish())
    }
}

impl StatedProvenance {
    /// Sources, with which nothing was done and of which nothing is to be warned.
    pub fn new(generated_at: Timestamp, sources: Vec<StatedSource>) -> Self {
        Self { generated_at, sources, transformations: Vec::new(), warnings: Vec::new() }
    }

    /// The object. Whether its ids are unique and its types known is for the contract.
    pub(super) fn write(&self) -> Result<Vec<u8>, StatedError> {
        if self.sources.is_empty() {
            return Err(StatedError::NoSource);
        }
        if self.warnings.iter().any(String::is_empty) {
            return Err(StatedError::Empty { member: "warnings" });
        }
        let sources = self.sources.iter().map(StatedSource::write);
        let mut object = ObjectWriter::new();
        object.text("generatedAt", Some(&self.generated_at)).raw("sources", &list(sources)?);
        if !self.transformations.is_empty() {
            let done = self.transformations.iter().map(Transformation::write);
            object.raw("transformations", &list(done)?);
        }
        if !self.warnings.is_empty() {
            let mut warnings = ArrayWriter::new();
            for warning in &self.warnings {
                warnings.string(warning);
            }
            object.raw("warnings", &warnings.finish());
        }
        Ok(object.finish())
    }
}

fn list(items: impl Iterator<Item = Result<Vec<u8>, StatedError>>) -> Result<Vec<u8>, StatedError> {
    let mut array = ArrayWriter::new();
    for item in items {
        array.raw(&item?);
    }
    Ok(array.finish())
}

fn text(
    object: &mut ObjectWriter<'static>,
    member: &'static str,
    text: Option<&String>,
) -> Result<(), StatedError> {
    if text.is_some_and(String::is_empty) {
        return Err(StatedError::Empty { member });
    }
    object.optional(member, text.map(String::as_str));
    Ok(())
}
