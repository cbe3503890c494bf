//! From the queue to a log: by one process at a time, and at its time.

use genten_store::{LogState, LogSubject};

use crate::common::{entry, id, met, time};
use crate::kit::{claim, journal, journal_with_one, single, state};

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
