//! What a file is, seen from its content: the one place that tells kinds apart.

use genten_primitives::json::{self, Limits};

/// Longest line of a JSON Lines file, in bytes.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Longest document whose kind is looked for, in bytes: that of a saved MCP result.
const MAX_DOCUMENT_BYTES: usize = 64 << 20;

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputKind {
    /// A ProvenanceManifest.
    Manifest,
    /// A provenance bundle.
    Bundle,
    /// JSON Lines: one manifest or bundle a line.
    Lines,
    /// A saved MCP result, in any of its shapes.
    McpResult,
    /// A Sigstore bundle.
    SigstoreBundle,
}

impl InputKind {
    /// The kind for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Manifest => "provenance manifest",
            Self::Bundle => "provenance bundle",
            Self::Lines => "JSON Lines of manifests or bundles",
            Self::McpResult => "saved MCP result",
            Self::SigstoreBundle => "Sigstore bundle",
        }
    }
}

/// The input is nothing that can be verified.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownInput {
    /// An empty file.
    #[error("the input is empty")]
    Empty,
    /// Not JSON, and nothing in it looks like provenance.
    #[error("not JSON: {0}")]
    NotJson(json::JsonError),
    /// JSON of another kind.
    #[error("JSON, but neither a manifest, a bundle, a saved MCP result nor a Sigstore bundle")]
    OtherJson,
}

impl UnknownInput {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "input.empty",
            Self::NotJson(error) => error.rule.code(),
            Self::OtherJson => "input.unknown-kind",
        }
    }
}

/// Tells what an input is. What is recognised may still be malformed.
///
/// # Errors
///
/// The input is of no known kind.
pub fn detect(bytes: &[u8]) -> Result<InputKind, UnknownInput> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(UnknownInput::Empty);
    }
    if let Some(line) = first_of_several_lines(bytes) {
        return detect_document(line).map(|_| InputKind::Lines);
    }
    detect_document(bytes)
}

/// The first line, when it is a whole JSON object and more follows.
fn first_of_several_lines(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = bytes.split_at(end);
    let more = rest.iter().any(|byte| !byte.is_ascii_whitespace());
    let whole = json::read(line, Limits::bytes(MAX_LINE_BYTES)).is_ok();
    (more && whole).then_some(line)
}

fn detect_document(bytes: &[u8]) -> Result<InputKind, UnknownInput> {
    let document = match json::read(bytes, Limits::bytes(MAX_DOCUMENT_BYTES)) {
        Ok(document) => document,
        Err(error) => return detect_malformed(bytes).ok_or(UnknownInput::NotJson(error)),
    };
    let root = document.root();
    let has = |name: &str| root.get(name).is_some();
    let media_type =
        root.get("media_type").and_then(|value| value.as_str().map(|text| text.into_owned()));
    if media_type.is_some_and(|text| text.starts_with(BUNDLE_PREFIX)) {
        return Ok(InputKind::Bundle);
    }
    if has("mcp_signature") || has("mcp_key_id") || has("source_url") || has("content_sha256") {
        return Ok(InputKind::Manifest);
    }
    let sigstore =
        root.get("mediaType").and_then(|value| value.as_str().map(|text| text.into_owned()));
    if sigstore.is_some_and(|text| text.starts_with("application/vnd.dev.sigstore.bundle")) {
        return Ok(InputKind::SigstoreBundle);
    }
    let mcp = has("jsonrpc")
        || has("content")
        || has("contents")
        || has("structuredContent")
        || has("structured_content")
        || (has("data") && has("provenance"));
    if mcp { Ok(InputKind::McpResult) } else { Err(UnknownInput::OtherJson) }
}

const BUNDLE_PREFIX: &str = "application/vnd.genten.provenance-bundle+json";

/// Broken JSON whose words give it away: its author meant it to be verified, so that it is rejected, not passed over.
fn detect_malformed(bytes: &[u8]) -> Option<InputKind> {
    let has = |words: &str| bytes.windows(words.len()).any(|window| window == words.as_bytes());
    if has(BUNDLE_PREFIX) {
        return Some(InputKind::Bundle);
    }
    ["\"mcp_signature\"", "\"mcp_key_id\"", "\"source_url\""]
        .into_iter()
        .any(has)
        .then_some(InputKind::Manifest)
}

/// Whether bytes that are a manifest or a bundle are a bundle.
pub(crate) fn is_bundle(bytes: &[u8]) -> bool {
    detect_document(bytes) == Ok(InputKind::Bundle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_seen_from_the_content() {
        use InputKind as K;
        for (text, kind) in [
            (r#"{"source_url":"x"}"#, K::Manifest),
            ("{\n\"mcp_signature\":\n1}\n", K::Manifest),
            (
                r#"{"media_type":"application/vnd.genten.provenance-bundle+json;version=9"}"#,
                K::Bundle,
            ),
            (
                "{\"media_type\":\"application/vnd.genten.provenance-bundle+json;version=1\",\n\"manifest\":1}",
                K::Bundle,
            ),
            ("{\"source_url\":1}\n{\"source_url\":2}\n", K::Lines),
            ("{\"source_url\":1}\nrubbish", K::Lines),
            ("{\"source_url\":1}\n\n", K::Manifest),
            (r#"{"source_url":"x","source_url":"y"}"#, K::Manifest),
            ("\u{feff}{\"mcp_signature\":1}", K::Manifest),
            (r#"{"jsonrpc":"2.0","result":{}}"#, K::McpResult),
            (r#"{"content":[]}"#, K::McpResult),
            (r#"{"data":1,"provenance":{}}"#, K::McpResult),
            (r#"{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json"}"#, K::SigstoreBundle),
        ] {
            assert_eq!(detect(text.as_bytes()), Ok(kind), "{text}");
        }
    }

    #[test]
    fn what_is_no_provenance_is_named() {
        let code = |bytes: &[u8]| detect(bytes).unwrap_err().code();
        assert_eq!(code(b""), "input.empty");
        assert_eq!(code(b" \n"), "input.empty");
        assert_eq!(code(b"{}"), "input.unknown-kind");
        assert_eq!(code(b"[1]"), "input.unknown-kind");
        assert_eq!(code(b"hello"), "json.syntax");
        assert_eq!(code(b"\xff\xfe"), "json.invalid-utf8");
        assert_eq!(code(b"{\"a\":1}\n{\"a\":1}"), "input.unknown-kind");
    }
}
