//! The names of a trusted root's log: checkpoints bear one of them as their origin.

use genten_pki::TrustedLog;
use genten_tlog::rekor::RekorLog;

/// The names that a verifier takes: the host, and the host with the port or the path where the URL
/// has them. Of a log that is of no use here only the host.
pub(super) fn of(log: &TrustedLog) -> Vec<String> {
    let known = log.key.as_ref().ok().and_then(|key| RekorLog::at_url(&log.base_url, key).ok());
    match known {
        Some(known) => known.keys().iter().map(|key| key.name().to_owned()).collect(),
        None => vec![log.host.clone()],
    }
}
