//! Many at once.

use genten::jws::Algorithm;
use genten::primitives::Sha256Digest;
use genten::store::{Entry, Want, Wanted};
use genten::{Flush, LogRules};

use crate::producer::{Producer, content_key, signer};
use crate::world::World;

/// Queues so many manifests in the journal that never were: their ids are all that a batch needs.
fn queue_more(world: &World, producer: &Producer, like: &Entry, count: u32) {
    let signer = producer.genten.public_key().thumbprint().to_string();
    let want = Want::Batch { signer, signed_at: world.now() };
    let wanted = [Wanted { log: world.target().name(), want }];
    let journal = producer.genten.journal().unwrap();
    for number in 0..count {
        let manifest_id = Sha256Digest::of(&number.to_be_bytes());
        let entry = Entry { manifest_id, bundle_path: None, ..like.clone() };
        journal.record_wanting(&entry, &[], &wanted, None).unwrap();
    }
}

#[tokio::test]
async fn ten_thousand_manifests_that_wait_at_the_start_are_one_entry() {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..5 {
        producer.attest_batched(number).await;
    }
    let first = producer.saved()[0].id;
    let entry = producer.genten.journal().unwrap().get(&first).unwrap().unwrap();
    queue_more(&world, &producer, &entry, 9_990);
    for number in 5..10 {
        producer.attest_batched(number).await;
    }
    // A process that has just started: so many are due at once.
    let started = world.producer();
    let flush = started.flush_due().await;
    assert_eq!((flush.batched, flush.logged), (10_000, 1));
    assert_eq!(world.log.posts(), 1);
    world.expect_arrived(&producer);
    assert!(producer.saved()[9].bundle().len() < 10_000, "the proof is short");
    world.expect_quiet(&producer).await;
}

#[tokio::test]
async fn no_batch_is_larger_than_the_rules_say() {
    let world = World::new().await;
    let rules = LogRules { batch_size: 4, ..LogRules::default() };
    let builder = world.builder().log_rules(rules);
    let producer = world.producer_of(builder.signer(signer(Algorithm::Es256, 1)));
    for number in 0..10 {
        producer.attest_batched(number).await;
    }
    let flush = producer.flush_all().await;
    assert_eq!((flush.batched, flush.logged), (10, 3));
    world.expect_arrived(&producer);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_single_entries_arrive() {
    let world = World::new().await;
    let producer = world.producer();
    let (submitter, key) = (producer.submitter(), content_key());
    let mut bodies = Vec::new();
    for number in 0_u32..2000 {
        let content = Sha256Digest::of(&number.to_be_bytes());
        bodies.push(submitter.queue_content(&world.target(), content, &key).unwrap());
    }
    assert_eq!(producer.flush(Flush::All).await.logged(), 2000);
    assert_eq!((world.log.posts(), producer.counts().logged), (2000, 2000));
    for body in bodies {
        assert_eq!(world.log.indices_of(&body).len(), 1);
    }
    let reads = world.log.reads().len();
    assert!(reads < 2000, "{reads}: many answers are held against one tree");
    world.expect_quiet(&producer).await;
}
