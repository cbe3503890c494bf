//! Requests: what an answer tells, and which failures leave the outcome open.

use std::net::TcpListener;
use std::time::Duration;

use genten_rekor::{HttpError, ServiceUrl};
use genten_testkit::{Answer, Authority, HttpsSite, Offer};
use genten_tlog::LeafIndex;

use crate::support::{answering, http, settings, site};

fn url(site: &HttpsSite, path: &str) -> ServiceUrl {
    site.url(path).parse().unwrap()
}

#[tokio::test]
async fn the_fields_that_matter_are_read() {
    let answer = Answer::status(409)
        .header("content-type", "Application/JSON; charset=utf-8")
        .header("retry-after", " 5 ")
        .header("x-log-index", "735")
        .body("{}");
    let site = answering(answer).await;
    let answer = http().get(&url(&site, "/"), 100).await.unwrap();
    assert_eq!((answer.status, answer.body.as_slice()), (409, &b"{}"[..]));
    assert_eq!(answer.media_type.as_deref(), Some("application/json"));
    assert_eq!(answer.retry_after, Some(Duration::from_secs(5)));
    assert_eq!(answer.log_index, LeafIndex::new(735).ok());
    for index in ["-1", "0735", "1e3", "9223372036854775808", ""] {
        let site = answering(Answer::ok("").header("x-log-index", index)).await;
        let answer = http().get(&url(&site, "/"), 100).await.unwrap();
        assert_eq!(answer.log_index, None, "{index:?}");
    }
}

#[tokio::test]
async fn a_body_may_be_as_long_as_the_limit_and_no_longer() {
    let site = answering(Answer::ok("12345")).await;
    assert_eq!(http().get(&url(&site, "/"), 5).await.unwrap().body, b"12345");
    let error = http().get(&url(&site, "/"), 4).await.unwrap_err();
    assert!(matches!(error, HttpError::TooLarge { limit: 4, .. }), "{error:?}");
    assert!(error.was_sent());
}

/// A file server's page about a missing file is longer than a tile of a small tree.
#[tokio::test]
async fn beside_a_failure_only_the_beginning_of_the_page_is_read() {
    let page = "not here ".repeat(100_000);
    let answer = Answer::status(404).header("retry-after", "5").body(page.clone());
    let answer = http().get(&url(&answering(answer).await, "/"), 32).await.unwrap();
    assert_eq!((answer.status, answer.retry_after), (404, Some(Duration::from_secs(5))));
    assert!(answer.body.len() < page.len() && page.as_bytes().starts_with(&answer.body));
    assert!(answer.body.len() > 1_000, "{}", answer.body.len());

    let coded = Answer::status(404).header("content-encoding", "br").body("12345");
    let answer = http().get(&url(&answering(coded).await, "/"), 32).await.unwrap();
    assert_eq!((answer.status, answer.body.as_slice()), (404, &b""[..]));
}

#[tokio::test]
async fn other_content_codings_are_refused() {
    let site = answering(Answer::ok("12345").header("content-encoding", "br")).await;
    let error = http().get(&url(&site, "/"), 100).await.unwrap_err();
    assert_eq!(error.code(), "rekor.http.coding");
}

#[tokio::test]
async fn a_handshake_that_never_ends_sends_nothing() {
    // The system takes the connection, and nobody ever speaks.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let http = settings().connect_timeout(Duration::from_millis(200)).build().unwrap();
    let url = format!("https://{address}/").parse().unwrap();
    let error = http.post(&url, "text/plain", b"body".to_vec(), 100).await.unwrap_err();
    assert!(matches!(error, HttpError::Unreached { .. }), "{error:?}");
    assert!(!error.was_sent());
}

#[tokio::test]
async fn a_name_that_does_not_resolve_sends_nothing() {
    let url = "http://no-such-host.invalid/".parse().unwrap();
    let error = http().post(&url, "text/plain", b"body".to_vec(), 100).await.unwrap_err();
    assert_eq!((error.code(), error.was_sent()), ("rekor.http.unreached", false));
    assert!(!error.hint().is_empty());
}

#[tokio::test]
async fn both_versions_of_http_are_spoken_and_connections_are_kept() {
    let authority = Authority::new("Own Root").unwrap();
    let http = settings().root_pem(authority.root_pem()).unwrap().build().unwrap();
    for (offer, protocol) in [(Offer::Http2, "h2"), (Offer::Http1, "http/1.1")] {
        let site = HttpsSite::builder()
            .identity(authority.issue_for("localhost").unwrap())
            .offer(offer)
            .handler(|_| Answer::ok("hello"));
        let site = site.start().await.unwrap();
        for _ in 0..3 {
            assert_eq!(http.get(&url(&site, "/"), 5).await.unwrap().body, b"hello");
        }
        assert!(site.seen().iter().all(|request| request.protocol == protocol));
        if protocol == "h2" {
            assert_eq!(site.connections(), 1);
        }
    }
}

#[tokio::test]
async fn reads_follow_redirects_on_the_same_host_only() {
    let elsewhere = answering(Answer::ok("elsewhere")).await;
    let other = elsewhere.url_at("127.0.0.1", "/");
    let site = site(move |request| match &*request.target {
        "/moved" => Answer::redirect(301, "/here"),
        "/here" => Answer::ok("here"),
        "/away" => Answer::redirect(302, other.clone()),
        "/nowhere" => Answer::status(302),
        _ => Answer::redirect(302, "/around"),
    })
    .await;
    assert_eq!(http().get(&url(&site, "/moved"), 100).await.unwrap().body, b"here");
    for path in ["/away", "/nowhere", "/around"] {
        let error = http().get(&url(&site, path), 100).await.unwrap_err();
        assert!(matches!(error, HttpError::Redirect { .. }), "{path} {error:?}");
    }
    assert!(elsewhere.seen().is_empty());
    let around = site.seen().into_iter().filter(|request| request.target == "/around");
    assert_eq!(around.count(), 6, "there is an end to it");
}

/// It would become a GET without the entry, whose answer says nothing.
#[tokio::test]
async fn what_is_sent_follows_no_redirect_that_drops_it() {
    for status in [301, 302, 303] {
        let site = site(move |request| match &*request.target {
            "/" => Answer::redirect(status, "/there"),
            _ => Answer::ok("there"),
        });
        let site = site.await;
        let body = b"entry".to_vec();
        let error = http().post(&url(&site, "/"), "text/plain", body, 100).await.unwrap_err();
        assert!(matches!(error, HttpError::Redirect { .. }), "{status} {error:?}");
        assert_eq!(site.seen().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn tls_is_not_given_up_for_a_redirect() {
    let plain = answering(Answer::ok("plain")).await;
    let target = plain.url("/");
    let authority = Authority::new("Own Root").unwrap();
    let site = HttpsSite::builder()
        .identity(authority.issue_for("localhost").unwrap())
        .handler(move |_| Answer::redirect(302, target.clone()));
    let site = site.start().await.unwrap();
    let http = settings().root_pem(authority.root_pem()).unwrap().build().unwrap();
    let error = http.get(&url(&site, "/"), 100).await.unwrap_err();
    assert!(matches!(error, HttpError::Redirect { .. }), "{error:?}");
    assert!(plain.seen().is_empty());
}

#[test]
fn settings_that_cannot_be_used_are_told() {
    for pem in ["", "no pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let built = settings().root_pem(pem).and_then(|settings| settings.build());
        assert_eq!(built.unwrap_err().code(), "rekor.http.roots", "{pem:?}");
    }
    assert_eq!(settings().user_agent("a\nb").unwrap_err().code(), "rekor.http.user-agent");
}
