//! The last checkpoint of each log that entries went into.

use genten_primitives::Timestamp;
use rusqlite::{OptionalExtension as _, params};

use super::Outbox;
use crate::StoreError;

/// The last checkpoint of a log: its own, where it is the home's, or the last that was believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogHead {
    /// The checkpoint.
    pub note: Vec<u8>,
    /// The size that it states.
    pub size: u64,
}

impl Outbox<'_> {
    /// The last checkpoint of the log of this name.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn head(&self, origin: &str) -> Result<Option<LogHead>, StoreError> {
        self.journal.run(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT note, size FROM log_head WHERE origin = ?")?;
            let read =
                |row: &rusqlite::Row<'_>| Ok(LogHead { note: row.get(0)?, size: row.get(1)? });
            statement.query_row([origin], read).optional()
        })
    }

    /// Keeps a checkpoint; a smaller one changes nothing.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn set_head(
        &self,
        origin: &str,
        note: &[u8],
        size: u64,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO log_head (origin, note, size, changed_at) VALUES (?1, ?2, ?3, ?4)
                        ON CONFLICT (origin) DO UPDATE SET note = ?2, size = ?3, changed_at = ?4
                            WHERE size <= ?3",
                )?
                .execute(params![origin, note, size, now.to_string()])
                .map(drop)
        })
    }

    /// Keeps a checkpoint in the place of `before`, the one that was read and held against it. Where another one has come in
    /// between, nothing changes: `false`.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn replace_head(
        &self,
        origin: &str,
        before: Option<&[u8]>,
        head: &LogHead,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let sql = match before {
            Some(_) => {
                "UPDATE log_head SET note = ?2, size = ?3, changed_at = ?4 WHERE origin = ?1 AND note = ?5"
            }
            None => {
                "INSERT INTO log_head (origin, note, size, changed_at) SELECT ?1, ?2, ?3, ?4 WHERE ?5 IS NULL
                    ON CONFLICT DO NOTHING"
            }
        };
        self.journal.transact(|transaction| {
            let values = params![origin, head.note, head.size, now.to_string(), before];
            Ok(transaction.prepare_cached(sql)?.execute(values)? > 0)
        })
    }
}
