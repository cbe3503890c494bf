//! A bundle with the evidence that has arrived for its manifest.

use genten::complete_bundle;
use genten_manifest::{Bundle, UnverifiedBundle};
use genten_primitives::Sha256Digest;
use genten_store::Journal;

use crate::failure::{Done, Failure};

/// The bundle with what the journal holds for it; `None` where nothing has arrived.
pub(super) fn complete(
    journal: &Journal,
    bundle: &UnverifiedBundle,
    id: &Sha256Digest,
) -> Done<Option<Bundle>> {
    let (evidence, proof) = (journal.outbox().evidence(id)?, journal.certificates().proof(id)?);
    if evidence.is_empty() && proof.is_none() {
        return Ok(None);
    }
    match complete_bundle(bundle, &evidence, proof.as_ref()) {
        Ok(complete) => Ok(Some(complete)),
        Err(error) => Err(Failure::coded(error.code(), &error, "")),
    }
}
