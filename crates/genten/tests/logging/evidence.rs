//! What is kept against a log, and told: once in a round, however many entries meet it, and kept once for good.

use genten::primitives::Sha256Digest;
use genten::rekor::Begin;
use genten::store::Home;
use genten::{Flush, Following};
use genten_testkit::log::TestLog;
use genten_testkit::{Answer, HttpsSite};

use crate::producer::{Producer, content_key};
use crate::world::World;

const ENTRIES: u32 = 40;
const DAY: i64 = 86_400;

/// Queues many entries; their bodies.
fn queue(world: &World, producer: &Producer) -> Vec<Vec<u8>> {
    let (submitter, key) = (producer.submitter(), content_key());
    let content = |number: u32| Sha256Digest::of(&number.to_be_bytes());
    let queue = |number| submitter.queue_content(&world.target(), content(number), &key).unwrap();
    (0..ENTRIES).map(queue).collect()
}

/// A log that has all the entries that wait here, was seen with them, and has become another one since.
async fn changed(change: impl Fn(&TestLog) -> TestLog) -> (World, Producer) {
    let world = World::new().await;
    let producer = world.producer();
    world.log.append([b"the first".to_vec()]);
    world.log.append(queue(&world, &producer));
    world.log.append([b"the last".to_vec()]);
    let following =
        Following { log: world.target(), keys: Vec::new(), begin: Some(Begin::FirstEntry) };
    let home = Home::open(world.path("home")).unwrap();
    let journal = producer.genten.journal().unwrap();
    genten::follow(&home, journal, &following, world.now(), &mut |_, _| {}).await.unwrap();
    world.log.replace_log(world.log.with_log(change));
    (world, producer)
}

/// What a round tells: codes and files, for entries that were all put off.
async fn told(producer: &Producer) -> Vec<(&'static str, String)> {
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.logs[0].postponed), (0, u64::from(ENTRIES)), "{report:?}");
    let file = |path: &std::path::PathBuf| path.to_string_lossy().into_owned();
    report.alarms().map(|alarm| (alarm.code, file(alarm.evidence.as_ref().unwrap()))).collect()
}

fn files(world: &World) -> usize {
    std::fs::read_dir(world.path("home/evidence")).unwrap().count()
}

#[tokio::test]
async fn a_contradiction_that_many_entries_meet_is_one() {
    for is_shorter in [false, true] {
        let (world, producer) = changed(|log| match is_shorter {
            true => log.truncated(log.len() - 1),
            false => log.with_leaf(0, "another"),
        })
        .await;
        let code = if is_shorter { "rekor.history.behind" } else { "rekor.history.fork" };
        let first = told(&producer).await;
        assert_eq!((first.len(), first[0].0, files(&world)), (1, code, 1));
        world.advance(DAY);
        assert_eq!((told(&producer).await, files(&world)), (first.clone(), 1), "another day");

        // One that nobody has seen.
        world.log.replace_log(world.log.with_log(|log| log.with_leaf(1, "yet another")));
        let second = told(&producer).await;
        assert_eq!((second.len(), files(&world)), (1, 2), "{code}");
        assert_ne!(second, first);
    }
}

#[tokio::test]
async fn an_answer_that_many_entries_get_is_kept_and_told_once() {
    let world = World::new().await;
    let site = HttpsSite::builder().handler(|_| Answer::status(201).body("{\"logIndex\": \"1\"}"));
    let site = site.start().await.unwrap();
    world.describe(&site.url(""), &world.tsa.url());
    let producer = world.producer();
    queue(&world, &producer);
    let first = told(&producer).await;
    assert_eq!((first.len(), first[0].0), (1, "rekor.submit.wrong-proof"));
    world.advance(DAY);
    assert_eq!((told(&producer).await, files(&world)), (first, 1));
}

/// The room is full, and what is in it already need not go in.
#[tokio::test]
async fn what_is_kept_is_found_where_nothing_more_is_kept() {
    let (world, producer) = changed(|log| log.with_leaf(0, "another")).await;
    let first = told(&producer).await;
    let full = world.path("home/evidence/2026-11-29-rekor.history.fork-0123456789abcdef.txt");
    std::fs::File::create(full).unwrap().set_len(32 << 20).unwrap();
    assert_eq!(told(&producer).await, first);

    world.log.replace_log(world.log.with_log(|log| log.with_leaf(1, "yet another")));
    let report = producer.flush(Flush::All).await;
    let alarms: Vec<_> = report.alarms().collect();
    assert_eq!((alarms.len(), &alarms[0].evidence), (1, &None));
}
