//! What is known of a log from before: its head, what was seen in it, and how it is given up.

use genten_store::{LogHead, LogSubject, LostLog, Seen, SeenUse};

use crate::common::{entry, id, time};
use crate::kit::{claim, journal, journal_with_one, single};

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
