//! Bundles and the other evidence in them.

use serde_json::{Value, json};

use super::world::{DID, Named, draft, signer, trusting, trusting_bundle};
use crate::common::case::Case;
use crate::common::kit::{Kit, did_document};
use crate::common::manifest::{Draft, bundle, sha256};

pub(crate) fn cases() -> Vec<Case> {
    [form(), external(), archives(), documents(), requirements(), versions()].concat()
}

fn with_evidence(evidence: Value) -> Case {
    trusting_bundle(draft().bundle(&[evidence]))
}

fn form() -> Vec<Case> {
    let many = vec![json!({"type": "x"}); 33];
    let text = draft().bundle(&[]);
    let changed = |from: &str, to: &str| trusting_bundle(text.replacen(from, to, 1));
    vec![
        trusting_bundle(draft().bundle(&many)).rejected(
            "bundle-33-items",
            "33 items of evidence.",
            "evidence.count",
        ),
        with_evidence(json!({"type": "tls-chain", "certificates": ["AA"]})).rejected(
            "bundle-base64",
            "Evidence without padding.",
            "evidence.base64",
        ),
        with_evidence(json!({"type": "x509-chain", "certificates": []})).rejected(
            "bundle-empty-chain",
            "A chain without certificates.",
            "evidence.members",
        ),
        with_evidence(json!({"certificates": []})).rejected(
            "bundle-no-type",
            "Evidence without a type.",
            "manifest.missing-member",
        ),
        changed("\"evidence\"", "\"evidences\"").rejected(
            "bundle-no-evidence",
            "No list of evidence.",
            "manifest.missing-member",
        ),
        changed("version=1", "v=1").rejected(
            "bundle-media-type",
            "Another media type.",
            "bundle.media-type",
        ),
        changed("\"evidence\"", "\"comment\":1,\"evidence\"").accepted(
            "good-bundle-unknown-member",
            "A member beside manifest and evidence: not signed, and named.",
            &["bundle.unknown-member"],
        ),
        changed("\"media_type\"", "\"manifest\":1,\"media_type\"").rejected(
            "bundle-two-manifests",
            "Two manifests in one bundle.",
            "json.duplicate-member",
        ),
        with_evidence(json!({"type": "from-the-future", "x": [null]})).accepted(
            "good-bundle-unknown-type",
            "Evidence of a type that this version does not know.",
            &["evidence.unknown-type"],
        ),
    ]
}

fn external() -> Vec<Case> {
    let item = |manifest_id: String, digest: String| {
        json!({"type": "external", "media_type": "application/eat+jwt", "sha256": digest,
            "data": "AAECAw==", "label": "enclave", "manifest_id": manifest_id})
    };
    let (id, digest) = (draft().manifest_id(), sha256(&[0, 1, 2, 3]));
    let other = draft().with("/source_revision", "other").manifest_id();
    let mut both = item(id.clone(), digest.clone());
    both["uri"] = "https://a.example/".into();
    let resigned =
        Draft::header(draft(), "x5t#S256", genten_primitives::encoding::base64url(&[0; 32]));
    vec![
        with_evidence(item(id.clone(), digest.clone())).accepted(
            "good-external",
            "External evidence: named as not checked.",
            &["external.not-checked"],
        ),
        with_evidence(item(other, digest.clone())).rejected(
            "external-other-manifest",
            "External evidence of another manifest.",
            "external.other-manifest",
        ),
        trusting_bundle(resigned.bundle(&[item(id.clone(), digest)])).rejected(
            "external-other-header",
            "External evidence of the same claims under another header: another manifest.",
            "external.other-manifest",
        ),
        with_evidence(item(id, sha256(b"other"))).rejected(
            "external-digest",
            "External evidence whose bytes have another digest.",
            "external.digest",
        ),
        with_evidence(both).rejected(
            "external-data-and-uri",
            "External evidence with its bytes and a place for them.",
            "evidence.members",
        ),
    ]
}

