//! The facts of the TLS connection that delivered an answer.

use genten_fetch::{Protocol, Trust};
use genten_primitives::Sha256Digest;
use genten_testkit::{Answer, HttpsSite, KeyKind, Leaf, Offer};

use crate::support::{PROTOCOLS, World, bytes, get};

#[tokio::test]
async fn facts_are_those_of_the_presented_chain() {
    let world = World::new();
    let office = world.authority.intermediate("Test Intermediate").unwrap();
    for (alpn, offer) in PROTOCOLS {
        let identity = office.issue(&Leaf::new(["localhost"]).ocsp(b"stapled")).unwrap();
        let site = HttpsSite::builder()
            .identity(identity.clone())
            .offer(offer)
            .route("/doc?q=a%20b&x", Answer::ok("content"))
            .start()
            .await
            .unwrap();
        let recorder = world.builder().alpn(alpn).build().unwrap();
        let exchange = get(&recorder, site.url("/doc?q=a%20b&x")).await.unwrap();
        assert_eq!(bytes(&exchange), b"content");
        assert_eq!(exchange.content_sha256, Sha256Digest::of(b"content"));
        let tls = exchange.tls.unwrap();
        assert_eq!(tls.chain, identity.chain());
        assert_eq!(tls.chain.len(), 2);
        assert_eq!(tls.leaf_sha256, Sha256Digest::of(identity.leaf_der()));
        assert_eq!(tls.version, "TLSv1.3");
        assert_eq!(tls.issuer, "CN=Test Intermediate");
        assert_eq!(tls.trust, Trust::PrivateRoot);
        assert_eq!(tls.ocsp.as_deref(), Some(&b"stapled"[..]));
        assert_eq!((tls.sct_list, tls.proxy), (None, false));
        let expected = if offer == Offer::Http2 { Protocol::Http2 } else { Protocol::Http1 };
        assert_eq!(exchange.protocol, expected);
    }
}

#[tokio::test]
async fn tls_1_2_is_told_apart() {
    let world = World::new();
    let site = world.site().tls12_only().handler(|_| Answer::ok("x")).start().await.unwrap();
    let exchange = get(&world.recorder(), site.url("/")).await.unwrap();
    assert_eq!(exchange.tls.unwrap().version, "TLSv1.2");
}

#[tokio::test]
async fn an_embedded_sct_list_becomes_the_proof() {
    let world = World::new();
    // One entry of one byte; nothing here judges what is inside.
    let list = [0, 3, 0, 1, 7];
    let identity = world.authority.issue(&Leaf::new(["localhost"]).sct_list(list)).unwrap();
    let site =
        HttpsSite::builder().identity(identity).handler(|_| Answer::ok("x")).start().await.unwrap();
    let tls = get(&world.recorder(), site.url("/")).await.unwrap().tls.unwrap();
    assert_eq!(tls.ct_log_proof(), Some("sct-list:AAMAAQc".into()));
    assert_eq!(tls.trust, Trust::PrivateRoot);
}

/// T13: one host, two certificates in turn. Each exchange has the facts of its own connection.
#[tokio::test]
async fn two_edges_with_two_certificates() {
    let world = World::new();
    let ecdsa = world.authority.issue_for("localhost").unwrap();
    let rsa = world.authority.issue(&Leaf::new(["localhost"]).key(KeyKind::Rsa2048)).unwrap();
    let site = HttpsSite::builder()
        .identity(ecdsa.clone())
        .identity(rsa.clone())
        .handler(|_| Answer::ok("same"))
        .start()
        .await
        .unwrap();
    let recorder = world.recorder();
    let mut leaves = Vec::new();
    let mut keys = Vec::new();
    for _ in 0..4 {
        let exchange = get(&recorder, site.url("/")).await.unwrap();
        assert_eq!(exchange.content_sha256, Sha256Digest::of(b"same"));
        let tls = exchange.tls.unwrap();
        leaves.push(tls.leaf_sha256);
        keys.push(tls.spki_sha256);
    }
    let [a, b] = [&ecdsa, &rsa].map(|identity| Sha256Digest::of(identity.leaf_der()));
    assert_eq!(leaves, [a, b, a, b]);
    assert_eq!((keys[0], keys[1]), (keys[2], keys[3]));
    assert_ne!(keys[0], keys[1]);
}
