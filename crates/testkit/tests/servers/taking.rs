//! What the server takes, recognises and counts.

use genten_pki::{Service, SigningConfig};
use genten_testkit::log::{TestLog, signing_config, signing_service};
use genten_testkit::witness::Witness;
use genten_testkit::{Clock, LogServer};
use genten_tlog::{Checkpoint, UnverifiedCheckpoint};
use tokio::task::JoinSet;

use crate::client::{get, request};
use crate::logged::{identity, rekord, send, server, submit, verified};

/// The statuses of these requests, all sent at once.
async fn at_once(server: &LogServer, requests: impl Iterator<Item = Vec<u8>>) -> Vec<u16> {
    let url = format!("{}/api/v2/log/entries", server.url());
    let mut sending = JoinSet::new();
    for body in requests {
        let url = url.clone();
        sending.spawn(async move { request("POST", &url, &body).await.unwrap().status });
    }
    sending.join_all().await
}

#[tokio::test]
async fn of_equal_requests_at_once_one_is_taken() {
    let server = server().await;
    let rekord = rekord("message");
    let mut statuses = at_once(&server, (0..20).map(|_| rekord.to_request())).await;
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (201, &[409; 19][..]));
    assert_eq!((server.posts(), server.distinct_bodies()), (20, 1));
    assert_eq!(server.bodies()[19], rekord.to_request());
    assert_eq!(server.entries(), [(rekord.to_body(), vec![0])].into());
}

#[tokio::test]
async fn ten_thousand_entries_are_taken_each_once() {
    let server = server().await;
    let rekords: Vec<_> = (0..10_000).map(|number| rekord(&number.to_string())).collect();
    for some in rekords.chunks(100) {
        let statuses = at_once(&server, some.iter().map(|rekord| rekord.to_request())).await;
        assert!(statuses.iter().all(|status| *status == 201));
    }
    assert_eq!(server.with_log(TestLog::len), 10_000);
    let entries = server.entries();
    assert!(rekords.iter().all(|rekord| entries[&rekord.to_body()].len() == 1));
    assert_eq!((server.posts(), server.distinct_bodies()), (10_000, 10_000));
}

#[tokio::test]
async fn a_log_that_forgets_takes_an_entry_twice() {
    let log = TestLog::empty("log.example");
    let server = LogServer::builder(log).memory(2).start().await.unwrap();
    let entry = rekord("message");
    assert_eq!(submit(&server, &entry).await.status, 201);
    server.append(["one"]);
    assert_eq!(submit(&server, &entry).await.header("x-log-index"), Some("0"));
    server.append(["two"]);
    assert_eq!(submit(&server, &entry).await.status, 201);
    assert_eq!(server.indices_of(&entry.to_body()), [0, 3]);
    assert_eq!(submit(&server, &entry).await.header("x-log-index"), Some("3"));
}

#[tokio::test]
async fn a_log_is_read_under_another_url_when_told() {
    let log = TestLog::empty("log.example");
    let server = LogServer::builder(log).reads_elsewhere().start().await.unwrap();
    submit(&server, &rekord("message")).await;
    for (path, status) in [("checkpoint", 200), ("tile/0/000.p/1", 200), ("tile/0/000", 404)] {
        let reply = get(&format!("{}/{path}", server.read_url())).await;
        assert_eq!(reply.status, status, "{path}");
        assert_eq!(get(&format!("{}/api/v2/{path}", server.url())).await.status, 501, "{path}");
    }
    assert!(server.reads().contains(&"/tile/0/000.p/1".to_owned()));
    assert!(server.reads().contains(&"/api/v2/checkpoint".to_owned()));
}

#[tokio::test]
async fn the_server_says_that_it_is_healthy() {
    let server = server().await;
    let reply = get(&format!("{}/healthz", server.url())).await;
    assert_eq!((reply.status, reply.text()), (200, "{\"status\":\"SERVING\"}"));
}

