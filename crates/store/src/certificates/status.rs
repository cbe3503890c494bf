//! How far everything has come, for people.

use genten_primitives::Timestamp;

use super::{COLUMNS, Certificate, Certificates, read};
use crate::StoreError;
use crate::outbox::{LONGEST_WAIT, later};

/// Numbers about all certificates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CertificateCounts {
    /// Certificates that no log will prove.
    pub failed: u64,
    /// Certificates whose proof is there.
    pub proven: u64,
    /// Certificates that wait.
    pub queued: u64,
    /// Certificates that failed or were put off.
    pub stuck: u64,
    /// Manifests whose certificate is proven and whose bundle lacks the proof.
    pub unplaced: u64,
}

impl Certificates<'_> {
    /// Numbers about all certificates.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn counts(&self) -> Result<CertificateCounts, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT count(*) FILTER (WHERE state = 'failed'),
                    count(*) FILTER (WHERE state = 'proven'),
                    count(*) FILTER (WHERE state = 'queued'),
                    count(*) FILTER (WHERE state <> 'proven' AND detail IS NOT NULL),
                    (SELECT count(*) FROM certified WHERE to_place = 1)
                    FROM certificate",
            )?;
            statement.query_row([], |row| {
                Ok(CertificateCounts {
                    failed: row.get(0)?,
                    proven: row.get(1)?,
                    queued: row.get(2)?,
                    stuck: row.get(3)?,
                    unplaced: row.get(4)?,
                })
            })
        })
    }

    /// Certificates that failed or were put off, the oldest first; at most `limit`.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn stuck(&self, limit: u32) -> Result<Vec<Certificate>, StoreError> {
        self.journal.run(|connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM certificate JOIN item ON item.sha256 = certificate.item
                    WHERE state <> 'proven' AND detail IS NOT NULL ORDER BY certificate.id LIMIT ?"
            );
            connection.prepare_cached(&sql)?.query_map([limit], read)?.collect()
        })
    }

    /// When the next certificate is due; `None` where none waits. What was put off for longer than anything is put off is due
    /// `now`, as for [`due`](Self::due).
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT min(CASE WHEN due_ms > ? THEN ? ELSE due_ms END) FROM certificate
                    WHERE state = 'queued'",
            )?;
            let values = [later(now, LONGEST_WAIT), now.as_millis()];
            let due: Option<i64> = statement.query_row(values, |row| row.get(0))?;
            Ok(due.and_then(Timestamp::from_millis))
        })
    }
}
