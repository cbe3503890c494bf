//! The client against a log that behaves as the real one does, and against the same log when it misbehaves.

use genten_rekor::{
    LogEndpoint, Next, Place, RecoverError, RekorClient, SubmitError, Submitted, WrongEntry,
};
use genten_testkit::log::TestLog;
use genten_testkit::witness::{Witness, policy};
use genten_testkit::{LogServer, NetFault, ReadFault, Refusal, RetryAfter, SeedKey, WriteFault};
use genten_tlog::WitnessPolicy;
use genten_tlog::rekor::{HashedRekord, LogEntry};

use crate::support::http;

/// A client of a log, and an entry for it.
struct World {
    server: LogServer,
    client: RekorClient,
    rekord: HashedRekord,
}

impl World {
    async fn new() -> Self {
        let builder = LogServer::builder(TestLog::new("log.example")).reads_elsewhere();
        let server = builder.start().await.unwrap();
        let key = server.with_log(|log| log.note_key().clone());
        let endpoint = LogEndpoint::new(key).unwrap().write_to(server.url().parse().unwrap());
        let endpoint = endpoint.read_from(server.read_url().parse().unwrap());
        let rekord = SeedKey::es256("signer").rekord(b"a manifest");
        Self { server, client: RekorClient::new(http(), endpoint), rekord }
    }

    async fn submit(&self) -> Result<Submitted, SubmitError> {
        self.client.submit(&self.rekord).await
    }

    async fn meeting(&self, fault: WriteFault) -> Result<Submitted, SubmitError> {
        self.server.writes().next([fault]);
        self.submit().await
    }

    /// However often it was sent, the log holds it once, and where we say.
    fn assert_logged_once(&self, submitted: &Submitted) {
        let places = self.server.indices_of(&self.rekord.to_body());
        assert_eq!(places, [submitted.logged.index().get() as usize]);
        let entry = LogEntry::read(&submitted.entry).unwrap();
        assert_eq!(entry.body(), Some(&self.rekord.to_body()[..]));
    }
}

#[tokio::test]
async fn every_kind_of_key_that_signs_manifests_is_logged() {
    let world = World::new().await;
    for key in [SeedKey::es256("a"), SeedKey::ed25519("b")] {
        let rekord = key.rekord(b"a manifest");
        let submitted = world.client.submit(&rekord).await.unwrap();
        let places = world.server.indices_of(&rekord.to_body());
        assert_eq!(places, [submitted.logged.index().get() as usize]);
    }
}

#[tokio::test]
async fn the_same_bytes_again_are_logged_once_however_the_log_says_so() {
    let world = World::new().await;
    let first = world.submit().await.unwrap();
    for fault in
        [WriteFault::Honest, WriteFault::ConflictWithoutHeader, WriteFault::ConflictWithoutIndex]
    {
        let again = world.meeting(fault).await.unwrap();
        assert_eq!(again.logged.index(), first.logged.index());
        world.assert_logged_once(&again);
    }
}

#[tokio::test]
async fn an_answer_that_got_lost_is_found_by_the_same_bytes() {
    let lost = [
        NetFault::CutBeforeAnswer,
        NetFault::CutInAnswer,
        NetFault::Malformed,
        NetFault::RefuseAfterwards(Refusal::status(504)),
        NetFault::Oversize(11 << 20),
    ];
    for fault in lost {
        let world = World::new().await;
        let error = world.meeting(WriteFault::Net(fault)).await.unwrap_err();
        let next = error.next();
        assert!(matches!(next, Next::SameBytesAgain | Next::Later { .. }), "{error:?}");
        world.assert_logged_once(&world.submit().await.unwrap());
    }
}

#[tokio::test]
async fn an_answer_that_got_lost_is_found_without_sending_again() {
    let world = World::new().await;
    let before = world.server.with_log(TestLog::len) as u64;
    let cut = WriteFault::Net(NetFault::CutBeforeAnswer);
    assert!(world.meeting(cut).await.is_err());
    let found = world.client.recover(&world.rekord, Place::NotBefore(before)).await.unwrap();
    world.assert_logged_once(&found);
    assert_eq!(world.server.posts(), 1);
}

