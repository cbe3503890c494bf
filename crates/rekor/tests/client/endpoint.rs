//! Logs as signing configs and trusted roots describe them.

use genten_pki::{SigningConfig, TrustedRoot};
use genten_primitives::Timestamp;
use genten_rekor::{EndpointError, LogEndpoint, RekorClient, TreeLocation};
use genten_testkit::log::{Handing, TestLog, trusted_root};
use genten_testkit::{Answer, LogServer, SeedKey};
use genten_tlog::note::signature_line;
use serde_json::{Value, json};

use crate::support::{answering, http, live_text};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn now() -> Timestamp {
    at("2026-11-30T08:00:00Z")
}

fn service(url: &str, start: &str, operator: &str) -> Value {
    json!({"url": url, "majorApiVersion": 2, "validFor": {"start": start}, "operator": operator})
}

fn config(services: &[Value], rule: &Value) -> SigningConfig {
    let text = json!({
        "mediaType": "application/vnd.dev.sigstore.signingconfig.v0.2+json",
        "rekorTlogUrls": services, "rekorTlogConfig": rule,
    });
    SigningConfig::from_bytes(text.to_string().as_bytes()).unwrap()
}

fn any(url: &str) -> SigningConfig {
    config(&[service(url, "2026-01-01T00:00:00Z", "one")], &json!({"selector": "ANY"}))
}

fn root(logs: &[Value]) -> TrustedRoot {
    TrustedRoot::from_bytes(trusted_root(logs, &[], &[], &[]).to_string().as_bytes()).unwrap()
}

/// The log in a trusted root, at this URL.
fn listed(log: &TestLog, url: &str, start: &str, end: Option<&str>) -> Value {
    let mut listed = log.in_trusted_root(start, end);
    listed["baseUrl"] = url.into();
    listed
}

fn error(config: &SigningConfig, root: &TrustedRoot) -> EndpointError {
    let error = LogEndpoint::from_sigstore(config, root, now()).unwrap_err();
    assert!(!error.hint().is_empty());
    error
}

#[tokio::test]
async fn a_log_from_sigstores_documents_takes_entries_and_gives_them_back() {
    let server = LogServer::start(TestLog::new("localhost")).await.unwrap();
    let log = server.with_log(|log| listed(log, &server.url(), "2026-01-01T00:00:00Z", None));
    for url in [server.url(), server.url() + "/"] {
        let endpoints =
            LogEndpoint::from_sigstore(&any(&url), &root(std::slice::from_ref(&log)), now());
        let [endpoint] = &endpoints.unwrap()[..] else { panic!() };
        assert_eq!(endpoint.origin(), "localhost");
        let read_from = TreeLocation::Url(server.read_url().parse().unwrap());
        assert_eq!(endpoint.read_location(), Some(&read_from));
        let client = RekorClient::new(http(), endpoint.clone());
        // The second time it is there already, and is read from the log's tiles.
        assert!(client.submit(&SeedKey::es256("signer").rekord(b"a manifest")).await.is_ok());
    }
    assert_eq!(server.posts(), 2);
}

/// Whoever looks for the entry later must not find that its checkpoint does not hold.
#[tokio::test]
async fn an_answer_holds_under_every_key_of_the_log_that_it_names() {
    let [mut log, other] =
        ["one", "other"].map(|name| TestLog::with_key("localhost", SeedKey::ed25519(name)));
    let rekord = SeedKey::es256("signer").rekord(b"a manifest");
    let mut answer = log.log(&rekord.to_body(), &Handing::default());
    let envelope = &mut answer["inclusionProof"]["checkpoint"]["envelope"];
    let honest = envelope.as_str().unwrap().to_owned();
    *envelope = (honest + &signature_line(other.note_key(), &[7; 64])).into();
    let site = answering(Answer::status(201).body(answer.to_string())).await;
    let url = site.url("");
    let client = |known: &[&TestLog]| {
        let known = known.iter().map(|log| listed(log, &url, "2026-01-01T00:00:00Z", None));
        let root = root(&known.collect::<Vec<_>>());
        let mut endpoints = LogEndpoint::from_sigstore(&any(&url), &root, now()).unwrap();
        RekorClient::new(http(), endpoints.remove(0))
    };
    client(&[&log]).submit(&rekord).await.unwrap();
    let error = client(&[&log, &other]).submit(&rekord).await.unwrap_err();
    assert_eq!(error.code(), "rekor.submit.wrong-proof");
}

#[test]
fn a_log_without_a_key_in_the_trusted_root_is_told() {
    let log = TestLog::new("log.example");
    let other = listed(&log, "https://other.example", "2026-01-01T00:00:00Z", None);
    let found = error(&any("https://log.example"), &root(&[other]));
    assert!(matches!(&found, EndpointError::KeyMissing { url } if url == "https://log.example/"));
    assert_eq!(found.code(), "rekor.endpoint.key-missing");
}

