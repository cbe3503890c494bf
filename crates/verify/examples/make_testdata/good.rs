//! What must be accepted.

use genten_primitives::encoding::base64url;
use serde_json::{Value, json};

use super::world::{DID, Named, WEB, draft, edwards, sct_list, signer, trusting, trusting_bundle};
use crate::common::BODY;
use crate::common::case::Case;
use crate::common::certificates::{Ca, no_edit, pem, uri, x509_chain};
use crate::common::keys::{Key, ed25519, es256, other_s};
use crate::common::kit::{Kit, authority, did_document, signer as listed, with};
use crate::common::manifest::{Draft, sha256};

pub(crate) fn cases() -> Vec<Case> {
    [ids(), keys(), forms(), members()].concat()
}

const URI: &str = "https://mcp.example.org/server";

/// Every kind of id, with both algorithms.
fn ids() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, key) in [("es256", signer()), ("ed25519", edwards())] {
        let by = |id: &str| Draft::new(&key, id).with_http().sign();
        let named = |kind: &str| format!("good-{kind}-{name}");
        let (did_key, did_jwk) = (key.did_key(), key.did_jwk());
        cases.extend([
            Case::manifest(by(&did_key)).signer(&did_key).with_body().accepted(
                &named("did-key"),
                "The key stands in a did:key.",
                &["content.matches"],
            ),
            Case::manifest(by(&did_jwk)).signer(&did_jwk).accepted(
                &named("did-jwk"),
                "The key stands in a did:jwk.",
                &["content.not-given"],
            ),
            Case::manifest(by(WEB))
                .kit(&Kit::new().document(json!({"document": did_document(DID, "key-1", &key)})))
                .accepted(
                    &named("did-web-document"),
                    "A did:web whose document the kit holds.",
                    &[],
                ),
            Case::manifest(by(WEB)).kit(&Kit::of(WEB, &key)).accepted(
                &named("did-web-signer"),
                "A did:web that the kit lists as signer.",
                &[],
            ),
            Case::manifest(by("did:web:unheard.example#key-1")).key(key.pem()).accepted(
                &named("bare-key"),
                "A trusted key under an id that nothing knows: the id is only claimed.",
                &["signer.id-claimed"],
            ),
        ]);
        cases.extend(certified(&key, name));
    }
    cases
}

/// Ids in certificates.
fn certified(key: &Key, name: &str) -> Vec<Case> {
    let root = Ca::root("Example signers root", &no_edit);
    let below = root.below("Example signers 2026", &no_edit);
    let leaf = below.leaf(key, &uri(URI));
    let kit = Kit::new().authority(authority(&root.der, "https://mcp.example.org/*"));
    let chain = [leaf.as_slice(), &below.der];
    let x5c: Vec<_> = chain.iter().map(|der| genten_primitives::encoding::base64(der)).collect();
    let spiffe = root.leaf(key, &uri("spiffe://example.org/mcp/law"));
    let spiffe_kit = Kit::new().authority(authority(&root.der, "spiffe://example.org/mcp/*"));
    let spiffe_draft = Draft::new(key, "spiffe://example.org/mcp/law")
        .header("x5t#S256", base64url(genten_primitives::Sha256Digest::of(&spiffe).as_bytes()));
    vec![
        Case::manifest(Draft::new(key, URI).header("x5c", x5c).sign()).kit(&kit).accepted(
            &format!("good-san-uri-x5c-{name}"),
            "A URI in a certificate that the signature carries (x5c).",
            &[],
        ),
        Case::bundle(Draft::new(key, URI).bundle(&[x509_chain(&chain)])).kit(&kit).accepted(
            &format!("good-san-uri-x509-chain-{name}"),
            "A URI in a certificate that stands in the bundle (x509-chain).",
            &[],
        ),
        Case::bundle(spiffe_draft.bundle(&[x509_chain(&[&spiffe])])).kit(&spiffe_kit).accepted(
            &format!("good-san-uri-x5t-{name}"),
            "A spiffe URI; the signature names the certificate by digest (x5t#S256).",
            &[],
        ),
    ]
}

