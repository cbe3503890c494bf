//! What is known of the logs that are followed.

use genten_primitives::{Sha256Digest, Timestamp};
use rusqlite::{OptionalExtension as _, params};

use super::batches::digest;
use super::submission::{COLUMNS, Submission, named, read};
use super::{Outbox, SubmissionId};
use crate::StoreError;

/// An entry of a log that is by a watched key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its index.
    pub entry: u64,
    /// SHA-256 of the key (SubjectPublicKeyInfo).
    pub key: Sha256Digest,
    /// The digest that is signed.
    pub digest: Vec<u8>,
    /// SHA-256 of the signature.
    pub signature_sha256: Sha256Digest,
    /// Whether the entry shows that the key was used.
    pub key_use: SeenUse,
}

/// Whether an entry that names a key shows that the key was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenUse {
    /// The signature does not hold: whoever made the entry had not the key.
    Forged,
    /// The signature holds.
    Proven,
    /// The entry is of a kind that is not checked.
    Unchecked,
}

impl SeenUse {
    /// `forged`, `proven` or `unchecked`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Forged => "forged",
            Self::Proven => "proven",
            Self::Unchecked => "unchecked",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Forged, Self::Proven, Self::Unchecked].into_iter().find(|one| one.as_str() == name)
    }
}

impl Outbox<'_> {
    /// What is known of the log of this name, as whoever follows it has put it.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn follow_state(&self, log: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.journal.run(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT state FROM followed WHERE origin = ?")?;
            statement.query_row([log], |row| row.get(0)).optional()
        })
    }

    /// Keeps what is known of a log now in the place of `before`, with the entries that were seen on the way: both or none.
    /// Where somebody else has followed the log in between, nothing changes: `false`.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn keep_follow_state(
        &self,
        log: &str,
        before: Option<&[u8]>,
        (state, seen): (&[u8], &[Seen]),
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.journal.transact(|transaction| {
            let known: Option<Vec<u8>> = transaction
                .prepare_cached("SELECT state FROM followed WHERE origin = ?")?
                .query_row([log], |row| row.get(0))
                .optional()?;
            if known.as_deref() != before {
                return Ok(false);
            }
            let mut insert = transaction.prepare_cached(
                "INSERT INTO sighting (origin, entry, key, digest, signature_sha256, key_use, seen_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            )?;
            for one in seen {
                let (key, signature) = (one.key.to_string(), one.signature_sha256.to_string());
                let (how, now) = (one.key_use.as_str(), now.to_string());
                insert.execute(params![log, one.entry, key, one.digest, signature, how, now])?;
            }
            transaction
                .prepare_cached(
                    "INSERT INTO followed (origin, state) VALUES (?1, ?2)
                        ON CONFLICT (origin) DO UPDATE SET state = ?2",
                )?
                .execute(params![log, state])?;
            Ok(true)
        })
    }

    /// The entries of a log by watched keys that nobody has accepted, in order.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn seen(&self, log: &str) -> Result<Vec<Seen>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT entry, key, digest, signature_sha256, key_use FROM sighting
                    WHERE origin = ? AND accepted = 0 ORDER BY entry, key",
            )?;
            let rows = statement.query_map([log], |row| {
                Ok(Seen {
                    entry: row.get(0)?,
                    key: digest(row, 1)?,
                    digest: row.get(2)?,
                    signature_sha256: digest(row, 3)?,
                    key_use: named(row, 4, SeenUse::from_name)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Notes that a person knows of an entry. Whether it was seen.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn accept_seen(&self, log: &str, entry: u64) -> Result<bool, StoreError> {
        self.journal.transact(|transaction| {
            let mut update = transaction.prepare_cached(
                "UPDATE sighting SET accepted = 1 WHERE origin = ? AND entry = ?",
            )?;
            Ok(update.execute(params![log, entry])? > 0)
        })
    }

    /// The bodies of all entries that this journal has ever wanted of any log.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn bodies(&self, mut each: impl FnMut(&[u8])) -> Result<(), StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached("SELECT body FROM submission")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                each(row.get_ref(0)?.as_blob()?);
            }
            Ok(())
        })
    }

    /// Submissions to this log whose tree was not found again in a later one yet, those behind `after` in order; at most
    /// `limit`.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn unfollowed(
        &self,
        log: &str,
        after: Option<SubmissionId>,
        limit: u32,
    ) -> Result<Vec<Submission>, StoreError> {
        self.journal.run(|connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM submission
                    WHERE log = ? AND state = 'logged' AND followed = 0 AND id > ? ORDER BY id LIMIT ?"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let after = after.map_or(0, |id| id.0);
            statement.query_map(params![log, after, limit], read)?.collect()
        })
    }

    /// Notes that the trees of these submissions were found again.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn found_again(&self, ids: &[SubmissionId]) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            let mut update =
                transaction.prepare_cached("UPDATE submission SET followed = 1 WHERE id = ?")?;
            ids.iter().try_for_each(|id| update.execute([id.0]).map(drop))
        })
    }
}
