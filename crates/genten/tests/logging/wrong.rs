//! Answers that do not hold: none of them gets into a bundle, all are kept, and the entries arrive when the log behaves.

use std::path::Path;

use genten::rekor::Begin;
use genten::store::Home;
use genten::{Alarm, Flush, Followed, Following};
use genten_testkit::log::TestLog;
use genten_testkit::{Answer, HttpsSite, LogServer, NetFault, ReadFault, SeedKey, WriteFault};

use crate::producer::Producer;
use crate::world::World;

/// Sends one manifest to a log that errs; then to the same log when it behaves. What was kept of it.
async fn refused_then_accepted(world: &World, err: impl FnOnce(), code: &str) -> String {
    let producer = world.producer();
    producer.attest_batched(1).await;
    // What is known of the log from before.
    producer.flush_all().await;
    let bundle = producer.attest_batched(2).await;
    let before = bundle.bundle();
    err();
    let alarms = flush_with_alarm(world, &producer).await;
    assert_eq!(alarms[0].code, code, "{}", alarms[0].reason);
    assert_eq!(producer.codes(&world.target()), [code]);
    assert_eq!(bundle.bundle(), before, "{code}: nothing of it is in the bundle");
    let kept = evidence(&alarms[0]);

    world.log.writes().clear();
    world.log.checkpoints().clear();
    world.log.tiles().clear();
    assert_eq!(producer.flush_all().await.logged, 1, "{code}");
    world.expect_arrived(&producer);
    world.expect_quiet(&producer).await;
    kept
}

async fn flush_with_alarm(world: &World, producer: &Producer) -> Vec<Alarm> {
    let report = producer.flush(Flush::All).await;
    assert!(!report.is_complete());
    assert_eq!((report.logged(), report.completed, report.logs[0].postponed), (0, 0, 1));
    let alarms: Vec<_> = report.alarms().cloned().collect();
    assert_eq!(alarms.len(), 1, "{report:?}");
    assert!(alarms[0].evidence.as_ref().unwrap().starts_with(world.path("home/evidence")));
    alarms
}

fn evidence(alarm: &Alarm) -> String {
    std::fs::read_to_string(alarm.evidence.as_ref().unwrap()).unwrap()
}

/// How many checkpoints the log has signed in it.
fn checkpoints(world: &World, kept: &str) -> usize {
    kept.matches(&format!("— {} ", world.log_key().name())).count()
}

#[tokio::test]
async fn an_answer_that_is_no_proof_is_refused_and_kept() {
    for fault in [
        WriteFault::OtherEntry,
        WriteFault::TamperedProof,
        WriteFault::ForeignKey,
        WriteFault::Net(NetFault::Malformed),
    ] {
        let world = World::new().await;
        let writes = world.log.writes();
        let err = || writes.always(fault);
        let kept = refused_then_accepted(&world, err, "rekor.submit.wrong-proof").await;
        assert!(kept.contains("logIndex"), "{kept}");
    }
}

#[tokio::test]
async fn a_proof_in_a_tree_that_the_log_has_left_is_refused_and_kept() {
    for fault in [WriteFault::Rollback, WriteFault::SplitView] {
        let world = World::new().await;
        let writes = world.log.writes();
        let err = || writes.always(fault);
        let kept = refused_then_accepted(&world, err, "rekor.history.fork").await;
        assert_eq!(checkpoints(&world, &kept), 2, "{kept}");
    }
}

#[tokio::test]
async fn the_two_trees_of_a_log_are_kept_side_by_side() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_batched(1).await;
    producer.flush_all().await;
    producer.attest_batched(2).await;
    world.log.writes().always(WriteFault::SplitView);
    let alarms = flush_with_alarm(&world, &producer).await;
    let kept = evidence(&alarms[0]);
    assert_eq!(checkpoints(&world, &kept), 2, "{kept}");
    assert!(alarms[0].reason.contains("contradict"), "{}", alarms[0].reason);
}

/// The log proves to each of two readers another tree. What was known, what it publishes and what it answered are kept.
#[tokio::test]
async fn a_proof_that_contradicts_what_the_log_publishes_is_refused() {
    let world = World::new().await;
    let (notes, tiles) = (world.log.checkpoints(), world.log.tiles());
    let err = || {
        notes.always(ReadFault::SplitView);
        tiles.always(ReadFault::SplitView);
    };
    let kept = refused_then_accepted(&world, err, "rekor.history.fork").await;
    assert_eq!(checkpoints(&world, &kept), 3, "{kept}");
}

