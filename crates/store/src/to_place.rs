//! Which bundles on disk lack evidence that is here. It is noted when the second of the two comes, so that nobody has to look
//! through all manifests for it.

use genten_primitives::Sha256Digest;
use rusqlite::{ToSql, Transaction};

/// The evidence of a submission has come.
pub(crate) fn logged(transaction: &Transaction<'_>, submission: i64) -> rusqlite::Result<()> {
    members(transaction, "submission = +?", submission)?;
    transaction
        .prepare_cached(
            "UPDATE brought SET to_place = 1 WHERE manifest_id IN (
                SELECT manifest_id FROM member WHERE submission = ?)",
        )?
        .execute([submission])
        .map(drop)
}

/// The proof for a certificate has come.
pub(crate) fn proven(transaction: &Transaction<'_>, certificate: i64) -> rusqlite::Result<()> {
    certified(transaction, "certificate = +?", certificate)
}

/// The bundle of a manifest is in another file now, or more is wanted for it.
pub(crate) fn saved(
    transaction: &Transaction<'_>,
    manifest_id: &Sha256Digest,
) -> rusqlite::Result<()> {
    members(transaction, "manifest_id = +?", manifest_id.to_string())?;
    transaction
        .prepare_cached(
            "UPDATE brought SET to_place = 1 WHERE manifest_id = ?1 AND EXISTS (
                SELECT 1 FROM member AS m JOIN submission AS s ON s.id = m.submission
                    WHERE m.manifest_id = ?1 AND s.state = 'logged')",
        )?
        .execute([manifest_id.to_string()])?;
    certified(transaction, "manifest_id = +?", manifest_id.to_string())
}

fn members(transaction: &Transaction<'_>, which: &str, key: impl ToSql) -> rusqlite::Result<()> {
    let come =
        "SELECT 1 FROM submission AS s WHERE s.id = member.submission AND s.state = 'logged'";
    mark(transaction, "member", come, which, key)
}

fn certified(transaction: &Transaction<'_>, which: &str, key: impl ToSql) -> rusqlite::Result<()> {
    let come =
        "SELECT 1 FROM certificate AS c WHERE c.id = certified.certificate AND c.state = 'proven'";
    mark(transaction, "certified", come, which, key)
}

/// Marks the rows of a table whose evidence has come and whose bundle is on disk.
fn mark(
    transaction: &Transaction<'_>,
    table: &str,
    come: &str,
    which: &str,
    key: impl ToSql,
) -> rusqlite::Result<()> {
    let sql = format!(
        "UPDATE {table} SET to_place = 1 WHERE {which} AND EXISTS ({come}) AND EXISTS (
            SELECT 1 FROM entry AS e
                WHERE e.manifest_id = {table}.manifest_id AND e.bundle_path IS NOT NULL)"
    );
    transaction.prepare_cached(&sql)?.execute([key]).map(drop)
}
