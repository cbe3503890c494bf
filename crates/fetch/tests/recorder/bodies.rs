//! The bytes that are recorded, and where they go.

use std::io::{self, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use genten_fetch::{
    Body, Completeness, DecodeFailure, DecodeLimits, FetchError, Request, Sink, Warning,
};
use genten_primitives::Sha256Digest;
use genten_testkit::{Answer, Clock, Content, End, Framing};
use tokio::io::AsyncWrite;

use crate::support::{PROTOCOLS, World, bytes, get};

#[tokio::test]
async fn a_file_appears_whole() {
    let world = World::new();
    let site = world.answering(Answer::ok("on disk").framing(Framing::Chunked(3))).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("doc.txt");
    std::fs::write(&path, "an older copy").unwrap();
    let request = Request::get(site.url("/doc"));
    let exchange = world.recorder().fetch(request, Sink::File(path.clone())).await.unwrap();
    assert_eq!(exchange.body, Body::File(path.clone()));
    assert_eq!(std::fs::read(&path).unwrap(), b"on disk");
    assert_eq!(exchange.completeness, Completeness::Complete);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_has_ordinary_permissions() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let folder = tempfile::tempdir().unwrap();
    let [fetched, ordinary] = ["fetched", "ordinary"].map(|name| folder.path().join(name));
    std::fs::write(&ordinary, "x").unwrap();
    let request = Request::get(site.url("/"));
    world.recorder().fetch(request, Sink::File(fetched.clone())).await.unwrap();
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(fetched), mode(ordinary));
}

#[tokio::test]
async fn a_failed_fetch_leaves_the_folder_as_it_was() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("doc.txt");
    std::fs::write(&path, "an older copy").unwrap();
    let raw = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello";
    for (answer, code) in [
        (Answer::raw(raw, End::Clean), "fetch.truncated"),
        (Answer::ok(vec![0; 101]).framing(Framing::Chunked(50)), "fetch.too-large"),
        (Answer::redirect(302, "/"), "fetch.redirect.loop"),
    ] {
        let site = world.site().offer(genten_testkit::Offer::Http1);
        let site = site.handler(move |_| answer.clone()).start().await.unwrap();
        let request = Request::get(site.url("/")).max_bytes(100);
        let error = world.recorder().fetch(request, Sink::File(path.clone())).await.unwrap_err();
        assert_eq!(error.code(), code);
        assert_eq!(std::fs::read(&path).unwrap(), b"an older copy");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

/// Cancelled in the middle, nothing stays.
#[tokio::test]
async fn a_cancelled_fetch_leaves_nothing() {
    let world = World::new();
    for (alpn, offer) in PROTOCOLS {
        let half = Answer::ok(vec![7; 300_000]).framing(Framing::Chunked(1000)).end(End::Hang);
        let site = world.site().offer(offer).handler(move |_| half.clone()).start().await.unwrap();
        let recorder = world.builder().alpn(alpn).build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("doc.bin");
        let request = Request::get(site.url("/"));
        {
            let fetching = recorder.fetch(request, Sink::File(path.clone()));
            let watching = until(|| std::fs::read_dir(folder.path()).unwrap().count() == 1);
            tokio::select! {
                result = fetching => panic!("{result:?}"),
                () = watching => {}
            }
        }
        until(|| std::fs::read_dir(folder.path()).unwrap().count() == 0).await;
    }
}

/// Waits for something that other threads bring about.
async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_writer_gets_the_bytes() {
    let world = World::new();
    let content = Content::Repeated { piece: vec![7; 1000], times: 50 };
    let site = world.answering(Answer::status(200).content(content)).await;
    let mut written = Vec::new();
    let request = Request::get(site.url("/"));
    let exchange = world.recorder().fetch(request, Sink::Writer(&mut written)).await.unwrap();
    assert_eq!(written, vec![7; 50_000]);
    assert_eq!(exchange.content_sha256, Sha256Digest::of(&written));
    assert_eq!(exchange.body, Body::Written);
}

/// A disk that is full after the first bytes.
struct FullDisk;

impl AsyncWrite for FullDisk {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(io::ErrorKind::StorageFull.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn sinks_that_fail() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let request = Request::get(site.url("/"));
    let recorder = world.recorder();
    let error = recorder.fetch(request.clone(), Sink::Writer(&mut FullDisk)).await.unwrap_err();
    assert_eq!(error.code(), "fetch.sink.full");
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("missing/doc"), "/".into()] {
        let error = recorder.fetch(request.clone(), Sink::File(path)).await.unwrap_err();
        assert_eq!(error.code(), "fetch.sink");
    }
}

/// The disk of this device is always full.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_device() {
    let world = World::new();
    let site = world.answering(Answer::ok(vec![0; 1 << 20])).await;
    let Ok(mut device) = tokio::fs::OpenOptions::new().write(true).open("/dev/full").await else {
        return eprintln!("SKIPPED: no /dev/full");
    };
    let request = Request::get(site.url("/"));
    let error = world.recorder().fetch(request, Sink::Writer(&mut device)).await.unwrap_err();
    assert_eq!(error.code(), "fetch.sink.full");
}

