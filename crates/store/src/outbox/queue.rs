//! Into the outbox.

use genten_primitives::{Sha256Digest, Timestamp};
use rusqlite::{Transaction, params};

use super::{LogSubject, Outbox, Want, Wanted, forgetting};
use crate::certificates::{self, WantedCertificate};
use crate::journal::{Entry, Recorded, row};
use crate::{Journal, StoreError, to_place};

impl Journal {
    /// Adds a row as [`record`](Self::record) does, and queues what is wanted of logs and the certificate that is to be proven,
    /// in one step: either all are durable or none. `items` is the other evidence in the manifest's bundle, kept so that the
    /// bundle can be made again.
    ///
    /// # Errors
    /// The cause, with the path; nothing is recorded or queued then.
    pub fn record_wanting(
        &self,
        entry: &Entry,
        items: &[Vec<u8>],
        wanted: &[Wanted],
        certificate: Option<&WantedCertificate>,
    ) -> Result<Recorded, StoreError> {
        let values = row::values(entry)?;
        self.transact(|transaction| {
            let inserted = transaction
                .prepare_cached(row::INSERT)?
                .execute(rusqlite::params_from_iter(values))?;
            for item in items {
                keep_item(transaction, &entry.manifest_id, item)?;
            }
            for one in wanted {
                add(transaction, &entry.manifest_id, one, entry.recorded_at)?;
            }
            if let Some(wanted) = certificate {
                keep_item(transaction, &entry.manifest_id, &wanted.item)?;
                certificates::add(transaction, &entry.manifest_id, wanted, entry.recorded_at)?;
            }
            // A row that is new and without a bundle has nothing to be placed.
            if inserted == 0 || entry.bundle_path.is_some() {
                to_place::saved(transaction, &entry.manifest_id)?;
            }
            super::status::refresh_manifest(transaction, &entry.manifest_id, entry.recorded_at)?;
            Ok(if inserted == 0 { Recorded::AlreadyPresent } else { Recorded::Inserted })
        })
    }
}

impl Outbox<'_> {
    /// Queues what is wanted of logs for a manifest. What was wanted before changes nothing.
    ///
    /// # Errors
    /// The cause, with the path; nothing is queued then.
    pub fn add(
        &self,
        manifest_id: &Sha256Digest,
        wanted: &[Wanted],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            for one in wanted {
                add(transaction, manifest_id, one, now)?;
            }
            to_place::saved(transaction, manifest_id)?;
            super::status::refresh_manifest(transaction, manifest_id, now)
        })
    }

    /// Queues an entry that belongs to no manifest here: about bytes alone, by its body. One that is there already stays.
    ///
    /// # Errors
    /// The cause, with the path; nothing is queued then.
    pub fn add_entry(
        &self,
        log: &str,
        subject: LogSubject,
        body: &[u8],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.journal
            .transact(|transaction| submission(transaction, log, subject, body, now).map(drop))
    }
}

fn keep_item(
    transaction: &Transaction<'_>,
    manifest_id: &Sha256Digest,
    item: &[u8],
) -> rusqlite::Result<()> {
    let sha256 = Sha256Digest::of(item).to_string();
    transaction
        .prepare_cached("INSERT INTO item (sha256, json) VALUES (?, ?) ON CONFLICT DO NOTHING")?
        .execute(params![sha256, item])?;
    transaction
        .prepare_cached("INSERT INTO entry_item VALUES (?, ?) ON CONFLICT DO NOTHING")?
        .execute(params![manifest_id.to_string(), sha256])
        .map(drop)
}

fn add(
    transaction: &Transaction<'_>,
    manifest_id: &Sha256Digest,
    wanted: &Wanted,
    now: Timestamp,
) -> rusqlite::Result<()> {
    match &wanted.want {
        Want::Batch { signer, signed_at } => {
            wait(transaction, manifest_id, &wanted.log, signer, *signed_at, now)
        }
        Want::Entry { subject, body } => {
            let submission = submission(transaction, &wanted.log, *subject, body, now)?;
            join(transaction, manifest_id, &wanted.log, *subject, submission, now)
        }
    }
}

/// The submission with this body, made where there is none. What stands in a log that was given up is queued once more.
fn submission(
    transaction: &Transaction<'_>,
    log: &str,
    subject: LogSubject,
    body: &[u8],
    now: Timestamp,
) -> rusqlite::Result<i64> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO submission (log, subject, body, due_ms, changed_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (log, body) DO NOTHING",
    )?;
    insert.execute(params![log, subject.as_str(), body, now.as_millis(), now.to_string()])?;
    let mut find = transaction
        .prepare_cached("SELECT id, given_up FROM submission WHERE log = ? AND body = ?")?;
    let (id, is_given_up) =
        find.query_row(params![log, body], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if is_given_up {
        forgetting::queue(transaction, id, now)?;
    }
    Ok(id)
}

/// Lets a manifest wait for a batch, unless it has an entry of its own or a batch already.
fn wait(
    transaction: &Transaction<'_>,
    manifest_id: &Sha256Digest,
    log: &str,
    signer: &str,
    signed_at: Timestamp,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO member (manifest_id, log, subject, signer, signed_ms, queued_ms)
            SELECT ?1, ?2, 'batch', ?3, ?4, ?5 WHERE NOT EXISTS (
                SELECT 1 FROM member WHERE manifest_id = ?1 AND log = ?2 AND subject <> 'content')",
    )?;
    let (id, signed, queued) = (manifest_id.to_string(), signed_at.as_millis(), now.as_millis());
    insert.execute(params![id, log, signer, signed, queued]).map(drop)
}

fn join(
    transaction: &Transaction<'_>,
    manifest_id: &Sha256Digest,
    log: &str,
    subject: LogSubject,
    submission: i64,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO member (manifest_id, log, subject, submission, signed_ms, queued_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT (manifest_id, log, subject) DO NOTHING",
    )?;
    let id = manifest_id.to_string();
    insert.execute(params![id, log, subject.as_str(), submission, now.as_millis()]).map(drop)
}
