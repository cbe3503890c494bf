//! The text form of keys (C2SP signed-note, verifier keys).

use std::str::FromStr;

use genten_primitives::encoding::{base64, from_base64, from_hex, hex};
use genten_primitives::{PublicKey, Sha256Digest};

use super::key::RSA_IDENTIFIER;
use super::{NoteKey, NoteKeyError, NoteKeyKind};

/// Longest text that is read: an RSA key of 8192 bits and a long name have room.
const MAX_VKEY: usize = 8 << 10;

/// Kind of ML-DSA-44 cosignature keys, and their bytes (C2SP tlog-cosignature).
const ML_DSA: u8 = 0x06;
const ML_DSA_KEY: usize = 1312;

impl FromStr for NoteKey {
    type Err = NoteKeyError;

    fn from_str(text: &str) -> Result<Self, NoteKeyError> {
        if text.len() > MAX_VKEY {
            return Err(NoteKeyError::TooLong { limit: MAX_VKEY, found: text.len() });
        }
        if text.starts_with("PRIVATE+KEY+") {
            return Err(NoteKeyError::PrivateKey);
        }
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(NoteKeyError::Parts);
        };
        let id: [u8; 4] = from_hex(id).map_err(NoteKeyError::IdText)?;
        let bytes = from_base64(key).map_err(NoteKeyError::Base64)?;
        if let Some((&ML_DSA, material)) = bytes.split_first() {
            return Err(ml_dsa(name, id, material));
        }
        let (kind, key) = material(&bytes)?;
        let key = Self::new(name, kind, &key)?;
        expect_id(key.id(), id)?;
        Ok(key)
    }
}

fn expect_id(expected: [u8; 4], found: [u8; 4]) -> Result<(), NoteKeyError> {
    let (expected, found) = (u32::from_be_bytes(expected), u32::from_be_bytes(found));
    if expected == found { Ok(()) } else { Err(NoteKeyError::IdMismatch { expected, found }) }
}

/// What is wrong with a key whose signatures nothing here can check: at least that.
fn ml_dsa(name: &str, id: [u8; 4], material: &[u8]) -> NoteKeyError {
    if material.len() != ML_DSA_KEY {
        return NoteKeyError::Length { expected: ML_DSA_KEY, found: material.len() };
    }
    let full_id = Sha256Digest::of(&[name.as_bytes(), &[b'\n', ML_DSA], material].concat());
    let [a, b, c, d, ..] = *full_id.as_bytes();
    expect_id([a, b, c, d], id).err().unwrap_or(NoteKeyError::MlDsaUnsupported)
}

/// Kind and key from what stands behind the base64.
fn material(bytes: &[u8]) -> Result<(NoteKeyKind, PublicKey), NoteKeyError> {
    let (kind, material) = bytes.split_first().ok_or(NoteKeyError::Parts)?;
    match kind {
        0x01 => Ok((NoteKeyKind::Ed25519, ed25519(material)?)),
        0x02 => Ok((NoteKeyKind::Ecdsa, spki(material)?)),
        0x04 => Ok((NoteKeyKind::Cosignature, ed25519(material)?)),
        0x05 => Ok((NoteKeyKind::Rfc6962, spki(material)?)),
        0xff => match material.strip_prefix(RSA_IDENTIFIER) {
            Some(material) => Ok((NoteKeyKind::RsaPkcs1, spki(material)?)),
            None => Err(NoteKeyError::UnknownPrivateKind),
        },
        found => Err(NoteKeyError::UnknownKind { found: *found }),
    }
}

fn ed25519(bytes: &[u8]) -> Result<PublicKey, NoteKeyError> {
    let bytes: &[u8; 32] =
        bytes.try_into().map_err(|_| NoteKeyError::Length { expected: 32, found: bytes.len() })?;
    Ok(PublicKey::ed25519_from_bytes(bytes)?)
}

fn spki(der: &[u8]) -> Result<PublicKey, NoteKeyError> {
    let key = PublicKey::from_spki_der(der)?;
    if key.to_spki_der() == der { Ok(key) } else { Err(NoteKeyError::NonCanonical) }
}

pub(super) fn write(key: &NoteKey) -> String {
    let mut bytes = vec![key.kind().byte()];
    match key.key().ed25519_bytes() {
        Some(material) => bytes.extend(material),
        None => {
            if key.kind() == NoteKeyKind::RsaPkcs1 {
                bytes.extend(RSA_IDENTIFIER);
            }
            bytes.extend(key.key().to_spki_der());
        }
    }
    [key.name(), "+", &hex(&key.id()), "+", &base64(&bytes)].concat()
}