async fn cosigned(server: &LogServer, witnesses: &[Witness]) -> Checkpoint {
    let reply = get(&format!("{}/checkpoint", server.read_url())).await;
    let keys: Vec<_> = witnesses.iter().map(|witness| witness.note_key().clone()).collect();
    let unverified = UnverifiedCheckpoint::parse(&reply.body).unwrap();
    unverified.verify(&server.with_log(identity), &keys).unwrap()
}

#[tokio::test]
async fn witnesses_cosign_what_is_published_at_the_time_of_their_clock() {
    let witnesses = [Witness::new("w1.example"), Witness::new("w2.example")];
    let clock = Clock::at("2026-11-30T08:00:00Z".parse().unwrap());
    let server = LogServer::builder(TestLog::empty("log.example"))
        .cosigned_by(witnesses.to_vec(), clock.clone())
        .start()
        .await
        .unwrap();
    clock.advance_millis(60_000);
    let entry = rekord("message");
    let reply = submit(&server, &entry).await;
    assert_eq!(reply.status, 201);
    let note = cosigned(&server, &witnesses).await;
    let logged = verified(&server, &reply, &entry).unwrap();
    assert_eq!(logged.checkpoint().note(), note.note());
    let times = |note: &Checkpoint| -> Vec<_> {
        note.cosignatures().iter().map(|one| one.time().unwrap().to_string()).collect()
    };
    assert_eq!(times(&note), ["2026-11-30T08:01:00Z", "2026-11-30T08:01:00Z"]);
    clock.advance_millis(60_000);
    server.publish();
    let refreshed = cosigned(&server, &witnesses).await;
    assert_eq!((refreshed.size(), refreshed.root()), (note.size(), note.root()));
    assert_eq!(times(&refreshed)[0], "2026-11-30T08:02:00Z");
}

#[tokio::test]
async fn a_closed_port_refuses_and_opens_again() {
    let server = server().await;
    let entry = rekord("message");
    for _ in 0..3 {
        server.stop_listening().await.unwrap();
        let refused = send(&server, &entry.to_request()).await.unwrap_err();
        assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
        server.listen_again().await.unwrap();
    }
    assert_eq!(submit(&server, &entry).await.status, 201);
    assert_eq!(server.posts(), 1);
}

#[tokio::test]
async fn a_log_that_was_restored_from_a_backup_goes_on_from_there() {
    let server = server().await;
    server.append(vec!["early"; 4]);
    submit(&server, &rekord("lost")).await;
    server.replace_log(server.with_log(|log| log.truncated(3)));
    let entry = rekord("message");
    let logged = verified(&server, &submit(&server, &entry).await, &entry).unwrap();
    assert_eq!((logged.index().get(), logged.checkpoint().size().get()), (3, 4));
    assert!(server.indices_of(&rekord("lost").to_body()).is_empty());
}

#[tokio::test]
async fn signers_find_the_servers_in_a_signing_config() {
    let server = server().await;
    let service = |url: &str, version, start, end| signing_service(url, version, "us", start, end);
    let old =
        service("http://old.example", 2, "2025-01-01T00:00:00Z", Some("2027-01-01T00:00:00Z"));
    let new = service(&server.url(), 2, "2026-01-01T00:00:00Z", None);
    let tsa = service("http://tsa.example", 1, "2026-01-01T00:00:00Z", None);
    let config = signing_config(&[old, new], &[tsa]).to_string();
    let config = SigningConfig::from_bytes(config.as_bytes()).unwrap();
    let now = "2026-11-30T08:00:00Z".parse().unwrap();
    let selected = |services: Vec<&Service>| services[0].url.clone();
    assert_eq!(selected(config.select_logs(&[2], now).unwrap()), server.url());
    let stamping = config.select_timestamp_authorities(&[1], now).unwrap();
    assert_eq!(selected(stamping), "http://tsa.example");
}
