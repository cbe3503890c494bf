//! Policies: what they mean, and each rule broken once.

use genten_primitives::Sha256Digest;
use genten_tlog::note::NoteKeyKind;
use genten_tlog::policy::{MAX_POLICY, PolicyWarning};
use genten_tlog::{
    Checkpoint, CheckpointError, NoteKey, NoteKeyError, PolicyFault, QuorumResult, WitnessPolicy,
};
use proptest::prelude::*;

use crate::checkpoint::{Ecdsa, verify};
use crate::common::{
    COLLIDING_LOGS, COLLIDING_WITNESSES, ORIGIN, Party, body, identity, leaves, log, note, public,
};

fn witness(number: u8) -> Party {
    Party::witness(&["key.example/", &number.to_string()].concat(), 100 + number)
}

fn line(number: u8) -> String {
    ["witness w", &number.to_string(), " ", &witness(number).key.to_vkey(), "\n"].concat()
}

/// A policy with the witnesses `w1` to `w5`, and these lines.
fn with(lines: &str) -> String {
    [&(1..=5).map(line).collect::<String>(), lines].concat()
}

fn policy(lines: &str) -> WitnessPolicy {
    WitnessPolicy::parse(&with(lines)).unwrap()
}

fn fault(text: &str) -> (usize, PolicyFault) {
    let error = WitnessPolicy::parse(text).unwrap_err();
    (error.line, error.fault)
}

/// The fault of these lines after the five of the witnesses.
fn fault_after(lines: &str) -> PolicyFault {
    fault(&with(lines)).1
}

/// A checkpoint cosigned by these witnesses at these times.
fn cosigned(by: &[(u8, u64)]) -> Checkpoint {
    let text = body(&leaves(3));
    let mut lines = vec![log().line(&text)];
    lines.extend(by.iter().map(|(number, seconds)| witness(*number).cosign(&text, *seconds)));
    let keys: Vec<_> = (1..=5).map(|number| witness(number).key).collect();
    verify(&note(&text, &lines), &identity(&[&log()]), &keys).unwrap()
}

fn result(lines: &str, by: &[(u8, u64)]) -> (bool, Option<u64>) {
    let QuorumResult { met, time, .. } = policy(lines).evaluate(&cosigned(by));
    (met, time)
}

#[test]
fn a_witness_alone() {
    assert_eq!(result("quorum w2\n", &[(2, 7)]), (true, Some(7)));
    assert_eq!(result("quorum w2\n", &[(1, 7)]), (false, None));
    assert_eq!(result("quorum w2\n", &[]), (false, None));
}

#[test]
fn quorum_none_always_holds_and_tells_no_time() {
    assert_eq!(result("quorum none\n", &[(1, 7)]), (true, None));
    assert!(policy("quorum none\n").is_none());
    assert!(!policy("quorum w1\n").is_none());
}

#[test]
fn thresholds() {
    let group = |threshold: &str| ["group g ", threshold, " w1 w2 w3\nquorum g\n"].concat();
    let three = [(3, 30), (1, 10), (2, 20)];
    assert_eq!(result(&group("any"), &three), (true, Some(10)));
    assert_eq!(result(&group("2"), &three), (true, Some(20)));
    assert_eq!(result(&group("all"), &three), (true, Some(30)));
    assert_eq!(result(&group("3"), &three), (true, Some(30)));
    assert_eq!(result(&group("2"), &three[..1]), (false, None));
    assert_eq!(result(&group("all"), &three[..2]), (false, None));
    assert_eq!(result(&group("1"), &[(4, 1)]), (false, None), "w4 is no member");
}

#[test]
fn one_witness_that_signed_twice_counts_once() {
    let lines = "group g 2 w1 w2\nquorum g\n";
    assert_eq!(result(lines, &[(1, 10), (1, 11)]), (false, None));
}

#[test]
fn groups_of_groups() {
    let lines = "group a 2 w1 w2 w3\ngroup b all w4\ngroup top 2 a b w5\nquorum top\n";
    assert_eq!(result(lines, &[(1, 10), (2, 20), (4, 15)]), (true, Some(20)));
    assert_eq!(result(lines, &[(1, 10), (4, 15), (5, 12)]), (true, Some(15)));
    assert_eq!(result(lines, &[(1, 10), (4, 15)]), (false, None));
}

#[test]
fn quorums_are_told_to_people() {
    let text = |lines| policy(lines).quorum_text();
    assert_eq!(text("quorum none\n"), None);
    assert_eq!(text("quorum w2\n"), Some("w2".to_owned()));
    let groups = "group a any w1 w2\ngroup b 2 a w3 w4\nquorum b\n";
    assert_eq!(text(groups), Some("2 of 3: (1 of 2: w1, w2), w3, w4".to_owned()));
    assert_eq!(text("group a all w1 w2\nquorum a\n"), Some("2 of 2: w1, w2".to_owned()));
}

