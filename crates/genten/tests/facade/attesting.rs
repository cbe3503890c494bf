//! Facts of other programs, answers from a cache, and the times that a manifest states.

use genten::manifest::{Capture, Http, SourceClass, TlsChain};
use genten::primitives::Sha256Digest;
use genten::verify::{Basis, Code};
use genten::{Facts, Fetch, RevisionFrom, Terms};
use genten_testkit::Answer;

use crate::support::{NOW, World, read_back, time, verdict};

#[tokio::test]
async fn facts_of_another_program_are_signed_as_reported() {
    let world = World::new();
    let genten = world.genten();
    let facts = Facts::of_body("https://laws.example/1?v=2", NOW, b"the law").unwrap();
    let attested = genten.attest(&facts).await.unwrap();
    assert_eq!((attested.body(), attested.exchange.is_none()), (None, true));
    let claims = read_back(&attested);
    assert_eq!(claims.capture, Some(Capture::Reported));
    assert_eq!(claims.content_sha256, Sha256Digest::of(b"the law"));
    assert_eq!(claims.fetched_at, time(NOW));
    assert_eq!((claims.http, claims.tls, claims.retrieval), (None, None, None));
    let report = world.judge(&genten, &attested, b"the law");
    assert_eq!(verdict(&report), "accept");
    assert_eq!(report.basis, Basis::Reported);
    assert!(report.notes.iter().any(|note| note.code == Code::SOURCE_REPORTED));
}

#[tokio::test]
async fn everything_that_was_told_is_in_the_manifest() {
    let world = World::new();
    let genten = world.genten();
    let leaf = world.identity.leaf_der();
    let mut facts = Facts::of_body("https://localhost/1", NOW, b"the law").unwrap();
    facts.http = Some(Http { etag: Some("\"v1\"".parse().unwrap()), ..Http::with_status(200) });
    facts.tls_server_cert_sha256 = Some(Sha256Digest::of(leaf));
    let certificates = world.identity.chain().to_vec();
    facts.tls_chain = Some(TlsChain { certificates, scts: None, ocsp: None, tlog_proof: None });
    facts.terms = Terms {
        class: Some(SourceClass::Revisioned),
        revision: Some(RevisionFrom::Text("r-7".parse().unwrap())),
        ..Terms::default()
    };
    let attested = genten.attest(&facts).await.unwrap();
    let claims = read_back(&attested);
    let http = claims.http.unwrap();
    assert_eq!(http.content_bytes, Some(7), "the length is known, so it is told");
    assert_eq!(http.etag.unwrap().as_str(), "\"v1\"");
    assert_eq!(claims.source_class, Some(SourceClass::Revisioned));
    assert_eq!(claims.source_revision.unwrap().as_str(), "r-7");
    assert_eq!(verdict(&world.judge(&genten, &attested, b"the law")), "accept");
}

#[tokio::test]
async fn a_revision_in_the_etag_is_taken_from_the_facts_and_nowhere_else() {
    let world = World::new();
    let genten = world.genten();
    let mut facts = Facts::of_body("https://laws.example/1", NOW, b"the law").unwrap();
    facts.terms.revision = Some(RevisionFrom::Etag);
    // Without the field there is no revision, and leaving it out in silence would be a surprise.
    assert_eq!(genten.attest(&facts).await.unwrap_err().code(), "revision.not-found");
    facts.http = Some(Http { etag: Some("\"v1\"".parse().unwrap()), ..Http::with_status(200) });
    let attested = genten.attest(&facts).await.unwrap();
    assert_eq!(attested.manifest.claims.source_revision.unwrap().as_str(), "\"v1\"");
    for from in [RevisionFrom::Header("x-rev".into()), RevisionFrom::Json("/rev".into())] {
        facts.terms.revision = Some(from);
        assert_eq!(genten.attest(&facts).await.unwrap_err().code(), "revision.not-found");
    }
}

#[tokio::test]
async fn sources_that_are_not_the_web_can_be_reported() {
    let world = World::new();
    let genten = world.genten();
    for url in ["s3://bucket/key", "db:orders?row=7", "ftp://files.example/a"] {
        let attested = genten.attest(&Facts::of_body(url, NOW, b"row").unwrap()).await.unwrap();
        assert_eq!(attested.manifest.claims.source_url.as_str(), url);
        assert_eq!(verdict(&world.judge(&genten, &attested, b"row")), "accept", "{url}");
    }
}

