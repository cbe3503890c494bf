//! Time, windows, several entries for one authority, and what contradicts.

use genten_pki::{TimestampAuthority, TimestampError as E, TimestampToken, VerifiedTimestamp};
use genten_primitives::Timestamp;
use proptest::prelude::{prop_assert_eq, proptest};
use rcgen::date_time_ymd;

use crate::common::{p256, root, root_with_key, rsa, time};
use crate::make::{
    ECDSA_SHA1, GEN_TIME, MESSAGE, RSA_PSS, SHA1, Tsa, algorithm, imprint, stamping, tlv, tsa,
};
use crate::verify;

fn at(tsa: &Tsa, gen_time: &str, authorities: &[TimestampAuthority]) -> Result<Timestamp, E> {
    let token = tsa.stamp(&|recipe| recipe.gen_time = gen_time.to_owned());
    verify(&token, MESSAGE, authorities).map(|stamp| stamp.time())
}

fn is_outside(answer: &Result<Timestamp, E>) -> bool {
    matches!(answer, Err(error @ E::OutsideWindow { .. }) if !error.is_contradiction())
}

#[test]
fn both_ends_of_the_window_belong_to_it() {
    let tsa = tsa();
    let (from, until) = (time("2025-06-01T11:00:00Z"), time("2025-06-01T12:00:00Z"));
    let window = [tsa.window(Some(from), Some(until))];
    assert_eq!(at(&tsa, "20250601110000Z", &window), Ok(from));
    assert_eq!(at(&tsa, "20250601120000Z", &window), Ok(until));
    assert!(is_outside(&at(&tsa, "20250601105959Z", &window)));
    assert_eq!(
        at(&tsa, "20250601120001Z", &window),
        Err(E::OutsideWindow {
            gen_time: time("2025-06-01T12:00:01Z"),
            from: Some(from),
            until: Some(until)
        })
    );
    let open = |from, until| [tsa.window(from, until)];
    assert!(at(&tsa, "20250601105959Z", &open(None, Some(until))).is_ok());
    assert!(is_outside(&at(&tsa, "20250601120001Z", &open(None, Some(until)))));
    assert!(at(&tsa, "20250601120001Z", &open(Some(from), None)).is_ok());
    assert!(is_outside(&at(&tsa, "20250601105959Z", &open(Some(from), None))));
}

#[test]
fn windows_are_kept_to_the_last_digit() {
    let tsa = tsa();
    let (from, until) = (time("2025-06-01T11:00:00.500Z"), time("2025-06-01T12:00:00.500Z"));
    let window = [tsa.window(Some(from), Some(until))];
    assert_eq!(at(&tsa, "20250601110000.5Z", &window), Ok(from));
    assert!(is_outside(&at(&tsa, "20250601110000.4999999Z", &window)));
    assert_eq!(at(&tsa, "20250601120000.5Z", &window), Ok(until));
    assert!(is_outside(&at(&tsa, "20250601120000.5000001Z", &window)));
    let finer = at(&tsa, "20250601113000.1230001Z", &window);
    assert_eq!(finer, Ok(time("2025-06-01T11:30:00.124Z")), "rounded up");
}

proptest! {
    /// Against a slow oracle that counts in units of a tenth of a microsecond.
    #[test]
    fn windows_against_an_oracle(fraction in 0_u32..10_000_000, from in 0_i64..1000, length in 0_i64..1000) {
        let tsa = SHARED.with(|tsa| tsa.stamp(&|recipe| {
            let digits = format!("{fraction:07}");
            let digits = digits.trim_end_matches('0');
            let point = if digits.is_empty() { "" } else { "." };
            recipe.gen_time = format!("20250601120000{point}{digits}Z");
        }));
        let start = time(GEN_TIME);
        let end = |millis| start.checked_add_millis(millis);
        let authority = SHARED.with(|tsa| tsa.window(end(from), end(from + length)));
        let units = i64::from(fraction);
        let inside = from * 10_000 <= units && units <= (from + length) * 10_000;
        prop_assert_eq!(verify(&tsa, MESSAGE, &[authority]).is_ok(), inside);
    }
}

