//! What is not signed, each with a code that programs can rely on and a hint for people.

use genten::fetch::Request;
use genten::jws::Algorithm;
use genten::manifest::{Completeness, Http, Redirect, SourceUrl, TlsChain};
use genten::primitives::Sha256Digest;
use genten::store::Home;
use genten::{Error, Facts, Genten, KeyRing, NewKeyId};
use genten_testkit::Answer;

use crate::support::{NOW, World, secret, signer};

#[track_caller]
fn is_refused(error: &Error, code: &str) {
    assert_eq!(error.code(), code, "{error:?}");
    assert!(!error.hint().is_empty() && !error.to_string().is_empty());
}

fn facts() -> Facts {
    Facts::of_body("https://laws.example/1", NOW, b"the law").unwrap()
}

#[test]
fn facts_in_another_spelling_are_refused_at_once() {
    for (url, code) in [
        ("https://laws.example/#part", "manifest.url.fragment"),
        ("https://user:s3cret@laws.example/", "manifest.url.user-info"),
        ("https://laws.example/a b", "manifest.url.character"),
        ("/law", "manifest.url.not-absolute"),
        ("", "manifest.url.not-absolute"),
    ] {
        let error = Facts::of_body(url, NOW, b"").unwrap_err();
        is_refused(&error, code);
        assert!(!format!("{error:?} {error} {}", error.hint()).contains("s3cret"));
    }
    for moment in ["2026-11-30", "2026-11-30 08:15:00Z", "2026-11-30T08:15:00+00:00", "yesterday"] {
        let error = Facts::of_body("https://laws.example/", moment, b"").unwrap_err();
        is_refused(&error, "manifest.time");
    }
}

fn url(text: &str) -> SourceUrl {
    text.parse().unwrap()
}

fn with_http(change: impl FnOnce(&mut Http)) -> Facts {
    let mut http = Http::with_status(200);
    change(&mut http);
    Facts { http: Some(http), ..facts() }
}

fn hop(from: &str, location: &str) -> Redirect {
    Redirect {
        url: url(from),
        status: 301,
        location: location.parse().unwrap(),
        tls_server_cert_sha256: None,
    }
}

#[tokio::test]
async fn facts_that_contradict_each_other_are_refused() {
    let digest = Sha256Digest::of(b"");
    let genten = World::new().genten();
    let cases = [
        (
            "manifest.certificate-without-tls",
            Facts {
                source_url: url("http://laws.example/1"),
                tls_server_cert_sha256: Some(digest),
                ..facts()
            },
        ),
        ("manifest.file-not-local", Facts { source_url: url("file:///etc/hosts"), ..facts() }),
        ("manifest.decoded-without-coding", with_http(|http| http.decoded_sha256 = Some(digest))),
        (
            "manifest.final-url-repeated",
            with_http(|http| http.final_url = Some(url("https://laws.example/1"))),
        ),
        (
            "manifest.redirect-chain",
            with_http(|http| http.final_url = Some(url("https://laws.example/2"))),
        ),
        (
            "manifest.redirect-chain",
            with_http(|http| {
                http.redirects = vec![hop("https://laws.example/1", "/3")];
                http.final_url = Some(url("https://laws.example/2"));
            }),
        ),
        (
            "manifest.redirect-chain",
            with_http(|http| {
                http.redirects = vec![hop("https://other.example/1", "https://laws.example/2")];
                http.final_url = Some(url("https://laws.example/2"));
            }),
        ),
        (
            "manifest.range-not-partial",
            with_http(|http| {
                http.range = Some("bytes 0-1/2".parse().unwrap());
                http.completeness = Some(Completeness::Complete);
            }),
        ),
    ];
    for (code, facts) in cases {
        let error = genten.attest(&facts).await.unwrap_err();
        is_refused(&error, code);
        assert!(matches!(error, Error::Contradiction(_)), "{error:?}");
    }
}