/// The manifest of an archive's copy, by the signer himself.
fn copied() -> Draft {
    let url =
        "https://web.archive.org/web/20261130081500id_/https://www.rfc-editor.org/rfc/rfc8890.txt";
    draft().with_http().with("/source_url", url).with("/fetched_at", "2026-11-30T08:20:00Z")
}

/// Copies in archives.
fn archives() -> Vec<Case> {
    let of = |manifest: &str| {
        let manifest: Value = serde_json::from_str(manifest).unwrap();
        with_evidence(json!({"type": "archive", "manifest": manifest}))
            .policy_file(&asking("archive"))
    };
    let open = |name: &str, about: &str, manifest: &str| {
        of(manifest).reviewed(&format!("archive-{name}"), about, "archive.not-checked")
    };
    let with = |pointer: &str, value: Value| copied().with(pointer, value).sign();
    let own = copied().sign().replacen("rfc8890", "rfc8891", 1);
    let stranger = super::world::stranger();
    let retired = Draft::new(&stranger, "did:web:archivist.example#key-1")
        .with("/source_url", copied().claims()["source_url"].clone())
        .with_http();
    let retired_kit = Kit::new().signer(crate::common::kit::with(
        crate::common::kit::signer("did:web:archivist.example#key-1", &stranger),
        json!({"status": "retired", "valid_until": "2026-11-30T09:00:00Z"}),
    ));
    vec![
        of(&copied().sign()).accepted(
            "good-archive",
            "A copy in an archive, attested by a trusted signer.",
            &["archive.holds"],
        ),
        open("unsigned", "A copy whose manifest nobody signed as it is.", &own),
        open(
            "stranger",
            "A copy that a stranger attests.",
            &Draft::new(&stranger, &stranger.did_key())
                .with("/source_url", copied().claims()["source_url"].clone())
                .with_http()
                .sign(),
        ),
        of(&retired.sign()).kit(&retired_kit).reviewed(
            "archive-retired",
            "A copy that a retired key attests, with no time from before.",
            "archive.not-checked",
        ),
        open(
            "elsewhere",
            "A copy in no archive.",
            &with(
                "/source_url",
                json!("https://archive.example/https://www.rfc-editor.org/rfc/rfc8890.txt"),
            ),
        ),
        open(
            "other-address",
            "A copy of another address.",
            &with(
                "/source_url",
                json!(
                    "https://web.archive.org/web/2026id_/https://www.rfc-editor.org/rfc/rfc1.txt"
                ),
            ),
        ),
        open(
            "nested",
            "A copy of another site's page, whose address only ends like ours.",
            &with(
                "/source_url",
                json!(
                    "https://web.archive.org/web/2026id_/evil.example/https://www.rfc-editor.org/rfc/rfc8890.txt"
                ),
            ),
        ),
        open(
            "nested-host",
            "The same, with the other site where a time belongs.",
            &with(
                "/source_url",
                json!(
                    "https://web.archive.org/web/evil.example/https://www.rfc-editor.org/rfc/rfc8890.txt"
                ),
            ),
        ),
        open(
            "time",
            "A number of three digits is no time of an archive.",
            &with(
                "/source_url",
                json!("https://web.archive.org/web/202/https://www.rfc-editor.org/rfc/rfc8890.txt"),
            ),
        ),
        open(
            "redirected",
            "A copy from whose address the archive sent to another page.",
            &with(
                "/http",
                json!({"status": 200, "completeness": "complete",
                    "final_url": "https://web.archive.org/web/2026id_/https://evil.example/",
                    "redirects": [{"status": 302,
                        "url": "https://web.archive.org/web/20261130081500id_/https://www.rfc-editor.org/rfc/rfc8890.txt",
                        "location": "https://web.archive.org/web/2026id_/https://evil.example/"}]}),
            ),
        ),
        open(
            "posted",
            "A copy of what a POST brought.",
            &with("/http/request", json!({"method": "POST"})),
        ),
        open(
            "asked-with-a-body",
            "A copy of what a GET with a body brought.",
            &with("/http/request", json!({"method": "GET", "body_sha256": sha256(b"body")})),
        ),
        open(
            "query",
            "The same in a query.",
            &with(
                "/source_url",
                json!(
                    "https://web.archive.org/web/2026id_?url=/https://www.rfc-editor.org/rfc/rfc8890.txt"
                ),
            ),
        ),
        open(
            "other-content",
            "A copy with other bytes.",
            &with("/content_sha256", json!(sha256(b"other"))),
        ),
        open("status", "A copy of an error page.", &with("/http/status", json!(404))),
        open(
            "incomplete",
            "A copy of which nobody says that it is whole.",
            &with("/http/completeness", json!("unverifiable")),
        ),
    ]
}