thread_local! {
    static SHARED: Tsa = tsa();
}

/// Signer 2024 to 2026, root 2020 to 2030. Whether they have expired today does not matter.
#[test]
fn certificates_are_valid_at_the_time_of_the_stamp() {
    let tsa = tsa();
    let authority = [tsa.authority()];
    assert!(at(&tsa, "20240101000000Z", &authority).is_ok());
    assert!(at(&tsa, "20260101000000Z", &authority).is_ok());
    for gen_time in ["20231231235959Z", "20260101000001Z", "20400101000000Z"] {
        let error = at(&tsa, gen_time, &authority).unwrap_err();
        let E::Validity { sha256, .. } = error else { panic!("{error:?}") };
        assert_eq!(sha256, tsa.leaf.sha256());
        assert!(error.is_contradiction());
    }
}

/// Of the whole chain, trust anchor included.
#[test]
fn issuers_are_valid_at_the_time_of_the_stamp() {
    let root = root("root", &|params| params.not_after = date_time_ymd(2025, 6, 1));
    let middle = root.ca("middle", &|params| params.not_before = date_time_ymd(2024, 6, 1));
    let (anchor, between) = (root.certificate(), middle.certificate());
    let tsa = Tsa::below(middle, &stamping, p256());
    let chain = vec![tsa.leaf.clone(), between.clone(), anchor.clone()];
    let authority = [crate::unbounded(chain)];
    assert!(at(&tsa, "20240601000000Z", &authority).is_ok());
    assert!(at(&tsa, "20250601000000Z", &authority).is_ok());
    for (gen_time, certificate) in [("20240531235959Z", between), ("20250601000001Z", anchor)] {
        let error = at(&tsa, gen_time, &authority).unwrap_err();
        let E::Validity { sha256, .. } = error else { panic!("{error:?}") };
        assert_eq!(sha256, certificate.sha256());
    }
}

#[test]
fn the_window_of_one_authority_does_not_authorise_another() {
    let (one, other) = (tsa(), tsa());
    let before = Some(time("2025-05-01T00:00:00Z"));
    let authorities = [one.window(None, before), other.authority()];
    let answer = at(&one, "20250601120000Z", &authorities);
    assert!(is_outside(&answer), "{answer:?}");
    assert!(at(&other, "20250601120000Z", &authorities).is_ok());
}

fn verified(tsa: &Tsa, authorities: &[TimestampAuthority]) -> Result<VerifiedTimestamp, E> {
    verify(&tsa.stamp(&|_| {}), MESSAGE, authorities)
}

#[test]
fn one_entry_that_holds_is_enough() {
    let tsa = tsa();
    let before = || tsa.window(None, Some(time("2025-05-01T00:00:00Z")));
    let after = || tsa.window(Some(time("2025-05-01T00:00:00Z")), None);
    let stranger = crate::make::tsa().authority();
    let authorities = [stranger, before(), after(), tsa.authority()];
    assert_eq!(verified(&tsa, &authorities).unwrap().authority(), 2);
    let error = verified(&tsa, &[before(), before()]).unwrap_err();
    assert!(matches!(error, E::OutsideWindow { .. }), "{error:?}");
}

/// One entry whose chain was over, one whose window was: another window could help.
#[test]
fn the_entry_that_comes_furthest_is_reported() {
    let short = root("root", &|params| params.not_after = date_time_ymd(2025, 1, 1));
    let tsa = Tsa::below(short, &stamping, p256());
    let over = || tsa.authority();
    let window = |pem: Vec<genten_pki::Certificate>| {
        let until = Some(time("2025-05-01T00:00:00Z"));
        TimestampAuthority::new("window".to_owned(), pem, None, until).unwrap()
    };
    let alone = || window(vec![tsa.leaf.clone()]);
    assert!(matches!(verified(&tsa, &[over()]), Err(E::Validity { .. })));
    for authorities in [[over(), alone()], [alone(), over()]] {
        let error = verified(&tsa, &authorities).unwrap_err();
        assert!(matches!(error, E::OutsideWindow { .. }), "{error:?}");
    }
}

