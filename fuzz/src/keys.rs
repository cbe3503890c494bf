//! Keys, public and secret, and the documents that hold them.

use genten_jws::key_id::{DocumentKey, assertion_keys, key_in_document};
use genten_jws::{LocalSigner, SecretKey, Signer as _};
use genten_primitives::PublicKey;
use genten_primitives::json::{self, Limits};
use genten_primitives::signature::{Message, Scheme, verify};

/// In whatever form a key came, it is written in every form as the same key.
pub(crate) fn public_key(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let keys = [
        PublicKey::from_spki_der(bytes).inspect(|key| assert_eq!(key.to_spki_der(), bytes)),
        PublicKey::from_spki_pem(text),
        PublicKey::from_jwk_bytes(bytes),
        PublicKey::from_certificate_der(bytes),
        PublicKey::p256_from_sec1(bytes),
        PublicKey::p384_from_sec1(bytes),
    ];
    keys.into_iter().flatten().inspect(check_public_key).count() > 0
}

fn check_public_key(key: &PublicKey) {
    assert_eq!(PublicKey::from_spki_der(key.to_spki_der()).as_ref(), Ok(key));
    assert_eq!(PublicKey::from_spki_pem(&key.to_spki_pem()).as_ref(), Ok(key));
    assert_eq!(PublicKey::from_jwk_bytes(key.to_jwk().as_bytes()).as_ref(), Ok(key));
    let other = PublicKey::from_jwk_bytes(key.to_jwk().as_bytes());
    assert_eq!(other.map(|other| other.thumbprint()), Ok(key.thumbprint()));
}

/// In whatever form a key came, it is written as the same key, and what it signs verifies.
pub(crate) fn secret_key(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let Ok(key) = SecretKey::from_pem(text).or_else(|_| SecretKey::from_jwk_bytes(bytes)) else {
        return false;
    };
    let (pem, jwk) = (key.to_pkcs8_pem(), key.to_jwk());
    let from_pem = SecretKey::from_pem(&pem).expect("written by us");
    let from_jwk = SecretKey::from_jwk_bytes(jwk.as_bytes()).expect("written by us");
    assert_eq!((from_pem.to_pkcs8_pem(), from_jwk.to_pkcs8_pem()), (pem.clone(), pem));
    assert_eq!(
        (from_pem.public_key(), from_jwk.public_key()),
        (key.public_key(), key.public_key())
    );
    let signer = LocalSigner::did_key(key);
    let signature = signer.sign(bytes).expect("a key in this process signs");
    let scheme = match signer.key().algorithm() {
        genten_jws::Algorithm::EdDsa => Scheme::Ed25519,
        genten_jws::Algorithm::Es256 => Scheme::EcdsaSha256Fixed,
    };
    let checked = verify(signer.public_key(), scheme, Message::Bytes(bytes), signature.as_bytes());
    assert_eq!(checked, Ok(()));
    true
}

/// Each key that a document lists is found under its id.
pub(crate) fn did_document(bytes: &[u8]) -> bool {
    let Ok(document) = json::read(bytes, Limits::bytes(1 << 20)) else { return false };
    let Ok((did, keys)) = assertion_keys(document.root()) else { return false };
    for (id, key) in &keys {
        assert_eq!(id.did(), did);
        match (key_in_document(id, document.root()), key) {
            (Some(Ok(found)), DocumentKey { key, .. }) => assert_eq!(found.key, *key),
            (other, _) => panic!("{id} is listed, looked up it is {other:?}"),
        }
    }
    true
}
