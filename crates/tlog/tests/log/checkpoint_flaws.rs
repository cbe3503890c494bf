//! Each flaw of a checkpoint by its error. Where the flaw is in the text, the log has signed it.

use genten_primitives::signature::SignatureError;
use genten_tlog::checkpoint::{tree_head_blob, tree_head_message};
use genten_tlog::note::{LineError, NoteKeyKind, signature_line};
use genten_tlog::{
    CheckpointError, LogIdentity, LogIdentityError, NoteError, NoteKey, cosignature, merkle,
};

use crate::checkpoint::{Ecdsa, verify};
use crate::common::{
    COLLIDING_LOGS, COLLIDING_WITNESSES, ORIGIN, Party, body, identity, leaves, log, note, public,
    size,
};

/// The error of a text that the log has signed.
fn signed(text: &str) -> CheckpointError {
    verify(&note(text, &[log().line(text)]), &identity(&[&log()]), &[]).unwrap_err()
}

/// The error of a note with these lines, where the witness `w` is known.
fn with(lines: impl Fn(&str) -> Vec<String>) -> CheckpointError {
    let text = body(&leaves(3));
    verify(&note(&text, &lines(&text)), &identity(&[&log()]), &[witness().key]).unwrap_err()
}

fn witness() -> Party {
    Party::witness("w", 8)
}

fn mismatch() -> LineError {
    LineError::Signature(SignatureError::Mismatch)
}

#[test]
fn no_note() {
    let error = verify("text\n", &identity(&[&log()]), &[]);
    assert_eq!(error, Err(CheckpointError::Note(NoteError::NoBlankLine)));
}

#[test]
fn origin_missing() {
    let text = body(&leaves(3)).replace(ORIGIN, "");
    assert_eq!(signed(&text), CheckpointError::OriginMissing);
    assert_eq!(signed("\n"), CheckpointError::OriginMissing);
}

#[test]
fn other_origin() {
    for other in
        ["example.com/log2", "example.com/log ", "Example.com/log", "https://example.com/log"]
    {
        let text = body(&leaves(3)).replace(ORIGIN, other);
        let error = CheckpointError::OtherOrigin { expected: ORIGIN.into(), found: other.into() };
        assert_eq!(signed(&text), error);
    }
    // Without its first line the size stands where the origin should.
    let text = body(&leaves(3)).replace("example.com/log\n", "");
    let error = CheckpointError::OtherOrigin { expected: ORIGIN.into(), found: "3".into() };
    assert_eq!(signed(&text), error);
}

#[test]
fn size_missing() {
    let text = body(&leaves(3));
    assert_eq!(signed(&text.replace("\n3\n", "\n")), CheckpointError::SizeMissing);
    assert_eq!(signed(&text.replace("\n3\n", "\n\n")), CheckpointError::SizeMissing);
    assert_eq!(signed("example.com/log\n"), CheckpointError::SizeMissing);
}

#[test]
fn size_malformed() {
    for size in ["03", "+3", "-3", " 3", "3 ", "0x3", "3.0", "٣", "9223372036854775808", "three"] {
        let text = body(&leaves(3)).replace("\n3\n", &["\n", size, "\n"].concat());
        assert_eq!(signed(&text), CheckpointError::SizeMalformed, "{size}");
    }
    let largest = body(&leaves(3)).replace("\n3\n", "\n9223372036854775807\n");
    let whole = note(&largest, &[log().line(&largest)]);
    let read = verify(&whole, &identity(&[&log()]), &[]).unwrap();
    assert_eq!(read.size(), size(i64::MAX as u64));
}

#[test]
fn root_missing() {
    assert_eq!(signed("example.com/log\n3\n"), CheckpointError::RootMissing);
    assert_eq!(signed("example.com/log\n3\n\n"), CheckpointError::RootMissing);
}

#[test]
fn root_malformed() {
    let text = body(&leaves(3));
    let root = text.lines().nth(2).unwrap();
    let unpadded = root.trim_end_matches('=');
    for other in ["AAAA", unpadded, &root.to_lowercase()[1..], &[root, " "].concat(), "extension"] {
        let text = text.replace(root, other);
        assert_eq!(signed(&text), CheckpointError::RootMalformed, "{other}");
    }
}

#[test]
fn empty_extension() {
    let text = body(&leaves(3));
    assert_eq!(signed(&[&text, "\n"].concat()), CheckpointError::EmptyExtension);
    assert_eq!(signed(&[&text, "one\n\ntwo\n"].concat()), CheckpointError::EmptyExtension);
}

#[test]
fn empty_tree_root() {
    let text = body(&leaves(3)).replace("\n3\n", "\n0\n");
    let found = merkle::root(&leaves(3));
    assert_eq!(signed(&text), CheckpointError::EmptyTreeRoot { found });
}

