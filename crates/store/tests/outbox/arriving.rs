//! What a log has answered, and the way into the bundles.

use genten_store::{LogState, LogSubject, StoreError};

use crate::common::{entry, id, met, time};
use crate::kit::{claim, journal, journal_with_one, single, state};

#[test]
fn a_manifest_goes_its_way() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    let wanted = [single(LogSubject::Manifest, "one"), single(LogSubject::Content, "its content")];
    journal.record_wanting(&entry(1), &[], &wanted, None).unwrap();
    assert_eq!(state(&journal, 1), LogState::Queued);

    let claimed = claim(&journal, 10);
    assert_eq!(claimed.len(), 2);
    assert_eq!(state(&journal, 1), LogState::Sent);
    let outbox = journal.outbox();
    outbox.logged([(claimed[0].id, &b"{}"[..], "log#7")], time(11)).unwrap();
    assert_eq!(state(&journal, 1), LogState::Sent, "the content is still under way");
    assert_eq!(outbox.unplaced(0, 10).unwrap(), [], "nobody knows where its bundle is");
    outbox.logged([(claimed[1].id, &b"{}"[..], "log#8")], time(11)).unwrap();
    let log = journal.get(&id(1)).unwrap().unwrap().log;
    assert_eq!((log.state, log.log_id.as_deref()), (LogState::Logged, Some("log#7")));

    journal.update_bundle_path(&id(1), "one.provenance.json".as_ref()).unwrap();
    let unplaced = outbox.unplaced(0, 10).unwrap();
    assert_eq!(unplaced.len(), 2, "an entry about the manifest and one about its content");
    assert!(unplaced.iter().all(|(_, one)| one.manifest_id == id(1)));
    assert_eq!(outbox.counts().unwrap()[0].unplaced, 1, "and one bundle");
    let evidence = outbox.evidence(&id(1)).unwrap();
    let subjects: Vec<_> = evidence.iter().map(|one| one.subject).collect();
    assert_eq!(subjects, [LogSubject::Manifest, LogSubject::Content]);
    let submissions: Vec<_> = evidence.iter().map(|one| one.submission).collect();
    outbox.placed(&[(id(1), submissions[..1].to_vec())]).unwrap();
    assert_eq!(outbox.unplaced(0, 10).unwrap(), unplaced[1..]);
    outbox.placed(&[(id(1), submissions)]).unwrap();
    assert_eq!(outbox.unplaced(0, 10).unwrap(), []);
}

#[test]
fn an_answer_that_is_not_believed_yet_is_kept_and_is_no_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let outbox = journal.outbox();
    let submission = &claim(&journal, 10)[0];
    outbox.answered(submission.id, Some(b"{}")).unwrap();
    outbox.postpone(submission.id, time(20), met("log.unread"), time(11)).unwrap();
    let again = &claim(&journal, 20)[0];
    assert_eq!((again.entry.as_deref(), &again.log_id), (Some(&b"{}"[..]), &None));
    assert_eq!(outbox.evidence(&id(1)).unwrap(), []);
    outbox.answered(submission.id, None).unwrap();
    assert_eq!(outbox.find(b"one").unwrap()[0].entry, None);
}

#[test]
fn an_entry_that_is_not_believed_any_more_has_no_place() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let outbox = journal.outbox();
    let submission = claim(&journal, 10)[0].id;
    outbox.entered(submission, b"{}", "log#7").unwrap();
    assert_eq!(outbox.find(b"one").unwrap()[0].log_id.as_deref(), Some("log#7"));
    outbox.answered(submission, None).unwrap();
    let kept = &outbox.find(b"one").unwrap()[0];
    assert_eq!((&kept.entry, &kept.log_id), (&None, &None));
}

#[test]
fn a_bundle_that_is_saved_again_gets_its_evidence_again() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let outbox = journal.outbox();
    let submission = claim(&journal, 10)[0].id;
    outbox.logged([(submission, &b"{}"[..], "log#0")], time(11)).unwrap();
    for path in ["one.json", "copy.json"] {
        journal.update_bundle_path(&id(1), path.as_ref()).unwrap();
        assert_eq!(outbox.unplaced(0, 9).unwrap().len(), 1, "{path}");
        outbox.placed(&[(id(1), vec![submission])]).unwrap();
        assert_eq!(outbox.unplaced(0, 9).unwrap(), []);
    }
}

/// Whoever still reads the journal as it was keeps what came later from being written back.
#[test]
fn what_could_not_be_made_durable_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = journal(&folder);
    journal.set_patience(std::time::Duration::ZERO).unwrap();
    let reader = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM entry").unwrap();
    journal.record(&entry(1)).unwrap();
    let error = journal.outbox().sync().unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error:?}");
    reader.execute_batch("COMMIT").unwrap();
    journal.outbox().sync().unwrap();
}
