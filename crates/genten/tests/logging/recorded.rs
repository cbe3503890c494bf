//! The recorded answers of a real log (rekor-tiles v2.3.0), wherever a client can meet them.

use std::path::{Path, PathBuf};

use genten::Flush;
use genten::primitives::HashAlgorithm;
use genten::primitives::encoding::from_base64;
use genten::store::LogSubject;
use genten::tlog::rekor::{HashedRekord, LoggedKey};
use genten_testkit::{Answer, HttpsSite, SeenRequest};
use serde_json::Value;

use crate::producer::Producer;
use crate::world::World;

/// What was asked of the write interface, and the log's key.
const RECORDED: &str = include_str!("../../../testkit/tests/servers/write-api.json");
const KEY: &str = include_str!("../../../testkit/tests/servers/log.vkey");

/// The tree of the real log; says so aloud when it is absent.
fn tree() -> Option<PathBuf> {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    let folder = vectors.join("rekor-live/log").canonicalize();
    if folder.is_err() {
        eprintln!("SKIPPED: no rekor-live/log in {}", vectors.display());
    }
    folder.ok()
}

fn recordings() -> Vec<Value> {
    serde_json::from_str(RECORDED).unwrap()
}

fn recording(name: &str) -> Value {
    recordings().into_iter().find(|one| one["name"] == name).unwrap()
}

fn answer(recorded: &Value) -> Answer {
    let status = recorded["status"].as_u64().unwrap().try_into().unwrap();
    let answer = Answer::status(status).body(recorded["body"].as_str().unwrap().to_owned());
    let headers = recorded["headers"].as_object().into_iter().flatten();
    let headers = headers.filter(|(name, _)| !matches!(&name[..], "content-length" | "connection"));
    headers.fold(answer, |answer, (name, value)| answer.header(name, value.as_str().unwrap()))
}

/// The body of the entry that was asked for.
fn body(recorded: &Value) -> Vec<u8> {
    let request = &recorded["request"]["hashedRekordRequestV002"];
    let verifier = &request["signature"]["verifier"];
    let bytes = |value: &Value| from_base64(value.as_str().unwrap()).unwrap();
    let rekord = HashedRekord {
        hash: HashAlgorithm::Sha256,
        digest: bytes(&request["digest"]),
        signature: bytes(&request["signature"]["content"]),
        details: verifier["keyDetails"].as_str().unwrap().parse().unwrap(),
        key: LoggedKey::PublicKey(bytes(&verifier["publicKey"]["rawBytes"])),
    };
    rekord.to_body()
}

/// A world whose log gives this answer to whatever is sent, and serves no tree.
async fn replaying(recorded: &Value) -> (World, Producer, HttpsSite) {
    reading(recorded, "").await
}

/// The same, with the tree of the real log.
async fn replaying_in(tree: &Path, recorded: &Value) -> (World, Producer, HttpsSite) {
    reading(recorded, &format!("read_url = {tree:?}\n")).await
}

async fn reading(recorded: &Value, read_url: &str) -> (World, Producer, HttpsSite) {
    let world = World::new().await;
    let replayed = answer(recorded);
    let handler = move |request: &SeenRequest| match &request.method[..] {
        "GET" => Answer::status(501),
        _ => replayed.clone(),
    };
    let site = HttpsSite::builder().handler(handler).start().await.unwrap();
    let (vkey, url) = (KEY.trim(), site.url(""));
    let text = format!("version = 1\n[log]\nvkey = {vkey:?}\nurl = {url:?}\n{read_url}");
    std::fs::write(world.path("log.toml"), text).unwrap();
    let producer = world.producer();
    (world, producer, site)
}

fn queue(world: &World, producer: &Producer, body: &[u8]) {
    let (log, outbox) = (world.target().name(), producer.genten.journal().unwrap().outbox());
    outbox.add_entry(&log, LogSubject::Manifest, body, world.now()).unwrap();
}

