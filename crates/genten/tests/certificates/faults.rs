//! Logs that do not answer, are late, or break their promises.

use genten::Flush;
use genten::store::CertificateState;
use genten::tlog::TlogProof;
use genten_testkit::ct::CtTestLog;
use genten_testkit::{Answer, CtServer, SeedKey};

use crate::world::World;

#[tokio::test]
async fn a_log_that_is_not_reached_is_asked_again() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.published_site().await);
    world.log.stop_listening().await.unwrap();
    world.fetch(&producer, &site, "a").await;
    assert_eq!(producer.prove(Flush::Due).await, (0, 1, 0));
    assert_eq!(producer.reason(), "rekor.http.unreached");
    assert!(producer.next_due(world.now()) >= Some(world.now()));
    world.log.listen_again().await.unwrap();
    assert_eq!(producer.prove(Flush::All).await, (1, 0, 0));
    assert_eq!(world.verdict("a"), "accept");
}

#[tokio::test]
async fn a_log_that_wants_to_be_left_alone_is_left_alone() {
    let world = World::new().await;
    let producer = world.producer();
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let site = world.site().await;
        world.fetch(&producer, &site, name).await;
    }
    world.log.publish(world.millis());
    world.log.answer_with(Some(Answer::status(503).header("retry-after", "120")));
    assert_eq!(producer.prove(Flush::Due).await, (0, 8, 0));
    assert!(world.log.readings() < 8, "after the first answers nobody asks any more");
    assert!(producer.stuck().iter().all(|one| one.detail.as_deref() == Some("rekor.read.status")));
    assert!(producer.next_due(world.now()) >= world.now().checked_add_millis(120_000));

    let before = world.log.readings();
    assert_eq!(producer.prove(Flush::Due).await, (0, 0, 0));
    let site = world.published_site().await;
    world.fetch(&producer, &site, "new").await;
    assert_eq!(producer.prove(Flush::All).await, (0, 9, 0), "also where all is wanted at once");
    assert_eq!(world.log.readings(), before);
    assert!(producer.next_due(world.now()) >= world.now().checked_add_millis(120_000));
    world.log.answer_with(None);
    world.clock.advance_millis(3_600_000);
    assert_eq!(producer.prove(Flush::Due).await, (9, 0, 0));
}

/// 403 may be about one certificate.
#[tokio::test]
async fn only_a_log_that_is_not_there_is_not_asked_for_the_next_certificate() {
    for (status, is_away) in [(429, true), (500, true), (502, true), (403, false)] {
        let world = World::new().await;
        let producer = world.producer();
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            let site = world.site().await;
            world.fetch(&producer, &site, name).await;
        }
        world.log.answer_with(Some(Answer::status(status)));
        producer.prove(Flush::Due).await;
        assert_eq!(world.log.readings() < 8, is_away, "{status}");
    }
}

#[tokio::test]
async fn certificates_that_are_not_there_yet_keep_no_other_waiting() {
    let world = World::new().await;
    let (producer, published) = (world.producer(), world.published_site().await);
    for name in ["a", "b", "c", "d"] {
        let site = world.site().await;
        world.fetch(&producer, &site, name).await;
    }
    world.fetch(&producer, &published, "there").await;
    assert_eq!(producer.prove(Flush::Due).await, (1, 4, 0));
    assert_eq!(world.verdict("there"), "accept");
}

#[tokio::test]
async fn a_log_that_stays_away_is_asked_less_and_less_often() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.site().await);
    world.fetch(&producer, &site, "a").await;
    for _ in 0..8 {
        assert_eq!(producer.prove(Flush::All).await, (0, 1, 0));
    }
    assert!(producer.next_due(world.now()) >= world.now().checked_add_millis(64_000));
}

#[tokio::test]
async fn a_certificate_that_is_not_published_yet_is_waited_for() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.site().await);
    world.fetch(&producer, &site, "a").await;
    assert_eq!(producer.prove(Flush::Due).await, (0, 1, 0));
    assert_eq!((producer.reason(), world.evidence().len()), ("rekor.ct.not-yet".to_owned(), 0));
    world.log.publish(world.millis());
    assert_eq!(producer.prove(Flush::All).await, (1, 0, 0));
    assert_eq!(world.verdict("a"), "accept");
}

