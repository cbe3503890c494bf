//! Proxies of the environment are ignored. A process of its own, because the environment belongs to all its threads.

#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like the test")]

use genten_fetch::{Recorder, Request, Sink};
use genten_testkit::{Answer, Authority, HttpsSite, has_dead_proxies};

#[test]
fn environment_proxies_are_ignored() {
    if has_dead_proxies("environment_proxies_are_ignored") {
        fetch_directly();
    }
}

#[tokio::main(flavor = "current_thread")]
async fn fetch_directly() {
    let authority = Authority::new("Test Root").unwrap();
    let secure = HttpsSite::builder().identity(authority.issue_for("localhost").unwrap());
    for builder in [secure, HttpsSite::builder()] {
        let site = builder.handler(|_| Answer::ok("direct")).start().await.unwrap();
        let recorder = Recorder::builder().root_pem(authority.root_pem()).unwrap().build().unwrap();
        let exchange = recorder.fetch(Request::get(site.url("/")), Sink::Discard).await.unwrap();
        assert_eq!((exchange.content_bytes, exchange.proxied), (6, false));
    }
}
