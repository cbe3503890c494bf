//! Ed25519ph over a digest that is already there (RFC 8032 section 5.1).

use genten_primitives::Sha512Digest;
use sha2::digest::consts::U64;
use sha2::digest::{FixedOutput, HashMarker, Output, OutputSizeUser, Update};

use crate::{SignError, Signature};

pub(super) fn sign(
    key: &ed25519_dalek::SigningKey,
    digest: &Sha512Digest,
) -> Result<Signature, SignError> {
    let signature = key
        .sign_prehashed(Finished(*digest.as_bytes()), None)
        .map_err(|error| SignError::Signer(Box::new(error)))?;
    Ok(Signature::from_bytes(signature.to_bytes()))
}

/// A hash function that has finished: the form in which ed25519-dalek takes a prehash.
struct Finished([u8; 64]);

impl Default for Finished {
    fn default() -> Self {
        Self([0; 64])
    }
}

impl OutputSizeUser for Finished {
    type OutputSize = U64;
}

impl Update for Finished {
    fn update(&mut self, _: &[u8]) {} // nobody adds to it
}

impl FixedOutput for Finished {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(&self.0);
    }
}

impl HashMarker for Finished {}
