//! Checkpoints that are good, and what follows from them.

use genten_primitives::encoding::{base64, from_base64};
use genten_primitives::{PublicKey, Sha256Digest};
use genten_tlog::checkpoint::{tree_head_blob, tree_head_message};
use genten_tlog::note::{NoteKeyKind, signature_line};
use genten_tlog::{
    Checkpoint, CheckpointError, ConsistencyProof, Fork, InclusionProof, LogIdentity, NoteKey,
    ProofError, UnverifiedCheckpoint, merkle,
};
use p256::ecdsa::signature::Signer as _;

use crate::common::{ORIGIN, Party, body, identity, index, leaves, log, note, size};
use crate::note_key::RSA_PEM;

pub(crate) fn verify(
    note: &str,
    log: &LogIdentity,
    witnesses: &[NoteKey],
) -> Result<Checkpoint, CheckpointError> {
    UnverifiedCheckpoint::parse(note.as_bytes())?.verify(log, witnesses)
}

/// The checkpoint of our log over these leaves.
pub(crate) fn over(leaves: &[Sha256Digest]) -> Checkpoint {
    let text = body(leaves);
    verify(&note(&text, &[log().line(&text)]), &identity(&[&log()]), &[]).unwrap()
}

/// ECDSA on P-256 with a key of its own.
pub(crate) struct Ecdsa(p256::ecdsa::SigningKey);

impl Ecdsa {
    pub(crate) fn new(seed: u8) -> Self {
        Self(p256::ecdsa::SigningKey::from_slice(&[seed; 32]).unwrap())
    }

    pub(crate) fn public(&self) -> PublicKey {
        let point = self.0.verifying_key().to_sec1_point(true);
        PublicKey::p256_from_sec1(point.as_bytes()).unwrap()
    }

    pub(crate) fn sign(&self, message: &[u8]) -> Vec<u8> {
        let signature: p256::ecdsa::Signature = self.0.sign(message);
        signature.to_der().as_bytes().to_vec()
    }
}

#[test]
fn everything_of_it_can_be_read() {
    let (w1, w2) = (Party::witness("w1", 11), Party::witness("w2", 12));
    let all = leaves(5);
    let text = [&body(&all), "extension one\n", "extension two\n"].concat();
    let whole = note(&text, &[w2.cosign(&text, 20), log().line(&text), w1.cosign(&text, 10)]);
    let unverified = UnverifiedCheckpoint::parse(whole.as_bytes()).unwrap();
    assert_eq!(unverified.unverified_origin(), ORIGIN);
    assert_eq!(unverified.note().as_bytes(), whole.as_bytes());
    let witnesses = [w1.key.clone(), w2.key.clone(), Party::witness("w3", 13).key];
    let read = unverified.verify(&identity(&[&log()]), &witnesses).unwrap();
    assert_eq!((read.origin(), read.size(), read.root()), (ORIGIN, size(5), merkle::root(&all)));
    assert_eq!(read.note(), whole.as_bytes());
    assert_eq!(read.signers(), [log().key]);
    let times: Vec<_> =
        read.cosignatures().iter().map(|one| (one.key().name(), one.seconds())).collect();
    assert_eq!(times, [("w2", 20), ("w1", 10)]);
    let time = read.cosignatures()[0].time().unwrap();
    assert_eq!(time.to_string(), "1970-01-01T00:00:20Z");
    assert_eq!((read.tree_head_millis(), read.tree_head_time()), (None, None));
    assert!(read.head().signed_by_log());
}

#[test]
fn origin_and_key_name_are_independent() {
    let key = Party::log("sum.golang.org", 3);
    let text = body(&leaves(2)).replace(ORIGIN, "go.sum database tree");
    let log = LogIdentity::new("go.sum database tree", vec![key.key.clone()]).unwrap();
    let read = verify(&note(&text, &[key.line(&text)]), &log, &[]).unwrap();
    assert_eq!(read.origin(), "go.sum database tree");
}

#[test]
fn any_key_of_the_log_will_do_and_each_counts_once() {
    let (old, new) = (log(), Party::log("example.com/new", 2));
    let text = body(&leaves(3));
    let identity = identity(&[&old, &new]);
    let read = verify(&note(&text, &[new.line(&text)]), &identity, &[]).unwrap();
    assert_eq!(read.signers(), std::slice::from_ref(&new.key));
    let lines = [new.line(&text), old.line(&text), new.line(&text)];
    let read = verify(&note(&text, &lines), &identity, &[]).unwrap();
    assert_eq!(read.signers(), [new.key, old.key]);
}

