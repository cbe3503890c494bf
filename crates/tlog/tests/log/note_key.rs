//! Keys: ids and text forms as published, and each wrong one by its error.

use genten_primitives::PublicKey;
use genten_primitives::encoding::{base64, from_base64, from_hex, hex};
use genten_primitives::key::{KeyError, KeyKind};
use genten_tlog::note::NoteKeyKind;
use genten_tlog::{NoteKey, NoteKeyError};

use crate::common::{document, public, read, text, vectors};

const ED25519: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const ECDSA: &str = "rekor.sigstore.dev+c0d23d6a+AjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNhtmPtrWm3U1eQXBogSMdGvXwBcK5AW5i0hrZLOC96l+smGNM7nwZ4QvFK/4sueRoVj//QP22Ni4Qt9DPfkWLc=";
const WITNESS: &str = "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv";
/// RSA of 2048 bits, made with OpenSSL for this test.
pub(crate) const RSA_PEM: &str = include_str!("data/rsa.pub.pem");

fn key(text: &str) -> Result<NoteKey, NoteKeyError> {
    text.parse()
}

#[test]
fn published_ids() {
    for (text, kind) in [
        (ED25519, NoteKeyKind::Ed25519),
        (ECDSA, NoteKeyKind::Ecdsa),
        (WITNESS, NoteKeyKind::Cosignature),
    ] {
        let read = key(text).unwrap();
        assert_eq!(read.kind(), kind);
        assert_eq!(read.to_vkey(), text);
        assert!(text.contains(&hex(&read.id())));
        assert_eq!(read.full_id().as_bytes()[..4], read.id());
    }
}

#[test]
fn ids_of_the_other_kinds() {
    let der = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPIcer7RB32jt4bTEbhgUKLKvOctFD+I2hoDItFxUBlJiGFvftBuRk3fO7e1T7gC2ekyfL7XoO2oN/ObcZyc4EA==";
    let ct = PublicKey::from_spki_der(&from_base64(der).unwrap()).unwrap();
    let ct = NoteKey::rfc6962("rome2026h1.example.org", &ct).unwrap();
    assert_eq!(hex(&ct.id()), "91507526");
    let rsa = PublicKey::from_spki_pem(RSA_PEM).unwrap();
    let rsa = NoteKey::rsa_pkcs1("example.com/rsa", &rsa).unwrap();
    let mut material = b"example.com/rsa\n\xffPKIX-RSA-PKCS#1v1.5".to_vec();
    material.extend(rsa.key().to_spki_der());
    assert_eq!(rsa.full_id(), genten_primitives::Sha256Digest::of(&material));
    for key in [ct, rsa] {
        assert_eq!(key.to_vkey().parse(), Ok(key));
    }
}

#[test]
fn the_usual_kind_of_a_log_key() {
    let kind = |key| NoteKey::for_log("log", &key).unwrap().kind();
    assert_eq!(kind(public(1)), NoteKeyKind::Ed25519);
    assert_eq!(kind(key(ECDSA).unwrap().key().clone()), NoteKeyKind::Ecdsa);
    assert_eq!(kind(PublicKey::from_spki_pem(RSA_PEM).unwrap()), NoteKeyKind::RsaPkcs1);
}

#[test]
fn kinds_have_their_keys() {
    let (ed25519, rsa) = (public(1), PublicKey::from_spki_pem(RSA_PEM).unwrap());
    let p256 = key(ECDSA).unwrap().key().clone();
    let mismatch = |kind, key| Err(NoteKeyError::KeyMismatch { kind, key });
    let rsa_kind = KeyKind::Rsa { bits: 2048 };
    assert_eq!(NoteKey::ed25519("n", &p256), mismatch(NoteKeyKind::Ed25519, KeyKind::P256));
    assert_eq!(NoteKey::cosignature("n", &rsa), mismatch(NoteKeyKind::Cosignature, rsa_kind));
    assert_eq!(NoteKey::ecdsa("n", &ed25519), mismatch(NoteKeyKind::Ecdsa, KeyKind::Ed25519));
    assert_eq!(NoteKey::rsa_pkcs1("n", &p256), mismatch(NoteKeyKind::RsaPkcs1, KeyKind::P256));
    assert_eq!(NoteKey::rfc6962("n", &ed25519), mismatch(NoteKeyKind::Rfc6962, KeyKind::Ed25519));
    assert!(NoteKey::rfc6962("n", &rsa).is_ok());
}

#[test]
fn ids_depend_on_the_kind() {
    let key = public(1);
    let (log, witness) = (NoteKey::ed25519("n", &key), NoteKey::cosignature("n", &key));
    assert_ne!(log.unwrap().id(), witness.unwrap().id());
}

#[test]
fn a_wrong_id_is_refused() {
    let error = NoteKeyError::IdMismatch { expected: 0xc74f_20a3, found: 0xc74f_20a4 };
    assert_eq!(key(&ED25519.replace("c74f20a3", "c74f20a4")), Err(error));
    let error = NoteKeyError::IdMismatch { expected: 0xc0d2_3d6a, found: 0 };
    assert_eq!(key(&ECDSA.replace("c0d23d6a", "00000000")), Err(error));
    // Another name has another id, but not under ECDSA.
    assert!(matches!(key(&ED25519.replace("Peter", "Paul")), Err(NoteKeyError::IdMismatch { .. })));
    assert!(key(&ECDSA.replace("rekor", "other")).is_ok());
}

