//! The digest that a scheme signs, computed here or given by the caller.

use sha2::digest::consts::U64;
use sha2::digest::{FixedOutput, HashMarker, Output, OutputSizeUser, Update};
use sha2::{Sha256, Sha384, Sha512};

use super::{Message, Scheme, SignatureError};
use crate::digest::HashAlgorithm;

/// 32, 48 or 64 bytes.
///
/// It is a finished hash function too: that is how ed25519-dalek takes a prehash.
pub(super) struct Digest {
    bytes: [u8; 64],
    pub(super) hash: HashAlgorithm,
}

impl Digest {
    pub(super) fn of(message: Message<'_>, scheme: Scheme) -> Result<Self, SignatureError> {
        let mut digest = Self { bytes: [0; 64], hash: scheme.hash() };
        match message {
            Message::Bytes(message) => digest.compute(message),
            Message::Prehash(given) if given.len() == digest.hash.len() => {
                digest.bytes[..given.len()].copy_from_slice(given);
            }
            Message::Prehash(given) => {
                return Err(SignatureError::Prehash { scheme, found: given.len() });
            }
        }
        Ok(digest)
    }

    fn compute(&mut self, message: &[u8]) {
        use sha2::Digest as _;
        match self.hash {
            HashAlgorithm::Sha256 => self.bytes[..32].copy_from_slice(&Sha256::digest(message)),
            HashAlgorithm::Sha384 => self.bytes[..48].copy_from_slice(&Sha384::digest(message)),
            HashAlgorithm::Sha512 => self.bytes.copy_from_slice(&Sha512::digest(message)),
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.hash.len()]
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self { bytes: [0; 64], hash: HashAlgorithm::Sha512 }
    }
}

impl OutputSizeUser for Digest {
    type OutputSize = U64;
}

impl Update for Digest {
    fn update(&mut self, _: &[u8]) {} // finished: nobody adds to it
}

impl FixedOutput for Digest {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(&self.bytes);
    }
}

impl HashMarker for Digest {}
