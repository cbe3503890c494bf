//! Proof files, good ones and each rule broken once.

use genten_primitives::encoding::{EncodingError, base64};
use genten_tlog::proof_file::MAX_PROOF_FILE;
use genten_tlog::{
    CheckpointError, InclusionProof, NoteError, ProofError, TlogProof, TlogProofError,
    WitnessPolicy, merkle,
};

use crate::common::{ORIGIN, Party, body, identity, index, leaves, log, note, size};

fn witness(number: u8) -> Party {
    Party::witness(&["w", &number.to_string()].concat(), 50 + number)
}

/// The proof of leaf 4 of 7, cosigned by `w1` and `w2`.
fn file() -> TlogProof {
    let all = leaves(7);
    let text = body(&all);
    let lines = [log().line(&text), witness(1).cosign(&text, 10), witness(2).cosign(&text, 20)];
    let proof = InclusionProof::from_leaves(index(4), &all).unwrap();
    TlogProof::new(Some(b"name".to_vec()), proof, note(&text, &lines).into_bytes()).unwrap()
}

fn text() -> String {
    String::from_utf8(file().to_bytes()).unwrap()
}

fn error(text: &str) -> TlogProofError {
    TlogProof::parse(text.as_bytes()).unwrap_err()
}

fn policy(log: &Party, quorum: &str) -> WitnessPolicy {
    let witness = |number| {
        let key = witness(number).key.to_vkey();
        ["witness w", &number.to_string(), " ", &key, "\n"].concat()
    };
    let lines = ["log ", &log.key.to_vkey(), "\n", &witness(1), &witness(2), &witness(3), quorum];
    WitnessPolicy::parse(&lines.concat()).unwrap()
}

#[test]
fn a_file_is_read_as_it_is_written() {
    let text = text();
    assert!(text.starts_with("c2sp.org/tlog-proof@v1\nextra bmFtZQ==\nindex 4\n"));
    let read = TlogProof::parse(text.as_bytes()).unwrap();
    assert_eq!(read, file());
    assert_eq!(read.extra(), Some(&b"name"[..]));
    assert_eq!(read.unverified_checkpoint().unverified_origin(), ORIGIN);
    let without = text.replace("extra bmFtZQ==\n", "");
    let read = TlogProof::parse(without.as_bytes()).unwrap();
    assert_eq!((read.extra(), read.to_bytes()), (None, without.into_bytes()));
}

#[test]
fn a_leaf_is_proven() {
    let (checkpoint, inclusion) =
        file().verify(leaves(7)[4], &identity(&[&log()]), &[witness(1).key]).unwrap();
    assert_eq!(checkpoint.cosignatures().len(), 1);
    assert_eq!((inclusion.index(), inclusion.size()), (index(4), size(7)));
    let quorum = "group g 2 w1 w2 w3\nquorum g\n";
    let (_, _, found) = file().verify_by_policy(leaves(7)[4], &policy(&log(), quorum)).unwrap();
    assert_eq!((found.time, found.witnesses.len()), (Some(20), 2));
}

#[test]
fn another_leaf() {
    let error = file().verify(leaves(7)[5], &identity(&[&log()]), &[]).unwrap_err();
    assert!(matches!(error, TlogProofError::Proof(ProofError::RootMismatch { .. })));
    let by_policy = file().verify_by_policy(leaves(7)[5], &policy(&log(), "quorum none\n"));
    assert!(matches!(by_policy, Err(TlogProofError::Proof(ProofError::RootMismatch { .. }))));
}

#[test]
fn the_quorum_is_not_met() {
    let by = |quorum| file().verify_by_policy(leaves(7)[4], &policy(&log(), quorum)).unwrap_err();
    assert_eq!(by("quorum w3\n"), TlogProofError::QuorumNotMet { found: 2 });
    assert_eq!(by("group g all w1 w2 w3\nquorum g\n"), TlogProofError::QuorumNotMet { found: 2 });
    // One witness twice.
    let twice = text().replace("\u{2014} w2 ", "\u{2014} other ");
    let line = twice.lines().find(|line| line.contains(" w1 ")).unwrap();
    let twice = [&twice, line, "\n"].concat();
    let twice = TlogProof::parse(twice.as_bytes()).unwrap();
    let quorum = policy(&log(), "group g 2 w1 w2 w3\nquorum g\n");
    let error = twice.verify_by_policy(leaves(7)[4], &quorum);
    assert_eq!(error.unwrap_err(), TlogProofError::QuorumNotMet { found: 1 });
}

#[test]
fn a_log_that_nobody_listed() {
    let policy = policy(&Party::log("other", 1), "quorum none\n");
    let error = file().verify_by_policy(leaves(7)[4], &policy).unwrap_err();
    assert_eq!(error, TlogProofError::UnknownLog { origin: ORIGIN.into() });
    let other = Party::log(ORIGIN, 2);
    let error = file().verify(leaves(7)[4], &identity(&[&other]), &[]).unwrap_err();
    assert!(matches!(error, TlogProofError::Checkpoint(CheckpointError::LogKeyHint { .. })));
}

#[test]
fn other_headers() {
    for header in
        ["c2sp.org/tlog-proof@v2", "c2sp.org/tlog-proof@v1 ", "", "C2SP.org/tlog-proof@v1"]
    {
        let other = text().replace("c2sp.org/tlog-proof@v1", header);
        assert_eq!(error(&other), TlogProofError::Header, "{header}");
    }
    assert_eq!(error(&text().replace('\n', "\r\n")), TlogProofError::NoBlankLine);
    assert_eq!(error(&text().replacen('\n', "\r\n", 1)), TlogProofError::Header);
}

