//! Private JWK.

use genten_primitives::PublicKey;
use genten_primitives::encoding::{base64url, from_base64url};
use genten_primitives::json::Value;
use genten_primitives::key::KeyError;
use zeroize::Zeroizing;

use super::{SecretKey, SecretKeyError};
use crate::Algorithm;

pub(super) fn read(jwk: Value<'_>) -> Result<SecretKey, SecretKeyError> {
    let public = PublicKey::from_private_jwk(jwk).map_err(SecretKeyError::Jwk)?;
    let unsupported = SecretKeyError::KeyUnsupported { key: public.kind() };
    let algorithm = Algorithm::of(&public).ok_or(unsupported)?;
    let bytes = secret_bytes(jwk).map_err(SecretKeyError::Jwk)?;
    SecretKey::from_bytes(algorithm, &bytes)?.expect_public(&public)
}

fn secret_bytes(jwk: Value<'_>) -> Result<Zeroizing<[u8; 32]>, KeyError> {
    let member = "d";
    let value = jwk.get(member).ok_or(KeyError::JwkMissing { member })?;
    let text = value.as_str().ok_or(KeyError::JwkType { member })?;
    let bytes = from_base64url(&text).map_err(|source| KeyError::JwkEncoding { member, source })?;
    let bytes = Zeroizing::new(bytes);
    let length = KeyError::JwkLength { member, expected: 32, found: bytes.len() };
    bytes.as_slice().try_into().map(Zeroizing::new).map_err(|_| length)
}

/// The public JWK with `d` in its place: `crv`, `d`, `kty`, `x`, `y`.
pub(super) fn write(key: &SecretKey) -> Zeroizing<String> {
    let secret = Zeroizing::new(base64url(&*key.to_bytes()));
    let public = key.public.to_jwk();
    let at = public.find(r#""kty""#).expect("a public jwk has kty after crv");
    let mut jwk = Zeroizing::new(String::with_capacity(public.len() + secret.len() + 8));
    jwk.push_str(&public[..at]);
    jwk.push_str(r#""d":""#);
    jwk.push_str(&secret);
    jwk.push_str(r#"","#);
    jwk.push_str(&public[at..]);
    jwk
}
