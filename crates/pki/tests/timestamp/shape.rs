//! What is one timestamp in DER, and nothing else.

use genten_pki::{MAX_TIMESTAMP, TimestampError as E, TimestampToken};
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};

use crate::make::{DATA, MESSAGE, Recipe, TST_INFO, Tsa, oid, seq, tlv, tsa};
use crate::verify;

fn read(tsa: &Tsa, edit: &dyn Fn(&mut Recipe)) -> Result<(), E> {
    TimestampToken::from_der(&tsa.stamp(edit)).map(drop)
}

fn is_malformed(answer: &Result<(), E>) -> bool {
    matches!(answer, Err(error @ E::Malformed { .. }) if error.is_contradiction())
}

#[test]
fn only_a_granted_answer_counts() {
    let tsa = tsa();
    let status = |status: &[u8]| read(&tsa, &|recipe| recipe.status = Some(seq(&[status])));
    assert_eq!(status(&[2, 1, 0]), Ok(()));
    assert_eq!(status(&[2, 1, 1]), Ok(()));
    for refusal in [2, 3, 4, 5, 6, 0x7f] {
        assert_eq!(status(&[2, 1, refusal]), Err(E::Refused { status: refusal }));
    }
    assert_eq!(status(&[2, 1, 0, 0x30, 4, 0x0c, 2, b'o', b'k', 3, 2, 0, 1]), Ok(()));
    for bad in [&[2, 1, 0xff][..], &[2, 2, 0, 0], &[], &[2, 1, 0, 5, 0], &[0x0a, 1, 0]] {
        assert!(is_malformed(&status(bad)), "{bad:?}");
    }
    let refused = seq(&[&seq(&[&[2, 1, 2]])]);
    assert_eq!(TimestampToken::from_der(&refused).map(drop), Err(E::Refused { status: 2 }));
}

#[test]
fn a_granted_answer_has_a_token() {
    for status in [0, 1] {
        let empty = seq(&[&seq(&[&[2, 1, status]])]);
        assert_eq!(TimestampToken::from_der(&empty).map(drop), Err(E::TokenMissing));
    }
}

#[test]
fn a_bare_token_is_one_too() {
    let tsa = tsa();
    let bare = tsa.stamp(&|recipe| recipe.status = None);
    assert!(verify(&bare, MESSAGE, &[tsa.authority()]).is_ok());
    let token = TimestampToken::from_der(&bare).unwrap();
    assert_eq!(token.der(), bare);
    let answer = seq(&[&seq(&[&[2, 1, 0]]), &bare]);
    assert_eq!(TimestampToken::from_der(&answer).unwrap().der(), bare);
}

#[test]
fn the_content_is_a_timestamp_in_signed_data() {
    let tsa = tsa();
    let data = "1.2.840.113549.1.7.1".parse().unwrap();
    let answer = read(&tsa, &|recipe| recipe.content_type = DATA.to_vec());
    assert_eq!(answer, Err(E::NotTimestamp { found: data }));
    let data = "1.2.840.113549.1.7.1".parse().unwrap();
    let answer = read(&tsa, &|recipe| recipe.content_info_type = DATA.to_vec());
    assert_eq!(answer, Err(E::NotSignedData { found: data }));
    let answer = read(&tsa, &|recipe| recipe.without_content = true);
    assert_eq!(answer, Err(E::ContentMissing));
}

#[test]
fn nothing_may_follow() {
    let tsa = tsa();
    let good = tsa.stamp(&|_| {});
    for tail in [&[0][..], &[5, 0], &good] {
        let answer = TimestampToken::from_der(&[&good, tail].concat()).map(drop);
        assert!(is_malformed(&answer), "{answer:?}");
    }
    let bare = tsa.stamp(&|recipe| recipe.status = None);
    assert!(is_malformed(&TimestampToken::from_der(&[&bare[..], &[0]].concat()).map(drop)));
    assert!(is_malformed(&read(&tsa, &|recipe| recipe.answer_tail = vec![5, 0])));
    assert!(is_malformed(&read(&tsa, &|recipe| recipe.signer_tail = vec![5, 0])));
    assert!(is_malformed(&read(&tsa, &|recipe| recipe.info_tail = vec![5, 0])));
    assert!(is_malformed(&read(&tsa, &|recipe| recipe.certificates = vec![5, 0])));
    let unsigned = tlv(0xa1, &[0x30, 0]);
    assert_eq!(read(&tsa, &|recipe| recipe.signer_tail.clone_from(&unsigned)), Ok(()));
}

#[test]
fn indefinite_and_long_lengths_are_refused() {
    let tsa = tsa();
    let good = tsa.stamp(&|_| {});
    assert_eq!(good[..2], [0x30, 0x82]);
    let outer = [&[0x30, 0x80], &good[4..], &[0, 0]].concat();
    assert!(is_malformed(&TimestampToken::from_der(&outer).map(drop)));
    let long = [&[0x30, 0x83, 0], &good[2..]].concat();
    assert!(is_malformed(&TimestampToken::from_der(&long).map(drop)));
    // The content in pieces, as BER allows.
    let token = tsa.stamp(&|recipe| recipe.status = None);
    let at = token.windows(TST_INFO.len()).position(|bytes| bytes == TST_INFO).unwrap();
    let mut pieces = token;
    assert_eq!(pieces[at + TST_INFO.len()], 0xa0);
    let octets = (at + TST_INFO.len()..pieces.len()).find(|at| pieces[*at] == 4).unwrap();
    pieces[octets] = 0x24;
    assert!(is_malformed(&TimestampToken::from_der(&pieces).map(drop)));
}