/// DID documents beside the manifest.
fn documents() -> Vec<Case> {
    let document = did_document(DID, "key-1", &signer());
    let evidence = json!({"type": "did-document", "document": document});
    let kit = Kit::new().document(json!({"document": document}));
    vec![
        with_evidence(evidence.clone()).accepted(
            "good-did-document-shown",
            "A DID document that the kit does not hold: for display.",
            &["evidence.did-document"],
        ),
        with_evidence(evidence).kit(&kit).accepted(
            "good-did-document-in-kit",
            "A DID document that the kit holds too.",
            &["evidence.did-document-in-kit"],
        ),
    ]
}

/// A policy that asks for one thing more.
fn asking(word: &str) -> String {
    format!("[require]\ndefault = [\"signature\", \"signer\", \"{word}\"]\n")
}

/// What is asked for is there, or the verdict is review.
fn requirements() -> Vec<Case> {
    let archived: Value = serde_json::from_str(&draft().sign()).unwrap();
    let archive = json!({"type": "archive", "manifest": archived});
    let external = json!({"type": "external", "media_type": "x/y", "sha256": sha256(b""),
        "uri": "https://a.example/", "manifest_id": draft().manifest_id()});
    let mut cases = Vec::new();
    for (word, evidence) in [
        ("log", None),
        ("log.content", None),
        ("witness", None),
        ("time", None),
        ("archive", Some(archive)),
        ("external", Some(external)),
    ] {
        let name = word.replace('.', "-");
        let missing = trusting(draft().sign()).policy_file(&asking(word));
        cases.push(missing.reviewed(
            &format!("asked-{name}-missing"),
            &format!("The policy asks for {word}, and nothing came along."),
            &format!("{word}.missing"),
        ));
        let Some(evidence) = evidence else { continue };
        cases.push(with_evidence(evidence).policy_file(&asking(word)).reviewed(
            &format!("asked-{name}-not-checked"),
            &format!("The policy asks for {word}; what came along does not count."),
            &format!("{word}.not-checked"),
        ));
    }
    let bound = draft()
        .with("/result_sha256", sha256(b""))
        .with("/request", json!({"resource": "rfc:8890"}));
    for word in ["result", "request"] {
        let missing = trusting(draft().sign()).policy_file(&asking(word));
        cases.push(missing.reviewed(
            &format!("asked-{word}-missing"),
            &format!("The policy asks for the {word}, and the manifest is not bound to one."),
            &format!("{word}.missing"),
        ));
        let present = trusting(bound.sign()).policy_file(&asking(word));
        cases.push(present.reviewed(
            &format!("asked-{word}-not-given"),
            &format!("The policy asks for the {word}, which was not given."),
            &format!("{word}.not-given"),
        ));
    }
    cases.push(trusting(draft().sign()).policy_file(&asking("revision")).reviewed(
        "asked-revision-missing",
        "The policy asks for a revision, and none is stated.",
        "revision.missing",
    ));
    cases.push(trusting(draft().sign()).policy("high-trust").reviewed(
        "asked-high-trust",
        "high-trust asks for content, log and time.",
        "content.not-given",
    ));
    cases
}

fn versions() -> Vec<Case> {
    let later = bundle(&draft().sign(), &[]).replacen("version=1", "version=2", 1);
    vec![Case::bundle(later).named(
        "bundle-version-2",
        "A bundle of a later version: no verdict.",
        "none",
        "bundle.unsupported-version",
    )]
}
