//! DID documents: some that give no key, some whose time is over.

use genten_jws::key_id::DocumentKey;
use genten_primitives::{Printable, Timestamp};
use genten_verify::kit::{TrustKit, TrustedDidDocument};

use super::finding::Finding;
use crate::command::trust::revoked;
use crate::command::trust::view::KitView;

pub(super) fn check(view: &KitView, now: Timestamp, findings: &mut Vec<Finding>) {
    for document in view.kit.did_documents() {
        let did = Printable(&document.did);
        if document.keys.is_empty() {
            findings.push(Finding::problem(
                format!("the DID document of {did} has no key that signs manifests"),
                "ask its owner for the present one: a P-256 or Ed25519 key under assertionMethod",
            ));
        } else if document.keys.iter().all(|(_, key)| is_over(key, now)) {
            findings.push(Finding::problem(
                format!("every key in the DID document of {did} is expired or revoked"),
                "ask its owner for the present document, and add it with `genten trust add-did`",
            ));
        }
        revoked_elsewhere(&view.kit, document, findings);
        window(document, now, findings);
    }
}

/// Verifiers look a revocation up by key, whatever this document says. A note, since this is how
/// `genten trust revoke` takes a key of a document out of use.
fn revoked_elsewhere(kit: &TrustKit, document: &TrustedDidDocument, findings: &mut Vec<Finding>) {
    for (id, key) in &document.keys {
        let Some(revocation) = revoked::of_document_key(kit, key) else { continue };
        let words = revoked::words(&revocation);
        findings.push(Finding::note(
            format!(
                "the key {} of a DID document is {} by another entry of the kit, and so here too",
                Printable(id.as_str()),
                Printable(&words)
            ),
            "keep that entry; once its owner has a new document, `genten trust add-did`",
        ));
    }
}

fn is_over(key: &DocumentKey, now: Timestamp) -> bool {
    [key.expires, key.revoked].into_iter().flatten().any(|end| end < now)
}

fn window(document: &TrustedDidDocument, now: Timestamp, findings: &mut Vec<Finding>) {
    let did = Printable(&document.did);
    if let Some(until) = document.window.until.filter(|until| *until < now) {
        findings.push(Finding::note(
            format!("the window of a DID document of {did} is over since {until}"),
            "keep it as long as there are manifests by its keys; is the present one in the kit?",
        ));
    }
    if let Some(from) = document.window.from.filter(|from| *from > now) {
        findings.push(Finding::warning(
            format!("a DID document of {did} does not count before {from}"),
            "check valid_from",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::found_in_fresh;

    const KEY: &str = r#"{"crv":"P-256","kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#;

    fn with(members: &str, window: &str) -> Vec<String> {
        found_in_fresh(&format!(
            r#","did_documents":[{{"document":{{"id":"did:web:a.example"{members}}}{window}}}]"#
        ))
    }

    fn method(more: &str) -> String {
        format!(
            r##","assertionMethod":[{{"id":"#k","controller":"did:web:a.example","type":"JsonWebKey","publicKeyJwk":{KEY}{more}}}]"##
        )
    }

    #[test]
    fn documents_without_a_usable_key() {
        assert!(with("", "")[0].contains("has no key that signs manifests"));
        let expired = method(r#","expires":"2026-01-01T00:00:00Z""#);
        assert!(with(&expired, "")[0].contains("expired or revoked"));
        let later = method(r#","expires":"2027-01-01T00:00:00Z""#);
        assert_eq!(with(&later, ""), [""; 0]);
    }

    #[test]
    fn a_key_that_is_revoked_as_a_signers() {
        let revoked = r#""status":"revoked","revoked_at":"2026-01-01T00:00:00Z""#;
        let signer = format!(r#"{{"key_id":"urn:example:a","public_key":{KEY},{revoked}}}"#);
        let document = format!(r#"{{"document":{{"id":"did:web:a.example"{}}}}}"#, method(""));
        let found =
            found_in_fresh(&format!(r#","signers":[{signer}],"did_documents":[{document}]"#));
        let is_named = |line: &String| line.starts_with("note: the key did:web:a.example#k");
        assert!(found.iter().any(is_named), "{found:?}");
    }

    #[test]
    fn windows_of_documents() {
        let over = with(&method(""), r#","valid_until":"2026-01-01T00:00:00Z""#);
        assert!(over[0].starts_with("note: "), "{over:?}");
        let later = with(&method(""), r#","valid_from":"2027-01-01T00:00:00Z""#);
        assert!(later[0].starts_with("warning: "), "{later:?}");
    }
}
