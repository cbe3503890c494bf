//! Several submitters of one home: in one process, in several, and one that is killed.

use std::process::{Command, Stdio};
use std::time::Duration;

use genten::Flush;
use genten_testkit::{Gate, NetFault, WriteFault};

use crate::world::World;

#[tokio::test]
async fn of_two_submitters_one_sends_and_the_other_one_says_so() {
    let world = World::new().await;
    let (first, second) = (world.producer(), world.producer());
    for number in 0..20 {
        first.attest_alone(number).await;
    }
    let gate = Gate::new();
    world.log.writes().always(WriteFault::Net(NetFault::Hold(gate.clone())));
    let submitter = first.submitter();
    let sending = tokio::spawn(async move { submitter.flush(Flush::All).await.unwrap() });
    world.log.wait_for_posts(1).await;
    let report = second.flush(Flush::Due).await;
    assert!(report.logs[0].is_busy && !report.is_complete(), "{report:?}");
    gate.open();
    assert_eq!(sending.await.unwrap().logged(), 40);
    assert_eq!(world.log.posts(), 40);
    world.expect_arrived(&first);
    world.expect_quiet(&second).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn manifests_are_batched_once_whoever_does_it() {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..20 {
        producer.attest_batched(number).await;
    }
    let work: Vec<_> = (0..4)
        .map(|_| {
            let submitter = world.producer().submitter();
            tokio::spawn(async move { submitter.flush(Flush::All).await.unwrap() })
        })
        .collect();
    let mut batched = 0;
    for task in work {
        batched += task.await.unwrap().logs.iter().map(|log| log.batched).sum::<u64>();
    }
    assert_eq!((batched, world.log.posts()), (20, 1));
    // Whoever came while another one was sending has found nothing to place.
    producer.flush(Flush::All).await;
    world.expect_arrived(&producer);
}

/// Two that each had read a bundle before the other one wrote it would undo one another's work.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bundles_are_completed_by_one_at_a_time() {
    let world = World::new().await;
    let producer = world.producer();
    let saved = producer.attest_batched(1).await;
    let (before, submitter) = (saved.bundle(), producer.submitter());
    let right = producer.genten.home().unwrap().placer().unwrap();
    let mut flushing = tokio::spawn(async move { submitter.flush(Flush::All).await.unwrap() });
    let early = tokio::time::timeout(Duration::from_millis(500), &mut flushing).await;
    assert!(early.is_err() && saved.bundle() == before);
    drop(right);
    assert_eq!(flushing.await.unwrap().completed, 1);
    world.expect_arrived(&producer);
}

const FOLDER: &str = "GENTEN_TEST_FOLDER";

/// This test program, set to be a process that sends what waits in the home of this world.
fn child(world: &World) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "sharing::child_submitter", "--test-threads=1"]);
    command.env(FOLDER, world.folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Not a test of its own: the process that others start.
#[tokio::test]
async fn child_submitter() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let producer = crate::world::producer_in(folder.as_ref());
    while !producer.flush(Flush::All).await.logs.is_empty() {}
}

#[tokio::test]
async fn several_processes_send_everything_once() {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..30 {
        producer.attest_alone(number).await;
        producer.attest_batched(100 + number).await;
    }
    let children: Vec<_> = (0..3).map(|_| child(&world).spawn().unwrap()).collect();
    let waiting = tokio::task::spawn_blocking(move || {
        children.into_iter().all(|mut child| child.wait().unwrap().success())
    });
    assert!(waiting.await.unwrap());
    assert_eq!(world.log.posts(), 61);
    world.expect_arrived(&producer);
    world.expect_quiet(&producer).await;
}

#[tokio::test]
async fn what_a_killed_process_was_sending_is_sent_again_byte_for_byte() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    let gate = Gate::new();
    world.log.writes().always(WriteFault::Net(NetFault::Hold(gate.clone())));
    let mut child = child(&world).spawn().unwrap();
    world.log.wait_for_posts(2).await;
    child.kill().unwrap();
    child.wait().unwrap();
    gate.open();
    assert_eq!(producer.flush_due().await.logged, 2);
    assert_eq!((world.log.posts(), world.log.distinct_bodies()), (4, 2));
    world.expect_arrived(&producer);
}
