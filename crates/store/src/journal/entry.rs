//! What a row of the journal holds.

use std::path::PathBuf;

use genten_primitives::{Sha256Digest, Timestamp};

/// One attested fetch.
///
/// Every text is taken as it is. The store does not read manifests: that the fields agree with the signed bytes is the
/// caller's part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The manifest's identity: SHA-256 of the signing input.
    pub manifest_id: Sha256Digest,
    /// When the row was made.
    pub recorded_at: Timestamp,
    /// When the last byte of the body arrived.
    pub fetched_at: Timestamp,
    /// When the manifest was signed, if it says so.
    pub attested_at: Option<Timestamp>,
    /// `source_url` **as displayed**: the values of secret parameters masked.
    pub url: String,
    /// The final URL as displayed, where it differs.
    pub final_url: Option<String>,
    /// `source_revision`.
    pub revision: Option<String>,
    /// `source_class`.
    pub source_class: Option<String>,
    /// `capture`: `recorded` or `reported`.
    pub capture: String,
    /// `mcp_key_id`.
    pub key_id: String,
    /// SHA-256 of the body as received.
    pub content_sha256: Sha256Digest,
    /// Length of the body as received, in bytes.
    pub content_bytes: Option<u64>,
    /// Where the body is kept.
    pub body_place: BodyPlace,
    /// Where the bundle is kept.
    pub bundle_path: Option<PathBuf>,
    /// The signed manifest, byte for byte. Left out where it holds a secret (a token in the URL, say), which must stay in
    /// the bundle alone.
    pub manifest: Option<Vec<u8>>,
    /// The manifest's way into a log.
    pub log: LogStatus,
}

/// Where the body of a fetch is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BodyPlace {
    /// Nowhere.
    #[default]
    None,
    /// Among the home's [`Bodies`](crate::Bodies), under its SHA-256.
    BodyStore,
    /// In a file of the user's.
    Path(PathBuf),
}

/// How far a manifest has come on its way into a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LogState {
    /// It is not meant to be logged.
    #[default]
    None,
    /// It waits to be sent.
    Queued,
    /// It was sent, and what became of it is not known yet.
    Sent,
    /// The log has it, and the proof was verified.
    Logged,
    /// The log refused it for good.
    Rejected,
}

impl LogState {
    /// All states, in the order in which they are passed through.
    pub const ALL: [Self; 5] = [Self::None, Self::Queued, Self::Sent, Self::Logged, Self::Rejected];

    /// The state's name: `none`, `queued`, `sent`, `logged` or `rejected`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Logged => "logged",
            Self::Rejected => "rejected",
        }
    }

    /// The state with this name.
    ///
    /// ```
    /// use genten_store::LogState;
    /// assert_eq!(LogState::from_name("queued"), Some(LogState::Queued));
    /// assert_eq!(LogState::from_name("Queued"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// A manifest's way into a log, with what a queue needs to go on after a restart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogStatus {
    /// How far it has come.
    pub state: LogState,
    /// Its place in the log: `<log origin>#<entry index>`.
    pub log_id: Option<String>,
    /// How often it was sent.
    pub attempts: u32,
    /// When to send it, or send it again; not earlier.
    pub due: Option<Timestamp>,
    /// What the last attempt met, as a code.
    pub detail: Option<String>,
    /// When this last changed.
    pub changed_at: Option<Timestamp>,
}

impl From<LogState> for LogStatus {
    fn from(state: LogState) -> Self {
        Self { state, ..Self::default() }
    }
}
