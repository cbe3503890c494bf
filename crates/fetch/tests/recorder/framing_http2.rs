//! Every way in which an HTTP/2 body can end, well or badly.

use genten_fetch::{Alpn, Completeness, Cut, Exchange, FetchError, Request, Sink};
use genten_testkit::{Answer, Frame};

use crate::support::{LIMIT, World, bytes};

const NO_ERROR: u32 = 0;
const INTERNAL_ERROR: u32 = 2;
const REFUSED_STREAM: u32 = 7;
const CANCEL: u32 = 8;

async fn send(frames: Vec<Frame>, method: &str, partial: bool) -> Result<Exchange, FetchError> {
    let world = World::new();
    let site = world.site().frames(frames).start().await.unwrap();
    let recorder = world.builder().alpn(Alpn::Http2).build().unwrap();
    let request = Request::new(method, site.url("/")).allow_partial(partial);
    recorder.fetch(request, Sink::Memory { limit: LIMIT }).await
}

async fn ends(frames: Vec<Frame>, content: &[u8]) -> Exchange {
    let exchange = send(frames.clone(), "GET", false).await;
    let exchange = exchange.unwrap_or_else(|error| panic!("{frames:?}: {error:?}"));
    assert_eq!(bytes(&exchange), content);
    assert_eq!(exchange.completeness, Completeness::Complete);
    exchange
}

async fn cut(frames: Vec<Frame>, cut: Cut, content: Option<&[u8]>) {
    match send(frames.clone(), "GET", false).await {
        Err(FetchError::Truncated { cut: found, .. }) => assert_eq!(found, cut, "{frames:?}"),
        other => panic!("{frames:?}: {other:?}"),
    }
    let partial = send(frames.clone(), "GET", true).await.unwrap();
    assert_eq!(partial.completeness, Completeness::Partial);
    if let Some(content) = content {
        assert_eq!(bytes(&partial), content, "{frames:?}");
    }
}

fn head(fields: &[(&str, &str)]) -> Frame {
    Frame::headers(200, fields, false)
}

#[tokio::test]
async fn clean_endings() {
    let five = [("content-length", "5")];
    ends(vec![head(&five), Frame::data(b"hello", true)], b"hello").await;
    ends(vec![head(&[]), Frame::data(b"hello", true)], b"hello").await;
    ends(vec![head(&[]), Frame::data(b"hello", false), Frame::data(b"", true)], b"hello").await;
    ends(vec![Frame::headers(200, &[], true)], b"").await;
    let trailed = vec![head(&five), Frame::data(b"hello", false), Frame::trailers(&[("x", "7")])];
    assert_eq!(ends(trailed, b"hello").await.trailers.get("x"), Some("7"));
    // The stream is over before it is reset.
    ends(vec![head(&five), Frame::data(b"hello", true), Frame::reset(NO_ERROR)], b"hello").await;
    // The server goes away, but serves this stream to its end.
    let going = vec![
        head(&five),
        Frame::data(b"he", false),
        Frame::go_away(1, NO_ERROR),
        Frame::data(b"llo", true),
    ];
    ends(going, b"hello").await;
}

#[tokio::test]
async fn length_and_data_contradict() {
    // The frame that shows the contradiction is lost, so how much is left is not said.
    let short = vec![head(&[("content-length", "9")]), Frame::data(b"hello", true)];
    cut(short, Cut::Malformed, None).await;
    let long = vec![head(&[("content-length", "3")]), Frame::data(b"hello", true)];
    cut(long, Cut::Malformed, None).await;
    let late = vec![
        head(&[("content-length", "9")]),
        Frame::data(b"hello", false),
        Frame::data(b"", true),
    ];
    cut(late, Cut::Malformed, Some(b"hello")).await;
}

#[tokio::test]
async fn resets() {
    for code in [CANCEL, INTERNAL_ERROR] {
        let frames = vec![head(&[]), Frame::data(b"hello", false), Frame::reset(code)];
        cut(frames, Cut::Reset, None).await;
    }
}

