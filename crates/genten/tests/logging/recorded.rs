//! The recorded answers of a real log (rekor-tiles v2.3.0), wherever a client can meet them.

use std::path::{Path, PathBuf};

use genten::Flush;
use genten::primitives::HashAlgorithm;
use genten::primitives::encoding::from_base64;
use genten::store::{LogSubject, Want, Wanted};
use genten::tlog::rekor::{HashedRekord, LoggedKey};
use genten_testkit::{Answer, HttpsSite};
use serde_json::Value;

use crate::producer::Producer;
use crate::world::World;

/// The folder of the recordings; says so aloud when it is absent.
fn live() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/rekor-live");
    match folder.exists() {
        true => Some(folder),
        false => {
            eprintln!("SKIPPED: no {}", folder.display());
            None
        }
    }
}

fn recordings(live: &Path) -> Vec<Value> {
    let text = std::fs::read(live.join("write-api.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn recording(live: &Path, name: &str) -> Value {
    recordings(live).into_iter().find(|one| one["name"] == name).unwrap()
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

/// A world whose log is the recorded one: its tree in a folder, and this answer to whatever is sent.
async fn replaying(live: &Path, recorded: &Value) -> (World, Producer, HttpsSite) {
    let world = World::new().await;
    let replayed = answer(recorded);
    let site = HttpsSite::builder().handler(move |_| replayed.clone()).start().await.unwrap();
    let vkey = std::fs::read_to_string(live.join("log.vkey")).unwrap();
    let (folder, url) = (live.join("log").canonicalize().unwrap(), site.url(""));
    let text = format!(
        "version = 1\n[log]\nvkey = {:?}\nurl = {url:?}\nread_url = {folder:?}\n",
        vkey.trim()
    );
    std::fs::write(world.path("log.toml"), text).unwrap();
    let producer = world.producer();
    (world, producer, site)
}

fn queue(world: &World, producer: &Producer, body: &[u8]) {
    let want = Want::Entry { subject: LogSubject::Manifest, body: body.to_vec() };
    let wanted = [Wanted { log: world.target().name(), want }];
    producer.genten.journal().unwrap().outbox().add(None, &wanted, world.now()).unwrap();
}

#[tokio::test]
async fn entries_that_the_real_log_took_are_taken_now_and_found_again() {
    let Some(live) = live() else { return };
    let mut places = Vec::new();
    for name in ["es256-first", "es256-duplicate", "es256-same-digest-new-signature"] {
        let recorded = recording(&live, name);
        let (world, producer, _site) = replaying(&live, &recorded).await;
        queue(&world, &producer, &body(&recorded));
        let report = producer.flush(Flush::All).await;
        assert_eq!((report.logged(), report.alarms().count()), (1, 0), "{name}: {report:?}");
        let found = producer.genten.journal().unwrap().outbox().find(&body(&recorded)).unwrap();
        places.push(found[0].log_id.clone().unwrap());
    }
    assert_eq!(places, ["rekor-local#0", "rekor-local#0", "rekor-local#1"]);
}

#[tokio::test]
async fn whatever_the_real_log_says_of_other_entries_is_not_believed_of_ours() {
    let Some(live) = live() else { return };
    for (name, code) in [
        ("es256-first", "rekor.submit.wrong-proof"),
        ("es256-duplicate", "rekor.recover.other-entry"),
    ] {
        let recorded = recording(&live, name);
        let (world, producer, _site) = replaying(&live, &recorded).await;
        let saved = producer.attest_batched(1).await;
        let before = saved.bundle();
        let flush = producer.flush_all().await;
        assert_eq!((flush.logged, flush.postponed, flush.alarms.len()), (0, 1, 1), "{name}");
        assert_eq!(flush.alarms[0].code, code);
        let kept = std::fs::read_to_string(flush.alarms[0].evidence.as_ref().unwrap()).unwrap();
        assert_eq!(kept, recorded["body"].as_str().unwrap());
        assert_eq!(saved.bundle(), before);
        world.describe(&world.log.url(), &world.tsa.url());
        assert_eq!(producer.flush_all().await.logged, 1);
        world.expect_arrived(&producer);
    }
}

#[tokio::test]
async fn refusals_of_the_real_log_are_final_until_a_person_has_looked() {
    let Some(live) = live() else { return };
    let refusals: Vec<_> =
        recordings(&live).into_iter().filter(|recorded| recorded["status"] == 400).collect();
    assert!(refusals.len() >= 10);
    for recorded in refusals {
        let (world, producer, site) = replaying(&live, &recorded).await;
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
    let Some(live) = live() else { return };
    for name in ["GET /nope", "GET /api/v2/log/entries", "GET /api/v2/checkpoint"] {
        let (world, producer, _site) = replaying(&live, &recording(&live, name)).await;
        producer.attest_batched(1).await;
        let flush = producer.flush_all().await;
        assert_eq!((flush.rejected, flush.postponed), (0, 1), "{name}");
        assert_eq!(producer.codes(&world.target()), ["rekor.submit.unexpected"]);
        world.describe(&world.log.url(), &world.tsa.url());
        assert_eq!(producer.flush_all().await.logged, 1);
        world.expect_arrived(&producer);
    }
}
