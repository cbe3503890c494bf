//! Every way in which an HTTP/1.1 body can end, well or badly.

use genten_fetch::{Alpn, Completeness, Cut, Exchange, FetchError, Request, Sink};
use genten_testkit::{Answer, End, HttpsSite};

use crate::support::{LIMIT, World, bytes};

const OK: &str = "HTTP/1.1 200 OK\r\n";

struct Case {
    world: World,
    encrypted: bool,
}

impl Case {
    fn tls() -> Self {
        Self { world: World::new(), encrypted: true }
    }

    fn clear() -> Self {
        Self { world: World::new(), encrypted: false }
    }

    async fn send(&self, raw: &str, end: End, partial: bool) -> Result<Exchange, FetchError> {
        let answer = Answer::raw(format!("{OK}{raw}"), end);
        let builder = if self.encrypted { self.world.site() } else { HttpsSite::builder() };
        let site = builder.handler(move |_| answer.clone()).start().await.unwrap();
        let recorder = self.world.builder().alpn(Alpn::Http1).build().unwrap();
        let request = Request::get(site.url("/")).allow_partial(partial);
        recorder.fetch(request, Sink::Memory { limit: LIMIT }).await
    }

    /// The answer is truncated in this way; with partial bodies allowed, `content` of it is recorded.
    async fn cut(&self, raw: &str, end: End, cut: Cut, content: &str) {
        match self.send(raw, end, false).await {
            Err(error @ FetchError::Truncated { cut: found, received, .. }) => {
                assert_eq!((found, received), (cut, content.len() as u64), "{raw:?} {end:?}");
                assert_eq!(error.code(), "fetch.truncated");
            }
            other => panic!("{raw:?} {end:?}: {other:?}"),
        }
        let partial = self.send(raw, end, true).await.unwrap();
        assert_eq!(bytes(&partial), content.as_bytes(), "{raw:?}");
        assert_eq!(partial.completeness, Completeness::Partial, "{raw:?}");
    }

    async fn ends(&self, raw: &str, end: End, completeness: Completeness, content: &str) {
        let exchange = self.send(raw, end, false).await;
        let exchange = exchange.unwrap_or_else(|error| panic!("{raw:?} {end:?}: {error:?}"));
        assert_eq!(bytes(&exchange), content.as_bytes(), "{raw:?}");
        assert_eq!(exchange.completeness, completeness, "{raw:?} {end:?}");
        assert_eq!(exchange.range, None);
    }

