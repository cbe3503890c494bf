//! What a follower keeps: never more than was looked at, and nothing that is believed unseen.

use std::time::Duration;

use genten_primitives::Sha256Digest;
use genten_rekor::{
    Begin, FollowError, FollowOutcome, FollowState, Follower, LogReader, LogTrust, ReadError,
    StateError, TreeLocation, Watch,
};
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::{ReadFault, SeedKey};

use crate::following::{Memory, World, time};
use crate::support::{http, numbered, reader};

#[tokio::test]
async fn an_entry_that_cannot_be_read_stops_the_cursor_before_it() {
    let mut world = World::seen(300).await;
    world.grow(1000);
    world.server.file("tile/entries/002").always(ReadFault::FlippedBit);
    let error = world.look(1).await.unwrap_err();
    assert!(matches!(error, FollowError::Entries { next: 512, .. }), "{error:?}");
    assert_eq!(world.sink.state.next(), 512);
    assert_eq!(world.sink.state.note().unwrap().lines().nth(1), Some("1000"));
    world.server.file("tile/entries/002").clear();
    let report = world.look(2).await.unwrap();
    assert!(matches!(report.outcome, FollowOutcome::Unchanged));
    assert_eq!(report.tally.entries, 488, "none twice, none left out");
    world.assert_still_at(1000);
}

#[tokio::test]
async fn the_cursor_moves_only_when_what_was_found_is_kept() {
    let mut world = World::seen(300).await;
    world.grow(1000);
    // The checkpoint, two bundles, and then no more.
    world.sink.full_after = Some(world.sink.kept + 3);
    let error = world.look(1).await.unwrap_err();
    assert!(matches!(error, FollowError::Sink(_)), "{error:?}");
    assert_eq!(world.sink.state.next(), 768);
    world.sink.full_after = None;
    assert_eq!(world.look(2).await.unwrap().tally.entries, 232);

    let mut full = World::new(5).await;
    full.sink.full_after = Some(0);
    assert!(matches!(full.look(0).await, Err(FollowError::Sink(_))));
    assert_eq!(full.sink.state, FollowState::default());
}

#[tokio::test]
async fn a_state_that_was_edited_or_cut_off_is_noticed() {
    let mut world = World::seen(300).await;
    let good = String::from_utf8(world.sink.state.to_json()).unwrap();
    for length in [0, 1, good.len() / 2, good.len() - 1] {
        let error = FollowState::from_json(&good.as_bytes()[..length]).unwrap_err();
        assert!(matches!(error, StateError::Json(_)), "{error:?}");
    }
    for (from, to) in [
        ("\"next\":\"300\"", "\"next\":\"+300\""),
        ("\"next\":\"300\"", "\"next\":300"),
        ("\"next\"", "\"nest\""),
        ("\"next\"", "\"more\":\"1\",\"next\""),
        ("\"first_seen\":\"2026", "\"first_seen\":\"26"),
    ] {
        let error = FollowState::from_json(good.replace(from, to).as_bytes()).unwrap_err();
        assert!(matches!(error, StateError::Member { .. }), "{error:?}");
    }
    let long = good.replace("\"note\":\"", &format!("\"note\":\"{}", "x".repeat(8 << 20)));
    let error = FollowState::from_json(long.as_bytes()).unwrap_err();
    assert!(matches!(error, StateError::Json(_)), "{error:?}");
    for (from, to) in [
        ("log.example\\n300\\n", "log.example\\n299\\n"),
        ("log.example\\n300\\n", "other.example\\n300\\n"),
        ("\"next\":\"300\"", "\"next\":\"301\""),
        ("\"begin\":\"0\"", "\"begin\":\"301\""),
    ] {
        let edited = FollowState::from_json(good.replace(from, to).as_bytes()).unwrap();
        world.sink.state = edited;
        let error = world.look(1).await.unwrap_err();
        assert!(matches!(error, FollowError::State(_)), "{error:?}");
        assert_eq!(error.code(), "rekor.follow.state");
    }
}

#[tokio::test]
async fn evidence_that_was_edited_is_none() {
    let mut world = World::seen(300).await;
    world.server.replace_log(numbered(700).with_leaf(7, "another"));
    assert!(matches!(world.outcome(1).await, FollowOutcome::Fork(_)));
    let good = String::from_utf8(world.sink.state.to_json()).unwrap();
    let root = good.split("\"root\":\"").nth(1).unwrap()[..64].to_owned();
    let edits = [
        (root.clone(), Sha256Digest::of(b"").to_string()),
        ("\"other-beginning\"".to_owned(), "\"same-size\"".to_owned()),
        ("log.example\\n700\\n".to_owned(), "log.example\\n701\\n".to_owned()),
    ];
    for (from, to) in edits {
        let edited = good.replace(&from, &to);
        assert_ne!(edited, good);
        let Ok(state) = FollowState::from_json(edited.as_bytes()) else { continue };
        let looked = world.follower.follow(&state, time(2), &mut Memory::default()).await;
        let error = looked.unwrap_err();
        assert!(matches!(error, FollowError::State(StateError::Fork)), "{error:?}");
    }
}

