//! Following a log: every way in which its next tree can stand to the known one.

use std::time::Duration;

use genten_rekor::{
    Begin, Behind, FollowError, FollowOutcome, FollowState, Follower, ForkKind, LogReader,
    LogTrust, ReadError, TreeLocation, Watch,
};
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::witness::{Witness, policy};
use genten_testkit::{Clock, LogServer, NetFault, ReadFault, Refusal};
use genten_tlog::WitnessPolicy;

use crate::following::{Memory, World, size, time};
use crate::support::{http, numbered, reader};

#[tokio::test]
async fn a_log_that_was_never_seen_is_trusted_only_when_allowed() {
    let server = LogServer::start(numbered(5)).await.unwrap();
    let follower = Follower::new(reader(&server), Watch::default());
    let mut sink = Memory::default();
    let error = follower.follow(&FollowState::default(), time(0), &mut sink).await.unwrap_err();
    assert!(matches!(error, FollowError::NeverSeen), "{error:?}");
    assert_eq!(sink.kept, 0);

    let follower = follower.trust_first_sight(Begin::NextEntry);
    let report = follower.follow(&FollowState::default(), time(0), &mut sink).await.unwrap();
    assert!(
        matches!(report.outcome, FollowOutcome::FirstSight { size: found } if found == size(5))
    );
    assert_eq!((report.tally.entries, sink.state.next()), (0, 5));
    assert_eq!(sink.state.first_seen(), Some(time(0)));
}

#[tokio::test]
async fn a_checkpoint_that_was_given_is_where_the_log_must_go_on() {
    let server = LogServer::start(numbered(40)).await.unwrap();
    let follower = Follower::new(reader(&server), Watch::default());
    let note = |log: &TestLog| log.checkpoint(&Handing { size: Some(30), ..Handing::default() });
    let pinned = FollowState::pinned(&server.with_log(note), 30);
    let mut sink = Memory::default();
    let report = follower.follow(&pinned, time(0), &mut sink).await.unwrap();
    assert!(matches!(report.outcome, FollowOutcome::Advanced { from, .. } if from == size(30)));
    assert_eq!(report.tally.entries, 10);

    let other = numbered(40).with_leaf(3, "another");
    let pinned = FollowState::pinned(&note(&other), 30);
    let report = follower.follow(&pinned, time(0), &mut sink).await.unwrap();
    assert!(matches!(report.outcome, FollowOutcome::Fork(_)), "{report:?}");
}

#[tokio::test]
async fn a_log_that_does_not_grow_is_unchanged() {
    let mut world = World::seen(700).await;
    world.server.publish();
    let report = world.look(5).await.unwrap();
    assert!(matches!(report.outcome, FollowOutcome::Unchanged));
    assert_eq!((report.tally.entries, report.quiet), (0, Duration::from_secs(300)));
    assert_eq!(world.sink.state.last_seen(), Some(time(5)));
    assert_eq!(world.sink.state.grown_at(), Some(time(0)));
    world.assert_still_at(700);
}

#[tokio::test]
async fn a_log_that_grows_is_followed_entry_by_entry() {
    let mut world = World::seen(3).await;
    for (minute, entries) in [(1, 4), (2, 256), (3, 257), (4, 700)] {
        let from = world.sink.state.next();
        world.sink.progress.clear();
        world.grow(entries);
        let report = world.look(minute).await.unwrap();
        let (old, new) = (size(from), size(entries as u64));
        assert!(
            matches!(report.outcome, FollowOutcome::Advanced { from, to } if (from, to) == (old, new))
        );
        assert_eq!((report.tally.entries, report.quiet), (entries as u64 - from, Duration::ZERO));
        assert_eq!(report.tally.unreadable, report.tally.entries, "numbers name no kind");
        let total = entries as u64 - from;
        assert_eq!(world.sink.progress.last(), Some(&(total, total)));
        world.assert_still_at(entries as u64);
    }
}

#[tokio::test]
async fn an_empty_log_is_a_beginning() {
    let mut world = World::seen(0).await;
    world.grow(2);
    assert!(matches!(world.outcome(1).await, FollowOutcome::Advanced { .. }));
    world.assert_still_at(2);
}

