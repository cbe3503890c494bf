//! Signers: windows, status, ids that somebody else may name too, sources that match almost nothing.

use genten_primitives::{Printable, Timestamp};
use genten_verify::kit::{Signer, Status, TrustKit};

use super::finding::{DAY, Finding};
use crate::command::trust::revoked;
use crate::command::trust::view::KitView;

/// A window that ends so soon is worth a warning.
const SOON: i64 = 30 * DAY;

pub(super) fn check(view: &KitView, now: Timestamp, findings: &mut Vec<Finding>) {
    for signer in view.kit.signers() {
        status(signer, now, findings);
        revoked_elsewhere(&view.kit, signer, findings);
        other_namers(&view.kit, signer, findings);
        sources(signer, findings);
    }
    shared_keys(&view.kit, findings);
}

/// The signer as it is called in a finding.
fn name(signer: &Signer) -> String {
    let thumbprint = signer.thumbprint.to_string();
    format!("{} (key {}…)", Printable(signer.key_id.as_str()), &thumbprint[..12])
}

fn status(signer: &Signer, now: Timestamp, findings: &mut Vec<Finding>) {
    let name = name(signer);
    match &signer.status {
        Status::Revoked { at, .. } => findings.push(Finding::note(
            format!("{name} is revoked since {at}"),
            "keep the entry: without it the key would be unknown instead of revoked",
        )),
        Status::Retired => findings.push(Finding::note(
            format!("{name} is retired"),
            "keep the entry as long as there are manifests by this key",
        )),
        Status::Active => window(signer, &name, now, findings),
    }
}

fn window(signer: &Signer, name: &str, now: Timestamp, findings: &mut Vec<Finding>) {
    if let Some(from) = signer.window.from.filter(|from| *from > now) {
        findings.push(Finding::warning(
            format!("{name} does not count before {from}"),
            "check valid_from",
        ));
    }
    let Some(until) = signer.window.until else { return };
    match until.millis_since(now) {
        left if left < 0 => findings.push(Finding::problem(
            format!("the window of {name} is over since {until}"),
            "ask the signer for the new key and add it, then `genten trust retire` this one",
        )),
        left if left < SOON => findings.push(Finding::warning(
            format!("the window of {name} ends soon, at {until}"),
            "ask the signer for the next key and add it",
        )),
        _ => {}
    }
}

/// Verifiers look a revocation up by key, whatever this entry says.
fn revoked_elsewhere(kit: &TrustKit, signer: &Signer, findings: &mut Vec<Finding>) {
    if let Some(revocation) = revoked::of_signer(kit, signer) {
        let words = revoked::words(&revocation);
        findings.push(Finding::warning(
            format!(
                "{} is {} under another id or in a DID document, and so under this one too",
                name(signer),
                Printable(&words)
            ),
            "ask the signer for the new key and add it; `genten trust revoke` this one too",
        ));
    }
}

/// The same id by another way into the kit: whoever goes that way signs in the signer's name.
fn other_namers(kit: &TrustKit, signer: &Signer, findings: &mut Vec<Finding>) {
    if matches!(signer.status, Status::Revoked { .. }) {
        return;
    }
    let id = signer.key_id.as_str();
    for authority in kit.authorities().iter().filter(|known| known.authority.covers(id)) {
        findings.push(Finding::warning(
            format!(
                "{} has a key in the kit, and the authority {} may name it too",
                name(signer),
                Printable(&authority.name)
            ),
            "remove the key, or narrow the authority's san_uri, unless both are meant",
        ));
    }
    let documents = kit.did_documents().iter().filter(|known| known.did == signer.key_id.did());
    for document in documents.filter(|known| !known.keys.is_empty()) {
        findings.push(Finding::warning(
            format!(
                "{} has a key in the kit, and a DID document of {} is in it too",
                name(signer),
                Printable(&document.did)
            ),
            "keep one of the two, unless both are meant",
        ));
    }
}

fn sources(signer: &Signer, findings: &mut Vec<Finding>) {
    for pattern in signer.sources.iter().flatten() {
        let pattern = pattern.to_string();
        if let Some((what, advice)) = bare(&pattern) {
            findings.push(Finding::warning(
                format!("the source {} of {} {what}", Printable(&pattern), name(signer)),
                advice,
            ));
        }
    }
}

/// A pattern that says something else than it looks like.
pub(super) fn bare(pattern: &str) -> Option<(&'static str, String)> {
    if pattern.ends_with('/') {
        let advice = format!("write {}* if all that begins with it is meant", Printable(pattern));
        return Some(("matches that one URL and nothing below it", advice));
    }
    if pattern == "file:///*" {
        return Some(("matches every local file", "name the folder that is meant".to_owned()));
    }
    None
}

