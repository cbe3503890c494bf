//! The proofs on their way into the bundles.

use genten::manifest::UnverifiedBundle;
use genten::{Flush, complete_bundle};

use crate::world::World;

#[tokio::test]
async fn a_bundle_is_completed_once() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.published_site().await);
    world.fetch(&producer, &site, "a").await;
    assert_eq!(producer.flush(Flush::All).await.completed, 1);
    let complete = world.bundle("a");
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.completed, report.absent), (0, 0));
    assert_eq!(world.bundle("a"), complete);
    assert_eq!(String::from_utf8(complete).unwrap().matches("tlog_proof").count(), 1);
}

#[tokio::test]
async fn a_bundle_that_was_moved_is_left_alone_and_can_be_completed_where_it_is() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.published_site().await);
    let attested = world.fetch(&producer, &site, "a").await;
    std::fs::rename(world.path("a"), world.path("moved")).unwrap();
    std::fs::write(world.path("a"), "something else").unwrap();
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.certificates.proven, report.completed, report.absent), (1, 0, 1));
    assert_eq!(world.bundle("a"), b"something else");

    let moved = UnverifiedBundle::read(&world.bundle("moved")).unwrap();
    let journal = producer.0.journal().unwrap();
    let proof = journal.certificates().proof(&attested.manifest_id).unwrap();
    let complete = complete_bundle(&moved, &[], proof.as_ref()).unwrap();
    std::fs::write(world.path("moved"), complete.to_json()).unwrap();
    assert_eq!(world.verdict("moved"), "accept");
}

#[tokio::test]
async fn a_bundle_that_is_gone_and_lacks_two_things_is_counted_once() {
    let world = World::new().await;
    let (producer, site) = (world.logging_producer(), world.published_site().await);
    world.fetch(&producer, &site, "a").await;
    std::fs::remove_file(world.path("a")).unwrap();
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.certificates.proven, report.absent), (1, 1, 1));
}

#[tokio::test]
async fn what_others_added_to_a_bundle_stays() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.published_site().await);
    world.fetch(&producer, &site, "a").await;
    let read = UnverifiedBundle::read(&world.bundle("a")).unwrap();
    let grown = read.to_bundle().with_x509_chain(&[b"certificate".to_vec()]);
    std::fs::write(world.path("a"), grown.to_json()).unwrap();
    assert_eq!(producer.flush(Flush::All).await.completed, 1);
    let complete = UnverifiedBundle::read(&world.bundle("a")).unwrap();
    let kinds: Vec<_> = complete.evidence().iter().map(|item| item.type_name()).collect();
    assert_eq!(kinds, ["tls-chain", "x509-chain"]);
    assert!(complete.evidence()[0].raw().contains("tlog_proof"));
}
