//! Why bytes are no trust kit, and where.

use genten_jws::key_id::KeyLookupError;
use genten_manifest::KeyIdError;
use genten_pki::{
    AuthorityError, CertificateError, CtLogListError, TimestampAuthorityError, TrustedRootError,
};
use genten_primitives::PatternError;
use genten_primitives::json::{JsonError, JsonRule, Value};
use genten_primitives::key::KeyError;

/// The rule that a kit breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KitRule {
    /// Two logs or witnesses whose keys have one name and id: no line of a checkpoint tells which is meant.
    #[error("two keys of logs or witnesses have the name and id of {0}")]
    AmbiguousKey(String),
    /// An authority that could authorise nobody.
    #[error("{0}")]
    Authority(AuthorityError),
    /// Not canonical base64 with padding.
    #[error("not canonical base64 with padding")]
    Base64,
    /// A certificate.
    #[error("certificate: {0}")]
    Certificate(CertificateError),
    /// A content log key of another kind than P-256: logs take the bare digest of a content by ECDSA only.
    #[error("a content log key is an ES256 key")]
    ContentLogKeyKind,
    /// A content log key that stands in another role too: whoever fetches chooses what it signs.
    #[error("a content log key stands in another role too")]
    ContentLogKeyShared,
    /// A Certificate Transparency log list.
    #[error("certificate transparency log list: {0}")]
    CtLogList(CtLogListError),
    /// Not a SHA-256 digest in 64 lower-case hexadecimal digits.
    #[error("not a SHA-256 digest in 64 lower-case hexadecimal digits")]
    Digest,
    /// A DID document.
    #[error("DID document: {0}")]
    DidDocument(KeyLookupError),
    /// The same pair of id and key twice.
    #[error("the same key stands twice under this id")]
    DuplicateSigner,
    /// A list that would allow nothing, and so says nothing.
    #[error("an empty list: leave the member out, or say what is allowed")]
    EmptyList,
    /// Not JSON as Genten accepts it.
    #[error("{0}")]
    Json(JsonRule),
    /// A public key.
    #[error("public key: {0}")]
    Key(KeyError),
    /// A key id.
    #[error("key id: {0}")]
    KeyId(KeyIdError),
    /// The key in a did:key or did:jwk id is another one than the kit gives for it.
    #[error("the id contains another key than the one given for it")]
    KeyIdMismatch,
    /// Not the media type of a trust kit.
    #[error("not the media type of a trust kit, version 1")]
    MediaType,
    /// A member that must be there is not.
    #[error("member {0} is missing")]
    Missing(&'static str),
    /// No object identifier.
    #[error("not an object identifier such as 1.3.6.1.5.5.7.3.3")]
    Oid,
    /// A pattern over URLs.
    #[error("pattern: {0}")]
    Pattern(PatternError),
    /// A `reason` without status `revoked`.
    #[error("only a revoked key has a reason: correct the status, or leave the reason out")]
    ReasonWithoutRevocation,
    /// `retired` without `valid_until`: there would be no end.
    #[error("status retired needs valid_until")]
    RetiredWithoutEnd,
    /// `revoked_at` without status `revoked`, or status `revoked` without `revoked_at`.
    #[error("status revoked and revoked_at go together")]
    RevokedWithoutTime,
    /// A time in another spelling.
    #[error("not a time like 2026-11-30T08:15:00Z (RFC 3339, UTC)")]
    Time,
    /// A timestamp authority whose certificates are none.
    #[error("timestamp authority: {0}")]
    TimestampAuthority(TimestampAuthorityError),
    /// A C2SP tlog policy.
    #[error("tlog policy: {}", crate::words::with_causes(.0))]
    TlogPolicy(genten_tlog::PolicyError),
    /// A Sigstore trusted root.
    #[error("Sigstore trusted root: {0}")]
    TrustedRoot(TrustedRootError),
    /// A status that kits do not know.
    #[error("none of active, retired, revoked")]
    UnknownStatus,
    /// A member that kits do not have.
    #[error("a member that trust kits do not have")]
    UnknownMember,
    /// A window that ends before it begins.
    #[error("valid_until lies before valid_from")]
    Window,
    /// A value of another type than the member's.
    #[error("value of the wrong type")]
    WrongType,
}

impl KitRule {
    pub(super) fn at(self, value: Value<'_>) -> KitError {
        KitError { rule: self, path: value.path(), offset: value.offset() }
    }
}

/// The first rule that a kit breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule} at {path} (byte {offset})")]
pub struct KitError {
    /// The rule.
    pub rule: KitRule,
    /// Where in the kit, such as `$.signers[0].status`.
    pub path: String,
    /// Where in the file, in bytes from its start.
    pub offset: usize,
}

impl KitError {
    /// The stable code of every broken kit.
    pub const CODE: &'static str = "kit.malformed";
}

impl From<JsonError> for KitError {
    fn from(error: JsonError) -> Self {
        Self { rule: KitRule::Json(error.rule), path: error.path, offset: error.offset }
    }
}