/// One key under two ids: allowed, and rarely meant.
fn shared_keys(kit: &TrustKit, findings: &mut Vec<Finding>) {
    let signers = kit.signers();
    for (position, signer) in signers.iter().enumerate() {
        let earlier = signers[..position].iter().find(|one| one.thumbprint == signer.thumbprint);
        if let Some(earlier) = earlier {
            findings.push(Finding::note(
                format!(
                    "{} has the same key as {}",
                    name(signer),
                    Printable(earlier.key_id.as_str())
                ),
                "check that both ids belong to the same signer; revoking the key under one revokes it under both",
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::found_in_fresh;

    const KEY: &str = r#"{"crv":"P-256","kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#;

    fn with(members: &str) -> Vec<String> {
        found_in_fresh(&format!(
            r#","signers":[{{"key_id":"did:web:a.example#k","public_key":{KEY},{members}}}]"#
        ))
    }

    #[test]
    fn windows_that_are_over_or_end_soon() {
        let until = |time: &str| with(&format!(r#""status":"active","valid_until":"{time}""#));
        assert!(until("2026-06-29T23:59:59Z")[0].starts_with("problem: the window of did:web:a"));
        assert!(until("2026-06-30T00:00:00Z")[0].starts_with("warning: "));
        assert!(until("2026-07-29T00:00:00Z")[0].contains("ends soon"));
        assert_eq!(until("2026-07-30T00:00:00Z"), [""; 0]);
        let from = with(r#""status":"active","valid_from":"2026-07-01T00:00:00Z""#);
        assert!(from[0].contains("does not count before"));
        assert_eq!(with(r#""status":"active""#), [""; 0]);
    }

    #[test]
    fn keys_out_of_use_are_notes() {
        let retired = with(r#""status":"retired","valid_until":"2026-01-01T00:00:00Z""#);
        assert!(retired[0].starts_with("note: ") && retired.len() == 1, "{retired:?}");
        let revoked = with(r#""status":"revoked","revoked_at":"2026-01-01T00:00:00Z""#);
        assert!(revoked[0].starts_with("note: ") && revoked.len() == 1, "{revoked:?}");
    }

    #[test]
    fn sources_without_a_star_are_named() {
        let source = |text: &str| with(&format!(r#""status":"active","sources":["{text}"]"#));
        assert!(source("https://law.example/")[0].contains("write https://law.example/*"));
        assert!(source("file:///*")[0].contains("every local file"));
        assert_eq!(source("https://law.example/*"), [""; 0]);
        assert_eq!(source("https://law.example/act.txt"), [""; 0]);
    }

    #[test]
    fn one_key_under_two_ids() {
        let found = found_in_fresh(&format!(
            r#","signers":[{{"key_id":"did:web:a.example#k","public_key":{KEY},"status":"active"}},
                {{"key_id":"did:web:b.example#k","public_key":{KEY},"status":"active"}}]"#
        ));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("did:web:b.example#k"), "{found:?}");
        assert!(found[0].contains("same key as did:web:a.example#k"), "{found:?}");
    }

    #[test]
    fn a_key_that_is_revoked_under_another_id() {
        let entry = |id: &str, members: &str| {
            format!(r#"{{"key_id":"{id}","public_key":{KEY},{members}}}"#)
        };
        let found = |members: &str| {
            let active = entry("did:web:a.example#k", members);
            let at = r#""status":"revoked","revoked_at":"2026-01-01T00:00:00Z""#;
            let revoked = entry("did:web:b.example#k", at);
            found_in_fresh(&format!(r#","signers":[{active},{revoked}]"#))
        };
        let is_named = |line: &String| {
            line.starts_with("warning: did:web:a.example#k")
                && line.contains("is revoked at 2026-01-01T00:00:00Z under another id")
        };
        let later = r#""status":"revoked","revoked_at":"2026-02-01T00:00:00Z""#;
        let earlier = r#""status":"revoked","revoked_at":"2025-12-01T00:00:00Z""#;
        assert!(found(r#""status":"active""#).iter().any(is_named));
        assert!(found(later).iter().any(is_named));
        assert!(!found(earlier).iter().any(is_named));
    }

    #[test]
    fn a_key_that_a_did_document_revokes() {
        let found = found_in_fresh(&format!(
            r#","signers":[{{"key_id":"urn:example:a","public_key":{KEY},"status":"active"}}],
                "did_documents":[{{"document":{{"id":"did:web:a.example","assertionMethod":[
                    {{"id":"did:web:a.example#k","controller":"did:web:a.example",
                      "type":"JsonWebKey","revoked":"2026-01-01T00:00:00Z",
                      "publicKeyJwk":{KEY}}}]}}}}]"#
        ));
        let is_named = |line: &String| line.starts_with("warning: urn:example:a");
        assert!(found.iter().any(is_named), "{found:?}");
    }

    #[test]
    fn an_id_with_a_document_beside() {
        let found = found_in_fresh(&format!(
            r#","signers":[{{"key_id":"did:web:a.example#k","public_key":{KEY},"status":"active"}}],
                "did_documents":[{{"document":{{"id":"did:web:a.example","assertionMethod":[
                    {{"id":"did:web:a.example#k","controller":"did:web:a.example","type":"JsonWebKey","publicKeyJwk":{KEY}}}]}}}}]"#
        ));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("a DID document of did:web:a.example"), "{found:?}");
    }
}
