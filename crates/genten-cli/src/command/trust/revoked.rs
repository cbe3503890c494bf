//! Keys that are revoked in another place of the kit than where they stand: revocation goes by key,
//! under all ids at once.

use genten_jws::key_id::DocumentKey;
use genten_verify::kit::{Revocation, Signer, Status, TrustKit};

/// The revocation of a signer's key that its own entry does not say, or says of a later moment
/// only.
pub(super) fn of_signer<'k>(kit: &'k TrustKit, signer: &Signer) -> Option<Revocation<'k>> {
    let own = match signer.status {
        Status::Revoked { at, .. } => Some(at),
        Status::Active | Status::Retired => None,
    };
    kit.revocation(signer.thumbprint).filter(|found| own.is_none_or(|own| found.at < own))
}

/// The revocation of a key in a DID document that the document itself does not say, or says of a
/// later moment only.
pub(super) fn of_document_key<'k>(kit: &'k TrustKit, key: &DocumentKey) -> Option<Revocation<'k>> {
    let found = kit.revocation(key.key.thumbprint());
    found.filter(|found| key.revoked.is_none_or(|own| found.at < own))
}

/// Since when and why, for people.
pub(super) fn words(revocation: &Revocation<'_>) -> String {
    let reason = revocation.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    format!("revoked at {}{reason}", revocation.at)
}
