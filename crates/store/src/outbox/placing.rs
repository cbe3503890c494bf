//! From evidence that has arrived to the bundles of the manifests.

use std::path::PathBuf;

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use rusqlite::types::Value;
use rusqlite::{Row, ffi, params};

use super::batches::digest;
use super::submission::{COLUMNS, Submission, named, read};
use super::{LogSubject, Outbox, SubmissionId};
use crate::StoreError;
use crate::journal::row::path_from_value;

/// What a log and a timestamp authority gave for one manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The submission that it came from.
    pub submission: SubmissionId,
    /// What the entry is about.
    pub subject: LogSubject,
    /// The entry's body.
    pub body: Vec<u8>,
    /// The log's entry (TransparencyLogEntry, JSON).
    pub entry: Vec<u8>,
    /// Its place: `<log origin>#<entry index>`.
    pub log_id: String,
    /// The answer of a timestamp authority (DER).
    pub token: Option<Vec<u8>>,
    /// The signed statement, where the subject is a batch.
    pub statement: Option<String>,
    /// The manifest's place in the batch.
    pub position: Option<u64>,
    /// Whether another log of this name had it before, which was given up: what that one proved is replaced.
    pub is_renewed: bool,
    /// The hashes from its leaf up to the batch's root.
    pub hashes: Vec<Sha256Digest>,
}

/// A manifest whose bundle lacks evidence that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplaced {
    /// The manifest.
    pub manifest_id: Sha256Digest,
    /// Its bundle.
    pub bundle: PathBuf,
    /// Whether the journal holds the manifest too, so that it can make the bundle again.
    pub is_kept: bool,
}

impl Outbox<'_> {
    /// Manifests whose bundle is on disk and lacks evidence that is complete, those first that came first: of those whose number
    /// is above `after`, from the next `limit` on. With each comes its number; one manifest can come twice.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn unplaced(&self, after: i64, limit: u32) -> Result<Vec<(i64, Unplaced)>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT m.id, m.manifest_id, e.bundle_path, e.manifest IS NOT NULL FROM member AS m
                    JOIN entry AS e ON e.manifest_id = m.manifest_id AND e.bundle_path IS NOT NULL
                    WHERE m.to_place = 1 AND m.id > ? ORDER BY m.id LIMIT ?",
            )?;
            statement.query_map(params![after, limit], read_unplaced)?.collect()
        })
    }

    /// All evidence that has arrived for a manifest, of every log.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn evidence(&self, manifest_id: &Sha256Digest) -> Result<Vec<Evidence>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT s.id, s.subject, s.body, s.entry, s.log_id, s.token, s.statement, m.position, m.hashes, s.renewed
                    FROM member AS m JOIN submission AS s ON s.id = m.submission
                    WHERE m.manifest_id = ? AND s.state = 'logged' ORDER BY s.id",
            )?;
            statement.query_map([manifest_id.to_string()], evidence)?.collect()
        })
    }

    /// The other evidence that stood in a manifest's bundle when it was queued.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn items(&self, manifest_id: &Sha256Digest) -> Result<Vec<Vec<u8>>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT json FROM entry_item JOIN item USING (sha256) WHERE manifest_id = ?",
            )?;
            statement.query_map([manifest_id.to_string()], |row| row.get(0))?.collect()
        })
    }

    /// Makes everything that was recorded up to now survive a power cut.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when another process kept it from being done, or another cause, with the path.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.journal.run(|connection| {
            let row = |row: &Row<'_>| row.get(0);
            match connection.query_row("PRAGMA wal_checkpoint(FULL)", [], row)? {
                false => Ok(()),
                // SQLite tells this in the row, not as an error.
                true => {
                    Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None))
                }
            }
        })
    }

    /// Notes that the bundle of a manifest holds the evidence of these submissions.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn placed(&self, placed: &[(Sha256Digest, Vec<SubmissionId>)]) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            // The plus keeps the index of submissions out of it: a batch has thousands of members.
            let mut update = transaction.prepare_cached(
                "UPDATE member SET to_place = 0 WHERE manifest_id = ? AND +submission = ?",
            )?;
            for (manifest_id, submissions) in placed {
                for id in submissions {
                    update.execute(params![manifest_id.to_string(), id.0])?;
                }
            }
            Ok(())
        })
    }

    /// The submissions with this body, one in each log that it was queued for.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn find(&self, body: &[u8]) -> Result<Vec<Submission>, StoreError> {
        self.select("body = ?", Value::Blob(body.to_vec()))
    }

    /// The submissions about this content.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn find_content(&self, content: &Sha256Digest) -> Result<Vec<Submission>, StoreError> {
        let digest = format!("\"digest\":\"{}\"", base64(content.as_bytes()));
        self.select("subject = 'content' AND instr(body, CAST(? AS BLOB)) > 0", Value::Text(digest))
    }

    fn select(&self, condition: &str, value: Value) -> Result<Vec<Submission>, StoreError> {
        self.journal.run(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM submission WHERE {condition} ORDER BY id");
            connection.prepare_cached(&sql)?.query_map([value], read)?.collect()
        })
    }
}

/// Reads number, manifest, bundle, and whether the manifest is kept.
pub(crate) fn read_unplaced(row: &Row<'_>) -> rusqlite::Result<(i64, Unplaced)> {
    let bundle = path_from_value(row.get_ref(2)?);
    let bundle = bundle.ok_or(rusqlite::Error::IntegralValueOutOfRange(2, 0))?;
    let (manifest_id, is_kept) = (digest(row, 1)?, row.get(3)?);
    Ok((row.get(0)?, Unplaced { manifest_id, bundle, is_kept }))
}

fn evidence(row: &Row<'_>) -> rusqlite::Result<Evidence> {
    let hashes: Option<Vec<u8>> = row.get(8)?;
    let (hashes, _) = hashes.as_deref().unwrap_or_default().as_chunks::<32>();
    Ok(Evidence {
        submission: SubmissionId(row.get(0)?),
        subject: named(row, 1, LogSubject::from_name)?,
        body: row.get(2)?,
        entry: row.get(3)?,
        log_id: row.get(4)?,
        token: row.get(5)?,
        statement: row.get(6)?,
        position: row.get(7)?,
        is_renewed: row.get(9)?,
        hashes: hashes.iter().map(|hash| Sha256Digest::from_bytes(*hash)).collect(),
    })
}