#[test]
fn unknown_lines_are_passed_over() {
    let text = body(&leaves(3));
    let same_name = Party::log(ORIGIN, 9);
    let junk = signature_line(&Party::witness("w", 8).key, &[1, 2, 3]);
    // As long as a cosignature of kind 0x06, which nobody here can check.
    let ml_dsa = signature_line(&Party::witness("m", 7).key, &[6; 2428]);
    let lines = [same_name.line(&text), junk.clone(), junk, ml_dsa, log().line(&text)];
    assert!(verify(&note(&text, &lines), &identity(&[&log()]), &[]).is_ok());
}

#[test]
fn a_witness_counts_once_with_its_earliest_time() {
    let witness = Party::witness("w", 8);
    let text = body(&leaves(3));
    for times in [[9, 7], [7, 9]] {
        let mut lines = vec![log().line(&text)];
        lines.extend(times.iter().map(|seconds| witness.cosign(&text, *seconds)));
        let keys = std::slice::from_ref(&witness.key);
        let read = verify(&note(&text, &lines), &identity(&[&log()]), keys).unwrap();
        let [one] = read.cosignatures() else { panic!() };
        assert_eq!(one.seconds(), 7);
    }
}

#[test]
fn logs_that_sign_with_ecdsa() {
    let secret = Ecdsa::new(5);
    let key = NoteKey::for_log(ORIGIN, &secret.public()).unwrap();
    let text = body(&leaves(3));
    let whole = note(&text, &[signature_line(&key, &secret.sign(text.as_bytes()))]);
    let log = LogIdentity::new(ORIGIN, vec![key]).unwrap();
    assert!(verify(&whole, &log, &[]).is_ok());
    let changed = whole.replacen("\n3\n", "\n4\n", 1);
    assert!(matches!(verify(&changed, &log, &[]), Err(CheckpointError::LogSignature { .. })));
}

fn rsa(name: &str, kind: fn(&str, &PublicKey) -> NoteKey, blob: &[u8]) -> (String, LogIdentity) {
    let key = kind(name, &PublicKey::from_spki_pem(RSA_PEM).unwrap());
    let text = body(&[]).replace(ORIGIN, name);
    let whole = note(&text, &[signature_line(&key, blob)]);
    (whole, LogIdentity::new(name, vec![key]).unwrap())
}

