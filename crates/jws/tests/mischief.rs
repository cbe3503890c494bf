//! Tokens that must be refused, each by its own rule, although the signature over them is good.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use std::collections::HashSet;

use genten_jws::key_id::KeyLookupError;
use genten_jws::{
    Algorithm, Header, HeaderError, Jws, JwsError, LocalSigner, MAX_HEADER_BYTES, MAX_JWS_BYTES,
    SecretKey, SignatureChecked, Signer, Typ,
};
use genten_primitives::encoding::{base64, base64url};
use genten_primitives::signature::SignatureError;
use genten_primitives::{PublicKey, Sha256Digest};

const PAYLOAD: &[u8] = br#"{"a":1}"#;

fn signer(algorithm: Algorithm) -> LocalSigner {
    LocalSigner::did_key(SecretKey::from_bytes(algorithm, &[7; 32]).unwrap())
}

/// A detached token with this header and a good signature by the signer's key.
fn token(signer: &LocalSigner, header: &str) -> String {
    let header = base64url(header.as_bytes());
    let input = format!("{header}.{}", base64url(PAYLOAD));
    let signature = signer.sign(input.as_bytes()).unwrap();
    format!("{header}..{}", base64url(signature.as_bytes()))
}

fn check(token: &str, key: &PublicKey) -> Result<SignatureChecked, JwsError> {
    Jws::read(token, Typ::Manifest)?.over(PAYLOAD)?.verify(key)
}

/// What the reader says of a well-signed token whose header is `alg`, `kid`, `typ` after `edit`.
fn refusal(edit: impl Fn(&str) -> String) -> JwsError {
    let signer = signer(Algorithm::Es256);
    let header = edit(&good_header(&signer));
    check(&token(&signer, &header), signer.public_key()).unwrap_err()
}

