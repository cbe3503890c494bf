//! Keys behind key ids: published did:key and did:jwk examples, DID documents, certificates.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use genten_jws::key_id::{self, DocumentKey, KeyLookupError, assertion_keys, key_in_document};
use genten_jws::{Algorithm, SecretKey};
use genten_manifest::KeyId;
use genten_primitives::PublicKey;
use genten_primitives::encoding::base64url;
use genten_primitives::json::{self, Limits};
use genten_primitives::key::{KeyError, KeyKind, pem};
use proptest::prelude::*;

fn id(text: &str) -> KeyId {
    text.parse().unwrap()
}

fn did_key(multibase: &str) -> KeyId {
    id(&format!("did:key:{multibase}#{multibase}"))
}

fn jwk(text: &str) -> PublicKey {
    PublicKey::from_jwk_bytes(text.as_bytes()).unwrap()
}

/// From the test vectors of the did:key method, with their keys.
#[test]
fn published_did_keys() {
    for (multibase, key) in [
        (
            "zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv",
            r#"{"crv":"P-256","kty":"EC","x":"igrFmi0whuihKnj9R3Om1SoMph72wUGeFaBbzG2vzns","y":"efsX5b10x8yjyrj4ny3pGfLcY7Xby1KzgqOdqnsrJIM"}"#,
        ),
        (
            "zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169",
            r#"{"crv":"P-256","kty":"EC","x":"fyNYMN0976ci7xqiSdag3buk-ZCwgXU4kz9XNkBlNUI","y":"hW2ojTNfH7Jbi8--CJUo3OCbH3y5n91g-IMA9MLMbTU"}"#,
        ),
        (
            "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
            r#"{"crv":"Ed25519","kty":"OKP","x":"O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik"}"#,
        ),
    ] {
        let id = did_key(multibase);
        assert_eq!(key_id::contained_key(&id), Some(Ok(jwk(key))));
        assert_eq!(key_id::did_key(&jwk(key)), Some(id));
    }
    let seed_zero = SecretKey::from_bytes(Algorithm::EdDsa, &[0; 32]).unwrap();
    let did = key_id::did_key(seed_zero.public_key()).unwrap();
    assert_eq!(did, did_key("z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp"));
}

#[test]
fn did_key_has_one_spelling() {
    let good = "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";
    let contained = |id: &KeyId| key_id::contained_key(id).unwrap().unwrap_err();
    let other = "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK";
    assert_eq!(contained(&id(&format!("did:key:{good}#{other}"))), KeyLookupError::Fragment);
    assert_eq!(contained(&id(&format!("did:key:{good}#0"))), KeyLookupError::Fragment);
    for (multibase, error) in [
        (&good[1..], KeyLookupError::Base58),
        (&format!("m{good}"), KeyLookupError::Base58),
        (&good.replace('i', "0"), KeyLookupError::Base58),
        (&format!("z1{}", &good[1..]), KeyLookupError::Multicodec),
        (&format!("{good}1"), KeyLookupError::Multicodec),
        (&good[..40], KeyLookupError::Multicodec),
        ("z", KeyLookupError::Multicodec),
        (&format!("z{}", "2".repeat(900)), KeyLookupError::Multicodec),
        // secp256k1, P-384, X25519
        ("zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme", KeyLookupError::Multicodec),
        (
            "z82LkvCwHNreneWpsgPEbV3gu1C6NFJEBg4srfJ5gdxEsMGRJUz2sG9FE42shbn2xkZJh54",
            KeyLookupError::Multicodec,
        ),
        ("z6LShpNhGwSupbB7zjuivH156vhLJBDDzmQtA4BY9S94pe1K", KeyLookupError::Multicodec),
    ] {
        assert_eq!(contained(&did_key(multibase)), error, "{multibase}");
    }
}

const JWK_DID: &str = "did:jwk:eyJjcnYiOiJQLTI1NiIsImt0eSI6IkVDIiwieCI6ImFjYklRaXVNczNpOF91c3pFakoydHBUdFJNNEVVM3l6OTFQSDZDZEgyVjAiLCJ5IjoiX0tjeUxqOXZXTXB0bm1LdG00NkdxRHo4d2Y3NEk1TEtncmwyR3pIM25TRSJ9";

/// The P-256 example of the did:jwk specification.
#[test]
fn published_did_jwk() {
    let id = id(&format!("{JWK_DID}#0"));
    let key = key_id::contained_key(&id).unwrap().unwrap();
    assert_eq!(
        key.to_jwk(),
        r#"{"crv":"P-256","kty":"EC","x":"acbIQiuMs3i8_uszEjJ2tpTtRM4EU3yz91PH6CdH2V0","y":"_KcyLj9vWMptnmKtm46GqDz8wf74I5LKgrl2GzH3nSE"}"#
    );
    assert_eq!(key_id::did_jwk(&key), Some(id));
}

