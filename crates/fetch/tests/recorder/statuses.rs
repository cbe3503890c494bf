//! Answers whose status changes what the body means.

use genten_fetch::{Alpn, ByteRange, Completeness, FetchError, Request, Sink, Warning};
use genten_testkit::{Answer, End};

use crate::support::{LIMIT, PROTOCOLS, World, bytes, get};

#[tokio::test]
async fn errors_of_the_server_are_answers() {
    let world = World::new();
    for (status, kind) in [(404, "http_4xx"), (429, "rate_limited"), (500, "http_5xx")] {
        let site = world.answering(Answer::status(status).body("sorry")).await;
        let exchange = get(&world.recorder(), site.url("/")).await.unwrap();
        assert_eq!((exchange.status, bytes(&exchange)), (status, &b"sorry"[..]));
        let [anomaly] = &exchange.retrieval.anomalies[..] else { panic!("{exchange:?}") };
        assert_eq!((anomaly.kind.as_str(), anomaly.count), (kind, 1));
    }
}

#[tokio::test]
async fn bodiless_statuses_over_http1() {
    let world = World::new();
    for raw in [
        "HTTP/1.1 204 None\r\n\r\n",
        "HTTP/1.1 204 None\r\ncontent-length: 5\r\n\r\nhello",
        "HTTP/1.1 304 Same\r\ncontent-length: 5\r\netag: \"1\"\r\n\r\n",
        "HTTP/1.1 304 Same\r\ntransfer-encoding: chunked\r\n\r\n",
    ] {
        let answer = Answer::raw(raw, End::Clean);
        let site = world.site().handler(move |_| answer.clone()).start().await.unwrap();
        let recorder = world.builder().alpn(Alpn::Http1).build().unwrap();
        let exchange = get(&recorder, site.url("/")).await.unwrap();
        assert_eq!((exchange.content_bytes, exchange.completeness), (0, Completeness::Complete));
    }
}

#[tokio::test]
async fn a_205_with_a_body_is_told() {
    let world = World::new();
    let site = world.answering(Answer::status(205).body("oops")).await;
    let exchange = get(&world.recorder(), site.url("/")).await.unwrap();
    assert_eq!(bytes(&exchange), b"oops");
    assert_eq!(exchange.warnings, [Warning::UnexpectedBody { status: 205 }]);
}

#[tokio::test]
async fn head_has_no_body() {
    let world = World::new();
    for (alpn, offer) in PROTOCOLS {
        let site =
            world.site().offer(offer).handler(|_| Answer::ok("hello")).start().await.unwrap();
        let recorder = world.builder().alpn(alpn).build().unwrap();
        let request = Request::new("HEAD", site.url("/"));
        let exchange = recorder.fetch(request, Sink::Memory { limit: 1 }).await.unwrap();
        assert_eq!((exchange.content_bytes, exchange.completeness), (0, Completeness::Complete));
        assert_eq!(exchange.fields.get("content-length"), Some("5"));
        assert_eq!(exchange.request.unwrap().method, "HEAD");
    }
}

#[tokio::test]
async fn interim_answers_are_passed_over() {
    let world = World::new();
    let raw = "HTTP/1.1 103 Early\r\nlink: </x>\r\n\r\nHTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    let answer = Answer::raw(raw, End::Clean);
    let site = world.site().handler(move |_| answer.clone()).start().await.unwrap();
    let recorder = world.builder().alpn(Alpn::Http1).build().unwrap();
    let exchange = get(&recorder, site.url("/")).await.unwrap();
    assert_eq!((exchange.status, bytes(&exchange)), (200, &b"ok"[..]));
    assert_eq!(exchange.fields.get("link"), None);
}

#[tokio::test]
async fn an_unasked_change_of_protocol_is_no_answer() {
    let world = World::new();
    let raw = "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhello";
    let answer = Answer::raw(raw, End::Clean);
    let site = world.site().handler(move |_| answer.clone()).start().await.unwrap();
    let recorder = world.builder().alpn(Alpn::Http1).build().unwrap();
    let error = get(&recorder, site.url("/")).await.unwrap_err();
    assert_eq!(error.code(), "fetch.protocol");
}

