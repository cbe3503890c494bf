//! A log that was begun anew under its old name and key.

use genten::rekor::{Begin, FollowOutcome};
use genten::store::{Durability, Home, Journal};
use genten::{Flush, Followed, Following, LogTarget, follow, forget, home_log};
use genten_testkit::log::TestLog;

use crate::producer::Producer;
use crate::world::World;

fn home(world: &World) -> (Home, Journal) {
    let home = Home::open(world.path("home")).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    (home, journal)
}

async fn looked(world: &World) -> Followed {
    let (home, journal) = home(world);
    let (log, begin) = (world.target(), Some(Begin::FirstEntry));
    let following = Following { log, keys: Vec::new(), begin };
    follow(&home, &journal, &following, world.now(), &mut |_, _| {}).await.unwrap()
}

/// Three entries, the tree was followed; then the log's owner begins anew.
async fn restarted() -> (World, Producer) {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..3 {
        producer.attest_batched(number).await;
        producer.flush_all().await;
    }
    looked(&world).await;
    world.log.replace_log(TestLog::new("log.example"));
    producer.attest_batched(3).await;
    assert_eq!(producer.flush_all().await.logged, 0);
    assert_eq!(producer.codes(&world.target()).len(), 1, "the log is not believed");
    assert!(!looked(&world).await.is_complete());
    (world, producer)
}

#[tokio::test]
async fn a_log_that_was_begun_anew_is_known_anew_when_a_person_says_so() {
    let (world, producer) = restarted().await;
    let (home, journal) = home(&world);
    let forgotten = forget(&home, &journal, &world.target(), false, world.now()).unwrap();
    assert_eq!((&forgotten.origin[..], forgotten.entries), ("log.example", 3));
    let kept = std::fs::read_to_string(&forgotten.evidence).unwrap();
    assert!(kept.starts_with("log.example\n") && kept.contains("first_seen"), "{kept}");
    let noted = journal.outbox().forgotten(&world.target().name()).unwrap();
    assert_eq!(noted[0].evidence, forgotten.evidence.to_string_lossy());

    assert_eq!(producer.flush_all().await.logged, 1);
    let followed = looked(&world).await;
    assert!(matches!(followed.outcome(), Some(FollowOutcome::FirstSight { .. })), "{followed:?}");
    assert!(!followed.is_alarm() && followed.is_complete(), "{followed:?}");
    let now = world.true_clock.now();
    for saved in producer.saved() {
        let verdict = world.reader(&producer).verdict(&saved.bundle(), &["log", "time"], now);
        assert_eq!(verdict, "accept", "what was proven stays proven");
    }
}

#[tokio::test]
async fn the_entries_of_a_lost_log_are_sent_again_where_that_is_asked_for() {
    let (world, producer) = restarted().await;
    let (home, journal) = home(&world);
    let stamps = world.tsa.posts();
    forget(&home, &journal, &world.target(), true, world.now()).unwrap();
    assert_eq!(producer.flush_all().await.logged, 4);
    assert_eq!(world.tsa.posts(), stamps + 1, "what was stamped stays stamped");
    world.expect_arrived(&producer);
    world.expect_quiet(&producer).await;
    let followed = looked(&world).await;
    assert!(!followed.is_alarm() && followed.is_complete(), "{followed:?}");
}

#[tokio::test]
async fn the_homes_own_log_is_not_forgotten_under_any_description() {
    let world = World::new().await;
    let (home, journal) = home(&world);
    let vkey = home_log(&home).unwrap().folder().key().to_vkey();
    let text = format!("version = 1\n[log]\nvkey = {vkey:?}\nread_url = \"home/log\"\n");
    std::fs::write(world.path("own.toml"), text).unwrap();
    for log in [LogTarget::Home, LogTarget::file(world.path("own.toml")).unwrap()] {
        let error = forget(&home, &journal, &log, false, world.now()).unwrap_err();
        assert_eq!(error.code(), "log.own", "{error}");
        assert!(error.hint().contains("keys/log.key"));
    }
}

#[tokio::test]
async fn nothing_is_forgotten_that_is_not_known_or_in_use() {
    let world = World::new().await;
    let producer = world.producer();
    let (home, journal) = home(&world);
    let forget = || forget(&home, &journal, &world.target(), false, world.now());
    assert_eq!(forget().unwrap_err().code(), "log.not-known");
    producer.attest_batched(1).await;
    producer.flush(Flush::All).await;
    let right = home.sender(&world.target().name()).unwrap();
    assert_eq!(forget().unwrap_err().code(), "log.busy");
    drop(right);
    assert_eq!(forget().unwrap().entries, 1);
    assert_eq!(forget().unwrap_err().code(), "log.not-known", "there is nothing to forget twice");
}
