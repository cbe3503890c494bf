//! Several logs that have promised to hold one certificate.

use genten::Flush;
use genten_testkit::ct::CtTestLog;
use genten_testkit::{Answer, CtServer};

use crate::world::{Producer, World};

/// Another log, and a producer whose list has both.
async fn with_another(world: &World) -> (CtServer, Producer) {
    let other = CtServer::start(CtTestLog::new("other", "Two")).await.unwrap();
    let list = CtServer::list(&[&world.log, &other]).to_string();
    let producer = Producer(world.builder().ct_logs(list).build().unwrap());
    (other, producer)
}

#[tokio::test]
async fn a_log_that_is_left_alone_keeps_no_other_from_being_asked() {
    let world = World::new().await;
    let (other, producer) = with_another(&world).await;
    world.log.answer_with(Some(Answer::status(503).header("retry-after", "120")));
    for (name, logs) in
        [("a", &[&world.log, &other][..]), ("b", &[&world.log, &other]), ("c", &[&other])]
    {
        let site = world.promised_site(logs).await;
        other.publish(world.millis());
        world.fetch(&producer, &site, name).await;
        assert_eq!(producer.prove(Flush::Due).await, (1, 0, 0), "{name}");
    }
    assert_eq!((world.log.readings(), other.readings()), (1, 3));
}

#[tokio::test]
async fn a_certificate_waits_as_long_as_one_of_the_logs_may_still_prove_it() {
    for is_late_first in [true, false] {
        let world = World::new().await;
        let (other, producer) = with_another(&world).await;
        let mut logs = [&other, &world.log];
        if is_late_first {
            logs.reverse();
        }
        let site = world.promised_site(&logs).await;
        other.break_promises(world.millis());
        world.fetch(&producer, &site, "a").await;
        assert_eq!(producer.prove(Flush::Due).await, (0, 1, 0));
        assert_eq!(producer.reason(), "rekor.ct.not-yet");
        world.log.publish(world.millis());
        assert_eq!(producer.prove(Flush::All).await, (1, 0, 0));
    }
}
