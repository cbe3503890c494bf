//! From proofs that have arrived to the bundles of the manifests.

use genten_primitives::Sha256Digest;
use rusqlite::{OptionalExtension as _, Row, params};

use super::{CertificateProof, Certificates, digest};
use crate::outbox::read_unplaced;
use crate::{StoreError, Unplaced};

impl Certificates<'_> {
    /// The proof for the certificate of a manifest, where it is there.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn proof(
        &self,
        manifest_id: &Sha256Digest,
    ) -> Result<Option<CertificateProof>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT leaf, proof FROM certified JOIN certificate ON certificate.id = certificate
                    WHERE manifest_id = ? AND state = 'proven'",
            )?;
            let read = |row: &Row<'_>| {
                Ok(CertificateProof { leaf: digest(row, 0)?, tlog_proof: row.get(1)? })
            };
            statement.query_row([manifest_id.to_string()], read).optional()
        })
    }

    /// Manifests whose bundle is on disk and lacks the proof of its certificate, those first that came first; at most `limit`, of
    /// those whose number is above `after`. With each comes its number.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn unplaced(&self, after: i64, limit: u32) -> Result<Vec<(i64, Unplaced)>, StoreError> {
        self.journal.run(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT c.id, c.manifest_id, e.bundle_path, e.manifest IS NOT NULL FROM certified AS c
                    JOIN entry AS e ON e.manifest_id = c.manifest_id AND e.bundle_path IS NOT NULL
                    WHERE c.to_place = 1 AND c.id > ? ORDER BY c.id LIMIT ?",
            )?;
            statement.query_map(params![after, limit], read_unplaced)?.collect()
        })
    }

    /// Notes that the bundles of these manifests hold the proofs of their certificates.
    ///
    /// # Errors
    /// The cause, with the path.
    pub fn placed(&self, manifests: &[Sha256Digest]) -> Result<(), StoreError> {
        self.journal.transact(|transaction| {
            let mut update = transaction
                .prepare_cached("UPDATE certified SET to_place = 0 WHERE manifest_id = ?")?;
            manifests.iter().try_for_each(|id| update.execute([id.to_string()]).map(drop))
        })
    }
}
