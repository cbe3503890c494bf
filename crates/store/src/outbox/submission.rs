//! What is wanted of a log, and how far it has come.

use genten_primitives::Timestamp;
use rusqlite::Row;

use crate::LogState;

/// The number of a submission in its journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubmissionId(pub(super) i64);

/// What an entry of a log is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogSubject {
    /// A batch of manifests, by its signed statement.
    Batch,
    /// The bytes that were fetched.
    Content,
    /// One manifest.
    Manifest,
}

impl LogSubject {
    /// `batch`, `content` or `manifest`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Batch => "batch",
            Self::Content => "content",
            Self::Manifest => "manifest",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Batch, Self::Content, Self::Manifest].into_iter().find(|one| one.as_str() == name)
    }
}

/// What is wanted, and of which log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The log's name, as the sender knows it.
    pub log: String,
    /// What is to stand there.
    pub want: Want,
}

/// What is to stand in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    /// A place in the next batch of this signer.
    Batch {
        /// Thumbprint of the key that signs the batch (RFC 7638): the manifest's own.
        signer: String,
        /// When the manifest was signed: its batch must not be older.
        signed_at: Timestamp,
    },
    /// An entry of its own.
    Entry {
        /// What it is about.
        subject: LogSubject,
        /// The entry's body, byte for byte as the log will keep it.
        body: Vec<u8>,
    },
}

/// What an attempt met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difficulty<'d> {
    /// Its stable code.
    pub code: &'d str,
    /// What to do about it, in a sentence for a person.
    pub hint: &'d str,
    /// What was met, in its own words: where, and what was answered. Empty where the code says it all.
    pub words: &'d str,
}

/// An entry of a log, made or to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Its number.
    pub id: SubmissionId,
    /// The log's name.
    pub log: String,
    /// What the entry is about.
    pub subject: LogSubject,
    /// The entry's body.
    pub body: Vec<u8>,
    /// The signed statement, where the subject is a batch.
    pub statement: Option<String>,
    /// How far it has come: never [`LogState::None`].
    pub state: LogState,
    /// How often it was sent.
    pub attempts: u32,
    /// The size of the home's own log before it was written there for the first time: the entry stands nowhere below. Of other
    /// logs it is not known.
    pub since: Option<u64>,
    /// What the last attempt met: its code.
    pub detail: Option<String>,
    /// What to do about that, in a sentence for a person; earlier versions kept none.
    pub hint: Option<String>,
    /// What the last attempt met, in its own words; earlier versions kept none.
    pub words: Option<String>,
    /// Whether a person has given up the log that has the entry ([`Outbox::forget`](super::Outbox::forget)).
    pub is_given_up: bool,
    /// The log's entry (TransparencyLogEntry, JSON), verified.
    pub entry: Option<Vec<u8>>,
    /// Its place: `<log origin>#<entry index>`.
    pub log_id: Option<String>,
    /// The answer of a timestamp authority over the entry's signature (DER), verified.
    pub token: Option<Vec<u8>>,
}

pub(super) const COLUMNS: &str = "id, log, subject, body, statement, state, attempts, since, detail, hint, entry, log_id, token, \
        words, given_up";

/// Reads [`COLUMNS`]. What the checks of the schema exclude is a conversion error.
pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Submission> {
    Ok(Submission {
        id: SubmissionId(row.get(0)?),
        log: row.get(1)?,
        subject: named(row, 2, LogSubject::from_name)?,
        body: row.get(3)?,
        statement: row.get(4)?,
        state: named(row, 5, LogState::from_name)?,
        attempts: row.get(6)?,
        since: row.get(7)?,
        detail: row.get(8)?,
        hint: row.get(9)?,
        entry: row.get(10)?,
        log_id: row.get(11)?,
        token: row.get(12)?,
        words: row.get(13)?,
        is_given_up: row.get(14)?,
    })
}

pub(crate) fn named<T>(
    row: &Row<'_>,
    column: usize,
    from_name: impl FnOnce(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let name: String = row.get(column)?;
    from_name(&name).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, 0))
}
