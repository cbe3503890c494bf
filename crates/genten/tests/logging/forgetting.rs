//! A log that was begun anew under its old name and key.

use genten::jws::SignedBytes;
use genten::jws::key_id::contained_key;
use genten::manifest::UnverifiedBundle;
use genten::rekor::{Begin, FollowOutcome};
use genten::store::{Durability, Home, Journal};
use genten::{
    Flush, Followed, Following, Forget, Forgotten, LogError, LogTarget, follow, home_log,
};
use genten_primitives::PublicKey;
use genten_testkit::log::TestLog;

use crate::producer::{Producer, content_key};
use crate::world::World;

fn home(world: &World) -> (Home, Journal) {
    let home = Home::open(world.path("home")).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    (home, journal)
}

const UNASKED: Forget = Forget { even_if_sound: false, queue_again: false };
const SURE: Forget = Forget { even_if_sound: true, queue_again: false };
const AGAIN: Forget = Forget { even_if_sound: false, queue_again: true };

fn forget(world: &World, how: Forget) -> Result<Forgotten, LogError> {
    let (home, journal) = home(world);
    genten::forget(&home, &journal, &world.target(), how, world.now())
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
    let (_, journal) = home(&world);
    let forgotten = forget(&world, UNASKED).unwrap();
    assert_eq!((&forgotten.origin[..], forgotten.entries), ("log.example", 3));
    let evidence = forgotten.evidence.unwrap();
    let kept = std::fs::read_to_string(&evidence).unwrap();
    assert!(kept.starts_with("log.example\n") && kept.contains("first_seen"), "{kept}");
    let noted = journal.outbox().forgotten(&world.target().name()).unwrap();
    assert_eq!(noted[0].evidence, evidence.to_string_lossy());

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
    let stamps = world.tsa.posts();
    assert_eq!(forget(&world, AGAIN).unwrap().entries, 3);
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
        let error = genten::forget(&home, &journal, &log, SURE, world.now()).unwrap_err();
        assert_eq!(error.code(), "log.own", "{error}");
        assert!(error.hint().contains("keys/log.key"));
    }
}

#[tokio::test]
async fn nothing_is_forgotten_that_is_not_known_or_in_use_or_sound() {
    let world = World::new().await;
    let producer = world.producer();
    let (home, _journal) = home(&world);
    let forget = |how| forget(&world, how).map_err(|error| error.code());
    assert_eq!(forget(SURE), Err("log.not-known"));
    producer.attest_batched(1).await;
    producer.flush(Flush::All).await;
    let right = home.sender(&world.target().name()).unwrap();
    assert_eq!(forget(SURE), Err("log.busy"));
    drop(right);
    assert_eq!(forget(UNASKED), Err("log.sound"));
    assert_eq!(forget(AGAIN), Err("log.sound"), "what it has is not sent once more");
    world.expect_quiet(&producer).await;
    assert_eq!(forget(SURE).unwrap().entries, 1);
    assert_eq!(forget(SURE), Err("log.not-known"), "there is nothing to forget twice");
}

/// Whether the log is known again by then or not.
#[tokio::test]
async fn the_entries_of_a_lost_log_are_sent_again_later_too() {
    for is_known_again in [false, true] {
        let (world, producer) = restarted().await;
        forget(&world, UNASKED).unwrap();
        if is_known_again {
            assert_eq!(producer.flush_all().await.logged, 1);
        }
        let again = forget(&world, AGAIN).unwrap();
        assert_eq!((again.entries, again.evidence), (3, None), "known again: {is_known_again}");
        assert_eq!(producer.flush_all().await.logged, 4 - u64::from(is_known_again));
        world.expect_arrived(&producer);
        world.expect_quiet(&producer).await;
        let code = forget(&world, AGAIN).unwrap_err().code();
        assert_eq!(code, "log.sound", "they are queued once");
    }
}

/// The log is one and the same, whatever file describes it.
#[tokio::test]
async fn a_lost_log_is_lost_under_every_file_that_describes_it() {
    let (world, producer) = restarted().await;
    let other = LogTarget::file(world.path("other.toml")).unwrap();
    std::fs::copy(world.path("log.toml"), world.path("other.toml")).unwrap();
    let (home, journal) = home(&world);
    let forgotten = genten::forget(&home, &journal, &other, SURE, world.now()).unwrap();
    assert_eq!(forgotten.entries, 3);
    let noted = |log: &LogTarget| journal.outbox().forgotten(&log.name()).unwrap().len();
    assert_eq!((noted(&world.target()), noted(&other)), (1, 1));
    assert_eq!(genten::forget(&home, &journal, &other, AGAIN, world.now()).unwrap().entries, 3);
    assert_eq!(producer.flush_all().await.logged, 4);
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn what_is_submitted_again_goes_to_the_log_that_was_begun_anew() {
    let (world, producer) = restarted().await;
    let saved = producer.attest_alone(7).await;
    producer.flush_all().await;
    forget(&world, UNASKED).unwrap();
    assert_eq!(producer.flush_all().await.logged, 3);
    world.log.replace_log(TestLog::new("log.example"));
    forget(&world, SURE).unwrap();

    let bundle = UnverifiedBundle::read(&saved.bundle()).unwrap();
    let signed = SignedBytes::of_manifest(bundle.manifest()).unwrap();
    let (submitter, target) = (producer.submitter(), world.target());
    let body = submitter.queue_manifest(&target, &signed, &saved_key(&bundle)).await.unwrap();
    assert_eq!(world.log.indices_of(&body).len(), 0);
    assert_eq!(producer.flush_all().await.logged, 1);
    assert_eq!(world.log.indices_of(&body).len(), 1);
    let digest = bundle.manifest().claims().content_sha256;
    let body = submitter.queue_content(&target, digest, &content_key()).unwrap();
    assert_eq!(producer.flush_all().await.logged, 1);
    assert_eq!(world.log.indices_of(&body).len(), 1);
}

fn saved_key(bundle: &UnverifiedBundle) -> PublicKey {
    contained_key(&bundle.manifest().manifest().mcp_key_id).unwrap().unwrap()
}