#[tokio::test]
async fn limits() {
    let world = World::new();
    for framing in [Framing::Length, Framing::Chunked(10)] {
        let site = world.answering(Answer::ok(vec![0; 101]).framing(framing)).await;
        let request = Request::get(site.url("/"));
        let recorder = world.recorder();
        let announced = (framing == Framing::Length).then_some(101);
        let too_large = |result| match result {
            Err(FetchError::TooLarge { limit: 100, announced: found }) => found == announced,
            other => panic!("{other:?}"),
        };
        assert!(too_large(recorder.fetch(request.clone(), Sink::Memory { limit: 100 }).await));
        let limited = request.clone().max_bytes(100);
        assert!(too_large(recorder.fetch(limited, Sink::Discard).await));
        recorder.fetch(request.max_bytes(101), Sink::Memory { limit: 101 }).await.unwrap();
    }
}

#[tokio::test]
async fn times_are_those_of_the_clock() {
    let world = World::new();
    let start: genten_primitives::Timestamp = "2026-11-30T08:15:00.125Z".parse().unwrap();
    let clock = Clock::at(start);
    let site = {
        let clock = clock.clone();
        let handler = move |_: &_| {
            clock.advance_millis(2000);
            Answer::ok("x")
        };
        world.site().handler(handler).start().await.unwrap()
    };
    let recorder = world.builder().clock(move || clock.now()).build().unwrap();
    let exchange = get(&recorder, site.url("/")).await.unwrap();
    assert_eq!(exchange.started_at, start);
    assert_eq!(exchange.fetched_at.to_string(), "2026-11-30T08:15:02.125Z");
}

#[tokio::test]
async fn time_outs() {
    let world = World::new();
    let soon = Duration::from_millis(50);
    let hang = Answer::ok("half").framing(Framing::Chunked(9)).end(End::Hang);
    let site = world.site().offer(genten_testkit::Offer::Http1);
    let site = site
        .route("/body", hang)
        .handler(|_| Answer::raw("HTTP/1.1 ", End::Hang))
        .start()
        .await
        .unwrap();
    let recorder = world.builder().connect_timeout(soon * 20).build().unwrap();
    for path in ["/body", "/head"] {
        let request = Request::get(site.url(path));
        let idle = recorder.fetch(request.clone().idle_timeout(soon), Sink::Discard);
        assert_eq!(idle.await.unwrap_err().code(), "fetch.timeout", "{path}");
        let total = recorder.fetch(request.total_timeout(soon * 4), Sink::Discard).await;
        let error = total.unwrap_err();
        assert_eq!(error.to_string(), "the whole fetch took longer than 200ms");
    }
    // A server that accepts and then says nothing: no TLS.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let recorder = world.builder().connect_timeout(soon).build().unwrap();
    let url = format!("https://{}/", silent.local_addr().unwrap());
    let error = get(&recorder, url).await.unwrap_err();
    assert_eq!(error.to_string(), "the connection took longer than 50ms");
}

#[tokio::test]
async fn defaults_of_a_request() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let exchange = get(&world.recorder(), site.url("/?b=2&a=1")).await.unwrap();
    assert_eq!(bytes(&exchange), b"x");
    assert_eq!(exchange.request, None);
    let seen = &site.seen()[0];
    assert_eq!(seen.target, "/?b=2&a=1");
    assert_eq!(seen.header("accept-encoding").as_deref(), Some("identity"));
    assert_eq!(seen.header("accept").as_deref(), Some("*/*"));
    assert!(seen.header("user-agent").unwrap().starts_with("genten/"));
    for absent in ["range", "referer", "cookie", "authorization"] {
        assert_eq!(seen.header(absent), None);
    }
}

#[tokio::test]
async fn what_the_caller_sets_replaces_defaults() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let request = Request::get(site.url("/"))
        .header("Accept-Encoding", "br")
        .header("accept-encoding", "gzip")
        .header("user-agent", "other/1");
    let exchange = world.recorder().fetch(request, Sink::Discard).await.unwrap();
    let seen = &site.seen()[0];
    let sent: Vec<_> = seen.headers.iter().filter(|(name, _)| name == "accept-encoding").collect();
    assert_eq!(sent.len(), 2);
    assert_eq!(seen.header("user-agent").as_deref(), Some("other/1"));
    let shown = [("accept-encoding", "br"), ("accept-encoding", "gzip"), ("user-agent", "other/1")];
    let shown = shown.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(exchange.request.unwrap().headers, shown);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A stored .tar.gz that is also declared as gzip, and one that is really compressed twice.
