//! A log that cannot be reached, or whose answers do not arrive.

use genten::Flush;
use genten::primitives::Sha256Digest;
use genten_testkit::log::TestLog;
use genten_testkit::{Gate, NetFault, Refusal, WriteFault};

use crate::producer::content_key;
use crate::world::World;

#[tokio::test]
async fn what_cannot_be_sent_stays_and_arrives_later() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    world.log.stop_listening().await.unwrap();
    let flush = producer.flush_due().await;
    assert_eq!((flush.logged, flush.postponed), (0, 2));
    assert_eq!(producer.codes(&world.target()), ["rekor.submit.unreached"]);

    world.log.listen_again().await.unwrap();
    assert_eq!(producer.flush_all().await.logged, 2);
    world.expect_arrived(&producer);
    world.expect_quiet(&producer).await;
}

#[tokio::test]
async fn an_unknown_outcome_is_cleared_up_without_a_second_entry() {
    for fault in [
        NetFault::Reset,
        NetFault::CutBeforeAnswer,
        NetFault::CutInAnswer,
        NetFault::Malformed,
        NetFault::Oversize(11 << 20),
    ] {
        let world = World::new().await;
        let producer = world.producer();
        producer.attest_alone(1).await;
        world.log.writes().next([WriteFault::Net(fault.clone()), WriteFault::Net(fault.clone())]);
        let flush = producer.flush_due().await;
        assert_eq!((flush.logged, flush.postponed), (0, 2), "{fault:?}");
        assert_eq!(producer.flush_all().await.logged, 2, "{fault:?}");
        world.expect_arrived(&producer);
        world.expect_quiet(&producer).await;
    }
}

#[tokio::test]
async fn a_host_that_has_no_address_any_more_is_a_log_that_cannot_be_reached() {
    let world = World::new().await;
    world.describe("http://no-such-host.invalid", &world.tsa.url());
    let producer = world.producer();
    producer.attest_alone(1).await;
    let flush = producer.flush_due().await;
    assert_eq!((flush.logged, flush.postponed), (0, 2));
    assert_eq!(producer.codes(&world.target()), ["rekor.submit.unreached"]);
    world.describe(&world.log.url(), &world.tsa.url());
    assert_eq!(producer.flush_all().await.logged, 2);
    world.expect_arrived(&producer);
}

/// Taken, but whoever stands before the log has lost patience.
#[tokio::test]
async fn a_refusal_by_a_proxy_says_nothing_about_the_entry() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    let refusal = || WriteFault::Net(NetFault::RefuseAfterwards(Refusal::status(502)));
    world.log.writes().next([refusal(), refusal()]);
    assert_eq!(producer.flush_due().await.postponed, 2);
    assert_eq!(producer.flush_all().await.logged, 2);
    assert_eq!((world.log.posts(), world.log.distinct_bodies()), (4, 2));
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn a_log_that_hangs_keeps_no_other_log_waiting() {
    let (slow, fast) = (World::new().await, World::with(TestLog::new("fast.example")).await);
    let producer = slow.producer();
    producer.attest_batched(1).await;
    let submitter = producer.submitter();
    let content = Sha256Digest::of(b"bytes");
    submitter.queue_content(&fast.target(), content, &content_key()).unwrap();
    let gate = Gate::new();
    slow.log.writes().always(WriteFault::Net(NetFault::Hold(gate.clone())));
    let sending = tokio::spawn(async move { submitter.flush(Flush::All).await.unwrap() });
    slow.log.wait_for_posts(1).await;
    fast.log.wait_for_posts(1).await;
    gate.open();
    assert_eq!(sending.await.unwrap().logged(), 2);
    slow.expect_arrived(&producer);
}

#[tokio::test]
async fn one_log_alone_is_served_where_that_is_wanted() {
    let (other, wanted) = (World::new().await, World::new().await);
    let producer = other.producer();
    producer.attest_batched(1).await;
    let submitter = producer.submitter();
    let content = Sha256Digest::of(b"bytes");
    submitter.queue_content(&wanted.target(), content, &content_key()).unwrap();
    let report = submitter.flush_one(&wanted.target(), Flush::All).await.unwrap();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!((report.logged(), other.log.posts()), (1, 0));
    let again = submitter.flush_one(&wanted.target(), Flush::All).await.unwrap();
    assert!(again.logs.is_empty(), "{again:?}");
    submitter.flush(Flush::All).await.unwrap();
    assert_eq!(other.log.posts(), 1, "all are served otherwise");
}

/// A file that was damaged, or that names certificates that are gone, is told and loses nothing.
#[tokio::test]
async fn a_file_that_describes_no_log_is_an_error_and_everything_stays() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    let path = world.path("log.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    for (broken, code) in [
        (text.replace("version = 1", "version = 2"), "log.file.malformed"),
        (text.replace("version = 1", "version = 1\nparallel = 0"), "log.file.malformed"),
        (text.replace("version = 1", "version = 1\nparallel = 257"), "log.file.malformed"),
        (text.replace("url = ", "uri = "), "log.file.malformed"),
        (text.replace("tsa.pem", "gone.pem"), "log.file"),
        (text.replace("http://localhost", "ftp://localhost"), "rekor.url.scheme"),
    ] {
        std::fs::write(&path, broken).unwrap();
        let flush = producer.flush_all().await;
        let error = flush.error.unwrap();
        assert_eq!((error.code(), flush.logged), (code, 0), "{error}");
        assert!(!error.hint().is_empty());
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(producer.flush_all().await.error.unwrap().code(), "log.file");
    std::fs::write(&path, text).unwrap();
    assert_eq!(producer.flush_all().await.logged, 2);
    world.expect_arrived(&producer);
}
