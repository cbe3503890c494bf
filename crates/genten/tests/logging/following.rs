//! Who follows a log and who sends to it: what one of them has seen, the other one knows too, and nothing that was found is
//! kept secret by a log that is not read to its end.

use genten::rekor::Begin;
use genten::store::{Durability, Home, Journal, LogSubject, Want, Wanted};
use genten::{Followed, Following, LogError, follow};
use genten_primitives::PublicKey;
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::{LogServer, ReadFault, SeedKey};

use crate::world::World;

pub(crate) fn home(world: &World) -> (Home, Journal) {
    let home = Home::open(world.path("home")).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    (home, journal)
}

/// Follows the log of the world, and looks for these keys.
async fn look(world: &World, keys: &[PublicKey]) -> Result<Followed, LogError> {
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
        let followed = look(&world, &[key.clone()]).await.unwrap();
        assert_eq!(followed.report.as_ref().unwrap_err().code(), "rekor.read.status");
        assert_eq!(followed.unknown.len(), 1);
        assert!(followed.is_alarm() && !followed.is_complete());
    }
    world.log.file("tile/entries/001").clear();
    let followed = look(&world, &[key]).await.unwrap();
    assert_eq!(followed.report.unwrap().tally.entries, 601 - 256);
}

/// A log that takes entries and is not read yet, in which the producer has logged so many manifests; and what it was before.
async fn written_only(world: &World, manifests: usize) -> LogServer {
    let server = LogServer::builder(TestLog::new("log.example")).reads_elsewhere();
    let server = server.start().await.unwrap();
    let nowhere = format!("{}/api/v2", server.url());
    world.describe_reading(&server.url(), &world.tsa.url(), &nowhere);
    let producer = world.producer();
    for number in 0..manifests {
        producer.attest_batched(number).await;
        assert_eq!(producer.flush_all().await.logged, 1);
    }
    world.describe_reading(&server.url(), &world.tsa.url(), &server.read_url());
    server
}

#[tokio::test]
async fn an_entry_is_lost_though_the_log_is_not_read_to_its_end() {
    let world = World::new().await;
    let server = written_only(&world, 1).await;
    server.replace_log(TestLog::new("log.example"));
    server.append((0..600).map(|number| format!("filler {number}")));
    server.file("tile/entries/001").always(ReadFault::Missing);
    let followed = look(&world, &[]).await.unwrap();
    assert!(followed.report.is_err());
    assert_eq!(followed.lost.len(), 1, "{followed:?}");
    assert!(followed.is_alarm());
}

/// Puts so many entries into the outbox that this log's answer is about.
fn logged_before(world: &World, entries: usize, answer: &serde_json::Value) {
    let (_, journal) = home(world);
    let (outbox, name, answer) = (journal.outbox(), world.target().name(), answer.to_string());
    let wanted = |number: usize| Wanted {
        log: name.clone(),
        want: Want::Entry { subject: LogSubject::Content, body: number.to_string().into_bytes() },
    };
    outbox.add(None, &(0..entries).map(wanted).collect::<Vec<_>>(), world.now()).unwrap();
    let claimed = outbox.claim(&name, 1000, world.now()).unwrap();
    let done = claimed.iter().map(|one| (one.id, answer.as_bytes(), "somewhere#0"));
    outbox.logged(done, world.now()).unwrap();
}

/// As many of them as are looked for at a time.
#[tokio::test]
async fn entries_of_an_earlier_shard_hide_none_that_is_lost() {
    let world = World::new().await;
    let shard = TestLog::new("earlier.example").entry(0, &Handing::default());
    logged_before(&world, 1000, &shard);
    let server = written_only(&world, 1).await;
    server.replace_log(TestLog::new("log.example"));
    server.append(["another", "and one more"]);
    let followed = look(&world, &[]).await.unwrap();
    assert_eq!((followed.lost.len(), followed.unsearched), (1, 0));
}

#[tokio::test]
async fn an_entry_whose_checkpoint_names_the_log_and_does_not_hold_is_counted() {
    let world = World::new().await;
    let foreign = SeedKey::ed25519("foreign");
    let handing = Handing { signer: Some(&foreign), ..Handing::default() };
    logged_before(&world, 2, &world.log.with_log(|log| log.entry(0, &handing)));
    let followed = look(&world, &[]).await.unwrap();
    assert_eq!((followed.lost.len(), followed.unsearched), (0, 2));
    assert!(!followed.is_complete());
}
