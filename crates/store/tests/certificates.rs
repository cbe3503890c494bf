//! Certificates to be proven: each is asked about once, whoever has it, and nothing is forgotten.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod common;

use common::{entry, id, met, time};
use genten_primitives::Sha256Digest;
use genten_store::{
    Certificate, CertificateCounts, CertificateProof, CertificateState, Durability, Journal,
    LogState, WantedCertificate,
};

fn journal(folder: &tempfile::TempDir) -> Journal {
    Journal::open(folder.path().join("journal.db"), Durability::Normal).unwrap()
}

fn leaf(name: &str) -> Sha256Digest {
    Sha256Digest::of(name.as_bytes())
}

/// A certificate whose chain came in an item of this text.
fn wanted(name: &str, scts: Option<&[u8]>, item: &str) -> WantedCertificate {
    let (scts, item) = (scts.map(<[u8]>::to_vec), item.as_bytes().to_vec());
    WantedCertificate { leaf: leaf(name), scts, item }
}

fn record(journal: &Journal, number: u64, wanted: &WantedCertificate) {
    journal.record_wanting(&entry(number), &[], &[], Some(wanted)).unwrap();
}

fn due(journal: &Journal, seconds: i64) -> Vec<Certificate> {
    journal.certificates().due(None, 100, time(seconds)).unwrap()
}

#[test]
fn one_proof_serves_all_manifests_of_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    record(&journal, 1, &wanted("one", None, "{\"chain\":1}"));
    record(&journal, 2, &wanted("one", None, "{\"chain\":2}"));
    record(&journal, 3, &wanted("two", None, "{\"chain\":3}"));
    let certificates = journal.certificates();
    let found = due(&journal, 10);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].leaf, &found[0].item[..]), (leaf("one"), &b"{\"chain\":1}"[..]));
    certificates.proven(found[0].id, b"proof", "log#7", time(11)).unwrap();
    let proof = CertificateProof { leaf: leaf("one"), tlog_proof: b"proof".to_vec() };
    assert_eq!(certificates.proof(&id(1)).unwrap(), Some(proof.clone()));
    assert_eq!(certificates.proof(&id(2)).unwrap(), Some(proof.clone()));
    assert_eq!(certificates.proof(&id(3)).unwrap(), None);
    assert_eq!(due(&journal, 10), [found[1].clone()]);

    record(&journal, 4, &wanted("one", None, "{\"chain\":1}"));
    assert_eq!(certificates.proof(&id(4)).unwrap(), Some(proof));
    assert_eq!(due(&journal, 10).len(), 1, "nobody asks again");
    let counts = CertificateCounts { proven: 1, queued: 1, ..CertificateCounts::default() };
    assert_eq!(certificates.counts().unwrap(), counts, "no bundle is on disk");
    for number in [3, 4] {
        journal.update_bundle_path(&id(number), "some.provenance.json".as_ref()).unwrap();
    }
    assert_eq!(certificates.counts().unwrap(), CertificateCounts { unplaced: 1, ..counts });
}

/// A proof is about the leaf of one promise, and a bundle that lacks the promise cannot use it.
#[test]
fn promises_that_came_beside_a_certificate_make_it_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    record(&journal, 1, &wanted("one", None, "{}"));
    record(&journal, 2, &wanted("one", Some(b"scts"), "{\"scts\":1}"));
    let found = due(&journal, 10);
    assert_eq!(found.len(), 2);
    journal.certificates().proven(found[1].id, b"proof", "log#7", time(11)).unwrap();
    assert_eq!(journal.certificates().proof(&id(1)).unwrap(), None);
    assert!(journal.certificates().proof(&id(2)).unwrap().is_some());
}

#[test]
fn the_chain_is_kept_with_the_manifest_and_the_manifest_is_not_wanted_of_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    record(&journal, 1, &wanted("one", None, "{\"chain\":1}"));
    assert_eq!(journal.outbox().items(&id(1)).unwrap(), [b"{\"chain\":1}".to_vec()]);
    assert_eq!(journal.get(&id(1)).unwrap().unwrap().log.state, LogState::None);
    assert_eq!(journal.outbox().counts().unwrap(), []);
}

#[test]
fn what_is_put_off_comes_back_at_its_time_or_when_the_clock_was_set_back() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    record(&journal, 1, &wanted("one", None, "{}"));
    let (certificates, first) = (journal.certificates(), due(&journal, 10)[0].id);
    certificates.postpone(first, time(500), met("log.unreached"), time(11)).unwrap();
    assert_eq!(due(&journal, 499), []);
    assert_eq!(certificates.next_due(time(0)).unwrap(), Some(time(500)));
    let stuck = certificates.stuck(10).unwrap();
    assert_eq!((stuck[0].attempts, stuck[0].detail.as_deref()), (1, Some("log.unreached")));
    assert_eq!(certificates.counts().unwrap().stuck, 1);
    assert_eq!(due(&journal, 500).len(), 1);
    certificates.postpone(first, time(9000), met("log.unreached"), time(8000)).unwrap();
    assert_eq!(due(&journal, 5000).len(), 1, "no wait is longer than an hour");
    certificates.retry(false, time(8001)).unwrap();
    assert_eq!(due(&journal, 8001)[0].attempts, 2);
}