#[test]
fn did_jwk_holds_one_public_signing_key() {
    let contained = |jwk: &str| {
        let id = id(&format!("did:jwk:{}#0", base64url(jwk.as_bytes())));
        key_id::contained_key(&id).unwrap().unwrap_err()
    };
    let ed25519 =
        r#""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#;
    let private = format!(r#"{{{ed25519},"d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}}"#);
    assert_eq!(contained(&private), KeyLookupError::Key(KeyError::JwkPrivate { member: "d" }));
    let encryption = format!(r#"{{{ed25519},"use":"enc"}}"#);
    assert_eq!(
        contained(&encryption),
        KeyLookupError::Key(KeyError::JwkForbidden { member: "use" })
    );
    let p384 = PublicKey::from_spki_pem(include_str!("data/p384.pem")).unwrap();
    assert_eq!(contained(&p384.to_jwk()), KeyLookupError::KeyUnsupported { key: KeyKind::P384 });
    assert_eq!(key_id::did_jwk(&p384), None);
    assert_eq!(key_id::did_key(&p384), None);
    for (id, error) in [
        (format!("{JWK_DID}#1"), KeyLookupError::Fragment),
        (format!("{JWK_DID}=#0"), KeyLookupError::Base64Url),
        (format!("{JWK_DID}?a=b#0"), KeyLookupError::Base64Url),
    ] {
        assert_eq!(key_id::contained_key(&self::id(&id)), Some(Err(error)), "{id}");
    }
}

/// 001-08
#[test]
fn an_id_with_a_key_fits_that_key_only() {
    let [one, two] =
        [1, 2].map(|byte| SecretKey::from_bytes(Algorithm::EdDsa, &[byte; 32]).unwrap());
    let (one, two) = (one.public_key(), two.public_key());
    for id in [key_id::did_key(one).unwrap(), key_id::did_jwk(one).unwrap()] {
        assert_eq!(key_id::expect_contained(&id, one), Ok(()));
        let (expected, found) = (two.thumbprint(), one.thumbprint());
        let other = KeyLookupError::OtherKey { expected, found };
        assert_eq!(key_id::expect_contained(&id, two), Err(other));
    }
    assert_eq!(key_id::expect_contained(&id("did:web:example.org#k"), two), Ok(()));
    assert_eq!(key_id::contained_key(&id("https://example.org/")), None);
}

const KEY: &str = r#""publicKeyJwk":{"kty":"OKP","crv":"Ed25519","x":"O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik"}"#;

fn method(id: &str, rest: &str) -> String {
    format!(r#"{{"id":"{id}","type":"Multikey","controller":"did:web:example.org",{rest}}}"#)
}

fn look_up(members: &str) -> Option<Result<DocumentKey, KeyLookupError>> {
    let text = format!(
        r#"{{"@context":["https://www.w3.org/ns/did/v1"],"id":"did:web:example.org",{members}}}"#
    );
    let document = json::read(text.as_bytes(), Limits::bytes(1 << 16)).unwrap();
    key_in_document(&id("did:web:example.org#k"), document.root())
}

fn error(members: &str) -> KeyLookupError {
    look_up(members).unwrap().unwrap_err()
}

#[test]
fn key_of_a_did_document() {
    let key = key_id::contained_key(&did_key("z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp"));
    let key = key.unwrap().unwrap();
    let expected = DocumentKey { key, expires: None, revoked: None };
    let multibase = r#""publicKeyMultibase":"z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp""#;
    for members in [
        // referenced, absolute and relative
        format!(
            r#""verificationMethod":[{}],"assertionMethod":["did:web:example.org#k"]"#,
            method("did:web:example.org#k", KEY)
        ),
        format!(
            r##""verificationMethod":[{}],"assertionMethod":["#k"]"##,
            method("did:web:example.org#k", KEY)
        ),
        format!(
            r##""verificationMethod":[{}],"assertionMethod":["did:web:example.org#k"]"##,
            method("#k", multibase)
        ),
        // embedded
        format!(
            r#""assertionMethod":["did:web:other.example#k",{}]"#,
            method("did:web:example.org#k", multibase)
        ),
    ] {
        assert_eq!(look_up(&members), Some(Ok(expected.clone())), "{members}");
    }
    let ends =
        format!(r#"{KEY},"expires":"2027-01-01T00:00:00Z","revoked":"2026-06-01T00:00:00Z""#);
    let found =
        look_up(&format!(r#""assertionMethod":[{}]"#, method("#k", &ends))).unwrap().unwrap();
    assert_eq!(found.expires, Some("2027-01-01T00:00:00Z".parse().unwrap()));
    assert_eq!(found.revoked, Some("2026-06-01T00:00:00Z".parse().unwrap()));
}

#[test]
fn a_document_of_another_did_does_not_apply() {
    let text = r#"{"id":"did:web:other.example"}"#;
    let document = json::read(text.as_bytes(), Limits::bytes(100)).unwrap();
    assert_eq!(key_in_document(&id("did:web:example.org#k"), document.root()), None);
    let document = json::read(b"{}", Limits::bytes(100)).unwrap();
    let shape = KeyLookupError::Shape { member: "id" };
    assert_eq!(key_in_document(&id("did:web:example.org#k"), document.root()), Some(Err(shape)));
}

#[test]
fn a_method_must_be_for_assertions() {
    let good = method("did:web:example.org#k", KEY);
    for members in [
        format!(r#""verificationMethod":[{good}]"#),
        format!(r##""verificationMethod":[{good}],"authentication":["#k"]"##),
        format!(r##""verificationMethod":[{good}],"assertionMethod":["#other"]"##),
        format!(r#""keyAgreement":[{good}],"assertionMethod":[]"#),
        format!(r##""authentication":[{good}],"assertionMethod":["#k"]"##),
    ] {
        assert_eq!(error(&members), KeyLookupError::NotForAssertion, "{members}");
    }
    for members in [r##""assertionMethod":["#k"]"##, r#""verificationMethod":[]"#] {
        assert_eq!(error(members), KeyLookupError::MethodMissing, "{members}");
    }
    let other = method("did:web:example.org#K", KEY);
    assert_eq!(error(&format!(r#""assertionMethod":[{other}]"#)), KeyLookupError::MethodMissing);
}

#[test]
fn two_methods_of_one_id_are_a_conflict() {
    let one = method("did:web:example.org#k", KEY);
    let two =
        method("#k", r#""publicKeyMultibase":"z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK""#);
    let id = "did:web:example.org#k".to_owned();
    for members in [
        format!(r##""verificationMethod":[{one},{two}],"assertionMethod":["#k"]"##),
        format!(r#""verificationMethod":[{one}],"assertionMethod":[{two}]"#),
        format!(r#""assertionMethod":[{one}],"keyAgreement":[{two}]"#),
        format!(r#""assertionMethod":[{one},{one}]"#),
    ] {
        assert_eq!(
            error(&members),
            KeyLookupError::DuplicateMethod { id: id.clone() },
            "{members}"
        );
    }
    // also between two that nobody asked for
    let x = method("#x", KEY);
    let members = format!(r#""assertionMethod":[{one}],"authentication":[{x},{x}]"#);
    let id = "did:web:example.org#x".to_owned();
    assert_eq!(error(&members), KeyLookupError::DuplicateMethod { id });
}

#[test]
fn methods_are_read_strictly() {
    let assertion = |method: &str| error(&format!(r#""assertionMethod":[{method}]"#));
    let multibase = r#""publicKeyMultibase":"z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp""#;
    let both = method("#k", &format!("{KEY},{multibase}"));
    assert_eq!(assertion(&both), KeyLookupError::KeyMaterial { found: 2 });
    let neither = method("#k", r#""publicKeyBase58":"x""#);
    assert_eq!(assertion(&neither), KeyLookupError::KeyMaterial { found: 0 });
    let stranger = method("#k", KEY).replace("did:web:example.org", "did:web:other.example");
    let found = "did:web:other.example".to_owned();
    assert_eq!(assertion(&stranger), KeyLookupError::Controller { found });
    for member in ["type", "controller"] {
        let without = method("#k", KEY).replace(member, "another");
        assert_eq!(assertion(&without), KeyLookupError::Shape { member });
    }
    let rest = format!(r#"{KEY},"revoked":"yesterday""#);
    assert!(matches!(assertion(&method("#k", &rest)), KeyLookupError::EndTime(_)));
    let private = method("#k", &KEY.replace(r#""x""#, r#""d":"AA","x""#));
    assert_eq!(assertion(&private), KeyLookupError::Key(KeyError::JwkPrivate { member: "d" }));
    assert_eq!(assertion("1"), KeyLookupError::Shape { member: "assertionMethod" });
    let shape = KeyLookupError::Shape { member: "assertionMethod" };
    assert_eq!(error(r#""assertionMethod":{}"#), shape);
    let shape = KeyLookupError::Shape { member: "verificationMethod" };
    assert_eq!(error(r##""verificationMethod":["#k"]"##), shape);
}

#[test]
fn all_assertion_keys_of_a_document() {
    let multibase = |key: &str| format!(r#""publicKeyMultibase":"{key}""#);
    let secp256k1 = r#""publicKeyJwk":{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#;
    let members = [
        method("#a", KEY),
        method("#b", &multibase("zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169")),
        method("#for-agreement", &multibase("z6LShpNhGwSupbB7zjuivH156vhLJBDDzmQtA4BY9S94pe1K")),
        method("#other-curve", secp256k1),
        method("#not-listed", KEY),
    ]
    .join(",");
    let text = format!(
        r##"{{"id":"did:web:example.org","verificationMethod":[{members}],
            "assertionMethod":["#a","#b","#for-agreement","#other-curve"]}}"##
    );
    let document = json::read(text.as_bytes(), Limits::bytes(1 << 16)).unwrap();
    let (did, keys) = assertion_keys(document.root()).unwrap();
    assert_eq!(did, "did:web:example.org");
    let ids: Vec<_> = keys.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["did:web:example.org#a", "did:web:example.org#b"]);
    for (id, key) in keys {
        assert_eq!(key_in_document(&id, document.root()), Some(Ok(key)));
    }
}

/// 001-08
#[test]
fn key_of_a_certificate_with_the_uri() {
    let der = pem::decode(include_str!("data/san-uris.pem")).unwrap();
    let key = SecretKey::from_pem(include_str!("data/san-uris-key.pem")).unwrap();
    let uris = key_id::certificate_uris(&der).unwrap();
    assert_eq!(uris, ["https://mcp.example.org/server", "spiffe://example.org/mcp"]);
    for uri in uris {
        let found = key_id::key_in_certificate(&id(uri), &der);
        assert_eq!(found, Some(Ok(key.public_key().clone())));
        assert_eq!(key_id::expect_certified(&id(uri), key.public_key(), &der), Ok(()));
    }
    for other in [
        "https://mcp.example.org/",
        "https://mcp.example.org/server/",
        "HTTPS://mcp.example.org/server",
    ] {
        assert_eq!(key_id::key_in_certificate(&id(other), &der), None, "{other}");
        let error = key_id::expect_certified(&id(other), key.public_key(), &der);
        assert_eq!(error, Err(KeyLookupError::NotInCertificate));
    }
    let without = pem::decode(include_str!("data/no-san.pem")).unwrap();
    assert_eq!(key_id::certificate_uris(&without), Ok(Vec::new()));
    let other_key = key_id::expect_certified(&id("urn:a"), key.public_key(), &without);
    assert!(matches!(other_key, Err(KeyLookupError::OtherKey { .. })));
}

#[test]
fn broken_certificates_are_named() {
    let der = pem::decode(include_str!("data/san-uris.pem")).unwrap();
    for end in 0..der.len() {
        let error = key_id::certificate_uris(&der[..end]).unwrap_err();
        assert!(matches!(error, KeyLookupError::Certificate { .. }), "{end}");
    }
}

proptest! {
    #[test]
    fn every_key_has_its_ids(secret: [u8; 32], es256: bool) {
        let algorithm = if es256 { Algorithm::Es256 } else { Algorithm::EdDsa };
        let secret = SecretKey::from_bytes(algorithm, &secret).unwrap();
        let key = secret.public_key();
        for id in [key_id::did_key(key).unwrap(), key_id::did_jwk(key).unwrap()] {
            prop_assert_eq!(key_id::contained_key(&id), Some(Ok(key.clone())));
        }
    }

    #[test]
    fn did_keys_print_back(text in "z[1-9A-HJ-NP-Za-km-z]{40,52}") {
        if let Some(Ok(key)) = key_id::contained_key(&did_key(&text)) {
            prop_assert_eq!(key_id::did_key(&key), Some(did_key(&text)));
        }
    }

    #[test]
    fn flipped_certificates_do_not_panic(at in any::<prop::sample::Index>(), bit in 0..8_u8) {
        let mut der = pem::decode(include_str!("data/san-uris.pem")).unwrap();
        let at = at.index(der.len());
        der[at] ^= 1 << bit;
        let _ = key_id::certificate_uris(&der);
        let _ = key_id::key_in_certificate(&id("spiffe://example.org/mcp"), &der);
    }
}

/// A document cannot speak for another DID.
#[test]
fn a_method_of_another_did_is_not_of_the_document() {
    let stranger = format!(
        r#"{{"id":"did:web:b.example#k","type":"JsonWebKey","controller":"did:web:b.example",{KEY}}}"#
    );
    let text = format!(r#"{{"id":"did:web:a.example","assertionMethod":[{stranger}]}}"#);
    let document = json::read(text.as_bytes(), Limits::bytes(1 << 16)).unwrap();
    let (did, keys) = assertion_keys(document.root()).unwrap();
    assert_eq!((did.as_str(), keys.len()), ("did:web:a.example", 0));
}
