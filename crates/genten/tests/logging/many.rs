//! Many at once.

use crate::producer::content_key;
use crate::world::World;
use genten::Flush;
use genten::primitives::Sha256Digest;
use std::time::Instant;

#[tokio::test]
async fn probe() {
    let world = World::new().await;
    let producer = world.producer();
    let submitter = producer.submitter();
    let t = Instant::now();
    for number in 0_u32..500 {
        let content = Sha256Digest::of(&number.to_be_bytes());
        submitter.queue_content(&world.target(), content, &content_key()).unwrap();
    }
    eprintln!("queue {:?}", t.elapsed());
    let t = Instant::now();
    assert_eq!(producer.flush(Flush::All).await.logged(), 500);
    eprintln!("flush {:?} reads {}", t.elapsed(), world.log.reads().len());
}
