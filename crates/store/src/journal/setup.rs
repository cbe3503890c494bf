//! Opening the journal's file, and what SQLite's errors mean.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use super::schema::{self, Kind};
use super::{Durability, PATIENCE};
use crate::atomic::Mode;
use crate::error::{At, Damage, StoreError};
use crate::permissions::restrict;

/// Opens the journal at `path`, ready for use, and gives its absolute path with it.
pub(super) fn open(
    path: &Path,
    durability: Durability,
) -> Result<(PathBuf, Connection), StoreError> {
    // Absolute, because SQLite gives `:memory:` and the empty name meanings of their own.
    let path = std::path::absolute(path).at(path)?;
    make_file(&path)?;
    let mut connection = connect(&path).map_err(|error| cause(&path, PATIENCE, error))?;
    refuse_read_only(&path, &connection)?;
    refuse_others(&path, &connection)?;
    let version =
        prepare(&mut connection, durability).map_err(|error| cause(&path, PATIENCE, error))?;
    refuse_newer(&path, version)?;
    Ok((path, connection))
}

/// Makes an empty private file, unless there is one.
///
/// Closing a file drops all locks that the process holds on it, SQLite's too. So this opens only a file that is new, and
/// lets no other thread come between.
fn make_file(path: &Path) -> Result<(), StoreError> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            return Err(StoreError::NotAFile { path: path.to_path_buf() });
        }
        Ok(_) => return Ok(()),
        Err(_) => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    restrict(&mut options, Mode::Private);
    match options.open(path).map(drop).at(path) {
        // Another process was faster.
        Err(StoreError::AlreadyExists { .. }) => Ok(()),
        // What is missing is the folder.
        Err(StoreError::NotFound { .. }) => Err(StoreError::NotFound { path: folder(path) }),
        result => result,
    }
}

fn folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_path_buf()
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    // The file may come from somebody else: nothing in its schema gets to run functions or rewrite the schema.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(connection)
}

/// SQLite opens a file that it may not write without a word.
fn refuse_read_only(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    match connection.is_readonly("main") {
        Ok(true) => Err(StoreError::ReadOnly { path: path.to_path_buf() }),
        Ok(false) => Ok(()),
        Err(error) => Err(cause(path, PATIENCE, error)),
    }
}

/// Before anything is written.
fn refuse_others(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    match schema::identify(connection).map_err(|error| cause(path, PATIENCE, error))? {
        Kind::Foreign => Err(StoreError::NotAJournal { path: path.to_path_buf() }),
        Kind::Journal { version } => refuse_newer(path, version),
    }
}

fn refuse_newer(path: &Path, found: i64) -> Result<(), StoreError> {
    let supported = schema::VERSION;
    if found > supported {
        return Err(StoreError::NewerSchema { path: path.to_path_buf(), found, supported });
    }
    Ok(())
}

fn prepare(connection: &mut Connection, durability: Durability) -> rusqlite::Result<i64> {
    use_wal(connection)?;
    let synchronous = match durability {
        Durability::Full => "FULL",
        Durability::Normal => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    // Digests are scattered over their indices. With these two, pages are written back less often: twice the rows a second.
    connection.pragma_update(None, "wal_autocheckpoint", 4000)?;
    connection.pragma_update(None, "cache_size", -16_384)?;
    schema::migrate(connection)
}

/// Changing to WAL fails at once when another process is about to do the same, whatever patience was asked for.
fn use_wal(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        let changed = connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()));
        match changed {
            Err(error) if is_busy(&error) && start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::FileLockingProtocolFailed
        )
    )
}

/// The cause behind SQLite's error at the journal `path`.
pub(super) fn cause(path: &Path, patience: Duration, error: rusqlite::Error) -> StoreError {
    let path = path.to_path_buf();
    if is_busy(&error) {
        return StoreError::Busy { path, waited: patience };
    }
    let message = error.to_string();
    let rusqlite::Error::SqliteFailure(ffi::Error { code, extended_code }, _) = error else {
        return StoreError::Database { path, extended_code: ffi::SQLITE_MISUSE, message };
    };
    match (code, extended_code) {
        // The shared-memory file could not grow.
        (_, ffi::SQLITE_IOERR_SHMSIZE) => StoreError::DiskFull { path },
        // The file was moved or deleted while it was open.
        (_, ffi::SQLITE_READONLY_DBMOVED) => StoreError::NotFound { path },
        (ErrorCode::DiskFull, _) => StoreError::DiskFull { path },
        (ErrorCode::ReadOnly, _) => StoreError::ReadOnly { path },
        (ErrorCode::CannotOpen | ErrorCode::PermissionDenied, _) => StoreError::Permission { path },
        (ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase, _) => {
            StoreError::Corrupt { path, damage: Damage::File { message } }
        }
        _ => StoreError::Database { path, extended_code, message },
    }
}