#[tokio::test]
async fn the_tarball_that_is_also_gzip() {
    let world = World::new();
    let tar = b"a tar archive, as far as anybody here can tell".repeat(100);
    let stored = gzip(&tar);
    let twice = gzip(&stored);
    for (alpn, offer) in PROTOCOLS {
        let site = world
            .site()
            .offer(offer)
            .route("/doc.tar.gz", Answer::ok(stored.clone()).header("content-encoding", "gzip"))
            .route("/twice", Answer::ok(twice.clone()).header("content-encoding", "gzip, gzip"))
            .start()
            .await
            .unwrap();
        let recorder = world.builder().alpn(alpn).build().unwrap();
        for (path, wire, coding) in
            [("/doc.tar.gz", &stored, "gzip"), ("/twice", &twice, "gzip, gzip")]
        {
            let exchange = get(&recorder, site.url(path)).await.unwrap();
            assert_eq!(bytes(&exchange), &wire[..]);
            assert_eq!(exchange.content_sha256, Sha256Digest::of(wire));
            assert_eq!(exchange.content_bytes, wire.len() as u64);
            assert_eq!(exchange.decoded_sha256(), Some(Sha256Digest::of(&tar)));
            assert_eq!(exchange.fields.content_encoding().as_deref(), Some(coding));
        }
    }
}

#[tokio::test]
async fn a_body_that_does_not_decode_is_recorded() {
    let world = World::new();
    let failures = [
        ("gzip", DecodeFailure::Malformed { coding: "gzip" }),
        ("rot13", DecodeFailure::Unknown("rot13".into())),
    ];
    for (coding, failure) in failures {
        let site = world.answering(Answer::ok("plain").header("content-encoding", coding)).await;
        let exchange = get(&world.recorder(), site.url("/")).await.unwrap();
        assert_eq!(exchange.content_sha256, Sha256Digest::of(b"plain"));
        assert_eq!(exchange.decoded, Some(Err(failure.clone())));
        assert_eq!(exchange.warnings, [Warning::Coding(failure)]);
        assert_eq!(exchange.retrieval.anomalies[0].kind.as_str(), "malformed_body");
    }
}

#[tokio::test]
async fn a_bomb_is_recorded_unexploded() {
    let world = World::new();
    let bomb = gzip(&vec![0; 8 << 20]);
    let site = world.answering(Answer::ok(bomb.clone()).header("content-encoding", "gzip")).await;
    let limits = DecodeLimits { bytes: 1 << 20, ratio: 1000, grace: 1 << 16 };
    let recorder = world.builder().decode_limits(limits).build().unwrap();
    let exchange = get(&recorder, site.url("/")).await.unwrap();
    assert_eq!(exchange.content_sha256, Sha256Digest::of(&bomb));
    assert!(matches!(exchange.decoded, Some(Err(DecodeFailure::Bomb { .. }))));
}

#[tokio::test]
async fn nothing_to_decode_is_no_failure() {
    let world = World::new();
    for answer in [Answer::status(204), Answer::status(304), Answer::ok("")] {
        let site = world.answering(answer.header("content-encoding", "gzip")).await;
        let exchange = get(&world.recorder(), site.url("/")).await.unwrap();
        assert_eq!((exchange.decoded, exchange.warnings.len()), (None, 0));
    }
    let site = world.answering(Answer::ok("x").header("content-encoding", "identity")).await;
    assert_eq!(get(&world.recorder(), site.url("/")).await.unwrap().decoded, None);
}

#[tokio::test]
async fn fields_are_verbatim() {
    let world = World::new();
    let answer = Answer::ok("x")
        .header("content-type", "text/plain;  charset=\"x\"")
        .header("etag", "W/\"1\"")
        .header("age", "40")
        .header("last-modified", "yesterday")
        .header("date", "Mon, 30 Nov 2026 08:15:00 GMT")
        .header("content-disposition", b"attachment; filename=\"\xe9\"".to_vec())
        .header("signature-input", "s=(\"etag\" \"@status\");created=1")
        .header("signature", "s=:AAAA:")
        .header("etag", "\"2\"");
    let site = world.answering(answer).await;
    let exchange = get(&world.recorder(), site.url("/")).await.unwrap();
    let fields = &exchange.fields;
    assert_eq!(fields.media_type(), Some("text/plain;  charset=\"x\""));
    assert_eq!(fields.etag(), Some("W/\"1\""));
    assert_eq!(fields.age(), Some("40"));
    assert_eq!(fields.last_modified(), Some("yesterday"));
    assert_eq!(fields.date(), Some("Mon, 30 Nov 2026 08:15:00 GMT"));
    assert_eq!(fields.content_disposition(), Some("attachment; filename=\"\u{e9}\""));
    let signature: Vec<_> = fields.signature().into_iter().map(|(name, _)| name).collect();
    assert_eq!(signature, ["etag", "etag", "signature-input", "signature"]);
    assert_eq!(exchange.warnings, [Warning::RepeatedField { name: "etag" }]);
}
