//! A result as it stands in JSON: of a tool, of a resource, or data alone, in the spellings of the SDKs.

use genten_primitives::Sha256Digest;
use genten_primitives::json::{ArrayWriter, Kind, ObjectWriter, Value};

use super::{BindError, block};

/// One member is spelled in two ways in one object: which of them a reader takes is anybody's guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("both {one} and {other}: two spellings of one member")]
pub struct SpellingError {
    one: &'static str,
    other: &'static str,
}

/// Why a value is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A member of the wrong type.
    #[error("{member} is of another type than the protocol gives it")]
    Member {
        /// Its name.
        member: &'static str,
    },
    /// No member of a result.
    #[error("neither content, contents nor structuredContent")]
    NoResult,
    /// One member is spelled in two ways.
    #[error(transparent)]
    Spelling(#[from] SpellingError),
}

/// Members of a result that are its own and that no digest covers: they say nothing about content.
const ASIDE: &[&str] =
    &["_meta", "meta", "resultType", "result_type", "ttlMs", "ttl_ms", "cacheScope", "cache_scope"];

const STRUCTURED: &[&str] = &["structuredContent", "structured_content"];
const IS_ERROR: &[&str] = &["isError", "is_error"];
const META: &[&str] = &["_meta", "meta"];

/// A result, as far as it can be bound.
#[derive(Clone, Debug)]
pub struct ResultObject<'d> {
    object: Option<Value<'d>>,
    structured: Option<Value<'d>>,
    blocks: Vec<Value<'d>>,
    is_resource: bool,
    is_error: bool,
    meta: Option<Value<'d>>,
}

impl<'d> ResultObject<'d> {
    /// The result in `value`, in the spelling of the wire or of an SDK.
    ///
    /// # Errors
    /// It is none.
    pub fn read(value: Value<'d>) -> Result<Self, ShapeError> {
        if value.kind() != Kind::Object {
            return Err(ShapeError::NoResult);
        }
        let structured = spelled(value, STRUCTURED)?;
        let (content, contents) = (list(value, "content")?, list(value, "contents")?);
        let is_resource = content.is_none() && contents.is_some();
        let is_error = match spelled(value, IS_ERROR)? {
            None => false,
            Some(flag) => flag.as_bool().ok_or(ShapeError::Member { member: "isError" })?,
        };
        let meta = spelled(value, META)?;
        if content.is_none() && contents.is_none() && structured.is_none() {
            return Err(ShapeError::NoResult);
        }
        let blocks = content.or(contents.filter(|_| is_resource)).unwrap_or_default();
        Ok(Self { object: Some(value), structured, blocks, is_resource, is_error, meta })
    }

    /// Data alone: structured content without blocks.
    pub fn of_data(data: Value<'d>) -> Self {
        let structured = Some(data).filter(|data| data.kind() != Kind::Null);
        let (blocks, meta) = (Vec::new(), None);
        Self { object: None, structured, blocks, is_resource: false, is_error: false, meta }
    }

    /// Whether the tool says that it failed.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The structured content; `None` where it is absent or null.
    pub fn structured(&self) -> Option<Value<'d>> {
        self.structured
    }

    /// The content blocks, or the contents of a resource.
    pub fn blocks(&self) -> &[Value<'d>] {
        &self.blocks
    }

    /// Whether it is the result of `resources/read`.
    pub fn is_resource(&self) -> bool {
        self.is_resource
    }

    /// `_meta`.
    pub fn meta(&self) -> Option<Value<'d>> {
        self.meta
    }

    /// The digest: `result_sha256`. It covers every block.
    ///
    /// # Errors
    /// A block that cannot be covered.
    pub fn digest(&self) -> Result<Sha256Digest, BindError> {
        let mut blocks = ArrayWriter::new();
        for one in &self.blocks {
            let digest = if self.is_resource { block::contents_digest } else { block::digest };
            let digest =
                digest(*one).map_err(|fault| BindError::Block { path: one.path(), fault })?;
            blocks.string(&digest.to_string());
        }
        let mut result = ObjectWriter::new();
        result.raw("blocks", &blocks.finish()).boolean("is_error", self.is_error);
        let mut structured = Vec::new();
        if let Some(value) = self.structured {
            value.write_canonical(&mut structured);
            result.raw("structured", &structured);
        }
        Ok(Sha256Digest::of(&result.finish()))
    }

    /// The paths of members that the digest does not cover, other than those that say nothing about content.
    pub fn uncovered(&self) -> impl Iterator<Item = String> {
        let own = if self.is_resource { "contents" } else { "content" };
        let members = self.object.and_then(Value::members).into_iter().flatten();
        let beside = members.filter_map(move |(name, value)| {
            let known = [&[own][..], STRUCTURED, IS_ERROR, ASIDE].concat();
            let is_known = known.contains(&&name[..]) || value.kind() == Kind::Null;
            (!is_known).then(|| value.path())
        });
        let blocks = self.blocks.iter().flat_map(|one| block::uncovered(*one, self.is_resource));
        beside.chain(blocks)
    }

    /// The URIs in its blocks.
    pub(super) fn uris(&self) -> impl Iterator<Item = Value<'d>> {
        self.blocks.iter().flat_map(|one| block::uris(*one, self.is_resource))
    }
}

/// The member under the one of its spellings that is used; `None` where it is absent or null.
pub(super) fn spelled<'d>(
    object: Value<'d>,
    names: &'static [&'static str],
) -> Result<Option<Value<'d>>, SpellingError> {
    let mut found = names.iter().filter_map(|name| Some((*name, object.get(name)?)));
    match (found.next(), found.next()) {
        (Some((one, _)), Some((other, _))) => Err(SpellingError { one, other }),
        (first, _) => Ok(first.map(|(_, value)| value).filter(|value| value.kind() != Kind::Null)),
    }
}

fn list<'d>(object: Value<'d>, name: &'static str) -> Result<Option<Vec<Value<'d>>>, ShapeError> {
    match object.get(name).filter(|value| value.kind() != Kind::Null) {
        None => Ok(None),
        Some(value) => match value.items() {
            Some(items) => Ok(Some(items.collect())),
            None => Err(ShapeError::Member { member: name }),
        },
    }
}
