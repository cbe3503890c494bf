//! Who follows a log and who sends to it: what one of them has seen, the other one knows too, and nothing that was found is
//! kept secret by a log that is not read to its end.

use genten::jws::ContentLogSigner as _;
use genten::rekor::{Begin, FollowOutcome};
use genten::store::{Durability, Home, Journal, SeenUse};
use genten::tlog::rekor::HashedRekord;
use genten::{Flush, Followed, Following, LogError, follow};
use genten_primitives::{PublicKey, Sha256Digest};
use genten_testkit::log::{Handing, TestLog, signing_config, signing_service, trusted_root};
use genten_testkit::{LogServer, ReadFault, SeedKey, WriteFault};
use serde_json::json;

use crate::producer::content_key;
use crate::world::World;

pub(crate) fn home(world: &World) -> (Home, Journal) {
    let home = Home::open(world.path("home")).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    (home, journal)
}

/// Follows the log of the world, and looks for these keys.
pub(crate) async fn look(world: &World, keys: &[PublicKey]) -> Result<Followed, LogError> {
    let (home, journal) = home(world);
    let (log, begin) = (world.target(), Some(Begin::FirstEntry));
    let following = Following { log, keys: keys.to_vec(), begin };
    follow(&home, &journal, &following, world.now(), &mut |_, _| {}).await
}

/// A key that this home does not log with, and its body.
fn stolen(message: &[u8]) -> (PublicKey, Vec<u8>) {
    let key = SeedKey::es256("stolen");
    (key.public().clone(), key.rekord(message).to_body())
}

#[tokio::test]
async fn what_was_found_is_told_though_the_rest_of_the_log_is_withheld() {
    let (key, body) = stolen(b"theirs");
    let mut log = TestLog::empty("log.example");
    log.append(body);
    for number in 0..600 {
        log.append(format!("filler {number}"));
    }
    let world = World::with(log).await;
    world.log.file("tile/entries/001").always(ReadFault::Missing);
    for _ in 0..2 {
        let followed = look(&world, std::slice::from_ref(&key)).await.unwrap();
        assert_eq!(followed.report.as_ref().unwrap_err().code(), "rekor.read.status");
        assert_eq!(followed.unknown.len(), 1);
        assert!(followed.is_alarm() && !followed.is_complete());
    }
    world.log.file("tile/entries/001").clear();
    let followed = look(&world, &[key]).await.unwrap();
    assert_eq!(followed.report.unwrap().tally.entries, 601 - 256);
}

/// Whoever has followed the log before, and sends to it then.
#[tokio::test]
async fn the_tree_that_was_followed_binds_the_log_when_entries_are_sent() {
    let world = World::new().await;
    look(&world, &[]).await.unwrap();
    world.log.replace_log(world.log.with_log(|log| log.with_leaf(0, "another")));
    let producer = world.producer();
    producer.attest_batched(1).await;
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.postponed, flush.alarms.len()), (0, 1, 1));
    assert_eq!(producer.codes(&world.target()), ["rekor.history.fork"]);
}

#[tokio::test]
async fn a_log_that_was_followed_cannot_stop_to_serve_its_tree() {
    let world = World::new().await;
    look(&world, &[]).await.unwrap();
    let writes = LogServer::builder(world.log.with_log(TestLog::clone)).reads_elsewhere();
    let writes = writes.start().await.unwrap();
    writes.writes().always(WriteFault::SplitView);
    let nowhere = format!("{}/api/v2", writes.url());
    world.describe_reading(&writes.url(), &world.tsa.url(), &nowhere);
    let producer = world.producer();
    producer.attest_batched(1).await;
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.postponed), (0, 1));
    assert_eq!(producer.codes(&world.target()), ["rekor.read.not-served"]);
}

#[tokio::test]
async fn the_tree_that_entries_were_sent_into_binds_the_log_when_it_is_followed() {
    let world = World::new().await;
    let before = world.log.with_log(TestLog::clone);
    let producer = world.producer();
    producer.attest_batched(1).await;
    assert_eq!(producer.flush_all().await.logged, 1);
    let after = world.log.with_log(TestLog::clone);

    world.log.replace_log(before);
    let followed = look(&world, &[]).await.unwrap();
    assert!(matches!(followed.outcome(), Some(FollowOutcome::Stale(_))), "{followed:?}");
    world.advance(2 * 60 * 60);
    let followed = look(&world, &[]).await.unwrap();
    assert!(matches!(followed.outcome(), Some(FollowOutcome::Rollback(_))), "{followed:?}");
    assert!(followed.is_alarm());

    world.log.replace_log(after.clone());
    let followed = look(&world, &[]).await.unwrap();
    assert!(matches!(followed.outcome(), Some(FollowOutcome::FirstSight { .. })), "{followed:?}");
    assert_eq!(followed.report.unwrap().tally.entries, after.len() as u64);

    world.log.replace_log(after.with_leaf(0, "another"));
    world.log.append(["one more"]);
    let followed = look(&world, &[]).await.unwrap();
    assert!(matches!(followed.outcome(), Some(FollowOutcome::Fork(_))), "{followed:?}");
}

