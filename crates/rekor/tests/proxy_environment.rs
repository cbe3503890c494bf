//! Proxies of the environment are ignored. A process of its own, because the environment belongs to all its threads.

#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like the test")]

use std::process::Command;

use genten_rekor::LogHttp;
use genten_testkit::{Answer, HttpsSite};

const INNER: &str = "GENTEN_TEST_WITH_PROXY_VARIABLES";

#[test]
fn environment_proxies_are_ignored() {
    if std::env::var_os(INNER).is_some() {
        return read_directly();
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
async fn read_directly() {
    let site = HttpsSite::builder().handler(|_| Answer::ok("direct")).start().await.unwrap();
    let http = LogHttp::builder().build().unwrap();
    let answer = http.get(&site.url("/").parse().unwrap(), 6).await.unwrap();
    assert_eq!(answer.body, b"direct");
}