#[tokio::test]
async fn refusals_do_nothing_and_are_tried_again() {
    let refusals = [
        NetFault::Reset,
        NetFault::Refuse(Refusal::status(429).retry_after(RetryAfter::Seconds(3))),
        NetFault::Refuse(Refusal::status(502)),
        NetFault::Refuse(Refusal::status(503)),
    ];
    for fault in refusals {
        let world = World::new().await;
        let error = world.meeting(WriteFault::Net(fault)).await.unwrap_err();
        assert!(matches!(error.next(), Next::SameBytesAgain | Next::Later { .. }), "{error:?}");
        assert_eq!(world.server.indices_of(&world.rekord.to_body()), [0; 0]);
        world.assert_logged_once(&world.submit().await.unwrap());
    }
}

#[tokio::test]
async fn a_log_that_is_down_or_frozen_is_told_apart() {
    let world = World::new().await;
    world.server.stop_listening().await.unwrap();
    let error = world.submit().await.unwrap_err();
    assert!(matches!(error, SubmitError::Unreached(_)), "{error:?}");
    world.server.listen_again().await.unwrap();
    let error = world.meeting(WriteFault::Frozen).await.unwrap_err();
    assert_eq!(error.next(), Next::OtherShard);
    assert!(world.submit().await.is_ok());
}

#[tokio::test]
async fn lies_of_the_log_are_evidence() {
    for (fault, expected) in [
        (WriteFault::OtherEntry, "other body"),
        (WriteFault::TamperedProof, "proof"),
        (WriteFault::ForeignKey, "signature"),
    ] {
        let world = World::new().await;
        let error = world.meeting(fault).await.unwrap_err();
        assert_eq!(error.next(), Next::Person);
        let SubmitError::Wrong { source, answer } = error else { panic!("{error:?}") };
        assert!(LogEntry::read(&answer).is_ok(), "the answer as it came");
        let is_other = matches!(source, WrongEntry::OtherBody);
        assert_eq!(is_other, expected == "other body", "{source:?}");
    }
}

#[tokio::test]
async fn an_index_of_somebody_elses_entry_is_told() {
    let world = World::new().await;
    let error = world.meeting(WriteFault::ConflictElsewhere).await.unwrap_err();
    let SubmitError::Recover { source: RecoverError::OtherEntry { .. }, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!(error.next(), Next::Person);
}

#[tokio::test]
async fn a_proof_that_cannot_be_read_now_is_read_later() {
    let world = World::new().await;
    world.submit().await.unwrap();
    world.server.checkpoints().always(ReadFault::Earlier);
    let error = world.submit().await.unwrap_err();
    assert!(
        matches!(error, SubmitError::Recover { source: RecoverError::NotYet { .. }, .. }),
        "{error:?}"
    );
    assert_eq!(error.next(), Next::NextCheckpoint);
    world.server.checkpoints().clear();
    for fault in [
        ReadFault::Missing,
        ReadFault::FlippedBit,
        ReadFault::Net(NetFault::Refuse(Refusal::status(503))),
    ] {
        world.server.tiles().always(fault);
        let error = world.submit().await.unwrap_err();
        assert_eq!(error.next(), Next::Later { after: None }, "{error:?}");
        world.server.tiles().clear();
    }
    world.assert_logged_once(&world.submit().await.unwrap());
}

#[tokio::test]
async fn many_entries_are_submitted_at_the_same_time() {
    let world = World::new().await;
    let rekords: Vec<_> =
        (0..20).map(|number| SeedKey::es256("signer").rekord(&[number])).collect();
    let tasks = rekords.iter().cloned().map(|rekord| {
        let client = world.client.clone();
        tokio::spawn(async move { client.submit(&rekord).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert!(task.await.unwrap().is_ok());
    }
    assert!(rekords.iter().all(|one| world.server.indices_of(&one.to_body()).len() == 1));
}

/// At first, and when it is sent again: the log has the entry, and what is missing may come with its next checkpoint.
#[tokio::test]
async fn an_entry_that_only_lacks_witnesses_is_asked_for_at_the_next_checkpoint() {
    let mut world = World::new().await;
    let text = policy(&[], &[&Witness::new("w1.example")], 1);
    let endpoint = world.client.endpoint().clone();
    let endpoint = endpoint.with_witnesses(WitnessPolicy::parse(&text).unwrap());
    world.client = RekorClient::new(http(), endpoint);
    for code in ["rekor.submit.no-quorum", "rekor.recover.no-quorum"] {
        let error = world.submit().await.unwrap_err();
        let next = Next::NextCheckpoint;
        assert_eq!((error.code(), error.next(), error.retry_after()), (code, next, None));
    }
}