/// Sender and follower have each believed a tree while the other one looked away.
#[tokio::test]
async fn what_was_believed_on_both_sides_is_held_against_the_log_by_both() {
    for is_larger in [false, true] {
        believed_on_both_sides(is_larger).await;
    }
}

async fn believed_on_both_sides(is_larger: bool) {
    let world = World::new().await;
    let honest = world.log.with_log(TestLog::clone);
    look(&world, &[]).await.unwrap();
    let (home, journal) = home(&world);
    let mut other = honest.with_leaf(0, "another");
    if is_larger {
        other.append("one more");
    }
    let note = other.checkpoint(&Handing::default());
    let (name, size) = (name(&world), other.len() as u64);
    journal.outbox().set_head(&name, note.as_bytes(), size, world.now()).unwrap();
    for served in [&other, &honest] {
        let state = journal.outbox().follow_state(&name).unwrap();
        world.log.replace_log(served.clone());
        world.log.append(["one more", "and one"]);
        let followed = look(&world, &[]).await.unwrap();
        assert!(matches!(followed.outcome(), Some(FollowOutcome::Fork(_))), "{followed:?}");
        assert_eq!(followed.evidence.len(), 1);
        forget(&home, &name, &state.unwrap());
    }
    let producer = world.producer();
    producer.attest_batched(1).await;
    for served in [honest, other] {
        world.log.replace_log(served);
        world.log.append(["one more", "and one"]);
        assert_eq!(producer.flush_all().await.alarms[0].code, "rekor.history.fork");
    }
}

/// Puts the state of whoever follows back to what it was.
fn forget(home: &Home, name: &str, state: &[u8]) {
    let journal = home.journal(Durability::Normal).unwrap();
    let (outbox, now) = (journal.outbox(), crate::world::NOW.parse().unwrap());
    let caught = outbox.follow_state(name).unwrap();
    assert!(outbox.keep_follow_state(name, caught.as_deref(), (state, &[]), now).unwrap());
}

/// The name of the log in the journal.
fn name(world: &World) -> String {
    let key = world.log_key();
    format!("{}+{}", key.name(), genten::primitives::encoding::hex(&key.id()))
}

#[tokio::test]
async fn nothing_is_sent_to_a_log_that_was_caught() {
    let world = World::new().await;
    look(&world, &[]).await.unwrap();
    let honest = world.log.with_log(TestLog::clone);
    world.log.replace_log(honest.with_leaf(0, "another"));
    assert!(look(&world, &[]).await.unwrap().is_alarm());
    world.log.replace_log(honest);
    let producer = world.producer();
    producer.attest_batched(1).await;
    let flush = producer.flush_all().await;
    assert_eq!((flush.error.unwrap().code(), world.log.posts()), ("log.caught", 0));
    assert_eq!(producer.codes(&world.target()), ["log.caught"]);
}

/// Two servers with one key, each described by a file of its own, and neither tree the beginning of the other.
#[tokio::test]
async fn two_descriptions_of_one_log_share_its_past() {
    let world = World::new().await;
    let other = World::with(world.log.with_log(|log| log.with_leaf(0, "another"))).await;
    let producer = world.producer();
    producer.attest_batched(1).await;
    let submitter = producer.submitter();
    submitter.queue_content(&other.target(), Sha256Digest::of(b"bytes"), &content_key()).unwrap();
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.alarms().count()), (1, 1), "{report:?}");
    assert!(report.alarms().all(|alarm| alarm.code == "rekor.history.fork"));
}

/// Two logs that are not one: the same name, and a key for each.
#[tokio::test]
async fn logs_of_one_origin_with_keys_of_their_own_are_known_apart() {
    let world = World::new().await;
    look(&world, &[]).await.unwrap();
    let (key, body) = stolen(b"theirs");
    let mut log = TestLog::with_key("log.example", SeedKey::ed25519("another key"));
    log.append(body);
    let other = World::with(log).await;
    std::fs::copy(other.path("log.toml"), world.path("log.toml")).unwrap();
    let keys = [key];
    let followed = look(&world, &keys).await.unwrap();
    assert!(matches!(followed.outcome(), Some(FollowOutcome::FirstSight { .. })), "{followed:?}");
    assert_eq!(followed.unknown.len(), 1);

    world.describe(&world.log.url(), &world.tsa.url());
    let followed = look(&world, &keys).await.unwrap();
    assert!(matches!(followed.outcome(), Some(FollowOutcome::Unchanged)), "{followed:?}");
    assert_eq!(followed.unknown, [], "it was seen in the other log");
}