/// The library calls these a success.
#[tokio::test]
async fn polite_stops_are_truncations() {
    for fields in [&[("content-length", "10")][..], &[]] {
        let stopped = vec![head(fields), Frame::data(b"hello", false), Frame::reset(NO_ERROR)];
        cut(stopped, Cut::Stopped, None).await;
        let gone = vec![head(fields), Frame::data(b"hello", false), Frame::go_away(0, NO_ERROR)];
        cut(gone, Cut::Stopped, None).await;
    }
}

#[tokio::test]
async fn the_server_goes_away_in_anger() {
    let frames = vec![head(&[]), Frame::data(b"hello", false), Frame::go_away(0, INTERNAL_ERROR)];
    match send(frames, "GET", false).await {
        Err(FetchError::Truncated { .. }) => {}
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_connection_that_ends() {
    let world = World::new();
    let frames = vec![head(&[]), Frame::data(b"hello", false)];
    let site = world.site().frames(frames).end_of_frames(genten_testkit::End::Clean);
    let site = site.start().await.unwrap();
    let recorder = world.builder().alpn(Alpn::Http2).build().unwrap();
    match recorder.fetch(Request::get(site.url("/")), Sink::Discard).await {
        Err(FetchError::Truncated { cut: Cut::Closed, received: 5, .. }) => {}
        other => panic!("{other:?}"),
    }
}

/// The library takes an empty last frame for a contradiction to the length of an answer that has no body.
#[tokio::test]
async fn a_304_keeps_its_length_field() {
    let fields = [("content-length", "5"), ("etag", "\"1\"")];
    for frames in [
        vec![Frame::headers(304, &fields, true)],
        vec![Frame::headers(304, &fields, false), Frame::data(b"", true)],
    ] {
        let exchange = ends(frames, b"").await;
        assert_eq!((exchange.status, exchange.fields.etag()), (304, Some("\"1\"")));
    }
}

#[tokio::test]
async fn a_204_with_data_is_told() {
    let frames = vec![Frame::headers(204, &[], false), Frame::data(b"oops", true)];
    let exchange = ends(frames, b"oops").await;
    let warning = genten_fetch::Warning::UnexpectedBody { status: 204 };
    assert_eq!(exchange.warnings, [warning]);
}

#[tokio::test]
async fn a_head_answer_keeps_its_length_field() {
    let frames = vec![Frame::headers(200, &[("content-length", "5")], true)];
    let exchange = send(frames, "HEAD", false).await.unwrap();
    assert_eq!((exchange.content_bytes, exchange.completeness), (0, Completeness::Complete));
    assert_eq!(exchange.fields.get("content-length"), Some("5"));
}

/// A request that the server refuses to look at is not sent again behind the caller's back.
#[tokio::test]
async fn no_hidden_resends() {
    for frame in [Frame::reset(REFUSED_STREAM), Frame::go_away(0, NO_ERROR)] {
        let world = World::new();
        let site = world.site().frames(vec![frame.clone()]).start().await.unwrap();
        let recorder = world.builder().alpn(Alpn::Http2).build().unwrap();
        let error = recorder.fetch(Request::get(site.url("/")), Sink::Discard).await.unwrap_err();
        assert_eq!(error.code(), "fetch.no-answer", "{frame:?}: {error:?}");
        assert_eq!(site.connections(), 1, "{frame:?}");
    }
}

#[tokio::test]
async fn fields_that_break_the_rules() {
    for name in ["X-Upper", "connection"] {
        let frames = vec![head(&[(name, "x")]), Frame::data(b"", true)];
        let error = send(frames, "GET", true).await.unwrap_err();
        assert_eq!(error.code(), "fetch.protocol", "{name}: {error:?}");
    }
}

#[tokio::test]
async fn large_heads_pass() {
    let world = World::new();
    let answer = (0..900).fold(Answer::ok("x"), |answer, n| {
        answer.header(&format!("x-{n}"), "some value that takes its place")
    });
    let site = world.answering(answer).await;
    let recorder = world.builder().alpn(Alpn::Http2).build().unwrap();
    let exchange = recorder.fetch(Request::get(site.url("/")), Sink::Discard).await.unwrap();
    assert_eq!(exchange.fields.get("x-899"), Some("some value that takes its place"));
}
