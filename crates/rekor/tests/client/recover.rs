//! Entries that the log has already: their proofs are made from its tiles.

use genten_primitives::json;
use genten_rekor::{
    LogEndpoint, MAX_SEARCH, Next, Place, RecoverError, RekorClient, SubmitError, TreeLocation,
};
use genten_testkit::{Answer, HttpsSite, LogServer, SeedKey};
use genten_tlog::rekor::{HashedRekord, LogEntry};
use genten_tlog::{LeafIndex, WitnessPolicy};

use crate::support::{
    Recorded, answering, client, endpoint, files, live, live_key, live_log, live_text, numbered,
    recording,
};

fn duplicate() -> (Recorded, HashedRekord) {
    let recorded = recording("es256-duplicate");
    let rekord = recorded.rekord().unwrap();
    (recorded, rekord)
}

/// The same, where the tree of the real log is at hand.
fn duplicate_in_its_log() -> Option<(Recorded, HashedRekord)> {
    live("log").map(|_| duplicate())
}

/// A client of the real log that is answered in this way, and reads the log where it was recorded.
async fn answered(answer: Answer, read_from: Option<TreeLocation>) -> (RekorClient, HttpsSite) {
    let site = answering(answer).await;
    let endpoint = endpoint(&site, live_key());
    let endpoint = read_from.into_iter().fold(endpoint, |one, location| one.read_from(location));
    (client(endpoint), site)
}

fn at(index: u64) -> Place {
    Place::At(LeafIndex::new(index).unwrap())
}