#[test]
fn versions_are_those_of_the_standards() {
    let tsa = tsa();
    for version in [0, 1, 2, 4, 5] {
        assert!(is_malformed(&read(&tsa, &|recipe| recipe.version = version)), "{version}");
    }
    for version in [0, 2] {
        let head = [&[2, 1, version][..], &oid(&[0x2a, 3, 4])].concat();
        assert!(is_malformed(&read(&tsa, &|recipe| recipe.info_head.clone_from(&head))));
    }
}

#[test]
fn optional_fields_of_the_timestamp() {
    let tsa = tsa();
    let with = |tail: &[u8]| read(&tsa, &|recipe| recipe.info_tail = tail.to_vec());
    let accuracy = tlv(0x30, &[2, 1, 1]);
    let name = tlv(0xa0, &tlv(0xa4, tsa.leaf.subject().der()));
    let all = [&accuracy[..], &[1, 1, 0xff], &[2, 1, 5], &name].concat();
    assert_eq!(with(&all), Ok(()));
    assert!(is_malformed(&with(&[1, 1, 0])), "the default is not written");
    assert!(is_malformed(&with(&[1, 1, 1])), "TRUE is ff");
    assert!(is_malformed(&with(&[&[2, 1, 5], &accuracy[..]].concat())), "order");
    assert!(is_malformed(&with(&[2, 2, 0, 5])), "the shortest form");
    assert!(is_malformed(&with(&[2, 2, 0xff, 0x85])), "the shortest form");
    assert!(is_malformed(&with(&[2, 0])));
    assert_eq!(with(&tlv(2, &[1; 64])), Ok(()));
    assert!(is_malformed(&with(&tlv(2, &[1; 65]))), "too long");
    for serial in [&[2, 1, 0x80][..], &[2, 2, 0, 0x80]] {
        assert_eq!(read(&tsa, &|recipe| recipe.serial = serial.to_vec()), Ok(()));
    }
}

#[test]
fn critical_extensions_are_not_understood() {
    let tsa = tsa();
    let with = |critical: &[u8]| {
        let quiet = seq(&[&oid(&[0x2a, 1]), &tlv(4, &[5, 0])]);
        let loud = seq(&[&oid(&[0x2a, 2]), critical, &tlv(4, &[5, 0])]);
        let tail = tlv(0xa1, &[quiet, loud].concat());
        read(&tsa, &|recipe| recipe.info_tail.clone_from(&tail))
    };
    assert_eq!(with(&[]), Ok(()));
    assert_eq!(with(&[1, 1, 0]), Ok(()));
    assert_eq!(with(&[1, 1, 0xff]), Err(E::CriticalExtension { oid: "1.2.2".parse().unwrap() }));
}

/// In UTC, with seconds, in one spelling.
#[test]
fn times_in_other_spellings() {
    let tsa = tsa();
    for text in ["202506011200Z", "20250601120000", "20250601120000+0000", "20250601120000.50Z"] {
        let answer = read(&tsa, &|recipe| recipe.gen_time = text.to_owned());
        assert!(is_malformed(&answer), "{text}");
    }
    assert_eq!(read(&tsa, &|recipe| recipe.gen_time = "20250601120000.05Z".to_owned()), Ok(()));
}

#[test]
fn size_is_bounded() {
    let length = MAX_TIMESTAMP + 1;
    let answer = TimestampToken::from_der(&vec![0x30; length]).map(drop);
    assert_eq!(answer, Err(E::TooLarge { length }));
    let filled =
        |padding: usize| tsa().stamp(&|recipe| recipe.signer_tail = tlv(0xa1, &vec![5; padding]));
    assert!(TimestampToken::from_der(&filled(50_000)).is_ok());
    assert!(is_malformed(&TimestampToken::from_der(&vec![0x30; MAX_TIMESTAMP]).map(drop)));
}

/// Every byte of a token set to other values: nothing panics, and what still verifies says the same.
#[test]
fn spoilt_tokens_are_read_or_refused() {
    let tsa = tsa();
    let authority = [tsa.authority()];
    let good = tsa.stamp(&|_| {});
    let stamp = verify(&good, MESSAGE, &authority).unwrap();
    let mut read = 0;
    for at in 0..good.len() {
        assert!(TimestampToken::from_der(&good[..at]).is_err());
        for value in [0, 1, 2, 4, 5, 0x30, 0x31, 0x7f, 0x80, 0x82, 0xa0, 0xa1, 0xff] {
            let mut spoilt = good.clone();
            spoilt[at] = value;
            let Ok(token) = TimestampToken::from_der(&spoilt) else { continue };
            read += 1;
            if let Ok(same) = token.verify(MESSAGE, &authority) {
                assert_eq!(same, stamp, "byte {at}");
            }
        }
    }
    assert!(read > 1000, "{read}");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..400)) {
        if let Ok(token) = TimestampToken::from_der(&bytes) {
            let again = TimestampToken::from_der(token.der()).unwrap();
            prop_assert_eq!(again.der(), token.der());
        }
    }
}