#[test]
fn what_people_were_told_stays_known_whatever_is_met_next() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    record(&journal, 1, &wanted("one", None, "{}"));
    record(&journal, 2, &wanted("two", None, "{}"));
    let (certificates, first) = (journal.certificates(), due(&journal, 10)[0].id);
    for what in ["broken log.example/1", "late log.example/2"] {
        certificates.told(first, what).unwrap();
        certificates.postpone(first, time(12), met("log.unreached"), time(11)).unwrap();
    }
    let found = due(&journal, 500);
    assert_eq!(found[0].told, ["broken log.example/1", "late log.example/2"]);
    assert_eq!(found[1].told, [""; 0]);
}

#[test]
fn what_failed_stays_with_the_reason_until_it_is_wanted_again() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    record(&journal, 1, &wanted("one", None, "{}"));
    let (certificates, first) = (journal.certificates(), due(&journal, 10)[0].id);
    certificates.failed(first, met("log.other-leaf"), time(11)).unwrap();
    certificates.postpone(first, time(20), met("log.unreached"), time(12)).unwrap();
    certificates.retry(false, time(12)).unwrap();
    assert_eq!((due(&journal, 9999), certificates.next_due(time(0)).unwrap()), (vec![], None));
    let stuck = certificates.stuck(10).unwrap();
    assert_eq!(stuck[0].state, CertificateState::Failed);
    assert_eq!(certificates.counts().unwrap().stuck, 1);
    let told = (stuck[0].detail.as_deref(), stuck[0].hint.as_deref());
    assert_eq!(told, (Some("log.other-leaf"), Some("look there")));
    certificates.retry(true, time(30)).unwrap();
    assert_eq!(due(&journal, 30).len(), 1);
}

#[test]
fn what_is_proven_is_not_put_off_or_failed_by_somebody_who_comes_late() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    record(&journal, 1, &wanted("one", None, "{}"));
    let (certificates, first) = (journal.certificates(), due(&journal, 10)[0].id);
    certificates.proven(first, b"proof", "log#7", time(11)).unwrap();
    certificates.postpone(first, time(20), met("log.unreached"), time(12)).unwrap();
    certificates.failed(first, met("log.other-leaf"), time(12)).unwrap();
    assert!(certificates.proof(&id(1)).unwrap().is_some());
    let counts = CertificateCounts { proven: 1, ..CertificateCounts::default() };
    assert_eq!(certificates.counts().unwrap(), counts);
}

#[test]
fn due_certificates_come_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    for number in 1..=5 {
        record(&journal, number, &wanted(&number.to_string(), None, "{}"));
    }
    let (certificates, mut after, mut leaves) = (journal.certificates(), None, Vec::new());
    loop {
        let part = certificates.due(after, 2, time(10)).unwrap();
        let Some(last) = part.last() else { break };
        after = Some(last.id);
        leaves.extend(part.iter().map(|one| one.leaf));
    }
    assert_eq!(leaves, ["1", "2", "3", "4", "5"].map(leaf));
}

#[test]
fn a_bundle_lacks_the_proof_until_it_is_noted_that_it_holds_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder);
    for number in [1, 2] {
        record(&journal, number, &wanted("one", None, "{}"));
        let path = format!("{number}.provenance.json");
        journal.update_bundle_path(&id(number), path.as_ref()).unwrap();
    }
    let certificates = journal.certificates();
    assert_eq!(certificates.unplaced(0, 10).unwrap(), [], "there is no proof");
    certificates.proven(due(&journal, 10)[0].id, b"proof", "log#7", time(11)).unwrap();
    let unplaced = certificates.unplaced(0, 10).unwrap();
    assert_eq!(unplaced.iter().map(|(_, one)| one.manifest_id).collect::<Vec<_>>(), [id(1), id(2)]);
    assert_eq!(certificates.unplaced(unplaced[0].0, 10).unwrap(), unplaced[1..]);
    assert_eq!(certificates.unplaced(0, 1).unwrap(), unplaced[..1]);
    certificates.placed(&[id(1)]).unwrap();
    assert_eq!(certificates.unplaced(0, 10).unwrap(), unplaced[1..]);
    assert_eq!(certificates.counts().unwrap().unplaced, 1);
    journal.update_bundle_path(&id(1), "copy.provenance.json".as_ref()).unwrap();
    assert_eq!(certificates.unplaced(0, 10).unwrap().len(), 2, "the copy may lack it");
}