#[test]
fn ids_have_one_spelling() {
    for id in ["C74F20A3", "c74f20a", "c74f20a33", "", "c74f20ag"] {
        let result = key(&ED25519.replace("c74f20a3", id));
        assert!(matches!(result, Err(NoteKeyError::IdText(_))), "{id}");
    }
}

#[test]
fn three_parts_and_a_name() {
    for text in ["", "name", "bananas.sigstore.dev+12344556", "name+c74f20a3"] {
        assert_eq!(key(text), Err(NoteKeyError::Parts), "{text}");
    }
    assert_eq!(key("name+c74f20a3+"), Err(NoteKeyError::Parts));
    assert_eq!(key(&ED25519.replace("PeterNeumann", "")), Err(NoteKeyError::Name));
    for name in ["", "a b", "a+b", "a\u{a0}", "a\n", "a\tb", "a\u{0}"] {
        assert_eq!(NoteKey::ed25519(name, &public(1)), Err(NoteKeyError::Name), "{name:?}");
    }
}

/// A vkey with this material and any id.
fn with(material: &[u8]) -> String {
    ["n+00000000+", &base64(material)].concat()
}

#[test]
fn material_of_another_kind_or_length() {
    let bytes = [&[1][..], public(1).ed25519_bytes().unwrap()].concat();
    for found in [0, 31, 33] {
        let material: Vec<u8> = bytes.iter().copied().chain([0]).take(found + 1).collect();
        let error = NoteKeyError::Length { expected: 32, found };
        assert_eq!(key(&with(&material)), Err(error));
    }
    for found in [0x00, 0x03, 0x07, 0x19, 0x65, 0xfa, 0xfe] {
        let error = NoteKeyError::UnknownKind { found };
        assert_eq!(key(&with(&[&[found][..], &bytes[1..]].concat())), Err(error));
    }
    let short = NoteKeyError::Length { expected: 1312, found: 32 };
    assert_eq!(key(&with(&[6; 33])), Err(short));
    assert!(matches!(key(&with(&[6; 1313])), Err(NoteKeyError::IdMismatch { .. })));
    let private = [&b"\xffPKIX-RSA-PSS"[..], &bytes].concat();
    assert_eq!(key(&with(&private)), Err(NoteKeyError::UnknownPrivateKind));
    let off_curve = [&[1, 2][..], &[0; 31]].concat();
    assert_eq!(key(&with(&off_curve)), Err(NoteKeyError::Key(KeyError::Ed25519NotOnCurve)));
    assert!(matches!(key(&with(&[2, 0x30, 0])), Err(NoteKeyError::Key(_))));
    assert!(matches!(key("n+00000000+A"), Err(NoteKeyError::Base64(_))));
    assert!(matches!(key(&ED25519.replace("10TW", "10TW=")), Err(NoteKeyError::Base64(_))));
    // An elliptic key under the byte of RSA, and the other way round.
    let p256 = key(ECDSA).unwrap().key().to_spki_der().to_vec();
    let rsa = PublicKey::from_spki_pem(RSA_PEM).unwrap().to_spki_der().to_vec();
    let mismatch = |kind, key| Err(NoteKeyError::KeyMismatch { kind, key });
    let prefixed = [b"\xffPKIX-RSA-PKCS#1v1.5", &p256[..]].concat();
    assert_eq!(key(&with(&prefixed)), mismatch(NoteKeyKind::RsaPkcs1, KeyKind::P256));
    let rsa_kind = KeyKind::Rsa { bits: 2048 };
    assert_eq!(key(&with(&[&[2], &rsa[..]].concat())), mismatch(NoteKeyKind::Ecdsa, rsa_kind));
}

#[test]
fn a_compressed_point_is_a_second_spelling() {
    let point = key(ECDSA).unwrap().key().p256_compressed().unwrap();
    let mut der =
        from_hex::<26>("3039301306072a8648ce3d020106082a8648ce3d030107032200").unwrap().to_vec();
    der.extend(point);
    assert_eq!(PublicKey::from_spki_der(&der).as_ref(), Ok(key(ECDSA).unwrap().key()));
    let material = [&[2], &der[..]].concat();
    let text = ["rekor.sigstore.dev+c0d23d6a+", &base64(&material)].concat();
    assert_eq!(key(&text), Err(NoteKeyError::NonCanonical));
}

#[test]
fn private_keys_are_called_so() {
    let text = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
    assert_eq!(key(text), Err(NoteKeyError::PrivateKey));
}

#[test]
fn at_most_eight_kibibytes() {
    let text = ["n".repeat(8192).as_str(), "+"].concat();
    assert_eq!(key(&text), Err(NoteKeyError::TooLong { limit: 8192, found: 8193 }));
    assert_eq!(key(&text[1..]), Err(NoteKeyError::Parts));
}

#[test]
fn published_keys() {
    let Some(file) = vectors("derived/signed-note-vectors.json") else { return };
    let bytes = read(file);
    let document = document(&bytes);
    let mut counts = [0, 0];
    for case in document.root().get("vkeys").unwrap().items().unwrap() {
        let vkey = text(case, "vkey");
        counts[0] += 1;
        if vkey.starts_with("test+31236897") {
            assert_eq!(key(&vkey), Err(NoteKeyError::MlDsaUnsupported));
            continue;
        }
        let read = key(&vkey).unwrap();
        assert_eq!((read.name(), hex(&read.id())), (&*text(case, "name"), text(case, "key_id")));
        assert_eq!(read.to_vkey(), vkey);
    }
    for case in document.root().get("bad_vkeys").unwrap().items().unwrap() {
        counts[1] += 1;
        assert!(key(&text(case, "vkey")).is_err());
    }
    assert_eq!(counts, [11, 6]);
}
