//! The digest that binds a manifest to the whole result that carries it: `result_sha256`.
//!
//! It is the SHA-256 of the canonical JSON (RFC 8785) of `{"blocks":[…],"is_error":…,"structured":…}`, with one digest for each
//! content block, and without `structured` where there is no structured content. Every block is covered; `_meta`,
//! annotations, icons and sizes are not, since clients change them.
//!
//! ```
//! let result = br#"{"content":[{"type":"text","text":"{\"article\":1}"}],"structuredContent":{"article":1.0}}"#;
//! let bound = genten_mcp::binding::bind(result)?;
//! let saved = br#"{"structuredContent":{"article":1},"content":[{"text":"{\"article\":1}","type":"text"}],"isError":false}"#;
//! assert_eq!(genten_mcp::binding::bind(saved)?, bound, "as another client has saved it");
//! # Ok::<(), genten_mcp::binding::BindError>(())
//! ```

mod block;
mod object;

use genten_primitives::Sha256Digest;
use genten_primitives::json::{self, JsonError, Kind, Limits, MAX_INTEGER, Value};
use url::Url;

pub use block::BlockFault;
pub use object::{ResultObject, ShapeError};

/// The largest result, in bytes.
pub const MAX_RESULT_BYTES: usize = 64 << 20;

/// How deep values may be nested.
pub const MAX_DEPTH: usize = 128;

/// Why no manifest is bound to a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// A content block that cannot be covered.
    #[error("{path}: {fault}")]
    Block {
        /// The block.
        path: String,
        /// What is wrong with it.
        fault: BlockFault,
    },
    /// Not JSON that all clients read alike.
    #[error("the result is no JSON that every client reads alike: {0}")]
    Json(#[from] JsonError),
    /// An integer that clients in JavaScript would change.
    #[error(
        "{path}: an integer outside ±(2^53 - 1), which clients in JavaScript would change; write it as a string"
    )]
    Integer {
        /// Where it stands.
        path: String,
    },
    /// Neither a tool's result nor a resource's.
    #[error("no result of a tool or resource: {0}")]
    Shape(#[from] ShapeError),
    /// A member that the digest does not cover and that a reader might take for attested.
    #[error("{path}: no member that the digest covers")]
    Uncovered {
        /// Where it stands.
        path: String,
    },
    /// A URI that clients would change.
    #[error("{path}: a URI that clients would write otherwise: {normal}")]
    Uri {
        /// Where it stands.
        path: String,
        /// As it has to be written.
        normal: String,
    },
}

impl BindError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Block { .. } => "bind.block",
            Self::Json(error) => error.rule.code(),
            Self::Integer { .. } => "bind.integer",
            Self::Shape(_) => "bind.shape",
            Self::Uncovered { .. } => "bind.uncovered",
            Self::Uri { .. } => "bind.uri",
        }
    }
}

/// The digest of a result of a tool (`content`, `structuredContent`, `isError`) or of a resource (`contents`), for whoever is
/// about to sign it. What could reach a reader otherwise than it was signed is refused.
///
/// # Errors
/// Not such a result; a block of another type; a member that is not covered; a number or URI that clients would change.
pub fn bind(result: &[u8]) -> Result<Sha256Digest, BindError> {
    let limits = Limits { bytes: MAX_RESULT_BYTES, depth: MAX_DEPTH };
    let document = json::read_foreign(result, limits)?;
    let object = ResultObject::read(document.root())?;
    let digest = object.digest()?;
    if let Some(path) = object.uncovered().next() {
        return Err(BindError::Uncovered { path });
    }
    object.structured().map_or(Ok(()), refuse_large_integers)?;
    object.uris().try_for_each(refuse_other_spelling)?;
    Ok(digest)
}

/// The digest of data alone, as in `{"data": …, "provenance": …}`.
///
/// # Errors
/// Not JSON, or an integer that clients would change.
pub fn bind_data(data: &[u8]) -> Result<Sha256Digest, BindError> {
    let document = json::read_foreign(data, Limits { bytes: MAX_RESULT_BYTES, depth: MAX_DEPTH })?;
    refuse_large_integers(document.root())?;
    ResultObject::of_data(document.root()).digest()
}

/// Refuses integers that clients in JavaScript would change.
pub(crate) fn refuse_large_integers(value: Value<'_>) -> Result<(), BindError> {
    let text = value.raw_text();
    let is_integer = value.kind() == Kind::Number && !text.contains(['.', 'e', 'E']);
    let is_safe = |number: i64| (-MAX_INTEGER..=MAX_INTEGER).contains(&number);
    if is_integer && !text.parse().is_ok_and(is_safe) {
        return Err(BindError::Integer { path: value.path() });
    }
    value.items().into_iter().flatten().try_for_each(refuse_large_integers)?;
    value.members().into_iter().flatten().try_for_each(|(_, value)| refuse_large_integers(value))
}

fn refuse_other_spelling(uri: Value<'_>) -> Result<(), BindError> {
    let text = uri.as_str().unwrap_or_default();
    let normal = Url::parse(&text).map(String::from).unwrap_or_default();
    match normal == text {
        true => Ok(()),
        false => Err(BindError::Uri { path: uri.path(), normal }),
    }
}
