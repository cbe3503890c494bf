//! What single SCTs are worth: each rule broken once.

use genten_pki::{
    CtEntry, CtLogList, LeafIndexError, Sct, SctAlgorithm, SctError, SctList, SctOutcome,
    SctVerifyError, judge_embedded_scts, judge_scts,
};
use genten_primitives::PublicKey;
use genten_primitives::key::KeyKind;
use genten_primitives::signature::SignatureError;
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};
use rcgen::{CustomExtension, PublicKeyData as _, SigningKey as _};

use crate::common::{key, root, rsa, time, uri};
use crate::world::{
    JUNE, Log, USABLE, extension, list, list_bytes, sct_bytes, sct_list, with_scts,
};

const ENTRY: CtEntry<'static> = CtEntry::Certificate(b"a certificate");
const SEEN: &str = "2025-06-01T00:00:00Z";

fn outcome(log: &Log, state: &str, sct: Sct) -> SctOutcome {
    let logs = CtLogList::from_bytes(list(&[(log, state)]).as_bytes()).unwrap();
    let found = judge_scts(&sct_list(&[sct]), Some(&ENTRY), &logs, time(SEEN), 60_000);
    found.findings()[0].outcome.clone()
}

#[test]
fn embedded_promises_count_by_operator() {
    let ca = root("issuer", &|_| {});
    let (one, twin, other) = (Log::new("A"), Log::new("A"), Log::new("B"));
    let leaf = with_scts(
        &ca,
        &|params| params.subject_alt_names.push(uri("https://a.example/")),
        |entry| [&one, &twin, &other, &one].map(|log| log.sct(JUNE, &[], entry)).to_vec(),
    );
    let issuer = ca.certificate();
    let count = |logs: &str| {
        let logs = CtLogList::from_bytes(logs.as_bytes()).unwrap();
        let found = judge_embedded_scts(&leaf, Some(&issuer), &logs, time(SEEN), 0).unwrap();
        assert_eq!(found.findings().len(), 4);
        (found.distinct_operators(), found.has_contradiction())
    };
    assert_eq!(count(&list(&[(&one, USABLE), (&twin, USABLE), (&other, USABLE)])), (2, false));
    assert_eq!(count(&list(&[(&one, USABLE), (&twin, USABLE)])), (1, false));
    assert_eq!(count(&list(&[(&other, USABLE)])), (1, false));
    assert_eq!(count(&list(&[])), (0, false));
}

