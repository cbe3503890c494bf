//! A timestamp authority that is down or errs, while the log works; and the other way round.

use genten_testkit::{NetFault, Refusal, RetryAfter, StampFault};

use crate::world::World;

#[tokio::test]
async fn an_entry_waits_for_its_stamp_and_is_not_sent_again() {
    for is_down in [true, false] {
        let world = World::new().await;
        let producer = world.producer();
        producer.attest_alone(1).await;
        match is_down {
            true => world.tsa.stop_listening().await.unwrap(),
            false => world.tsa.stamps().always(StampFault::Net(NetFault::CutBeforeAnswer)),
        }
        let flush = producer.flush_due().await;
        assert_eq!((flush.logged, flush.postponed), (1, 1), "contents need no stamp");
        let code = if is_down { "rekor.http.unreached" } else { "rekor.http.broken-off" };
        assert_eq!(producer.codes(&world.target()), [code]);

        world.advance(3600);
        world.tsa.listen_again().await.unwrap();
        world.tsa.stamps().clear();
        assert_eq!(producer.flush_due().await.logged, 1);
        assert_eq!(world.log.posts(), 2, "one for the manifest, one for the content");
        world.expect_arrived(&producer);
        world.expect_quiet(&producer).await;
    }
}

#[tokio::test]
async fn no_stamp_is_asked_for_before_there_is_an_entry() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    world.log.stop_listening().await.unwrap();
    producer.flush_due().await;
    assert_eq!(world.tsa.posts(), 0);
    world.log.listen_again().await.unwrap();
    assert_eq!(producer.flush_all().await.logged, 2);
    assert_eq!(world.tsa.posts(), 1);
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn a_wrong_stamp_is_refused_and_kept() {
    for fault in [
        StampFault::Rejected,
        StampFault::NoNonce,
        StampFault::OtherNonce,
        StampFault::OtherImprint,
        StampFault::BadSignature,
    ] {
        let world = World::new().await;
        let producer = world.producer();
        let bundle = producer.attest_batched(1).await;
        let before = bundle.bundle();
        world.tsa.stamps().next([fault.clone()]);
        let flush = producer.flush_all().await;
        assert_eq!((flush.logged, flush.postponed), (0, 1), "{fault:?}");
        let [alarm] = &flush.alarms[..] else { panic!("{fault:?}: {flush:?}") };
        assert_eq!(alarm.code, "rekor.tsa.wrong");
        assert!(!std::fs::read(alarm.evidence.as_ref().unwrap()).unwrap().is_empty());
        assert_eq!(bundle.bundle(), before);
        assert_eq!(producer.flush_all().await.logged, 1);
        assert_eq!(world.log.posts(), 1);
        world.expect_arrived(&producer);
    }
}

#[tokio::test]
async fn an_authority_that_says_when_is_not_asked_before() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_batched(1).await;
    world.advance(60);
    let busy = Refusal::status(503).retry_after(RetryAfter::Seconds(300));
    world.tsa.stamps().next([StampFault::Net(NetFault::Refuse(busy))]);
    assert_eq!(producer.flush_due().await.postponed, 1);
    world.advance(299);
    producer.flush_due().await;
    assert_eq!(world.tsa.posts(), 1);
    world.advance(3);
    assert_eq!(producer.flush_due().await.logged, 1);
    assert_eq!((world.tsa.posts(), world.log.posts()), (2, 1));
    world.expect_arrived(&producer);
}
