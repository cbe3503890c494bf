//! What a file is, seen from its content: the one place that tells kinds apart.

mod outline;

use genten_manifest::{
    Evidence, MAX_BUNDLE_BYTES, ManifestError, ManifestRule, UnverifiedBundle, UnverifiedManifest,
};
use genten_mcp::binding::MAX_RESULT_BYTES;
use genten_primitives::json::{self, JsonRule, Limits, Value};

use outline::Outline;

use crate::sigstore::MAX_SIGSTORE_BUNDLE;

/// Longest line of a JSON Lines file, in bytes.
pub const MAX_LINE_BYTES: usize = MAX_BUNDLE_BYTES;

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
    #[error("neither a manifest, a bundle nor JSON Lines of them: {0}")]
    NotJson(json::JsonError),
    /// JSON of another kind.
    #[error("JSON, but neither a manifest, a bundle, a saved MCP result nor a Sigstore bundle")]
    OtherJson,
    /// Larger than 1 MiB, and nothing in it looks like provenance.
    #[error("neither a manifest, a bundle nor JSON Lines of them, and larger than any")]
    TooLarge,
}

impl UnknownInput {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "input.empty",
            Self::NotJson(error) => error.rule.code(),
            Self::OtherJson => "input.unknown-kind",
            Self::TooLarge => JsonRule::TooLarge.code(),
        }
    }
}

/// A document that was read: a manifest, alone or with its evidence. Nothing about it is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// With evidence.
    Bundle(UnverifiedBundle),
    /// Alone.
    Manifest(UnverifiedManifest),
}

/// Why there is no [`Input`] in a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A bundle of a later version.
    #[error("{0}")]
    LaterVersion(ManifestError),
    /// Recognised as a manifest or bundle, but broken: its author meant it to be verified, so that it is rejected.
    #[error("{0}")]
    Malformed(ManifestError),
    /// A saved MCP result, which [`Answer`](crate::answer::Answer) reads.
    #[error("this is a saved MCP result")]
    McpResult,
    /// A Sigstore bundle, which [`SigstoreBundle`](crate::sigstore::SigstoreBundle) reads.
    #[error("this is a Sigstore bundle")]
    Sigstore,
    /// Of no known kind.
    #[error(transparent)]
    Unknown(UnknownInput),
}

impl Input {
    /// Reads one document of at most 1 MiB. Of a longer one the first bytes are enough to be told what is wrong.
    ///
    /// # Errors
    ///
    /// The document is of no kind that is judged, or breaks a rule of its kind.
    pub fn read(bytes: &[u8]) -> Result<Self, InputError> {
        let document = match json::read(bytes, Limits::bytes(MAX_BUNDLE_BYTES)) {
            Ok(document) => document,
            Err(error) => return Err(not_read(bytes, error)),
        };
        match kind_of_value(document.root()) {
            Some(InputKind::Manifest) => UnverifiedManifest::from_value(document.root())
                .map(Self::Manifest)
                .map_err(InputError::Malformed),
            Some(InputKind::Bundle) => {
                UnverifiedBundle::from_value(document.root()).map(Self::Bundle).map_err(broken)
            }
            Some(InputKind::SigstoreBundle) => Err(InputError::Sigstore),
            Some(_) => Err(InputError::McpResult),
            None => Err(InputError::Unknown(UnknownInput::OtherJson)),
        }
    }

    /// The manifest.
    pub fn manifest(&self) -> &UnverifiedManifest {
        match self {
            Self::Bundle(bundle) => bundle.manifest(),
            Self::Manifest(manifest) => manifest,
        }
    }

    /// The evidence that came with it.
    pub fn evidence(&self) -> &[Evidence] {
        match self {
            Self::Bundle(bundle) => bundle.evidence(),
            Self::Manifest(_) => &[],
        }
    }
}

