//! 409: the log has the entry already, and proves nothing. The proof is made of its tiles.

use genten::Flush;
use genten::jws::Algorithm;
use genten_testkit::log::Handing;
use genten_testkit::{LogServer, NetFault, WriteFault};
use serde_json::Value;

use crate::producer::{Producer, signer};
use crate::world::{World, bodies};

/// Everything in the home's evidence for a manifest, as JSON of the log.
fn entry(producer: &Producer, world: &World) -> (Value, Value) {
    let id = producer.saved()[0].id;
    let evidence = producer.genten.journal().unwrap().outbox().evidence(&id).unwrap();
    let own: Value = serde_json::from_slice(&evidence[0].entry).unwrap();
    let body = &evidence[0].body;
    let honest = world.log.with_log(|log| log.entry(log.indices_of(body)[0], &Handing::default()));
    (own, honest)
}

#[tokio::test]
async fn an_entry_that_is_there_already_gets_the_same_proof_as_a_new_one() {
    for fault in
        [WriteFault::Honest, WriteFault::ConflictWithoutHeader, WriteFault::ConflictWithoutIndex]
    {
        let world = World::new().await;
        let producer = world.producer();
        producer.attest_batched(1).await;
        world.log.writes().next([WriteFault::Net(NetFault::CutBeforeAnswer), fault.clone()]);
        let flush = producer.flush_all().await;
        assert_eq!((flush.logged, flush.postponed), (0, 1));
        assert_eq!(producer.codes(&world.target()), ["rekor.submit.outcome-unknown"]);
        assert_eq!(producer.flush_all().await.logged, 1, "{fault:?}");
        let (own, honest) = entry(&producer, &world);
        assert_eq!(own, honest, "{fault:?}");
        assert_eq!((world.log.posts(), world.log.distinct_bodies()), (2, 1));
        world.expect_arrived(&producer);
        world.expect_quiet(&producer).await;
    }
}

/// Ed25519ph and the RFC 6979 signatures of this program say the same twice.
#[tokio::test]
async fn a_home_that_was_lost_finds_its_entries_again() {
    for algorithm in [Algorithm::EdDsa, Algorithm::Es256] {
        let world = World::new().await;
        let first = world.producer_of(world.builder().signer(signer(algorithm, 1)));
        let one = first.attest_alone(1).await;
        first.flush_all().await;
        let logged = bodies(&first, &one.id);
        let home = world.path("other home");
        let again = world.producer_of(world.builder().home(home).signer(signer(algorithm, 1)));
        let other = again.attest_alone(1).await;
        assert_eq!(other.id, one.id);
        assert_eq!(again.flush_all().await.logged, 2);
        assert_eq!(bodies(&again, &one.id), logged);
        world.expect_arrived(&again);
    }
}

/// The message is all that an older server gives; and the log is read nowhere.
#[tokio::test]
async fn an_entry_that_cannot_be_looked_up_stays_queued_and_names_the_cause() {
    let mut world = World::new().await;
    let log = world.log.with_log(Clone::clone);
    world.log = LogServer::builder(log).reads_elsewhere().start().await.unwrap();
    let files = world.log.read_url();
    // Where it is written, it is not read.
    world.describe_reading(
        &world.log.url(),
        &world.tsa.url(),
        &format!("{}/api/v2", world.log.url()),
    );
    let producer = world.producer();
    producer.attest_batched(1).await;
    world.log.writes().next([WriteFault::Net(NetFault::CutBeforeAnswer)]);
    producer.flush_all().await;
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.logs[0].postponed), (0, 1));
    assert_eq!(producer.codes(&world.target()), ["rekor.read.not-served"]);

    world.describe_reading(&world.log.url(), &world.tsa.url(), &files);
    assert_eq!(producer.flush_all().await.logged, 1);
    world.expect_arrived(&producer);
}

/// Proofs of a server that serves no tree are believed as they are, until it has served one.
#[tokio::test]
async fn a_log_that_is_read_nowhere_is_believed_by_its_proofs() {
    let mut world = World::new().await;
    let log = world.log.with_log(Clone::clone);
    world.log = LogServer::builder(log).reads_elsewhere().start().await.unwrap();
    let (url, tsa, files) = (world.log.url(), world.tsa.url(), world.log.read_url());
    let nowhere = format!("{url}/api/v2");
    world.describe_reading(&url, &tsa, &nowhere);
    let producer = world.producer();
    producer.attest_batched(1).await;
    assert_eq!(producer.flush_all().await.logged, 1);

    world.describe_reading(&url, &tsa, &files);
    producer.attest_batched(2).await;
    assert_eq!(producer.flush_all().await.logged, 1);
    world.describe_reading(&url, &tsa, &nowhere);
    producer.attest_batched(3).await;
    assert_eq!(producer.flush_all().await.postponed, 1);
    assert_eq!(producer.codes(&world.target()), ["rekor.read.not-served"]);
    let posts = world.log.posts();
    world.describe_reading(&url, &tsa, &files);
    assert_eq!(producer.flush_all().await.logged, 1);
    assert_eq!(world.log.posts(), posts, "what was answered is not sent again");
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn an_answer_that_the_published_tree_does_not_show_yet_waits_for_it() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_batched(1).await;
    // However often somebody looks in vain, it is no reason to wait longer.
    world.log.checkpoints().next([const { genten_testkit::ReadFault::Earlier }; 6]);
    for _ in 0..6 {
        let flush = producer.flush_all().await;
        assert_eq!((flush.logged, flush.postponed, flush.alarms.len()), (0, 1, 0));
    }
    assert_eq!(producer.codes(&world.target()), ["rekor.history.not-yet"]);
    // The log's next checkpoint is ten seconds away.
    world.advance(9);
    assert_eq!(producer.flush_due().await.postponed, 0);
    world.advance(2);
    assert_eq!(producer.flush_due().await.logged, 1);
    assert_eq!(world.log.posts(), 1);
    world.expect_arrived(&producer);
}
