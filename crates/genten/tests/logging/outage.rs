//! An hour without the log, at the end of which it has been replaced by another one.

use genten::jws::Algorithm;
use genten::{Flush, LogTarget};
use genten_testkit::log::{TestLog, signing_config, signing_service, trusted_root};
use genten_testkit::{LogServer, NetFault, Refusal, WriteFault};

use crate::producer::{Producer, signer};
use crate::reader::Reader;
use crate::world::{World, expect_arrived};

const MINUTE: i64 = 60;

/// A shard, and from when until when it takes entries.
struct Shard {
    server: LogServer,
    start: &'static str,
    end: Option<&'static str>,
}

impl Shard {
    async fn start(start: &'static str, end: Option<&'static str>) -> Self {
        let server = LogServer::start(TestLog::empty("unnamed")).await.unwrap();
        let url = server.url();
        server.replace_log(TestLog::new(url.strip_prefix("http://").unwrap()));
        Self { server, start, end }
    }

    fn posts(&self) -> usize {
        self.server.posts()
    }
}

/// Writes the two documents of Sigstore: the config names these shards, the root knows them.
fn rotate(world: &World, shards: &[&Shard]) {
    let service = |shard: &&Shard| {
        signing_service(&shard.server.url(), 2, "example.org", shard.start, shard.end)
    };
    let logs: Vec<_> = shards.iter().map(service).collect();
    let tsa = signing_service(&world.tsa.url(), 1, "example.org", "2026-01-01T00:00:00Z", None);
    let known = |shard: &&Shard| {
        let mut log = shard.server.with_log(|log| log.in_trusted_root(shard.start, None));
        log["baseUrl"] = shard.server.url().into();
        log
    };
    let known: Vec<_> = shards.iter().map(known).collect();
    let authority = world.tsa.tsa().in_trusted_root("2026-01-01T00:00:00Z", None);
    let config = signing_config(&logs, &[tsa]).to_string();
    let root = trusted_root(&known, &[], &[], &[authority]).to_string();
    std::fs::write(world.path("trusted_root.json"), root).unwrap();
    std::fs::write(world.path("signing_config.json"), config).unwrap();
}

/// A manifest a minute for an hour: none fails, and none asks the log for anything.
async fn attest_for_an_hour(world: &World, producer: &Producer, old: &Shard) {
    for minute in 0..60 {
        let posts = old.posts();
        match minute % 3 {
            0 => producer.attest_alone(minute).await,
            _ => producer.attest_batched(minute).await,
        };
        assert_eq!(old.posts(), posts, "nobody waits for the log");
        let report = producer.flush(Flush::Due).await;
        assert_eq!(report.logged(), 0);
        world.advance(MINUTE);
    }
}

/// A world whose signing config names the old one of two shards; the new one counts from this time on.
async fn shards(new_from: &'static str) -> (World, [Shard; 2]) {
    let world = World::new().await;
    let old = Shard::start("2026-01-01T00:00:00Z", Some("2026-11-30T10:30:00Z")).await;
    let new = Shard::start(new_from, None).await;
    rotate(&world, &[&old]);
    (world, [old, new])
}

fn target(world: &World) -> LogTarget {
    LogTarget::file(world.path("signing_config.json")).unwrap()
}

fn producer(world: &World) -> Producer {
    let signer = signer(Algorithm::Es256, 1);
    world.producer_of(world.builder().log(target(world)).signer(signer))
}

#[tokio::test]
async fn an_hour_of_outage_and_a_new_shard_lose_nothing() {
    let (world, [old, new]) = shards("2026-11-30T09:00:00Z").await;
    let producer = producer(&world);
    producer.attest_alone(1000).await;
    assert_eq!(producer.flush(Flush::All).await.logged(), 2);
    let first = producer.saved()[0].bundle();

    let refusal = Refusal::status(502);
    old.server.writes().always(WriteFault::Net(NetFault::Refuse(refusal)));
    attest_for_an_hour(&world, &producer, &old).await;
    assert_eq!(producer.codes(&target(&world)), ["rekor.submit.busy"]);
    assert!(old.posts() < 62 * 32, "{}", old.posts());

    old.server.writes().always(WriteFault::Frozen);
    producer.flush(Flush::All).await;
    assert!(producer.codes(&target(&world)).contains(&"rekor.submit.frozen".to_owned()));
    let before = old.posts();
    rotate(&world, &[&old, &new]);
    let mut minutes = 0;
    while producer.counts().queued + producer.counts().waiting > 0 {
        assert!(minutes <= 61, "nothing waits longer than an hour");
        producer.flush(Flush::Due).await;
        world.advance(MINUTE);
        minutes += 1;
    }
    assert_eq!(old.posts(), before, "all goes to the new shard");
    let old_key = old.server.with_log(|log| log.note_key().clone());
    let new_key = new.server.with_log(|log| log.note_key().clone());
    let reader = Reader::of(&producer.genten, &[old_key.clone(), new_key], world.tsa.tsa());
    let now = world.true_clock.now();
    expect_arrived(&reader, &producer, &[&old.server, &new.server], now);
    let ours = old.server.entries().len() - TestLog::new("x").len();
    assert_eq!(ours, 2, "the old shard has what it had");

    // Whoever knows the old shard alone still believes what stands there.
    let reader = Reader::of(&producer.genten, &[old_key], world.tsa.tsa());
    assert_eq!(reader.verdict(&first, &["log", "time", "log.content"], now), "accept");
}

#[tokio::test]
async fn what_a_frozen_shard_refused_goes_to_the_next_one_as_soon_as_it_is_named() {
    let (world, [old, new]) = shards("2026-11-30T08:00:00Z").await;
    let producer = producer(&world);
    old.server.writes().always(WriteFault::Frozen);
    for number in 0..20 {
        producer.attest_alone(number).await;
    }
    assert_eq!(producer.flush_due().await.postponed, 40);
    let posts = old.posts();
    assert!(posts <= 16, "one answer is enough for whatever is not under way: {posts}");
    for _ in 0..29 {
        world.advance(MINUTE);
        producer.flush_due().await;
    }
    assert_eq!(old.posts(), posts, "the same log is not asked again soon");
    rotate(&world, &[&old, &new]);
    assert_eq!(producer.flush_due().await.logged, 40);
    assert_eq!((old.posts(), new.posts()), (posts, 40));
}

/// The entry is in the old shard, its stamp is missing, and the config has changed meanwhile.
#[tokio::test]
async fn what_the_old_shard_has_taken_stays_there() {
    let (world, [old, new]) = shards("2026-11-30T08:00:00Z").await;
    let producer = producer(&world);
    producer.attest_batched(1).await;
    world.tsa.stop_listening().await.unwrap();
    assert_eq!(producer.flush(Flush::All).await.logged(), 0);
    rotate(&world, &[&old, &new]);
    world.tsa.listen_again().await.unwrap();
    assert_eq!(producer.flush(Flush::All).await.logged(), 1);
    assert_eq!((old.posts(), new.posts()), (1, 0));
    let keys = [&old, &new].map(|shard| shard.server.with_log(|log| log.note_key().clone()));
    let reader = Reader::of(&producer.genten, &keys, world.tsa.tsa());
    let now = world.true_clock.now();
    expect_arrived(&reader, &producer, &[&old.server, &new.server], now);
}
