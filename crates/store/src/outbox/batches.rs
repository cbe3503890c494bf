//! From manifests that wait to batches.

use genten_primitives::{Sha256Digest, Timestamp};
use rusqlite::{Row, Transaction, params};

use super::Outbox;
use crate::StoreError;

/// Manifests of one signer that wait for a batch in one log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The log's name.
    pub log: String,
    /// Thumbprint of the signer's key.
    pub signer: String,
    /// How many wait.
    pub count: u64,
    /// Since when the first of them waits.
    pub oldest: Timestamp,
    /// When the youngest of them was signed: a batch of them must not be older.
    pub signed_at: Timestamp,
}

/// A batch that was signed and is to be logged.
#[derive(Clone, Debug)]
pub struct NewBatch<'b> {
    /// The log's name.
    pub log: &'b str,
    /// The signed statement (attached JWS).
    pub statement: &'b str,
    /// The body of its entry.
    pub body: &'b [u8],
    /// The members, in the order of the leaves.
    pub members: &'b [BatchMember],
}

/// A manifest's place in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchMember {
    /// The manifest.
    pub manifest_id: Sha256Digest,
    /// The hashes from its leaf up to the root.
    pub hashes: Vec<Sha256Digest>,
}

impl Outbox<'_> {
    /// Who waits for batches, by log and signer.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn waiting(&self) -> Result<Vec<Waiting>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT log, signer, count(*), min(queued_ms), max(signed_ms) FROM member
                    WHERE submission IS NULL GROUP BY log, signer",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(Waiting {
                    log: row.get(0)?,
                    signer: row.get(1)?,
                    count: row.get(2)?,
                    oldest: time(row, 3)?,
                    signed_at: time(row, 4)?,
                })
            })?;
            rows.collect()
        })
    }

    /// The manifests of a signer that wait, in the order in which they came; at most `limit`.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn waiting_manifests(
        &self,
        log: &str,
        signer: &str,
        limit: u32,
    ) -> Result<Vec<Sha256Digest>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT manifest_id FROM member
                    WHERE submission IS NULL AND log = ? AND signer = ? ORDER BY id LIMIT ?",
            )?;
            let rows = statement.query_map(params![log, signer, limit], |row| digest(row, 0))?;
            rows.collect()
        })
    }

    /// Makes the submission of a batch, if all its members still wait; otherwise nothing changes, and it is `false`.
    ///
    /// # Errors
    /// The cause, with the path; nothing is changed then.
    pub fn put_batch(&self, batch: &NewBatch<'_>, now: Timestamp) -> Result<bool, StoreError> {
        let done = self.journal.attempt(|transaction| {
            let id = insert(transaction, batch, now)?;
            for (position, member) in (0_i64..).zip(batch.members) {
                if attach(transaction, batch.log, id, position, member)? == 0 {
                    return Ok(None);
                }
            }
            super::status::refresh(transaction, id, now).map(Some)
        })?;
        Ok(done.is_some())
    }
}

fn insert(
    transaction: &Transaction<'_>,
    batch: &NewBatch<'_>,
    now: Timestamp,
) -> rusqlite::Result<i64> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO submission (log, subject, body, statement, due_ms, changed_at)
            VALUES (?, 'batch', ?, ?, ?, ?)",
    )?;
    let (due, now) = (now.as_millis(), now.to_string());
    insert.insert(params![batch.log, batch.body, batch.statement, due, now])
}

/// How many rows still waited: one or none.
fn attach(
    transaction: &Transaction<'_>,
    log: &str,
    submission: i64,
    position: i64,
    member: &BatchMember,
) -> rusqlite::Result<usize> {
    let hashes: Vec<u8> = member.hashes.iter().flat_map(|hash| *hash.as_bytes()).collect();
    let mut update = transaction.prepare_cached(
        "UPDATE member SET submission = ?, position = ?, hashes = ?
            WHERE manifest_id = ? AND log = ? AND subject = 'batch' AND submission IS NULL",
    )?;
    update.execute(params![submission, position, hashes, member.manifest_id.to_string(), log])
}

pub(super) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    let millis = row.get(column)?;
    Timestamp::from_millis(millis).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, millis))
}

pub(crate) fn digest(row: &Row<'_>, column: usize) -> rusqlite::Result<Sha256Digest> {
    let text: String = row.get(column)?;
    text.parse().map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, 0))
}
