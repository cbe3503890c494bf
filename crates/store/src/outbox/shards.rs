//! Logs that take no more entries, until their names stand for other ones.

use genten_primitives::Timestamp;
use rusqlite::{OptionalExtension as _, params};

use super::Outbox;
use crate::StoreError;

impl Outbox<'_> {
    /// Notes that the service behind a log's name takes no more entries, or has asked to be left alone.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn froze(&self, log: &str, service: &str) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO frozen (log, service) VALUES (?1, ?2)
                        ON CONFLICT (log) DO UPDATE SET service = ?2",
                )?
                .execute(params![log, service])
                .map(drop)
        })
    }

    /// Makes everything due that waits for this log, if its name stands for another service than the one of which that was
    /// noted. Whether it does.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn thaw(&self, log: &str, service: &str, now: Timestamp) -> Result<bool, StoreError> {
        let frozen: Option<String> = self.journal.run(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT service FROM frozen WHERE log = ?")?;
            statement.query_row([log], |row| row.get(0)).optional()
        })?;
        if frozen.is_none_or(|frozen| frozen == service) {
            return Ok(false);
        }
        // In this order: whoever is stopped in between does it again.
        self.retry(log, false, now)?;
        self.journal.transact(|transaction| {
            transaction.execute("DELETE FROM frozen WHERE log = ?", [log]).map(|_| true)
        })
    }
}
