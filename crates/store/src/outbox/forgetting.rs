//! Logs that a person gives up, so that they are known anew.

use genten_primitives::Timestamp;
use rusqlite::{Transaction, params};

use super::{Outbox, SubmissionId};
use crate::StoreError;

/// A log that is given up.
#[derive(Clone, Copy, Debug)]
pub struct LostLog<'l> {
    /// The names under which entries were queued for it.
    pub logs: &'l [String],
    /// Its origin.
    pub origin: &'l str,
    /// Its names: by origin and key id.
    pub names: &'l [String],
    /// The file in which what was known of it is kept.
    pub evidence: &'l str,
}

/// A log that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgottenLog {
    /// Its origin.
    pub origin: String,
    /// When that was.
    pub forgotten_at: Timestamp,
    /// The file in which what was known of it is kept.
    pub evidence: String,
}

impl Outbox<'_> {
    /// Gives up what is known of a log: its last checkpoint, how far it was followed, and what was seen in it. That it was done
    /// is noted. The entries that it had count as logged, are not looked for in it any more, and are queued once more where they
    /// are wanted again. Gives how many these are.
    ///
    /// # Errors
    /// The cause, with the path; nothing is given up then.
    pub fn forget(&self, lost: &LostLog<'_>, now: Timestamp) -> Result<usize, StoreError> {
        self.journal.transact(|transaction| {
            for name in lost.names {
                transaction.execute("DELETE FROM log_head WHERE origin = ?", [name])?;
                transaction.execute("DELETE FROM followed WHERE origin = ?", [name])?;
                transaction.execute("DELETE FROM sighting WHERE origin = ?", [name])?;
            }
            let mut entries = 0;
            for log in lost.logs {
                transaction.execute(
                    "INSERT INTO forgotten (log, origin, forgotten_at, evidence) VALUES (?, ?, ?, ?)",
                    params![log, lost.origin, now.to_string(), lost.evidence],
                )?;
                entries += transaction.execute(GIVE_UP, params![log, lost.origin])?;
            }
            Ok(entries)
        })
    }

    /// Queues once more what a log had that was given up. Gives how many entries these are.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn queue_given_up(
        &self,
        logs: &[String],
        origin: &str,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        self.journal.transact(|transaction| {
            let mut queued = 0;
            for log in logs {
                let mut statement = transaction.prepare_cached(GIVEN_UP)?;
                let ids = statement.query_map(params![log, origin], |row| row.get(0))?;
                for id in ids.collect::<rusqlite::Result<Vec<_>>>()? {
                    queue(transaction, id, now)?;
                    queued += 1;
                }
            }
            Ok(queued)
        })
    }

    /// The names under which entries were queued that a log of this origin has.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn logs_with_entries_of(&self, origin: &str) -> Result<Vec<String>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT DISTINCT log FROM submission
                    WHERE substr(log_id, 1, length(?1) + 1) = ?1 || '#' ORDER BY log",
            )?;
            statement.query_map([origin], |row| row.get(0))?.collect()
        })
    }

    /// Queues an entry once more: its name stands for another log than the one that has it.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn queue_anew(&self, id: SubmissionId, now: Timestamp) -> Result<(), StoreError> {
        self.journal.transact(|transaction| queue(transaction, id.0, now))
    }

    /// Logs that were given up under this name, the first of them first.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn forgotten(&self, log: &str) -> Result<Vec<ForgottenLog>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT origin, forgotten_at, evidence FROM forgotten WHERE log = ? ORDER BY id",
            )?;
            let rows = statement.query_map([log], |row| {
                let at: String = row.get(1)?;
                let forgotten_at =
                    at.parse().map_err(|_| rusqlite::Error::IntegralValueOutOfRange(1, 0))?;
                Ok(ForgottenLog { origin: row.get(0)?, forgotten_at, evidence: row.get(2)? })
            })?;
            rows.collect()
        })
    }
}

/// What the log has taken, also where the rest of the evidence is still missing.
const GIVE_UP: &str = "UPDATE submission SET followed = 1, given_up = 1
    WHERE log = ?1 AND substr(log_id, 1, length(?2) + 1) = ?2 || '#'";

const GIVEN_UP: &str = "SELECT id FROM submission
    WHERE log = ?1 AND given_up = 1 AND substr(log_id, 1, length(?2) + 1) = ?2 || '#'";

/// As if it had never been sent; what was stamped stays stamped.
pub(super) fn queue(
    transaction: &Transaction<'_>,
    submission: i64,
    now: Timestamp,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "UPDATE submission SET state = 'queued', due_ms = ?, attempts = 0, since = NULL, detail = NULL,
                hint = NULL, words = NULL, entry = NULL, log_id = NULL, followed = 0, given_up = 0, renewed = 1,
                changed_at = ? WHERE id = ?",
        )?
        .execute(params![now.as_millis(), now.to_string(), submission])?;
    transaction
        .prepare_cached("UPDATE member SET to_place = 0 WHERE submission = ?")?
        .execute([submission])?;
    super::status::refresh(transaction, submission, now)
}