#[test]
fn witnesses_are_named_as_in_the_policy() {
    let found = policy("quorum w1\n").evaluate(&cosigned(&[(3, 1), (2, 1)]));
    assert_eq!(found.witnesses, ["w2", "w3"]);
    assert!(!found.met);
}

#[test]
fn cosignatures_without_the_log_are_no_checkpoint() {
    let text = body(&leaves(3));
    let whole = note(&text, &[witness(1).cosign(&text, 1)]);
    let keys = policy("quorum w1\n").witness_keys();
    let error = verify(&whole, &identity(&[&log()]), &keys).unwrap_err();
    assert_eq!(error, CheckpointError::NoLogSignature);
}

#[test]
fn a_failing_witness_refuses_even_where_the_quorum_would_hold() {
    let text = body(&leaves(3));
    let lines = [log().line(&text), witness(1).cosign(&text, 1), witness(2).cosign("other\n", 1)];
    let keys = policy("group g any w1 w2\nquorum g\n").witness_keys();
    let error = verify(&note(&text, &lines), &identity(&[&log()]), &keys).unwrap_err();
    assert!(matches!(error, CheckpointError::Cosignature { .. }));
}

#[test]
fn logs_are_found_by_origin() {
    let (one, two) = (log().key.to_vkey(), Party::log(ORIGIN, 2).key.to_vkey());
    let third = Party::log("other", 3).key.to_vkey();
    let text = ["log ", &one, " https://a/\nlog ", &third, "\nlog ", &two, "\nquorum none\n"];
    let read = WitnessPolicy::parse(&text.concat()).unwrap();
    assert_eq!(read.log(ORIGIN).unwrap().keys().len(), 2);
    assert_eq!(read.log("other").unwrap().origin(), "other");
    assert_eq!(read.log("unknown"), None);
    let urls: Vec<_> = read.logs().iter().map(|log| log.url()).collect();
    assert_eq!(urls, [Some("https://a/"), None, None]);
    assert_eq!(read.logs()[1].origin(), "other");
    assert_eq!(read.logs()[1].key().to_vkey(), third);
}

#[test]
fn comments_blanks_and_a_missing_line_feed() {
    let key = witness(1).key.to_vkey();
    let text = ["# one\n\n \t# two\n\twitness \t w#1  ", &key, "\thttps://w/#1 \n quorum w#1"];
    let read = WitnessPolicy::parse(&text.concat()).unwrap();
    assert_eq!(read.witnesses()[0].name(), "w#1");
    assert_eq!(read.witnesses()[0].url(), Some("https://w/#1"));
    assert_eq!(read.witnesses()[0].key(), Some(&witness(1).key));
    let written = ["witness w#1 ", &key, " https://w/#1\nquorum w#1\n"].concat();
    assert_eq!(read.to_string(), written);
    assert_eq!(WitnessPolicy::parse(&written), Ok(read));
    assert!(WitnessPolicy::parse("quorum none\n#\u{fc}\u{2028}\n").is_ok());
}

#[test]
fn a_key_of_kind_1_becomes_a_witness_with_a_warning() {
    let as_log = NoteKey::ed25519("rekor-witness-test", &public(9)).unwrap();
    let text = ["witness w ", &as_log.to_vkey(), "\nquorum w\n"].concat();
    let read = WitnessPolicy::parse(&text).unwrap();
    assert_eq!(read.warnings(), [PolicyWarning::LogKeyAsWitness { name: "w".into() }]);
    let key = NoteKey::cosignature("rekor-witness-test", &public(9)).unwrap();
    assert_eq!(read.witness_keys(), [key]);
    let again = WitnessPolicy::parse(&read.to_string()).unwrap();
    assert!(again.warnings().is_empty());
}

#[test]
fn unknown_keyword() {
    let unknown = |found: &str| PolicyFault::UnknownKeyword { found: found.into() };
    assert_eq!(fault("quorum none\nLog x\n"), (2, unknown("Log")));
    assert_eq!(fault("logs x\n"), (1, unknown("logs")));
}

#[test]
fn numbers_of_fields() {
    for (line, keyword, found) in [
        ("log", "log", 0),
        ("log a b c", "log", 3),
        ("witness w", "witness", 1),
        ("witness w k u x", "witness", 4),
        ("group g", "group", 1),
        ("group g any", "group", 2),
        ("quorum", "quorum", 0),
        ("quorum w1 w2", "quorum", 2),
    ] {
        assert_eq!(fault_after(line), PolicyFault::FieldCount { keyword, found }, "{line}");
    }
}

