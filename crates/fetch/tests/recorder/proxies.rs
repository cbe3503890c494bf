//! Proxies: only those that were asked for, and then recorded.

use genten_fetch::{Recorder, Trust};
use genten_primitives::Sha256Digest;
use genten_testkit::{Answer, Authority, ConnectProxy, HttpsSite};

use crate::support::{PROTOCOLS, World, bytes, get};

#[tokio::test]
async fn the_facts_are_those_of_the_origin() {
    let world = World::new();
    for (alpn, offer) in PROTOCOLS {
        let identity = world.authority.issue_for("far.example.org").unwrap();
        let site = HttpsSite::builder()
            .identity(identity.clone())
            .offer(offer)
            .handler(|_| Answer::ok("through a tunnel"))
            .start()
            .await
            .unwrap();
        let proxy = ConnectProxy::start(Some(site.address())).await.unwrap();
        let recorder = world.builder().alpn(alpn).proxy(proxy.url()).build().unwrap();
        // The name resolves nowhere here: only the proxy sees it.
        let exchange = get(&recorder, "https://far.example.org/doc".into()).await.unwrap();
        assert_eq!(bytes(&exchange), b"through a tunnel");
        assert!(exchange.proxied);
        let tls = exchange.tls.unwrap();
        assert!(tls.proxy);
        assert_eq!(tls.leaf_sha256, Sha256Digest::of(identity.leaf_der()));
        assert_eq!(proxy.asked(), ["far.example.org:443"]);
        assert_eq!(site.seen()[0].target, "/doc");
    }
}

#[tokio::test]
async fn a_proxy_that_refuses() {
    let world = World::new();
    let proxy = ConnectProxy::start(None).await.unwrap();
    let recorder = world.builder().proxy(proxy.url()).build().unwrap();
    let error = get(&recorder, "https://far.example.org/".into()).await.unwrap_err();
    assert_eq!(error.code(), "fetch.proxy", "{error:?}");
}

#[tokio::test]
async fn a_proxy_that_is_not_there() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let recorder = Recorder::builder().proxy(format!("http://{closed}")).build().unwrap();
    let error = get(&recorder, "https://far.example.org/".into()).await.unwrap_err();
    assert_eq!(error.code(), "fetch.connect", "{error:?}");
}

/// A proxy that re-signs with its own authority and puts a notice in place of the page. With the office's root
/// given, the exchange says whose word it is; without it, the error names the presented issuer and blames nobody.
#[tokio::test]
async fn the_office_proxy() {
    let world = World::new();
    let office = Authority::new("Example Office CA").unwrap();
    let interceptor = HttpsSite::builder()
        .identity(office.issue_for("www.rfc-editor.org").unwrap())
        .handler(|_| Answer::ok("<html>blocked by policy</html>"))
        .start()
        .await
        .unwrap();
    let proxy = ConnectProxy::start(Some(interceptor.address())).await.unwrap();
    let url = "https://www.rfc-editor.org/rfc/rfc9421.html";
    let trusting = Recorder::builder().root_pem(office.root_pem()).unwrap();
    let recorder = trusting.proxy(proxy.url()).build().unwrap();
    let tls = get(&recorder, url.into()).await.unwrap().tls.unwrap();
    assert_eq!((tls.trust, tls.trust.as_str()), (Trust::PrivateRoot, "private-root"));
    assert_eq!(tls.issuer, "CN=Example Office CA");

    let recorder = world.builder().proxy(proxy.url()).build().unwrap();
    let error = get(&recorder, url.into()).await.unwrap_err();
    assert_eq!(error.code(), "fetch.tls.unknown-issuer");
    assert!(error.to_string().contains("presented issuer: CN=Example Office CA"), "{error}");
    assert!(error.hint().contains("proxy"), "{}", error.hint());
}