#[tokio::test]
async fn a_log_that_holds_something_else_there_is_told_on_and_not_asked_again() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.site().await);
    world.log.break_promises(world.millis());
    world.fetch(&producer, &site, "a").await;
    let report = producer.flush(Flush::Due).await;
    assert_eq!((report.certificates.proven, report.certificates.failed), (0, 1));
    assert!(!report.certificates.is_complete());
    let [alarm] = <[_; 1]>::try_from(report.alarms().cloned().collect::<Vec<_>>()).unwrap();
    assert_eq!((alarm.code, alarm.evidence.is_some()), ("rekor.read.other-leaf", true));
    assert_eq!(producer.reason(), "rekor.read.other-leaf");
    assert_eq!(producer.stuck()[0].state, CertificateState::Failed);
    let [evidence] = <[_; 1]>::try_from(world.evidence()).unwrap();
    let (proof, chain) = evidence.split_at(evidence.find("\n{").unwrap());
    TlogProof::parse(proof.as_bytes()).unwrap();
    assert!(chain.contains("\"type\":\"tls-chain\""), "{chain}");

    let readings = world.log.readings();
    assert_eq!(producer.prove(Flush::All).await, (0, 0, 0));
    assert_eq!(world.log.readings(), readings);
    producer.0.submitter().unwrap().requeue_rejected().unwrap();
    assert_eq!(producer.prove(Flush::All).await, (0, 0, 1), "it can be asked again by hand");
    assert_eq!(world.verdict("a"), "review ct.one-operator");
}

#[tokio::test]
async fn a_checkpoint_by_another_key_is_kept_once_and_asked_for_again() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.site().await);
    world.fetch(&producer, &site, "a").await;
    assert_eq!(producer.prove(Flush::Due).await, (0, 1, 0), "it is not there yet");
    for second in 1..=2 {
        world.log.signed_by(&SeedKey::es256("another key"), world.millis() + second * 1000);
        assert_eq!(producer.prove(Flush::All).await, (0, 1, 0));
        assert_eq!(producer.reason(), "rekor.read.checkpoint");
    }
    let [evidence] = <[_; 1]>::try_from(world.evidence()).unwrap();
    assert!(evidence.starts_with(&world.log.log().origin()), "{evidence}");
    world.log.publish(world.millis());
    assert_eq!(producer.prove(Flush::All).await, (1, 0, 0));
    assert_eq!(world.verdict("a"), "accept");
}

#[tokio::test]
async fn a_checkpoint_by_another_key_is_told_once_however_many_certificates_meet_it() {
    let world = World::new().await;
    let producer = world.producer();
    for name in ["a", "b", "c"] {
        let site = world.site().await;
        world.fetch(&producer, &site, name).await;
    }
    world.log.signed_by(&SeedKey::es256("another key"), world.millis());
    let report = producer.flush(Flush::Due).await;
    assert_eq!((report.certificates.postponed, report.alarms().count()), (3, 1));
    assert_eq!(world.evidence().len(), 1);
}

#[tokio::test]
async fn a_list_that_does_not_name_the_log_leaves_the_certificate_for_another_one() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.published_site().await);
    world.fetch(&producer, &site, "a").await;
    let other = CtServer::start(CtTestLog::new("other", "Two")).await.unwrap();
    let list = CtServer::list(&[&other]).to_string();
    let submitter = producer.0.submitter().unwrap().with_ct_logs(list.as_bytes()).unwrap();
    let certificates = submitter.flush(Flush::All).await.unwrap().certificates;
    assert!(certificates.postponed == 1 && !certificates.is_complete());
    assert_eq!(producer.reason(), "rekor.ct.no-static-log");
    assert_eq!((world.log.readings(), other.readings()), (0, 0));
    assert_eq!(producer.prove(Flush::All).await, (1, 0, 0));
}
