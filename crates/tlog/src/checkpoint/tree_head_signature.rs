//! Signatures of kind 0x05: those of RFC 6962 section 3.5 over time, size and root, as logs of certificates make them.

use genten_primitives::Sha256Digest;
use genten_primitives::key::KeyKind;
use genten_primitives::signature::{Message, Scheme, verify};

use super::body::Body;
use crate::decimal;
use crate::merkle::TreeSize;
use crate::note::{LineError, NoteKey};

/// What such a log signs: version 1, tree_hash, milliseconds since 1970, size, root.
pub fn tree_head_message(millis: u64, size: TreeSize, root: Sha256Digest) -> [u8; 50] {
    let mut message = [0; 50];
    message[1] = 1;
    message[2..10].copy_from_slice(&millis.to_be_bytes());
    message[10..18].copy_from_slice(&size.get().to_be_bytes());
    message[18..].copy_from_slice(root.as_bytes());
    message
}

/// What follows the key id in a signature line: `u64 milliseconds | u8 hash | u8 algorithm | u16 length || signature`. `None`
/// for kinds of keys that do not sign so, and for signatures longer than 65,535 bytes.
pub fn tree_head_blob(key: KeyKind, millis: u64, signature: &[u8]) -> Option<Vec<u8>> {
    let (algorithm, _) = algorithm(key)?;
    let length = u16::try_from(signature.len()).ok()?;
    let parts: [&[u8]; 4] = [&millis.to_be_bytes(), &algorithm, &length.to_be_bytes(), signature];
    Some(parts.concat())
}

/// SHA-256 with ECDSA or RSA, as RFC 5246 section 7.4.1.4.1 numbers them (RFC 6962 section 2.1.4).
fn algorithm(key: KeyKind) -> Option<([u8; 2], Scheme)> {
    match key {
        KeyKind::P256 | KeyKind::P384 => Some(([4, 3], Scheme::EcdsaSha256Der)),
        KeyKind::Rsa { .. } => Some(([4, 1], Scheme::RsaPkcs1Sha256)),
        _ => None,
    }
}

/// Checks such a signature; the time in it.
pub(super) fn check(key: &NoteKey, body: &Body, blob: &[u8]) -> Result<u64, LineError> {
    let key = key.key();
    let (expected, scheme) =
        algorithm(key.kind()).expect("no other key is made for this kind of signature");
    let (time, rest) = blob.split_first_chunk().ok_or(LineError::TreeHeadLength)?;
    let (found, rest) = rest.split_first_chunk().ok_or(LineError::TreeHeadLength)?;
    let (length, signature) = rest.split_first_chunk().ok_or(LineError::TreeHeadLength)?;
    if usize::from(u16::from_be_bytes(*length)) != signature.len() {
        return Err(LineError::TreeHeadLength);
    }
    if *found != expected {
        return Err(LineError::TreeHeadAlgorithm { expected, found: *found });
    }
    let millis = u64::from_be_bytes(*time);
    if millis > decimal::MAX {
        return Err(LineError::TimeRange { found: millis });
    }
    let message = tree_head_message(millis, body.size, body.root);
    verify(key, scheme, Message::Bytes(&message), signature)?;
    Ok(millis)
}
