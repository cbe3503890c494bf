//! Every member of the manifest is what happened on the wire.

use genten::manifest::{
    Capture, Claims, Completeness, CtLogProof, Http, Protocol, Redirect, Retrieval, Tls, TlsTrust,
};
use genten::primitives::{PublicKey, Sha256Digest};
use genten::verify::Code;
use genten_testkit::{Answer, HttpsSite, Leaf, Offer};

use crate::support::{NOW, World, read_back, time, verdict};

fn spki_sha256(leaf: &[u8]) -> Sha256Digest {
    Sha256Digest::of(PublicKey::from_certificate_der(leaf).unwrap().to_spki_der())
}

fn tls(leaf: &[u8], issuer: &str) -> Tls {
    Tls {
        version: Some("TLSv1.3".parse().unwrap()),
        spki_sha256: Some(spki_sha256(leaf)),
        issuer: Some(issuer.parse().unwrap()),
        trust: Some(TlsTrust::PrivateRoot),
        proxy: Some(false),
    }
}

fn retrieval(requests: u32) -> Retrieval {
    Retrieval { requests: Some(requests), attempts: Some(requests), ..Retrieval::default() }
}

const DATE: &str = "Mon, 30 Nov 2026 03:15:00 GMT";

/// A body with no field but the date, which servers of HTTP/2 add by themselves.
fn dated(body: &str) -> Answer {
    Answer::ok(body).header("date", DATE)
}

/// What such an answer over HTTP/2 gives.
fn plain(url: &str, body: &[u8], leaf: &[u8]) -> Claims {
    let mut http = Http::with_status(200);
    http.content_bytes = Some(body.len() as u64);
    http.date = Some(DATE.parse().unwrap());
    http.protocol = Some(Protocol::H2);
    http.completeness = Some(Completeness::Complete);
    Claims {
        source_url: url.parse().unwrap(),
        fetched_at: time(NOW),
        content_sha256: Sha256Digest::of(body),
        tls_server_cert_sha256: Some(Sha256Digest::of(leaf)),
        ct_log_proof: None,
        source_revision: None,
        source_class: None,
        capture: Some(Capture::Recorded),
        attested_at: None,
        http: Some(http),
        tls: Some(tls(leaf, "CN=Test Root")),
        retrieval: Some(retrieval(1)),
        result_sha256: None,
        request: None,
        extensions: Vec::new(),
    }
}

/// 001-01, 001-03, 001-04
#[tokio::test]
async fn a_plain_answer_has_the_least_members() {
    let world = World::new();
    let site = world.answering(dated("the bytes")).await;
    let url = site.url("/doc?a=1&b=%2F");
    let genten = world.genten();
    let attested = genten.fetch(url.as_str()).await.unwrap();
    assert_eq!(attested.body(), Some(&b"the bytes"[..]));
    assert_eq!(attested.warnings(), [""; 0]);
    assert_eq!(read_back(&attested), plain(&url, b"the bytes", world.identity.leaf_der()));
    assert_eq!(attested.manifest.mcp_key_id, *genten.key_id());
    assert_eq!(attested.manifest.transparency_log_id, None);
    let report = world.judge(&genten, &attested, b"the bytes");
    assert_eq!(verdict(&report), "accept");
    assert_eq!(report.manifest_id, Some(attested.manifest_id));
}

