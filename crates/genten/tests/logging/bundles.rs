//! Bundles on disk that somebody has moved, removed, changed or replaced while the log was asked.

use std::path::Path;

use genten::manifest::{TlsChain, UnverifiedBundle};
use genten::store::{Evidence, LogSubject};
use genten::{Facts, Flush, LogTarget, complete_bundle};

use genten_testkit::log::{Handing, TestLog};

use crate::producer::{Producer, Saved};
use crate::world::{World, expect_arrived};

/// The bundle with all evidence in the journal.
fn completed(producer: &Producer, saved: &Saved, bundle: &[u8]) -> Vec<u8> {
    let evidence = producer.genten.journal().unwrap().outbox().evidence(&saved.id).unwrap();
    complete_bundle(&UnverifiedBundle::read(bundle).unwrap(), &evidence, None).unwrap().to_json()
}

/// A log that was begun anew can have the same entry at the same place, in another tree.
#[tokio::test]
async fn one_place_in_a_log_stands_in_a_bundle_once() {
    let world = World::new().await;
    let producer = world.producer();
    let saved = producer.attest_batched(1).await;
    let empty = UnverifiedBundle::read(&saved.bundle()).unwrap();
    producer.flush_all().await;
    let outbox = producer.genten.journal().unwrap().outbox();
    let mut evidence = outbox.evidence(&saved.id).unwrap();
    let first = evidence[0].clone();
    world.log.append(["another"]);
    let index = world.log.indices_of(&evidence[0].body)[0];
    let later = world.log.with_log(|log| log.entry(index, &Handing::default()));
    evidence[0].entry = later.to_string().into_bytes();
    let bundle = UnverifiedBundle::read(&saved.bundle()).unwrap();
    let completed = complete_bundle(&bundle, &evidence, None).unwrap().to_json();
    assert_eq!(completed, saved.bundle());
    // Two descriptions of one log can prove it by two trees at once.
    let both = [first, evidence.remove(0)];
    assert_ne!(both[0].entry, both[1].entry);
    let completed = complete_bundle(&empty, &both, None).unwrap().to_json();
    assert_eq!(completed, saved.bundle());
}

/// Whichever of the two was logged first.
///
/// 001-09
#[tokio::test]
async fn a_bundle_points_to_the_last_entry_about_its_manifest() {
    let world = World::new().await;
    let producer = world.producer();
    let saved = producer.attest_alone(1).await;
    let bundle = saved.bundle();
    producer.flush_all().await;
    let outbox = producer.genten.journal().unwrap().outbox();
    let mut evidence = outbox.evidence(&saved.id).unwrap();
    let pointer = |evidence: &[Evidence]| {
        let bundle = UnverifiedBundle::read(&bundle).unwrap();
        let completed = complete_bundle(&bundle, evidence, None).unwrap().to_json();
        let completed: serde_json::Value = serde_json::from_slice(&completed).unwrap();
        completed["manifest"]["transparency_log_id"].as_str().unwrap().to_owned()
    };
    evidence.sort_by_key(|one| one.subject == LogSubject::Content);
    let own = evidence[0].log_id.clone();
    assert_eq!(pointer(&evidence), own);
    evidence.reverse();
    assert_eq!(pointer(&evidence), own);
    let mut later = evidence[1].clone();
    later.log_id = "later.example#7".to_owned();
    evidence.push(later);
    assert_eq!(pointer(&evidence), "later.example#7");
    assert_eq!(pointer(&evidence[..1]), evidence[0].log_id);
}

fn replace_by_folder(path: &Path) {
    std::fs::remove_file(path).unwrap();
    std::fs::create_dir(path).unwrap();
}

