//! The last verified checkpoint of each log.

use genten_primitives::Timestamp;
use rusqlite::{OptionalExtension as _, params};

use super::Outbox;
use super::submission::named;
use crate::StoreError;

/// What is known of a log from before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogHead {
    /// The checkpoint, as it was received.
    pub note: Vec<u8>,
    /// The size that it states.
    pub size: u64,
    /// Entries before this one were looked at.
    pub next: u64,
    /// When the log was seen for the first time.
    pub first_seen: Timestamp,
    /// When this checkpoint, or a later note of the same tree, was last seen.
    pub last_seen: Timestamp,
}

impl Outbox<'_> {
    /// The last checkpoint of the log with this origin.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn head(&self, origin: &str) -> Result<Option<LogHead>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT note, size, next, first_seen, last_seen FROM log_head WHERE origin = ?",
            )?;
            let found = statement.query_row([origin], |row| {
                Ok(LogHead {
                    note: row.get(0)?,
                    size: row.get(1)?,
                    next: row.get(2)?,
                    first_seen: named(row, 3, |text| text.parse().ok())?,
                    last_seen: named(row, 4, |text| text.parse().ok())?,
                })
            });
            found.optional()
        })
    }

    /// Keeps a checkpoint that was verified, and that continues the one kept before; a smaller one changes nothing.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn set_head(
        &self,
        origin: &str,
        (note, size): (&[u8], u64),
        next: Option<u64>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO log_head (origin, note, size, next, first_seen, last_seen)
                        VALUES (?1, ?2, ?3, coalesce(?4, 0), ?5, ?5)
                        ON CONFLICT (origin) DO UPDATE SET note = ?2, size = ?3,
                            next = max(next, coalesce(?4, 0)), last_seen = ?5 WHERE size <= ?3",
                )?
                .execute(params![origin, note, size, next, now.to_string()])
                .map(drop)
        })
    }
}