#[tokio::test]
async fn another_log_at_the_place_of_the_followed_one_is_told() {
    let mut world = World::seen(5).await;
    world.server.replace_log(TestLog::new("other.example"));
    let error = world.look(1).await.unwrap_err();
    let FollowError::Read(ReadError::Checkpoint(_)) = error else { panic!("{error:?}") };

    // A log that is known under two names must keep the one under which it was seen.
    let (one, two) = (TestLog::new("one.example"), TestLog::new("two.example"));
    let trust = LogTrust::of_keys(&[one.note_key().clone(), two.note_key().clone()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let follower = Follower::new(reader, Watch::default()).trust_first_sight(Begin::FirstEntry);
    let mut sink = Memory::default();
    one.write_folder(folder.path(), &Handing::default()).unwrap();
    follower.follow(&FollowState::default(), time(0), &mut sink).await.unwrap();
    two.write_folder(folder.path(), &Handing::default()).unwrap();
    let error = follower.follow(&sink.state.clone(), time(1), &mut sink).await.unwrap_err();
    assert!(matches!(error, FollowError::Origin { .. }), "{error:?}");
}

#[tokio::test]
async fn a_clock_that_went_back_changes_no_order() {
    let mut world = World::new(5).await;
    world.look(30).await.unwrap();
    let report = world.look(20).await.unwrap();
    assert_eq!(report.clock_behind, Some(Duration::from_secs(600)));
    assert_eq!(report.quiet, Duration::ZERO);
    assert_eq!(world.sink.state.last_seen(), Some(time(30)));
    world.grow(6);
    world.look(21).await.unwrap();
    assert_eq!(world.sink.state.grown_at(), Some(time(30)));
}

#[tokio::test]
async fn a_log_that_is_down_changes_nothing() {
    let mut world = World::seen(5).await;
    let before = world.sink.state.clone();
    world.server.stop_listening().await.unwrap();
    let error = world.look(1).await.unwrap_err();
    assert_eq!((error.code(), &world.sink.state), ("rekor.http.unreached", &before));
    world.server.listen_again().await.unwrap();
    assert!(matches!(world.outcome(2).await, FollowOutcome::Unchanged));
}

#[tokio::test]
async fn several_logs_are_followed_at_the_same_time() {
    let follow = async |entries| {
        let World { server, follower, mut sink } = World::new(entries).await;
        let task = tokio::spawn(async move {
            let report = follower.follow(&FollowState::default(), time(0), &mut sink).await;
            (server, report.unwrap().tally.entries)
        });
        task.await.unwrap().1
    };
    assert_eq!(futures_util::future::join(follow(300), follow(700)).await, (300, 700));
}

#[tokio::test]
async fn a_key_that_is_watched_later_is_looked_for_in_the_earlier_entries_too() {
    let [first, later] = ["first", "later"].map(SeedKey::es256);
    let watch = |keys: &[&SeedKey]| {
        let keys = keys.iter().map(|key| Sha256Digest::of(key.public().to_spki_der())).collect();
        Watch { keys, ..Watch::default() }
    };
    for (begin, entries) in [(Begin::FirstEntry, 302), (Begin::NextEntry, 2)] {
        let mut world = World::new(300).await;
        let follower = |world: &World, keys: &[&SeedKey]| {
            Follower::new(reader(&world.server), watch(keys)).trust_first_sight(begin)
        };
        world.follower = follower(&world, &[&first]);
        world.look(0).await.unwrap();
        world.server.append([first.rekord(b"one").to_body(), later.rekord(b"two").to_body()]);
        assert_eq!(world.look(1).await.unwrap().tally.sightings, 1);
        for (minute, keys, looked_at, found) in [
            (2, &[&first, &later][..], entries, 2),
            (3, &[&first, &later], 0, 0),
            (4, &[&later], 0, 0),
            (5, &[&later, &first], entries, 2),
        ] {
            world.follower = follower(&world, keys);
            let tally = world.look(minute).await.unwrap().tally;
            assert_eq!((tally.entries, tally.sightings), (looked_at, found), "{minute}");
        }
    }
}
