//! Proxies of the environment are ignored. A process of its own, because the environment belongs to all its threads.

#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like the test")]

use std::process::Command;

use genten_fetch::{Recorder, Request, Sink};
use genten_testkit::{Answer, Authority, HttpsSite};

const INNER: &str = "GENTEN_TEST_WITH_PROXY_VARIABLES";

#[test]
fn environment_proxies_are_ignored() {
    if std::env::var_os(INNER).is_some() {
        return fetch_directly();
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.arg("environment_proxies_are_ignored").env(INNER, "1");
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    {
        // Nothing listens there.
        again.env(name, "http://127.0.0.1:1");
    }
    assert!(again.status().unwrap().success());
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
