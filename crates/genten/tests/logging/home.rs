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

/// Its tiles are those of the larger tree, and it holds in itself.
#[tokio::test]
async fn an_older_copy_of_the_log_is_not_gone_on_with() {
    let world = World::new().await;
    let producer = logging_at_home(&world).await;
    let path = world.path("home/log/checkpoint");
    let older = std::fs::read(&path).unwrap();
    producer.attest_alone(2).await;
    assert_eq!(producer.flush_all().await.logged, 2);
    let newest = std::fs::read(&path).unwrap();
    std::fs::write(&path, &older).unwrap();
    producer.attest_alone(3).await;
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.error.unwrap().code()), (0, "log.rolled-back"));
    assert_eq!(std::fs::read(&path).unwrap(), older, "nothing is signed");

    std::fs::write(&path, newest).unwrap();
    assert_eq!(producer.flush_all().await.logged, 2);
    world.expect_quiet(&producer).await;
}

/// As a process leaves them that is killed between the log and the journal, and then another one.
#[tokio::test]
async fn what_killed_processes_have_appended_is_not_appended_again() {
    let world = World::new().await;
    let producer = logging_at_home(&world).await;
    producer.attest_alone(2).await;
    let journal = producer.genten.journal().unwrap();
    let log = home_log(&Home::open(world.path("home")).unwrap()).unwrap();
    for one in journal.outbox().claim("local", 9, world.now()).unwrap() {
        let mut writer = log.lock(None).unwrap();
        journal.outbox().note_since(&[one.id], writer.size().get()).unwrap();
        writer.append(&[&one.body]).unwrap();
    }
    assert_eq!(producer.flush_all().await.logged, 2);
    assert_eq!(log.folder().checkpoint().unwrap().size().get(), 4);
    world.expect_quiet(&producer).await;
}

#[tokio::test]
async fn it_is_noted_from_where_an_entry_may_stand_in_the_log_before_it_is_appended() {
    let world = World::new().await;
    let producer = logging_at_home(&world).await;
    let in_the_way = world.path("home/log/tile/0/000.p/4");
    std::fs::create_dir(&in_the_way).unwrap();
    producer.attest_alone(2).await;
    assert!(producer.flush_all().await.error.is_some());
    let stuck = producer.genten.journal().unwrap().outbox().stuck("local", 9).unwrap();
    assert!(stuck.len() == 2 && stuck.iter().all(|one| one.since == Some(2)), "{stuck:?}");
    std::fs::remove_dir(&in_the_way).unwrap();
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
