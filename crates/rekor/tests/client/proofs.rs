//! Proofs that a log sends for an entry: what is wrong with one is told apart.

use genten_rekor::{Next, RekorClient, SubmitError, WrongEntry};
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::witness::{Witness, policy};
use genten_testkit::{Answer, SeedKey};
use genten_tlog::rekor::EntryError;
use genten_tlog::{CheckpointError, WitnessPolicy};

use crate::submit::World;
use crate::support::{answering, endpoint, http};

#[tokio::test]
async fn the_entry_of_somebody_else_is_no_proof() {
    let mut world = World::new();
    let other = SeedKey::es256("other").rekord(b"another manifest");
    let theirs = world.log.log(&other.to_body(), &Handing::default());
    assert_eq!(world.wrong(theirs).await, WrongEntry::OtherBody);
    let mut bare = world.answer.clone();
    bare["canonicalizedBody"] = serde_json::Value::Null;
    assert_eq!(world.wrong(bare).await, WrongEntry::OtherBody);
    let mut ours = world.answer.clone();
    ours["kindVersion"]["version"] = "0.0.1".into();
    assert!(matches!(world.wrong(ours).await, WrongEntry::Kind { .. }));
}

#[tokio::test]
async fn the_signature_of_another_key_is_no_proof() {
    let intruder = SeedKey::ed25519("intruder");
    let handing = Handing { signer: Some(&intruder), ..Handing::default() };
    let world = World::handing(&handing);
    let wrong = world.wrong(&world.answer).await;
    let signature = |error: &EntryError| {
        matches!(error, EntryError::Checkpoint(CheckpointError::LogSignature { .. }))
    };
    assert!(matches!(&wrong, WrongEntry::Entry(error) if signature(error)), "{wrong:?}");

    let mut foreign = TestLog::new("other.example");
    let theirs = foreign.log(&world.rekord.to_body(), &Handing::default());
    let wrong = world.wrong(theirs).await;
    assert!(matches!(wrong, WrongEntry::Entry(EntryError::Checkpoint(_))), "{wrong:?}");
}

#[tokio::test]
async fn a_proof_that_was_changed_is_no_proof() {
    let world = World::new();
    let mut hash = world.answer.clone();
    hash["inclusionProof"]["hashes"][0] = hash["inclusionProof"]["rootHash"].clone();
    let wrong = world.wrong(hash).await;
    assert!(matches!(wrong, WrongEntry::Entry(EntryError::Inclusion(_))), "{wrong:?}");
    let mut index = world.answer.clone();
    index["logIndex"] = "4".into();
    index["inclusionProof"]["logIndex"] = "4".into();
    let wrong = world.wrong(index).await;
    assert!(matches!(wrong, WrongEntry::Entry(EntryError::Inclusion(_))), "{wrong:?}");
    let mut without = world.answer.clone();
    without["inclusionProof"] = serde_json::Value::Null;
    let wrong = world.wrong(without).await;
    assert!(matches!(wrong, WrongEntry::Entry(EntryError::ProofMissing)), "{wrong:?}");
}

/// One entry goes into the bundles of all members of a batch: nobody else fills them.
#[tokio::test]
async fn of_an_answer_only_what_was_verified_is_kept() {
    let world = World::new();
    let mut padded = world.answer.clone();
    padded["integratedTime"] = "1".into();
    padded["inclusionPromise"] = serde_json::json!({ "signedEntryTimestamp": "AAAA" });
    let padded = padded.to_string().replacen('{', &format!("{{{}", " ".repeat(100_000)), 1);
    let kept = world.submit(padded).await.unwrap().entry;
    assert_eq!(kept, world.submit(world.answer.to_string()).await.unwrap().entry);
    let kept: serde_json::Value = serde_json::from_slice(&kept).unwrap();
    assert_eq!((&kept["integratedTime"], kept["inclusionPromise"].is_null()), (&"0".into(), true));
}

/// The log's own key can sign a note of any length.
#[tokio::test]
async fn a_checkpoint_that_would_fill_bundles_is_refused() {
    let world = World::new();
    let note = world.answer["inclusionProof"]["checkpoint"]["envelope"].as_str().unwrap();
    let lines = format!("\u{2014} stranger {}\n", "A".repeat(80_000));
    let mut long = world.answer.clone();
    long["inclusionProof"]["checkpoint"]["envelope"] = format!("{note}{lines}").into();
    assert!(matches!(world.wrong(long).await, WrongEntry::TooLong { limit: 65_536, .. }));
}

#[tokio::test]
async fn wrong_proofs_wait_for_a_person_and_nonsense_is_asked_for_again() {
    let world = World::new();
    let mut without = world.answer.clone();
    without["inclusionProof"] = serde_json::Value::Null;
    let error = world.error(Answer::status(201).body(without.to_string())).await;
    assert_eq!((error.next(), error.code()), (Next::Person, "rekor.submit.wrong-proof"));
    for nonsense in ["<html>Welcome to our hotel</html>", "", "{}", "[]"] {
        assert!(matches!(world.wrong(nonsense).await, WrongEntry::Malformed(_)));
        let error = world.error(Answer::status(201).body(nonsense)).await;
        assert_eq!(error.next(), Next::SameBytesAgain);
    }
}

#[tokio::test]
async fn too_few_witnesses_are_waited_for() {
    let (w1, w2) = (Witness::new("w1.example"), Witness::new("w2.example"));
    for (witnesses, enough) in
        [(vec![(&w1, 7)], false), (vec![(&w1, 7), (&w2, 8)], true), (vec![], false)]
    {
        let world = World::handing(&Handing { witnesses: &witnesses, ..Handing::default() });
        let text = policy(&[world.log.note_key()], &[&w1, &w2], 2);
        let site = answering(world.answer()).await;
        let endpoint = endpoint(&site, world.log.note_key().clone())
            .with_witnesses(WitnessPolicy::parse(&text).unwrap());
        match RekorClient::new(http(), endpoint).submit(&world.rekord).await {
            Ok(submitted) => {
                assert!(enough);
                assert_eq!(submitted.logged.checkpoint().cosignatures().len(), 2);
            }
            Err(error) => {
                assert!(!enough, "{error:?}");
                let SubmitError::NoQuorum { index, .. } = &error else { panic!("{error:?}") };
                let next = Next::NextCheckpoint;
                assert_eq!((index.get(), error.next()), (5, next));
            }
        }
    }
}
