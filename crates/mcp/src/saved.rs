//! Saved results: what a client kept of an answer, in the shapes that clients write.
//!
//! These are a JSON-RPC response, the result alone, and the result as the SDKs for TypeScript and Python print it, with
//! `_meta` or `meta` and with either spelling of the members; for tools and for resources; and `{"data", "provenance"}`.
//!
//! ```
//! use genten_mcp::saved::{Outcome, Saved, read_document};
//! let file = br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"}],"_meta":{}}}"#;
//! let document = read_document(file)?;
//! let saved = Saved::read(document.root())?;
//! assert_eq!(*saved.outcome(), Outcome::Success);
//! assert!(saved.manifests().is_empty(), "nobody stands behind it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use genten_primitives::json::{self, Document, JsonError, Kind, Limits, Value};

use crate::binding::{MAX_DEPTH, MAX_RESULT_BYTES, ResultObject, ShapeError};
use crate::meta_key::{MANIFESTS, has_name};

/// Most manifests of one result: each is held against all others.
pub const MAX_MANIFESTS: usize = 1024;

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The protocol itself refused the call: an unknown tool, a malformed request, a server that failed.
    ProtocolError {
        /// JSON-RPC's code; `None` where it is no integer.
        code: Option<i64>,
        /// The server's words.
        message: String,
    },
    /// A result.
    Success,
    /// A result in which the tool says that it failed.
    ToolError,
}

/// Why a document is no saved result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SavedError {
    /// The member that holds manifests holds something else.
    #[error("{path}: not a list of manifests")]
    Manifests {
        /// Where it stands.
        path: String,
    },
    /// A JSON-RPC message that is no response.
    #[error("a JSON-RPC message that is no response: it answers nothing")]
    NoResponse,
    /// A JSON-RPC response has `jsonrpc`, `id` and one of `result` and `error`, and nothing else.
    #[error("no JSON-RPC response: {0}")]
    Response(&'static str),
    /// No result.
    #[error("no result: {0}")]
    Shape(#[from] ShapeError),
    /// More than [`MAX_MANIFESTS`].
    #[error("more than {MAX_MANIFESTS} manifests for one result")]
    TooManyManifests,
}

/// A saved result. Nothing about it is verified.
#[derive(Clone, Debug)]
pub struct Saved<'d> {
    outcome: Outcome,
    id: Option<Value<'d>>,
    object: Option<ResultObject<'d>>,
    manifests: Vec<Value<'d>>,
    uncovered: Vec<String>,
}

/// Reads the JSON of a saved result, in which numbers may have fractions.
///
/// # Errors
/// It is larger than 64 MiB, nested too deeply, or no I-JSON.
pub fn read_document(bytes: &[u8]) -> Result<Document<'_>, JsonError> {
    json::read_foreign(bytes, Limits { bytes: MAX_RESULT_BYTES, depth: MAX_DEPTH })
}

impl<'d> Saved<'d> {
    /// The saved result in `value`.
    ///
    /// # Errors
    /// It is none, or its members contradict one another.
    pub fn read(value: Value<'d>) -> Result<Self, SavedError> {
        if value.get("jsonrpc").is_some() {
            return Self::of_response(value);
        }
        match value.get("provenance").filter(|_| value.get("data").is_some()) {
            Some(provenance) if !is_result(value) => Ok(Self::of_data(value, provenance)),
            _ => Self::of_result(value, None),
        }
    }

    fn of_response(value: Value<'d>) -> Result<Self, SavedError> {
        if value.get("method").is_some() {
            return Err(SavedError::NoResponse);
        }
        let mut names = value.members().into_iter().flatten().map(|(name, _)| name);
        if !names.all(|name| ["jsonrpc", "id", "result", "error"].contains(&&name[..])) {
            return Err(SavedError::Response("a member that it does not have"));
        }
        match (value.get("result"), value.get("error")) {
            (Some(result), None) => Self::of_result(result, value.get("id")),
            (None, Some(error)) => Ok(Self::of_error(error, value.get("id"))),
            _ => Err(SavedError::Response("it has either a result or an error")),
        }
    }

    fn of_error(error: Value<'d>, id: Option<Value<'d>>) -> Self {
        let code = error.get("code").and_then(Value::as_i64);
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default().into_owned();
        let outcome = Outcome::ProtocolError { code, message };
        Self { outcome, id, object: None, manifests: Vec::new(), uncovered: Vec::new() }
    }

    fn of_result(value: Value<'d>, id: Option<Value<'d>>) -> Result<Self, SavedError> {
        let object = ResultObject::read(value)?;
        let outcome = if object.is_error() { Outcome::ToolError } else { Outcome::Success };
        let manifests = object.meta().map_or(Ok(Vec::new()), manifests)?;
        let uncovered = object.uncovered().collect();
        Ok(Self { outcome, id, object: Some(object), manifests, uncovered })
    }

    /// `{"data": …, "provenance": …}`, where the provenance is a manifest.
    fn of_data(value: Value<'d>, provenance: Value<'d>) -> Self {
        let data = value.get("data").map(ResultObject::of_data);
        let is_manifest = provenance.get("mcp_signature").is_some();
        let beside = value.members().into_iter().flatten();
        let beside = beside.filter(|(name, value)| {
            !["data", "provenance"].contains(&&name[..]) && value.kind() != Kind::Null
        });
        let mut uncovered: Vec<_> = beside.map(|(_, value)| value.path()).collect();
        uncovered.extend((!is_manifest).then(|| provenance.path()));
        let manifests = if is_manifest { vec![provenance] } else { Vec::new() };
        Self { outcome: Outcome::Success, id: None, object: data, manifests, uncovered }
    }

    /// What the call came to. A call that failed proves nothing about a source.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The id of the JSON-RPC response, where that was saved.
    pub fn id(&self) -> Option<Value<'d>> {
        self.id
    }

    /// The result; `None` for an error of the protocol.
    pub fn object(&self) -> Option<&ResultObject<'d>> {
        self.object.as_ref()
    }

    /// The manifests, under whatever prefix, in the order of the text.
    pub fn manifests(&self) -> &[Value<'d>] {
        &self.manifests
    }

    /// The paths of members that no digest covers, and that a reader might take for attested.
    pub fn uncovered(&self) -> &[String] {
        &self.uncovered
    }
}

fn is_result(value: Value<'_>) -> bool {
    ["content", "contents", "structuredContent", "structured_content"]
        .iter()
        .any(|name| value.get(name).is_some())
}

fn manifests<'d>(meta: Value<'d>) -> Result<Vec<Value<'d>>, SavedError> {
    let mut found = Vec::new();
    for (key, value) in meta.members().into_iter().flatten() {
        if has_name(&key, MANIFESTS) {
            let list = value.items().ok_or_else(|| SavedError::Manifests { path: value.path() })?;
            found.extend(list);
        }
    }
    if found.len() > MAX_MANIFESTS {
        return Err(SavedError::TooManyManifests);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(manifests: usize) -> String {
        let list = vec!["{}"; manifests].join(",");
        format!(r#"{{"content":[],"_meta":{{"dev.genten/provenance-manifests":[{list}]}}}}"#)
    }

    #[test]
    fn the_manifests_of_one_result_are_limited() {
        let read = |text: &str| {
            let document = read_document(text.as_bytes()).unwrap();
            Saved::read(document.root()).map(|saved| saved.manifests().len())
        };
        assert_eq!(read(&of(MAX_MANIFESTS)), Ok(MAX_MANIFESTS));
        assert_eq!(read(&of(MAX_MANIFESTS + 1)), Err(SavedError::TooManyManifests));
    }
}
