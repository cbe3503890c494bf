//! A journal, what is wanted in it, and how far it has come.

use genten_store::{
    BatchMember, Durability, Journal, LogState, LogSubject, NewBatch, Submission, Want, Wanted,
};

use crate::common::{entry, id, time};

pub(crate) fn journal(folder: &tempfile::TempDir) -> Journal {
    Journal::open(folder.path().join("journal.db"), Durability::Normal).unwrap()
}

pub(crate) fn single(subject: LogSubject, body: &str) -> Wanted {
    let want = Want::Entry { subject, body: body.as_bytes().to_vec() };
    Wanted { log: "local".to_owned(), want }
}

pub(crate) fn batched(signed: i64) -> Wanted {
    let want = Want::Batch { signer: "signer".to_owned(), signed_at: time(signed) };
    Wanted { log: "local".to_owned(), want }
}

/// A journal in which manifest 1 waits to be logged on its own.
pub(crate) fn journal_with_one(folder: &tempfile::TempDir) -> Journal {
    let journal = journal(folder);
    journal.record_wanting(&entry(1), &[], &[single(LogSubject::Manifest, "one")], None).unwrap();
    journal
}

pub(crate) fn claim(journal: &Journal, seconds: i64) -> Vec<Submission> {
    journal.outbox().claim("local", 100, time(seconds)).unwrap()
}

pub(crate) fn state(journal: &Journal, number: u64) -> LogState {
    journal.get(&id(number)).unwrap().unwrap().log.state
}

pub(crate) fn batch_of(journal: &Journal, numbers: &[u64]) -> bool {
    let member =
        |number: &u64| BatchMember { manifest_id: id(*number), hashes: vec![id(9), id(8)] };
    let members: Vec<_> = numbers.iter().map(member).collect();
    let body = format!("batch of {numbers:?}");
    let batch =
        NewBatch { log: "local", statement: "a.b.c", body: body.as_bytes(), members: &members };
    journal.outbox().put_batch(&batch, time(50)).unwrap()
}
