//! Asking, and what counts as an answer.

use genten_pki::{HashAlgorithm, TimestampError, TimestampRequest, TimestampResponseError as E};
use genten_primitives::encoding::hex;

use crate::common::vectors;
use crate::make::{MESSAGE, Recipe, SHA384, Tsa, hash, imprint, seq, tsa};

const NONCE: u64 = 0x8000_0000_0000_0001;

fn ask(tsa: &Tsa, edit: &dyn Fn(&mut Recipe)) -> Result<(), E> {
    let answer = tsa.stamp(&|recipe| {
        recipe.info_tail = vec![2, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 1];
        edit(recipe);
    });
    let request = TimestampRequest::new(MESSAGE, NONCE);
    let (token, stamp) = request.check_response(&answer, &[tsa.authority()])?;
    assert_eq!(token.claimed_time(), stamp.time());
    Ok(())
}

/// As `openssl ts -query -sha256 -cert` writes it.
#[test]
fn known_answers() {
    let written = |nonce| hex(&TimestampRequest::new(b"hello", nonce).to_der());
    let imprint = concat!(
        "3031300d060960864801650304020105000420",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    );
    let request = |length, nonce| format!("30{length}020101{imprint}{nonce}0101ff");
    assert_eq!(written(0), request("3c", "020100"));
    assert_eq!(written(0x7f), request("3c", "02017f"));
    assert_eq!(written(0x80), request("3d", "02020080"));
    assert_eq!(written(NONCE), request("44", "0209008000000000000001"));
    assert_eq!(written(u64::MAX), request("44", "020900ffffffffffffffff"));
}

/// The published request asks the same with SHA-512; its frame is ours.
#[test]
fn published_requests_have_the_same_frame() {
    let Some(folder) = vectors("rfc3161-client/test/fixtures/sigstage") else { return };
    let theirs = hex(&std::fs::read(folder.join("request.der")).unwrap());
    let ours = hex(&TimestampRequest::new(b"hello", 1).to_der());
    assert_eq!(theirs[..2], ours[..2]);
    assert_eq!(theirs[4..10], ours[4..10], "version");
    assert_eq!(theirs[theirs.len() - 6..], ours[ours.len() - 6..], "certReq");
}

#[test]
fn an_answer_is_checked_at_once() {
    let tsa = tsa();
    assert_eq!(ask(&tsa, &|_| {}), Ok(()));
    assert_eq!(ask(&tsa, &|recipe| recipe.status = Some(seq(&[&[2, 1, 1]]))), Ok(()));
    let refused = ask(&tsa, &|recipe| recipe.status = Some(seq(&[&[2, 1, 2]])));
    assert_eq!(refused, Err(TimestampError::Refused { status: 2 }.into()));
    let spoilt = ask(&tsa, &|recipe| recipe.edit_signature = |signature| signature[9] ^= 1);
    assert!(matches!(spoilt, Err(E::Timestamp(TimestampError::Signature(_)))), "{spoilt:?}");
    let request = TimestampRequest::new(MESSAGE, NONCE);
    let answer = tsa.stamp(&|recipe| {
        recipe.info_tail = vec![2, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 1];
    });
    let unknown = request.check_response(&answer, &[]).unwrap_err();
    let E::Timestamp(TimestampError::UnknownAuthority { .. }) = unknown else {
        panic!("{unknown:?}")
    };
}

#[test]
fn the_nonce_comes_back() {
    let tsa = tsa();
    let missing = ask(&tsa, &|recipe| recipe.info_tail.clear());
    assert_eq!(missing, Err(E::NonceMissing { expected: NONCE }));
    for (other, found) in [
        (vec![2, 1, 1], "01"),
        (vec![2, 8, 0x80, 0, 0, 0, 0, 0, 0, 1], "8000000000000001"), // a negative number
        (vec![2, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 2], "008000000000000002"),
    ] {
        let answer = ask(&tsa, &|recipe| recipe.info_tail.clone_from(&other));
        let found = found.to_owned();
        assert_eq!(answer, Err(E::Nonce { expected: NONCE, found }));
    }
}

#[test]
fn the_imprint_comes_back() {
    let tsa = tsa();
    let other = imprint(crate::make::SHA256, &hash(HashAlgorithm::Sha256, b"other"));
    let answer = ask(&tsa, &|recipe| recipe.imprint.clone_from(&other));
    let Err(E::Timestamp(TimestampError::Imprint { expected, calculated })) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(expected.as_bytes(), hash(HashAlgorithm::Sha256, b"other"));
    assert_eq!(calculated.as_bytes(), hash(HashAlgorithm::Sha256, MESSAGE));
    let sha384 = imprint(SHA384, &hash(HashAlgorithm::Sha384, MESSAGE));
    let answer = ask(&tsa, &|recipe| recipe.imprint.clone_from(&sha384));
    assert_eq!(answer, Err(E::ImprintAlgorithm { found: HashAlgorithm::Sha384 }));
    // The other algorithm's name over the hash that was asked for.
    let misnamed = imprint(SHA384, &hash(HashAlgorithm::Sha256, MESSAGE));
    assert!(ask(&tsa, &|recipe| recipe.imprint.clone_from(&misnamed)).is_err());
}