    async fn breaks_http(&self, raw: &str) {
        match self.send(raw, End::Clean, true).await {
            Err(error @ FetchError::Protocol { .. }) => assert_eq!(error.code(), "fetch.protocol"),
            other => panic!("{raw:?}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn complete_by_length_or_last_chunk() {
    for case in [Case::tls(), Case::clear()] {
        for raw in [
            "content-length: 5\r\n\r\nhello",
            "content-length: 5\r\ncontent-length: 5\r\n\r\nhello",
            "content-length: 5, 5\r\n\r\nhello",
            "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "Transfer-Encoding: Chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
            "transfer-encoding: chunked\r\n\r\n5;ext=1\r\nhello\r\n0;last\r\n\r\n",
        ] {
            case.ends(raw, End::Clean, Completeness::Complete, "hello").await;
            // Whole by its framing: how the connection ends afterwards does not matter.
            case.ends(raw, End::Fin, Completeness::Complete, "hello").await;
        }
    }
}

/// The digest does not depend on where the chunks are cut.
#[tokio::test]
async fn transfer_framing_is_not_content() {
    let case = Case::tls();
    let mut digests = Vec::new();
    for raw in [
        "content-length: 5\r\n\r\nhello",
        "transfer-encoding: chunked\r\n\r\n1\r\nh\r\n4\r\nello\r\n0\r\n\r\n",
        "connection: close\r\n\r\nhello",
    ] {
        digests.push(case.send(raw, End::Clean, false).await.unwrap().content_sha256);
    }
    assert!(digests.iter().all(|digest| *digest == digests[0]));
}

#[tokio::test]
async fn trailers_are_recorded_and_not_hashed() {
    let case = Case::tls();
    let raw = "transfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n5\r\nhello\r\n0\r\nx-sum: 7\r\nx-more: 8\r\n\r\n";
    let exchange = case.send(raw, End::Clean, false).await.unwrap();
    assert_eq!(bytes(&exchange), b"hello");
    assert_eq!(exchange.trailers.get("x-sum"), Some("7"));
    assert_eq!(exchange.completeness, Completeness::Complete);
}

#[tokio::test]
async fn shorter_than_its_length() {
    let raw = "content-length: 9\r\n\r\nhello";
    Case::clear().cut(raw, End::Fin, Cut::Closed, "hello").await;
    Case::tls().cut(raw, End::Clean, Cut::Closed, "hello").await;
    Case::tls().cut(raw, End::Fin, Cut::NoCloseNotify, "hello").await;
}

#[tokio::test]
async fn a_truncated_body_says_which_part_it_is() {
    let raw = "content-length: 9\r\n\r\nhello";
    let exchange = Case::tls().send(raw, End::Clean, true).await.unwrap();
    assert_eq!(exchange.range.as_deref(), Some("bytes 0-4/9"));
    let raw = "content-length: 9\r\n\r\n";
    let exchange = Case::tls().send(raw, End::Clean, true).await.unwrap();
    assert_eq!((exchange.content_bytes, exchange.range), (0, None));
}

/// A chunked body that ends anywhere but after the empty chunk.
#[tokio::test]
async fn chunks_that_stop_early() {
    for (raw, content) in [
        ("3\r\nabc\r\n5\r\nhel", "abchel"),
        ("5\r\nhello\r\n", "hello"),
        ("5\r\nhello", "hello"),
        ("5\r\nhello\r\n0\r\n", "hello"),
        ("5\r\nhello\r\n0\r\nx-sum: 1\r\n", "hello"),
        ("5\r\nhello\r\n0\r\nXX", "hello"),
        ("5", ""),
        ("", ""),
    ] {
        let raw = format!("transfer-encoding: chunked\r\n\r\n{raw}");
        Case::clear().cut(&raw, End::Fin, Cut::Closed, content).await;
        Case::tls().cut(&raw, End::Clean, Cut::Closed, content).await;
        Case::tls().cut(&raw, End::Fin, Cut::NoCloseNotify, content).await;
    }
}

#[tokio::test]
async fn chunks_that_are_broken() {
    for (raw, content) in [
        ("5\r\nhello\r\nzz\r\nabc", "hello"),
        ("5\r\nhelloXX5\r\nworld\r\n0\r\n\r\n", "hello"),
        ("5\nhello\n0\n\n", ""),
        ("5\r\nhello\r\nfffffffffffffffff\r\nabc", "hello"),
    ] {
        let raw = format!("transfer-encoding: chunked\r\n\r\n{raw}");
        Case::tls().cut(&raw, End::Clean, Cut::Malformed, content).await;
    }
}

#[tokio::test]
async fn a_reset_connection() {
    for raw in
        ["content-length: 9\r\n\r\nhello", "transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"]
    {
        let case = Case::clear();
        // Whether the bytes before a reset arrive is up to the kernel, so only the error is certain.
        match case.send(raw, End::Reset, false).await {
            Err(FetchError::Truncated { cut: Cut::Reset, .. } | FetchError::NoAnswer { .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn until_the_connection_ends() {
    let raw = "connection: close\r\n\r\nhello";
    Case::tls().ends(raw, End::Clean, Completeness::Complete, "hello").await;
    Case::tls().cut(raw, End::Fin, Cut::NoCloseNotify, "hello").await;
    Case::clear().ends(raw, End::Fin, Completeness::Unverifiable, "hello").await;
}

#[tokio::test]
async fn contradictory_or_unknown_framing_is_unverifiable() {
    for case in [Case::tls(), Case::clear()] {
        for (raw, content) in [
            (
                "content-length: 9\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                "hello",
            ),
            ("transfer-encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"),
            ("transfer-encoding: gzip\r\n\r\nhello", "hello"),
            ("transfer-encoding: xchunked\r\n\r\nhello", "hello"),
            ("transfer-encoding: chunked, gzip\r\n\r\nhello", "hello"),
        ] {
            case.ends(raw, End::Clean, Completeness::Unverifiable, content).await;
        }
    }
}

/// Bytes after the body cannot be seen, and must not become anything else: every fetch has its own connection.
#[tokio::test]
async fn surplus_is_never_the_next_answer() {
    let world = World::new();
    let smuggled = "content-length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nEVIL";
    let answer = Answer::raw(format!("{OK}{smuggled}"), End::Hang);
    let site = world.site().handler(move |_| answer.clone()).start().await.unwrap();
    let recorder = world.builder().alpn(Alpn::Http1).build().unwrap();
    for _ in 0..2 {
        let request = Request::get(site.url("/"));
        let exchange = recorder.fetch(request, Sink::Memory { limit: 9 }).await.unwrap();
        assert_eq!(bytes(&exchange), b"hello");
    }
    assert_eq!(site.connections(), 2);
}

#[tokio::test]
async fn heads_that_break_the_rules() {
    let case = Case::tls();
    for raw in [
        "content-length: 5\r\ncontent-length: 6\r\n\r\nhello",
        "content-length: +5\r\n\r\nhello",
        "content-length: \r\n\r\nhello",
        "x: a\x01b\r\n\r\n",
        "x: a\r\n b\r\n\r\n",
        "x : a\r\n\r\n",
        "x\u{fc}: a\r\n\r\n",
    ] {
        case.breaks_http(raw).await;
    }
    let answer = Answer::raw("HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", End::Clean);
    let site = case.world.site().handler(move |_| answer.clone()).start().await.unwrap();
    let recorder = case.world.builder().alpn(Alpn::Http1).build().unwrap();
    let error = recorder.fetch(Request::get(site.url("/")), Sink::Discard).await.unwrap_err();
    assert_eq!(error.code(), "fetch.protocol");
}

#[tokio::test]
async fn heads_that_never_end() {
    let world = World::new();
    for (raw, end) in [("", End::Clean), ("HTTP/1.1 200 OK\r\nx: y\r\n", End::Clean)] {
        let answer = Answer::raw(raw, end);
        let site = world.site().handler(move |_| answer.clone()).start().await.unwrap();
        let recorder = world.builder().alpn(Alpn::Http1).build().unwrap();
        let error = recorder.fetch(Request::get(site.url("/")), Sink::Discard).await.unwrap_err();
        assert_eq!(error.code(), "fetch.no-answer", "{raw:?}: {error:?}");
    }
}

#[tokio::test]
async fn large_heads_pass() {
    let case = Case::tls();
    let many: String = (0..900).map(|n| format!("x-{n}: y\r\n")).collect();
    let exchange =
        case.send(&format!("{many}content-length: 2\r\n\r\nok"), End::Clean, false).await.unwrap();
    assert_eq!(exchange.fields.iter().count(), 901);
    let wide = format!("x: {}\r\ncontent-length: 2\r\n\r\nok", "y".repeat(300_000));
    assert_eq!(case.send(&wide, End::Clean, false).await.unwrap().content_bytes, 2);
}
