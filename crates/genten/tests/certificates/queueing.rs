//! What is queued, and what is not.

use genten::store::CertificateCounts;
use genten::{Error, Flush};
use genten_testkit::ct::{CtTestLog, sct_list};
use genten_testkit::{Answer, CtServer, HttpsSite, Leaf, SiteBuilder};

use crate::world::{Producer, World};

async fn start(site: SiteBuilder) -> HttpsSite {
    site.handler(|_| Answer::ok("text")).start().await.unwrap()
}

#[tokio::test]
async fn certificates_without_a_promise_of_a_log_of_the_list_are_not_queued() {
    let world = World::new().await;
    let producer = world.producer();
    let plain = world.authority.issue_for("localhost").unwrap();
    let site = start(HttpsSite::builder().identity(plain)).await;
    world.fetch(&producer, &site, "a").await;

    let stranger = CtServer::start(CtTestLog::new("stranger", "Two")).await.unwrap();
    let precertificate = world.authority.precertify(&Leaf::new(["localhost"])).unwrap();
    let list = sct_list(&[stranger.promise(world.millis(), &precertificate.entry())]);
    let promised = precertificate.certify(list).unwrap();
    let site = start(HttpsSite::builder().identity(promised)).await;
    world.fetch(&producer, &site, "b").await;

    let precertificate = world.authority.precertify(&Leaf::new(["localhost"])).unwrap();
    let placeless = world.log.log().sct(world.millis(), &[], &precertificate.entry());
    let promised = precertificate.certify(sct_list(&[placeless])).unwrap();
    let site = start(HttpsSite::builder().identity(promised)).await;
    world.fetch(&producer, &site, "c").await;

    let site = start(HttpsSite::builder()).await;
    world.fetch(&producer, &site, "without-tls").await;
    assert_eq!(producer.counts(), CertificateCounts::default());
}

#[tokio::test]
async fn nothing_is_queued_where_nobody_asked_for_it() {
    let world = World::new().await;
    let site = world.published_site().await;
    let producer = Producer(world.builder().build().unwrap());
    assert!(!producer.0.proves_certificates());
    world.fetch(&producer, &site, "a").await;
    assert_eq!(producer.counts(), CertificateCounts::default());
    assert_eq!(producer.prove(Flush::All).await, (0, 0, 0));
}

#[tokio::test]
async fn a_list_that_is_none_and_a_home_without_a_journal_are_refused() {
    let world = World::new().await;
    let refused = |error: Error| error.code();
    let error = world.builder().ct_logs("{}").build().err().map(refused);
    assert_eq!(error, Some("log.ct-list"));
    let error = world.builder().ct_logs(world.list()).without_journal().build().err().map(refused);
    assert_eq!(error, Some("log.no-journal"));
}
