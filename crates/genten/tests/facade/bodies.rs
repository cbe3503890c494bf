//! Where the body goes, and in which form it may be shown to a verifier.

use genten::fetch::{Body as Kept, Request, Sink};
use genten::manifest::Completeness;
use genten::primitives::Sha256Digest;
use genten::verify::Code;
use genten::{Body, Fetch, Policy};
use genten_testkit::{Answer, Content, End, Framing, Offer};

use crate::support::{World, gzip, read_back, verdict, verifier};

#[tokio::test]
async fn a_body_in_memory_in_a_file_or_nowhere_gives_one_digest() {
    let world = World::new();
    let site = world.answering(Answer::ok("the bytes")).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("doc.txt");
    let genten = world.genten();
    let mut written = Vec::new();
    let sinks = [
        Sink::Memory { limit: 9 },
        Sink::File(path.clone()),
        Sink::Discard,
        Sink::Writer(&mut written),
    ];
    for sink in sinks {
        let attested = genten.fetch(Fetch::get(site.url("/")).sink(sink)).await.unwrap();
        let in_memory = matches!(attested.exchange.as_ref().unwrap().body, Kept::Memory(_));
        assert_eq!(attested.body(), in_memory.then_some(&b"the bytes"[..]));
        assert_eq!(verdict(&world.judge(&genten, &attested, b"the bytes")), "accept");
        let other = world.judge(&genten, &attested, b"the bytez");
        assert_eq!(verdict(&other), "reject content.other-bytes");
    }
    assert_eq!(std::fs::read(&path).unwrap(), b"the bytes");
    assert_eq!(written, b"the bytes");
}

#[tokio::test]
async fn without_a_body_the_report_says_so_and_a_missing_one_is_no_pass() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let genten = world.genten();
    let bundle = genten.fetch(site.url("/")).await.unwrap().bundle().to_json();
    let verifier = verifier(&genten, Policy::built_in("basic").unwrap());
    let report = verifier.verify_bytes(&bundle, &Body::NotGiven, world.clock.now());
    assert_eq!(verdict(&report), "accept");
    assert!(report.check(Code::CONTENT_NOT_GIVEN).is_some());
    let report = verifier.verify_bytes(&bundle, &Body::NotFound, world.clock.now());
    assert_eq!(verdict(&report), "review content.not-found");
}

/// A stored `.tar.gz` that a server labels as a content coding: the file is what came, the bare tar is the decoded form.
///
/// 001-03
#[tokio::test]
async fn a_coded_body_verifies_in_both_forms_and_the_report_says_which() {
    let world = World::new();
    let tar = b"a tar archive, as far as this test goes".repeat(100);
    let stored = gzip(&tar);
    for served in [stored.clone(), gzip(&stored)] {
        let answer = Answer::ok(served.clone()).header("content-encoding", "gzip");
        let site = world.answering(answer).await;
        let genten = world.genten();
        let attested = genten.fetch(site.url("/doc.tar.gz")).await.unwrap();
        let decoded = if served == stored { tar.as_slice() } else { &stored };

        let claims = read_back(&attested);
        assert_eq!(claims.content_sha256, Sha256Digest::of(&served));
        assert_eq!(claims.decoded_sha256(), Some(Sha256Digest::of(decoded)));
        assert_eq!(claims.http.unwrap().content_encoding.unwrap().as_str(), "gzip");
        let raw = world.judge(&genten, &attested, &served);
        assert_eq!(verdict(&raw), "accept");
        assert!(raw.check(Code::CONTENT_MATCHES).is_some());
        let unpacked = world.judge(&genten, &attested, decoded);
        assert_eq!(verdict(&unpacked), "accept");
        assert!(unpacked.check(Code::CONTENT_MATCHES_DECODED).is_some());
    }
}

#[tokio::test]
async fn a_body_that_does_not_decode_is_signed_as_it_came() {
    let world = World::new();
    let site = world.answering(Answer::ok("no gzip").header("content-encoding", "gzip")).await;
    let genten = world.genten();
    let attested = genten.fetch(site.url("/")).await.unwrap();
    assert_eq!(attested.warnings().len(), 1);
    let claims = read_back(&attested);
    assert_eq!(claims.decoded_sha256(), None);
    assert_eq!(claims.http.unwrap().content_encoding.unwrap().as_str(), "gzip");
    assert_eq!(verdict(&world.judge(&genten, &attested, b"no gzip")), "accept");
}

#[tokio::test]
async fn one_file_has_one_digest_over_both_protocols_and_all_framings() {
    let world = World::new();
    let mut digests = Vec::new();
    for (offer, framing) in [
        (Offer::Http1, Framing::Length),
        (Offer::Http1, Framing::Chunked(7)),
        (Offer::Http1, Framing::Close),
        (Offer::Http2, Framing::Length),
    ] {
        let answer = Answer::ok(vec![b'x'; 100]).framing(framing);
        let site = world.site().offer(offer).route("/", answer).start().await.unwrap();
        let attested = world.genten().fetch(site.url("/")).await.unwrap();
        digests.push(attested.manifest.claims.content_sha256);
    }
    assert!(digests.iter().all(|digest| *digest == Sha256Digest::of(&[b'x'; 100])));
}

/// Chunks, and then the connection ends where the last chunk should be: everything looks whole, and is not.
#[tokio::test]
async fn a_body_cut_at_a_chunk_boundary_is_signed_only_as_partial() {
    let world = World::new();
    let cut = Answer::ok("only the first chunk").framing(Framing::Chunked(20)).end(End::Fin);
    let site = world.site().offer(Offer::Http1).route("/", cut).start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let genten = world.builder().home(folder.path().join("home")).build().unwrap();
    let path = folder.path().join("body");

    let fetch = Fetch::get(site.url("/")).sink(Sink::File(path.clone()));
    let error = genten.fetch(fetch).await.unwrap_err();
    assert_eq!(error.code(), "fetch.truncated");
    assert!(!path.exists());
    assert_eq!(genten.journal().unwrap().count(&Default::default()).unwrap(), 0);

    let request = Request::get(site.url("/")).allow_partial(true);
    let attested = genten.fetch(request).await.unwrap();
    let http = read_back(&attested).http.unwrap();
    assert_eq!(http.completeness, Some(Completeness::Partial));
    for policy in ["basic", "mcp11", "high-trust"] {
        let report = world.judge_under(policy, &genten, &attested, b"only the first chunk");
        assert_eq!(report.verdict.as_str(), "review", "{policy}");
        assert!(report.check(Code::CONTENT_PARTIAL).is_some(), "{policy}");
    }
}

/// A server that was asked for the first kilobyte and sends everything.
#[tokio::test]
async fn a_server_that_ignores_a_range_gave_the_whole() {
    let world = World::new();
    let everything = Content::Repeated { piece: vec![b'x'; 4096], times: 1024 };
    let answer = Answer::status(200).content(everything).framing(Framing::Chunked(4096));
    let site = world.site().offer(Offer::Http1).route("/law", answer).start().await.unwrap();
    let genten = world.genten();
    let request = Request::get(site.url("/law")).range(0..=1023);
    let attested = genten.fetch(Fetch::new(request).sink(Sink::Discard)).await.unwrap();
    let claims = read_back(&attested);
    assert_eq!(claims.content_sha256, Sha256Digest::of(&vec![b'x'; 4 << 20]));
    let http = claims.http.unwrap();
    assert_eq!((http.status, http.range), (200, None));
    assert_eq!(http.completeness, Some(Completeness::Complete));
}
