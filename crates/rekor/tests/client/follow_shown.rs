//! Trees that a log has shown to others: they bind it as the one that is followed does, and excuse nothing.

use genten_rekor::{
    Begin, FollowError, FollowOutcome, FollowState, Follower, LogReader, LogTrust, ReadError,
    TreeLocation, Watch,
};
use genten_testkit::ReadFault;
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::witness::{Witness, policy};
use genten_tlog::{Checkpoint, WitnessPolicy};

use crate::following::{Memory, World, size, time};
use crate::support::{http, numbered};

fn checkpoint(log: &TestLog) -> Checkpoint {
    let trust = LogTrust::of_keys(&[log.note_key().clone()]).unwrap();
    trust.verify(log.checkpoint(&Handing::default()).as_bytes()).unwrap()
}

#[tokio::test]
async fn a_tree_that_others_have_seen_excuses_no_look_at_the_stored_one() {
    let mut world = World::seen(300).await;
    world.grow(700);
    let shown = world.server.with_log(checkpoint);
    world.follower = world.follower.clone().shown_before(vec![shown]);
    world.server.tiles().always(ReadFault::Missing);
    let outcome = world.outcome(1).await;
    assert!(
        matches!(outcome, FollowOutcome::Unproven { size: new, .. } if new == size(700)),
        "{outcome:?}"
    );
    world.assert_still_at(300);
    world.server.tiles().clear();
    assert!(matches!(world.outcome(2).await, FollowOutcome::Advanced { .. }));
}

#[tokio::test]
async fn a_tree_of_another_name_is_no_fork() {
    let mut world = World::seen(300).await;
    let other = checkpoint(&TestLog::new("other.example"));
    world.follower = world.follower.clone().shown_before(vec![other]);
    let error = world.look(1).await.unwrap_err();
    assert!(matches!(error, FollowError::Origin { .. }), "{error:?}");
}

#[tokio::test]
async fn a_first_look_needs_witnesses_though_others_have_seen_the_log() {
    let witness = Witness::new("w1.example");
    let folder = tempfile::tempdir().unwrap();
    let publish = |witnesses: &[(&Witness, u64)]| {
        let handing = Handing { witnesses, ..Handing::default() };
        numbered(6).write_folder(folder.path(), &handing).unwrap();
    };
    let key = numbered(0).note_key().clone();
    let text = policy(&[&key], &[&witness], 1);
    let trust = LogTrust::of_keys(&[key]).unwrap();
    let trust = trust.with_witnesses(WitnessPolicy::parse(&text).unwrap());
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let follower = Follower::new(reader, Watch::default()).trust_first_sight(Begin::FirstEntry);
    let follower = follower.shown_before(vec![checkpoint(&numbered(5))]);
    let (mut sink, state) = (Memory::default(), FollowState::default());

    publish(&[]);
    let report = follower.follow(&state, time(0), &mut sink).await.unwrap();
    let FollowOutcome::Unproven { reason: ReadError::Quorum(_), .. } = report.outcome else {
        panic!("{report:?}")
    };
    publish(&[(&witness, u64::try_from(time(0).as_millis() / 1000).unwrap())]);
    let report = follower.follow(&state, time(0), &mut sink).await.unwrap();
    assert!(matches!(report.outcome, FollowOutcome::FirstSight { .. }), "{report:?}");
}
