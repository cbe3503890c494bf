//! The parts of a stored key: secret, id, chain.

use genten_jws::key_id::{certificate_uris, did_jwk, expect_certified};
use genten_jws::{Algorithm, LocalSigner, SecretKey, Signer};
use genten_manifest::KeyId;
use genten_pki::certificates_from_pem;
use zeroize::Zeroizing;

use super::{KeyError, NewKeyId};

pub(super) fn read_pem(name: &str, pem: &[u8]) -> Result<SecretKey, KeyError> {
    SecretKey::from_pem(&String::from_utf8_lossy(pem))
        .map_err(|source| KeyError::Secret { name: name.to_owned(), source })
}

/// A new key.
pub(super) fn random_key(algorithm: Algorithm) -> Result<SecretKey, KeyError> {
    draw(algorithm, |bytes| getrandom::fill(bytes).map_err(|_| KeyError::Random))
}

/// A key from 32 random bytes. One in 2^32 such values is no P-256 key: then others are drawn.
fn draw(
    algorithm: Algorithm,
    mut fill: impl FnMut(&mut [u8]) -> Result<(), KeyError>,
) -> Result<SecretKey, KeyError> {
    let mut bytes = Zeroizing::new([0; 32]);
    loop {
        fill(bytes.as_mut())?;
        if let Ok(key) = SecretKey::from_bytes(algorithm, &bytes) {
            return Ok(key);
        }
    }
}

pub(super) fn signer(
    name: &str,
    secret: SecretKey,
    id: &NewKeyId,
) -> Result<LocalSigner, KeyError> {
    let id = match id {
        NewKeyId::DidKey => return Ok(LocalSigner::did_key(secret)),
        NewKeyId::DidJwk => did_jwk(secret.public_key()),
        NewKeyId::Given(id) => Some(id.clone()),
    };
    let id = id.expect("a secret key of ours is P-256 or Ed25519, and has a did:jwk");
    LocalSigner::new(secret, id).map_err(|source| KeyError::sign(name, source))
}

pub(super) fn key_id(name: &str, text: &[u8]) -> Result<KeyId, KeyError> {
    let text = String::from_utf8_lossy(text);
    text.trim_end().parse().map_err(|source| KeyError::KeyId { name: name.to_owned(), source })
}

pub(super) fn read_chain(name: &str, pem: &[u8]) -> Result<Vec<Vec<u8>>, KeyError> {
    if pem.is_empty() {
        return Ok(Vec::new());
    }
    let certificates = certificates_from_pem(&String::from_utf8_lossy(pem))
        .map_err(|source| KeyError::Chain { name: name.to_owned(), source })?;
    Ok(certificates.iter().map(|certificate| certificate.der().to_vec()).collect())
}

/// The chain's leaf is for this key and names this id.
pub(super) fn check_chain(
    name: &str,
    signer: &LocalSigner,
    chain: &[Vec<u8>],
) -> Result<(), KeyError> {
    let Some(leaf) = chain.first() else { return Ok(()) };
    expect_certified(signer.key_id(), signer.public_key(), leaf)
        .map_err(|source| KeyError::Certificate { name: name.to_owned(), source })
}

/// The only URI in the subjectAltName of a chain's leaf: the key id that goes without saying.
///
/// # Errors
/// The chain cannot be read.
pub fn id_in_chain(name: &str, pem: &[u8]) -> Result<Option<KeyId>, KeyError> {
    let chain = read_chain(name, pem)?;
    let Some(leaf) = chain.first() else { return Ok(None) };
    let uris = certificate_uris(leaf)
        .map_err(|source| KeyError::Certificate { name: name.to_owned(), source })?;
    match uris[..] {
        [uri] => uri
            .parse()
            .map(Some)
            .map_err(|source| KeyError::KeyId { name: name.to_owned(), source }),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_key_of_p256_is_drawn_again() {
        let mut draws = [[0xff; 32], [0; 32], [7; 32]].into_iter();
        let key = draw(Algorithm::Es256, |bytes| {
            bytes.copy_from_slice(&draws.next().expect("the third is a key"));
            Ok(())
        });
        let expected = SecretKey::from_bytes(Algorithm::Es256, &[7; 32]).ok();
        let public = |key: SecretKey| key.public_key().clone();
        assert_eq!(key.ok().map(public), expected.map(public));
    }
}