#[tokio::test]
async fn fields_of_the_answer_are_kept_word_for_word() {
    let world = World::new();
    let answer = dated("x")
        .header("content-type", "text/plain; charset=\"UTF-8\"")
        .header("etag", "W/\"v 1\"")
        .header("last-modified", "Tue, 03 Nov 2026 10:00:00 GMT")
        .header("age", "40")
        .header("content-disposition", b"attachment; filename=\"r\xe9sum\xe9\"".to_vec())
        .header("set-cookie", "session=s3cret")
        .header("x-other", "not kept");
    let site = world.answering(answer).await;
    let url = site.url("/doc");
    let genten = world.genten();
    let attested = genten.fetch(url.as_str()).await.unwrap();

    let mut expected = plain(&url, b"x", world.identity.leaf_der());
    let http = expected.http.as_mut().unwrap();
    http.media_type = Some("text/plain; charset=\"UTF-8\"".parse().unwrap());
    http.etag = Some("W/\"v 1\"".parse().unwrap());
    http.last_modified = Some("Tue, 03 Nov 2026 10:00:00 GMT".parse().unwrap());
    http.age = Some("40".parse().unwrap());
    http.content_disposition = Some("attachment; filename=\"r\u{e9}sum\u{e9}\"".parse().unwrap());
    assert_eq!(read_back(&attested), expected);
    let json = String::from_utf8(attested.bundle().to_json()).unwrap();
    assert!(!json.contains("s3cret") && !json.contains("not kept"));
    // The server's clock is five hours off, which is its own affair.
    assert_eq!(verdict(&world.judge(&genten, &attested, b"x")), "accept");
}

#[tokio::test]
async fn fields_that_say_nothing_are_left_out() {
    let world = World::new();
    let empty = ["content-type", "etag", "age", "content-encoding", "last-modified"];
    let answer = empty.iter().fold(dated("x"), |answer, name| answer.header(name, ""));
    let site = world.answering(answer).await;
    let url = site.url("/");
    let genten = world.genten();
    let attested = genten.fetch(url.as_str()).await.unwrap();
    assert_eq!(read_back(&attested), plain(&url, b"x", world.identity.leaf_der()));
    assert_eq!(verdict(&world.judge(&genten, &attested, b"x")), "accept");
}

#[tokio::test]
async fn an_answer_that_its_server_signed_keeps_what_that_needs() {
    let world = World::new();
    let signed = [
        ("signature-input", "sig1=(\"@status\" \"content-digest\" \"x-edition\");created=1"),
        ("signature", "sig1=:AAAA:"),
        ("content-digest", "sha-256=:AAAA:"),
        ("x-edition", "3"),
    ];
    let answer = signed.iter().fold(Answer::ok("x"), |answer, (name, value)| {
        answer.header(name, value.as_bytes().to_vec())
    });
    let site = world.answering(answer).await;
    let attested = world.genten().fetch(site.url("/")).await.unwrap();
    let kept = read_back(&attested).http.unwrap().signature;
    let mut kept: Vec<_> = kept
        .iter()
        .map(|header| (header.name.as_str(), header.value.as_ref().unwrap().as_str()))
        .collect();
    let mut expected = signed.to_vec();
    kept.sort_unstable();
    expected.sort_unstable();
    assert_eq!(kept, expected);
}

#[tokio::test]
async fn protocol_and_promises_of_the_certificate_are_stated() {
    let world = World::new();
    let office = world.authority.intermediate("Test Intermediate").unwrap();
    let sct_list = [0, 3, 0, 1, 7];
    let identity = office.issue(&Leaf::new(["localhost"]).sct_list(sct_list)).unwrap();
    let site = HttpsSite::builder().identity(identity.clone()).offer(Offer::Http1);
    let site = site.route("/", dated("x")).start().await.unwrap();
    let genten = world.genten();
    let attested = genten.fetch(site.url("/")).await.unwrap();

    let mut expected = plain(&site.url("/"), b"x", identity.leaf_der());
    expected.http.as_mut().unwrap().protocol = Some(Protocol::Http11);
    expected.tls = Some(tls(identity.leaf_der(), "CN=Test Intermediate"));
    expected.ct_log_proof = Some(CtLogProof::SctList(sct_list.to_vec()));
    assert_eq!(read_back(&attested), expected);
    // The chain came along, and shows that this certificate was issued for this host.
    let report = world.judge(&genten, &attested, b"x");
    assert_eq!(verdict(&report), "accept");
    assert!(report.check(Code::TLS_CHAIN_HOLDS).is_some());
}

