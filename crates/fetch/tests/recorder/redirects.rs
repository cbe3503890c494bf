//! Redirects: every hop is recorded, and what must not happen does not.

use std::net::{IpAddr, Ipv4Addr};

use genten_fetch::{
    CrossSite, Exchange, FetchError, RecorderBuilder, RedirectError, RedirectPolicy, Request, Sink,
    Warning,
};
use genten_primitives::Sha256Digest;
use genten_testkit::{Answer, HttpsSite, Leaf};

use crate::support::{World, bytes, get};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A site for several names.
async fn site_for(
    world: &World,
    names: &[&str],
    answer: impl Fn(&str) -> Answer + Send + Sync + 'static,
) -> HttpsSite {
    let identity = world.authority.issue(&Leaf::new(names.iter().copied())).unwrap();
    let builder = HttpsSite::builder().identity(identity);
    builder.handler(move |request| answer(&request.target)).start().await.unwrap()
}

fn builder(world: &World, names: &[&str]) -> RecorderBuilder {
    names.iter().fold(world.builder(), |builder, name| builder.resolve(name, HERE))
}

fn refused(result: Result<Exchange, FetchError>) -> (usize, RedirectError) {
    match result {
        Err(FetchError::Redirect { number, reason }) => (number, reason),
        other => panic!("{other:?}"),
    }
}

/// A text that has moved. Each hop has its status, its location, and the certificate of its own connection.
#[tokio::test]
async fn every_hop_is_recorded() {
    let world = World::new();
    let [first, second] = [(); 2].map(|()| world.authority.issue_for("localhost").unwrap());
    let site = HttpsSite::builder()
        .identity(first.clone())
        .identity(second.clone())
        .route("/rfc/rfc9421.txt", Answer::redirect(301, "../new/rfc9421.txt#page-3"))
        .route("/new/rfc9421.txt", Answer::ok("HTTP Message Signatures"))
        .route("/rfc/rfc9421", Answer::redirect(301, "/info/rfc9421"))
        .route("/info/rfc9421", Answer::ok("<html>"))
        .start()
        .await
        .unwrap();
    let exchange = get(&world.recorder(), site.url("/rfc/rfc9421.txt")).await.unwrap();
    assert_eq!(exchange.requested_url, site.url("/rfc/rfc9421.txt"));
    assert_eq!(exchange.final_url, site.url("/new/rfc9421.txt"));
    assert_eq!(bytes(&exchange), b"HTTP Message Signatures");
    let [hop] = &exchange.hops[..] else { panic!("{exchange:?}") };
    assert_eq!((hop.url.as_str(), hop.status), (exchange.requested_url.as_str(), 301));
    assert_eq!(hop.location, "../new/rfc9421.txt#page-3");
    let leaf = |identity: &genten_testkit::Identity| Sha256Digest::of(identity.leaf_der());
    assert_eq!(hop.tls.as_ref().unwrap().leaf_sha256, leaf(&first));
    assert_eq!(exchange.tls.as_ref().unwrap().leaf_sha256, leaf(&second));
    assert_eq!((exchange.retrieval.requests, exchange.retrieval.attempts), (2, 2));
    assert!(exchange.warnings.is_empty());
    let page = get(&world.recorder(), site.url("/rfc/rfc9421")).await.unwrap();
    assert_eq!(page.final_url, site.url("/info/rfc9421"));
    assert_ne!(page.content_sha256, exchange.content_sha256);
}

#[tokio::test]
async fn loops_and_too_many() {
    let world = World::new();
    let site = world
        .site()
        .route("/a", Answer::redirect(302, "/b"))
        .route("/b", Answer::redirect(302, "/a#again"))
        .handler(|request| Answer::redirect(302, format!("{}x", request.target)))
        .start()
        .await
        .unwrap();
    let recorder = world.recorder();
    assert_eq!(refused(get(&recorder, site.url("/a")).await), (2, RedirectError::Loop));
    assert_eq!(site.seen().len(), 2);
    let too_many = (11, RedirectError::TooMany { limit: 10 });
    assert_eq!(refused(get(&recorder, site.url("/x")).await), too_many);
    assert_eq!(site.seen().len(), 2 + 11);
    let request = Request::get(site.url("/x")).redirects(RedirectPolicy::limited(0));
    let none = (1, RedirectError::TooMany { limit: 0 });
    assert_eq!(refused(recorder.fetch(request, Sink::Discard).await), none);
    let request = Request::get(site.url("/a")).redirects(RedirectPolicy::none());
    let exchange = recorder.fetch(request, Sink::Discard).await.unwrap();
    assert_eq!((exchange.status, exchange.fields.get("location")), (302, Some("/b")));
}

#[tokio::test]
async fn downgrades_only_when_allowed() {
    let world = World::new();
    let clear = HttpsSite::builder().handler(|_| Answer::ok("in clear")).start().await.unwrap();
    let target = clear.url("/x");
    let site = world.site().route("/", Answer::redirect(302, target)).start().await.unwrap();
    let recorder = world.recorder();
    let downgrade = (1, RedirectError::Downgrade);
    assert_eq!(refused(get(&recorder, site.url("/")).await), downgrade);
    assert_eq!(clear.connections(), 0);
    let policy = RedirectPolicy::default().allow_downgrade(true);
    let request = Request::get(site.url("/")).redirects(policy);
    let exchange = recorder.fetch(request, Sink::Discard).await.unwrap();
    assert!(exchange.tls.is_none());
    assert!(exchange.hops[0].tls.is_some());
}

