//! The outbox: everything wanted gets to be sent, by one process at a time, and nothing is forgotten.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod common;

use common::{entry, id, met, time};
use genten_store::{
    BatchMember, Durability, Journal, LogHead, LogState, LogSubject, LostLog, NewBatch, Seen,
    SeenUse, StoreError, Submission, Want, Wanted,
};

fn journal(folder: &tempfile::TempDir) -> Journal {
    Journal::open(folder.path().join("journal.db"), Durability::Normal).unwrap()
}

fn single(subject: LogSubject, body: &str) -> Wanted {
    let want = Want::Entry { subject, body: body.as_bytes().to_vec() };
    Wanted { log: "local".to_owned(), want }
}

fn batched(signed: i64) -> Wanted {
    let want = Want::Batch { signer: "signer".to_owned(), signed_at: time(signed) };
    Wanted { log: "local".to_owned(), want }
}

/// A journal in which manifest 1 waits to be logged on its own.
fn journal_with_one(folder: &tempfile::TempDir) -> Journal {
    let journal = journal(folder);
    journal.record_wanting(&entry(1), &[], &[single(LogSubject::Manifest, "one")], None).unwrap();
    journal
}

fn claim(journal: &Journal, seconds: i64) -> Vec<Submission> {
    journal.outbox().claim("local", 100, time(seconds)).unwrap()
}

fn state(journal: &Journal, number: u64) -> LogState {
    journal.get(&id(number)).unwrap().unwrap().log.state
}

fn batch_of(journal: &Journal, numbers: &[u64]) -> bool {
    let member =
        |number: &u64| BatchMember { manifest_id: id(*number), hashes: vec![id(9), id(8)] };
    let members: Vec<_> = numbers.iter().map(member).collect();
    let body = format!("batch of {numbers:?}");
    let batch =
        NewBatch { log: "local", statement: "a.b.c", body: body.as_bytes(), members: &members };
    journal.outbox().put_batch(&batch, time(50)).unwrap()
}

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
fn what_is_under_way_is_taken_over_only_by_the_next_sender_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let first = claim(&journal, 10);
    for clock in [-7200, 0, 69, 7200] {
        assert_eq!(claim(&journal, clock), [], "somebody is at it, whatever the clock says");
    }
    journal.outbox().take_over("local", time(70)).unwrap();
    assert_eq!(state(&journal, 1), LogState::Queued);
    let again = claim(&journal, 71);
    assert_eq!((again.len(), again[0].attempts), (1, 2));
    assert_eq!(again[0].body, first[0].body);
}

#[test]
fn what_is_put_off_comes_back_at_its_time_or_when_the_clock_was_set_back() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let outbox = journal.outbox();
    let claimed = claim(&journal, 10);
    outbox.postpone(claimed[0].id, time(500), met("log.unreachable"), time(11)).unwrap();
    assert_eq!(claim(&journal, 400), []);
    assert_eq!(outbox.next_due("local", time(0)).unwrap(), Some(time(500)));
    let log = journal.get(&id(1)).unwrap().unwrap().log;
    assert_eq!((log.state, log.detail.as_deref()), (LogState::Queued, Some("log.unreachable")));

    outbox.postpone(claimed[0].id, time(7200), met("log.unreachable"), time(7100)).unwrap();
    assert_eq!(outbox.next_due("local", time(3000)).unwrap(), Some(time(3000)));
    assert_eq!(claim(&journal, 3000).len(), 1, "no wait is longer than an hour");
}

#[test]
fn what_is_logged_is_not_put_off_or_refused_by_a_sender_that_comes_late() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let outbox = journal.outbox();
    let submission = claim(&journal, 10)[0].id;
    outbox.logged([(submission, &b"{}"[..], "log#0")], time(11)).unwrap();
    outbox.postpone(submission, time(20), met("log.unreachable"), time(12)).unwrap();
    outbox.rejected(submission, met("log.refused"), time(12)).unwrap();
    assert_eq!(state(&journal, 1), LogState::Logged);
    assert_eq!(claim(&journal, 9999), []);
}

/// It may stand in the log from the first attempt on.
#[test]
fn the_size_before_the_first_attempt_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let submission = claim(&journal, 10)[0].id;
    for size in [7, 9] {
        journal.outbox().note_since(&[submission], size).unwrap();
    }
    assert_eq!(journal.outbox().find(b"one").unwrap()[0].since, Some(7));
}