fn good_header(signer: &LocalSigner) -> String {
    let alg = Algorithm::of(signer.public_key()).unwrap();
    let kid = signer.key_id();
    format!(r#"{{"alg":"{alg}","kid":"{kid}","typ":"provenance-manifest+jws"}}"#)
}

fn with(more: &str) -> impl Fn(&str) -> String {
    move |header| header.replace(r#","typ""#, &format!(r#",{more},"typ""#))
}

fn replaced(from: &str, to: &str) -> impl Fn(&str) -> String {
    move |header| {
        assert!(header.contains(from));
        header.replace(from, to)
    }
}

#[test]
fn the_good_token_is_good() {
    for algorithm in [Algorithm::EdDsa, Algorithm::Es256] {
        let signer = signer(algorithm);
        let header = good_header(&signer);
        assert!(check(&token(&signer, &header), signer.public_key()).is_ok());
        let spaced = header.replace(',', " ,\n").replace("typ", "\\u0074yp");
        assert!(
            check(&token(&signer, &spaced), signer.public_key()).is_ok(),
            "any spelling of JSON"
        );
    }
}

/// 001-07
#[test]
fn every_rule_of_the_header_has_its_code() {
    let alg = r#""alg":"ES256""#;
    let typ = r#","typ":"provenance-manifest+jws""#;
    let other_typ = |value| refusal(replaced("provenance-manifest+jws", value));
    let x5c = format!(r#""x5c":["{}"]"#, base64(b"certificate"));
    let x5t = format!(r#""x5t#S256":"{}""#, base64url(&[0; 32]));
    let without_kid = |header: &str| {
        let (start, rest) = header.split_once(r#""kid":""#).unwrap();
        format!("{start}{}", rest.split_once(r#"","#).unwrap().1)
    };
    let refusals = [
        ("jws.alg.mismatch", refusal(replaced("ES256", "EdDSA"))),
        ("jws.alg.missing", refusal(replaced(&format!("{alg},"), ""))),
        ("jws.alg.none", refusal(replaced("ES256", "none"))),
        ("jws.alg.unsupported", refusal(replaced("ES256", "ES384"))),
        ("jws.header.b64", refusal(with(r#""b64":true"#))),
        ("jws.header.crit", refusal(with(r#""crit":["exp"]"#))),
        ("jws.header.duplicate-member", refusal(with(r#""alg":"none""#))),
        ("jws.header.json", refusal(|header| format!("{header} x"))),
        ("jws.header.key-reference", refusal(with(r#""jwk":{"kty":"OKP"}"#))),
        ("jws.header.not-object", refusal(|header| format!("[{header}]"))),
        ("jws.header.unknown-member", refusal(with(r#""exp":1"#))),
        ("jws.header.wrong-type", refusal(replaced(alg, r#""alg":["ES256"]"#))),
        ("jws.header.x5c", refusal(with(r#""x5c":[]"#))),
        ("jws.header.x5t", refusal(with(r#""x5t#S256":"AAAA""#))),
        ("jws.header.x5t-mismatch", refusal(with(&format!("{x5c},{x5t}")))),
        ("jws.kid.malformed", refusal(replaced("did:key:", "key "))),
        ("jws.kid.missing", refusal(without_kid)),
        ("jws.typ.missing", refusal(replaced(typ, ""))),
        ("jws.typ.other", other_typ("JWT")),
        ("manifest.unsupported-version", other_typ("provenance-manifest-v2+jws")),
    ];
    for (code, error) in &refusals {
        assert_eq!(error.code(), *code, "{error}");
        assert!(JwsError::CODES.contains(code));
    }
    let codes: HashSet<_> = JwsError::CODES.iter().chain(KeyLookupError::CODES).collect();
    assert_eq!(codes.len(), JwsError::CODES.len() + KeyLookupError::CODES.len());
}

#[test]
fn none_is_none_in_every_case() {
    for name in ["none", "None", "NONE", "nOnE"] {
        let error = refusal(replaced("ES256", name));
        assert_eq!(error, JwsError::Header(HeaderError::AlgNone));
    }
    let signer = signer(Algorithm::EdDsa);
    let header = good_header(&signer).replace("EdDSA", "none");
    let unsigned = format!("{}..", base64url(header.as_bytes()));
    assert_eq!(check(&unsigned, signer.public_key()).unwrap_err().code(), "jws.alg.none");
}

#[test]
fn crit_and_b64_are_refused_whatever_they_say() {
    for crit in [r#"[]"#, r#"["alg"]"#, r#"["b64"]"#, r#""b64""#, "null"] {
        let error = refusal(with(&format!(r#""crit":{crit}"#)));
        assert_eq!(error, JwsError::Header(HeaderError::Crit), "{crit}");
    }
    for b64 in ["true", "false", "null", r#""no""#] {
        let error = refusal(with(&format!(r#""b64":{b64}"#)));
        assert_eq!(error, JwsError::Header(HeaderError::B64), "{b64}");
    }
    assert_eq!(refusal(with(r#""b64":false,"crit":["b64"]"#)).code(), "jws.header.b64");
}

#[test]
fn a_key_in_the_message_is_never_used() {
    let attacker = SecretKey::from_bytes(Algorithm::Es256, &[8; 32]).unwrap();
    let jwk = attacker.public_key().to_jwk();
    for (member, value) in [
        ("jwk", jwk.as_str()),
        ("jku", r#""https://a.example/k""#),
        ("x5u", r#""https://a.example/c""#),
    ] {
        let error = refusal(with(&format!(r#""{member}":{value}"#)));
        assert_eq!(error, JwsError::Header(HeaderError::KeyReference { member }));
    }
}

#[test]
fn only_later_versions_are_later_versions() {
    let typ = |value: &str| match refusal(replaced("provenance-manifest+jws", value)) {
        JwsError::Header(error) => error,
        other => panic!("{other}"),
    };
    for later in [
        "provenance-manifest-v2+jws",
        "provenance-manifest-v10+jws",
        "provenance-manifest-v4294967296+jws",
    ] {
        let found = later.to_owned();
        assert_eq!(typ(later), HeaderError::UnsupportedVersion { known: Typ::Manifest, found });
    }
    for other in [
        "provenance-manifest-v1+jws",
        "provenance-manifest-v0+jws",
        "provenance-manifest-v02+jws",
        "provenance-manifest-v+jws",
        "provenance-manifest-v-2+jws",
        "provenance-manifest-v2",
        "provenance-batch+jws",
        "provenance-batch-v2+jws",
        "application/provenance-manifest+jws",
        "Provenance-Manifest+JWS",
        "",
    ] {
        let found = other.to_owned();
        assert_eq!(typ(other), HeaderError::TypOther { expected: Typ::Manifest, found }, "{other}");
    }
}

/// A later version may have rules of its own: none of ours is held against it.
#[test]
fn a_later_version_is_not_judged_by_our_rules() {
    for header in [
        r#"{"alg":"ML-DSA-65","typ":"provenance-manifest-v2+jws"}"#,
        r#"{"crit":["x"],"jwk":{},"b64":false,"typ":"provenance-manifest-v3+jws"}"#,
    ] {
        let error =
            check(&token(&signer(Algorithm::EdDsa), header), signer(Algorithm::EdDsa).public_key());
        assert_eq!(error.unwrap_err().code(), "manifest.unsupported-version");
    }
}

#[test]
fn the_algorithm_comes_from_the_key() {
    let (es256, ed25519) = (signer(Algorithm::Es256), signer(Algorithm::EdDsa));
    let header = good_header(&es256);
    assert_eq!(
        check(&token(&es256, &header), ed25519.public_key()),
        Err(JwsError::AlgorithmMismatch { header: Algorithm::Es256, key: Algorithm::EdDsa })
    );
    // an ES256 header over an Ed25519 signature, under the Ed25519 key
    assert_eq!(
        check(&token(&ed25519, &header), ed25519.public_key()),
        Err(JwsError::AlgorithmMismatch { header: Algorithm::Es256, key: Algorithm::EdDsa })
    );
    let p384 = PublicKey::from_spki_pem(include_str!("data/p384.pem")).unwrap();
    assert_eq!(check(&token(&es256, &header), &p384).unwrap_err().code(), "jws.key.unsupported");
}

/// RFC 9864 calls EdDSA with Ed25519 `Ed25519`.
#[test]
fn ed25519_is_another_name_of_eddsa() {
    let signer = signer(Algorithm::EdDsa);
    let header = good_header(&signer).replace("EdDSA", "Ed25519");
    assert!(check(&token(&signer, &header), signer.public_key()).is_ok());
    for other in ["Ed448", "ES256K", "eddsa", "es256", "HS256", "RS256"] {
        let header = good_header(&signer).replace("EdDSA", other);
        let error = check(&token(&signer, &header), signer.public_key()).unwrap_err();
        assert_eq!(error.code(), "jws.alg.unsupported", "{other}");
    }
}

#[test]
fn der_is_told_from_a_wrong_length() {
    let signer = signer(Algorithm::Es256);
    let good = token(&signer, &good_header(&signer));
    let start = &good[..good.rfind('.').unwrap() + 1];
    let signature = Jws::read(&good, Typ::Manifest).unwrap().signature();
    let der = format!("{start}{}", base64url(&signature.to_der().unwrap()));
    assert_eq!(check(&der, signer.public_key()), Err(JwsError::SignatureDer));
    for found in [0, 1, 32, 63, 65, 96, 132] {
        let short = format!("{start}{}", base64url(&vec![1; found]));
        assert_eq!(check(&short, signer.public_key()), Err(JwsError::SignatureLength { found }));
    }
}

#[test]
fn the_high_s_twin_is_accepted_and_changes_nothing_else() {
    let signer = signer(Algorithm::Es256);
    let good = token(&signer, &good_header(&signer));
    let (start, signature) = good.rsplit_once('.').unwrap();
    let mut bytes = genten_primitives::encoding::from_base64url(signature).unwrap();
    let low = p256::ecdsa::Signature::from_slice(&bytes).unwrap();
    assert_eq!(low, low.normalize_s(), "low S is written");
    let high = p256::ecdsa::Signature::from_scalars(*low.r(), -*low.s()).unwrap();
    bytes.copy_from_slice(&high.to_bytes());
    let twin = format!("{start}.{}", base64url(&bytes));
    assert_ne!(twin, good);
    assert_eq!(check(&twin, signer.public_key()), check(&good, signer.public_key()));
}

#[test]
fn numbers_that_no_signature_has_are_malformed() {
    let signer = signer(Algorithm::Es256);
    let good = token(&signer, &good_header(&signer));
    let start = &good[..good.rfind('.').unwrap() + 1];
    for byte in [0, 0xff] {
        let token = format!("{start}{}", base64url(&[byte; 64]));
        let error = check(&token, signer.public_key()).unwrap_err();
        assert_eq!(error, JwsError::Signature(SignatureError::Malformed));
        assert_eq!(error.code(), "jws.signature.malformed");
    }
}

#[test]
fn base64url_has_one_spelling() {
    let signer = signer(Algorithm::EdDsa);
    let good = token(&signer, &good_header(&signer));
    let (header, signature) = good.split_once("..").unwrap();
    let code = |token: String| check(&token, signer.public_key()).unwrap_err().code();
    assert_eq!(code(format!("{good}==")), "jws.signature.encoding");
    assert_eq!(code(format!("{good}\n")), "jws.signature.encoding");
    assert_eq!(code(format!(" {good}")), "jws.header.encoding");
    assert_eq!(code(format!("{header}=..{signature}")), "jws.header.encoding");
    let trailing_bits = match signature.as_bytes()[85] {
        last if last.is_ascii_uppercase() => {
            format!("{}{}", &good[..good.len() - 1], char::from(last + 1))
        }
        last => format!("{}{}", &good[..good.len() - 1], char::from(last - 1)),
    };
    assert_eq!(code(trailing_bits), "jws.signature.encoding");
    for other_alphabet in ['+', '/'] {
        let token = format!("{header}..{other_alphabet}{}", &signature[1..]);
        assert_eq!(code(token), "jws.signature.encoding");
    }
}

#[test]
fn a_token_has_three_parts() {
    let signer = signer(Algorithm::EdDsa);
    let good = token(&signer, &good_header(&signer));
    for (token, found) in [
        (String::new(), 1),
        ("abc".to_owned(), 1),
        (good.replace("..", "."), 2),
        (format!("{good}."), 4),
        (format!("{good}.{}", base64url(&[0; 64])), 4),
    ] {
        assert_eq!(check(&token, signer.public_key()), Err(JwsError::Parts { found }), "{token}");
    }
}

/// Two signatures of which one is good.
#[test]
fn the_json_serialization_is_refused() {
    let signer = signer(Algorithm::EdDsa);
    let good = token(&signer, &good_header(&signer));
    let (protected, signature) = good.split_once("..").unwrap();
    let general = format!(
        r#"{{"payload":"","signatures":[{{"protected":"{protected}","signature":"{signature}"}},{{"protected":"{protected}","signature":"AAAA"}}]}}"#
    );
    assert_eq!(check(&general, signer.public_key()), Err(JwsError::JsonSerialization));
    let flattened =
        format!(r#" {{"protected":"{protected}","payload":"","signature":"{signature}"}}"#);
    assert_eq!(check(&flattened, signer.public_key()), Err(JwsError::JsonSerialization));
}

#[test]
fn an_attached_payload_must_be_the_same() {
    let signer = signer(Algorithm::EdDsa);
    let good = token(&signer, &good_header(&signer));
    let attach = |payload: &str| good.replace("..", &format!(".{payload}."));
    let attached = attach(&base64url(PAYLOAD));
    assert_eq!(check(&attached, signer.public_key()), check(&good, signer.public_key()));
    assert_eq!(Jws::read(&attached, Typ::Manifest).unwrap().payload().unwrap(), PAYLOAD);
    for other in [base64url(b"{}"), base64url(br#"{"a": 1}"#), format!("{}=", base64url(PAYLOAD))] {
        assert_eq!(check(&attach(&other), signer.public_key()), Err(JwsError::PayloadMismatch));
    }
    let missing = Jws::read(&good, Typ::Manifest).unwrap().payload();
    assert_eq!(missing, Err(JwsError::PayloadMissing));
    let broken = attach("ab=");
    let broken = Jws::read(&broken, Typ::Manifest).unwrap().payload();
    assert_eq!(broken, Err(JwsError::PayloadEncoding));
}

#[test]
fn a_payload_that_was_not_signed_is_refused() {
    for algorithm in [Algorithm::EdDsa, Algorithm::Es256] {
        let signer = signer(algorithm);
        let good = token(&signer, &good_header(&signer));
        let other = Jws::read(&good, Typ::Manifest).unwrap().over(br#"{"a":2}"#).unwrap();
        let error = other.verify(signer.public_key()).unwrap_err();
        assert_eq!(error, JwsError::Signature(SignatureError::Mismatch));
        assert_eq!(error.code(), "jws.signature.mismatch");
    }
}

#[test]
fn kid_is_the_signer_byte_for_byte() {
    let signer = signer(Algorithm::EdDsa);
    let good = token(&signer, &good_header(&signer));
    let jws = Jws::read(&good, Typ::Manifest).unwrap();
    assert_eq!(jws.expect_kid(signer.key_id()), Ok(()));
    let expected = "did:web:example.org#k".parse().unwrap();
    let error = jws.expect_kid(&expected).unwrap_err();
    assert_eq!(error.code(), "jws.kid.mismatch");
    assert_eq!(error, JwsError::KidMismatch { expected, found: signer.key_id().clone() });
}

#[test]
fn certificates_in_the_header() {
    let signer = signer(Algorithm::Es256);
    let leaf = b"leaf".to_vec();
    let digest = base64url(Sha256Digest::of(&leaf).as_bytes());
    let members =
        format!(r#""x5c":["{}","{}"],"x5t#S256":"{digest}""#, base64(&leaf), base64(b"ca"));
    let header = with(&members)(&good_header(&signer));
    let token = token(&signer, &header);
    let jws = Jws::read(&token, Typ::Manifest).unwrap();
    assert_eq!(jws.header().x5c, [leaf.clone(), b"ca".to_vec()]);
    assert_eq!(jws.header().x5t_s256, Some(Sha256Digest::of(&leaf)));
    let eleven = vec![format!("\"{}\"", base64(&leaf)); 11].join(",");
    for x5c in [
        "[]".to_owned(),
        "[1]".to_owned(),
        r#"["bGVhZg"]"#.to_owned(),
        r#"["bGV-"]"#.to_owned(),
        format!("[{eleven}]"),
    ] {
        let error = refusal(with(&format!(r#""x5c":{x5c}"#)));
        assert_eq!(error, JwsError::Header(HeaderError::X5c), "{x5c}");
    }
    for (members, member) in [(r#""x5c":"bGVhZg==""#, "x5c"), (r#""x5t#S256":null"#, "x5t#S256")] {
        assert_eq!(refusal(with(members)), JwsError::Header(HeaderError::WrongType { member }));
    }
    assert_eq!(refusal(with(r#""x5t":"AAAA""#)).code(), "jws.header.unknown-member");
}

#[test]
fn sizes_are_limited() {
    let signer = signer(Algorithm::EdDsa);
    let long = with(&format!(r#""x":"{}""#, "x".repeat(MAX_HEADER_BYTES)))(&good_header(&signer));
    let error = check(&token(&signer, &long), signer.public_key()).unwrap_err();
    assert_eq!(error.code(), "jws.header.too-long");
    let found = MAX_HEADER_BYTES + 1;
    let too_long = HeaderError::TooLong { limit: MAX_HEADER_BYTES, found };
    let header = |length| Header::read(&"A".repeat(length), Typ::Manifest).unwrap_err();
    assert_eq!(header(found), too_long);
    assert!(matches!(header(MAX_HEADER_BYTES), HeaderError::Json(_)));

    let good = token(&signer, &good_header(&signer));
    let attached = |length: usize| {
        let payload = "A".repeat(length - good.len());
        check(&good.replace("..", &format!(".{payload}.")), signer.public_key()).unwrap_err()
    };
    let found = MAX_JWS_BYTES + 1;
    assert_eq!(attached(found), JwsError::TooLong { limit: MAX_JWS_BYTES, found });
    assert!(!matches!(attached(MAX_JWS_BYTES), JwsError::TooLong { .. }));
}

/// Good JWS of other profiles: RFC 7515 appendix A.3 and RFC 8037 appendix A.4.
#[test]
fn tokens_of_other_profiles_are_refused() {
    for token in [
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
        "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
    ] {
        let error = Jws::read(token, Typ::Manifest).unwrap_err();
        assert_eq!(error, JwsError::Header(HeaderError::TypMissing));
    }
}