#[cfg(unix)]
fn replace_by_pipe(path: &Path) {
    std::fs::remove_file(path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(not(unix))]
fn replace_by_pipe(path: &Path) {
    std::fs::remove_file(path).unwrap();
}

#[tokio::test]
async fn what_is_no_bundle_any_more_is_left_alone_and_its_evidence_kept() {
    let world = World::new().await;
    let producer = world.producer();
    let changes: [fn(&Path); 6] = [
        |path| std::fs::remove_file(path).unwrap(),
        |path| std::fs::rename(path, path.with_extension("moved")).unwrap(),
        |path| std::fs::write(path, "notes of the user").unwrap(),
        |path| std::fs::write(path, "").unwrap(),
        replace_by_folder,
        replace_by_pipe,
    ];
    let mut bundles = Vec::new();
    for (number, change) in changes.into_iter().enumerate() {
        let saved = producer.attest_batched(number).await;
        let bundle = saved.bundle();
        change(&saved.path);
        bundles.push((saved, bundle));
    }
    let healthy = producer.attest_batched(100).await;
    // The bundle of another manifest in the place of this one.
    let swapped = producer.attest_batched(101).await;
    let original = swapped.bundle();
    let of_another = bundles[0].1.clone();
    std::fs::write(&swapped.path, &of_another).unwrap();
    bundles.push((swapped.clone(), original));

    for _ in 0..2 {
        let report = producer.flush(Flush::All).await;
        assert_eq!((report.absent, report.full, report.unwritten), (7, 0, 0), "{report:?}");
        assert!(report.is_complete(), "all is logged");
    }
    let reader = world.reader(&producer);
    let verdict = |bundle: &[u8]| reader.verdict(bundle, &["log", "time"], world.now());
    assert_eq!(verdict(&healthy.bundle()), "accept");
    assert_eq!(std::fs::read_to_string(&bundles[2].0.path).unwrap(), "notes of the user");
    assert_eq!(swapped.bundle(), of_another);
    for (saved, bundle) in &bundles {
        assert_eq!(verdict(&completed(&producer, saved, bundle)), "accept");
    }

    let moved = &bundles[1].0.path;
    std::fs::rename(moved.with_extension("moved"), moved).unwrap();
    assert_eq!(producer.flush(Flush::Due).await.completed, 1);
    assert_eq!(verdict(&bundles[1].0.bundle()), "accept");
}

#[tokio::test]
async fn a_folder_that_became_a_file_is_no_place_for_a_bundle() {
    let world = World::new().await;
    let producer = world.producer();
    let saved = producer.attest_batched(1).await;
    let folder = world.path("folder");
    let journal = producer.genten.journal().unwrap();
    journal.update_bundle_path(&saved.id, &folder.join("bundle.json")).unwrap();
    std::fs::write(&folder, "a file").unwrap();
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.absent, report.unwritten), (1, 1, 0));
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_stays_and_the_bundle_behind_it_is_completed() {
    let world = World::new().await;
    let producer = world.producer();
    let saved = producer.attest_batched(1).await;
    let behind = world.path("behind.json");
    std::fs::rename(&saved.path, &behind).unwrap();
    std::os::unix::fs::symlink(&behind, &saved.path).unwrap();
    assert_eq!(producer.flush(Flush::All).await.completed, 1);
    assert!(std::fs::symlink_metadata(&saved.path).unwrap().is_symlink());
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn a_bundle_that_is_saved_after_the_log_has_answered_or_twice_is_completed_too() {
    let world = World::new().await;
    let producer = world.producer();
    let facts = producer.facts(1, genten::manifest::SourceClass::Realtime);
    let attested = producer.genten.attest(&facts).await.unwrap();
    assert_eq!(producer.flush_all().await.logged, 1);
    let reader = world.reader(&producer);
    for name in ["late.json", "late.json", "copy.json"] {
        let path = world.path(name);
        producer.genten.save_bundle(&attested, &path).unwrap();
        assert_eq!(producer.flush(Flush::Due).await.completed, 1, "{name}");
        let bundle = std::fs::read(&path).unwrap();
        assert_eq!(reader.verdict(&bundle, &["log", "time"], world.now()), "accept");
    }
}

/// The journal holds no secret, so that the bundle alone can give the manifest again.
#[tokio::test]
async fn the_bundle_of_a_url_with_a_secret_is_completed_without_the_journals_help() {
    let world = World::new().await;
    let producer = world.producer();
    let url = "https://laws.example/1?token=s3cret";
    let facts = Facts::of_body(url, &world.now().to_string(), b"the law").unwrap();
    let saved = producer.attest(&facts).await;
    let entry = producer.genten.journal().unwrap().get(&saved.id).unwrap().unwrap();
    assert_eq!(entry.manifest, None);
    assert_eq!(producer.flush(Flush::All).await.completed, 1);
    world.expect_arrived(&producer);
    assert!(String::from_utf8(saved.bundle()).unwrap().contains("s3cret"));
    world.expect_quiet(&producer).await;
    for body in world.log.bodies() {
        assert!(!String::from_utf8(body).unwrap().contains("s3cret"));
    }
}

#[tokio::test]
async fn a_bundle_that_would_become_too_large_is_counted_and_stays() {
    let world = World::new().await;
    let producer = world.producer();
    let mut facts = producer.facts(1, genten::manifest::SourceClass::Realtime);
    let (certificates, scts) = (vec![vec![0x30, 0]], Some(vec![7; 784_500]));
    facts.tls_chain = Some(TlsChain { certificates, scts, ocsp: None, tlog_proof: None });
    let large = producer.attest(&facts).await;
    let before = large.bundle();
    producer.attest_batched(2).await;
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.completed, report.full, report.absent), (1, 1, 1, 0));
    assert_eq!(large.bundle(), before);
    let outbox = producer.genten.journal().unwrap().outbox();
    assert_eq!(outbox.evidence(&large.id).unwrap().len(), 1);
}

/// A damaged journal is another thing than a bundle that has no room.
#[tokio::test]
async fn evidence_that_is_none_is_told_and_keeps_no_other_bundle_waiting() {
    let world = World::new().await;
    let producer = world.producer();
    let damaged = producer.attest_alone(1).await;
    let (before, outbox) = (damaged.bundle(), producer.genten.journal().unwrap().outbox());
    let claimed = outbox.claim(&world.target().name(), 1, world.now()).unwrap();
    outbox.logged([(claimed[0].id, &b"{"[..], "log.example#1")], world.now()).unwrap();
    producer.attest_batched(2).await;
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.unwritten, report.full, report.completed), (1, 0, 1));
    assert_eq!(report.unwritten_because.unwrap().code(), "log.evidence");
    assert!(damaged.bundle() == before);
}

/// One manifest in two logs, of which one is away.
#[tokio::test]
async fn each_log_adds_its_own_evidence() {
    let world = World::new().await;
    let other = World::with(TestLog::new("other.example")).await;
    let producer = world.producer();
    let facts = producer.facts(1, genten::manifest::SourceClass::Realtime);
    let saved = producer.attest(&facts).await;
    let attested = producer.genten.attest(&facts).await.unwrap();
    let second = LogTarget::file(other.path("log.toml")).unwrap();
    producer.genten.submit(&attested, &second).await.unwrap();
    other.log.stop_listening().await.unwrap();
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.completed, report.logs.len()), (1, 1, 2));
    other.log.listen_again().await.unwrap();
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.completed, report.logs.len()), (1, 1, 1));
    let text = String::from_utf8(saved.bundle()).unwrap();
    assert_eq!(text.matches("\"logIndex\"").count(), 4, "twice in each of two entries");
    let (reader, logs) = (world.reader(&producer), [&world.log, &other.log]);
    expect_arrived(&reader, &producer, &logs, world.now());
}