/// Ways in which a key is trusted, and kits that hold old and new side by side.
fn keys() -> Vec<Case> {
    let (key, id) = (signer(), signer().did_key());
    let jwk_set = json!({"keys": [edwards().jwk(), key.jwk()]}).to_string();
    let certificate = Ca::root("Example signers root", &no_edit).leaf(&key, &uri(URI));
    let rotated = Kit::of(WEB, &es256("signer 2027")).signer(with(
        listed(WEB, &key),
        json!({"valid_from": "2026-01-01T00:00:00Z", "valid_until": "2026-12-31T00:00:00Z"}),
    ));
    let document = did_document(DID, "key-1", &key);
    let documents = Kit::new()
        .document(json!({"document": document, "valid_until": "2026-06-30T00:00:00Z"}))
        .document(json!({"document": document, "valid_from": "2026-07-01T00:00:00Z"}));
    let moved = Kit::of("did:web:new.example.org#key-1", &key).signer(with(
        listed(WEB, &key),
        json!({"status": "retired", "valid_until": "2026-06-30T00:00:00Z"}),
    ));
    let by = |id: &str| Draft::new(&key, id).sign();
    vec![
        Case::manifest(by(&id))
            .key(key.pem())
            .accepted("good-did-key-by-key", "A did:key, trusted by its key in PEM.", &[]),
        Case::manifest(by(&id))
            .key(jwk_set)
            .accepted("good-key-jwk-set", "The trusted key is one of a JWK Set.", &[]),
        Case::manifest(by(&id)).key(pem(&certificate)).accepted(
            "good-key-certificate",
            "The trusted key is given as a certificate.",
            &[],
        ),
        Case::manifest(by(&id)).signer(id.split('#').next().unwrap()).accepted(
            "good-signer-without-fragment",
            "The signer is named without the fragment, which goes without saying.",
            &[],
        ),
        Case::manifest(by(WEB)).kit(&rotated).accepted(
            "good-rotation",
            "Two keys under one id; the older one signed while it was in use.",
            &[],
        ),
        Case::manifest(by(WEB)).kit(&documents).accepted(
            "good-two-documents",
            "Two versions of a DID document side by side; the later one covers the fetch.",
            &[],
        ),
        Case::manifest(by("did:web:new.example.org#key-1")).kit(&moved).accepted(
            "good-id-changed",
            "The signer changed its name and kept its key: retired under the old one, in use under the new.",
            &[],
        ),
        two_authorities(&key),
        Case::manifest(by(WEB))
            .kit(&Kit::of(WEB, &key).with("created_at", "2026-10-31T11:59:59Z"))
            .accepted("good-kit-old", "A kit of more than 30 days: a warning, never a failure.", &["kit.old"]),
        Case::manifest(by(WEB))
            .kit(&Kit::new().signer(with(
                listed(WEB, &key),
                json!({"sources": ["https://www.rfc-editor.org/*"]}),
            )))
            .accepted("good-sources", "The signer is trusted for this source.", &[]),
    ]
}

fn two_authorities(key: &Key) -> Case {
    let old = Ca::root("Example signers root 2020", &no_edit);
    let new = Ca::root("Example signers root", &no_edit);
    let leaf = new.leaf(key, &uri(URI));
    let kit = Kit::new()
        .authority(authority(&old.der, "https://mcp.example.org/*"))
        .authority(authority(&new.der, "https://mcp.example.org/*"));
    Case::bundle(Draft::new(key, URI).bundle(&[x509_chain(&[&leaf])])).kit(&kit).accepted(
        "good-two-authorities",
        "Two authorities may certify the id; the second did.",
        &[],
    )
}

