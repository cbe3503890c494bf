//! The bytes that are recorded, and where they go.

use genten_fetch::{Body, Completeness, Request, Sink};
use genten_primitives::Sha256Digest;
use genten_testkit::{Answer, Content, Framing};

use crate::support::{World, bytes, get};

#[tokio::test]
async fn a_file_appears_whole() {
    let world = World::new();
    let site = world.answering(Answer::ok("on disk").framing(Framing::Chunked(3))).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("doc.txt");
    let request = Request::get(site.url("/doc"));
    let exchange = world.recorder().fetch(request, Sink::File(path.clone())).await.unwrap();
    assert_eq!(exchange.body, Body::File(path.clone()));
    assert_eq!(std::fs::read(&path).unwrap(), b"on disk");
    assert_eq!(exchange.completeness, Completeness::Complete);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
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