#[tokio::test]
async fn members_of_others_keep_the_rules() {
    let genten = World::new().genten();
    for (name, value, code) in [
        ("ticket", "1", "manifest.extension-name"),
        ("source_url", "1", "manifest.extension-name"),
        ("org.example.x", "1.5", "json.fraction"),
        ("org.example.x", "9007199254740993", "json.integer-range"),
        ("org.example.x", r#"{"a":1,"a":2}"#, "json.duplicate-member"),
        ("org.example.x", r#""\ud800""#, "json.lone-surrogate"),
        ("org.example.x", "", "json.unexpected-end"),
    ] {
        let mut facts = facts();
        facts.terms.extensions = vec![(name.into(), value.as_bytes().to_vec())];
        is_refused(&genten.attest(&facts).await.unwrap_err(), code);
    }
    let mut facts = facts();
    let twice = ("org.example.x".to_owned(), b"1".to_vec());
    facts.terms.extensions = vec![twice.clone(), twice];
    is_refused(&genten.attest(&facts).await.unwrap_err(), "manifest.extension-name");
}

#[tokio::test]
async fn numbers_that_no_verifier_would_read_are_refused() {
    let genten = World::new().genten();
    for (facts, code) in [
        (with_http(|http| http.status = 7), "manifest.range"),
        (with_http(|http| http.status = 1000), "manifest.range"),
        (with_http(|http| http.content_bytes = Some(1 << 53)), "json.integer-range"),
        (with_http(|http| http.content_bytes = Some(u64::MAX)), "json.integer-range"),
    ] {
        let error = genten.attest(&facts).await.unwrap_err();
        is_refused(&error, code);
        assert!(matches!(error, Error::Unreadable(_)), "{error:?}");
    }
    let largest = with_http(|http| http.content_bytes = Some((1 << 53) - 1));
    genten.attest(&largest).await.unwrap();
}

#[tokio::test]
async fn what_no_verifier_would_read_is_not_signed() {
    let genten = World::new().genten();
    let mut long = facts();
    let value = format!("\"{}\"", "x".repeat(40 << 10)).into_bytes();
    long.terms.extensions = vec![("a.b".into(), value.clone()), ("a.c".into(), value)];
    let error = genten.attest(&long).await.unwrap_err();
    is_refused(&error, "manifest.too-large");
    assert!(matches!(error, Error::TooLarge { what: "manifest", .. }));

    let mut heavy = facts();
    let certificates = vec![vec![0; 1 << 20]];
    heavy.tls_chain = Some(TlsChain { certificates, scts: None, ocsp: None, tlog_proof: None });
    let error = genten.attest(&heavy).await.unwrap_err();
    is_refused(&error, "manifest.too-large");
    assert!(matches!(error, Error::TooLarge { what: "bundle", .. }));
}

/// Signing comes before the journal: what was refused for its size must not stand there.
#[tokio::test]
async fn an_answer_whose_facts_are_too_long_is_refused_whole() {
    let world = World::new();
    let answer = Answer::ok("x")
        .header("etag", vec![b'x'; 60_000])
        .header("content-type", vec![b'y'; 10_000]);
    let site = world.answering(answer).await;
    let folder = tempfile::tempdir().unwrap();
    let genten = world.at_home(folder.path());
    is_refused(&genten.fetch(site.url("/")).await.unwrap_err(), "manifest.too-large");
    assert_eq!(genten.journal().unwrap().count(&Default::default()).unwrap(), 0);
}

#[tokio::test]
async fn a_failed_fetch_keeps_its_code_and_hint() {
    let world = World::new();
    let genten = world.genten();
    for (url, code) in [
        ("https://localhost/a|b", "fetch.url.character"),
        ("https://localhost/../x", "fetch.url.rewritten"),
        ("https://localhost/#x", "fetch.url.fragment"),
        ("https://u:p@localhost/", "fetch.url.userinfo"),
        ("ftp://localhost/", "fetch.url.scheme"),
        ("localhost", "fetch.url.invalid"),
        ("https://no-such-host.invalid/", "fetch.dns"),
    ] {
        is_refused(&genten.fetch(url).await.unwrap_err(), code);
    }
    let site = world.answering(Answer::ok("0123456789")).await;
    let request = Request::get(site.url("/")).max_bytes(9);
    is_refused(&genten.fetch(request).await.unwrap_err(), "fetch.too-large");
}

#[test]
fn a_producer_that_cannot_work_is_not_built() {
    let build_error = |builder: genten::GentenBuilder| builder.build().err().unwrap();
    is_refused(&build_error(Genten::builder()), "signer.missing");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    is_refused(&build_error(Genten::builder().home(&file)), "store.not-a-directory");
    let home = folder.path().join("home");
    is_refused(&build_error(Genten::builder().home(&home).key("other")), "key.missing");
    is_refused(&build_error(Genten::builder().home(&home).key("../key")), "store.key-name");
    let ring = KeyRing::of(&Home::open(&home).unwrap());
    std::fs::write(ring.path("broken").unwrap(), "-----BEGIN").unwrap();
    is_refused(&build_error(Genten::builder().home(&home).key("broken")), "key.malformed");
    let both = Genten::builder().home(&home).key("desk").signer(signer(7));
    is_refused(&build_error(both), "signer.settings");
    let chain = vec![b"a certificate".to_vec()];
    is_refused(&build_error(Genten::builder().home(&home).signer_chain(chain)), "signer.settings");
}

fn ring(folder: &std::path::Path) -> KeyRing {
    KeyRing::of(&Home::open(folder).unwrap())
}

#[test]
fn a_key_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let ring = ring(folder.path());
    let first = ring.create("desk", Algorithm::EdDsa, &NewKeyId::DidJwk).unwrap();
    let again = ring.create("desk", Algorithm::Es256, &NewKeyId::DidKey).err().unwrap();
    assert_eq!(again.code(), "store.already-exists");
    let read = ring.load("desk").unwrap();
    use genten::jws::Signer as _;
    assert_eq!(read.signer.key_id(), first.signer.key_id());
    assert!(read.signer.key_id().as_str().starts_with("did:jwk:"));
}

/// Somebody moved the key's file away, as the advice about a taken name says, but not the file with its id.
#[test]
fn a_left_over_id_or_chain_is_not_mixed_with_a_new_key() {
    let folder = tempfile::tempdir().unwrap();
    let ring = ring(folder.path());
    ring.create("desk", Algorithm::Es256, &NewKeyId::DidKey).unwrap();
    std::fs::rename(ring.path("desk").unwrap(), folder.path().join("desk.pem")).unwrap();
    let error = ring.create("desk", Algorithm::Es256, &NewKeyId::DidKey).err().unwrap();
    assert_eq!(error.code(), "store.already-exists");
    assert!(!ring.path("desk").unwrap().exists(), "no half of a key");
    std::fs::rename(folder.path().join("desk.pem"), ring.path("desk").unwrap()).unwrap();
    ring.load("desk").unwrap();
}

/// `a.chain.pem` would be the certificate chain of the key `a`.
#[test]
fn a_name_that_stands_for_a_chain_is_no_name_of_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let ring = ring(folder.path());
    let error = ring.create("a.chain", Algorithm::Es256, &NewKeyId::DidKey).err().unwrap();
    assert_eq!(error.code(), "store.key-name");
    assert_eq!(ring.names().unwrap(), [""; 0]);
    ring.create("a", Algorithm::Es256, &NewKeyId::DidKey).unwrap();
    ring.load("a").unwrap();
}

#[test]
fn an_id_that_contains_another_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let ring = ring(folder.path());
    let other = genten::jws::key_id::did_key(secret(1).public_key()).unwrap();
    let error = ring.keep("desk", secret(2), &NewKeyId::Given(other), b"").err().unwrap();
    assert_eq!(error.code(), "key.malformed");
    assert_eq!(ring.names().unwrap(), [""; 0]);
}
