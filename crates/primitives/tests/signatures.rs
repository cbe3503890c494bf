//! Which scheme fits which key, in which form, over messages and digests. Signatures are OpenSSL's.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use genten_primitives::encoding::{from_base64, from_base64url, from_hex};
use genten_primitives::key::{KeyKind, PublicKey};
use genten_primitives::signature::{Message, Scheme, SignatureError, verify};
use genten_primitives::{Sha256Digest, Sha512Digest};
use sha2::Digest as _;

const MESSAGE: &[u8] = b"genten";

const SCHEMES: [Scheme; 9] = [
    Scheme::EcdsaSha256Der,
    Scheme::EcdsaSha256Fixed,
    Scheme::EcdsaSha384Der,
    Scheme::EcdsaSha384Fixed,
    Scheme::Ed25519,
    Scheme::Ed25519ph,
    Scheme::RsaPkcs1Sha256,
    Scheme::RsaPkcs1Sha384,
    Scheme::RsaPkcs1Sha512,
];

fn p256() -> PublicKey {
    PublicKey::from_spki_pem(include_str!("data/p256.pem")).unwrap()
}

fn p384() -> PublicKey {
    PublicKey::from_spki_pem(include_str!("data/p384.pem")).unwrap()
}

fn ed25519() -> PublicKey {
    PublicKey::from_spki_pem(include_str!("data/ed25519.pem")).unwrap()
}

fn rsa() -> PublicKey {
    PublicKey::from_spki_pem(include_str!("data/rsa2048.pem")).unwrap()
}

const P256_SHA256: &str = "MEYCIQDwuq7I3Yjlh5e3QHCGznQUrwToZxdWMgT/oe43pTiCHwIhAJdNbEA8ypnY8ehf08lLhDJIJ9HhWr3XijSN\
    B0FtKx15";
const P256_SHA384: &str = "MEUCIBTQ23srYBHX0O6f0q3EFZxvw6HxKnLkitN9H0otg3tUAiEAkKvtEXs3NsJKN5Pt5ZvqICrjYPY6cwoR4oVy\
    l7+03Ww=";
const P384_SHA256: &str = "MGUCMQDB68U3gtIJz2wZMo0t9eYoQRPIGMnRHDheNTnPyb6Flk23SDmR9b07MLVe8VYYoooCMALbEYfbwwrneTLx\
    bJRZ8+IR3U1Rf1WZD+fuUdPwa5hJCgW7X8NiXhz1yZae2vI1aw==";
const P384_SHA384: &str = "MGQCMERpOI+1cNAksgwhpVOPh+Wx1b/q+Xg5RA4CAjjggS0mvHwYCjOJZIwPIlp5cqtkHQIwUg0awsSMo+XgHk3f\
    KqYFh0lOB6IYvaKAdJ9SYPve0g85DdRA7ZnltkyntaqX8xl7";

fn base64(text: &str) -> Vec<u8> {
    from_base64(text).unwrap()
}

/// R and S of an ECDSA-Sig-Value, each on `length` bytes.
fn fixed(der: &[u8], length: usize) -> Vec<u8> {
    let r_end = 4 + usize::from(der[3]);
    let pad = |number: &[u8]| {
        let number = &number[number.len().saturating_sub(length)..];
        [&vec![0; length - number.len()], number].concat()
    };
    [pad(&der[4..r_end]), pad(&der[r_end + 2..])].concat()
}

#[test]
fn ecdsa_with_both_hashes_on_both_curves_in_both_forms() {
    use Scheme::*;
    for (key, signature, length, der_scheme, fixed_scheme, digest) in [
        (
            p256(),
            P256_SHA256,
            32,
            EcdsaSha256Der,
            EcdsaSha256Fixed,
            &sha2::Sha256::digest(MESSAGE)[..],
        ),
        (p256(), P256_SHA384, 32, EcdsaSha384Der, EcdsaSha384Fixed, &sha2::Sha384::digest(MESSAGE)),
        (p384(), P384_SHA256, 48, EcdsaSha256Der, EcdsaSha256Fixed, &sha2::Sha256::digest(MESSAGE)),
        (p384(), P384_SHA384, 48, EcdsaSha384Der, EcdsaSha384Fixed, &sha2::Sha384::digest(MESSAGE)),
    ] {
        let der = base64(signature);
        let fixed = fixed(&der, length);
        for (scheme, signature) in [(der_scheme, &der), (fixed_scheme, &fixed)] {
            assert_eq!(verify(&key, scheme, Message::Bytes(MESSAGE), signature), Ok(()));
            assert_eq!(verify(&key, scheme, Message::Prehash(digest), signature), Ok(()));
            let other = verify(&key, scheme, Message::Bytes(b"other"), signature);
            assert_eq!(other, Err(SignatureError::Mismatch));
        }
        let confused = verify(&key, fixed_scheme, Message::Bytes(MESSAGE), &der);
        let expected = 2 * length;
        assert_eq!(confused, Err(SignatureError::Length { expected, found: der.len() }));
        let confused = verify(&key, der_scheme, Message::Bytes(MESSAGE), &fixed);
        assert_eq!(confused, Err(SignatureError::Malformed));
    }
}