#[tokio::test]
async fn without_tls_nothing_is_said_of_certificates() {
    let world = World::new();
    let site = HttpsSite::builder().route("/", Answer::ok("x")).start().await.unwrap();
    let genten = world.genten();
    let attested = genten.fetch(site.url("/")).await.unwrap();
    let claims = read_back(&attested);
    assert!(claims.source_url.as_str().starts_with("http://"));
    assert_eq!(
        (claims.tls, claims.tls_server_cert_sha256, claims.ct_log_proof),
        (None, None, None)
    );
    assert_eq!(verdict(&world.judge(&genten, &attested, b"x")), "accept");
}

#[tokio::test]
async fn every_hop_of_a_redirect_is_told() {
    let world = World::new();
    let other = world.authority.issue_for("localhost").unwrap();
    let end = HttpsSite::builder().identity(other.clone());
    let end = end.route("/rfc/9421.txt?v=2", dated("the text")).start().await.unwrap();
    let last = end.url("/rfc/9421.txt?v=2");
    let begin = world
        .site()
        .route("/rfc/9421", Answer::redirect(301, "/moved/9421#part"))
        .route("/moved/9421", Answer::redirect(307, last.as_str()))
        .start()
        .await
        .unwrap();
    let genten = world.genten();
    let attested = genten.fetch(begin.url("/rfc/9421")).await.unwrap();

    let hop = |url: String, status, location: &str| Redirect {
        url: url.parse().unwrap(),
        status,
        location: location.parse().unwrap(),
        tls_server_cert_sha256: Some(Sha256Digest::of(world.identity.leaf_der())),
    };
    let mut expected = plain(&begin.url("/rfc/9421"), b"the text", other.leaf_der());
    expected.retrieval = Some(retrieval(3));
    let http = expected.http.as_mut().unwrap();
    http.final_url = Some(last.parse().unwrap());
    http.redirects = vec![
        hop(begin.url("/rfc/9421"), 301, "/moved/9421#part"),
        hop(begin.url("/moved/9421"), 307, &last),
    ];
    assert_eq!(read_back(&attested), expected);
    assert_eq!(verdict(&world.judge(&genten, &attested, b"the text")), "accept");
}

#[tokio::test]
async fn an_error_is_an_answer_and_signed_as_what_it_is() {
    let world = World::new();
    for (status, kind) in [(404, "http_4xx"), (429, "rate_limited"), (503, "http_5xx")] {
        let site = world.answering(Answer::status(status).body("sorry")).await;
        let genten = world.genten();
        let attested = genten.fetch(site.url("/")).await.unwrap();
        let claims = read_back(&attested);
        assert_eq!(claims.http.unwrap().status, status);
        let anomalies = claims.retrieval.unwrap().anomalies;
        let anomalies: Vec<_> =
            anomalies.iter().map(|one| (one.kind.as_str(), one.count)).collect();
        assert_eq!(anomalies, [(kind, 1)]);
        let report = world.judge(&genten, &attested, b"sorry");
        assert_eq!(verdict(&report), "accept");
        assert!(report.notes.iter().any(|note| note.code == Code::HTTP_STATUS));
    }
}

#[tokio::test]
async fn a_head_request_is_an_empty_body_and_says_how_it_was_asked() {
    let world = World::new();
    let site = world.answering(Answer::ok("the bytes")).await;
    let genten = world.genten();
    let request = genten::fetch::Request::new("HEAD", site.url("/"));
    let attested = genten.fetch(request).await.unwrap();
    let http = read_back(&attested).http.unwrap();
    assert_eq!(http.request.unwrap().method.as_str(), "HEAD");
    assert_eq!(http.content_bytes, Some(0));
    assert_eq!(verdict(&world.judge(&genten, &attested, b"")), "accept");
}
