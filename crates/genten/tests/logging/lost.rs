//! Entries of the journal that a log has lost, and those of which nobody can say that it has.

use genten::rekor::FollowOutcome;
use genten::store::LogSubject;
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::{LogServer, ReadFault, SeedKey};
use serde_json::json;

use crate::following::{home, look};
use crate::world::World;

/// A log that takes entries and is not read yet, in which the producer has logged so many manifests; and what it was before.
async fn written_only(world: &World, manifests: usize) -> LogServer {
    let server = LogServer::builder(TestLog::new("log.example")).reads_elsewhere();
    let server = server.start().await.unwrap();
    let nowhere = format!("{}/api/v2", server.url());
    world.describe_reading(&server.url(), &world.tsa.url(), &nowhere);
    let producer = world.producer();
    for number in 0..manifests {
        producer.attest_batched(number).await;
        assert_eq!(producer.flush_all().await.logged, 1);
    }
    world.describe_reading(&server.url(), &world.tsa.url(), &server.read_url());
    server
}

#[tokio::test]
async fn an_entry_is_lost_though_the_log_is_not_read_to_its_end() {
    let world = World::new().await;
    let server = written_only(&world, 1).await;
    server.replace_log(TestLog::new("log.example"));
    server.append((0..600).map(|number| format!("filler {number}")));
    server.file("tile/entries/001").always(ReadFault::Missing);
    let followed = look(&world, &[]).await.unwrap();
    assert!(followed.report.is_err());
    assert_eq!(followed.lost.len(), 1, "{followed:?}");
    assert!(followed.is_alarm());
}

/// Puts so many entries into the outbox that this log's answer is about.
fn logged_before(world: &World, entries: usize, answer: &serde_json::Value) {
    let (_, journal) = home(world);
    let (outbox, name, answer) = (journal.outbox(), world.target().name(), answer.to_string());
    for number in 0..entries {
        let body = number.to_string().into_bytes();
        outbox.add_entry(&name, LogSubject::Content, &body, world.now()).unwrap();
    }
    let claimed = outbox.claim(&name, 1000, world.now()).unwrap();
    let done = claimed.iter().map(|one| (one.id, answer.as_bytes(), "somewhere#0"));
    outbox.logged(done, world.now()).unwrap();
}

/// As many of them as are looked for at a time.
#[tokio::test]
async fn entries_of_an_earlier_shard_hide_none_that_is_lost() {
    let world = World::new().await;
    let shard = TestLog::new("earlier.example").entry(0, &Handing::default());
    logged_before(&world, 1000, &shard);
    let server = written_only(&world, 1).await;
    server.replace_log(TestLog::new("log.example"));
    server.append(["another", "and one more"]);
    let followed = look(&world, &[]).await.unwrap();
    assert_eq!((followed.lost.len(), followed.unsearched), (1, 0));
    assert!(followed.lost[0].log_id.starts_with("log.example#"), "{followed:?}");
}

#[tokio::test]
async fn two_trees_of_one_size_are_told_apart() {
    let world = World::new().await;
    let honest = world.log.with_log(TestLog::clone);
    for (entries, log) in [(1, &honest), (2, &honest.with_leaf(0, "another"))] {
        logged_before(&world, entries, &log.entry(0, &Handing::default()));
    }
    let followed = look(&world, &[]).await.unwrap();
    assert_eq!((followed.lost.len(), followed.unsearched), (1, 0));
}

/// How many entries are still to be found in the log.
fn unfound(world: &World) -> usize {
    home(world).1.outbox().unfollowed(&world.target().name(), None, 9).unwrap().len()
}

#[tokio::test]
async fn an_entry_behind_the_tree_that_a_log_shows_now_is_looked_for_again() {
    let world = World::new().await;
    look(&world, &[]).await.unwrap();
    let producer = world.producer();
    producer.attest_batched(1).await;
    assert_eq!(producer.flush_all().await.logged, 1);
    world.log.checkpoints().always(ReadFault::Earlier);
    let followed = look(&world, &[]).await.unwrap();
    assert_eq!((followed.lost.len(), followed.unsearched, unfound(&world)), (0, 1, 1));
    world.log.checkpoints().clear();
    let followed = look(&world, &[]).await.unwrap();
    assert_eq!((followed.lost.len(), followed.unsearched, unfound(&world)), (0, 0, 0));
}

#[tokio::test]
async fn nothing_is_looked_for_in_a_log_that_was_caught() {
    let world = World::new().await;
    look(&world, &[]).await.unwrap();
    let producer = world.producer();
    producer.attest_batched(1).await;
    assert_eq!(producer.flush_all().await.logged, 1);
    world.log.replace_log(world.log.with_log(|log| log.with_leaf(0, "another")));
    let followed = look(&world, &[]).await.unwrap();
    assert!(matches!(followed.outcome(), Some(FollowOutcome::Fork(_))), "{followed:?}");
    assert_eq!((followed.lost.len(), followed.unsearched, unfound(&world)), (0, 0, 1));
}

#[tokio::test]
async fn an_entry_whose_checkpoint_names_the_log_and_does_not_hold_is_counted() {
    let world = World::new().await;
    let foreign = SeedKey::ed25519("foreign");
    let handing = Handing { signer: Some(&foreign), ..Handing::default() };
    logged_before(&world, 2, &world.log.with_log(|log| log.entry(0, &handing)));
    logged_before(&world, 3, &json!({}));
    let followed = look(&world, &[]).await.unwrap();
    assert_eq!((followed.lost.len(), followed.unsearched), (0, 3));
    assert!(!followed.is_complete());
}