#[test]
fn numbers_outside_the_order_are_malformed() {
    for (key, scheme, length) in
        [(p256(), Scheme::EcdsaSha256Fixed, 64), (p384(), Scheme::EcdsaSha384Fixed, 96)]
    {
        for byte in [0, 0xff] {
            let result = verify(&key, scheme, Message::Bytes(MESSAGE), &vec![byte; length]);
            assert_eq!(result, Err(SignatureError::Malformed), "{scheme} {byte:x}");
        }
    }
}

#[test]
fn a_scheme_fits_its_key_only() {
    let keys = [p256(), p384(), ed25519(), rsa()];
    for (key, fitting) in
        keys.iter().zip([&SCHEMES[..4], &SCHEMES[..4], &SCHEMES[4..6], &SCHEMES[6..]])
    {
        for scheme in SCHEMES {
            let result = verify(key, scheme, Message::Bytes(MESSAGE), &[1; 64]);
            let mismatch = SignatureError::SchemeMismatch { key: key.kind(), scheme };
            assert_eq!(
                result == Err(mismatch),
                !fitting.contains(&scheme),
                "{} {scheme}",
                key.kind()
            );
        }
    }
}

#[test]
fn digests_must_have_the_length_of_their_hash() {
    for (key, scheme, length) in [
        (p256(), Scheme::EcdsaSha256Fixed, 32),
        (p384(), Scheme::EcdsaSha384Fixed, 48),
        (ed25519(), Scheme::Ed25519ph, 64),
    ] {
        for found in [0, length - 1, length + 1] {
            let result = verify(&key, scheme, Message::Prehash(&vec![1; found]), &[1; 64]);
            assert_eq!(result, Err(SignatureError::Prehash { scheme, found }));
        }
    }
    let digest = Sha512Digest::of(MESSAGE);
    let result = verify(&ed25519(), Scheme::Ed25519, Message::Prehash(digest.as_bytes()), &[0; 64]);
    assert_eq!(result, Err(SignatureError::Prehash { scheme: Scheme::Ed25519, found: 64 }));
}

/// RFC 8032 section 7.3.
#[test]
fn ed25519ph_example() {
    let key = from_hex("ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf").unwrap();
    let key = PublicKey::ed25519_from_bytes(&key).unwrap();
    let signature: [u8; 64] = from_hex(concat!(
        "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae41",
        "31f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406",
    ))
    .unwrap();
    let digest = Sha512Digest::of(b"abc");
    assert_eq!(verify(&key, Scheme::Ed25519ph, Message::Bytes(b"abc"), &signature), Ok(()));
    assert_eq!(
        verify(&key, Scheme::Ed25519ph, Message::Prehash(digest.as_bytes()), &signature),
        Ok(())
    );
    let pure = verify(&key, Scheme::Ed25519, Message::Bytes(b"abc"), &signature);
    assert_eq!(pure, Err(SignatureError::Mismatch));
    let short = verify(&key, Scheme::Ed25519ph, Message::Bytes(b"abc"), &signature[1..]);
    assert_eq!(short, Err(SignatureError::Length { expected: 64, found: 63 }));
}

/// RFC 7515 appendix A.3.
#[test]
fn es256_example() {
    let key = PublicKey::from_jwk_bytes(
        br#"{"kty":"EC","crv":"P-256",
             "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
             "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#,
    )
    .unwrap();
    let input = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt\
                 cGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    let signature = from_base64url(
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
    )
    .unwrap();
    let check = |message| verify(&key, Scheme::EcdsaSha256Fixed, message, &signature);
    assert_eq!(check(Message::Bytes(input.as_bytes())), Ok(()));
    let digest = Sha256Digest::of(input.as_bytes());
    assert_eq!(check(Message::Prehash(digest.as_bytes())), Ok(()));
    assert_eq!(check(Message::Bytes(b"")), Err(SignatureError::Mismatch));
}