/// Other spellings of the same thing.
fn forms() -> Vec<Case> {
    let plain = draft();
    let header = plain.header_text();
    let signature = plain.signature(&header);
    let attached = format!("{}.{}", plain.signing_input(&header), base64url(&signature));
    let twin = format!("{}..{}", base64url(header.as_bytes()), base64url(&other_s(signature)));
    let value: Value = serde_json::from_str(&plain.sign()).unwrap();
    let spaced = format!("\r\n\t{value:#}\n\n").replace("rfc8890", "rfc\\u0038890");
    let edwards = Draft::new(&edwards(), &edwards().did_key()).header("alg", "Ed25519");
    let swapped = plain.sign().replacen('{', "{\"transparency_log_id\":\"log.example/a#7\",", 1);
    vec![
        trusting(plain.seal(&attached)).accepted(
            "good-attached-payload",
            "The signature carries its payload, which is the manifest's.",
            &[],
        ),
        trusting(plain.seal(&twin)).accepted(
            "good-es256-other-s",
            "The other S of an ES256 signature: as good as the first, and the same manifest_id.",
            &[],
        ),
        trusting(spaced).accepted(
            "good-other-spelling",
            "The same JSON with white space and escapes: the canonical form is what is signed.",
            &[],
        ),
        Case::manifest(edwards.sign()).signer(&ed25519("signer").did_key()).accepted(
            "good-alg-ed25519",
            "EdDSA under its name of RFC 9864.",
            &[],
        ),
        trusting(plain.sign_with_header(&header.replace("\"alg\"", " \"\\u0061lg\""))).accepted(
            "good-header-spelling",
            "A header in another spelling of JSON; what is signed are its bytes.",
            &[],
        ),
        trusting(swapped).accepted(
            "good-log-pointer",
            "A pointer to a log entry: not signed, not checked, first in the file.",
            &["log.pointer-not-checked"],
        ),
        trusting_bundle(plain.bundle(&[])).with_body().accepted(
            "good-bundle",
            "A bundle without evidence.",
            &["content.matches"],
        ),
    ]
}

/// What a manifest can say.
fn members() -> Vec<Case> {
    let by = |draft: Draft| trusting(draft.sign());
    let decoded = b"decoded";
    let coded = draft()
        .with_http()
        .with("/http/content_encoding", "gzip")
        .with("/http/decoded_sha256", sha256(decoded));
    let redirected = draft()
        .with("/source_url", "http://rfc-editor.org/rfc/rfc8890.txt")
        .with("/http", json!({"status": 200}))
        .with(
            "/http/redirects",
            json!([
                {"url": "http://rfc-editor.org/rfc/rfc8890.txt", "status": 301,
                 "location": "https://rfc-editor.org/rfc/rfc8890.txt#top"},
                {"url": "https://rfc-editor.org/rfc/rfc8890.txt", "status": 302,
                 "location": "//www.rfc-editor.org/x/../rfc/rfc8890.txt"},
            ]),
        )
        .with("/http/final_url", "https://www.rfc-editor.org/rfc/rfc8890.txt");
    let post =
        draft().with_http().with("/http/request", json!({"method": "POST", "credentials": false}));
    let partial = draft()
        .with_http()
        .with("/http/status", 206)
        .with("/http/completeness", "partial")
        .with("/http/range", "bytes 0-30/1000");
    let strict = "[require]\ndefault = [\"signature\", \"signer\", \"content\", \"tls-certificate\", \"revision\"]\n";
    vec![
        by(full()).with_body().accepted(
            "good-every-member",
            "Every member that the format knows, once.",
            &["content.matches", "tls-certificate.public", "revision.stated", "ct.chain-missing"],
        ),
        by(full()).with_body().policy_file(strict).accepted(
            "good-strict-policy",
            "A policy that asks for content, certificate and revision.",
            &["tls-certificate.public", "revision.stated"],
        ),
        by(full().with("/source_class", "static"))
            .policy("mcp11")
            .accepted("good-mcp11", "The policy mcp11; what it only recommends is missing.", &["log.content.missing"]),
        by(coded).body(decoded).accepted(
            "good-decoded-body",
            "The saved body is the decoded form.",
            &["content.matches-decoded"],
        ),
        by(redirected).accepted(
            "good-redirects",
            "Two redirects, with a fragment, a protocol-relative location and a dot segment in it.",
            &[],
        ),
        by(post).policy_file("[require]\ndefault = [\"signature\", \"signer\"]\n[limits]\nallow_requests = true\n").accepted(
            "good-post-allowed",
            "A POST, which the policy allows.",
            &["request.caller-made"],
        ),
        by(partial).policy_file("[require]\ndefault = [\"signature\", \"signer\"]\n[limits]\nallow_partial = true\n").accepted(
            "good-partial-allowed",
            "A part of a document, which the policy allows.",
            &["content.partial"],
        ),
        by(draft().with_http().with("/http/status", 404)).accepted(
            "good-status-404",
            "An answer without success can be attested, and is named.",
            &["http.status"],
        ),
        by(draft().without("capture")).accepted(
            "good-reported",
            "No word on who made the request: it counts as reported by another program.",
            &["source.reported"],
        ),
        by(draft().without("capture").with("/source_url", "db:customers/7")).accepted(
            "good-reported-other-scheme",
            "A reported source that is not on the web.",
            &["source.reported"],
        ),
        by(draft().with("/source_class", "local").with("/source_url", "file:///srv/a.csv").without("capture"))
            .accepted("good-local", "A local file: it says nothing about a source.", &["class.local"]),
        by(draft().with("/source_class", "realtime")).accepted(
            "good-realtime",
            "A reading of the moment is marked as weak.",
            &["class.realtime"],
        ),
        by(draft().with("/org.example.note", json!({"b": [1, null], "a": "\u{e9}"}))).accepted(
            "good-extension",
            "A member of somebody's own, with a dot in its name.",
            &[],
        ),
        by(draft().with("/source_url", "HTTPS://www.RFC-editor.org:443?a=%7e&a=1'(*)")).accepted(
            "good-url-kept",
            "A URL with an empty path and odd spellings is kept as requested.",
            &[],
        ),
        by(draft().with("/fetched_at", "2026-11-30T12:01:00.000Z")).accepted(
            "good-fetched-60s-ahead",
            "Fetched a minute ahead of now: within the clock skew.",
            &[],
        ),
        by(draft().with("/attested_at", "2026-11-30T08:15:00Z")).accepted(
            "good-attested-at-once",
            "Signed in the moment of the fetch.",
            &[],
        ),
    ]
}

