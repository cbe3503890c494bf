//! Log entries that are about what is exported.

use genten_jws::{Jws, SignedBytes, Typ};
use genten_manifest::{LogEvidence, Subject};
use genten_tlog::rekor::{HashedRekord, LogEntry};

use crate::command::document::Document;

/// An entry whose parts fit each other, and whose digest is that of what was signed.
pub(super) struct FittingEntry<'d> {
    pub(super) evidence: &'d LogEvidence,
    pub(super) entry: LogEntry,
    pub(super) rekord: HashedRekord,
}

impl<'d> FittingEntry<'d> {
    fn of(evidence: &'d LogEvidence, signed: &[SignedBytes]) -> Option<Self> {
        let entry = LogEntry::read(evidence.entry.as_bytes()).ok()?;
        if !entry.kind().is_v2() {
            return None;
        }
        let body = entry.body()?;
        entry.check_form(body).ok()?;
        let rekord = HashedRekord::read(body).ok()?;
        let is_of = |one: &SignedBytes| rekord.hash.digest(one.input()) == rekord.digest;
        signed.iter().any(is_of).then_some(Self { evidence, entry, rekord })
    }
}

/// The entries of this subject, and how many others of it do not fit.
pub(super) fn fitting(document: &Document, subject: Subject) -> (Vec<FittingEntry<'_>>, usize) {
    let signed: Vec<_> = match subject {
        Subject::Manifest => vec![document.signed.clone()],
        Subject::Batch => document.batches().filter_map(|one| batch(&one.statement)).collect(),
        Subject::Content => Vec::new(),
    };
    let of_subject: Vec<_> =
        document.log_entries().filter(|evidence| evidence.subject == subject).collect();
    let found = of_subject.len();
    let fitting: Vec<_> =
        of_subject.into_iter().filter_map(|one| FittingEntry::of(one, &signed)).collect();
    let others = found - fitting.len();
    (fitting, others)
}

fn batch(statement: &str) -> Option<SignedBytes> {
    let jws = Jws::read(statement, Typ::Batch).ok()?;
    let payload = jws.payload().ok()?;
    jws.over(&payload).ok()
}
