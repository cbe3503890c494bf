//! Multikey: multibase `z`, base58btc, a multicodec prefix, and the key; in did:key and in `publicKeyMultibase`.
//!
//! `z6Mk…` is Ed25519 (prefix ed 01, 32 bytes), `zDn…` is P-256 (prefix 80 24, compressed point of 33 bytes).

use genten_primitives::PublicKey;

use super::KeyLookupError;

const ED25519: [u8; 2] = [0xed, 0x01];
const P256: [u8; 2] = [0x80, 0x24];

/// Room for the longest key that we read and one byte more, so that longer ones are noticed.
const ROOM: usize = 2 + 33 + 1;

/// Longest text that can decode into that room.
const LONGEST: usize = 64;

pub(super) fn decode(text: &str) -> Result<PublicKey, KeyLookupError> {
    let base58 = text.strip_prefix('z').ok_or(KeyLookupError::Base58)?;
    if base58.len() > LONGEST {
        return Err(KeyLookupError::Multicodec);
    }
    let mut room = [0; ROOM];
    let length = bs58::decode(base58).onto(&mut room).map_err(|error| match error {
        bs58::decode::Error::BufferTooSmall => KeyLookupError::Multicodec,
        _ => KeyLookupError::Base58,
    })?;
    let (codec, key) = room[..length].split_first_chunk().ok_or(KeyLookupError::Multicodec)?;
    match (*codec, <&[u8; 32]>::try_from(key)) {
        (ED25519, Ok(key)) => Ok(PublicKey::ed25519_from_bytes(key)?),
        (P256, _) if key.len() == 33 => Ok(PublicKey::p256_from_sec1(key)?),
        _ => Err(KeyLookupError::Multicodec),
    }
}

pub(super) fn encode(key: &PublicKey) -> Option<String> {
    let bytes = match (key.ed25519_bytes(), key.p256_compressed()) {
        (Some(bytes), _) => [&ED25519[..], bytes].concat(),
        (None, Some(bytes)) => [&P256[..], &bytes].concat(),
        (None, None) => return None,
    };
    Some(format!("z{}", bs58::encode(bytes).into_string()))
}