/// A log that was restored from a backup has forgotten entries, and takes new ones in their place.
#[tokio::test]
async fn a_log_that_was_set_back_is_not_believed_until_it_is_whole_again() {
    let world = World::new().await;
    let producer = world.producer();
    for number in 0..3 {
        producer.attest_batched(number).await;
        producer.flush_all().await;
    }
    let whole = world.log.with_log(TestLog::clone);
    world.log.replace_log(whole.truncated(2));
    producer.attest_batched(3).await;
    let alarms = flush_with_alarm(&world, &producer).await;
    assert_eq!(alarms[0].code, "rekor.history.behind");
    world.log.replace_log(whole);
    assert_eq!(producer.flush_all().await.logged, 1);
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn the_place_of_somebody_elses_entry_is_refused_and_kept() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_batched(1).await;
    world.log.writes().next([WriteFault::ConflictElsewhere]);
    let alarms = flush_with_alarm(&world, &producer).await;
    assert_eq!(alarms[0].code, "rekor.recover.other-entry");
    assert!(evidence(&alarms[0]).contains("already exists"));
    assert_eq!(producer.flush_all().await.logged, 1);
    world.expect_arrived(&producer);
}

/// Byte for byte, whatever came.
#[tokio::test]
async fn an_answer_is_kept_as_it_came() {
    for answer in [&b"{\"logIndex\": \"1\"  }\n"[..], b"\xff\x00 not text", b""] {
        let world = World::new().await;
        let site = HttpsSite::builder().handler(move |_| Answer::status(201).body(answer));
        let site = site.start().await.unwrap();
        world.describe(&site.url(""), &world.tsa.url());
        let producer = world.producer();
        producer.attest_batched(1).await;
        let alarms = flush_with_alarm(&world, &producer).await;
        assert_eq!(std::fs::read(alarms[0].evidence.as_ref().unwrap()).unwrap(), answer);
        flush_with_alarm(&world, &producer).await;
        assert_eq!(files(&world.path("home/evidence")), 1, "the same answer once");
    }
}

#[tokio::test]
async fn wrong_answers_do_not_fill_the_disk() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_batched(1).await;
    let folder = world.path("home/evidence");
    std::fs::create_dir(&folder).unwrap();
    let earlier = |code: &str| {
        let file = folder.join(format!("2026-11-29-{code}-0123456789abcdef.txt"));
        std::fs::File::create(file).unwrap().set_len(32 << 20).unwrap();
    };
    earlier("rekor.submit.wrong-proof");
    world.log.writes().next([WriteFault::ForeignKey]);
    let report = producer.flush(Flush::All).await;
    let alarms: Vec<_> = report.alarms().collect();
    assert_eq!((alarms[0].code, &alarms[0].evidence), ("rekor.submit.wrong-proof", &None));
    assert_eq!(files(&folder), 1);
    assert_eq!(producer.flush_all().await.logged, 1);
    world.expect_arrived(&producer);
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

/// `genten log follow` has seen two trees; the log looks good again, and takes entries.
#[tokio::test]
async fn a_log_that_was_caught_gets_nothing_any_more_and_another_of_its_name_does() {
    let mut world = World::new().await;
    let producer = world.producer();
    producer.attest_batched(1).await;
    assert_eq!(producer.flush_all().await.logged, 1);
    assert!(!follow(&world, &producer).await.is_alarm());
    world.log.checkpoints().always(ReadFault::SplitView);
    assert!(follow(&world, &producer).await.is_alarm());
    world.log.checkpoints().clear();

    let posts = world.log.posts();
    producer.attest_batched(2).await;
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.error.unwrap().code()), (0, "log.caught"));
    assert_eq!(world.log.posts(), posts);

    let other = TestLog::with_key("log.example", SeedKey::ed25519("another"));
    world.log = LogServer::start(other).await.unwrap();
    world.describe(&world.log.url(), &world.tsa.url());
    assert_eq!(producer.flush_all().await.logged, 1);
}

async fn follow(world: &World, producer: &Producer) -> Followed {
    let home = Home::open(world.path("home")).unwrap();
    let following =
        Following { log: world.target(), keys: Vec::new(), begin: Some(Begin::FirstEntry) };
    let journal = producer.genten.journal().unwrap();
    genten::follow(&home, journal, &following, world.now(), &mut |_, _| {}).await.unwrap()
}

/// A memory that is damaged must not pass for a log that was never seen.
#[tokio::test]
async fn nothing_is_sent_while_the_memory_of_the_log_is_damaged() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_batched(1).await;
    producer.flush_all().await;
    let outbox = producer.genten.journal().unwrap().outbox();
    let key = world.log_key();
    let name = format!("{}+{}", key.name(), genten::primitives::encoding::hex(&key.id()));
    let head = outbox.head(&name).unwrap().expect("the log was seen");
    outbox.set_head(&name, b"damaged", head.size, world.now()).unwrap();
    producer.attest_batched(2).await;
    let posts = world.log.posts();
    let error = producer.flush_all().await.error.expect("it is told");
    assert_eq!((error.code(), world.log.posts()), ("log.head-damaged", posts));

    outbox.set_head(&name, &head.note, head.size, world.now()).unwrap();
    assert_eq!(producer.flush_all().await.logged, 1);
    world.expect_arrived(&producer);
}