#[test]
fn names_are_defined_above() {
    let undefined = |name: &str| PolicyFault::UndefinedName { name: name.into() };
    assert_eq!(fault_after("group g any w9\n"), undefined("w9"));
    assert_eq!(fault_after("group g any g\n"), undefined("g"));
    assert_eq!(fault_after("group a any b\ngroup b any w1\n"), undefined("b"));
    assert_eq!(fault_after("quorum w9\n"), undefined("w9"));
    assert_eq!(fault("quorum w1\nwitness w1 x\n"), (1, undefined("w1")));
    assert_eq!(fault_after("group g any none\nquorum g\n"), undefined("none"));
}

#[test]
fn names_are_defined_once() {
    let twice = |name: &str| PolicyFault::DuplicateName { name: name.into() };
    assert_eq!(fault_after(&line(1)), twice("w1"));
    assert_eq!(fault_after("group w1 any w2\n"), twice("w1"));
    assert_eq!(fault_after("group g any w1\ngroup g any w2\n"), twice("g"));
}

#[test]
fn reserved_names() {
    for name in ["none", "log", "witness", "group", "any", "all", "quorum"] {
        let reserved = PolicyFault::ReservedName { name: name.into() };
        assert_eq!(fault_after(&["group ", name, " any w1\n"].concat()), reserved);
        let witness = line(6).replace("w6", name);
        assert_eq!(fault_after(&witness), reserved);
    }
}

#[test]
fn nobody_is_a_member_twice() {
    let twice = PolicyFault::MemberTwice { name: "w1".into() };
    assert_eq!(fault_after("group g 2 w1 w1\n"), twice);
    assert_eq!(fault_after("group g any w1\ngroup h any w1\n"), twice);
    let twice = PolicyFault::MemberTwice { name: "g".into() };
    assert_eq!(fault_after("group g any w1\ngroup h any g\ngroup i any g\n"), twice);
    assert!(WitnessPolicy::parse(&with("group g any w1\nquorum w1\n")).is_ok());
}

#[test]
fn thresholds_that_are_none() {
    for threshold in ["0", "01", "+1", "-1", "1.0", "ALL", "one", "18446744073709551616"] {
        let error = PolicyFault::Threshold { found: threshold.into() };
        assert_eq!(fault_after(&["group g ", threshold, " w1\n"].concat()), error);
    }
    let beyond = PolicyFault::ThresholdBeyondMembers { members: 2, found: 3 };
    assert_eq!(fault_after("group g 3 w1 w2\n"), beyond);
}

#[test]
fn exactly_one_quorum() {
    assert_eq!(fault(""), (1, PolicyFault::NoQuorum));
    assert_eq!(fault(&with("# nothing\n")), (6, PolicyFault::NoQuorum));
    assert_eq!(fault_after("quorum w1\nquorum w1\n"), PolicyFault::SecondQuorum);
    assert_eq!(fault_after("quorum none\nquorum none\n"), PolicyFault::SecondQuorum);
}

#[test]
fn a_key_stands_once() {
    let renamed = NoteKey::cosignature("another name", witness(1).key.key());
    assert_eq!(renamed, Err(NoteKeyError::Name));
    let renamed = NoteKey::cosignature("another", witness(1).key.key()).unwrap();
    let duplicate = PolicyFault::DuplicateKey { name: "another".into() };
    assert_eq!(fault_after(&["witness w6 ", &renamed.to_vkey()].concat()), duplicate);
    let as_log = NoteKey::ed25519("another", witness(1).key.key()).unwrap();
    assert_eq!(fault_after(&["witness w6 ", &as_log.to_vkey()].concat()), duplicate);
    let logs = ["log ", &log().key.to_vkey(), "\nlog "].concat();
    let renamed = NoteKey::ed25519("another", log().key.key()).unwrap();
    assert_eq!(fault_after(&[&logs, &*renamed.to_vkey()].concat()), duplicate);
    // A log and a witness may share one.
    assert!(policy(&["log ", &as_log.to_vkey(), "\nquorum none\n"].concat()).logs().len() == 1);
}

#[test]
fn keys_that_cannot_be_told_apart() {
    let duplicate = PolicyFault::DuplicateKey { name: ORIGIN.into() };
    let logs = COLLIDING_LOGS.map(|key| ["log ", key, "\n"].concat()).concat();
    assert_eq!(fault(&logs), (2, duplicate.clone()));
    let [one, two] = COLLIDING_WITNESSES;
    let witnesses = ["witness a ", one, "\nwitness b ", two, "\n"].concat();
    assert_eq!(fault(&witnesses), (2, duplicate));
}

#[test]
fn room_for_two_hundred_of_each() {
    let mut text = String::new();
    for number in 0..200_u8 {
        let (log, witness) = (public(number), Party::witness("w", number).key.to_vkey());
        let log = NoteKey::ed25519("log", &log).unwrap().to_vkey();
        text += &format!("log {log}\nwitness w{number} {witness}\ngroup g{number} all w{number}\n");
    }
    let read = WitnessPolicy::parse(&[&text, "quorum g199\n"].concat()).unwrap();
    assert_eq!((read.logs().len(), read.witnesses().len()), (200, 200));
}