#[tokio::test]
async fn upgrades_are_fine() {
    let world = World::new();
    let site = world.site().route("/x", Answer::ok("secure")).start().await.unwrap();
    let target = site.url("/x");
    let clear = HttpsSite::builder().handler(move |_| Answer::redirect(301, target.clone()));
    let clear = clear.start().await.unwrap();
    let exchange = get(&world.recorder(), clear.url("/")).await.unwrap();
    assert!(exchange.tls.is_some());
    assert!(exchange.hops[0].tls.is_none());
}

#[tokio::test]
async fn other_sites_by_policy() {
    let world = World::new();
    let names = ["www.example.org", "text.example.org", "elsewhere.example.net"];
    let site = site_for(&world, &names, |target| match target {
        "/doc" => Answer::ok("doc"),
        path => Answer::redirect(302, path[1..].replace("~", "https://")),
    })
    .await;
    let recorder = builder(&world, &names).build().unwrap();
    let port = site.address().port();
    let via = |host: &str| site.url_at(names[0], &format!("/~{host}:{port}/doc"));
    let same = get(&recorder, via(names[1])).await.unwrap();
    assert!(same.warnings.is_empty());
    let other = get(&recorder, via(names[2])).await.unwrap();
    let (from, to) = (names[0].to_owned(), names[2].to_owned());
    assert_eq!(other.warnings, [Warning::CrossSite { from: from.clone(), to: to.clone() }]);
    let with = |cross_site| {
        let policy = RedirectPolicy::default().cross_site(cross_site);
        recorder.fetch(Request::get(via(names[2])).redirects(policy), Sink::Discard)
    };
    assert!(with(CrossSite::Allow).await.unwrap().warnings.is_empty());
    let refusal = (1, RedirectError::CrossSite { from, to });
    assert_eq!(refused(with(CrossSite::Refuse).await), refusal);
}

#[tokio::test]
async fn credentials_never_follow_to_another_origin() {
    let world = World::new();
    let other = world.site().route("/back", Answer::ok("other origin")).start().await.unwrap();
    let target = other.url("/back");
    let site = world
        .site()
        .route("/same", Answer::redirect(307, "/kept"))
        .route("/kept", Answer::redirect(307, target))
        .start()
        .await
        .unwrap();
    let request = Request::get(site.url("/same"))
        .header("authorization", "Bearer s3cret")
        .header("cookie", "id=s3cret")
        .header("x-api-key", "s3cret")
        .header("x-any", "s3cret")
        .header("accept-language", "ja");
    let exchange = world.recorder().fetch(request, Sink::Discard).await.unwrap();
    let secrets = ["authorization", "cookie", "x-api-key", "x-any"];
    for seen in site.seen() {
        assert!(secrets.iter().all(|name| seen.header(name).is_some()), "{seen:?}");
    }
    let seen = &other.seen()[0];
    assert!(secrets.iter().all(|name| seen.header(name).is_none()), "{seen:?}");
    assert_eq!(seen.header("accept-language").as_deref(), Some("ja"));
    assert_eq!(seen.header("referer"), None);
    assert!(exchange.request.unwrap().credentials);
}

#[tokio::test]
async fn methods_and_bodies() {
    let world = World::new();
    let other = world.site().handler(|_| Answer::ok("other")).start().await.unwrap();
    let target = other.url("/");
    let site = world
        .site()
        .route("/303", Answer::redirect(303, "/done"))
        .route("/307", Answer::redirect(307, "/done"))
        .route("/away", Answer::redirect(307, target))
        .route("/done", Answer::ok("done"))
        .start()
        .await
        .unwrap();
    let recorder = world.recorder();
    let post = |path: &str| {
        let request = Request::new("POST", site.url(path)).body("q=1");
        recorder.fetch(request.header("content-type", "text/plain"), Sink::Discard)
    };
    assert_eq!(post("/303").await.unwrap().request.unwrap().method, "POST");
    post("/307").await.unwrap();
    let seen = site.seen();
    let shape = |n: usize| {
        (seen[n].method.as_str(), &seen[n].body[..], seen[n].header("content-type").is_some())
    };
    assert_eq!(shape(1), ("GET", &b""[..], false));
    assert_eq!(shape(3), ("POST", &b"q=1"[..], true));
    let leak = (1, RedirectError::BodyLeak { to: "localhost".into() });
    assert_eq!(refused(post("/away").await), leak);
    assert_eq!(other.connections(), 0);
}

#[tokio::test]
async fn a_redirect_with_a_credential_in_its_target_is_told() {
    let world = World::new();
    let site = world
        .site()
        .route("/doc", Answer::redirect(302, "/real?X-Amz-Signature=abc&n=1"))
        .handler(|_| Answer::ok("doc"))
        .start()
        .await
        .unwrap();
    let exchange = get(&world.recorder(), site.url("/doc")).await.unwrap();
    let name = "X-Amz-Signature".to_owned();
    assert_eq!(exchange.warnings, [Warning::CredentialParameter { name }]);
}