#[tokio::test]
async fn the_time_of_signing_stands_in_the_manifest_after_more_than_a_minute() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let genten = world.genten();
    for (later, stated) in [(0, false), (60_000, false), (60_001, true), (86_400_000, true)] {
        world.clock.set(time(NOW));
        let exchange = genten.record(site.url("/")).await.unwrap();
        world.clock.advance_millis(later);
        let attested = genten.sign_exchange(exchange, &Terms::default()).await.unwrap();
        let claims = read_back(&attested);
        assert_eq!(claims.fetched_at, time(NOW));
        assert_eq!(claims.attested_at, stated.then(|| world.clock.now()), "{later}");
        assert_eq!(verdict(&world.judge(&genten, &attested, b"x")), "accept");
    }
}

/// 000-15, 001-02
#[tokio::test]
async fn an_answer_from_a_cache_keeps_the_time_of_the_network() {
    let world = World::new();
    let answer = Answer::ok("the law").header("etag", "\"v1\"");
    let site = world.answering(answer).await;
    let genten = world.genten();
    let fetch = Fetch::get(site.url("/")).class(SourceClass::Revisioned);
    let first = genten.fetch(fetch.revision(RevisionFrom::Etag)).await.unwrap();
    world.clock.advance_millis(3 * 86_400_000);
    let again = genten.attest_cached(&first, &Terms::default()).await.unwrap();

    assert_eq!(site.seen().len(), 1);
    let (old, new) = (read_back(&first), read_back(&again));
    assert_eq!(new.fetched_at, time(NOW));
    assert_eq!(new.attested_at, Some(time("2026-12-03T08:15:00.250Z")));
    assert_eq!(new.retrieval.as_ref().unwrap().served_from_cache, Some(true));
    assert_ne!(again.manifest_id, first.manifest_id);
    let mut expected = old.clone();
    expected.attested_at = new.attested_at;
    expected.retrieval.as_mut().unwrap().served_from_cache = Some(true);
    assert_eq!(new, expected, "all else is as it was fetched");
    for attested in [&first, &again] {
        assert_eq!(verdict(&world.judge(&genten, attested, b"the law")), "accept");
    }
    assert_eq!(again.bundle().to_json().windows(9).filter(|w| w == b"tls-chain").count(), 1);
}

#[tokio::test]
async fn a_cached_answer_is_bound_to_the_new_result_and_not_to_the_old_one() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let genten = world.genten();
    let (old, new) = (Sha256Digest::of(b"old result"), Sha256Digest::of(b"new result"));
    let first = genten.fetch(Fetch::get(site.url("/")).bind(old, None)).await.unwrap();
    let bound = Terms { result_sha256: Some(new), ..Terms::default() };
    let again = genten.attest_cached(&first, &bound).await.unwrap();
    assert_eq!(read_back(&again).result_sha256, Some(new));
    let unbound = genten.attest_cached(&first, &Terms::default()).await.unwrap();
    assert_eq!(read_back(&unbound).result_sha256, None);
}

/// A reader whose clock differs: half a minute is nobody's fault, more is for a person to look at.
#[tokio::test]
async fn a_clock_that_differs_a_little_passes_and_a_lot_is_named_with_both_times() {
    let world = World::new();
    let genten = world.genten();
    let facts = Facts::of_body("https://laws.example/1", NOW, b"x").unwrap();
    let attested = genten.attest(&facts).await.unwrap();
    for (behind, expected) in [
        (30_000, "accept"),
        (60_000, "accept"),
        (61_000, "review time.fetched-in-future"),
        (600_000, "review time.fetched-in-future"),
    ] {
        world.clock.set(time(NOW));
        world.clock.advance_millis(-behind);
        let report = world.judge(&genten, &attested, b"x");
        assert_eq!(verdict(&report), expected, "{behind}");
        let check = report.check(Code::TIME_FETCHED_IN_FUTURE);
        let sides = check.and_then(|check| check.detail.sides());
        let both = (world.clock.now().to_string(), NOW.to_owned());
        assert_eq!(sides, (expected != "accept").then_some(both));
    }
}
