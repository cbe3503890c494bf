//! A log that does not want anything now, and says when, or says that it never will.

use genten::Flush;
use genten::jws::Algorithm;
use genten::primitives::Timestamp;
use genten_testkit::log::TestLog;
use genten_testkit::{NetFault, ReadFault, Refusal, RetryAfter, SeedKey, WriteFault};

use crate::producer::{Producer, signer};
use crate::world::World;

fn refusal(status: u16, retry_after: Option<RetryAfter>) -> WriteFault {
    let refusal = Refusal::status(status);
    let refusal = retry_after.into_iter().fold(refusal, Refusal::retry_after);
    WriteFault::Net(NetFault::Refuse(refusal))
}

#[tokio::test]
async fn a_busy_log_gets_everything_later() {
    for status in [429, 500, 502, 503] {
        let world = World::new().await;
        let producer = world.producer();
        producer.attest_alone(1).await;
        world.log.writes().next([refusal(status, None), refusal(status, None)]);
        let flush = producer.flush_due().await;
        assert_eq!((flush.logged, flush.postponed, flush.asked_until), (0, 2, None), "{status}");
        assert_eq!(producer.codes(&world.target()), ["rekor.submit.busy"]);
        assert_eq!(world.log.posts(), 2);

        // Nobody waits longer than a second for the first time.
        world.advance(1);
        assert_eq!(producer.flush_due().await.logged, 2);
        world.expect_arrived(&producer);
        world.expect_quiet(&producer).await;
    }
}

/// A round can take so long that what it has put off becomes due in it.
#[tokio::test]
async fn what_is_put_off_and_sent_again_in_one_round_does_not_wait() {
    let world = World::new().await;
    let clock = world.clock.clone();
    let passing = move || {
        clock.advance_millis(1000);
        clock.now()
    };
    let builder = world.builder().clock(passing);
    let producer = world.producer_of(builder.signer(signer(Algorithm::Es256, 1)));
    producer.attest_alone(1).await;
    world.log.writes().next([refusal(503, None), refusal(503, None)]);
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.postponed, world.log.posts()), (2, 0, 4));
}

/// A time ahead of the clock of this machine, by which servers say dates.
fn date(seconds: i64) -> RetryAfter {
    let now = Timestamp::from_system_time(std::time::SystemTime::now()).unwrap();
    RetryAfter::At(now.checked_add_millis(seconds * 1000).unwrap())
}

#[tokio::test]
async fn a_log_that_says_when_hears_nothing_before_not_even_of_others() {
    for (status, when) in [
        (429, RetryAfter::Seconds(300)),
        (500, date(300)),
        (502, RetryAfter::Seconds(300)),
        (503, date(300)),
    ] {
        let world = World::new().await;
        let producer = world.producer();
        producer.attest_alone(1).await;
        world.log.writes().next([refusal(status, Some(when)), refusal(status, Some(when))]);
        let flush = producer.flush_due().await;
        let asked = flush.asked_until.unwrap();
        // By the clock of this machine, where it is a date.
        assert!((100_000..=300_000).contains(&asked.millis_since(world.now())), "{asked}");
        let posts = world.log.posts();

        producer.attest_alone(2).await;
        world.advance(asked.millis_since(world.now()) / 1000 - 1);
        assert_eq!(producer.flush_due().await.postponed, 2, "the new ones wait too");
        // Another process does not know of it but by the home.
        let another = world.producer();
        for (producer, how) in
            [(&producer, Flush::Due), (&producer, Flush::All), (&another, Flush::All)]
        {
            let report = producer.flush(how).await;
            assert_eq!(report.logs[0].asked_until, Some(asked), "{report:?}");
            assert!(!report.is_complete());
        }
        assert_eq!(world.log.posts(), posts, "{status}: not even the new entries");

        world.advance(2);
        assert_eq!(producer.flush_all().await.logged, 4);
        world.expect_arrived(&producer);
        world.expect_quiet(&producer).await;
    }
}

/// A producer with two entries for a log that has asked for time, and answers again.
async fn asked_for_time(world: &World) -> Producer {
    let producer = world.producer();
    producer.attest_alone(1).await;
    world.log.writes().always(refusal(503, Some(RetryAfter::Seconds(300))));
    assert!(producer.flush_due().await.asked_until.is_some());
    world.log.writes().clear();
    producer
}

/// It is the service that has asked, not the file: one that names another is not waited for.
#[tokio::test]
async fn another_service_under_the_same_name_is_asked_at_once() {
    let world = World::new().await;
    let producer = asked_for_time(&world).await;
    let posts = world.log.posts();
    assert!(producer.flush_due().await.asked_until.is_some());
    assert_eq!(world.log.posts(), posts);

    let local = world.log.url().replace("localhost", "127.0.0.1");
    world.describe(&local, &world.tsa.url());
    assert_eq!(producer.flush_due().await.logged, 2);
    world.expect_arrived(&producer);
}

