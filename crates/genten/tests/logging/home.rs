//! The home's own log, whose past stands in the journal.

use genten::jws::Algorithm;
use genten::store::Home;
use genten::{LogTarget, home_log};

use crate::producer::{Producer, signer};
use crate::world::World;

async fn logging_at_home(world: &World) -> Producer {
    let signer = signer(Algorithm::Es256, 1);
    let producer = world.producer_of(world.builder().log(LogTarget::Home).signer(signer));
    producer.attest_alone(1).await;
    assert_eq!(producer.flush_all().await.logged, 2);
    producer
}

/// Whoever has seen two entries would have caught the key at contradicting itself.
#[tokio::test]
async fn a_log_whose_folder_is_gone_is_not_begun_anew() {
    let world = World::new().await;
    let producer = logging_at_home(&world).await;
    let (log, elsewhere) = (world.path("home/log"), world.path("elsewhere"));
    std::fs::rename(&log, &elsewhere).unwrap();
    producer.attest_alone(2).await;
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.error.unwrap().code()), (0, "log.rolled-back"));
    let asked = home_log(&Home::open(world.path("home")).unwrap());
    assert_eq!(asked.err().unwrap().code(), "log.rolled-back");
    assert!(!log.exists(), "nothing is signed, and nothing is in the way of the copy");

    std::fs::rename(&elsewhere, &log).unwrap();
    assert_eq!(producer.flush_all().await.logged, 2);
    world.expect_quiet(&producer).await;
}

/// A pipe in the place of a file would be waited for without end.
#[cfg(unix)]
#[tokio::test]
async fn a_pipe_in_the_folder_of_the_log_is_not_read() {
    let world = World::new().await;
    let producer = logging_at_home(&world).await;
    let checkpoint = world.path("home/log/checkpoint");
    std::fs::remove_file(&checkpoint).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&checkpoint).status().unwrap();
    assert!(made.success());
    producer.attest_alone(2).await;
    let flush = producer.flush_all().await;
    let error = flush.error.unwrap();
    assert_eq!((flush.logged, error.code()), (0, "store.not-a-file"));
}
