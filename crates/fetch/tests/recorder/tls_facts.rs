//! The facts of the TLS connection that delivered an answer.

use genten_fetch::{Protocol, Trust};
use genten_primitives::Sha256Digest;
use genten_testkit::{Answer, HttpsSite, KeyKind, Leaf, Offer, SeenRequest};

use crate::support::{PROTOCOLS, World, bytes, get};

/// 001-04
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

/// One host, two certificates in turn. Each exchange has the facts of its own connection.
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

/// Many fetches at once, two certificates in turn: each has the facts of the connection that answered it.
#[tokio::test]
async fn facts_do_not_mix_between_concurrent_fetches() {
    let world = World::new();
    let names = ["a.example.org", "b.example.org"];
    let identities = names.map(|name| world.authority.issue_for(name).unwrap());
    let mut sites = Vec::new();
    for identity in &identities {
        let builder = HttpsSite::builder().identity(identity.clone());
        let handler = |request: &SeenRequest| Answer::ok(request.header("host").unwrap());
        sites.push(builder.offer(Offer::Http1).handler(handler).start().await.unwrap());
    }
    let here = std::net::Ipv4Addr::LOCALHOST.into();
    let builder = world.builder().resolve(names[0], here).resolve(names[1], here);
    let recorder = builder.build().unwrap();
    let fetches: Vec<_> = (0..100)
        .map(|n| {
            let (recorder, url) = (recorder.clone(), sites[n % 2].url_at(names[n % 2], "/"));
            tokio::spawn(async move { get(&recorder, url).await.unwrap() })
        })
        .collect();
    for (n, fetch) in fetches.into_iter().enumerate() {
        let exchange = fetch.await.unwrap();
        assert!(bytes(&exchange).starts_with(names[n % 2].as_bytes()));
        let leaf = Sha256Digest::of(identities[n % 2].leaf_der());
        assert_eq!(exchange.tls.unwrap().leaf_sha256, leaf);
    }
}

/// Reused only when asked for, and the facts stay those of the connection.
#[tokio::test]
async fn a_reused_connection_keeps_its_facts() {
    let world = World::new();
    let identity = world.authority.issue_for("localhost").unwrap();
    let site = HttpsSite::builder().identity(identity.clone()).handler(|_| Answer::ok("x"));
    let site = site.start().await.unwrap();
    let recorder = world.builder().reuse_http2().build().unwrap();
    for _ in 0..5 {
        let exchange = get(&recorder, site.url("/")).await.unwrap();
        assert_eq!(exchange.protocol, Protocol::Http2);
        assert_eq!(exchange.tls.unwrap().leaf_sha256, Sha256Digest::of(identity.leaf_der()));
    }
    assert_eq!(site.connections(), 1);
    let recorder = world.recorder();
    get(&recorder, site.url("/")).await.unwrap();
    get(&recorder, site.url("/")).await.unwrap();
    assert_eq!(site.connections(), 3);
}
