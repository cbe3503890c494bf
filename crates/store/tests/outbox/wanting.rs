//! What is wanted of a log: entries of manifests and contents, and batches.

use genten_store::{LogState, LogSubject, Wanted};

use crate::common::{entry, id, time};
use crate::kit::{batch_of, batched, claim, journal, journal_with_one, single, state};

#[test]
fn wanting_the_same_again_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    let wanted = [single(LogSubject::Manifest, "one")];
    journal.record_wanting(&entry(1), &[], &wanted, None).unwrap();
    journal.record_wanting(&entry(1), &[], &wanted, None).unwrap();
    journal.outbox().add(&id(1), &wanted, time(5)).unwrap();
    journal.outbox().add(&id(1), &[batched(1)], time(5)).unwrap();
    assert_eq!(claim(&journal, 10).len(), 1);
    assert_eq!(journal.outbox().waiting().unwrap(), [], "it has an entry of its own");
}

#[test]
fn a_manifest_in_a_batch_can_get_an_entry_of_its_own_too() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    journal.record_wanting(&entry(1), &[], &[batched(1)], None).unwrap();
    assert!(batch_of(&journal, &[1]));
    journal.outbox().add(&id(1), &[single(LogSubject::Manifest, "own")], time(60)).unwrap();
    let claimed = claim(&journal, 70);
    let done = claimed.iter().map(|one| (one.id, &b"{}"[..], "log#1"));
    journal.outbox().logged(done, time(71)).unwrap();
    let subjects: Vec<_> =
        journal.outbox().evidence(&id(1)).unwrap().iter().map(|one| one.subject).collect();
    assert_eq!(subjects, [LogSubject::Batch, LogSubject::Manifest]);
}

/// A statement that was signed once more has another body.
#[test]
fn the_first_entry_of_its_own_stays_that_of_a_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let outbox = journal.outbox();
    outbox.add(&id(1), &[single(LogSubject::Manifest, "signed once more")], time(5)).unwrap();
    let claimed = claim(&journal, 10);
    let done = claimed.iter().map(|one| (one.id, &b"{}"[..], "log#1"));
    outbox.logged(done, time(11)).unwrap();
    let evidence = outbox.evidence(&id(1)).unwrap();
    assert_eq!(evidence.iter().map(|one| &one.body[..]).collect::<Vec<_>>(), [b"one"]);
}

#[test]
fn an_entry_of_the_content_keeps_no_manifest_out_of_a_batch() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    let wanted = [single(LogSubject::Content, "its content"), batched(1)];
    journal.record_wanting(&entry(1), &[], &wanted, None).unwrap();
    assert_eq!(journal.outbox().waiting_manifests("local", "signer", 9).unwrap(), [id(1)]);
}

/// The log has the content already when another manifest about it comes.
#[test]
fn what_is_wanted_later_and_logged_already_is_missing_in_the_bundle_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    let (outbox, wanted) = (journal.outbox(), [single(LogSubject::Content, "same")]);
    journal.record_wanting(&entry(1), &[], &wanted, None).unwrap();
    outbox.logged([(claim(&journal, 10)[0].id, &b"{}"[..], "log#0")], time(11)).unwrap();
    for number in [2, 3] {
        journal.record(&entry(number)).unwrap();
        journal.update_bundle_path(&id(number), "some.json".as_ref()).unwrap();
    }
    outbox.add(&id(2), &wanted, time(12)).unwrap();
    journal.record_wanting(&entry(3), &[], &wanted, None).unwrap();
    let mut saved = entry(4);
    saved.bundle_path = Some("four.json".into());
    journal.record_wanting(&saved, &[], &wanted, None).unwrap();
    let unplaced = outbox.unplaced(0, 9).unwrap();
    let manifests: Vec<_> = unplaced.iter().map(|(_, one)| one.manifest_id).collect();
    assert_eq!(manifests, [id(2), id(3), id(4)]);
}

#[test]
fn what_one_log_has_got_is_none_of_another_ones_batch() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let elsewhere = Wanted { log: "elsewhere".to_owned(), ..batched(1) };
    journal.outbox().add(&id(1), &[elsewhere], time(5)).unwrap();
    assert_eq!(journal.outbox().waiting_manifests("elsewhere", "signer", 9).unwrap(), [id(1)]);
}

#[test]
fn two_manifests_about_the_same_bytes_share_one_entry_of_the_content() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    for number in [1, 2] {
        journal
            .record_wanting(&entry(number), &[], &[single(LogSubject::Content, "same")], None)
            .unwrap();
    }
    let claimed = claim(&journal, 10);
    assert_eq!(claimed.len(), 1);
    journal.outbox().logged([(claimed[0].id, &b"{}"[..], "log#0")], time(11)).unwrap();
    assert_eq!([state(&journal, 1), state(&journal, 2)], [LogState::Logged; 2]);
}

#[test]
fn a_batch_takes_those_that_wait_and_nobody_twice() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    for number in 1..=4 {
        let signed = i64::try_from(number).unwrap();
        journal.record_wanting(&entry(number), &[], &[batched(signed)], None).unwrap();
    }
    let outbox = journal.outbox();
    let waiting = outbox.waiting().unwrap();
    assert_eq!((waiting[0].count, waiting[0].signed_at), (4, time(4)));
    let ids = outbox.waiting_manifests("local", "signer", 3).unwrap();
    assert_eq!(ids, [id(1), id(2), id(3)]);

    assert!(batch_of(&journal, &[1, 2, 3]));
    assert!(!batch_of(&journal, &[3, 4]), "another process has batched 3");
    assert_eq!(outbox.waiting_manifests("local", "signer", 9).unwrap(), [id(4)], "4 still waits");
    assert_eq!(outbox.logs_to_serve().unwrap(), ["local"]);

    let claimed = claim(&journal, 60);
    assert_eq!(claimed[0].statement.as_deref(), Some("a.b.c"));
    outbox.logged([(claimed[0].id, &b"{}"[..], "log#0")], time(61)).unwrap();
    let states = (1..=4).map(|number| state(&journal, number)).collect::<Vec<_>>();
    let done = LogState::Logged;
    assert_eq!(states, [done, done, done, LogState::Queued]);
    let evidence = outbox.evidence(&id(2)).unwrap();
    assert_eq!((evidence[0].position, &evidence[0].hashes), (Some(1), &vec![id(9), id(8)]));
    let counts = outbox.counts().unwrap();
    assert_eq!((counts[0].waiting, counts[0].logged, counts[0].unplaced), (1, 1, 0));
    journal.update_bundle_path(&id(2), "two.provenance.json".as_ref()).unwrap();
    assert_eq!(outbox.counts().unwrap()[0].unplaced, 1, "the others have no bundle on disk");
}
