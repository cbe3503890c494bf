//! Where a source says which revision it is.

use std::str::FromStr;

use genten_fetch::{Body, Exchange};
use genten_manifest::{Http, ShortText, TextError};

/// Largest document in which a revision is looked for, in bytes.
const LIMIT: u64 = 16 << 20;

/// Where the revision is found.
///
/// Text form: `etag`, `header:NAME`, `json:/pointer` (RFC 6901).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RevisionFrom {
    /// The caller knows it.
    Text(ShortText),
    /// The `ETag`, used as revision.
    Etag,
    /// A header field of the answer.
    Header(String),
    /// A string or an integer in a JSON document, by pointer.
    Json(String),
}

/// Why there is no revision where one was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RevisionError {
    /// The body was not kept where it can be read again.
    #[error("the body is not at hand: keep it in memory or in a file")]
    BodyGone,
    /// The document has a content coding that was not undone.
    #[error("the document has a content coding: ask for identity")]
    Coded,
    /// No such header field.
    #[error("the answer has no header field {name}")]
    HeaderMissing {
        /// Its name.
        name: String,
    },
    /// Not JSON.
    #[error("the document is not JSON")]
    NotJson,
    /// Facts of another program: there is no answer to look into.
    #[error("only the answer to a recorded fetch can be searched for it")]
    NotRecorded,
    /// Nothing at the pointer, or neither a string nor an integer.
    #[error("the document has no string or integer at {pointer}")]
    PointerMissing {
        /// The pointer.
        pointer: String,
    },
    /// A text that cannot stand as revision.
    #[error("revision: {0}")]
    Text(TextError),
    /// Larger than 16 MiB.
    #[error("the document is larger than 16 MiB")]
    TooLarge,
    /// Not one of the text forms.
    #[error("none of etag, header:NAME, json:/pointer")]
    Form,
}

impl FromStr for RevisionFrom {
    type Err = RevisionError;

    fn from_str(text: &str) -> Result<Self, RevisionError> {
        match text.split_once(':') {
            None if text == "etag" => Ok(Self::Etag),
            Some(("header", name)) if !name.is_empty() => {
                Ok(Self::Header(name.to_ascii_lowercase()))
            }
            Some(("json", pointer)) if pointer.is_empty() || pointer.starts_with('/') => {
                Ok(Self::Json(pointer.to_owned()))
            }
            _ => Err(RevisionError::Form),
        }
    }
}

impl RevisionFrom {
    /// The revision that an exchange states.
    pub(crate) fn find(&self, exchange: &Exchange) -> Result<ShortText, RevisionError> {
        let header = |name: &str| {
            let missing = || RevisionError::HeaderMissing { name: name.to_owned() };
            exchange.fields.get(name).map(ToOwned::to_owned).ok_or_else(missing)
        };
        let text = match self {
            Self::Text(text) => return Ok(text.clone()),
            Self::Etag => header("etag")?,
            Self::Header(name) => header(name)?,
            Self::Json(pointer) => in_json(&document(exchange)?, pointer)?,
        };
        text.parse().map_err(RevisionError::Text)
    }

    /// The revision in facts that another program tells.
    pub(crate) fn reported(&self, http: Option<&Http>) -> Result<ShortText, RevisionError> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            Self::Etag => {
                let etag = http.and_then(|http| http.etag.as_ref());
                let missing = || RevisionError::HeaderMissing { name: "etag".to_owned() };
                etag.ok_or_else(missing)?.as_str().parse().map_err(RevisionError::Text)
            }
            Self::Header(_) | Self::Json(_) => Err(RevisionError::NotRecorded),
        }
    }

    /// The revision where only the caller can know it.
    pub(crate) fn stated(&self) -> Option<ShortText> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Etag | Self::Header(_) | Self::Json(_) => None,
        }
    }
}

fn document(exchange: &Exchange) -> Result<Vec<u8>, RevisionError> {
    if exchange.decoded.is_some() {
        return Err(RevisionError::Coded);
    }
    if exchange.content_bytes > LIMIT {
        return Err(RevisionError::TooLarge);
    }
    match &exchange.body {
        Body::Memory(bytes) => Ok(bytes.clone()),
        Body::File(path) => std::fs::read(path).map_err(|_| RevisionError::BodyGone),
        _ => Err(RevisionError::BodyGone),
    }
}

fn in_json(document: &[u8], pointer: &str) -> Result<String, RevisionError> {
    let value: serde_json::Value =
        serde_json::from_slice(document).map_err(|_| RevisionError::NotJson)?;
    match value.pointer(pointer) {
        Some(serde_json::Value::String(text)) => Ok(text.clone()),
        Some(serde_json::Value::Number(number)) if !number.is_f64() => Ok(number.to_string()),
        _ => Err(RevisionError::PointerMissing { pointer: pointer.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_are_read() {
        assert_eq!("etag".parse(), Ok(RevisionFrom::Etag));
        assert_eq!("header:X-Rev".parse(), Ok(RevisionFrom::Header("x-rev".into())));
        assert_eq!("json:/law/0/rev".parse(), Ok(RevisionFrom::Json("/law/0/rev".into())));
        for bad in ["", "ETag", "header:", "json:law", "xml:/a"] {
            assert_eq!(bad.parse::<RevisionFrom>(), Err(RevisionError::Form), "{bad}");
        }
    }

    #[test]
    fn pointers_find_strings_and_integers() {
        let text = br#"{"law":[{"rev":"2026-04"},{"rev":7},{"rev":1.5}]}"#;
        assert_eq!(in_json(text, "/law/0/rev").unwrap(), "2026-04");
        assert_eq!(in_json(text, "/law/1/rev").unwrap(), "7");
        for missing in ["/law/2/rev", "/law", "/x"] {
            let pointer = missing.to_owned();
            assert_eq!(in_json(text, missing), Err(RevisionError::PointerMissing { pointer }));
        }
        assert_eq!(in_json(b"<x/>", "/a"), Err(RevisionError::NotJson));
    }
}
