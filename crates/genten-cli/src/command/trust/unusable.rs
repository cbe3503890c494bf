//! What a trusted root names and this version can use for nothing, and why.

use genten_pki::{TimestampAuthority, TrustedAuthority, TrustedLog, TrustedRoot};
use genten_tlog::rekor::RekorLog;

use crate::failure::with_causes;

/// Everything of the root that is of no use: what it is, and why.
pub(super) fn of_root(root: &TrustedRoot) -> impl Iterator<Item = (String, String)> {
    let logs = root.tlogs().iter();
    let logs = logs.filter_map(|one| Some((format!("the log {}", one.base_url), log(one)?)));
    let authorities = root.timestamp_authorities().iter().filter_map(|one| {
        let name = format!("the timestamp authority {}", authority_name(one));
        Some((name, authority(one)?))
    });
    logs.chain(authorities)
}

/// Why no entry of the log can be checked; `None` where they can.
pub(super) fn log(log: &TrustedLog) -> Option<String> {
    match &log.key {
        Err(error) => Some(with_causes(error)),
        Ok(key) => RekorLog::at_url(&log.base_url, key).err().map(|error| with_causes(&error)),
    }
}

/// Why no stamp of the authority can be checked; `None` where they can.
pub(super) fn authority(one: &TrustedAuthority) -> Option<String> {
    let (from, until) = one.window.millis();
    TimestampAuthority::new(String::new(), one.certificates.clone(), Some(from), until)
        .err()
        .map(|error| with_causes(&error))
}

/// The name under which reports know the authority.
pub(super) fn authority_name(one: &TrustedAuthority) -> String {
    one.uri.clone().or_else(|| one.subject.common_name.clone()).unwrap_or_default()
}