#[tokio::test]
async fn two_roots_for_one_size_are_a_fork() {
    let mut world = World::seen(300).await;
    let known = world.sink.state.note().unwrap().to_owned();
    world.server.replace_log(numbered(300).with_leaf(7, "another"));
    let FollowOutcome::Fork(fork) = world.outcome(1).await else { panic!() };
    assert_eq!((&fork.first, &fork.kind), (&known, &ForkKind::SameSize));
    assert_eq!(fork.check(&world.trust()).map_err(|error| error.to_string()), Ok(()));
    world.assert_still_at(300);
}

#[tokio::test]
async fn a_larger_tree_with_another_beginning_is_a_fork() {
    let mut world = World::seen(300).await;
    world.server.replace_log(numbered(700).with_leaf(7, "another"));
    let FollowOutcome::Fork(fork) = world.outcome(1).await else { panic!() };
    assert!(matches!(fork.kind, ForkKind::OtherBeginning(_)));
    assert_eq!(fork.check(&world.trust()).map_err(|error| error.to_string()), Ok(()));
    world.assert_still_at(300);
}

#[tokio::test]
async fn a_smaller_tree_that_is_no_beginning_is_a_fork() {
    let mut world = World::seen(300).await;
    let other = numbered(200).with_leaf(7, "another");
    let note = other.checkpoint(&Handing::default());
    // The tiles are those of the known tree, as a server has them that shows somebody else another checkpoint.
    let folder = tempfile::tempdir().unwrap();
    numbered(300).write_folder(folder.path(), &Handing::default()).unwrap();
    std::fs::write(folder.path().join("checkpoint"), note).unwrap();
    let location = TreeLocation::Folder(folder.path().into());
    let reader = LogReader::new(http(), location, world.trust());
    world.follower = Follower::new(reader, Watch::default());
    let FollowOutcome::Fork(fork) = world.outcome(1).await else { panic!() };
    assert!(matches!(fork.kind, ForkKind::OtherBeginning(_)));
    assert!(fork.check(&world.trust()).is_ok());
    world.assert_still_at(300);
}

#[tokio::test]
async fn a_fork_is_never_passed() {
    let mut world = World::seen(300).await;
    world.server.replace_log(numbered(300).with_leaf(7, "another"));
    assert!(matches!(world.outcome(1).await, FollowOutcome::Fork(_)));
    // The log shows the first tree again, and lets it grow.
    world.server.replace_log(numbered(400));
    let reads = world.server.reads().len();
    assert!(matches!(world.outcome(2).await, FollowOutcome::Fork(_)));
    assert_eq!(world.server.reads().len(), reads, "what is known is enough");
    world.assert_still_at(300);
}

#[tokio::test]
async fn tiles_that_are_missing_or_damaged_prove_nothing() {
    for fault in [
        ReadFault::Missing,
        ReadFault::FlippedBit,
        ReadFault::SplitView,
        ReadFault::Net(NetFault::Malformed),
        ReadFault::Net(NetFault::Refuse(Refusal::status(503))),
    ] {
        let mut world = World::seen(300).await;
        world.grow(700);
        world.server.tiles().always(fault.clone());
        let before = world.sink.state.clone();
        let outcome = world.outcome(1).await;
        assert!(
            matches!(outcome, FollowOutcome::Unproven { size: new, .. } if new == size(700)),
            "{fault:?} {outcome:?}"
        );
        assert_eq!(world.sink.state, before);
        world.server.tiles().clear();
        assert!(matches!(world.outcome(2).await, FollowOutcome::Advanced { .. }));
        world.assert_still_at(700);
    }
}

#[tokio::test]
async fn a_smaller_tree_is_stale_for_a_while_and_then_a_rollback() {
    let mut world = World::seen(300).await;
    world.grow(700);
    world.look(1).await.unwrap();
    world.server.checkpoints().always(ReadFault::Earlier);
    let behind = Behind { known: size(700), seen: size(300), since: time(2) };
    for minute in [2, 3, 12] {
        world.follower = world.follower.clone().grace(Duration::from_secs(600));
        let outcome = world.outcome(minute).await;
        assert!(matches!(outcome, FollowOutcome::Stale(found) if found == behind), "{outcome:?}");
    }
    let outcome = world.outcome(13).await;
    assert!(matches!(outcome, FollowOutcome::Rollback(found) if found == behind), "{outcome:?}");
    world.assert_still_at(700);
    world.server.checkpoints().clear();
    assert!(matches!(world.outcome(14).await, FollowOutcome::Unchanged));
    assert_eq!(world.sink.state.behind_since(), None);
}

