//! Entries of Rekor logs, their bodies, and statements of batches.

use genten_primitives::json::{self, Limits};
use genten_tlog::batch::BatchStatement;
use genten_tlog::rekor::{EntryKind, HashedRekord, LogEntry, v1};

/// What is read depends on the values alone, not on their spelling; an entry without proof is never verified.
pub(crate) fn log_entry(bytes: &[u8]) -> bool {
    let Ok(entry) = LogEntry::read(bytes) else { return false };
    let mut canonical = Vec::new();
    let document = json::read(bytes, Limits::bytes(bytes.len())).expect("strict JSON");
    document.root().write_canonical(&mut canonical);
    assert_eq!(LogEntry::read(&canonical).as_ref(), Ok(&entry));
    assert!(entry.index().get() < 1 << 63);
    true
}

/// A body of version 2 has one spelling; one of version 1 has all its parts.
pub(crate) fn logged_body(bytes: &[u8]) -> bool {
    if let Ok(rekord) = HashedRekord::read(bytes) {
        assert_eq!(rekord.to_body(), bytes);
        assert_eq!(rekord.digest.len(), rekord.hash.len());
        assert!(rekord.check_signature().is_err() || rekord.public_key().is_ok());
        return true;
    }
    let kinds = [EntryKind::Dsse, EntryKind::HashedRekordV1, EntryKind::Intoto];
    let read: Vec<_> = kinds.iter().filter_map(|kind| v1::Body::read(bytes, *kind).ok()).collect();
    assert!(read.len() < 2, "a body of two kinds");
    for body in &read {
        assert_eq!(body.digest.len(), body.hash.len());
        assert!(!body.signatures.is_empty());
    }
    !read.is_empty()
}

/// A statement has one spelling.
pub(crate) fn batch_statement(bytes: &[u8]) -> bool {
    let Ok(statement) = BatchStatement::read(bytes) else { return false };
    assert_eq!(statement.to_payload(), bytes);
    assert!(statement.size.get() > 0);
    true
}
