//! Whole attacks, step by step.

use std::rc::Rc;

use genten_jws::{Algorithm, ContentLogKey, ContentLogSigner as _, SecretKey};
use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64url;
use serde_json::json;

use crate::common::case::Case;
use crate::common::keys::{ed25519, es256, other_s};
use crate::common::kit::{Kit, did_document, signer as listed, with};
use crate::common::manifest::{Draft, sha256};

const WEB: &str = "did:web:mcp.example.org#key-1";

/// An upstream answers with the signing input of a manifest that it would like to have. Whoever logs the content signs
/// the digest of these bytes with the content log key, and publishes the signature: a valid `mcp_signature`.
#[test]
fn a_logged_content_is_no_signed_manifest() {
    let secret = SecretKey::from_bytes(Algorithm::Es256, &[42; 32]).unwrap();
    let log_key = Rc::new(ContentLogKey::new(secret).unwrap());
    let public = log_key.public_key().clone();
    let id = genten_jws::key_id::did_key(&public).unwrap().to_string();
    let forged = Draft::new(&es256("nobody"), &id)
        .with("/source_url", "https://www.rfc-editor.org/rfc/rfc666.txt")
        .with("/content_sha256", sha256(b"what the upstream likes"));

    let header = forged.header_text();
    let body = forged.signing_input(&header);
    let entry = log_key.sign_prehash(&Sha256Digest::of(body.as_bytes())).unwrap();
    let manifest =
        forged.seal(&format!("{}..{}", base64url(header.as_bytes()), base64url(entry.as_bytes())));

    // The signature holds: without the kit's word on the key's role it is a manifest like any other.
    Case::manifest(manifest.clone()).signer(&id).expect("accept", "");
    let jwk: serde_json::Value = serde_json::from_str(&public.to_jwk()).unwrap();
    let kit =
        Kit::new().signer(with(listed(WEB, &es256("signer")), json!({"content_log_keys": [jwk]})));
    for case in [
        Case::manifest(manifest.clone()).signer(&id),
        Case::manifest(manifest.clone()).key(public.to_spki_pem()),
        Case::manifest(manifest),
    ] {
        case.kit(&kit).expect("reject", "signer.content-log-key");
    }
}

/// The same by a bare key under the logging signer's own name: the name is the kit's, and so are its keys.
#[test]
fn a_content_log_key_does_not_speak_for_its_signer() {
    let (key, log_key) = (es256("signer"), es256("content log key"));
    let kit =
        Kit::new().signer(with(listed(WEB, &key), json!({"content_log_keys": [log_key.jwk()]})));
    let forged = Case::manifest(Draft::new(&log_key, WEB).sign()).kit(&kit);
    forged.clone().expect("reject", "jws.signature.mismatch");
    forged.key(log_key.pem()).expect("reject", "jws.signature.mismatch");
}

/// A manifest key's log key signs entries, not manifests.
#[test]
fn a_log_key_signs_no_manifests() {
    let (key, log_key) = (es256("signer"), es256("log key"));
    let kit = Kit::new().signer(with(listed(WEB, &key), json!({"log_keys": [log_key.jwk()]})));
    Case::manifest(Draft::new(&log_key, WEB).sign())
        .kit(&kit)
        .expect("reject", "jws.signature.mismatch");
}

/// The twin of an ES256 signature is another signature of the same manifest: same verdict, same identity.
#[test]
fn signature_bytes_are_no_identity() {
    let draft = Draft::new(&es256("signer"), &es256("signer").did_key());
    let header = draft.header_text();
    let seal = |signature: [u8; 64]| {
        draft.seal(&format!("{}..{}", base64url(header.as_bytes()), base64url(&signature)))
    };
    let one = draft.signature(&header);
    let (one, twin) = (seal(one), seal(other_s(one)));
    assert_ne!(one, twin);
    let report =
        |text: String| Case::manifest(text).signer(&es256("signer").did_key()).report().unwrap();
    let (one, twin) = (report(one), report(twin));
    assert_eq!(one.verdict, twin.verdict);
    assert_eq!(one.manifest_id.unwrap().to_string(), draft.manifest_id());
    assert_eq!(one.manifest_id, twin.manifest_id);
}

/// Whatever is given beside it, an id that the kit knows is checked with the kit's keys.
#[test]
fn nothing_overrules_the_kit() {
    let (key, thief) = (es256("signer"), ed25519("thief"));
    let did = "did:web:mcp.example.org";
    for kit in [
        Kit::of(WEB, &key),
        Kit::new().document(json!({"document": did_document(did, "key-1", &key)})),
        Kit::new().document(json!({"document": did_document(did, "key-2", &key)})),
        Kit::new().document(json!({"document": {"id": did}})),
    ] {
        let case = Case::manifest(Draft::new(&thief, WEB).sign())
            .kit(&kit)
            .key(thief.pem())
            .signer(&thief.did_key());
        let report = case.report().unwrap();
        assert_ne!(report.verdict.as_str(), "accept");
        assert!(!report.attested);
    }
}

/// Both entries of one id count, each with its own status, whatever their order.
#[test]
fn each_key_of_an_id_has_its_own_status() {
    let (old, new) = (es256("old"), es256("new"));
    let retired = with(
        listed(WEB, &old),
        json!({"status": "retired", "valid_until": "2026-06-30T00:00:00Z"}),
    );
    for signers in [[retired.clone(), listed(WEB, &new)], [listed(WEB, &new), retired]] {
        let [first, second] = signers;
        let kit = Kit::new().signer(first).signer(second);
        let by = |key| Case::manifest(Draft::new(key, WEB).sign()).kit(&kit);
        by(&new).expect("accept", "");
        by(&old).expect("review", "signer.retired");
    }
}

/// A listed signer's own sources and dates count, even if a document of the kit says less.
#[test]
fn a_document_does_not_widen_a_listing() {
    let key = es256("signer");
    let document = json!({"document": did_document("did:web:mcp.example.org", "key-1", &key)});
    let narrow = json!({"sources": ["https://a.example/*"]});
    let kit = Kit::new().signer(with(listed(WEB, &key), narrow)).document(document.clone());
    Case::manifest(Draft::new(&key, WEB).sign())
        .kit(&kit)
        .expect("review", "signer.source-not-covered");
    let over = json!({"valid_until": "2026-11-30T10:00:00Z"});
    let kit = Kit::new().signer(with(listed(WEB, &key), over)).document(document);
    Case::manifest(Draft::new(&key, WEB).sign()).kit(&kit).expect("review", "signer.retired");
}

/// Of two versions of a document, one revokes the key: it is revoked.
#[test]
fn the_document_without_revocation_does_not_hide_the_other() {
    let key = es256("signer");
    let did = "did:web:mcp.example.org";
    let plain = did_document(did, "key-1", &key);
    let mut revoking = plain.clone();
    revoking["verificationMethod"][0]["revoked"] = "2026-11-30T11:00:00Z".into();
    for documents in [[&plain, &revoking], [&revoking, &plain]] {
        let [first, second] = documents.map(|document| json!({"document": document}));
        let kit = Kit::new().document(first).document(second);
        Case::manifest(Draft::new(&key, WEB).sign()).kit(&kit).expect("reject", "signer.revoked");
    }
}
