//! The shape of the journal's tables and its history.
//!
//! `PRAGMA user_version` counts the migrations that a file has seen. Each runs in one transaction together with the new
//! count, so that a file has always exactly the shape that its count names. A migration that was released never changes.

use rusqlite::{Connection, TransactionBehavior};

/// Tells our files from other programs' (`PRAGMA application_id`): "Gntn".
pub(super) const APPLICATION: i64 = 0x476e_746e;

const MIGRATIONS: [&str; 4] = [
    include_str!("schema/v1.sql"),
    include_str!("schema/v2.sql"),
    include_str!("schema/v3.sql"),
    include_str!("schema/v4.sql"),
];

/// The version that this program writes.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// What a SQLite file is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A journal, or an empty file (version 0).
    Journal { version: i64 },
    /// Another program's.
    Foreign,
}

/// Looks at a file without changing it.
pub(super) fn identify(connection: &Connection) -> rusqlite::Result<Kind> {
    let question = "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
        FROM pragma_user_version, pragma_application_id";
    let (version, application, tables): (i64, i64, i64) =
        connection.query_row(question, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(match (version, application, tables) {
        (0, 0, 0) => Kind::Journal { version: 0 },
        (1.., APPLICATION, 1..) => Kind::Journal { version },
        _ => Kind::Foreign,
    })
}

/// Brings a journal of an older version up to date and gives the version that it has then: ours, or a newer one, if
/// another process came first. Several processes may do this at once.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<i64> {
    loop {
        let version = version(connection)?;
        if version >= VERSION {
            return Ok(version);
        }
        step(connection)?;
    }
}

/// Runs the next migration, if one is due.
fn step(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read again under the lock: another process may have been faster.
    let version = version(&transaction)?;
    let due = usize::try_from(version).ok().and_then(|version| MIGRATIONS.get(version));
    if let Some(migration) = due {
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", version + 1)?;
    }
    transaction.commit()
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
