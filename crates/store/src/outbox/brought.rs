//! Files that a person has named: the bundles of manifests that were signed elsewhere, or copies.

use std::path::Path;

use genten_primitives::Sha256Digest;
use rusqlite::params;

use super::placing::read_unplaced;
use super::{Outbox, Unplaced};
use crate::journal::row::path_value;
use crate::{StoreError, to_place};

impl Outbox<'_> {
    /// Notes a file with a manifest that the journal has no file for: it is completed too, as evidence for the manifest arrives. A
    /// file that is known already, and the one that the journal has, change nothing.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn bring(&self, manifest_id: &Sha256Digest, bundle: &Path) -> Result<(), StoreError> {
        let path = path_value(bundle)?;
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO brought (manifest_id, bundle_path) SELECT ?1, ?2 WHERE NOT EXISTS (
                        SELECT 1 FROM entry WHERE manifest_id = ?1 AND bundle_path = ?2)
                        ON CONFLICT DO NOTHING",
                )?
                .execute(params![manifest_id.to_string(), path])?;
            to_place::saved(transaction, manifest_id)
        })
    }

    /// The files that lack evidence that is complete, each with its number.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn unplaced_brought(&self) -> Result<Vec<(i64, Unplaced)>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, manifest_id, bundle_path, 0 FROM brought WHERE to_place = 1 ORDER BY id",
            )?;
            statement.query_map([], read_unplaced)?.collect()
        })
    }

    /// Notes that the file of this number has all evidence that is here.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn placed_brought(&self, number: i64) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            transaction
                .prepare_cached("UPDATE brought SET to_place = 0 WHERE id = ?")?
                .execute([number])
                .map(drop)
        })
    }
}
