//! What becomes of promises that are kept.

use genten::manifest::{EvidenceKind, TlsChain, UnverifiedBundle};
use genten::primitives::Sha256Digest;
use genten::store::{CertificateCounts, Home};
use genten::{Facts, Flush, Submitter};
use genten_pki::CtEntry;
use genten_testkit::Leaf;
use genten_testkit::ct::sct_list;

use crate::world::{Producer, World};

/// 001-05, 001-13
#[tokio::test]
async fn a_fetched_certificate_is_proven_and_its_bundle_accepted_by_the_proof() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.published_site().await);
    world.fetch(&producer, &site, "a").await;
    assert_eq!(world.log.readings(), 0, "nobody waits for a log");
    assert_eq!(world.verdict("a"), "review ct.one-operator");
    let report = producer.flush(Flush::Due).await;
    assert_eq!((report.certificates.proven, report.completed), (1, 1));
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(world.verdict("a"), "accept");
}

#[tokio::test]
async fn a_certificate_is_asked_about_once_however_many_manifests_have_it() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.published_site().await);
    world.fetch(&producer, &site, "a").await;
    world.fetch(&producer, &site, "b").await;
    assert_eq!(producer.prove(Flush::Due).await, (1, 0, 0));
    world.fetch(&producer, &site, "c").await;
    assert_eq!(producer.flush(Flush::All).await.completed, 1);
    assert_eq!(world.log.readings(), 1);
    for name in ["a", "b", "c"] {
        assert_eq!(world.verdict(name), "accept", "{name}");
    }
}

#[tokio::test]
async fn promises_that_came_beside_a_reported_certificate_are_proven() {
    let world = World::new().await;
    let identity = world.authority.issue(&Leaf::new(["law.example"])).unwrap();
    let certificates = identity.chain().to_vec();
    let entry = CtEntry::Certificate(identity.leaf_der());
    let scts = Some(sct_list(&[world.log.promise(world.millis() - 1000, &entry)]));
    world.log.publish(world.millis());
    let now = world.now().to_string();
    let mut facts = Facts::of_body("https://law.example/1", &now, b"the law").unwrap();
    facts.tls_server_cert_sha256 = Some(Sha256Digest::of(&certificates[0]));
    facts.tls_chain = Some(TlsChain { certificates, scts, ocsp: None, tlog_proof: None });

    let producer = world.producer();
    let attested = producer.0.attest(&facts).await.unwrap();
    producer.0.save_bundle(&attested, world.path("law")).unwrap();
    assert_eq!(world.verdict("law"), "review ct.one-operator");
    assert_eq!(producer.prove(Flush::Due).await, (1, 0, 0));
    assert_eq!(world.verdict("law"), "accept");
}

/// A proof is about one promise, and a bundle without this promise cannot use it.
#[tokio::test]
async fn promises_that_came_at_different_times_are_proven_each() {
    let world = World::new().await;
    let identity = world.authority.issue(&Leaf::new(["law.example"])).unwrap();
    let certificates = identity.chain().to_vec();
    let entry = CtEntry::Certificate(identity.leaf_der());
    let (producer, now) = (world.producer(), world.now().to_string());
    for (name, age) in [("first", 2000), ("second", 1000)] {
        let scts = Some(sct_list(&[world.log.promise(world.millis() - age, &entry)]));
        let url = format!("https://law.example/{name}");
        let mut facts = Facts::of_body(&url, &now, name.as_bytes()).unwrap();
        facts.tls_server_cert_sha256 = Some(Sha256Digest::of(&certificates[0]));
        let certificates = certificates.clone();
        facts.tls_chain = Some(TlsChain { certificates, scts, ocsp: None, tlog_proof: None });
        let attested = producer.0.attest(&facts).await.unwrap();
        producer.0.save_bundle(&attested, world.path(name)).unwrap();
    }
    world.log.publish(world.millis());
    assert_eq!(producer.prove(Flush::Due).await, (2, 0, 0));
    for name in ["first", "second"] {
        assert_eq!(world.verdict(name), "accept", "{name}");
    }

    let bundle = UnverifiedBundle::read(&world.bundle("first")).unwrap();
    let EvidenceKind::TlsChain(proven) = bundle.evidence()[0].kind() else { panic!("{bundle:?}") };
    let home = world.builder().home(world.path("another home"));
    let producer = Producer(home.ct_logs(world.list()).build().unwrap());
    let mut facts = Facts::of_body("https://law.example/first", &now, b"first").unwrap();
    facts.tls_server_cert_sha256 = Some(Sha256Digest::of(&certificates[0]));
    facts.tls_chain = Some(proven.clone());
    producer.0.attest(&facts).await.unwrap();
    assert_eq!(producer.counts(), CertificateCounts::default(), "it has brought its proof");
}

#[tokio::test]
async fn a_manifest_that_is_logged_too_gets_all_of_its_evidence() {
    let world = World::new().await;
    let (producer, site) = (world.logging_producer(), world.published_site().await);
    world.fetch(&producer, &site, "a").await;
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.certificates.proven), (1, 1));
    // Both are asked at once: the bundle is completed by each, or by the later one for both.
    assert!((1..=2).contains(&report.completed), "{}", report.completed);
    assert_eq!(world.verdict("a"), "accept");
    let bundle = String::from_utf8(world.bundle("a")).unwrap();
    assert!(bundle.contains("\"type\":\"batch\"") && bundle.contains("\"tlog_proof\""), "{bundle}");
}

#[tokio::test]
async fn whoever_has_the_list_gets_the_proofs_for_all() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.published_site().await);
    world.fetch(&producer, &site, "a").await;
    let home = Home::open(world.path("home")).unwrap();
    let report = Submitter::of_home(&home).unwrap().flush(Flush::All).await.unwrap();
    assert_eq!(report.certificates.waiting, 1);
    assert!(!report.is_complete());
    assert_eq!(world.log.readings(), 0);

    let submitter = Submitter::of_home(&home).unwrap().with_ct_logs(&world.list()).unwrap();
    let report = submitter.prove_certificates(Flush::All).await.unwrap();
    assert_eq!((report.certificates.proven, report.certificates.waiting), (1, 0));
    assert_eq!(world.verdict("a"), "accept");
}

#[tokio::test]
async fn one_process_at_a_time_asks() {
    let world = World::new().await;
    let (producer, site) = (world.producer(), world.published_site().await);
    world.fetch(&producer, &site, "a").await;
    let other = producer.0.home().unwrap().sender("certificates").unwrap().unwrap();
    let certificates = producer.flush(Flush::Due).await.certificates;
    assert!(certificates.is_busy && !certificates.is_complete());
    assert_eq!(world.log.readings(), 0);
    drop(other);
    assert_eq!(producer.prove(Flush::Due).await, (1, 0, 0));
}
