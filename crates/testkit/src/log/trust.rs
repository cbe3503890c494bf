//! What signers and verifiers are given by Sigstore: signing configs and trusted roots.

use serde_json::{Value, json};

/// `validFor` of trusted roots and signing configs.
pub(crate) fn window(start: &str, end: Option<&str>) -> Value {
    let mut window = json!({"start": start});
    if let Some(end) = end {
        window["end"] = end.into();
    }
    window
}

/// A Sigstore trusted root of these parts.
pub fn trusted_root(
    tlogs: &[Value],
    ctlogs: &[Value],
    certificate_authorities: &[Value],
    timestamp_authorities: &[Value],
) -> Value {
    json!({
        "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
        "tlogs": tlogs,
        "ctlogs": ctlogs,
        "certificateAuthorities": certificate_authorities,
        "timestampAuthorities": timestamp_authorities,
    })
}

/// A service in a signing config, in use from `start` on, until `end` if there is one. The `url` of a log is its base; that of
/// a timestamp authority is complete. Logs of Rekor v2 have version 2, timestamp authorities 1.
pub fn signing_service(
    url: &str,
    version: u32,
    operator: &str,
    start: &str,
    end: Option<&str>,
) -> Value {
    json!({
        "url": url,
        "majorApiVersion": version,
        "validFor": window(start, end),
        "operator": operator,
    })
}

/// A Sigstore signing config of these services, of which any one is to be used.
pub fn signing_config(logs: &[Value], timestamp_authorities: &[Value]) -> Value {
    json!({
        "mediaType": "application/vnd.dev.sigstore.signingconfig.v0.2+json",
        "rekorTlogUrls": logs,
        "rekorTlogConfig": {"selector": "ANY"},
        "tsaUrls": timestamp_authorities,
        "tsaConfig": {"selector": "ANY"},
    })
}