#[tokio::test]
async fn a_duplicate_is_found_by_header_by_message_and_without_either() {
    let Some((recorded, rekord)) = duplicate_in_its_log() else { return };
    let by_message = recorded.answer_without(&["x-log-index"]);
    let by_search =
        by_message.clone().body(r#"{"code":6, "message":"already there", "details":[]}"#);
    for answer in [recorded.answer(), by_message, by_search] {
        let (client, site) = answered(answer, live_log()).await;
        let submitted = client.submit(&rekord).await.unwrap();
        assert_eq!(submitted.logged.index().get(), 0);
        assert_eq!(submitted.logged.checkpoint().size().get(), 710);
        assert_eq!(site.seen().len(), 1, "the entry is sent once");
    }
}

#[tokio::test]
async fn the_entry_that_is_put_together_is_like_the_one_that_the_log_sends() {
    let Some((recorded, rekord)) = duplicate_in_its_log() else { return };
    let (client, _site) = answered(recorded.answer(), live_log()).await;
    let made = client.submit(&rekord).await.unwrap().entry;
    let sent = recording("es256-first").body;
    let names = |text: &[u8]| {
        let document = json::read(text, json::Limits::bytes(1 << 20)).unwrap();
        let members = document.root().members().unwrap();
        members.map(|(name, _)| name.to_string()).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(names(&made), names(sent.as_bytes()));
    let (made, sent) = (LogEntry::read(&made).unwrap(), LogEntry::read(sent.as_bytes()).unwrap());
    assert_eq!((made.body(), made.log_id()), (sent.body(), sent.log_id()));
    assert_eq!((made.index(), made.kind()), (sent.index(), sent.kind()));
}

#[tokio::test]
async fn the_log_can_be_read_from_a_url_of_its_own() {
    let Some((recorded, rekord)) = duplicate_in_its_log() else { return };
    let server = files(live("log").unwrap()).await;
    let location = TreeLocation::Url(server.url("").parse().unwrap());
    let (client, _site) = answered(recorded.answer(), Some(location)).await;
    assert!(client.submit(&rekord).await.is_ok());
    let targets: Vec<_> = server.seen().into_iter().map(|request| request.target).collect();
    assert!(targets.contains(&"/checkpoint".to_owned()), "{targets:?}");
    assert!(targets.contains(&"/tile/0/000".to_owned()), "{targets:?}");
}

#[tokio::test]
async fn without_a_place_to_read_the_error_says_to_give_one() {
    let (recorded, rekord) = duplicate();
    let (client, _site) = answered(recorded.answer(), None).await;
    let error = client.submit(&rekord).await.unwrap_err();
    assert!(
        matches!(error, SubmitError::Recover { source: RecoverError::NoReadUrl, .. }),
        "{error:?}"
    );
    assert_eq!((error.next(), error.code()), (Next::Person, "rekor.recover.no-read-url"));
}

#[tokio::test]
async fn the_write_server_of_ones_own_log_does_not_serve_its_tiles() {
    let (recorded, rekord) = duplicate();
    let unread = answering(recording("GET /api/v2/checkpoint").answer()).await;
    let location = TreeLocation::Url(unread.url("/api/v2").parse().unwrap());
    let (client, _site) = answered(recorded.answer(), Some(location)).await;
    let error = client.submit(&rekord).await.unwrap_err();
    assert_eq!((error.next(), error.code()), (Next::Person, "rekor.read.not-served"));
}

#[tokio::test]
async fn another_entry_at_the_index_is_told() {
    let Some((recorded, rekord)) = duplicate_in_its_log() else { return };
    let (client, _site) = answered(recorded.answer(), live_log()).await;
    let error = client.recover(&rekord, at(1)).await.unwrap_err();
    assert!(matches!(&error, RecoverError::OtherEntry { index, .. } if index.get() == 1));
    assert_eq!(error.next(), Next::Person);
}

#[tokio::test]
async fn an_index_behind_the_checkpoint_is_waited_for() {
    let Some((recorded, rekord)) = duplicate_in_its_log() else { return };
    for index in [710, u64::MAX >> 1] {
        let answer =
            recorded.answer_without(&["x-log-index"]).header("x-log-index", index.to_string());
        let (client, _site) = answered(answer, live_log()).await;
        let error = client.submit(&rekord).await.unwrap_err();
        let SubmitError::Recover { source: RecoverError::NotYet { .. }, .. } = error else {
            panic!("{error:?}")
        };
        assert_eq!(error.next(), Next::NextCheckpoint);
    }
}

#[tokio::test]
async fn a_search_ends_at_its_lower_end() {
    let Some((recorded, rekord)) = duplicate_in_its_log() else { return };
    let (client, _site) = answered(recorded.answer(), live_log()).await;
    assert!(client.recover(&rekord, Place::NotBefore(0)).await.is_ok());
    // Bundles are looked at as a whole, and entry 0 is in the first.
    assert!(client.recover(&rekord, Place::NotBefore(255)).await.is_ok());
    for (first, searched) in [(256, 454), (710, 0), (800, 0)] {
        let error = client.recover(&rekord, Place::NotBefore(first)).await.unwrap_err();
        assert!(matches!(error, RecoverError::NotFound { searched: found } if found == searched));
    }
    let unknown = SeedKey::es256("signer").rekord(b"never sent");
    let error = client.recover(&unknown, Place::NotBefore(0)).await.unwrap_err();
    assert!(matches!(error, RecoverError::NotFound { searched: 710 }), "{error:?}");
}

#[tokio::test]
async fn witnesses_are_asked_for_there_too() {
    let Some((recorded, rekord)) = duplicate_in_its_log() else { return };
    let policy = WitnessPolicy::parse(&live_text("witness-policy.txt").unwrap()).unwrap();
    let site = answering(recorded.answer()).await;
    let endpoint = endpoint(&site, live_key()).read_from(live_log().unwrap());
    let witnessed = client(endpoint.clone().with_witnesses(policy));
    let submitted = witnessed.submit(&rekord).await.unwrap();
    assert_eq!(submitted.logged.checkpoint().cosignatures().len(), 2);

    let stranger = genten_testkit::witness::Witness::new("w3.example");
    let text = genten_testkit::witness::policy(&[], &[&stranger], 1);
    let short = client(endpoint.with_witnesses(WitnessPolicy::parse(&text).unwrap()));
    let error = short.submit(&rekord).await.unwrap_err();
    assert!(
        matches!(error, SubmitError::Recover { source: RecoverError::NoQuorum(_), .. }),
        "{error:?}"
    );
    assert_eq!(error.next(), Next::NextCheckpoint);
    let error = short.recover(&rekord, at(710)).await.unwrap_err();
    assert!(matches!(error, RecoverError::NoQuorum(_)), "before the tree is looked at: {error:?}");
}

#[tokio::test]
async fn of_a_large_log_the_newest_entries_are_searched() {
    let rekord = SeedKey::es256("signer").rekord(b"long ago");
    let entries = usize::try_from(MAX_SEARCH).unwrap() + 300;
    let log = numbered(entries).with_leaf(5, rekord.to_body());
    let server = LogServer::start(log).await.unwrap();
    let endpoint = LogEndpoint::new(server.with_log(|log| log.note_key().clone())).unwrap();
    let location = TreeLocation::Url(server.read_url().parse().unwrap());
    let client = client(endpoint.read_from(location));
    let error = client.recover(&rekord, Place::NotBefore(0)).await.unwrap_err();
    assert!(matches!(error, RecoverError::NotFound { searched: MAX_SEARCH }), "{error:?}");
}
