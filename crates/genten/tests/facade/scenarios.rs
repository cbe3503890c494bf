//! What the world does to sources and signers over time.

use genten::manifest::TlsTrust;
use genten::primitives::Sha256Digest;
use genten::verify::Code;
use genten::{Body, Facts, Fetch, Policy, Trust, TrustKit, Verifier};
use genten_testkit::{Answer, HttpsSite, KeyKind, Leaf};

use crate::support::{NOW, World, policy_requiring, read_back, secret, signer, verdict};

/// A site that moved: the text answers at its old address by a redirect, the page is another one.
///
/// 000-16
#[tokio::test]
async fn a_moved_source_is_the_same_content_under_another_final_url() {
    let world = World::new();
    let before = world.site().route("/rfc/9421.txt", Answer::ok("the text")).start().await.unwrap();
    let genten = world.genten();
    let old = read_back(&genten.fetch(before.url("/rfc/9421.txt")).await.unwrap());
    let after = world
        .site()
        .route("/rfc/9421.txt", Answer::redirect(301, "/rfc/9421.txt/"))
        .route("/rfc/9421.txt/", Answer::redirect(301, "/files/9421.txt"))
        .route("/files/9421.txt", Answer::ok("the text"))
        .start()
        .await
        .unwrap();
    let attested = genten.fetch(after.url("/rfc/9421.txt")).await.unwrap();
    let new = read_back(&attested);
    assert_eq!(old.content_sha256, new.content_sha256);
    assert_eq!(new.final_url().as_str(), after.url("/files/9421.txt"));
    assert_eq!(new.http.unwrap().redirects.len(), 2);
    assert_eq!(verdict(&world.judge(&genten, &attested, b"the text")), "accept");
}

/// One name, two machines, two certificates of different kinds.
#[tokio::test]
async fn two_certificates_of_one_host_are_two_valid_manifests() {
    let world = World::new();
    let rsa = world.authority.issue(&Leaf::new(["localhost"]).key(KeyKind::Rsa2048)).unwrap();
    let site = HttpsSite::builder()
        .identity(world.identity.clone())
        .identity(rsa.clone())
        .route("/", Answer::ok("x"))
        .start()
        .await
        .unwrap();
    let genten = world.genten();
    let mut leaves = Vec::new();
    let mut keys = Vec::new();
    for _ in 0..4 {
        let attested = genten.fetch(site.url("/")).await.unwrap();
        assert_eq!(verdict(&world.judge(&genten, &attested, b"x")), "accept");
        let claims = read_back(&attested);
        leaves.push(claims.tls_server_cert_sha256.unwrap());
        keys.push(claims.tls.unwrap().spki_sha256.unwrap());
    }
    let expected = [&world.identity, &rsa].map(|one| Sha256Digest::of(one.leaf_der()));
    assert_eq!(leaves, [expected, expected].concat());
    assert_ne!(keys[0], keys[1]);
    assert_eq!((keys[0], keys[1]), (keys[2], keys[3]));
}

/// An office's proxy presents a certificate of its own and a page of its own.
#[tokio::test]
async fn a_private_authority_is_told_and_only_a_strict_policy_minds() {
    let world = World::new();
    let office = world.authority.intermediate("Office Proxy").unwrap();
    let site = HttpsSite::builder().identity(office.issue_for("localhost").unwrap());
    let site = site.route("/", Answer::ok("This page is blocked.")).start().await.unwrap();
    let genten = world.genten();
    let attested = genten.fetch(site.url("/")).await.unwrap();
    let tls = read_back(&attested).tls.unwrap();
    assert_eq!(tls.trust, Some(TlsTrust::PrivateRoot));
    assert_eq!(tls.issuer.unwrap().as_str(), "CN=Office Proxy");

    let lenient = world.judge(&genten, &attested, b"This page is blocked.");
    assert_eq!(verdict(&lenient), "accept");
    let check = lenient.check(Code::TLS_CERTIFICATE_NOT_PUBLIC).unwrap();
    assert_eq!(check.detail.text().unwrap(), "private-root");

    let strict = policy_requiring("tls-certificate");
    let strict = world.judge_under(&strict, &genten, &attested, b"This page is blocked.");
    assert_eq!(verdict(&strict), "review tls-certificate.not-public");
    // The reader is told of an authority in between, not that the origin did something wrong.
    let meaning = Code::TLS_CERTIFICATE_NOT_PUBLIC.meaning();
    assert!(!meaning.to_lowercase().contains("invalid"), "{meaning}");
}

