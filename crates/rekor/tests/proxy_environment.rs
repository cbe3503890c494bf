//! Proxies of the environment are ignored. A process of its own, because the environment belongs to all its threads.

#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like the test")]

use genten_rekor::LogHttp;
use genten_testkit::{Answer, HttpsSite, has_dead_proxies};

#[test]
fn environment_proxies_are_ignored() {
    if has_dead_proxies("environment_proxies_are_ignored") {
        read_directly();
    }
}

#[tokio::main(flavor = "current_thread")]
async fn read_directly() {
    let site = HttpsSite::builder().handler(|_| Answer::ok("direct")).start().await.unwrap();
    let http = LogHttp::builder().build().unwrap();
    let answer = http.get(&site.url("/").parse().unwrap(), 6).await.unwrap();
    assert_eq!(answer.body, b"direct");
}
