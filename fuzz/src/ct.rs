//! Lists of certificate transparency logs, their tiles, and Sigstore's documents.

use std::collections::BTreeSet;

use genten_pki::{
    Certificate, CtLogList, DataTile, Moment, Selector, Service, SigningConfig, TrustedLog,
    TrustedRoot, Window, verify_signing_certificate,
};
use genten_primitives::{Sha256Digest, Timestamp};

fn at() -> Timestamp {
    "2026-11-30T08:15:00Z".parse().expect("a time")
}

/// How many entries the lists with these names have, by another reader.
fn count(document: &serde_json::Value, lists: &[&str]) -> usize {
    let of = |name: &&str| document[*name].as_array().map_or(0, Vec::len);
    lists.iter().map(of).sum()
}

fn oracle(bytes: &[u8]) -> serde_json::Value {
    serde_json::from_slice(bytes).expect("what is strict JSON is JSON")
}

fn check_moment(moment: Moment) {
    assert_eq!(Moment::from_rfc3339(&moment.to_string()), Some(moment));
}

fn check_window(window: Window) {
    check_moment(window.start);
    window.end.into_iter().for_each(check_moment);
    assert!(window.end.is_none_or(|end| window.start <= end));
}

/// No log is lost, each is found under the digest of its key.
pub(crate) fn ct_log_list(bytes: &[u8]) -> bool {
    let Ok(list) = CtLogList::from_bytes(bytes) else { return false };
    let document = oracle(bytes);
    let operators = document["operators"].as_array().map_or(&[][..], |all| all);
    let logs: usize = operators.iter().map(|one| count(one, &["logs", "tiled_logs"])).sum();
    assert_eq!(list.logs().len(), logs);
    for log in list.logs() {
        assert_eq!(list.find(&log.log_id), Some(log));
        if let Ok(key) = &log.key {
            assert_eq!(Sha256Digest::of(key.to_spki_der()), log.log_id);
        }
        assert!(!log.operator_at(at()).is_empty() && !log.operator().is_empty());
        assert!(log.origin().is_none_or(|origin| !origin.contains("://") || origin.contains('/')));
        log.state.into_iter().for_each(|state| check_moment(state.since));
        assert!(log.interval.is_none_or(|(start, end)| start < end));
    }
    true
}

/// Written back to the same bytes. First the tile's index in eight bytes and its width in two.
pub(crate) fn data_tile(bytes: &[u8]) -> bool {
    let Some((tile, rest)) = bytes.split_first_chunk() else { return false };
    let Some((width, bytes)) = rest.split_first_chunk() else { return false };
    let (tile, width) = (u64::from_be_bytes(*tile), u16::from_be_bytes(*width));
    let Ok(read) = DataTile::from_bytes(bytes, tile, width) else { return false };
    assert_eq!(read.leaves().len(), usize::from(width));
    let mut out = Vec::new();
    for leaf in read.leaves() {
        let start = out.len();
        leaf.write(&mut out).expect("what was read fits");
        let timestamped = out.len() - start - 2 - 32 * leaf.issuers.len();
        let timestamped = timestamped - leaf.precertificate.map_or(0, |der| 3 + der.len());
        let hashed = [&[0, 0, 0], &out[start..start + timestamped]].concat();
        assert_eq!(leaf.leaf_hash(), Ok(Sha256Digest::of(&hashed)));
    }
    assert_eq!(out, bytes);
    true
}

/// No entry is lost, keys are what the document says, and no certificate of an authority passes for a signer's.
pub(crate) fn trusted_root(bytes: &[u8]) -> bool {
    let Ok(root) = TrustedRoot::from_bytes(bytes) else { return false };
    let document = oracle(bytes);
    for (name, found) in [
        ("tlogs", root.tlogs().len()),
        ("ctlogs", root.ctlogs().len()),
        ("certificateAuthorities", root.certificate_authorities().len()),
        ("timestampAuthorities", root.timestamp_authorities().len()),
    ] {
        assert_eq!(found, count(&document, &[name]), "{name}");
    }
    root.tlogs().iter().chain(root.ctlogs()).for_each(check_log);
    for log in root.ctlogs() {
        let id = log.key.as_ref().map(|key| Sha256Digest::of(key.to_spki_der()));
        assert!(id.is_err() || id == Ok(log.log_id));
    }
    for authority in root.certificate_authorities().iter().chain(root.timestamp_authorities()) {
        check_window(authority.window);
        for certificate in &authority.certificates {
            assert_eq!(Certificate::from_der(certificate.der()).as_ref(), Ok(certificate));
            let at = certificate.validity().not_before;
            let found = verify_signing_certificate(certificate.der(), &[], &root, &[at]);
            assert!(found.is_err() || !certificate.is_ca());
        }
    }
    true
}

fn check_log(log: &TrustedLog) {
    check_window(log.window);
    assert!(log.base_url.contains(&log.host) && !log.host.is_empty());
    if let Ok(key) = &log.key {
        assert!(log.details.is_some_and(|details| details.fits(key)));
    }
    assert!(log.checkpoint_key_id.as_ref().is_none_or(|id| (4..=32).contains(&id.len())));
}

/// Whatever is selected is valid, of one supported version, and of distinct operators.
pub(crate) fn signing_config(bytes: &[u8]) -> bool {
    let Ok(config) = SigningConfig::from_bytes(bytes) else { return false };
    let document = oracle(bytes);
    assert_eq!(config.logs.len(), count(&document, &["rekorTlogUrls"]));
    config.logs.iter().for_each(|service| check_window(service.window));
    for selected in [
        config.select_logs(&[1, 2], at()),
        config.select_timestamp_authorities(&[1, 2], at()),
        config.select_certificate_authority(&[1, 2], at()).map(|one| vec![one]),
        config.select_oidc_provider(&[1, 2], at()).map(|one| vec![one]),
    ] {
        selected.iter().for_each(|selected| check_selected(selected));
    }
    if let (Selector::Exact, Ok(logs)) = (config.log_rule.selector, config.select_logs(&[1], at()))
    {
        assert_eq!(logs.len(), config.log_rule.count as usize);
    }
    true
}

fn check_selected(selected: &[&Service]) {
    let versions: BTreeSet<_> = selected.iter().map(|one| one.major_api_version).collect();
    let operators: BTreeSet<_> = selected.iter().map(|one| &one.operator).collect();
    assert_eq!((versions.len(), operators.len()), (1, selected.len()));
    assert!(selected.iter().all(|one| one.window.contains(at())));
    assert!(selected.is_sorted_by(|first, second| first.window.start >= second.window.start));
}
