//! Why bytes are no manifest or bundle, and where.

use genten_primitives::json::{JsonError, JsonRule, Value};

use crate::{KeyIdError, SourceUrlError, TextError};

/// The rule of form that an input broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestRule {
    /// `ct_log_proof` is neither of its two forms.
    #[error("not a ct_log_proof (sct-list: or tlog-proof: and base64url)")]
    CtLogProof,
    /// A digest that is not 64 lower-case hexadecimal digits.
    #[error("not a SHA-256 digest in 64 lower-case hexadecimal digits")]
    Digest,
    /// Evidence that is no base64.
    #[error("not canonical base64 with padding")]
    EvidenceBase64,
    /// More than 32 items of evidence.
    #[error("more than 32 items of evidence")]
    EvidenceCount,
    /// Evidence whose members do not fit its type.
    #[error("members that do not fit this type of evidence")]
    EvidenceMembers,
    /// A member of others without a dot in its name, or twice the same.
    #[error("a member of your own needs a new reverse-DNS name (with a dot)")]
    ExtensionName,
    /// Something else than a pair of name and value.
    #[error("not a pair of header name and value")]
    Header,
    /// Not JSON as Genten accepts it.
    #[error("{0}")]
    Json(JsonRule),
    /// A key id.
    #[error("key id: {0}")]
    KeyId(KeyIdError),
    /// `transparency_log_id` is no origin and index.
    #[error("not a log origin, a hash sign and a decimal index")]
    LogId,
    /// `media_type` is another one than a bundle's.
    #[error("not the media type of a provenance bundle")]
    MediaType,
    /// A member that must be there is not.
    #[error("member {0} is missing")]
    Missing(&'static str),
    /// A nonce outside 1 to 128 visible ASCII characters.
    #[error("not 1 to 128 visible ASCII characters")]
    Nonce,
    /// An integer outside the member's range.
    #[error("integer out of range")]
    Range,
    /// `request` names neither a tool with its arguments nor a resource, or both.
    #[error("names neither a tool with its arguments nor a resource")]
    Request,
    /// A URL.
    #[error("URL: {0}")]
    SourceUrl(SourceUrlError),
    /// A text.
    #[error("{0}")]
    Text(TextError),
    /// A time in another spelling.
    #[error("not a time like 2026-11-30T08:15:00Z (RFC 3339, UTC)")]
    Time,
    /// A manifest of more than 64 KiB.
    #[error("manifest larger than 65536 bytes")]
    TooLarge,
    /// A bundle of a later version.
    #[error("a provenance bundle of a version that this program does not know")]
    UnsupportedVersion,
    /// None of the words that the member takes.
    #[error("none of the words that this member takes")]
    Word,
    /// A value of another type than the member's.
    #[error("value of the wrong type")]
    WrongType,
}

impl ManifestRule {
    /// Codes of all rules of this layer; those of JSON are in [`JsonRule::ALL`].
    pub const CODES: &'static [&'static str] = &[
        "manifest.ct-log-proof",
        "manifest.digest",
        "evidence.base64",
        "evidence.count",
        "evidence.members",
        "manifest.extension-name",
        "manifest.header",
        "manifest.key-id",
        "manifest.log-id",
        "bundle.media-type",
        "manifest.missing-member",
        "manifest.nonce",
        "manifest.range",
        "manifest.request",
        "manifest.url.character",
        "manifest.url.fragment",
        "manifest.url.host",
        "manifest.url.not-absolute",
        "manifest.url.percent",
        "manifest.url.too-long",
        "manifest.url.user-info",
        "manifest.text",
        "manifest.time",
        "manifest.too-large",
        "bundle.unsupported-version",
        "manifest.word",
        "manifest.wrong-type",
    ];

    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::CtLogProof => "manifest.ct-log-proof",
            Self::Digest => "manifest.digest",
            Self::EvidenceBase64 => "evidence.base64",
            Self::EvidenceCount => "evidence.count",
            Self::EvidenceMembers => "evidence.members",
            Self::ExtensionName => "manifest.extension-name",
            Self::Header => "manifest.header",
            Self::Json(rule) => rule.code(),
            Self::KeyId(_) => "manifest.key-id",
            Self::LogId => "manifest.log-id",
            Self::MediaType => "bundle.media-type",
            Self::Missing(_) => "manifest.missing-member",
            Self::Nonce => "manifest.nonce",
            Self::Range => "manifest.range",
            Self::Request => "manifest.request",
            Self::SourceUrl(SourceUrlError::Character) => "manifest.url.character",
            Self::SourceUrl(SourceUrlError::Fragment) => "manifest.url.fragment",
            Self::SourceUrl(SourceUrlError::Host) => "manifest.url.host",
            Self::SourceUrl(SourceUrlError::NotAbsolute) => "manifest.url.not-absolute",
            Self::SourceUrl(SourceUrlError::PercentEncoding) => "manifest.url.percent",
            Self::SourceUrl(SourceUrlError::TooLong) => "manifest.url.too-long",
            Self::SourceUrl(SourceUrlError::UserInfo) => "manifest.url.user-info",
            Self::Text(_) => "manifest.text",
            Self::Time => "manifest.time",
            Self::TooLarge => "manifest.too-large",
            Self::UnsupportedVersion => "bundle.unsupported-version",
            Self::Word => "manifest.word",
            Self::WrongType => "manifest.wrong-type",
        }
    }

    pub(crate) fn at(self, value: Value<'_>) -> ManifestError {
        ManifestError { rule: self, path: value.path(), offset: value.offset() }
    }
}

/// The first rule that an input broke, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule} at {path} (byte {offset})")]
pub struct ManifestError {
    /// The rule.
    pub rule: ManifestRule,
    /// Where in the value, such as `$.http.status`.
    pub path: String,
    /// Where in the input, in bytes from its start.
    pub offset: usize,
}

impl ManifestError {
    /// Whether what was read is larger than its limit: as JSON, or in items of evidence.
    pub fn is_full(&self) -> bool {
        matches!(self.rule, ManifestRule::EvidenceCount | ManifestRule::Json(JsonRule::TooLarge))
    }

    /// The stable code of the rule.
    pub fn code(&self) -> &'static str {
        self.rule.code()
    }
}

impl From<JsonError> for ManifestError {
    fn from(error: JsonError) -> Self {
        Self { rule: ManifestRule::Json(error.rule), path: error.path, offset: error.offset }
    }
}