/// Every member that the format knows, once, and nothing that a policy objects to.
fn full() -> Draft {
    let digest = sha256(b"");
    draft()
        .with_http()
        .pointer("log.example/a#7")
        .with("/attested_at", "2026-11-30T08:20:00.500Z")
        .with("/ct_log_proof", sct_list())
        .with("/example.org~1note", json!({"b": [1, null], "a": "\u{e9}"}))
        .with("/result_sha256", digest.as_str())
        .with("/source_class", "revisioned")
        .with("/source_revision", "rev 7")
        .with("/tls_server_cert_sha256", digest.as_str())
        .with("/request", json!({"tool": "rfc", "arguments_sha256": digest, "nonce": "n-1", "fetch": {"index": 0, "of": 1}}))
        .with("/retrieval", json!({"requests": 2, "attempts": 1, "anomalies": [{"kind": "reset", "count": 1}], "served_from_cache": false}))
        .with("/tls", json!({"version": "TLSv1.3", "spki_sha256": digest, "issuer": "CN=Example CA", "trust": "public-with-sct", "proxy": false}))
        .with("/http/request", json!({"method": "GET", "headers": [["accept", "text/plain"], ["authorization", ""]], "credentials": true}))
        .with("/http/content_disposition", "attachment; filename=\"caf\u{e9}\"")
        .with("/http/etag", "W/\"1\"")
        .with("/http/last_modified", "Sun, 29 Nov 2026 08:15:00 GMT")
        .with("/http/date", "Mon, 30 Nov 2026 08:15:00 GMT")
        .with("/http/age", "0")
        .with("/http/content_encoding", "identity")
        .with("/http/decoded_sha256", sha256(BODY))
        .with("/http/signature", json!([["signature", "sig1=:AA==:"], ["signature-input", "sig1=()"]]))
}
