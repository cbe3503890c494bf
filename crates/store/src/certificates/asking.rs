//! From the queue to a log, and what came of it.

use genten_primitives::Timestamp;
use rusqlite::params;

use super::{COLUMNS, Certificate, CertificateId, Certificates, read};
use crate::outbox::{LONGEST_WAIT, later};
use crate::{Difficulty, StoreError, to_place};

impl Certificates<'_> {
    /// Certificates whose time has come, the oldest first; at most `limit`, of those whose number is above `after`.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn due(
        &self,
        after: Option<CertificateId>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Certificate>, StoreError> {
        let (after, now_ms) = (after.map_or(0, |id| id.0), now.as_millis());
        self.journal.run(|connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM certificate JOIN item ON item.sha256 = certificate.item
                    WHERE state = 'queued' AND (due_ms <= ? OR due_ms > ?) AND certificate.id > ?
                    ORDER BY certificate.id LIMIT ?"
            );
            let values = params![now_ms, later(now, LONGEST_WAIT), after, limit];
            connection.prepare_cached(&sql)?.query_map(values, read)?.collect()
        })
    }

    /// Keeps the verified proof of a certificate, with its place in the log: `<log origin>#<entry index>`.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn proven(
        &self,
        id: CertificateId,
        tlog_proof: &[u8],
        log_id: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached(
                    "UPDATE certificate SET state = 'proven', proof = ?, log_id = ?, detail = NULL,
                        hint = NULL, words = NULL, changed_at = ? WHERE id = ?",
                )?
                .execute(params![tlog_proof, log_id, now.to_string(), id.0])?;
            to_place::proven(transaction, id.0)
        })
    }

    /// Puts a certificate off: a log is asked again when `due` has come.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn postpone(
        &self,
        id: CertificateId,
        due: Timestamp,
        met: Difficulty<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached(
                    "UPDATE certificate SET attempts = attempts + 1, due_ms = ?, detail = ?, hint = ?,
                        words = nullif(?, ''), changed_at = ? WHERE id = ? AND state = 'queued'",
                )?
                .execute(params![due.as_millis(), met.code, met.hint, met.words, now.to_string(), id.0])
                .map(drop)
        })
    }

    /// Notes that people were told something that speaks against a log, in one line.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn told(&self, id: CertificateId, what: &str) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached("UPDATE certificate SET told = told || ? WHERE id = ?")?
                .execute(params![format!("{what}\n"), id.0])
                .map(drop)
        })
    }

    /// Ends a certificate that no log will prove. It stays, with the reason.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn failed(
        &self,
        id: CertificateId,
        met: Difficulty<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached(
                    "UPDATE certificate SET state = 'failed', attempts = attempts + 1, detail = ?,
                        hint = ?, words = nullif(?, ''), changed_at = ? WHERE id = ? AND state = 'queued'",
                )?
                .execute(params![met.code, met.hint, met.words, now.to_string(), id.0])
                .map(drop)
        })
    }

    /// Makes everything due that waits, or that has failed too.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn retry(&self, also_failed: bool, now: Timestamp) -> Result<(), StoreError> {
        let states = if also_failed { "('queued', 'failed')" } else { "('queued')" };
        self.journal.transact(|transaction| {
            let sql = format!(
                "UPDATE certificate SET state = 'queued', due_ms = ? WHERE state IN {states}"
            );
            transaction.prepare_cached(&sql)?.execute([now.as_millis()]).map(drop)
        })
    }
}