#[test]
fn certificate_without_promises_has_no_finding() {
    let ca = root("issuer", &|_| {});
    let leaf = ca.leaf(&|_| {});
    let logs = CtLogList::from_bytes(br#"{"operators":[]}"#).unwrap();
    let found = judge_embedded_scts(&leaf, None, &logs, time(SEEN), 0).unwrap();
    assert!(found.findings().is_empty());
    let broken = ca.leaf(&|params| params.custom_extensions.push(extension(&[0, 0])));
    let found = judge_embedded_scts(&broken, None, &logs, time(SEEN), 0);
    assert!(matches!(found, Err(SctError::Empty { .. })));
}

#[test]
fn log_unknown() {
    let (log, other) = (Log::new("A"), Log::new("B"));
    assert_eq!(outcome(&other, USABLE, log.sct(JUNE, &[], &ENTRY)), SctOutcome::UnknownLog);
    assert!(!SctOutcome::UnknownLog.is_contradiction());
}

#[test]
fn version_unknown() {
    let log = Log::new("A");
    let mut bytes = sct_bytes(&log.sct(JUNE, &[], &ENTRY));
    bytes[0] = 1;
    let logs = CtLogList::from_bytes(list(&[(&log, USABLE)]).as_bytes()).unwrap();
    let scts = SctList::from_bytes(&list_bytes(&[bytes])).unwrap();
    let found = judge_scts(&scts, Some(&ENTRY), &logs, time(SEEN), 0);
    assert_eq!(found.findings()[0].outcome, SctOutcome::UnknownVersion);
    assert_eq!((found.distinct_operators(), found.has_contradiction()), (0, false));
}

#[test]
fn log_retired() {
    let log = Log::new("A");
    let retired = |since: &str| {
        let state = r#"{"retired":{"timestamp":"SINCE"}}"#.replace("SINCE", since);
        outcome(&log, &state, log.sct(JUNE, &[], &ENTRY))
    };
    assert_eq!(retired("2025-06-01T00:00:00.000000001Z"), SctOutcome::Verified);
    assert!(matches!(retired("2025-06-01T00:00:00Z"), SctOutcome::LogRetired(_)));
    assert!(!retired("2025-01-01T00:00:00Z").is_contradiction());
}

#[test]
fn states_that_count() {
    let log = Log::new("A");
    let state = |word: &str| {
        let state = r#"{"WORD":{"timestamp":"2024-01-01T00:00:00Z"}}"#.replace("WORD", word);
        outcome(&log, &state, log.sct(JUNE, &[], &ENTRY))
    };
    for counted in ["qualified", "usable", "readonly"] {
        assert_eq!(state(counted), SctOutcome::Verified, "{counted}");
    }
    for not_counted in ["pending", "rejected"] {
        assert!(matches!(state(not_counted), SctOutcome::LogNotAccepted(Some(_))));
    }
    let none = outcome(&log, "null", log.sct(JUNE, &[], &ENTRY));
    assert_eq!(none, SctOutcome::LogNotAccepted(None));
}

#[test]
fn promise_in_the_future() {
    let log = Log::new("A");
    let at = |timestamp| outcome(&log, USABLE, log.sct(timestamp, &[], &ENTRY));
    assert_eq!(at(JUNE + 60_000), SctOutcome::Verified);
    let latest = Some(time("2025-06-01T00:01:00Z"));
    for future in [JUNE + 60_001, u64::MAX] {
        assert_eq!(at(future), SctOutcome::InTheFuture { latest });
        assert!(!at(future).is_contradiction());
    }
    let judge = |timestamp| {
        let logs = CtLogList::from_bytes(list(&[(&log, USABLE)]).as_bytes()).unwrap();
        let scts = sct_list(&[log.sct(timestamp, &[], &ENTRY)]);
        let found = judge_scts(&scts, Some(&ENTRY), &logs, time(SEEN), 0);
        (found.distinct_operators(), found.any_in_the_future())
    };
    assert_eq!((judge(JUNE), judge(JUNE + 1)), ((1, false), (0, true)));
}

/// A log that changed hands: two promises from before and after are of two operators.
#[test]
fn promise_is_of_the_operator_at_its_time() {
    let log = Log::new("A");
    let previous = r#""previous_operators":[{"name":"B","end_time":"2025-06-01T00:00:00Z"}],"mmd""#;
    let logs = list(&[(&log, USABLE)]).replace(r#""mmd""#, previous);
    let logs = CtLogList::from_bytes(logs.as_bytes()).unwrap();
    let scts = sct_list(&[JUNE - 1, JUNE].map(|at| log.sct(at, &[], &ENTRY)));
    let found = judge_scts(&scts, Some(&ENTRY), &logs, time(SEEN), 0);
    let operators: Vec<_> = found.findings().iter().map(|one| one.operator.unwrap()).collect();
    assert_eq!(operators, ["B", "A"]);
}

#[test]
fn signature_of_another_log_under_a_known_name() {
    let (log, other) = (Log::new("A"), Log::new("B"));
    let forged = Sct { log_id: log.id(), ..other.sct(JUNE, &[], &ENTRY) };
    // A bad signature is told even of a log that does not count.
    for state in [USABLE, r#"{"rejected":{"timestamp":"2024-01-01T00:00:00Z"}}"#] {
        let bad = SctOutcome::BadSignature(SctVerifyError::Invalid(SignatureError::Mismatch));
        assert_eq!(outcome(&log, state, forged.clone()), bad);
    }
}

#[test]
fn extensions_and_time_are_signed() {
    let log = Log::new("A");
    let good = log.sct(JUNE, &[0, 0, 5, 0, 0, 0, 0, 7], &ENTRY);
    assert_eq!(good.verify(&log.key(), &ENTRY), Ok(()));
    assert_eq!(good.leaf_index(), Ok(Some(7)));
    let dropped = Sct { extensions: Vec::new(), ..good.clone() };
    let moved = Sct { timestamp: JUNE + 1, ..good.clone() };
    for bad in [dropped, moved] {
        let mismatch = Err(SctVerifyError::Invalid(SignatureError::Mismatch));
        assert_eq!(bad.verify(&log.key(), &ENTRY), mismatch);
    }
}

#[test]
fn algorithm_must_be_the_keys() {
    let log = Log::new("A");
    let good = log.sct(JUNE, &[], &ENTRY);
    for algorithm in [SctAlgorithm::RsaSha256, SctAlgorithm::Other { hash: 5, signature: 3 }] {
        let bad = Sct { algorithm, ..good.clone() };
        let expected = SctVerifyError::Algorithm { algorithm, key: KeyKind::P256 };
        assert_eq!(bad.verify(&log.key(), &ENTRY), Err(expected));
    }
    let (algorithm, p384) = (SctAlgorithm::EcdsaSha256, key(&rcgen::PKCS_ECDSA_P384_SHA384));
    let p384 = PublicKey::from_spki_der(&p384.subject_public_key_info()).unwrap();
    let expected = SctVerifyError::Algorithm { algorithm, key: KeyKind::P384 };
    assert_eq!(good.verify(&p384, &ENTRY), Err(expected), "logs have P-256 or RSA keys");
}

#[test]
fn rsa_logs_are_checked_or_not_checkable() {
    let rsa = rsa();
    let public = PublicKey::from_spki_der(&rsa.subject_public_key_info()).unwrap();
    let algorithm = SctAlgorithm::RsaSha256;
    let mut sct = Sct { algorithm, ..Log::new("A").sct(JUNE, &[], &ENTRY) };
    sct.signature = rsa.sign(&sct.signed_bytes(&ENTRY).unwrap()).unwrap();
    let expected = match cfg!(feature = "aws-lc") {
        true => Ok(()),
        false => Err(SctVerifyError::NotCheckable { key: public.kind() }),
    };
    assert_eq!(sct.verify(&public, &ENTRY), expected);
}

#[test]
fn what_does_not_fit_its_length_is_refused() {
    let log = Log::new("A");
    let good = log.sct(JUNE, &[], &ENTRY);
    let long = vec![0; 1 << 24];
    let error = SctVerifyError::TooLong { length: 1 << 24, limit: (1 << 24) - 1 };
    assert_eq!(good.leaf_hash(&CtEntry::Certificate(&long)), Err(error));
    let wide = Sct { extensions: vec![0; 1 << 16], ..good };
    let error = SctVerifyError::TooLong { length: 1 << 16, limit: (1 << 16) - 1 };
    assert_eq!(wide.verify(&log.key(), &ENTRY), Err(error));
}

#[test]
fn leaf_index_lies_in_the_tree() {
    let index = |extensions: &[u8], size| {
        Log::new("A").sct(JUNE, extensions, &ENTRY).leaf_index_below(size)
    };
    let seven = [0, 0, 5, 0, 0, 0, 0, 7];
    assert_eq!(index(&seven, 8), Ok(7));
    assert_eq!(index(&seven, 7), Err(LeafIndexError::BeyondTree { index: 7, tree_size: 7 }));
    assert_eq!(index(&[], 7), Err(LeafIndexError::Missing));
    let twice = Err(LeafIndexError::Malformed(SctError::DuplicateExtension { kind: 0 }));
    assert_eq!(index(&[seven, seven].concat(), 8), twice);
    let short = Err(LeafIndexError::Malformed(SctError::LeafIndex { found: 4 }));
    assert_eq!(index(&[0, 0, 4, 0, 0, 0, 7], 8), short);
}

/// RFC 6962 section 3.4, bytes put together by hand.
#[test]
fn leaf_hash_is_of_the_merkle_tree_leaf() {
    let sct = Log::new("A").sct(1, &[9], &ENTRY);
    let bytes =
        [&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 13][..], b"a certificate", &[0, 1, 9]];
    let expected = genten_primitives::Sha256Digest::of(&bytes.concat());
    assert_eq!(sct.leaf_hash(&ENTRY), Ok(expected));
    let issuer_key_hash = expected;
    let entry = CtEntry::Precertificate { issuer_key_hash, tbs: b"tbs" };
    let head = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1];
    let bytes = [&head[..], expected.as_bytes(), &[0, 0, 3], b"tbs", &[0, 1, 9]];
    assert_eq!(sct.leaf_hash(&entry), Ok(genten_primitives::Sha256Digest::of(&bytes.concat())));
}

proptest! {
    /// Oracle: the same certificate made without the extension. Lengths around it have one, two and three bytes.
    #[test]
    fn removal_of_the_scts_gives_the_certificate_without_them(
        before in vec(any::<u8>(), 0..300), after in vec(any::<u8>(), 0..300),
        scts in vec(any::<u8>(), 0..300), long in any::<bool>(),
    ) {
        let ca = root("issuer", &|_| {});
        let other = |last: u64, content: &[u8]| {
            let content = if long { content.repeat(80) } else { content.to_vec() };
            CustomExtension::from_oid_content(&[1, 3, 6, 1, 4, 1, 99999, last], content)
        };
        let leaf = |list: Option<&[u8]>| ca.leaf_of_own_key(&|params| {
            params.custom_extensions.push(other(1, &before));
            params.custom_extensions.extend(list.map(extension));
            params.custom_extensions.push(other(2, &after));
        });
        let plain = leaf(None);
        prop_assert_eq!(&plain.tbs_without_scts(), plain.tbs_der());
        prop_assert_eq!(&leaf(Some(&scts)).tbs_without_scts(), plain.tbs_der());
    }
}