/// Behind one address a log was begun anew, with another key.
#[tokio::test]
async fn another_log_at_the_same_address_is_asked_at_once() {
    let world = World::new().await;
    let producer = asked_for_time(&world).await;
    world.log.replace_log(TestLog::with_key("log.example", SeedKey::ed25519("another key")));
    world.describe(&world.log.url(), &world.tsa.url());
    assert_eq!(producer.flush_due().await.logged, 2);
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn no_log_is_left_alone_for_longer_than_an_hour() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    world.log.writes().always(refusal(503, Some(RetryAfter::Seconds(86_400))));
    let asked = producer.flush_due().await.asked_until.unwrap();
    assert_eq!(asked.millis_since(world.now()), 3_600_000);

    world.log.writes().clear();
    world.advance(3600);
    assert_eq!(producer.flush_due().await.logged, 2);
    world.expect_arrived(&producer);
}

/// Entries are taken; what is busy is the host where the log is read, before an answer is believed or after a 409.
#[tokio::test]
async fn a_busy_host_that_is_read_is_not_asked_for_each_entry() {
    let busy = Refusal::status(503).retry_after(RetryAfter::Seconds(300));
    for write in [WriteFault::Honest, WriteFault::Net(NetFault::CutBeforeAnswer)] {
        let world = World::new().await;
        let producer = world.producer();
        producer.attest_alone(1).await;
        world.log.writes().next([write.clone(), write]);
        world.log.checkpoints().always(ReadFault::Net(NetFault::Refuse(busy.clone())));
        let first = producer.flush_due().await.asked_until;
        world.advance(10);
        let asked = first.or(producer.flush_due().await.asked_until).unwrap();
        assert!((290_000..=300_000).contains(&asked.millis_since(world.now())), "{asked}");
        let before = (world.log.posts(), world.log.reads().len());

        producer.attest_alone(2).await;
        world.advance(200);
        assert_eq!(producer.flush_due().await.logged, 0);
        assert_eq!((world.log.posts(), world.log.reads().len()), before);

        world.log.checkpoints().clear();
        world.advance(300);
        producer.flush_all().await;
        world.expect_arrived(&producer);
    }
}

/// A clock that was far ahead when the log was last asked.
#[tokio::test]
async fn a_wait_that_the_clock_has_made_up_is_none() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    let busy = || refusal(503, Some(RetryAfter::Seconds(60)));
    world.log.writes().next([busy(), busy()]);
    producer.flush_due().await;
    world.clock.advance_millis(-7_200_000);
    assert_eq!(producer.flush_due().await.logged, 2);
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn a_log_that_is_away_is_not_asked_for_each_of_many_entries() {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..100 {
        producer.attest_alone(number).await;
    }
    world.log.writes().always(refusal(502, None));
    let flush = producer.flush_due().await;
    assert_eq!((flush.logged, flush.postponed), (0, 200));
    assert!(world.log.posts() < 32, "{}", world.log.posts());
    world.log.writes().clear();
    assert_eq!(producer.flush_all().await.logged, 200);
    world.expect_arrived(&producer);
}

/// What only says that one entry is bad must not keep the others from the log.
#[tokio::test]
async fn errors_about_single_entries_do_not_keep_the_others_back() {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..40 {
        producer.attest_alone(number).await;
    }
    world.log.writes().next((0..20).map(|_| refusal(500, None)));
    let flush = producer.flush_due().await;
    assert_eq!((flush.logged, flush.postponed), (60, 20));
    assert_eq!(producer.flush_all().await.logged, 20);
    world.expect_arrived(&producer);
}

/// A log that is there now and then is there.
#[tokio::test]
async fn each_entry_that_is_taken_makes_up_for_the_errors_before_it() {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..100 {
        producer.attest_alone(number).await;
    }
    let answers = (0..200).map(|number| match number % 4 {
        0 => WriteFault::Honest,
        _ => refusal(500, None),
    });
    world.log.writes().next(answers);
    let flush = producer.flush_due().await;
    assert_eq!((flush.logged, flush.postponed, world.log.posts()), (50, 150, 200));
}

/// Each error may take a minute to come.
#[tokio::test]
async fn a_log_that_answers_nothing_but_errors_is_left_alone() {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..100 {
        producer.attest_alone(number).await;
    }
    world.log.writes().always(refusal(500, None));
    let flush = producer.flush_due().await;
    assert_eq!((flush.logged, flush.postponed), (0, 200));
    assert!(world.log.posts() < 100, "{}", world.log.posts());
    world.log.writes().clear();
    assert_eq!(producer.flush_all().await.logged, 200);
    world.expect_arrived(&producer);
}

/// Whoever wants everything sent does not mean what was refused.
#[tokio::test]
async fn what_was_refused_does_not_go_with_what_comes_after_it() {
    let world = World::new().await;
    let producer = world.producer();
    world.log.writes().next([refusal(400, None)]);
    producer.attest_batched(1).await;
    assert_eq!(producer.flush_all().await.rejected, 1);
    producer.attest_batched(2).await;
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, producer.counts().rejected, world.log.posts()), (1, 1, 2));
    producer.submitter().requeue_rejected().unwrap();
    assert_eq!(producer.flush_all().await.logged, 1);
    world.expect_arrived(&producer);
}