const RSA_SHA256: &str = "DtO89lrx/x2s54kIRySzj2AMJhFTaOvELm+giLNTdO+RNI8/vT3m83OhAb+biGKEOAkk7GHEP5wR8//WLzDV7iqG\
    5ZmaAJIPW2N7UG62g/F2Ueb+X7nc7aeq9bOl+lUjOPTwqvVjy0q6o6bb2Lux5057i/WqJCaIBrA5gckz4+1nYYOj\
    xDDA0zYTNKGI76Autc3qjr6X+6gMlYXemMxQ/BeDoYoon/ALojKgWYknqZLDSvNw2bovR/jD50drsc6u+yjGQ7Qt\
    4tMBmK4JPeQ2p6x4HaNZZT5otzRcWqF/0YCK88cBJ2hpwvNU4ZAStfoTdv1KQr9GUJWO8Yuj8E3Lcg==";
const RSA_SHA384: &str = "McG9xQhvmcGf6iQvIMi/AX6GhMtirXNsMk0lyuzRTRoXEeCZmrIwBIUoCXEnOOxJlRUdP7DJaOhbdcj3TRVjr6WH\
    EBPz/wP0AgB13qSzxm2ngJZebSaRYREyuM40GOoRMad6Nb95lZwb8+XLOg561UWTEsM8v+8ZNa53Axrp5R0GVB83\
    Ie5qtcLo38/P1wLN2wLNGe7FBcH3C5BzaMTSyOHvCS16d7bCzfR5ciH69WOZd4hwWS2l7GmHnSVoqC05QcTYbn1C\
    hVJ42A7sGexNUiWDj9yO+Y5lqUkVJOhgiL/6ygHhc5py/kLLB79y3fXRR8xBUC76WRKegUVLdyz+Eg==";
const RSA_SHA512: &str = "MigAPqGdoqVYRjN9n0Dmj9Yy2alRfMpkHHiifXWHMWRJ+pvQHIOz0IHwYP6qRj7V5O8To3VmE3aSbVPc91TrHPcc\
    TnfJVlg0V9ZMaPZyCxIQRAhDuJJUKyaKiCZyelVA1xu/3cfWf2IY0yaAG9N2GDStt9k/i2blN4gsbLoNDXA8yv3W\
    cxfcObFV6tTZG0eK6xSjFcB2VojZVBLyUzqqIAp/5cNwM2ZfJ66klcDea3q3tyA6NMFjOKKAXsCxxiHykabe0dET\
    j9xXxwyHjNUg3tXZlzmXAv7JO9wupEGrHD/k9nZI14OSnY5uAfdqJK61haz9x00UykZpqWo6h7xGgg==";

#[test]
fn rsa_is_checked_by_aws_lc_only() {
    assert_eq!(rsa().kind(), KeyKind::Rsa { bits: 2048 });
    for (scheme, signature) in [
        (Scheme::RsaPkcs1Sha256, RSA_SHA256),
        (Scheme::RsaPkcs1Sha384, RSA_SHA384),
        (Scheme::RsaPkcs1Sha512, RSA_SHA512),
    ] {
        let signature = base64(signature);
        let check =
            |message, signature: &[u8]| verify(&rsa(), scheme, Message::Bytes(message), signature);
        if cfg!(feature = "aws-lc") {
            assert_eq!(check(MESSAGE, &signature), Ok(()));
            assert_eq!(check(b"other", &signature), Err(SignatureError::Mismatch));
            let short = SignatureError::Length { expected: 256, found: 255 };
            assert_eq!(check(MESSAGE, &signature[1..]), Err(short));
        } else {
            assert_eq!(check(MESSAGE, &signature), Err(SignatureError::RsaUnavailable));
        }
    }
}

/// A key and R of small order: whoever made such a key has signatures that hold for many messages. Without the strict rules
/// of RFC 8032 section 5.1.7 and ed25519-dalek's `verify_strict` both of these would hold.
#[test]
fn ed25519_takes_no_point_of_small_order() {
    let key = from_hex("ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c").unwrap();
    let key = PublicKey::ed25519_from_bytes(&key).unwrap();
    for (scheme, signature) in [
        (
            Scheme::Ed25519,
            "0100000000000000000000000000000000000000000000000000000000000000a0000a78db7a82c4c93e9993fa593de3ae8f9c2be437041e83562bebd74d4907",
        ),
        (
            Scheme::Ed25519ph,
            "01000000000000000000000000000000000000000000000000000000000000009fc512f06bdc08b588209cbb63577039397605b86b8e3b0d428dd9f6b26b7f07",
        ),
    ] {
        let signature: [u8; 64] = from_hex(signature).unwrap();
        let checked = verify(&key, scheme, Message::Bytes(b"m"), &signature);
        assert_eq!(checked, Err(SignatureError::Mismatch), "{scheme:?}");
    }
}
