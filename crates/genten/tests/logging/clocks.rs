//! Clocks that are set back and forward.

use genten::manifest::UnverifiedBundle;
use genten::primitives::Timestamp;
use genten::primitives::encoding::from_base64url;
use genten::tlog::batch::BatchStatement;
use genten_testkit::WriteFault;

use crate::producer::Producer;
use crate::world::World;

const HOUR: i64 = 3600;

/// When the batch of a bundle says that it was made.
fn batch_time(producer: &Producer, number: usize) -> Timestamp {
    let saved = &producer.saved()[number];
    let evidence = producer.genten.journal().unwrap().outbox().evidence(&saved.id).unwrap();
    let statement = evidence[0].statement.clone().unwrap();
    let payload = statement.split('.').nth(1).unwrap();
    BatchStatement::read(&from_base64url(payload).unwrap()).unwrap().created_at
}

fn signed_at(producer: &Producer, number: usize) -> Timestamp {
    let bundle = UnverifiedBundle::read(&producer.saved()[number].bundle()).unwrap();
    bundle.manifest().claims().signed_at()
}

#[tokio::test]
async fn a_batch_is_never_older_than_its_members() {
    let world = World::new().await;
    let producer = world.producer();
    world.advance(HOUR);
    producer.attest_batched(0).await;
    world.clock.advance_millis(-HOUR * 1000);
    producer.attest_batched(1).await;
    world.advance(60);
    assert_eq!(producer.flush_due().await.logged, 1);
    assert_eq!(batch_time(&producer, 0), signed_at(&producer, 0));
    assert!(batch_time(&producer, 1) > signed_at(&producer, 1));
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn nothing_waits_longer_than_an_hour_whatever_the_clock_does() {
    for step in [-HOUR, -24 * HOUR, HOUR, 24 * HOUR] {
        let world = World::new().await;
        let producer = world.producer();
        world.advance(48 * HOUR);
        producer.attest_alone(0).await;
        // Long waits, as after many failures.
        world.log.writes().always(WriteFault::Frozen);
        for _ in 0..14 {
            producer.flush_all().await;
        }
        producer.attest_batched(1).await;
        world.log.writes().clear();
        world.clock.advance_millis(step * 1000);
        let mut logged = producer.flush_due().await.logged;
        if logged < 3 {
            world.advance(HOUR);
            logged += producer.flush_due().await.logged;
        }
        assert_eq!(logged, 3, "{step}");
        world.expect_arrived(&producer);
    }
}
