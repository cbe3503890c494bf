//! A submitter that runs beside the work of its program.

use std::sync::Mutex;

use genten_testkit::{Gate, NetFault, WriteFault};
use tokio::sync::oneshot;

use crate::world::World;

/// Stops whoever waits for it, once.
struct Stop(Mutex<Option<oneshot::Sender<()>>>);

impl Stop {
    fn new() -> (Self, oneshot::Receiver<()>) {
        let (stop, stopped) = oneshot::channel();
        (Self(Mutex::new(Some(stop))), stopped)
    }

    fn now(&self) {
        if let Some(stop) = self.0.lock().unwrap().take() {
            stop.send(()).unwrap();
        }
    }
}

#[tokio::test]
async fn it_sends_what_is_due_and_says_so() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    producer.attest_batched(2).await;
    let (stop, stopped) = Stop::new();
    let mut told = Vec::new();
    let tell = |report: &Result<genten::FlushReport, _>| {
        told.push(report.as_ref().unwrap().logged());
        stop.now();
    };
    producer.submitter().run(stopped, tell).await;
    assert_eq!(told, [2], "the batch is not due");
    world.advance(60);
    producer.flush_due().await;
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn what_is_under_way_when_it_is_stopped_is_ended() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    let gate = Gate::new();
    world.log.writes().always(WriteFault::Net(NetFault::Hold(gate.clone())));
    let (stop, stopped) = Stop::new();
    let running = tokio::spawn(producer.submitter().run(stopped, |_| {}));
    world.log.wait_for_posts(2).await;
    stop.now();
    gate.open();
    running.await.unwrap();
    assert_eq!(world.log.posts(), 2);
    world.expect_arrived(&producer);
    world.expect_quiet(&producer).await;
}

/// It may be asked to stop while a log takes its time. The next sender sends the very same bytes.
#[tokio::test]
async fn a_log_that_does_not_answer_does_not_keep_it_from_stopping() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_batched(1).await;
    world.advance(60);
    let gate = Gate::new();
    world.log.writes().always(WriteFault::Net(NetFault::Hold(gate)));
    let (stop, stopped) = Stop::new();
    let running = tokio::spawn(producer.submitter().run(stopped, |_| {}));
    world.log.wait_for_posts(1).await;
    stop.now();
    running.await.unwrap();
    world.log.writes().clear();
    assert_eq!(producer.flush_all().await.logged, 1);
    world.expect_arrived(&producer);
}