#[test]
fn a_log_that_is_forgotten_leaves_nothing_of_its_past() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    let wanted = [single(LogSubject::Manifest, "one"), single(LogSubject::Content, "its content")];
    journal.record_wanting(&entry(1), &[], &wanted, None).unwrap();
    journal.update_bundle_path(&id(1), "one.json".as_ref()).unwrap();
    let outbox = journal.outbox();
    let claimed = claim(&journal, 10);
    let [one, other] = [claimed[0].id, claimed[1].id];
    outbox.note_since(&[one], 7).unwrap();
    let done = [(one, &b"{}"[..], "log#7"), (other, &b"{}"[..], "log of old#8")];
    outbox.logged(done, time(11)).unwrap();
    outbox.found_again(&[one]).unwrap();
    let seen = Seen {
        entry: 4,
        key: id(1),
        digest: vec![1; 32],
        signature_sha256: id(2),
        key_use: SeenUse::Proven,
    };
    outbox.keep_follow_state("log+key", None, (b"state", &[seen]), time(12)).unwrap();
    outbox.set_head("log+key", b"note", 8, time(12)).unwrap();

    assert_eq!(outbox.logs_with_entries_of("log").unwrap(), ["local"]);
    assert_eq!(outbox.logs_with_entries_of("lo").unwrap(), [""; 0]);
    let (names, logs) = (["log+key".to_owned()], ["local".to_owned()]);
    let lost = LostLog { logs: &logs, origin: "log", names: &names, evidence: "evidence" };
    assert_eq!(outbox.queue_given_up(&logs, "log", time(13)).unwrap(), 0, "not given up yet");
    assert_eq!(outbox.forget(&lost, time(13)).unwrap(), 1, "what another origin has stays");
    assert!(outbox.find(b"one").unwrap()[0].is_given_up);
    assert_eq!(outbox.queue_given_up(&logs, "log of old", time(13)).unwrap(), 0);
    assert_eq!(outbox.queue_given_up(&logs, "log", time(13)).unwrap(), 1);
    assert_eq!(outbox.head("log+key").unwrap(), None);
    assert_eq!(outbox.follow_state("log+key").unwrap(), None);
    assert_eq!(outbox.seen("log+key").unwrap(), []);
    assert_eq!(outbox.unplaced(0, 9).unwrap().len(), 1, "only the entry that is still proven");
    let again = &claim(&journal, 13)[0];
    assert_eq!((again.since, again.attempts), (None, 1));
    assert_eq!((&again.entry, &again.log_id), (&None, &None));
    outbox.logged([(one, &b"{}"[..], "log#0")], time(14)).unwrap();
    let unfollowed = outbox.unfollowed("local", None, 9).unwrap();
    assert!(unfollowed.iter().any(|submission| submission.id == one), "it is looked for again");

    assert_eq!(outbox.forget(&lost, time(15)).unwrap(), 1);
    let unfollowed = outbox.unfollowed("local", None, 9).unwrap();
    assert!(unfollowed.iter().all(|submission| submission.id != one), "its tree is given up");

    outbox.add_entry("local", LogSubject::Manifest, b"one", time(16)).unwrap();
    assert_eq!(claim(&journal, 16)[0].id, one, "wanted again, it is sent again");
}

#[test]
fn what_a_log_refused_stays_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let outbox = journal.outbox();
    outbox.rejected(claim(&journal, 10)[0].id, met("log.refused"), time(11)).unwrap();
    assert_eq!(claim(&journal, 9999), []);
    assert_eq!(state(&journal, 1), LogState::Rejected);
    let stuck = outbox.stuck("local", 10).unwrap();
    let told = (stuck[0].detail.as_deref(), stuck[0].hint.as_deref());
    assert_eq!(told, (Some("log.refused"), Some("look there")));
    assert_eq!(stuck[0].words.as_deref(), Some("it was not there"));
    assert_eq!(outbox.counts().unwrap()[0].rejected, 1);
    assert_eq!(outbox.retry("local", false, time(20)).unwrap(), 0);
    outbox.froze("local", "old shard").unwrap();
    outbox.thaw("local", "new shard", time(20)).unwrap();
    assert_eq!(state(&journal, 1), LogState::Rejected, "another shard would refuse it too");
    assert_eq!(outbox.retry("local", true, time(20)).unwrap(), 1);
    assert_eq!(claim(&journal, 20).len(), 1);
}

#[test]
fn what_waits_is_due_once_when_its_name_stands_for_another_service() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let outbox = journal.outbox();
    outbox.postpone(claim(&journal, 10)[0].id, time(500), met("log.frozen"), time(11)).unwrap();
    for service in ["an earlier one", "the last one"] {
        outbox.froze("local", service).unwrap();
    }
    assert!(!outbox.thaw("local", "the last one", time(12)).unwrap());
    assert_eq!(claim(&journal, 12), []);
    assert!(outbox.thaw("local", "an earlier one", time(12)).unwrap());
    assert_eq!(claim(&journal, 12).len(), 1);
    assert!(!outbox.thaw("local", "a new one", time(13)).unwrap());
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

#[test]
fn a_log_that_is_left_alone_is_sent_nothing_until_then() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    for (number, body) in [(1, "one"), (2, "two")] {
        let wanted = [single(LogSubject::Manifest, body)];
        journal.record_wanting(&entry(number), &[], &wanted, None).unwrap();
    }
    let outbox = journal.outbox();
    let one = outbox.claim("local", 1, time(10)).unwrap();
    outbox.postpone(one[0].id, time(900), met("log.busy"), time(11)).unwrap();
    let held = outbox.hold("local", time(500), time(11)).unwrap();
    assert!(held.len() == 1 && held[0] != one[0].id, "the other one");
    assert_eq!(outbox.hold("elsewhere", time(500), time(11)).unwrap(), []);
    assert_eq!(claim(&journal, 499), []);
    assert_eq!(outbox.next_due("local", time(0)).unwrap(), Some(time(500)));
    assert_eq!(journal.get(&id(2)).unwrap().unwrap().log.due, Some(time(500)));
    assert_eq!((claim(&journal, 500).len(), claim(&journal, 900).len()), (1, 1));
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

