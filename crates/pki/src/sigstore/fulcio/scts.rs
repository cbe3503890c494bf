//! The promise of a certificate transparency log in a signing certificate.

use genten_primitives::Sha256Digest;

use super::FulcioError;
use crate::sigstore::{TrustedLog, TrustedRoot};
use crate::{Certificate, CtEntry, Sct, SctList, SctVerifyError};

/// A promise that was verified with a log of the trusted root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifiedSct {
    /// The log.
    pub log_id: Sha256Digest,
    /// When, in milliseconds since 1970.
    pub timestamp: u64,
}

/// One SCT must verify, and none of a known log may be wrong.
pub(super) fn verify(
    leaf: &Certificate,
    issuer: &Certificate,
    root: &TrustedRoot,
) -> Result<VerifiedSct, FulcioError> {
    let list = leaf.sct_list().ok_or(FulcioError::SctMissing)?;
    let list = SctList::from_bytes(list).map_err(FulcioError::SctList)?;
    let tbs = leaf.tbs_without_scts();
    let entry = CtEntry::Precertificate { issuer_key_hash: issuer.spki_sha256(), tbs: &tbs };
    let (mut verified, mut refusal) = (None, None);
    for sct in list.v1() {
        match verify_one(sct, &entry, root) {
            Ok(()) => verified = verified.or(Some(sct)),
            Err(error @ FulcioError::SctInvalid { .. }) => return Err(error),
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    match verified {
        Some(Sct { log_id, timestamp, .. }) => {
            Ok(VerifiedSct { log_id: *log_id, timestamp: *timestamp })
        }
        None => Err(refusal.unwrap_or(FulcioError::SctVersionUnknown)),
    }
}

/// Entries of one log in the root can differ in their windows: one that holds will do.
fn verify_one(sct: &Sct, entry: &CtEntry<'_>, root: &TrustedRoot) -> Result<(), FulcioError> {
    let mut refusal = FulcioError::SctLogUnknown { log_id: sct.log_id };
    for log in root.ctlogs().iter().filter(|log| log.log_id == sct.log_id) {
        match verify_with(sct, entry, log) {
            Ok(()) => return Ok(()),
            Err(error) => refusal = error,
        }
    }
    Err(refusal)
}

fn verify_with(sct: &Sct, entry: &CtEntry<'_>, log: &TrustedLog) -> Result<(), FulcioError> {
    let log_id = log.log_id;
    let key = log.key.as_ref().map_err(|source| {
        let source = source.clone();
        FulcioError::SctLogUnusable { log_id, source }
    })?;
    sct.verify(key, entry).map_err(|source| match source {
        SctVerifyError::NotCheckable { .. } => FulcioError::SctNotCheckable { log_id },
        source => FulcioError::SctInvalid { log_id, source },
    })?;
    match sct.time() {
        Some(time) if log.window.contains(time) => Ok(()),
        _ => {
            let (timestamp, window) = (sct.timestamp, log.window);
            Err(FulcioError::SctLogWindow { log_id, timestamp, window })
        }
    }
}
