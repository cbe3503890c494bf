//! Keys. Of a private one nothing is shown but whose it is.

use genten_jws::key_id::did_key;
use genten_jws::{SecretKey, SecretKeyError};
use genten_primitives::PublicKey;
use genten_primitives::json::{ArrayWriter, ObjectWriter, Value};
use genten_verify::keys_from_file;

use super::Shown;
use crate::command::text::{Rows, Text, count};
use crate::failure::{Done, Failure};

/// A public key in PEM or JWK, or a JWK Set.
pub(super) fn public_file(bytes: &[u8]) -> Done<Shown> {
    let keys = keys_from_file(bytes).map_err(|error| {
        let hint = "Known are SPKI in PEM, JWK and JWK Set with P-256, P-384, Ed25519 or RSA keys.";
        Failure::coded(error.code(), &error, hint)
    })?;
    let mut text = Text::default();
    let mut list = ArrayWriter::new();
    text.line(0, count(keys.len(), "public key", "public keys"));
    for key in &keys {
        let id = did_key(key).map(|id| id.to_string());
        let mut rows = Rows::default();
        rows.add("kind", key.kind())
            .add("thumbprint", key.thumbprint())
            .add("did:key", id.as_deref().unwrap_or("none: such a key signs no manifests"));
        text.rows(1, &rows);
        list.raw(&facts(key).optional("did_key", id.as_deref()).finish());
    }
    let mut object = ObjectWriter::new();
    object.raw("keys", &list.finish());
    Ok(Shown { kind: "public-key", text, object })
}

fn facts(key: &PublicKey) -> ObjectWriter<'static> {
    let mut object = ObjectWriter::new();
    object
        .string("key", &key.kind().to_string())
        .string("thumbprint", &key.thumbprint().to_string());
    object
}

/// Whether a JWK has a private or secret member.
pub(super) fn is_private(jwk: Value<'_>) -> bool {
    ["d", "k", "p", "q"].into_iter().any(|name| jwk.get(name).is_some())
}

/// A private key in PEM.
pub(super) fn private_pem(text: &str) -> Shown {
    private(SecretKey::from_pem(text))
}

/// A private JWK.
pub(super) fn private_jwk(bytes: &[u8]) -> Shown {
    private(SecretKey::from_jwk_bytes(bytes))
}

/// A JWK Set with private keys in it.
pub(super) fn private_set() -> Shown {
    shown("private keys in a JWK Set", ObjectWriter::new())
}

fn private(key: Result<SecretKey, SecretKeyError>) -> Shown {
    match key {
        Ok(key) => {
            let public = key.public_key();
            let words = format!("{}, public thumbprint {}", public.kind(), public.thumbprint());
            shown(&words, facts(public))
        }
        Err(SecretKeyError::Encrypted) => shown("encrypted with a passphrase", ObjectWriter::new()),
        Err(_) => shown("of a kind or form that signs no manifests", ObjectWriter::new()),
    }
}

fn shown(words: &str, object: ObjectWriter<'static>) -> Shown {
    let mut text = Text::default();
    text.line(0, format!("a private key: {words}; keep it private"));
    Shown { kind: "private-key", text, object }
}