#[test]
fn the_head_of_a_log_only_grows() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    let outbox = journal.outbox();
    assert_eq!(outbox.head("log").unwrap(), None);
    outbox.set_head("log", b"five", 5, time(1)).unwrap();
    outbox.set_head("log", b"four", 4, time(2)).unwrap();
    assert_eq!(outbox.head("log").unwrap().unwrap().note, b"five");
    outbox.set_head("log", b"five again", 5, time(3)).unwrap();
    let head = outbox.head("log").unwrap().unwrap();
    assert_eq!((head.note.as_slice(), head.size), (&b"five again"[..], 5));
}

#[test]
fn a_head_is_replaced_by_whoever_has_read_it_only() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    let outbox = journal.outbox();
    let head = |note: &str, size| LogHead { note: note.as_bytes().to_vec(), size };
    let replace = |before, head: &LogHead| outbox.replace_head("log", before, head, time(1));
    assert!(!replace(Some(b"five"), &head("six", 6)).unwrap());
    assert!(replace(None, &head("five", 5)).unwrap());
    assert!(!replace(None, &head("another five", 5)).unwrap());
    assert!(replace(Some(b"five"), &head("six", 6)).unwrap());
    assert!(!replace(Some(b"five"), &head("another six", 6)).unwrap());
    assert_eq!(outbox.head("log").unwrap(), Some(head("six", 6)));
}

#[test]
fn what_was_seen_in_a_followed_log_stays_until_somebody_knows_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    let outbox = journal.outbox();
    assert_eq!(outbox.follow_state("log").unwrap(), None);
    let seen = |entry, key_use| {
        let (key, signature_sha256) = (id(1), id(2));
        Seen { entry, key, digest: vec![1; 32], signature_sha256, key_use }
    };
    let [proven, forged] = [seen(4, SeenUse::Proven), seen(7, SeenUse::Forged)];
    let keep = |before, state: &[u8], seen: &[Seen]| {
        outbox.keep_follow_state("log", before, (state, seen), time(1)).unwrap()
    };
    assert!(keep(None, b"one", std::slice::from_ref(&proven)));
    assert!(keep(Some(b"one"), b"two", &[proven.clone(), forged.clone()]));
    for before in [None, Some(&b"one"[..])] {
        assert!(!keep(
            before,
            b"of somebody who has not seen the second",
            &[seen(9, SeenUse::Unchecked)]
        ));
    }
    assert_eq!(outbox.follow_state("log").unwrap().as_deref(), Some(&b"two"[..]));
    assert_eq!(outbox.seen("log").unwrap(), [proven, forged.clone()]);
    assert_eq!(outbox.seen("other").unwrap(), []);
    assert!(outbox.accept_seen("log", 4).unwrap());
    assert!(!outbox.accept_seen("log", 5).unwrap());
    assert!(!outbox.accept_seen("other", 7).unwrap());
    assert_eq!(outbox.seen("log").unwrap(), [forged]);
}

#[test]
fn entries_are_looked_for_again_once() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal_with_one(&folder);
    let outbox = journal.outbox();
    assert_eq!(outbox.unfollowed("local", None, 9).unwrap(), [], "it is not logged yet");
    let claimed = claim(&journal, 10);
    outbox.logged([(claimed[0].id, &b"{}"[..], "log#7")], time(11)).unwrap();
    assert_eq!(outbox.unfollowed("local", None, 9).unwrap().len(), 1);
    assert_eq!(outbox.unfollowed("local", Some(claimed[0].id), 9).unwrap(), []);
    outbox.found_again(&[claimed[0].id]).unwrap();
    assert_eq!(outbox.unfollowed("local", None, 9).unwrap(), []);
    let mut bodies = Vec::new();
    outbox.bodies(|body| bodies.push(body.to_vec())).unwrap();
    assert_eq!(bodies, [b"one"]);
}

#[test]
fn journals_that_are_open_at_once_do_not_claim_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let first = journal(&folder);
    for number in 0..200 {
        let wanted = [single(LogSubject::Manifest, &number.to_string())];
        first.record_wanting(&entry(number), &[], &wanted, None).unwrap();
    }
    let taken = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let journal = journal(&folder);
                    let mut taken = Vec::new();
                    loop {
                        let claimed = journal.outbox().claim("local", 7, time(1000)).unwrap();
                        if claimed.is_empty() {
                            return taken;
                        }
                        taken.extend(claimed.into_iter().map(|one| one.id));
                    }
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    let mut distinct = taken.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!((taken.len(), distinct.len()), (200, 200));
}