/// What is missing hides no contradiction that can be seen without it.
#[test]
fn contradictions_come_first() {
    let tsa = tsa();
    let outside = [tsa.window(None, Some(time("2025-05-01T00:00:00Z")))];
    let good = tsa.stamp(&|_| {});
    for authorities in [&[][..], &outside] {
        assert!(!verify(&good, MESSAGE, authorities).unwrap_err().is_contradiction());
        let error = verify(&good, b"other", authorities).unwrap_err();
        assert!(matches!(error, E::Imprint { .. }) && error.is_contradiction(), "{error:?}");
        let digest = tsa.stamp(&|recipe| recipe.message_digest = Some(tlv(4, &[0; 32])));
        let error = verify(&digest, MESSAGE, authorities).unwrap_err();
        assert!(matches!(error, E::MessageDigest { .. }), "{error:?}");
        let weak = tsa.stamp(&|recipe| recipe.signature_algorithm = algorithm(ECDSA_SHA1));
        let error = verify(&weak, MESSAGE, authorities).unwrap_err();
        assert!(matches!(error, E::SignatureWeak { .. }), "{error:?}");
        let sha1 = tsa.stamp(&|recipe| recipe.imprint = imprint(SHA1, &[0; 20]));
        let error = verify(&sha1, MESSAGE, authorities).unwrap_err();
        assert!(matches!(error, E::HashWeak { .. }), "{error:?}");
    }
    // An algorithm that is not known here, and a certificate that was over.
    let late = tsa.stamp(&|recipe| {
        recipe.signature_algorithm = algorithm(RSA_PSS);
        recipe.gen_time = "20270601120000Z".to_owned();
    });
    let error = verify(&late, MESSAGE, &[tsa.authority()]).unwrap_err();
    assert!(matches!(error, E::Validity { .. }), "{error:?}");
}

/// Without a way to check the chain nothing is verified, whatever the signature.
#[test]
fn an_unchecked_chain_verifies_nothing() {
    let tsa = Tsa::below(root_with_key("rsa root", &|_| {}, rsa()), &stamping, p256());
    let answer = verified(&tsa, &[tsa.authority()]);
    assert_eq!(answer.is_ok(), cfg!(feature = "aws-lc"));
    let late = tsa.window(None, Some(time("2025-05-01T00:00:00Z")));
    assert!(!verified(&tsa, &[late]).unwrap_err().is_contradiction());
}

#[test]
fn what_a_stamp_says() {
    let tsa = tsa();
    let token = tsa.stamp(&|recipe| {
        recipe.info_tail = [&tlv(0x30, &[2, 1, 2, 0x80, 2, 1, 0xf4])[..], &[1, 1, 0xff]].concat();
    });
    let stamp = verify(&token, MESSAGE, &[tsa.authority()]).unwrap();
    assert_eq!(stamp.time().to_string(), GEN_TIME);
    assert_eq!(stamp.accuracy().unwrap().as_millis(), 2500);
    assert_eq!((stamp.authority(), stamp.authority_name()), (0, "test"));
    assert_eq!(
        (stamp.serial(), stamp.policy().to_string()),
        (&[0x12, 0x34][..], "1.2.3.4".to_owned())
    );
    let token = TimestampToken::from_der(&token).unwrap();
    assert_eq!(token.claimed_time(), stamp.time());
    assert_eq!(token.claimed_policy(), stamp.policy());
    assert_eq!(verified(&tsa, &[tsa.authority()]).unwrap().accuracy(), None);
}