/// Where the entry of a recording is logged.
async fn place((world, producer, _site): (World, Producer, HttpsSite), body: &[u8]) -> String {
    queue(&world, &producer, body);
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.alarms().count()), (1, 0), "{report:?}");
    let found = producer.genten.journal().unwrap().outbox().find(body).unwrap();
    found[0].log_id.clone().unwrap()
}

#[tokio::test]
async fn entries_that_the_real_log_took_are_taken_now() {
    for (name, expected) in
        [("es256-first", "rekor-local#0"), ("es256-same-digest-new-signature", "rekor-local#1")]
    {
        let recorded = recording(name);
        assert_eq!(place(replaying(&recorded).await, &body(&recorded)).await, expected);
    }
}

#[tokio::test]
async fn entries_of_the_real_log_are_found_again_in_its_tree() {
    let Some(tree) = tree() else { return };
    for name in ["es256-first", "es256-duplicate"] {
        let recorded = recording(name);
        let world = replaying_in(&tree, &recorded).await;
        assert_eq!(place(world, &body(&recorded)).await, "rekor-local#0", "{name}");
    }
}

#[tokio::test]
async fn a_proof_of_the_real_log_for_another_entry_is_not_believed_of_ours() {
    let recorded = recording("es256-first");
    expect_alarm(replaying(&recorded).await, &recorded, "rekor.submit.wrong-proof").await;
}

#[tokio::test]
async fn a_place_in_the_real_log_of_another_entry_is_not_believed_of_ours() {
    let Some(tree) = tree() else { return };
    let recorded = recording("es256-duplicate");
    let world = replaying_in(&tree, &recorded).await;
    expect_alarm(world, &recorded, "rekor.recover.other-entry").await;
}

async fn expect_alarm(
    (world, producer, _site): (World, Producer, HttpsSite),
    recorded: &Value,
    code: &str,
) {
    let saved = producer.attest_batched(1).await;
    let before = saved.bundle();
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.postponed, flush.alarms.len()), (0, 1, 1));
    assert_eq!(flush.alarms[0].code, code);
    let kept = std::fs::read_to_string(flush.alarms[0].evidence.as_ref().unwrap()).unwrap();
    assert_eq!(kept, recorded["body"].as_str().unwrap());
    assert_eq!(saved.bundle(), before);
    world.describe(&world.log.url(), &world.tsa.url());
    assert_eq!(producer.flush_all().await.logged, 1);
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn refusals_of_the_real_log_are_final_until_a_person_has_looked() {
    let refusals: Vec<_> =
        recordings().into_iter().filter(|recorded| recorded["status"] == 400).collect();
    assert!(refusals.len() >= 10);
    for recorded in refusals {
        let (world, producer, site) = replaying(&recorded).await;
        producer.attest_batched(1).await;
        let flush = producer.flush_all().await;
        assert_eq!((flush.rejected, flush.postponed), (1, 0), "{}", recorded["name"]);
        assert_eq!(producer.codes(&world.target()), ["rekor.submit.rejected"]);
        assert!(producer.flush(Flush::All).await.logs.is_empty());
        assert_eq!(site.seen().len(), 1, "it is not sent again by itself");

        world.describe(&world.log.url(), &world.tsa.url());
        producer.submitter().requeue_rejected().unwrap();
        assert_eq!(producer.flush_all().await.logged, 1);
        world.expect_arrived(&producer);
    }
}

/// A server that is no log, or a wrong path to one.
#[tokio::test]
async fn answers_of_something_else_than_a_log_keep_everything_queued() {
    for name in ["GET /nope", "GET /api/v2/log/entries", "GET /api/v2/checkpoint"] {
        let (world, producer, _site) = replaying(&recording(name)).await;
        producer.attest_batched(1).await;
        let flush = producer.flush_all().await;
        assert_eq!((flush.rejected, flush.postponed), (0, 1), "{name}");
        assert_eq!(producer.codes(&world.target()), ["rekor.submit.unexpected"]);
        world.describe(&world.log.url(), &world.tsa.url());
        assert_eq!(producer.flush_all().await.logged, 1);
        world.expect_arrived(&producer);
    }
}