fn broken(error: ManifestError) -> InputError {
    match error.rule {
        ManifestRule::UnsupportedVersion => InputError::LaterVersion(error),
        _ => InputError::Malformed(error),
    }
}

fn not_read(bytes: &[u8], error: json::JsonError) -> InputError {
    match kind_of_malformed(bytes) {
        _ if bytes.trim_ascii().is_empty() => InputError::Unknown(UnknownInput::Empty),
        Some(InputKind::Bundle | InputKind::Manifest) => InputError::Malformed(error.into()),
        Some(InputKind::SigstoreBundle) => InputError::Sigstore,
        Some(_) => InputError::McpResult,
        None if error.rule == JsonRule::TooLarge => InputError::Unknown(UnknownInput::TooLarge),
        None => InputError::Unknown(UnknownInput::NotJson(error)),
    }
}

/// Tells what a file is. What is recognised may still be malformed.
///
/// # Errors
///
/// The file is of no known kind.
pub fn detect(bytes: &[u8]) -> Result<InputKind, UnknownInput> {
    match lines_follow(bytes) {
        Some(line) => detect_document(line).map(|_| InputKind::Lines),
        None => detect_document(bytes),
    }
}

/// The first line of JSON Lines: a whole JSON object, after which more follows. Of a large file its first bytes will do.
pub fn lines_follow(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (line, rest) = bytes.split_at(end);
    let whole = Outline::of(line)?.end? == line.trim_ascii_end().len();
    (whole && !rest.trim_ascii_start().is_empty()).then_some(line)
}

/// How much of a document may be read, by its first MiB: Sigstore bundles and saved MCP results may be longer than anything of
/// ours, and so may an object whose members so far do not say what it is and that goes on.
pub fn most_bytes(start: &[u8]) -> usize {
    match Input::read(start) {
        Err(InputError::Sigstore) => MAX_SIGSTORE_BUNDLE,
        Err(InputError::McpResult) => MAX_RESULT_BYTES,
        Err(InputError::Unknown(UnknownInput::TooLarge))
            if Outline::of(start).is_some_and(|outline| outline.end.is_none()) =>
        {
            MAX_SIGSTORE_BUNDLE.max(MAX_RESULT_BYTES)
        }
        _ => MAX_LINE_BYTES,
    }
}

fn detect_document(bytes: &[u8]) -> Result<InputKind, UnknownInput> {
    match Input::read(bytes) {
        Ok(Input::Bundle(_)) => Ok(InputKind::Bundle),
        Ok(Input::Manifest(_)) => Ok(InputKind::Manifest),
        Err(InputError::Unknown(unknown)) => Err(unknown),
        Err(InputError::McpResult) => Ok(InputKind::McpResult),
        Err(InputError::Sigstore) => Ok(InputKind::SigstoreBundle),
        Err(InputError::LaterVersion(_)) => Ok(InputKind::Bundle),
        Err(InputError::Malformed(_)) => {
            Ok(kind_of_malformed(bytes).unwrap_or(InputKind::Manifest))
        }
    }
}

const BUNDLE_PREFIX: &str = "application/vnd.genten.provenance-bundle+json";
const SIGSTORE_PREFIX: &str = "application/vnd.dev.sigstore.bundle";

fn kind_of_value(root: Value<'_>) -> Option<InputKind> {
    let text = |name: &str| root.get(name).and_then(Value::as_str);
    let begins = |name: &str, start: &str| text(name).is_some_and(|text| text.starts_with(start));
    kind(|name| root.get(name).is_some(), begins)
}

/// Broken JSON whose words give it away.
fn kind_of_malformed(bytes: &[u8]) -> Option<InputKind> {
    let outline = Outline::of(bytes);
    let seen = outline.and_then(|outline| {
        kind(|name| outline.has(name), |name, start| outline.begins(name, start))
    });
    seen.or_else(|| kind_of_rubble(bytes))
}