#[test]
fn extra_lines() {
    let extra = |line: &str| error(&text().replace("extra bmFtZQ==", line));
    assert_eq!(extra("extra bmFtZQ"), TlogProofError::Extra(EncodingError::Base64));
    assert_eq!(extra("extra "), TlogProofError::ExtraEmpty);
    assert_eq!(extra("extra"), TlogProofError::IndexMissing);
    assert_eq!(extra("extra bmFtZQ==\nextra bmFtZQ=="), TlogProofError::IndexMissing);
    assert_eq!(extra("other"), TlogProofError::IndexMissing);
    let late = text().replace("extra bmFtZQ==\nindex 4\n", "index 4\nextra bmFtZQ==\n");
    let source = EncodingError::Base64;
    assert_eq!(error(&late), TlogProofError::Hash { line: 0, source });
    let proof = InclusionProof::new(index(0), Vec::new()).unwrap();
    let made = TlogProof::new(Some(Vec::new()), proof, file().to_bytes());
    assert_eq!(made, Err(TlogProofError::ExtraEmpty));
}

#[test]
fn index_lines() {
    let index = |line: &str| error(&text().replace("index 4", line));
    for bad in
        ["index 04", "index +4", "index -4", "index ", "index 4 ", "index 9223372036854775808"]
    {
        assert_eq!(index(bad), TlogProofError::Index, "{bad}");
    }
    assert_eq!(index("Index 4"), TlogProofError::IndexMissing);
    assert_eq!(error(&text().replace("index 4\n", "")), TlogProofError::IndexMissing);
    assert_eq!(error("c2sp.org/tlog-proof@v1\n\n"), TlogProofError::IndexMissing);
    let source = EncodingError::Base64;
    assert_eq!(index("index 4\nindex 4"), TlogProofError::Hash { line: 0, source });
    // Outside of the tree.
    let beyond = TlogProof::parse(text().replace("index 4", "index 7").as_bytes()).unwrap();
    let error = beyond.verify(leaves(7)[4], &identity(&[&log()]), &[]).unwrap_err();
    assert!(matches!(error, TlogProofError::Proof(ProofError::IndexBeyondSize { .. })));
}

#[test]
fn hash_lines() {
    let first = base64(file_hash().as_bytes());
    let hash = |line: &str| error(&text().replace(&first, line));
    let source = EncodingError::Base64;
    assert_eq!(hash("hash"), TlogProofError::Proof(ProofError::HashLength { found: 3 }));
    assert_eq!(hash(&first[1..]), TlogProofError::Hash { line: 0, source });
    let extension = [&first, " "].concat();
    assert_eq!(hash(&extension), TlogProofError::Hash { line: 0, source });
    let repeated = |count: usize| text().replace(&first, &vec![first.as_str(); count].join("\n"));
    let rest = 3 - 1;
    assert!(TlogProof::parse(repeated(63 - rest).as_bytes()).is_ok());
    let error = ProofError::TooManyHashes { limit: 63, found: 64 };
    let result = TlogProof::parse(repeated(64 - rest).as_bytes());
    assert_eq!(result, Err(TlogProofError::Proof(error)));
}

fn file_hash() -> genten_primitives::Sha256Digest {
    InclusionProof::from_leaves(index(4), &leaves(7)).unwrap().hashes()[0]
}

#[test]
fn no_blank_line_and_no_final_line_feed() {
    let joined = text().replacen("\n\n", "\n", 1);
    assert!(matches!(error(&joined), TlogProofError::Hash { line: 3, .. }), "{}", error(&joined));
    assert_eq!(error("c2sp.org/tlog-proof@v1\nindex 0\n"), TlogProofError::NoBlankLine);
    let unterminated = CheckpointError::Note(NoteError::Unterminated);
    assert_eq!(error(text().trim_end()), TlogProofError::Checkpoint(unterminated));
    let mut bytes = file().to_bytes();
    bytes[30] = 0xff;
    assert_eq!(TlogProof::parse(&bytes), Err(TlogProofError::Utf8));
}

#[test]
fn at_most_two_mebibytes() {
    let proof = InclusionProof::new(index(0), Vec::new()).unwrap();
    let text = body(&leaves(1));
    let checkpoint = note(&text, &[log().line(&text)]).into_bytes();
    let with =
        |extra: usize| TlogProof::new(Some(vec![7; extra]), proof.clone(), checkpoint.clone());
    let overhead = with(3).unwrap().to_bytes().len() - 4;
    let room = (MAX_PROOF_FILE - overhead) / 4;
    let largest = with(room * 3).unwrap().to_bytes();
    assert!(TlogProof::parse(&largest).is_ok());
    let found = overhead + (room + 1) * 4;
    let too_long = TlogProofError::TooLong { limit: MAX_PROOF_FILE, found };
    assert_eq!(with(room * 3 + 1), Err(too_long));
    let longer = [&largest[..], &vec![b'x'; MAX_PROOF_FILE]].concat();
    assert!(matches!(TlogProof::parse(&longer), Err(TlogProofError::TooLong { .. })));
    assert_eq!(merkle::root(&leaves(1)), leaves(1)[0]);
}