fn kit_with(signers: &[String]) -> TrustKit {
    let kit = format!(
        r#"{{"media_type":"{}","signers":[{}]}}"#,
        genten::verify::kit::KIT_MEDIA_TYPE,
        signers.join(",")
    );
    TrustKit::read(kit.as_bytes()).unwrap()
}

/// A member of a kit's signers for key `number` under its did:key.
fn listed(number: u8, rest: &str) -> String {
    let id = genten::jws::key_id::did_key(secret(number).public_key()).unwrap();
    format!(r#"{{"key_id":"{id}","public_key":{},{rest}}}"#, secret(number).public_key().to_jwk())
}

/// Without evidence of time the word of a key that is out of use is no proof of when it signed.
#[tokio::test]
async fn what_a_retired_or_revoked_key_signed_needs_a_time_of_others() {
    let world = World::new();
    let genten = world.builder().signer(signer(1)).build().unwrap();
    let facts = Facts::of_body("https://laws.example/1", NOW, b"x").unwrap();
    let bundle = genten.attest(&facts).await.unwrap().bundle().to_json();
    world.clock.advance_millis(400 * 86_400_000);
    let judge = |rest: &str| {
        let kit = kit_with(&[listed(1, rest), listed(2, r#""status":"active""#)]);
        let trust = Trust { kit, ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
        verdict(&verifier.verify_bytes(&bundle, &Body::of(b"x"), world.clock.now()))
    };
    assert_eq!(judge(r#""status":"active""#), "accept");
    let retired = r#""status":"retired","valid_until":"2027-06-01T00:00:00Z""#;
    assert_eq!(judge(retired), "review signer.retired");
    for revoked_at in ["2026-06-01T00:00:00Z", "2027-06-01T00:00:00Z"] {
        let revoked = format!(r#""status":"revoked","revoked_at":"{revoked_at}""#);
        assert_eq!(judge(&revoked), "reject signer.revoked", "{revoked_at}");
    }
}

#[tokio::test]
async fn a_signer_speaks_only_for_the_sources_that_the_reader_gives_it() {
    let world = World::new();
    let genten = world.builder().signer(signer(1)).build().unwrap();
    for (url, expected) in [
        ("https://laws.example/1", "accept"),
        ("https://laws.example.evil.org/1", "review signer.source-not-covered"),
    ] {
        let attested = genten.attest(&Facts::of_body(url, NOW, b"x").unwrap()).await.unwrap();
        let kit =
            kit_with(&[listed(1, r#""status":"active","sources":["https://laws.example/*"]"#)]);
        let trust = Trust { kit, ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
        let bundle = attested.bundle().to_json();
        let report = verifier.verify_bytes(&bundle, &Body::of(b"x"), world.clock.now());
        assert_eq!(verdict(&report), expected, "{url}");
    }
}

/// A copy of a true manifest beside the content of another fetch.
#[tokio::test]
async fn manifests_of_two_sources_cannot_be_exchanged() {
    let world = World::new();
    let site = world
        .site()
        .route("/a", Answer::ok("content a"))
        .route("/b", Answer::ok("content b"))
        .start()
        .await
        .unwrap();
    let genten = world.genten();
    let a = genten.fetch(Fetch::get(site.url("/a"))).await.unwrap();
    let report = world.judge(&genten, &a, b"content b");
    assert_eq!(verdict(&report), "reject content.other-bytes");
    assert_ne!(verdict(&world.judge(&genten, &a, b"content")), "accept");
}
