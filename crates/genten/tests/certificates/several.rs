//! Several logs that have promised to hold one certificate.

use genten::Flush;
use genten_testkit::ct::CtTestLog;
use genten_testkit::{Answer, CtServer, SeedKey};

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

/// The log goes on signing checkpoints, and waits for another one do not make it news.
#[tokio::test]
async fn a_broken_promise_is_told_once_while_another_log_is_waited_for() {
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
        assert_eq!(told(&producer).await, ["rekor.read.other-leaf"]);
        for second in 1..=2 {
            other.publish(world.millis() + second * 1000);
            assert_eq!(told(&producer).await, [""; 0], "{second}");
        }
        assert_eq!((producer.reason(), world.evidence().len()), ("rekor.ct.not-yet".to_owned(), 1));
    }
}

#[tokio::test]
async fn each_log_that_breaks_its_promise_is_told_on() {
    let world = World::new().await;
    let (other, producer) = with_another(&world).await;
    let site = world.promised_site(&[&world.log, &other]).await;
    world.fetch(&producer, &site, "a").await;
    assert_eq!(told(&producer).await, [""; 0]);
    for (late, name) in [(&world.log, "static"), (&other, "other")] {
        late.signed_by(&SeedKey::es256(&format!("ct log {name}")), world.millis() + 3_600_000);
        assert_eq!(told(&producer).await, ["rekor.ct.overdue"], "{name}");
    }
    assert_eq!(told(&producer).await, [""; 0]);
    assert_eq!(world.evidence().len(), 2);
    other.break_promises(world.millis() + 3_600_000);
    assert_eq!(told(&producer).await, ["rekor.read.other-leaf"], "that is something else");
    assert_eq!(producer.reason(), "rekor.ct.overdue");
}

/// What a round tells.
async fn told(producer: &Producer) -> Vec<&'static str> {
    let report = producer.flush(Flush::All).await;
    report.alarms().map(|alarm| alarm.code).collect()
}