#[tokio::test]
async fn a_part_that_was_asked_for() {
    let world = World::new();
    for (alpn, offer) in PROTOCOLS {
        let part = Answer::status(206).header("content-range", "bytes 2-4/9").body("cde");
        let site = world.site().offer(offer).handler(move |_| part.clone()).start().await.unwrap();
        let recorder = world.builder().alpn(alpn).build().unwrap();
        let request = Request::get(site.url("/")).range(ByteRange::Within(2, 4));
        let exchange = recorder.fetch(request, Sink::Memory { limit: 9 }).await.unwrap();
        assert_eq!((exchange.status, bytes(&exchange)), (206, &b"cde"[..]));
        assert_eq!(exchange.completeness, Completeness::Partial);
        assert_eq!(exchange.range.as_deref(), Some("bytes 2-4/9"));
        assert!(exchange.retrieval.anomalies.is_empty());
        assert_eq!(site.seen()[0].header("range").as_deref(), Some("bytes=2-4"));
        assert_eq!(exchange.request.unwrap().headers, [("range".into(), String::new())]);
    }
}

#[tokio::test]
async fn a_part_that_was_not_asked_for() {
    let world = World::new();
    let part = Answer::status(206).header("content-range", "bytes 0-8/9").body("whole doc");
    let site = world.answering(part).await;
    let error = get(&world.recorder(), site.url("/")).await.unwrap_err();
    assert_eq!(error.code(), "fetch.partial-answer");
    let request = Request::get(site.url("/")).allow_partial(true);
    let exchange = world.recorder().fetch(request, Sink::Discard).await.unwrap();
    // Even a part that happens to be everything is a part.
    assert_eq!(exchange.completeness, Completeness::Partial);
}

#[tokio::test]
async fn a_part_that_contradicts_itself() {
    let world = World::new();
    let part = Answer::status(206).header("content-range", "bytes 0-99/200").body("short");
    let site = world.answering(part).await;
    let request = Request::get(site.url("/")).range(0..=99);
    match world.recorder().fetch(request.clone(), Sink::Discard).await {
        Err(FetchError::RangeMismatch { announced: 100, received: 5 }) => {}
        other => panic!("{other:?}"),
    }
    let exchange =
        world.recorder().fetch(request.allow_partial(true), Sink::Discard).await.unwrap();
    assert_eq!(exchange.completeness, Completeness::Partial);
}

#[tokio::test]
async fn a_part_that_is_cut() {
    let world = World::new();
    let raw =
        "HTTP/1.1 206 Part\r\ncontent-range: bytes 10-19/100\r\ncontent-length: 10\r\n\r\nabcd";
    let answer = Answer::raw(raw, End::Clean);
    let site = world.site().handler(move |_| answer.clone()).start().await.unwrap();
    let recorder = world.builder().alpn(Alpn::Http1).build().unwrap();
    let request = Request::get(site.url("/")).range(10..=19);
    let error = recorder.fetch(request.clone(), Sink::Discard).await.unwrap_err();
    assert_eq!(error.code(), "fetch.truncated");
    let exchange = recorder.fetch(request.allow_partial(true), Sink::Discard).await.unwrap();
    assert_eq!(exchange.range.as_deref(), Some("bytes 10-13/100"));
}

/// A server that ignores `Range` answers with the whole, and that is what is recorded.
#[tokio::test]
async fn a_range_that_is_ignored() {
    let world = World::new();
    let site = world.answering(Answer::ok("the whole document")).await;
    let request = Request::get(site.url("/")).range(0..=3);
    let exchange = world.recorder().fetch(request, Sink::Memory { limit: LIMIT }).await.unwrap();
    assert_eq!((exchange.status, exchange.completeness), (200, Completeness::Complete));
    assert_eq!((exchange.range.as_deref(), exchange.content_bytes), (None, 18));
}
