//! One content block, and what of it is covered.

use std::borrow::Cow;

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::from_base64;
use genten_primitives::json::{ArrayWriter, Kind, Value};

use super::object::{SpellingError, spelled};

/// Why a block cannot be covered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockFault {
    /// The data is not base64.
    #[error("data that is not base64")]
    Base64,
    /// A resource has either `text` or `blob`.
    #[error("a resource needs either text or blob")]
    Contents,
    /// A member of the wrong type, or no object.
    #[error("{member} is of another type than the protocol gives it")]
    Member {
        /// Its name.
        member: &'static str,
    },
    /// One member is spelled in two ways.
    #[error(transparent)]
    Spelling(#[from] SpellingError),
    /// A type that the protocol does not know.
    #[error("a block of type {found:?}, which nothing covers")]
    Type {
        /// The type.
        found: String,
    },
}

/// Members that no digest covers, and that nobody is shown as attested.
const ASIDE: &[&str] = &["_meta", "meta", "annotations", "icons", "size"];

/// The members of a block that are covered, by the type of the block; `None` for a type that nothing covers.
fn covered(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "text" => &["type", "text"],
        "image" | "audio" => &["type", "data", "mimeType", "mime_type"],
        "resource_link" => {
            &["type", "uri", "name", "title", "description", "mimeType", "mime_type"]
        }
        "resource" => &["type", "resource"],
        _ => return None,
    })
}

const CONTENTS: &[&str] = &["uri", "mimeType", "mime_type", "text", "blob"];

/// The digest of a block of a tool's result.
pub(super) fn digest(block: Value<'_>) -> Result<Sha256Digest, BlockFault> {
    let kind = text(block, &["type"])?;
    let mut array = ArrayWriter::new();
    array.string(&kind);
    match &kind[..] {
        "text" => {
            array.string(&text(block, &["text"])?);
        }
        "image" | "audio" => {
            let data = from_base64(&text(block, &["data"])?).map_err(|_| BlockFault::Base64)?;
            array.string(&text(block, MIME)?).string(&Sha256Digest::of(&data).to_string());
        }
        "resource_link" => {
            for names in [&["uri"][..], &["name"], &["title"], &["description"], MIME] {
                array.string(&text(block, names)?);
            }
        }
        "resource" => return contents_digest(member(block, "resource")?),
        other => return Err(BlockFault::Type { found: other.to_owned() }),
    }
    Ok(Sha256Digest::of(&array.finish()))
}

/// The digest of an item of a resource's `contents`.
pub(super) fn contents_digest(contents: Value<'_>) -> Result<Sha256Digest, BlockFault> {
    let given = |name: &str| contents.get(name).filter(|value| value.kind() != Kind::Null);
    let (form, digest) = match (given("text"), given("blob")) {
        (Some(_), None) => ("text", Sha256Digest::of(text(contents, &["text"])?.as_bytes())),
        (None, Some(_)) => {
            let blob = from_base64(&text(contents, &["blob"])?).map_err(|_| BlockFault::Base64)?;
            ("blob", Sha256Digest::of(&blob))
        }
        _ => return Err(BlockFault::Contents),
    };
    let mut array = ArrayWriter::new();
    array
        .string("resource")
        .string(&text(contents, &["uri"])?)
        .string(&text(contents, MIME)?)
        .string(form)
        .string(&digest.to_string());
    Ok(Sha256Digest::of(&array.finish()))
}

const MIME: &[&str] = &["mimeType", "mime_type"];

/// The text of a member under any of its spellings; empty where there is none.
fn text<'d>(object: Value<'d>, names: &'static [&'static str]) -> Result<Cow<'d, str>, BlockFault> {
    let fault = || BlockFault::Member { member: names[0] };
    if object.kind() != Kind::Object {
        return Err(fault());
    }
    match spelled(object, names)? {
        None => Ok(Cow::Borrowed("")),
        Some(value) => value.as_str().ok_or_else(fault),
    }
}

fn member<'d>(block: Value<'d>, name: &'static str) -> Result<Value<'d>, BlockFault> {
    let found = block.get(name).filter(|value| value.kind() == Kind::Object);
    found.ok_or(BlockFault::Member { member: name })
}

/// The paths of members that no digest covers, of the resource inside too.
pub(super) fn uncovered(block: Value<'_>, is_contents: bool) -> Vec<String> {
    if is_contents {
        return beyond(block, CONTENTS);
    }
    let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
    let Some(covered) = covered(&kind) else { return vec![block.path()] };
    let mut paths = beyond(block, covered);
    if let Some(resource) = block.get("resource").filter(|_| kind == "resource") {
        paths.extend(beyond(resource, CONTENTS));
    }
    paths
}

fn beyond(object: Value<'_>, covered: &[&str]) -> Vec<String> {
    let members = object.members().into_iter().flatten();
    members
        .filter(|(name, value)| {
            let is_known = covered.contains(&&name[..]) || ASIDE.contains(&&name[..]);
            !is_known && value.kind() != Kind::Null
        })
        .map(|(_, value)| value.path())
        .collect()
}

/// The URIs in a block.
pub(super) fn uris<'d>(block: Value<'d>, is_contents: bool) -> impl Iterator<Item = Value<'d>> {
    let inside = block.get("resource").filter(|_| !is_contents);
    [block.get("uri"), inside.and_then(|resource| resource.get("uri"))].into_iter().flatten()
}
