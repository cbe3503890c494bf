//! Reading other people's JSON documents: unknown members are passed over, known ones are strict.
//!
//! As in protobuf JSON a member whose value is `null` counts as absent.

use genten_primitives::encoding::{EncodingError, from_base64};
use genten_primitives::json::{JsonError, Kind, Value};

use crate::{Moment, Window};

/// Why a member of a CT log list, a trusted root or a signing config is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// Not canonical base64 with padding.
    #[error("{path} is not base64")]
    Base64 {
        /// Where it stands.
        path: String,
        /// Which rule it broke.
        source: EncodingError,
    },
    /// Not strict JSON.
    #[error("document is not strict json")]
    Json(#[from] JsonError),
    /// A required member that is absent or `null`.
    #[error("{path} has no member {member}")]
    Missing {
        /// The object.
        path: String,
        /// The member's name.
        member: &'static str,
    },
    /// Not a time like 2026-11-30T08:15:00Z, with up to nine digits of a second.
    #[error("{path} is not a time in utc")]
    Time {
        /// Where it stands.
        path: String,
    },
    /// A list that is longer than it may be.
    #[error("{path} has {found} entries, of at most {limit}")]
    TooMany {
        /// The list.
        path: String,
        /// How many it has.
        found: usize,
        /// How many it may have.
        limit: usize,
    },
    /// Another JSON type, or a number out of range.
    #[error("{path} has the wrong json type")]
    Type {
        /// Where it stands.
        path: String,
    },
    /// A window that ends before it starts.
    #[error("{path} ends at {end}, before its start {start}")]
    Window {
        /// Where it stands.
        path: String,
        /// Its start.
        start: Moment,
        /// Its end.
        end: Moment,
    },
}

/// A member that is neither absent nor `null`.
pub(crate) fn optional<'d>(object: Value<'d>, member: &str) -> Option<Value<'d>> {
    object.get(member).filter(|value| value.kind() != Kind::Null)
}

pub(crate) fn required<'d>(
    object: Value<'d>,
    member: &'static str,
) -> Result<Value<'d>, DocumentError> {
    if object.kind() != Kind::Object {
        return Err(wrong_type(object));
    }
    optional(object, member).ok_or_else(|| DocumentError::Missing { path: object.path(), member })
}

pub(crate) fn wrong_type(value: Value<'_>) -> DocumentError {
    DocumentError::Type { path: value.path() }
}

pub(crate) fn text(value: Value<'_>) -> Result<String, DocumentError> {
    value.as_str().map(|text| text.into_owned()).ok_or_else(|| wrong_type(value))
}

/// A string member; `None` when it is absent.
pub(crate) fn optional_text(
    object: Value<'_>,
    member: &str,
) -> Result<Option<String>, DocumentError> {
    optional(object, member).map(text).transpose()
}

pub(crate) fn number(value: Value<'_>) -> Result<u32, DocumentError> {
    value.as_i64().and_then(|number| number.try_into().ok()).ok_or_else(|| wrong_type(value))
}

pub(crate) fn bytes(value: Value<'_>) -> Result<Vec<u8>, DocumentError> {
    let text = value.as_str().ok_or_else(|| wrong_type(value))?;
    from_base64(&text).map_err(|source| DocumentError::Base64 { path: value.path(), source })
}

pub(crate) fn moment(value: Value<'_>) -> Result<Moment, DocumentError> {
    let text = value.as_str().ok_or_else(|| wrong_type(value))?;
    Moment::from_rfc3339(&text).ok_or_else(|| DocumentError::Time { path: value.path() })
}

/// `{"start": …, "end": …}`, where only the end may be absent.
pub(crate) fn window(value: Value<'_>) -> Result<Window, DocumentError> {
    let start = moment(required(value, "start")?)?;
    match optional(value, "end").map(moment).transpose()? {
        Some(end) if end < start => Err(DocumentError::Window { path: value.path(), start, end }),
        end => Ok(Window { start, end }),
    }
}

/// The entries of a list, each read by `read`; an absent list is empty.
pub(crate) fn list<'d, T, E: From<DocumentError>>(
    object: Value<'d>,
    member: &str,
    limit: usize,
    mut read: impl FnMut(Value<'d>) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let Some(value) = optional(object, member) else { return Ok(Vec::new()) };
    let items = value.items().ok_or_else(|| wrong_type(value))?;
    let found = items.len();
    if found > limit {
        return Err(DocumentError::TooMany { path: value.path(), found, limit }.into());
    }
    items.map(&mut read).collect()
}