fn kind(has: impl Fn(&str) -> bool, begins: impl Fn(&str, &str) -> bool) -> Option<InputKind> {
    let any = |names: &[&str]| names.iter().any(|name| has(name));
    if begins("media_type", BUNDLE_PREFIX) {
        return Some(InputKind::Bundle);
    }
    if any(&["mcp_signature", "mcp_key_id", "source_url", "content_sha256"]) {
        return Some(InputKind::Manifest);
    }
    if begins("mediaType", SIGSTORE_PREFIX) {
        return Some(InputKind::SigstoreBundle);
    }
    let mcp = ["jsonrpc", "content", "contents", "structuredContent", "structured_content"];
    (any(&mcp) || (has("data") && has("provenance"))).then_some(InputKind::McpResult)
}

/// Not even an object: only words are left to go by.
fn kind_of_rubble(bytes: &[u8]) -> Option<InputKind> {
    let has = |words: &str| bytes.windows(words.len()).any(|window| window == words.as_bytes());
    if has(BUNDLE_PREFIX) {
        return Some(InputKind::Bundle);
    }
    let words = ["\"mcp_signature\"", "\"mcp_key_id\"", "\"source_url\""];
    words.into_iter().any(has).then_some(InputKind::Manifest)
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
            ("{\"source_url\":1,\"source_url\":1} \r\n{\"source_url\":2}", K::Lines),
            ("\u{feff}{\"mcp_signature\":1}", K::Manifest),
            (r#"x{"mcp_signature":1}"#, K::Manifest),
            (r#"{"jsonrpc":"2.0","result":{}}"#, K::McpResult),
            (r#"{"content":[]}"#, K::McpResult),
            (r#"{"content":[],"_meta":{"x":[{"mcp_signature":1}]},"x":1.5}"#, K::McpResult),
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
        assert_eq!(code(&vec![b'x'; MAX_BUNDLE_BYTES + 1]), "json.too-large");
    }

    #[test]
    fn of_a_long_document_the_start_is_enough() {
        let long = |start: &str| [start.as_bytes(), &vec![b'x'; MAX_BUNDLE_BYTES]].concat();
        let read = |start: &str| Input::read(&long(start)).unwrap_err();
        let InputError::Malformed(error) = read(r#"{"source_url":""#) else { panic!() };
        assert_eq!(error.code(), "json.too-large");
        assert_eq!(read(r#"{"content":[""#), InputError::McpResult);
        assert_eq!(read("{\"a\":\""), InputError::Unknown(UnknownInput::TooLarge));
    }

    #[test]
    fn more_is_read_only_of_what_may_be_longer() {
        let long = |start: &str| [start.as_bytes(), &vec![b'x'; MAX_BUNDLE_BYTES]].concat();
        let sigstore = format!(r#"{{"mediaType":"{SIGSTORE_PREFIX}.v0.3+json","a":""#);
        for (start, expected) in [
            (sigstore.as_str(), MAX_SIGSTORE_BUNDLE),
            (r#"{"verificationMaterial":""#, MAX_RESULT_BYTES),
            (r#"{"a":1} "#, MAX_LINE_BYTES),
            (r#"{"source_url":""#, MAX_LINE_BYTES),
            (r#"{"content":""#, MAX_RESULT_BYTES),
            (r#"["#, MAX_LINE_BYTES),
            ("", MAX_LINE_BYTES),
        ] {
            assert_eq!(most_bytes(&long(start)), expected, "{start}");
        }
        assert_eq!(most_bytes(b"{}"), MAX_LINE_BYTES);
    }

    #[test]
    fn a_bundle_of_a_later_version_is_no_malformed_one() {
        let read = |version: &str| {
            let text = format!(r#"{{"media_type":"{BUNDLE_PREFIX};version={version}"}}"#);
            Input::read(text.as_bytes()).unwrap_err()
        };
        assert!(matches!(read("2"), InputError::LaterVersion(_)));
        assert!(matches!(read("1"), InputError::Malformed(_)));
    }
}
