//! The journal: one row for every attested fetch, in SQLite.
//!
//! Several threads may share one [`Journal`], several processes one file. Each row stands for one manifest and is told
//! from others by the manifest's id; recording it again changes nothing. A row is durable when [`Journal::record`]
//! returns: against the death of the process always, against a power cut as [`Durability`] says.
//!
//! The file is private (0600), but it is also what users pass around, so it holds no secrets: callers mask the values of
//! secret parameters in the URLs, and leave out the signed bytes where a secret stands in them ([`Entry::manifest`]).
//!
//! While a journal is open in a process, the process must not open and close the file in another way (to copy it, say):
//! on Unix that would drop SQLite's locks.

mod entry;
mod filter;
pub(crate) mod row;
mod schema;
mod setup;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use genten_primitives::Sha256Digest;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

pub use entry::{BodyPlace, Entry, LogState, LogStatus};
pub use filter::{Filter, Order, UrlMatch};

use crate::error::{Damage, StoreError};
use crate::to_place;

/// When a recorded row survives a power cut. The death of the process alone never loses one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// Soon after: the last rows before the cut may be missing, the journal stays consistent (`synchronous=NORMAL`).
    #[default]
    Normal,
    /// At once: every row is synced before it counts as recorded (`synchronous=FULL`).
    Full,
}

/// What [`Journal::record`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// A row for this manifest was there before, and stays as it was.
    AlreadyPresent,
    /// The row is new.
    Inserted,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    patience: Duration,
    connection: Mutex<Connection>,
}

/// How long to wait for another process, unless told otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

impl Journal {
    /// Opens the journal at `path`. Makes it if it is missing, and brings an older one up to date.
    ///
    /// # Errors
    /// [`StoreError::NewerSchema`], [`StoreError::NotAJournal`], [`StoreError::Corrupt`], [`StoreError::Busy`], or another
    /// cause, with the path. A file that is refused is not changed.
    pub fn open(path: impl AsRef<Path>, durability: Durability) -> Result<Self, StoreError> {
        let (path, connection) = setup::open(path.as_ref(), durability)?;
        Ok(Self { path, patience: PATIENCE, connection: Mutex::new(connection) })
    }

    /// Where the journal is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sets how long to wait for another process that writes, before an operation fails with [`StoreError::Busy`]. From
    /// the beginning it is ten seconds; a write takes less than a millisecond.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn set_patience(&mut self, patience: Duration) -> Result<(), StoreError> {
        self.patience = patience;
        self.run(|connection| connection.busy_timeout(patience))
    }

    /// Adds a row, unless the manifest has one. Relative paths are made absolute.
    ///
    /// # Errors
    /// The cause, with the path; nothing is recorded then.
    pub fn record(&self, entry: &Entry) -> Result<Recorded, StoreError> {
        let values = row::values(entry)?;
        let inserted = self.run(|connection| {
            connection.prepare_cached(row::INSERT)?.execute(rusqlite::params_from_iter(values))
        })?;
        Ok(if inserted == 0 { Recorded::AlreadyPresent } else { Recorded::Inserted })
    }

    /// The row of one manifest.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn get(&self, manifest_id: &Sha256Digest) -> Result<Option<Entry>, StoreError> {
        self.one("SELECT * FROM entry WHERE manifest_id = ?1", Value::Text(manifest_id.to_string()))
    }

    /// The rows that fit the filter, as an iterator. What fits is decided now: rows recorded later do not appear. Only
    /// the rows' numbers (8 bytes each) are held in memory; each row is read when its turn comes.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn list(&self, filter: &Filter) -> Result<Entries<'_>, StoreError> {
        let (sql, values) = filter.ids();
        let rows = self.run(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0))?;
            rows.collect::<rusqlite::Result<Vec<i64>>>()
        })?;
        Ok(Entries { journal: self, rows: rows.into_iter() })
    }

    /// How many rows fit the filter; its limit and order do not matter.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        let (sql, values) = filter.count();
        let count: i64 = self.run(|connection| {
            let values = rusqlite::params_from_iter(values);
            connection.prepare_cached(&sql)?.query_row(values, |row| row.get(0))
        })?;
        Ok(count.unsigned_abs())
    }

    /// Records where the manifest's bundle is now. A relative path is made absolute. Evidence from logs that has arrived is
    /// placed there again: it may be another file.
    ///
    /// # Errors
    /// [`StoreError::UnknownManifest`], or another cause, with the path.
    pub fn update_bundle_path(
        &self,
        manifest_id: &Sha256Digest,
        bundle: &Path,
    ) -> Result<(), StoreError> {
        let (path, id) = (row::path_value(bundle)?, manifest_id.to_string());
        let changed = self.transact(|transaction| {
            let changed =
                transaction.prepare_cached(row::SET_BUNDLE)?.execute(params![path, id])?;
            to_place::saved(transaction, manifest_id)?;
            Ok(changed)
        })?;
        self.known(manifest_id, changed)
    }

    /// Reads the whole file and looks for contradictions in it.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] with the findings, or another cause, with the path.
    pub fn check(&self) -> Result<(), StoreError> {
        let mut findings = self.run(|connection| {
            let mut statement = connection.prepare("PRAGMA integrity_check(100)")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect::<rusqlite::Result<Vec<String>>>()
        })?;
        findings.retain(|finding| finding != "ok");
        if findings.is_empty() {
            return Ok(());
        }
        Err(self.damaged(Damage::Integrity { findings }))
    }

    fn one(&self, sql: &str, key: Value) -> Result<Option<Entry>, StoreError> {
        let found = self.run(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row([key], |row| Ok(row::read(row))).optional()
        })?;
        found.transpose().map_err(|damage| self.damaged(damage))
    }

    fn known(&self, manifest_id: &Sha256Digest, rows: usize) -> Result<(), StoreError> {
        if rows == 0 {
            return Err(StoreError::UnknownManifest {
                path: self.path.clone(),
                manifest_id: *manifest_id,
            });
        }
        Ok(())
    }

    fn damaged(&self, damage: Damage) -> StoreError {
        StoreError::Corrupt { path: self.path.clone(), damage }
    }

    pub(crate) fn run<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.lock()).map_err(|error| setup::cause(&self.path, self.patience, error))
    }

    /// Runs work that is done as a whole or not at all.
    pub(crate) fn transact<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let done = self.attempt(|transaction| work(transaction).map(Some))?;
        Ok(done.expect("such work always has a result"))
    }

    /// As [`transact`](Self::transact), for work that may find that there is nothing to do: `None` undoes it.
    pub(crate) fn attempt<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<Option<T>>,
    ) -> Result<Option<T>, StoreError> {
        self.run(|connection| {
            let transaction =
                Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            if done.is_some() {
                transaction.commit()?;
            }
            Ok(done)
        })
    }

    /// A thread that panicked in here left no transaction open, so its poison means nothing.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The rows of a [`Journal::list`].
#[derive(Debug)]
pub struct Entries<'journal> {
    journal: &'journal Journal,
    rows: std::vec::IntoIter<i64>,
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let row = self.rows.next()?;
            let found = self.journal.one("SELECT * FROM entry WHERE id = ?1", Value::Integer(row));
            // A row that was deleted meanwhile is no longer listed.
            if let Some(item) = found.transpose() {
                return Some(item);
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.rows.len()))
    }
}
