//! What the recorder refuses, and what it says about it.

use std::net::{IpAddr, Ipv4Addr};

use genten_fetch::{Alpn, FetchError, Guard, Recorder, Request, Sink, TlsError, UrlError, Warning};
use genten_primitives::Sha256Digest;
use genten_testkit::{Answer, Authority, Clock, HttpsSite, Leaf};

use crate::support::{World, get};

async fn error_of(recorder: &Recorder, url: impl Into<String>) -> FetchError {
    get(recorder, url.into()).await.unwrap_err()
}

#[tokio::test]
async fn urls_that_would_be_rewritten_are_not_sent() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let recorder = world.recorder();
    for (path, spelling) in [
        ("/a/../b", "/b"),
        ("/a b", "/a%20b"),
        ("/ü", "/%C3%BC"),
        ("/a|b", "/a%7Cb"),
        ("/a?q='x'", "/a?q=%27x%27"),
    ] {
        let error = error_of(&recorder, site.url(path)).await;
        assert!(error.hint().ends_with(spelling), "{path}: {}", error.hint());
        get(&recorder, site.url(spelling)).await.unwrap();
    }
    let targets: Vec<_> = site.seen().into_iter().map(|seen| seen.target).collect();
    assert_eq!(targets, ["/b", "/a%20b", "/%C3%BC", "/a%7Cb", "/a?q=%27x%27"]);
}

#[tokio::test]
async fn an_empty_path_is_kept_as_written() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    for (url, target) in [(site.url(""), "/"), (site.url("?a=1"), "/?a=1")] {
        let exchange = get(&world.recorder(), url.clone()).await.unwrap();
        assert_eq!((&exchange.requested_url, &exchange.final_url), (&url, &url));
        assert_eq!(site.seen().last().unwrap().target, target);
    }
}

#[tokio::test]
async fn secrets_in_urls() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let with_user = site.url("/").replace("localhost", "user:s3cret@localhost");
    let error = error_of(&world.recorder(), with_user).await;
    assert!(matches!(error, FetchError::Url(UrlError::Userinfo)));
    let exchange = get(&world.recorder(), site.url("/?api_key=s3cret&q=1")).await.unwrap();
    let name = "api_key".to_owned();
    assert_eq!(exchange.warnings, [Warning::CredentialParameter { name }]);
    assert!(!exchange.warnings[0].to_string().contains("s3cret"));
}

/// No error text has the URL's query in it.
#[tokio::test]
async fn errors_do_not_show_secrets() {
    let error = error_of(&World::new().recorder(), "https://localhost:1/?token=s3cret").await;
    assert_eq!(error.code(), "fetch.connect");
    let shown = format!("{error} {error:?} {}", error.hint());
    assert!(!shown.contains("s3cret"), "{shown}");
}

#[tokio::test]
async fn an_unknown_authority() {
    let (world, stranger) = (World::new(), Authority::new("Office Proxy CA").unwrap());
    let identity = stranger.issue_for("localhost").unwrap();
    let builder = HttpsSite::builder().identity(identity.clone());
    let site = builder.handler(|_| Answer::ok("x")).start().await.unwrap();
    let error = error_of(&world.recorder(), site.url("/")).await;
    assert_eq!(error.code(), "fetch.tls.unknown-issuer");
    let FetchError::Tls { reason, presented: Some(presented), .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(*reason, TlsError::UnknownIssuer);
    assert_eq!(presented.issuer, "CN=Office Proxy CA");
    assert_eq!(presented.sha256, Sha256Digest::of(identity.leaf_der()));
    assert!(error.to_string().contains("presented issuer: CN=Office Proxy CA"), "{error}");
    assert!(site.seen().is_empty());
}

#[tokio::test]
async fn a_certificate_for_another_host() {
    let world = World::new();
    let identity = world.authority.issue(&Leaf::new(["elsewhere.example"])).unwrap();
    let site =
        HttpsSite::builder().identity(identity).handler(|_| Answer::ok("x")).start().await.unwrap();
    let error = error_of(&world.recorder(), site.url("/")).await;
    assert_eq!(error.code(), "fetch.tls.wrong-host");
    assert!(error.to_string().contains("elsewhere.example"), "{error}");
    assert!(error.to_string().contains("CN=Test Root"), "{error}");
}

#[tokio::test]
async fn a_certificate_at_the_wrong_time() {
    let world = World::new();
    let time = |text: &str| text.parse().unwrap();
    let leaf =
        Leaf::new(["localhost"]).valid(time("2026-01-01T00:00:00Z"), time("2026-12-31T00:00:00Z"));
    let identity = world.authority.issue(&leaf).unwrap();
    let site =
        HttpsSite::builder().identity(identity).handler(|_| Answer::ok("x")).start().await.unwrap();
    let clock = Clock::at(time("2025-12-31T23:59:59Z"));
    let shown = clock.clone();
    let recorder = world.builder().clock(move || shown.now()).build().unwrap();
    let early = error_of(&recorder, site.url("/")).await;
    assert_eq!(early.code(), "fetch.tls.not-yet-valid");
    clock.set(time("2026-06-01T00:00:00.250Z"));
    let exchange = get(&recorder, site.url("/")).await.unwrap();
    assert_eq!(exchange.fetched_at.to_string(), "2026-06-01T00:00:00.250Z");
    clock.set(time("2027-01-01T00:00:00Z"));
    let late = error_of(&recorder, site.url("/")).await;
    assert_eq!(late.code(), "fetch.tls.expired");
    assert!(late.to_string().contains("presented issuer: CN=Test Root"), "{late}");
}

#[tokio::test]
async fn a_port_that_speaks_no_tls() {
    let site = HttpsSite::builder().handler(|_| Answer::ok("x")).start().await.unwrap();
    let url = site.url("/").replace("http://", "https://");
    let error = error_of(&World::new().recorder(), url).await;
    assert_eq!(error.code(), "fetch.tls.handshake", "{error:?}");
}

#[tokio::test]
async fn a_server_without_a_common_protocol() {
    let world = World::new();
    let site = world.site().offer(genten_testkit::Offer::Http1).handler(|_| Answer::ok("x"));
    let site = site.start().await.unwrap();
    let recorder = world.builder().alpn(Alpn::Http2).build().unwrap();
    let error = error_of(&recorder, site.url("/")).await;
    assert_eq!(error.code(), "fetch.tls.handshake", "{error:?}");
}

#[tokio::test]
async fn names_and_ports_without_a_server() {
    let recorder = World::new().recorder();
    // RFC 6761 section 6.4: this name never resolves.
    let error = error_of(&recorder, "https://no-such-host.invalid/").await;
    assert_eq!(error.code(), "fetch.dns", "{error:?}");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = error_of(&recorder, format!("https://{closed}/")).await;
    assert_eq!(error.code(), "fetch.connect", "{error:?}");
}

#[tokio::test]
async fn certificates_can_be_recorded_without_being_trusted() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let recorder = Recorder::builder().without_verification().build().unwrap();
    let tls = get(&recorder, site.url("/")).await.unwrap().tls.unwrap();
    assert_eq!(tls.trust.as_str(), "unverified");
}