/// With pure Rust nothing was checked, so nothing is accepted.
fn only_with_aws_lc(result: Result<Checkpoint, CheckpointError>) {
    use genten_primitives::signature::SignatureError;
    use genten_tlog::note::LineError;
    let unavailable = LineError::Signature(SignatureError::RsaUnavailable);
    match result {
        Ok(_) if cfg!(feature = "aws-lc") => {}
        Err(CheckpointError::LogSignature { source, .. }) if !cfg!(feature = "aws-lc") => {
            assert_eq!(source, unavailable);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn logs_that_sign_with_rsa() {
    let signature = from_base64(include_str!("data/rsa.signature.b64")).unwrap();
    let kind = |name: &str, key: &PublicKey| NoteKey::for_log(name, key).unwrap();
    let (whole, log) = rsa("example.com/rsa", kind, &signature);
    only_with_aws_lc(verify(&whole, &log, &[]));
    let text = body(&[]).replace(ORIGIN, "example.com/rsa") + "more\n";
    let changed = note(&text, &[signature_line(&log.keys()[0], &signature)]);
    assert!(verify(&changed, &log, &[]).is_err());
}

#[test]
fn tree_heads_signed_with_rsa() {
    let signature = from_base64(include_str!("data/rsa.tree-head.b64")).unwrap();
    let rsa_kind = genten_primitives::key::KeyKind::Rsa { bits: 2048 };
    let blob = tree_head_blob(rsa_kind, 1_700_000_000_000, &signature).unwrap();
    assert_eq!(blob[8..10], [4, 1]);
    let kind = |name: &str, key: &PublicKey| NoteKey::rfc6962(name, key).unwrap();
    let (whole, log) = rsa("example.com/rsa", kind, &blob);
    only_with_aws_lc(verify(&whole, &log, &[]));
}

#[test]
fn tree_heads_of_rfc_6962() {
    let secret = Ecdsa::new(6);
    let key = NoteKey::rfc6962(ORIGIN, &secret.public()).unwrap();
    let log = LogIdentity::new(ORIGIN, vec![key.clone()]).unwrap();
    let all = leaves(4);
    let text = body(&all);
    let message = tree_head_message(1_700_000_000_123, size(4), merkle::root(&all));
    let kind = secret.public().kind();
    let blob = tree_head_blob(kind, 1_700_000_000_123, &secret.sign(&message)).unwrap();
    let read = verify(&note(&text, &[signature_line(&key, &blob)]), &log, &[]).unwrap();
    assert_eq!(read.tree_head_millis(), Some(1_700_000_000_123));
    assert_eq!(read.tree_head_time().unwrap().to_string(), "2023-11-14T22:13:20.123Z");
    assert_eq!(read.signers()[0].kind(), NoteKeyKind::Rfc6962);
    let extended = [&text, "extension\n"].concat();
    let whole = note(&extended, &[signature_line(&key, &blob)]);
    assert_eq!(verify(&whole, &log, &[]), Err(CheckpointError::ExtensionsUnderTreeHead));
}

#[test]
fn an_empty_tree_is_a_tree() {
    assert_eq!(over(&[]).root(), merkle::EMPTY_ROOT);
}

#[test]
fn inclusion_follows_from_a_checkpoint() {
    let all = leaves(9);
    let checkpoint = over(&all);
    let proof = InclusionProof::from_leaves(index(6), &all).unwrap();
    let included = checkpoint.includes(all[6], &proof).unwrap();
    assert_eq!((included.origin(), included.index(), included.size()), (ORIGIN, index(6), size(9)));
    let other = checkpoint.includes(all[5], &proof);
    assert!(matches!(other, Err(ProofError::RootMismatch { .. })));
    let older = over(&all[..8]).includes(all[6], &proof);
    assert!(older.is_err(), "the size is the checkpoint's");
}

#[test]
fn growth_follows_from_two_checkpoints() {
    let all = leaves(9);
    let (old, new) = (over(&all[..5]), over(&all));
    let proof = ConsistencyProof::from_leaves(size(5), &all).unwrap();
    assert_eq!(old.is_extended_by(&new, &proof), Ok(()));
    assert!(matches!(new.is_extended_by(&old, &proof), Err(ProofError::Shrunk { .. })));
    let key = Party::log("other", 4);
    let text = body(&all).replace(ORIGIN, "other");
    let log = LogIdentity::new("other", vec![key.key.clone()]).unwrap();
    let other = verify(&note(&text, &[key.line(&text)]), &log, &[]).unwrap();
    let error = ProofError::OriginMismatch { older: ORIGIN.into(), newer: "other".into() };
    assert_eq!(old.is_extended_by(&other, &proof), Err(error));
}

#[test]
fn one_size_and_two_roots_are_a_fork() {
    let (one, other) = (over(&leaves(4)), over(&[leaves(3), vec![leaves(1)[0]]].concat().clone()));
    let fork = Fork::between(one.head(), other.head()).unwrap();
    assert_eq!((fork.origin(), fork.size(), fork.convicts_log()), (ORIGIN, size(4), true));
    assert_eq!(fork.heads().map(|head| head.note()), [one.note(), other.note()]);
    assert_eq!(Fork::between(one.head(), one.head()), None);
    assert_eq!(Fork::between(one.head(), over(&leaves(5)).head()), None);
    let key = Party::log("other", 4);
    let text = body(&leaves(4)[1..]).replace(ORIGIN, "other").replace("\n3\n", "\n4\n");
    let log = LogIdentity::new("other", vec![key.key.clone()]).unwrap();
    let of_other = verify(&note(&text, &[key.line(&text)]), &log, &[]).unwrap();
    assert_eq!(Fork::between(one.head(), of_other.head()), None);
}

#[test]
fn the_word_of_a_cosigner_is_no_checkpoint_but_shows_a_fork() {
    let mirror = Party::witness("mirror", 7);
    let text = body(&leaves(4));
    let whole = note(&text, &[mirror.cosign(&text, 5)]);
    let unverified = UnverifiedCheckpoint::parse(whole.as_bytes()).unwrap();
    assert_eq!(
        unverified.verify(&identity(&[&log()]), std::slice::from_ref(&mirror.key)),
        Err(CheckpointError::NoLogSignature)
    );
    let keys = [mirror.key];
    let head = unverified.verify_cosigned(ORIGIN, &keys).unwrap();
    assert!(!head.signed_by_log());
    assert_eq!((head.size(), head.cosignatures().len()), (size(4), 1));
    let log = over(&[leaves(3), vec![leaves(1)[0]]].concat());
    let fork = Fork::between(log.head(), &head).unwrap();
    assert!(!fork.convicts_log());
    let nobody = unverified.verify_cosigned(ORIGIN, &[]);
    assert_eq!(nobody, Err(CheckpointError::NoCosignature));
    assert!(matches!(
        unverified.verify_cosigned("other", &keys),
        Err(CheckpointError::OtherOrigin { .. })
    ));
}

#[test]
fn base64_of_the_root_is_the_text_form() {
    assert!(body(&[]).contains(&base64(merkle::EMPTY_ROOT.as_bytes())));
}
