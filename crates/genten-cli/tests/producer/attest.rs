//! `genten attest`: facts of another program.

use genten::Body;
use genten::manifest::{Capture, SourceClass};
use genten::verify::Basis;
use genten_primitives::Sha256Digest;
use genten_testkit::{Authority, Leaf};

use crate::world::{Run, World};

const ABOUT: [&str; 4] =
    ["--source-url", "https://localhost/law?id=1", "--fetched-at", "2026-01-31T08:15:00Z"];

fn attest(world: &World, more: &[&str]) -> Run {
    world.genten(&[&["attest", "law"][..], &ABOUT, more].concat())
}

#[test]
fn a_file_and_its_facts_are_signed_as_reported() {
    let world = World::new();
    world.write("law", "Article 1.");
    let run = attest(&world, &["--class", "revisioned", "--revision", "r-7"]).expect(0);
    run.says("signed, as reported: law.provenance.json\n");
    world.accepts("law");
    let claims = world.claims("law.provenance.json");
    assert_eq!(claims.capture, Some(Capture::Reported));
    assert_eq!(claims.source_url.as_str(), ABOUT[1]);
    assert_eq!(claims.fetched_at.to_string(), ABOUT[3]);
    assert!(claims.attested_at.is_some(), "signed long after");
    assert_eq!(claims.content_sha256, Sha256Digest::of(b"Article 1."));
    assert_eq!(claims.source_class, Some(SourceClass::Revisioned));
    assert_eq!(claims.source_revision.unwrap().as_str(), "r-7");
    let body = Body::of(b"Article 1.");
    assert_eq!(world.judge(&world.read("law.provenance.json"), &body).basis, Basis::Reported);
    assert_eq!(world.journal()[0].bundle_path, Some(world.path("law.provenance.json")));
}

/// Its evidence could not be had again.
#[test]
fn a_bundle_that_is_there_is_replaced_only_by_name() {
    let world = World::new();
    world.write("law", "Article 1.");
    attest(&world, &[]).expect(0);
    let first = world.read("law.provenance.json");
    let refused = attest(&world, &[]).expect(1);
    assert!(refused.stderr.contains("[store.already-exists]"), "{refused:?}");
    assert!(refused.stderr.contains("-o to replace it"), "{refused:?}");
    assert_eq!((world.read("law.provenance.json"), world.journal().len()), (first.clone(), 1));
    attest(&world, &["-o", "law.provenance.json"]).expect(0);
    assert_ne!(world.read("law.provenance.json"), first);
}

#[test]
fn what_is_known_of_answer_and_certificate_is_told() {
    let world = World::new();
    world.write("law", "Article 1.");
    let office = Authority::new("Root").unwrap().intermediate("Office").unwrap();
    let identity = office.issue(&Leaf::new(["localhost"])).unwrap();
    let pem = |der: &Vec<u8>| {
        let text = genten_primitives::encoding::base64(der);
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", wrapped(&text))
    };
    world.write("chain.pem", identity.chain().iter().map(pem).collect::<String>());
    let told = ["--status", "203", "--media-type", "text/plain", "--tls-chain", "chain.pem"];
    let run = attest(&world, &[&told[..], &["-o", "elsewhere.json", "--json"]].concat()).expect(0);
    let object = &run.json()[0];
    let members: Vec<_> = object.as_object().unwrap().keys().collect();
    assert_eq!(members, ["bundle", "content_sha256", "manifest_id"]);
    assert_eq!(object["bundle"], "elsewhere.json");

    let claims = world.claims("elsewhere.json");
    assert_eq!(claims.tls_server_cert_sha256, Some(Sha256Digest::of(identity.leaf_der())));
    let http = claims.http.unwrap();
    assert_eq!((http.status, http.content_bytes), (203, Some(10)));
    assert_eq!(http.media_type.unwrap().as_str(), "text/plain");
    let report = world.judge(&world.read("elsewhere.json"), &Body::of(b"Article 1."));
    assert_eq!(report.verdict.as_str(), "accept");
    assert!(report.check(genten::verify::Code::TLS_CHAIN_HOLDS).is_some());
}

fn wrapped(text: &str) -> String {
    let lines = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn facts_that_cannot_be_are_refused() {
    let world = World::new();
    world.write("law", "Article 1.");
    world.write("no-chain.pem", "no certificate");
    let words = |url: &str, time: &str, more: &[&str]| {
        let words = ["attest", "law", "--source-url", url, "--fetched-at", time];
        world.genten(&[&words[..], more].concat())
    };
    let (url, time) = (ABOUT[1], ABOUT[3]);
    words("https://localhost/#part", time, &[]).expect(2).talks("--source-url");
    words("https://u:s3cret@localhost/", time, &[]).expect(2).keeps_quiet_about("s3cret");
    words(url, "yesterday", &[]).expect(2).talks("--fetched-at");
    words(url, time, &["--media-type", "text/plain"]).expect(2).talks("needs --status");
    words(url, time, &["--status", "70000"]).expect(2);
    words(url, time, &["--tls-chain", "no-chain.pem"]).expect(1).talks("[key.certificate]");
    words("file:///etc/hosts", time, &[]).expect(1).talks("[manifest.file-not-local]");
    words(url, time, &["--revision-from", "json:/rev"]).expect(1).talks("[revision.not-found]");
    world.genten(&[&["attest", "missing"][..], &ABOUT].concat()).expect(1).talks("missing");
    assert_eq!(world.files(), ["law", "no-chain.pem"]);
    assert!(world.journal().is_empty());
}