#[test]
fn no_log_signature() {
    let by_witness = with(|text| vec![witness().cosign(text, 1)]);
    assert_eq!(by_witness, CheckpointError::NoLogSignature);
    // The right id under another name is another key.
    let renamed = with(|text| vec![log().line(text).replace(ORIGIN, "example.com/other")]);
    assert_eq!(renamed, CheckpointError::NoLogSignature);
}

#[test]
fn log_key_hint() {
    let other = Party::log(ORIGIN, 2);
    let number = |party: &Party| u32::from_be_bytes(party.key.id());
    let (expected, found) = (number(&log()), number(&other));
    let error = CheckpointError::LogKeyHint { name: ORIGIN.into(), expected, found };
    assert_eq!(with(|text| vec![witness().cosign(text, 1), other.line(text)]), error);
}

#[test]
fn log_signature() {
    let error = CheckpointError::LogSignature { name: ORIGIN.into(), source: mismatch() };
    let forged = |_: &str| vec![log().line("other text\n")];
    assert_eq!(with(forged), error);
    // A good signature before or behind it makes up for nothing.
    assert_eq!(with(|text| vec![log().line(text), log().line("other text\n")]), error);
    assert_eq!(with(|text| vec![log().line("other text\n"), log().line(text)]), error);
    let cut = with(|text| vec![signature_line(&log().key, &log().sign(text.as_bytes())[1..])]);
    let source = LineError::Signature(SignatureError::Length { expected: 64, found: 63 });
    assert_eq!(cut, CheckpointError::LogSignature { name: ORIGIN.into(), source });
}

#[test]
fn signature_comes_before_size_and_root() {
    let text = "example.com/log\nno size\nno root\n";
    let whole = note(text, &[log().line("other text\n")]);
    let error = verify(&whole, &identity(&[&log()]), &[]).unwrap_err();
    assert_eq!(error, CheckpointError::LogSignature { name: ORIGIN.into(), source: mismatch() });
}

