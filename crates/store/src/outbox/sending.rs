//! From the outbox to the log, and what came of it.

use std::time::Duration;

use genten_primitives::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Transaction, params};

use super::submission::{COLUMNS, read};
use super::{Difficulty, Outbox, Submission, SubmissionId};
use crate::{StoreError, to_place};

/// No send is put off for longer. What is due later than that was written while the clock was ahead, and is due now.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(3600);

impl Outbox<'_> {
    /// Takes submissions to this log whose time has come, at most `limit`, the oldest first. They count as sent from now on, and
    /// nobody gets them again before they are given back or [taken over](Self::take_over).
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn claim(
        &self,
        log: &str,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Submission>, StoreError> {
        self.journal.transact(|transaction| {
            let sql = format!(
                "UPDATE submission SET state = 'sent', attempts = attempts + 1, changed_at = ?
                    WHERE id IN (
                        SELECT id FROM submission
                            WHERE log = ? AND state = 'queued' AND (due_ms <= ? OR due_ms > ?)
                            ORDER BY id LIMIT ?
                    ) RETURNING {COLUMNS}"
            );
            let (latest, earliest) = (now.as_millis(), later(now, LONGEST_WAIT));
            let values = params![now.to_string(), log, latest, earliest, limit];
            let mut statement = transaction.prepare_cached(&sql)?;
            let claimed =
                statement.query_map(values, read)?.collect::<rusqlite::Result<Vec<_>>>()?;
            for submission in &claimed {
                super::status::refresh(transaction, submission.id.0, now)?;
            }
            Ok(claimed)
        })
    }

    /// Queues again what was under way to this log, due at once: for the one process that may send to it, after the one before has
    /// died.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn take_over(&self, log: &str, now: Timestamp) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            let mut update = transaction.prepare_cached(
                "UPDATE submission SET state = 'queued', due_ms = ? WHERE log = ? AND state = 'sent' RETURNING id",
            )?;
            let ids = update.query_map(params![now.as_millis(), log], |row| row.get(0))?;
            refresh_all(transaction, &ids.collect::<rusqlite::Result<Vec<i64>>>()?, now)
        })
    }

    /// When the next submission to this log is due; `None` where none waits. What was put off for longer than anything is put
    /// off is due `now`, as for [`claim`](Self::claim).
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn next_due(&self, log: &str, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT min(CASE WHEN due_ms > ?2 THEN ?3 ELSE due_ms END) FROM submission
                    WHERE log = ?1 AND state = 'queued'",
            )?;
            let values = params![log, later(now, LONGEST_WAIT), now.as_millis()];
            let due: Option<i64> = statement.query_row(values, |row| row.get(0))?;
            Ok(due.and_then(Timestamp::from_millis))
        })
    }

    /// The names of the logs that something is still to be sent to.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn logs_to_serve(&self) -> Result<Vec<String>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT log FROM submission WHERE state = 'queued'
                    UNION SELECT log FROM submission WHERE state = 'sent'
                    UNION SELECT log FROM member WHERE submission IS NULL ORDER BY log",
            )?;
            statement.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// Notes the size that the log has before these submissions are sent to it, where none is noted.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn note_since(&self, ids: &[SubmissionId], size: u64) -> Result<(), StoreError> {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        self.journal.transact(|transaction| {
            let mut update = transaction
                .prepare_cached("UPDATE submission SET since = ? WHERE id = ? AND since IS NULL")?;
            for id in ids {
                update.execute(params![size, id.0])?;
            }
            Ok(())
        })
    }

    /// Keeps the timestamp of a submission.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn stamped(&self, id: SubmissionId, token: &[u8]) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached("UPDATE submission SET token = ? WHERE id = ?")?
                .execute(params![token, id.0])
                .map(drop)
        })
    }

    /// Keeps the verified entry of a submission before the rest of its evidence is there.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn entered(&self, id: SubmissionId, entry: &[u8], log_id: &str) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached("UPDATE submission SET entry = ?, log_id = ? WHERE id = ?")?
                .execute(params![entry, log_id, id.0])
                .map(drop)
        })
    }

    /// Keeps an entry of a submission that the log has answered and that is not yet known to belong to its history, so that
    /// it need not be sent again; `None` forgets it.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn answered(&self, id: SubmissionId, entry: Option<&[u8]>) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached("UPDATE submission SET entry = ?, log_id = NULL WHERE id = ?")?
                .execute(params![entry, id.0])
                .map(drop)
        })
    }

    /// Puts off everything that waits to be sent to this log and is due before `until`. Gives what that is.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn hold(
        &self,
        log: &str,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<SubmissionId>, StoreError> {
        self.journal.transact(|transaction| {
            let mut update = transaction.prepare_cached(
                "UPDATE submission SET due_ms = ?1 WHERE log = ?2 AND state = 'queued' AND due_ms < ?1
                    RETURNING id",
            )?;
            let ids = update.query_map(params![until.as_millis(), log], |row| row.get(0))?;
            let ids = ids.collect::<rusqlite::Result<Vec<i64>>>()?;
            refresh_all(transaction, &ids, now)?;
            Ok(ids.into_iter().map(SubmissionId).collect())
        })
    }

    /// Ends submissions whose evidence is complete: each with the verified entry and its place in the log.
    ///
    /// # Errors
    /// The cause, with the path; none is ended then.
    pub fn logged<'e>(
        &self,
        done: impl IntoIterator<Item = (SubmissionId, &'e [u8], &'e str)>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            for (id, entry, log_id) in done {
                transaction
                    .prepare_cached(
                        "UPDATE submission SET state = 'logged', entry = ?, log_id = ?, detail = NULL,
                            hint = NULL, words = NULL, changed_at = ? WHERE id = ?",
                    )?
                    .execute(params![entry, log_id, now.to_string(), id.0])?;
                to_place::logged(transaction, id.0)?;
                super::status::refresh(transaction, id.0, now)?;
            }
            Ok(())
        })
    }

    /// Puts a submission off: it is sent again, with the same bytes, when `due` has come.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn postpone(
        &self,
        id: SubmissionId,
        due: Timestamp,
        met: Difficulty<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.end(id, "queued", Some(due), met, now)
    }

    /// Ends a submission that the log refused for good. It stays, with the reason.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn rejected(
        &self,
        id: SubmissionId,
        met: Difficulty<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.end(id, "rejected", None, met, now)
    }

    /// Queues again what was refused by this log, or what is put off: everything that has not arrived is due now. Gives how
    /// many there are.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn retry(
        &self,
        log: &str,
        also_rejected: bool,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        let states = if also_rejected { "('queued', 'rejected')" } else { "('queued')" };
        self.journal.transact(|transaction| {
            let sql = format!(
                "UPDATE submission SET state = 'queued', due_ms = ? WHERE log = ? AND state IN {states} RETURNING id"
            );
            let mut statement = transaction.prepare_cached(&sql)?;
            let ids = statement.query_map(params![now.as_millis(), log], |row| row.get(0))?;
            let ids = ids.collect::<rusqlite::Result<Vec<i64>>>()?;
            refresh_all(transaction, &ids, now)?;
            Ok(ids.len())
        })
    }

    fn end(
        &self,
        id: SubmissionId,
        state: &str,
        due: Option<Timestamp>,
        met: Difficulty<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let due = due.map_or(Value::Null, |due| Value::Integer(due.as_millis()));
        self.journal.transact(|transaction: &Transaction<'_>| {
            // What another process has ended meanwhile stays ended.
            transaction
                .prepare_cached(
                    "UPDATE submission SET state = ?, due_ms = coalesce(?, due_ms), detail = ?, hint = ?,
                        words = nullif(?, ''), changed_at = ?
                        WHERE id = ? AND state IN ('queued', 'sent')",
                )?
                .execute(params![state, due, met.code, met.hint, met.words, now.to_string(), id.0])?;
            super::status::refresh(transaction, id.0, now)
        })
    }
}

fn refresh_all(
    transaction: &Transaction<'_>,
    submissions: &[i64],
    now: Timestamp,
) -> rusqlite::Result<()> {
    submissions.iter().try_for_each(|id| super::status::refresh(transaction, *id, now))
}

pub(crate) fn later(now: Timestamp, by: Duration) -> i64 {
    now.as_millis().saturating_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX))
}