#[tokio::test]
async fn a_backup_that_was_restored_is_a_rollback_too() {
    let mut world = World::seen(300).await;
    world.follower = world.follower.clone().grace(Duration::from_secs(600));
    world.server.replace_log(numbered(200));
    let outcome = world.outcome(1).await;
    // The tiles that could show more are gone.
    assert!(matches!(outcome, FollowOutcome::Stale(_)), "{outcome:?}");
    assert!(matches!(world.outcome(12).await, FollowOutcome::Rollback(_)));
    // What grows out of it is another tree.
    world.server.append((200..310).map(|entry| format!("new {entry}")));
    assert!(matches!(world.outcome(13).await, FollowOutcome::Fork(_)));
    world.assert_still_at(300);
}

#[tokio::test]
async fn more_cosignatures_are_kept_and_too_few_are_waited_for() {
    let (w1, w2) = (Witness::new("w1.example"), Witness::new("w2.example"));
    let folder = tempfile::tempdir().unwrap();
    let publish = |entries: usize, witnesses: &[(&Witness, u64)]| {
        let handing = Handing { witnesses, ..Handing::default() };
        numbered(entries).write_folder(folder.path(), &handing).unwrap();
    };
    let log = numbered(0);
    let text = policy(&[log.note_key()], &[&w1, &w2], 1);
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    let trust = trust.with_witnesses(WitnessPolicy::parse(&text).unwrap());
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let follower = Follower::new(reader, Watch::default()).trust_first_sight(Begin::FirstEntry);
    let mut sink = Memory::default();
    let second = u64::try_from(time(0).as_millis() / 1000).unwrap();

    publish(5, &[]);
    let report = follower.follow(&sink.state.clone(), time(0), &mut sink).await.unwrap();
    let FollowOutcome::Unproven { reason: ReadError::Quorum(_), .. } = report.outcome else {
        panic!("{report:?}")
    };
    publish(5, &[(&w1, second), (&w2, second)]);
    follower.follow(&sink.state.clone(), time(0), &mut sink).await.unwrap();
    let both = sink.state.note().unwrap().to_owned();
    publish(5, &[(&w1, second + 60)]);
    let report = follower.follow(&sink.state.clone(), time(1), &mut sink).await.unwrap();
    assert!(matches!(report.outcome, FollowOutcome::Unchanged));
    assert_eq!(sink.state.note(), Some(&*both));
    assert_eq!(report.quiet, Duration::ZERO, "a witness saw it just now");
    publish(6, &[]);
    let report = follower.follow(&sink.state.clone(), time(2), &mut sink).await.unwrap();
    assert!(matches!(report.outcome, FollowOutcome::Unproven { .. }), "{report:?}");
    assert_eq!(sink.state.note(), Some(&*both));
}

#[tokio::test]
async fn a_fork_is_told_whether_witnesses_have_signed_or_not() {
    let clock = Clock::at(time(0));
    let witness = Witness::new("w1.example");
    let server = LogServer::builder(numbered(300)).cosigned_by(vec![witness.clone()], clock);
    let server = server.start().await.unwrap();
    let key = server.with_log(|log| log.note_key().clone());
    let text = policy(&[&key], &[&witness], 1);
    let trust = LogTrust::of_keys(&[key]).unwrap();
    let trust = trust.with_witnesses(WitnessPolicy::parse(&text).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let location = TreeLocation::Url(server.read_url().parse().unwrap());
    let follower = Follower::new(LogReader::new(http(), location, trust.clone()), Watch::default());
    let mut sink = Memory::default();
    let first = follower.trust_first_sight(Begin::FirstEntry);
    first.follow(&FollowState::default(), time(0), &mut sink).await.unwrap();
    let other = numbered(300).with_leaf(7, "another");
    other.write_folder(folder.path(), &Handing::default()).unwrap();
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let follower = Follower::new(reader, Watch::default());
    let report = follower.follow(&sink.state.clone(), time(1), &mut sink).await.unwrap();
    assert!(matches!(report.outcome, FollowOutcome::Fork(_)), "{report:?}");
}