#[test]
fn the_recorded_documents_name_the_log_by_two_urls() {
    let (Some(config), Some(root)) = (live_text("signing.json"), live_text("trusted_root.json"))
    else {
        return;
    };
    let config = SigningConfig::from_bytes(config.as_bytes()).unwrap();
    let root = TrustedRoot::from_bytes(root.as_bytes()).unwrap();
    assert!(matches!(error(&config, &root), EndpointError::KeyMissing { .. }));
}

#[test]
fn keys_count_in_their_windows_only_both_ends_included() {
    let log = TestLog::new("log.example");
    let url = "https://log.example";
    let listed = listed(&log, url, "2026-03-01T00:00:00Z", Some("2026-11-30T08:00:00Z"));
    let root = root(&[listed]);
    let at = |time| LogEndpoint::from_sigstore(&any(url), &root, at(time));
    assert!(at("2026-03-01T00:00:00Z").is_ok());
    assert!(at("2026-11-30T08:00:00Z").is_ok());
    for outside in ["2026-02-28T23:59:59.999Z", "2026-11-30T08:00:00.001Z"] {
        let error = at(outside).unwrap_err();
        assert!(matches!(error, EndpointError::KeyOutsideWindow { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn both_keys_of_a_log_that_changes_its_key_are_believed() {
    let (old, new) = (SeedKey::ed25519("old"), SeedKey::ed25519("new"));
    for signer in [&old, &new] {
        let log = TestLog::with_key("localhost", signer.clone());
        let server = LogServer::start(log).await.unwrap();
        let both = [&old, &new].map(|key| {
            let log = TestLog::with_key("localhost", key.clone());
            listed(&log, &server.url(), "2026-01-01T00:00:00Z", None)
        });
        let endpoints = LogEndpoint::from_sigstore(&any(&server.url()), &root(&both), now());
        let client = RekorClient::new(http(), endpoints.unwrap().remove(0));
        let rekord = SeedKey::es256("signer").rekord(b"a manifest");
        assert!(client.submit(&rekord).await.is_ok());
        assert!(client.submit(&rekord).await.is_ok(), "recovered under the same key");
    }
}

#[test]
fn the_same_key_listed_twice_is_one() {
    let log = TestLog::new("log.example");
    let url = "https://log.example";
    let twice = [
        listed(&log, url, "2026-01-01T00:00:00Z", None),
        listed(&log, url, "2026-02-01T00:00:00Z", None),
    ];
    assert!(LogEndpoint::from_sigstore(&any(url), &root(&twice), now()).is_ok());
}

#[test]
fn the_newest_shard_is_taken_and_as_many_operators_as_the_config_wants() {
    let logs = ["https://a.example", "https://b.example", "https://c.example"];
    let known = logs.map(|url| {
        let origin = url.trim_start_matches("https://");
        listed(&TestLog::new(origin), url, "2026-01-01T00:00:00Z", None)
    });
    let services = [
        service(logs[0], "2026-01-01T00:00:00Z", "one"),
        service(logs[1], "2026-06-01T00:00:00Z", "one"),
        service(logs[2], "2026-02-01T00:00:00Z", "two"),
    ];
    let names = |rule: Value| {
        let endpoints =
            LogEndpoint::from_sigstore(&config(&services, &rule), &root(&known), now()).unwrap();
        endpoints.iter().map(|one| one.origin().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(json!({"selector": "ANY"})), ["b.example"]);
    assert_eq!(names(json!({"selector": "ALL"})), ["b.example", "c.example"]);
    let three = config(&services, &json!({"selector": "EXACT", "count": 3}));
    assert!(matches!(error(&three, &root(&known)), EndpointError::Service(_)));
}

#[test]
fn logs_of_another_version_and_urls_of_another_kind_cannot_be_used() {
    let mut old = service("https://log.example", "2026-01-01T00:00:00Z", "one");
    old["majorApiVersion"] = 1.into();
    let any = |service: Value| config(&[service], &json!({"selector": "ANY"}));
    assert_eq!(error(&any(old), &root(&[])).code(), "rekor.endpoint.no-service");
    let ftp = service("ftp://log.example", "2026-01-01T00:00:00Z", "one");
    assert_eq!(error(&any(ftp), &root(&[])).code(), "rekor.endpoint.url");
}

#[test]
fn a_key_that_cannot_be_checked_is_told() {
    let url = "https://log.example";
    let mut log = listed(&TestLog::new("log.example"), url, "2026-01-01T00:00:00Z", None);
    log["publicKey"]["keyDetails"] = "PKIX_ML_DSA_44".into();
    let found = error(&any(url), &root(&[log]));
    assert!(matches!(found, EndpointError::KeyUnusable { .. }), "{found:?}");
    let witness = genten_testkit::witness::Witness::new("w1.example");
    let error = LogEndpoint::new(witness.note_key().clone()).unwrap_err();
    assert_eq!(error.code(), "rekor.endpoint.identity");
}