/// The file that describes the log by the documents of Sigstore, with these keys of it.
fn describe_by_root(world: &World, keys: &[&TestLog]) {
    let (url, start) = (world.log.url(), "2026-01-01T00:00:00Z");
    let listed = keys.iter().map(|log| {
        let mut listed = log.in_trusted_root(start, None);
        listed["baseUrl"] = url.clone().into();
        listed
    });
    let root = trusted_root(&listed.collect::<Vec<_>>(), &[], &[], &[]);
    let config = signing_config(&[signing_service(&url, 2, "one", start, None)], &[]);
    std::fs::write(world.path("trusted_root.json"), root.to_string()).unwrap();
    std::fs::write(world.path("log.toml"), config.to_string()).unwrap();
}

#[tokio::test]
async fn what_a_log_has_shown_is_not_forgotten_with_one_of_its_keys() {
    let [old, new] =
        ["old", "new"].map(|key| TestLog::with_key("localhost", SeedKey::ed25519(key)));
    let world = World::with(new.clone()).await;
    describe_by_root(&world, &[&old, &new]);
    let producer = world.producer();
    producer.attest_batched(1).await;
    assert_eq!(producer.flush_all().await.logged, 1);
    describe_by_root(&world, &[&new]);
    world.log.replace_log(new.with_leaf(0, "another"));
    producer.attest_batched(2).await;
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.alarms.len()), (0, 1));
    assert_eq!(producer.codes(&world.target()), ["rekor.history.fork"]);
}

#[tokio::test]
async fn what_was_known_by_one_key_binds_a_log_that_is_named_by_another_one_first() {
    for was_followed in [false, true] {
        let [first, second] =
            ["first", "second"].map(|key| TestLog::with_key("localhost", SeedKey::ed25519(key)));
        let world = World::with(second.clone()).await;
        describe_by_root(&world, &[&second]);
        let producer = world.producer();
        if was_followed {
            look(&world, &[]).await.unwrap();
        } else {
            producer.attest_batched(1).await;
            assert_eq!(producer.flush_all().await.logged, 1);
        }
        describe_by_root(&world, &[&first, &second]);
        world.log.replace_log(second.with_leaf(0, "another"));
        producer.attest_batched(2).await;
        assert_eq!(producer.flush_all().await.alarms[0].code, "rekor.history.fork");
    }
}

#[tokio::test]
async fn a_log_that_was_caught_by_one_of_its_keys_is_caught() {
    let logs = ["first", "second"].map(|key| TestLog::with_key("localhost", SeedKey::ed25519(key)));
    let world = World::with(logs[0].clone()).await;
    for log in &logs {
        describe_by_root(&world, &[log]);
        world.log.replace_log(log.clone());
        look(&world, &[]).await.unwrap();
    }
    world.log.replace_log(logs[1].with_leaf(0, "another"));
    assert!(look(&world, &[]).await.unwrap().is_alarm());
    world.log.replace_log(logs[1].clone());
    describe_by_root(&world, &logs.each_ref());
    let producer = world.producer();
    producer.attest_batched(1).await;
    assert_eq!(producer.flush_all().await.error.unwrap().code(), "log.caught");
}

/// The thief logs in forms whose first digest is that of a manifest of the home.
#[tokio::test]
async fn an_entry_is_ours_only_in_the_form_in_which_we_made_it() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    assert_eq!(producer.flush_all().await.logged, 2);
    let keys = [producer.genten.public_key().clone(), content_key().public_key().clone()];
    assert_eq!(look(&world, &keys).await.unwrap().unknown, []);

    let bodies = crate::world::bodies(&producer, &producer.saved()[0].id);
    let mut dressed: serde_json::Value = serde_json::from_slice(&bodies[0]).unwrap();
    let rekord = dressed["spec"]["hashedRekordV002"].clone();
    dressed["spec"]["hashedRekordV002"]["a"] = json!({"digest": rekord["data"]["digest"]});
    let dsse = json!({
        "apiVersion": "0.0.2", "kind": "dsse",
        "spec": {"dsseV002": {"payloadHash": rekord["data"], "signatures": [rekord["signature"]]}},
    });
    let mut forged = HashedRekord::read(&bodies[0]).unwrap();
    forged.signature[10] ^= 1;
    world.log.append([dressed.to_string().into(), dsse.to_string().into(), forged.to_body()]);
    // Anybody can log what anybody can read once more.
    world.log.append([bodies[0].clone()]);
    let followed = look(&world, &keys).await.unwrap();
    let uses: Vec<_> = followed.unknown.iter().map(|one| one.key_use).collect();
    assert_eq!(uses, [SeenUse::Unchecked, SeenUse::Unchecked, SeenUse::Forged]);
    assert!(followed.is_alarm());
}
