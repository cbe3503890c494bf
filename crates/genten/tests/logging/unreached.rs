//! A log that cannot be reached, or whose answers do not arrive.

use genten_testkit::{NetFault, WriteFault};

use crate::world::World;

#[tokio::test]
async fn what_cannot_be_sent_stays_and_arrives_later() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    world.log.stop_listening().await.unwrap();
    let flush = producer.flush_due().await;
    assert_eq!((flush.logged, flush.postponed), (0, 2));
    assert_eq!(producer.codes(&world.target()), ["rekor.submit.unreached"]);

    world.log.listen_again().await.unwrap();
    assert_eq!(producer.flush_all().await.logged, 2);
    world.expect_arrived(&producer);
    world.expect_quiet(&producer).await;
}

#[tokio::test]
async fn an_unknown_outcome_is_cleared_up_without_a_second_entry() {
    for fault in [
        NetFault::Reset,
        NetFault::CutBeforeAnswer,
        NetFault::CutInAnswer,
        NetFault::Malformed,
        NetFault::Oversize(11 << 20),
    ] {
        let world = World::new().await;
        let producer = world.producer();
        producer.attest_alone(1).await;
        world.log.writes().next([WriteFault::Net(fault.clone()), WriteFault::Net(fault.clone())]);
        let flush = producer.flush_due().await;
        assert_eq!((flush.logged, flush.postponed), (0, 2), "{fault:?}");
        assert_eq!(producer.flush_all().await.logged, 2, "{fault:?}");
        world.expect_arrived(&producer);
        world.expect_quiet(&producer).await;
    }
}
