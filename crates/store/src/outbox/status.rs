//! How far everything has come: for people, and in the rows of the manifests.

use genten_primitives::{Sha256Digest, Timestamp};
use rusqlite::{Transaction, params};

use super::submission::{COLUMNS, read};
use super::{Outbox, Submission};
use crate::StoreError;

/// Numbers about one log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogCounts {
    /// The log's name.
    pub log: String,
    /// Manifests that wait for a batch.
    pub waiting: u64,
    /// Entries that wait to be sent.
    pub queued: u64,
    /// Entries that are under way.
    pub sent: u64,
    /// Entries that the log has.
    pub logged: u64,
    /// Entries that a log of this name had, which was given up.
    pub given_up: u64,
    /// Entries that the log refused.
    pub rejected: u64,
    /// Entries that were refused or put off.
    pub stuck: u64,
    /// Manifests whose evidence is complete and does not stand in their bundle on disk yet.
    pub unplaced: u64,
}

impl Outbox<'_> {
    /// Numbers about each log that anything was wanted of.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn counts(&self) -> Result<Vec<LogCounts>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(COUNTS)?;
            let rows = statement.query_map([], |row| {
                Ok(LogCounts {
                    log: row.get(0)?,
                    waiting: row.get(1)?,
                    queued: row.get(2)?,
                    sent: row.get(3)?,
                    logged: row.get(4)?,
                    rejected: row.get(5)?,
                    stuck: row.get(6)?,
                    unplaced: row.get(7)?,
                    given_up: row.get(8)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Whether an entry is put off since one of these was met, by its code.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn has_met(&self, log: &str, codes: &[&str]) -> Result<bool, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM submission
                    WHERE log = ? AND state IN ('queued', 'sent') AND detail = ?)",
            )?;
            for code in codes {
                if statement.query_row([log, code], |row| row.get(0))? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Submissions to a log that were refused or put off, the oldest first; at most `limit`.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn stuck(&self, log: &str, limit: u32) -> Result<Vec<Submission>, StoreError> {
        self.journal.run(|connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM submission WHERE log = ? AND detail IS NOT NULL
                    AND state <> 'logged' ORDER BY id LIMIT ?"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_map(params![log, limit], read)?.collect()
        })
    }
}

const COUNTS: &str = "
    SELECT log, sum(waiting), sum(queued), sum(sent), sum(logged), sum(rejected), sum(stuck), sum(unplaced), sum(given_up)
    FROM (
        SELECT log, 0 AS waiting, state = 'queued' AS queued, state = 'sent' AS sent,
            state = 'logged' AND given_up = 0 AS logged, state = 'rejected' AS rejected,
            state <> 'logged' AND detail IS NOT NULL AS stuck, 0 AS unplaced,
            state = 'logged' AND given_up = 1 AS given_up
            FROM submission
        UNION ALL
        SELECT log, submission IS NULL, 0, 0, 0, 0, 0, 0, 0 FROM member
        UNION ALL
        SELECT log, 0, 0, 0, 0, 0, 0, count(DISTINCT manifest_id), 0 FROM member WHERE to_place = 1 GROUP BY log
        UNION ALL
        SELECT m.log, 0, 0, 0, 0, 0, 0, count(DISTINCT b.id), 0 FROM brought AS b
            JOIN member AS m ON m.manifest_id = b.manifest_id
            JOIN submission AS s ON s.id = m.submission AND s.state = 'logged'
            WHERE b.to_place = 1 GROUP BY m.log
    ) GROUP BY log ORDER BY log";

// Without the plus before a value, SQLite plans anew for each of them: a partial index might fit it.

/// Brings the rows of all manifests of a submission up to date.
pub(super) fn refresh(
    transaction: &Transaction<'_>,
    submission: i64,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut members = transaction.prepare_cached(&refresh_sql("m.submission = +?2"))?;
    members.execute(params![now.to_string(), submission]).map(drop)
}

/// Brings the row of one manifest up to date.
pub(super) fn refresh_manifest(
    transaction: &Transaction<'_>,
    manifest_id: &Sha256Digest,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut members = transaction.prepare_cached(&refresh_sql("m.manifest_id = +?2"))?;
    members.execute(params![now.to_string(), manifest_id.to_string()]).map(drop)
}

/// A manifest is as far as the slowest of what is wanted for it; its place in the log is that of its own entry or its
/// batch's, else of its content's.
fn refresh_sql(which: &str) -> String {
    format!(
        "UPDATE entry SET log_state = news.state, log_id = news.log_id, log_attempts = news.attempts,
                log_due_ms = news.due_ms, log_detail = news.detail, log_changed_at = ?1
            FROM (
                SELECT all_of.manifest_id,
                    CASE min(CASE coalesce(s.state, 'queued')
                            WHEN 'rejected' THEN 0 WHEN 'queued' THEN 1 WHEN 'sent' THEN 2 ELSE 3 END)
                        WHEN 0 THEN 'rejected' WHEN 1 THEN 'queued' WHEN 2 THEN 'sent' ELSE 'logged' END AS state,
                    coalesce(
                        max(CASE WHEN all_of.subject <> 'content' THEN s.log_id END), max(s.log_id)
                    ) AS log_id,
                    coalesce(max(s.attempts), 0) AS attempts,
                    min(CASE WHEN s.state IN ('queued', 'sent') THEN s.due_ms END) AS due_ms,
                    max(s.detail) AS detail
                FROM member AS m
                JOIN member AS all_of ON all_of.manifest_id = m.manifest_id
                LEFT JOIN submission AS s ON s.id = all_of.submission
                WHERE {which} GROUP BY all_of.manifest_id
            ) AS news
            WHERE entry.manifest_id = news.manifest_id"
    )
}