fn cosignature_error(lines: impl Fn(&str) -> String) -> LineError {
    match with(|text| vec![log().line(text), lines(text)]) {
        CheckpointError::Cosignature { name, source } => {
            assert_eq!(name, "w");
            source
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_failing_witness_refuses_the_note() {
    let other = body(&leaves(4));
    // Of another size and root, of another time, and with another extension.
    assert_eq!(cosignature_error(|_| witness().cosign(&other, 1)), mismatch());
    let extended = |text: &str| witness().cosign(&[text, "extension\n"].concat(), 1);
    assert_eq!(cosignature_error(extended), mismatch());
    let later = |text: &str| {
        let signature = witness().sign(&cosignature::message(1, text));
        signature_line(&witness().key, &cosignature::blob(2, &signature))
    };
    assert_eq!(cosignature_error(later), mismatch());
}

#[test]
fn a_cosignature_has_72_bytes() {
    for found in [64, 71, 73] {
        let error = LineError::CosignatureLength { expected: 72, found };
        let line = |_: &str| signature_line(&witness().key, &vec![1; found]);
        assert_eq!(cosignature_error(line), error);
    }
}

#[test]
fn a_log_signature_is_no_cosignature() {
    let relabelled = |text: &str| {
        let signature = witness().sign(text.as_bytes());
        signature_line(&witness().key, &cosignature::blob(1, &signature))
    };
    assert_eq!(cosignature_error(relabelled), mismatch());
    // Nor is the same key as a log's one the witness that was asked for.
    let text = body(&leaves(3));
    let as_log = NoteKey::ed25519("w", &public(8)).unwrap();
    let lines = [log().line(&text), signature_line(&as_log, &witness().sign(text.as_bytes()))];
    let read = verify(&note(&text, &lines), &identity(&[&log()]), &[witness().key]).unwrap();
    assert!(read.cosignatures().is_empty());
}

#[test]
fn a_cosignature_is_no_log_signature() {
    // One key, as log and as witness: its cosignature does not make the note the log's.
    let witness = Party::witness(ORIGIN, 1);
    let text = body(&leaves(3));
    let whole = note(&text, &[witness.cosign(&text, 1)]);
    let error = verify(&whole, &identity(&[&log()]), &[witness.key]).unwrap_err();
    assert!(matches!(error, CheckpointError::LogKeyHint { .. }), "{error}");
}

#[test]
fn times_of_cosignatures() {
    let at = |seconds| cosignature_error(|text| witness().cosign(text, seconds));
    assert_eq!(at(0), LineError::TimeZero);
    assert_eq!(at(1 << 63), LineError::TimeRange { found: 1 << 63 });
    let text = body(&leaves(3));
    let lines = [log().line(&text), witness().cosign(&text, (1 << 63) - 1)];
    let read = verify(&note(&text, &lines), &identity(&[&log()]), &[witness().key]).unwrap();
    assert_eq!(read.cosignatures()[0].time(), None);
}

#[test]
fn keys_of_the_caller() {
    let text = body(&leaves(3));
    let whole = note(&text, &[log().line(&text)]);
    let error = verify(&whole, &identity(&[&log()]), &[log().key]).unwrap_err();
    let kind = NoteKeyKind::Ed25519;
    assert_eq!(error, CheckpointError::CosignerKind { name: ORIGIN.into(), kind });
    let twice = [witness().key, witness().key];
    let error = verify(&whole, &identity(&[&log()]), &twice).unwrap_err();
    let id = u32::from_be_bytes(witness().key.id());
    assert_eq!(error, CheckpointError::AmbiguousKey { name: "w".into(), id });
}

#[test]
fn ids_of_32_bits_collide() {
    let keys = |texts: [&str; 2]| texts.map(|text| text.parse::<NoteKey>().unwrap());
    let logs = keys(COLLIDING_LOGS);
    assert_ne!(logs[0].key(), logs[1].key());
    let error = LogIdentityError::AmbiguousKey { name: ORIGIN.into(), id: 0x3a95_b6d3 };
    assert_eq!(LogIdentity::new(ORIGIN, logs.to_vec()), Err(error));
    let text = body(&leaves(3));
    let whole = note(&text, &[log().line(&text)]);
    let error = CheckpointError::AmbiguousKey { name: ORIGIN.into(), id: 0xb9cb_23d4 };
    let result = verify(&whole, &identity(&[&log()]), &keys(COLLIDING_WITNESSES));
    assert_eq!(result, Err(error));
}

#[test]
fn identities() {
    let new = |origin: &str, keys: &[&NoteKey]| {
        LogIdentity::new(origin, keys.iter().map(|key| (*key).clone()).collect()).unwrap_err()
    };
    let key = log().key;
    for origin in ["", "a\nb", "a\tb", "a\r"] {
        assert_eq!(new(origin, &[&key]), LogIdentityError::Origin);
    }
    assert_eq!(new(ORIGIN, &[]), LogIdentityError::NoKey { origin: ORIGIN.into() });
    let id = u32::from_be_bytes(key.id());
    let error = LogIdentityError::AmbiguousKey { name: ORIGIN.into(), id };
    assert_eq!(new(ORIGIN, &[&key, &Party::log("n", 3).key, &key]), error);
    let kind = NoteKeyKind::Cosignature;
    let error = LogIdentityError::Kind { name: "w".into(), kind };
    assert_eq!(new(ORIGIN, &[&key, &witness().key]), error);
    let tree_head = NoteKey::rfc6962("other", &Ecdsa::new(6).public()).unwrap();
    let error = LogIdentityError::TreeHeadKeyName { origin: ORIGIN.into(), name: "other".into() };
    assert_eq!(new(ORIGIN, &[&tree_head]), error);
}

#[test]
fn tree_head_signatures() {
    let secret = Ecdsa::new(6);
    let key = NoteKey::rfc6962(ORIGIN, &secret.public()).unwrap();
    let log = LogIdentity::new(ORIGIN, vec![key.clone()]).unwrap();
    let text = body(&leaves(3));
    let root = merkle::root(&leaves(3));
    let blob = |millis: u64, leaves: u64| {
        let signature = secret.sign(&tree_head_message(millis, size(leaves), root));
        tree_head_blob(secret.public().kind(), millis, &signature).unwrap()
    };
    let error = |blob: &[u8]| match verify(&note(&text, &[signature_line(&key, blob)]), &log, &[]) {
        Err(CheckpointError::LogSignature { source, .. }) => Some(source),
        other => other.map(|_| None).unwrap(),
    };
    let good = blob(5, 3);
    assert_eq!(error(&good), None);
    for length in 1..good.len() {
        assert_eq!(error(&good[..length]), Some(LineError::TreeHeadLength), "{length}");
    }
    assert_eq!(error(&[&good[..], &[0]].concat()), Some(LineError::TreeHeadLength));
    for found in [[4, 1], [5, 3], [0, 0], [8, 7]] {
        let mut other = good.clone();
        other[8..10].copy_from_slice(&found);
        let expected = [4, 3];
        assert_eq!(error(&other), Some(LineError::TreeHeadAlgorithm { expected, found }));
    }
    assert_eq!(error(&blob(5, 4)), Some(mismatch()));
    let mut later = good.clone();
    later[7] = 6;
    assert_eq!(error(&later), Some(mismatch()));
    let late = 1 << 63;
    assert_eq!(error(&blob(late, 3)), Some(LineError::TimeRange { found: late }));
    assert_eq!(tree_head_blob(public(1).kind(), 5, &[]), None);
    assert_eq!(tree_head_blob(secret.public().kind(), 5, &vec![0; 65_536]), None);
}