fn guarded(world: &World, guard: Guard) -> Recorder {
    let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
    world.builder().resolve("inner.example.org", here).guard(guard).build().unwrap()
}

/// Every way to write or reach an inner address ends at the guard, before a connection.
#[tokio::test]
async fn the_guard_refuses_inner_addresses() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let recorder = guarded(&world, Guard::public_only());
    let port = site.address().port();
    for host in ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "inner.example.org", "localhost"] {
        let error = error_of(&recorder, format!("https://{host}:{port}/")).await;
        assert_eq!(error.code(), "fetch.guarded", "{host}: {error:?}");
    }
    for host in ["169.254.169.254", "10.0.0.1", "0.0.0.0", "[fe80::1]", "[fd00:ec2::254]"] {
        let error = error_of(&recorder, format!("http://{host}/latest/meta-data")).await;
        assert_eq!(error.code(), "fetch.guarded", "{host}: {error:?}");
    }
    // Other spellings of the same addresses are not even requested.
    for host in ["0x7f.1", "2130706433", "127.1", "[::ffff:127.0.0.1]"] {
        let error = error_of(&recorder, format!("https://{host}:{port}/")).await;
        assert_eq!(error.code(), "fetch.url.rewritten", "{host}: {error:?}");
    }
    assert_eq!(site.connections(), 0);
}

#[tokio::test]
async fn the_guard_watches_redirects() {
    let world = World::new();
    let exception: IpAddr = "127.0.0.2".parse().unwrap();
    let identity = world.authority.issue(&Leaf::new(["outer.example.org"])).unwrap();
    let site = HttpsSite::builder()
        .identity(identity)
        .handler(|request| Answer::redirect(302, request.target.replacen("/~", "https://", 1)))
        .start_at("127.0.0.2".parse().unwrap())
        .await
        .unwrap();
    let inner = world.answering(Answer::ok("secret")).await;
    let recorder = world
        .builder()
        .resolve("outer.example.org", exception)
        .resolve("inner.example.org", "127.0.0.1".parse().unwrap())
        .guard(Guard::public_only().except(exception))
        .build()
        .unwrap();
    let port = inner.address().port();
    for host in ["127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]", "inner.example.org", "localhost"] {
        let url = site.url_at("outer.example.org", &format!("/~{host}:{port}/x"));
        let error = error_of(&recorder, url).await;
        assert_eq!(error.code(), "fetch.guarded", "{host}: {error:?}");
    }
    assert_eq!((inner.connections(), site.seen().len()), (0, 5));
}

#[test]
fn a_guard_does_not_go_with_a_proxy() {
    let builder = Recorder::builder().guard(Guard::public_only()).proxy("http://127.0.0.1:1");
    assert_eq!(builder.build().unwrap_err().code(), "fetch.setup.guarded-proxy");
}

#[test]
fn broken_settings() {
    let error = Recorder::builder().proxy("not a url").build().unwrap_err();
    assert_eq!(error.code(), "fetch.setup.proxy");
    let error = Recorder::builder().root_pem("no certificate").unwrap_err();
    assert_eq!(error.code(), "fetch.setup.roots");
    let pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let error = Recorder::builder().root_pem(pem).unwrap().build().unwrap_err();
    assert_eq!(error.code(), "fetch.setup.roots");
}

#[tokio::test]
async fn requests_that_cannot_be_sent() {
    let recorder = World::new().recorder();
    for request in [
        Request::new("CONNECT", "https://localhost/"),
        Request::new("TRACE", "https://localhost/"),
        Request::new("G T", "https://localhost/"),
        Request::get("https://localhost/").header("host", "elsewhere"),
        Request::get("https://localhost/").header("bad name", "x"),
    ] {
        let error = recorder.fetch(request, Sink::Discard).await.unwrap_err();
        assert_eq!(error.code(), "fetch.request", "{error}");
    }
}
