//! Entries about bytes.

use genten::manifest::SourceClass;
use genten::primitives::Sha256Digest;
use genten::tlog::rekor::HashedRekord;
use genten::{Facts, Flush};

use crate::producer::content_key;
use crate::world::{World, bodies};

#[tokio::test]
async fn one_content_of_several_manifests_is_one_entry() {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..5 {
        let (url, now) = (format!("https://mirror.example/{number}"), world.now().to_string());
        let mut facts = Facts::of_body(&url, &now, b"the same bytes").unwrap();
        facts.terms.class = Some(SourceClass::Static);
        producer.attest(&facts).await;
    }
    assert_eq!(producer.flush_all().await.logged, 6);
    world.expect_arrived(&producer);
    let own = world.log.entries().len();
    // Once more, later.
    world.advance(3600);
    let mut facts =
        Facts::of_body("https://a.example/", &world.now().to_string(), b"the same bytes");
    facts.as_mut().unwrap().terms.class = Some(SourceClass::Static);
    producer.attest(&facts.unwrap()).await;
    assert_eq!(producer.flush_all().await.logged, 1);
    assert_eq!(world.log.entries().len(), own + 1);
    world.expect_arrived(&producer);
    world.expect_quiet(&producer).await;
}

#[tokio::test]
async fn bytes_are_logged_under_the_key_that_signs_nothing_else() {
    let world = World::new().await;
    let producer = world.producer();
    let saved = producer.attest_alone(1).await;
    producer.flush_all().await;
    let rekords = bodies(&producer, &saved.id).into_iter();
    let rekords: Vec<_> = rekords.map(|body| HashedRekord::read(&body).unwrap()).collect();
    let digest = Sha256Digest::of(b"law 1");
    let content: Vec<_> = rekords.iter().filter(|one| one.digest == digest.as_bytes()).collect();
    assert_eq!(content.len(), 1);
    assert_ne!(&content[0].key.public_key().unwrap(), producer.genten.public_key());
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn bytes_alone_are_logged_once_however_often_they_are_queued() {
    let world = World::new().await;
    let producer = world.producer();
    let submitter = producer.submitter();
    let content = Sha256Digest::of(b"a file");
    for _ in 0..3 {
        submitter.queue_content(&world.target(), content, &content_key()).unwrap();
        producer.flush(Flush::All).await;
    }
    let found = producer.genten.journal().unwrap().outbox().find_content(&content).unwrap();
    assert_eq!((found.len(), world.log.posts(), world.tsa.posts()), (1, 1, 0));
    assert_eq!(world.log.indices_of(&found[0].body).len(), 1);
}