#[test]
fn keys_of_the_wrong_kind() {
    let ecdsa = NoteKey::ecdsa("n", &Ecdsa::new(4).public()).unwrap().to_vkey();
    let kind = NoteKeyKind::Ecdsa;
    let error = PolicyFault::WitnessKeyKind { kind };
    assert_eq!(fault_after(&["witness w6 ", &ecdsa].concat()), error);
    let kind = NoteKeyKind::Cosignature;
    let error = PolicyFault::LogKeyKind { kind };
    assert_eq!(fault_after(&["log ", &witness(6).key.to_vkey()].concat()), error);
    assert_eq!(fault_after("log n+1\n"), PolicyFault::Key(NoteKeyError::Parts));
    let ml_dsa = ml_dsa();
    let error = PolicyFault::Key(NoteKeyError::MlDsaUnsupported);
    assert_eq!(fault_after(&["log ", &ml_dsa].concat()), error);
}

/// A key of the right length under its own id.
fn ml_dsa() -> String {
    use genten_primitives::encoding::{base64, hex};
    let id = Sha256Digest::of(&[b"n\n".as_slice(), &[6; 1313]].concat());
    ["n+", &hex(&id.as_bytes()[..4]), "+", &base64(&[6; 1313])].concat()
}

/// C2SP allows ML-DSA keys. A policy with one is read, and its witness never counts.
#[test]
fn a_witness_that_nobody_here_can_check() {
    let ml_dsa = ml_dsa();
    let text = ["witness pq ", &ml_dsa, "\nquorum pq\n"].concat();
    let read = WitnessPolicy::parse(&text).unwrap();
    assert_eq!((read.to_string(), read.witness_keys()), (text.clone(), vec![]));
    assert_eq!(read.witnesses()[0].key(), None);
    assert_eq!(read.warnings(), [PolicyWarning::Uncheckable { name: "pq".into() }]);
    let twice = ["witness pq2 ", &ml_dsa, "\n", &text].concat();
    let error = WitnessPolicy::parse(&twice).unwrap_err();
    assert_eq!(error.fault, PolicyFault::DuplicateKey { name: "pq".into() });
}

#[test]
fn forbidden_bytes() {
    for found in [0, 1, 0xb, 0xc, b'\r', 0x1f, 0x7f] {
        let text = ["# ", &char::from(found).to_string(), "\nquorum none\n"].concat();
        assert_eq!(fault(&text), (1, PolicyFault::ForbiddenByte { found }));
    }
}

#[test]
fn limits() {
    let comment = |length: usize| ["#", &"x".repeat(length - 13), "\nquorum none"].concat();
    assert!(WitnessPolicy::parse(&comment(MAX_POLICY)).is_ok());
    let too_long = PolicyFault::TooLong { limit: 65_536, found: 65_537 };
    assert_eq!(fault(&comment(MAX_POLICY + 1)), (1, too_long));
    let lines = |count: usize| ["#\n".repeat(count - 1).as_str(), "quorum none\n"].concat();
    assert!(WitnessPolicy::parse(&lines(1024)).is_ok());
    assert_eq!(fault(&lines(1025)), (1025, PolicyFault::TooManyLines { limit: 1024 }));
}

proptest! {
    /// By the definition: does the quorum hold at a time, counting only cosignatures up to then?
    #[test]
    fn the_time_is_the_first_at_which_the_quorum_holds(
        times in proptest::collection::vec(proptest::option::of(1_u64..20), 5),
        k in 1_usize..=3,
        top in 1_usize..=3,
    ) {
        let lines = ["group a ", &k.to_string(), " w1 w2 w3\ngroup top ", &top.to_string(),
            " a w4 w5\nquorum top\n"].concat();
        let by: Vec<_> = (1..).zip(&times).filter_map(|(at, time)| Some((at, (*time)?))).collect();
        let holds = |now: u64| {
            let has = |at: usize| usize::from(times[at].is_some_and(|time| time <= now));
            let a = usize::from(has(0) + has(1) + has(2) >= k);
            a + has(3) + has(4) >= top
        };
        let first = (1..20).find(|now| holds(*now));
        prop_assert_eq!(result(&lines, &by), (first.is_some(), first));
    }

    #[test]
    fn what_is_read_is_written_and_read_again(
        lines in "(quorum (none|w1|g)\n|group [gh] (any|all|[0-3]) (w1|w2|g)?( w3)?\n|# x\n|\t){0,6}",
    ) {
        if let Ok(read) = WitnessPolicy::parse(&with(&lines)) {
            let written = read.to_string();
            prop_assert_eq!(WitnessPolicy::parse(&written), Ok(read));
        }
    }
}
