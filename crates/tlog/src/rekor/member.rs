//! Members of protobuf JSON: `null` is absent, integers of 64 bits are strings, bytes are base64.

use std::borrow::Cow;

use genten_primitives::encoding::from_base64;
use genten_primitives::json::{Kind, Value};

use super::EntryError;

/// The member, unless it is absent or `null`.
pub(super) fn optional<'d>(object: Value<'d>, name: &'static str) -> Option<Value<'d>> {
    object.get(name).filter(|value| value.kind() != Kind::Null)
}

/// That an object has no members but these: a member that nobody reads could be taken for checked.
pub(super) fn only(object: Value<'_>, names: &[&str]) -> Result<(), EntryError> {
    let mut members = object.members().ok_or(EntryError::Type { member: "entry" })?;
    match members.find(|(name, _)| !names.contains(&name.as_ref())) {
        None => Ok(()),
        Some((name, _)) => Err(EntryError::UnknownMember { name: name.into_owned() }),
    }
}

/// A member that must be there.
pub(super) fn required<'d>(object: Value<'d>, name: &'static str) -> Result<Value<'d>, EntryError> {
    optional(object, name).ok_or(EntryError::Missing { member: name })
}

pub(super) fn text<'d>(object: Value<'d>, name: &'static str) -> Result<Cow<'d, str>, EntryError> {
    required(object, name)?.as_str().ok_or(EntryError::Type { member: name })
}

/// Bytes in base64 (RFC 4648 section 4).
pub(super) fn bytes(object: Value<'_>, name: &'static str) -> Result<Vec<u8>, EntryError> {
    from_base64(&text(object, name)?).map_err(|_| EntryError::Base64 { member: name })
}

/// An integer, as a string of decimal digits or as a number.
pub(super) fn integer(object: Value<'_>, name: &'static str) -> Result<u64, EntryError> {
    let value = required(object, name)?;
    let text = match value.kind() {
        Kind::Number => Cow::Borrowed(value.raw_text()),
        _ => value.as_str().ok_or(EntryError::Type { member: name })?,
    };
    match crate::decimal::read(&text) {
        Some(number) => Ok(number),
        None if text.starts_with('-') => Err(EntryError::Negative { member: name }),
        None => Err(EntryError::Integer { member: name }),
    }
}
