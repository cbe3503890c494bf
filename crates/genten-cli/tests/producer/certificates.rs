//! `--ct-list`: proofs that logs hold the servers' certificates.

use genten::{Body, KeyRing, Policy, Trust, TrustKit, Verifier, store::Home};
use genten_testkit::ct::{CtTestLog, sct_list};
use genten_testkit::{Answer, CtServer, HttpsSite, Leaf, Offer};
use serde_json::json;

use crate::world::{World, now};

/// A site whose certificate a log has promised to hold, and that log; `list.json` names it.
pub(crate) fn promised(world: &World) -> (HttpsSite, CtServer) {
    let log = world.block_on(CtServer::start(CtTestLog::new("static", "One"))).unwrap();
    world.write("list.json", CtServer::list(&[&log]).to_string());
    let authority = world.authority.intermediate("Test CA").unwrap();
    let precertificate = authority.precertify(&Leaf::new(["localhost"])).unwrap();
    let list = sct_list(&[log.promise(millis(), &precertificate.entry())]);
    let identity = precertificate.certify(list).unwrap();
    let site = HttpsSite::builder().identity(identity).offer(Offer::Http1);
    (world.start(site.handler(|_| Answer::ok("text"))), log)
}

fn millis() -> u64 {
    now().as_millis().unsigned_abs()
}

/// The verdict where `ct` is required, by a kit with the list.
fn verdict(world: &World, name: &str) -> String {
    let list: serde_json::Value = serde_json::from_slice(&world.read("list.json")).unwrap();
    let kit = json!({
        "media_type": genten::verify::kit::KIT_MEDIA_TYPE, "signers": [], "ct_log_list": list,
    });
    let kit = TrustKit::read(kit.to_string().as_bytes()).unwrap();
    let ring = KeyRing::of(&Home::open(world.home()).unwrap());
    let keys = vec![ring.load("default").unwrap().signer.key().public_key().clone()];
    let policy = "version = 1\nname = \"test\"\n[require]\ndefault = [\"signature\", \"signer\", \"content\", \"ct\"]\n";
    let trust = Trust { kit, keys, ..Trust::default() };
    let verifier = Verifier::new(trust, Policy::read(policy).unwrap());
    let bundle = world.read(&format!("{name}.provenance.json"));
    let report = verifier.verify_bytes(&bundle, &Body::of(b"text"), now());
    let because = report.verdict.because().map_or("", |code| code.as_str());
    format!("{} {because}", report.verdict.as_str()).trim_end().to_owned()
}

#[test]
fn a_fetched_certificate_is_proven_with_and_without_a_log_for_manifests() {
    let world = World::new();
    let (site, log) = promised(&world);
    log.publish(millis());
    let (a, b) = (site.url("/a"), site.url("/b"));
    world.fetch(&[&a, &b, "--ct-list", "list.json", "--log", "none"]).expect(0);
    assert_eq!(["a", "b"].map(|name| verdict(&world, name)), ["accept", "accept"]);
    assert_eq!(log.readings(), 1);
    assert!(!world.home().join("log").exists());
    world.genten(&["log", "status"]).expect(0).says("servers' certificates").says("proven  1");

    world.refetch(&["a.provenance.json", "--ct-list", "list.json"]).expect(0);
    assert_eq!(verdict(&world, "a.refetch-1"), "accept");
    world.genten(&["log", "check"]).expect(0).says("its one entry is what");
    assert_eq!(log.readings(), 1);
}

#[test]
fn what_cannot_be_proven_yet_is_told_and_proven_later() {
    let world = World::new();
    let (site, log) = promised(&world);
    let run = world.fetch(&[&site.url("/a"), "--ct-list", "list.json"]).expect(0);
    run.talks("1 certificate is not proven yet").talks("genten log flush --ct-list FILE");
    assert_eq!(verdict(&world, "a"), "review ct.one-operator");
    world.genten(&["log", "status"]).expect(1).says("queued  ").says("rekor.ct.not-yet");
    let status = world.genten(&["log", "status", "--json"]).expect(1).json();
    let certificates =
        &status.iter().find(|one| !one["certificates"].is_null()).unwrap()["certificates"];
    assert_eq!((&certificates["queued"], &certificates["proven"]), (&1.into(), &0.into()));
    assert_eq!(certificates["stuck"][0]["reason"], "rekor.ct.not-yet");
    let words = certificates["stuck"][0]["words"].as_str().unwrap();
    assert!(words.contains("has published"), "{words}");
    world.genten(&["log", "flush"]).expect(1).talks("1 certificate waits to be proven");

    log.publish(millis());
    let flush = ["log", "flush", "--ct-list", "list.json"];
    world.genten(&flush).expect(0).says("1 certificate proven").says("1 bundle holds");
    assert_eq!(verdict(&world, "a"), "accept");
    let flush = world.genten(&["log", "flush", "--json"]).expect(0).json();
    assert_eq!(flush[0]["certificates"]["waiting"], 0);
    world.genten(&["log", "status"]).expect(0);
}

#[test]
fn a_log_that_breaks_its_promise_is_told_on() {
    let world = World::new();
    let (site, log) = promised(&world);
    log.break_promises(millis());
    let run = world.fetch(&[&site.url("/a"), "--ct-list", "list.json"]).expect(0);
    run.talks("1 certificate cannot be proven").talks("the answer is kept in");
    world.genten(&["log", "status"]).expect(1).says("failed").says("rekor.read.other-leaf");
    let flush = ["log", "flush", "--rejected", "--ct-list", "list.json"];
    world.genten(&flush).expect(1).talks("1 certificate cannot be proven");
}

#[test]
fn a_bundle_that_was_lost_is_made_again_with_the_proof() {
    let world = World::new();
    let (site, log) = promised(&world);
    log.publish(millis());
    world.fetch(&[&site.url("/a"), "--ct-list", "list.json", "--log", "none"]).expect(0);
    let id = world.journal()[0].manifest_id.to_string();
    world.genten(&["log", "proof", &id, "-o", "again.provenance.json"]).expect(0);
    assert_eq!(verdict(&world, "again"), "accept");
}

#[test]
fn a_file_that_is_no_list_of_logs_is_refused_before_anything_is_fetched() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("text"))]);
    world.write("list.json", "{}");
    let run = world.fetch(&[&site.url("/a"), "--ct-list", "list.json"]).expect(1);
    run.talks("log.ct-list").talks("version 3");
    assert!(site.seen().is_empty());
    world.genten(&["log", "flush", "--ct-list", "list.json"]).expect(1).talks("log.ct-list");
}
