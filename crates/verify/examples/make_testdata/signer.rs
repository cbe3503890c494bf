//! Who signed, and whether the kit or the caller believes it.

use genten_primitives::encoding::base64url;
use serde_json::{Value, json};

use super::world::{DID, Named, WEB, edwards, signer, stranger};
use crate::common::case::Case;
use crate::common::certificates::{Ca, no_edit};
use crate::common::keys::{Key, es256};
use crate::common::kit::{Kit, authority, did_document, method, signer as listed, with};
use crate::common::manifest::{Draft, sha256};

pub(crate) fn cases() -> Vec<Case> {
    [strangers(), known_ids(), status(), documents(), ids(), sources(), vec![forged_by_content()]]
        .concat()
}

fn by(key: &Key, id: &str) -> Case {
    Case::manifest(Draft::new(key, id).sign())
}

/// Nobody said that the key is trusted.
fn strangers() -> Vec<Case> {
    let (key, id) = (signer(), signer().did_key());
    vec![
        by(&key, &id).reviewed(
            "signer-nothing-trusted",
            "A valid signature, and nothing that says whose it is.",
            "signer.not-trusted",
        ),
        by(&key, &id).key(stranger().pem()).reviewed(
            "signer-other-key-trusted",
            "The id contains its key, and another key is trusted.",
            "signer.not-trusted",
        ),
        by(&key, &key.did_jwk()).signer(&id).reviewed(
            "signer-other-form-trusted",
            "The did:key is trusted, the did:jwk of the same key signed: a name is a name.",
            "signer.not-trusted",
        ),
        by(&key, WEB).reviewed("signer-unknown-did-web", "A did:web and no kit.", "signer.unknown"),
        by(&key, "https://mcp.example.org/server").signer(&id).reviewed(
            "signer-unknown-uri",
            "A URI and no certificate authority; a did:key is trusted.",
            "signer.unknown",
        ),
        by(&key, WEB).key(stranger().pem()).key(edwards().pem()).rejected(
            "signer-no-given-key",
            "An id that nothing knows; the signature fails under every given key.",
            "jws.signature.mismatch",
        ),
    ]
}

/// Ids that the kit knows are checked with the kit's keys only.
fn known_ids() -> Vec<Case> {
    let thief = stranger();
    let uri = "https://mcp.example.org/server";
    let root = Ca::root("Example signers root", &no_edit);
    vec![
        by(&thief, WEB).kit(&Kit::of(WEB, &signer())).key(thief.pem()).rejected(
            "known-signer-bare-key",
            "A trusted bare key under an id that the kit gives to another key.",
            "jws.signature.mismatch",
        ),
        by(&thief, WEB)
            .kit(&Kit::new().document(json!({"document": did_document(DID, "key-1", &signer())})))
            .key(thief.pem())
            .rejected(
                "known-document-bare-key",
                "A trusted bare key under an id whose DID document the kit holds.",
                "jws.signature.mismatch",
            ),
        by(&thief, uri)
            .kit(&Kit::new().authority(authority(&root.der, "https://mcp.example.org/*")))
            .key(thief.pem())
            .reviewed(
                "known-pattern-bare-key",
                "A trusted bare key under an id that an authority of the kit certifies.",
                "signer.chain-missing",
            ),
        by(&thief, &signer().did_key()).kit(&Kit::of(&signer().did_key(), &signer())).rejected(
            "known-did-key-other-key",
            "A did:key of the kit, and another key's signature.",
            "jws.signature.mismatch",
        ),
        by(&signer(), WEB)
            .kit(&Kit::new().signer(with(listed(WEB, &signer()), json!({"public_key": p384()}))))
            .rejected(
                "known-signer-p384",
                "The kit's key is P-384, which signs no manifests.",
                "jws.key.unsupported",
            ),
        by(&edwards(), WEB).kit(&Kit::of(WEB, &signer())).rejected(
            "known-signer-other-algorithm",
            "The kit's key is P-256, the signature EdDSA.",
            "jws.alg.mismatch",
        ),
    ]
}

fn status() -> Vec<Case> {
    let key = signer();
    let as_signer =
        |members: Value| by(&key, WEB).kit(&Kit::new().signer(with(listed(WEB, &key), members)));
    let revoked =
        json!({"status": "revoked", "revoked_at": "2026-11-30T11:00:00Z", "reason": "stolen"});
    let elsewhere = with(listed("did:web:other.example#k", &key), revoked.clone());
    let in_document = with(method(DID, "key-1", &key), json!({"revoked": "2026-11-30T11:00:00Z"}));
    let document = json!({"id": DID, "assertionMethod": [in_document]});
    let delisted = json!({"id": DID, "verificationMethod": [in_document], "assertionMethod": []});
    let attested = Draft::new(&key, WEB).with("/attested_at", "2026-11-30T10:00:00Z").sign();
    vec![
        as_signer(revoked.clone()).rejected(
            "status-revoked",
            "Revoked after the fetch, and nothing proves that the signature is older.",
            "signer.revoked",
        ),
        by(&key, WEB).kit(&Kit::of(WEB, &key).signer(elsewhere.clone())).rejected(
            "status-revoked-under-other-id",
            "In use under this id, revoked under another: a key is revoked everywhere.",
            "signer.revoked",
        ),
        by(&key, &key.did_key())
            .signer(&key.did_key())
            .kit(&Kit::new().signer(elsewhere))
            .rejected(
                "status-revoked-met-as-did-key",
                "Trusted by name, revoked in the kit under another name.",
                "signer.revoked",
            ),
        by(&key, "did:web:unheard.example#k")
            .key(key.pem())
            .kit(&Kit::new().signer(with(listed("did:web:other.example#k", &key), revoked.clone())))
            .rejected(
                "status-revoked-bare-key",
                "A trusted bare key under an id that the kit does not know, revoked under one that it knows.",
                "signer.revoked",
            ),
        by(&key, WEB).kit(&Kit::new().document(json!({"document": document}))).rejected(
            "status-revoked-in-document",
            "Revoked in the DID document itself.",
            "signer.revoked",
        ),
        by(&key, &key.did_key())
            .key(key.pem())
            .kit(&Kit::new().document(json!({"document": document})))
            .rejected(
                "status-revoked-in-other-document",
                "Trusted as bare key, revoked in a DID document of the kit.",
                "signer.revoked",
            ),
        by(&key, &key.did_key())
            .key(key.pem())
            .kit(&Kit::new().document(json!({"document": delisted})))
            .rejected(
                "status-revoked-and-rotated-away",
                "Trusted as bare key; a DID document calls it revoked and no longer lists it for assertions.",
                "signer.revoked",
            ),
        by(&key, WEB)
            .kit(
                &Kit::new()
                    .document(json!({"document": did_document(DID, "key-1", &key)}))
                    .document(json!({"document": delisted})),
            )
            .rejected(
                "status-revoked-in-newer-document",
                "An older document lists the key, a newer one calls it revoked.",
                "signer.revoked",
            ),
        as_signer(json!({"status": "retired", "valid_until": "2026-11-30T09:00:00Z"})).reviewed(
            "status-retired",
            "Retired after the fetch, and no trusted time.",
            "signer.retired",
        ),
        as_signer(json!({"status": "retired", "valid_until": "2027-01-01T00:00:00Z"})).reviewed(
            "status-retired-early",
            "Retired counts at once, even while the period is not over.",
            "signer.retired",
        ),
        as_signer(json!({"valid_until": "2026-11-30T11:59:59Z"})).reviewed(
            "status-over",
            "In use, but the period ended a second ago.",
            "signer.retired",
        ),
        as_signer(json!({"valid_from": "2026-11-30T08:15:01Z"})).reviewed(
            "status-not-yet",
            "Fetched a second before the key's period.",
            "signer.outside-window",
        ),
        Case::manifest(attested)
            .kit(
                &Kit::new().signer(with(
                    listed(WEB, &key),
                    json!({"valid_until": "2026-11-30T09:00:00Z"}),
                )),
            )
            .at("2026-11-30T08:30:00Z")
            .reviewed(
                "status-signed-after",
                "Fetched within the key's period, signed after it.",
                "signer.outside-window",
            ),
        rotated(&key),
    ]
}

/// A thief of the old key signs after the rotation, under the same id.
fn rotated(key: &Key) -> Case {
    let retired = json!({"status": "retired", "valid_until": "2026-06-30T00:00:00Z"});
    let kit = Kit::of(WEB, &es256("signer 2027")).signer(with(listed(WEB, key), retired));
    by(key, WEB).kit(&kit).reviewed(
        "status-rotated-away",
        "Two keys under one id: the retired one signed, and its own status counts.",
        "signer.retired",
    )
}

fn documents() -> Vec<Case> {
    let key = signer();
    let held =
        |document: Value| by(&key, WEB).kit(&Kit::new().document(json!({"document": document})));
    let document = did_document(DID, "key-1", &key);
    let elsewhere =
        with(document.clone(), json!({"assertionMethod": [], "authentication": ["#key-1"]}));
    let expired = with(method(DID, "key-1", &key), json!({"expires": "2026-11-30T09:00:00Z"}));
    let not_in = "signer.key-not-in-document";
    vec![
        held(did_document(DID, "key-2", &key)).reviewed(
            "document-other-fragment",
            "The document lists the key under another name.",
            not_in,
        ),
        held(elsewhere).reviewed(
            "document-not-for-assertion",
            "The document has the key for authentication, not for assertions.",
            not_in,
        ),
        by(&key, WEB)
            .kit(&Kit::new().document(
                json!({"document": did_document("did:web:other.example", "key-1", &key)}),
            ))
            .reviewed("document-of-another", "A document of another DID.", "signer.unknown"),
        held(json!({"id": DID, "assertionMethod": [expired.clone()]})).reviewed(
            "document-key-expired",
            "The document lets the key expire before now.",
            "signer.retired",
        ),
        by(&key, WEB)
            .kit(&Kit::new().document(json!({
                "document": {"id": DID, "assertionMethod": [expired]},
                "valid_until": "2027-11-30T09:00:00Z"})))
            .reviewed(
                "document-key-expired-in-window",
                "The kit believes the document for longer than the document lets the key be used.",
                "signer.retired",
            ),
        by(&key, WEB)
            .kit(
                &Kit::new()
                    .document(json!({"document": document, "valid_until": "2026-11-30T10:00:00Z"})),
            )
            .reviewed(
                "document-window-over",
                "The document's time in the kit is over.",
                "signer.retired",
            ),
        by(&key, WEB)
            .kit(
                &Kit::new()
                    .document(json!({"document": document, "valid_from": "2026-11-30T10:00:00Z"})),
            )
            .reviewed(
                "document-window-later",
                "The document's time in the kit begins after the fetch.",
                "signer.outside-window",
            ),
        Case::bundle(
            Draft::new(&key, WEB).bundle(&[json!({"type": "did-document", "document": document})]),
        )
        .reviewed(
            "document-in-bundle-only",
            "A DID document in the bundle: shown, not believed.",
            "signer.unknown",
        )
        .also(&["evidence.did-document"]),
    ]
}

/// Ids that contain a key, or should.
fn ids() -> Vec<Case> {
    let key = signer();
    let (id, other) = (key.did_key(), stranger().did_key());
    let did = id.split('#').next().unwrap();
    let jwk = |members: Value| {
        format!("did:jwk:{}#0", base64url(with(key.jwk(), members).to_string().as_bytes()))
    };
    let named = |id: &str, name: &str, about: &str, code: &str| {
        by(&key, id).key(key.pem()).rejected(&format!("id-{name}"), about, code)
    };
    let p384 = json!({"kty": "EC", "crv": "P-384",
        "x": "iA7lWQLzVrKGEFjfGMfMHfTEZ2KnLiKU7JuNT3E7ayxxxxxx", "y": "AAAA"});
    let p384 = format!("did:jwk:{}#0", base64url(p384.to_string().as_bytes()));
    vec![
        named(
            "did:web:mcp.example.org?versionId=1#key-1",
            "web-query",
            "A DID URL with a query, past the kit's knowledge of the DID.",
            "manifest.key-id",
        ),
        named(
            "did:web:mcp.example.org/path#key-1",
            "web-path",
            "The same with a path.",
            "manifest.key-id",
        ),
        named(
            &format!("{did}#{}", other.split('#').nth(1).unwrap()),
            "fragment-other-key",
            "A did:key whose fragment names another key.",
            "key-id.fragment",
        ),
        named(
            &format!("{did}#key-1"),
            "fragment-free",
            "A did:key with a fragment of its own.",
            "key-id.fragment",
        ),
        named(
            &format!("{}#1", key.did_jwk().trim_end_matches("#0")),
            "jwk-fragment",
            "A did:jwk #1.",
            "key-id.fragment",
        ),
        named(
            "did:key:z0OIl#z0OIl",
            "base58",
            "A did:key with characters that base58 does not have.",
            "key-id.base58",
        ),
        named(
            "did:key:mAAAA#mAAAA",
            "multibase",
            "A did:key in another multibase.",
            "key-id.base58",
        ),
        named(
            "did:key:z6LShpNhGwSupbB7zjuivH156vhLJBDDzmQtA4BY9S94pe1K#z6LShpNhGwSupbB7zjuivH156vhLJBDDzmQtA4BY9S94pe1K",
            "multicodec",
            "A did:key with an X25519 key.",
            "key-id.multicodec",
        ),
        named("did:jwk:e30=#0", "base64url", "A did:jwk with padding.", "key-id.base64url"),
        named(
            &jwk(json!({"d": "AA"})),
            "jwk-private",
            "A did:jwk with a private member.",
            "key-id.key",
        ),
        named(
            &jwk(json!({"use": "enc"})),
            "jwk-encryption",
            "A did:jwk for encryption.",
            "key-id.key",
        ),
        named(&p384, "jwk-malformed", "A did:jwk with a point that is none.", "key-id.key"),
        named(
            &format!("did:jwk:{}#0", base64url(P384_JWK.as_bytes())),
            "jwk-p384",
            "A did:jwk with a key that signs no manifests.",
            "key-id.key-unsupported",
        ),
    ]
}

fn p384() -> Value {
    serde_json::from_str(P384_JWK).unwrap()
}

/// The base point of P-384.
const P384_JWK: &str = r#"{"crv":"P-384","kty":"EC","x":"qofKIr6LBTeOscce8yCtdG4dO2KLp5uYWfdB4IJUKjhVAvJdv1UpbDpUXjhydgq3","y":"NhfeSpYmLG9dnpi_kpLcKfj0Hb0omhR86doxE7XwuMAKYLHOHX6BnXpDHXyQ6g5f"}"#;

/// The signer is trusted for `https://www.rfc-editor.org/rfc/*` only.
fn sources() -> Vec<Case> {
    let key = signer();
    let kit = Kit::new()
        .signer(with(listed(WEB, &key), json!({"sources": ["https://www.rfc-editor.org/rfc/*"]})));
    let from =
        |url: &str| Case::manifest(Draft::new(&key, WEB).with("/source_url", url).sign()).kit(&kit);
    let redirected = Draft::new(&key, WEB).with(
        "/http",
        json!({"status": 200, "final_url": "https://evil.example/x", "redirects": [
            {"url": "https://www.rfc-editor.org/rfc/rfc8890.txt", "status": 302, "location": "https://evil.example/x"}]}),
    );
    let code = "signer.source-not-covered";
    let into = Draft::new(&key, WEB).with("/source_url", "https://evil.example/x").with(
        "/http",
        json!({"status": 200, "final_url": "https://www.rfc-editor.org/rfc/rfc8890.txt", "redirects": [
            {"url": "https://evil.example/x", "status": 302, "location": "https://www.rfc-editor.org/rfc/rfc8890.txt"}]}),
    );
    let mut cases = vec![
        Case::manifest(redirected.sign()).kit(&kit).reviewed(
            "source-open-redirect",
            "An open redirect leads out of the sources.",
            code,
        ),
        Case::manifest(into.sign()).kit(&kit).reviewed(
            "source-redirect-into",
            "Asked for elsewhere, redirected into the sources.",
            code,
        ),
    ];
    for (name, url, about) in [
        ("elsewhere", "https://a.example/", "Another site."),
        (
            "host-prefix",
            "https://www.rfc-editor.org.evil.example/rfc/",
            "A host that begins alike.",
        ),
        ("scheme", "http://www.rfc-editor.org/rfc/rfc8890.txt", "Another scheme."),
        ("case", "https://www.rfc-editor.org/RFC/rfc8890.txt", "Another case."),
        (
            "dot-segment",
            "https://www.rfc-editor.org/rfc/../errata",
            "A dot segment that climbs out.",
        ),
        (
            "dot-segment-encoded",
            "https://www.rfc-editor.org/rfc/%2E%2e/errata",
            "A dot segment in percent encoding.",
        ),
        (
            "dot-segment-slash",
            "https://www.rfc-editor.org/rfc/a%2f..%2f../errata",
            "Dot segments between encoded slashes.",
        ),
        ("port", "https://www.rfc-editor.org:8443/rfc/rfc8890.txt", "Another port."),
    ] {
        cases.push(from(url).reviewed(&format!("source-{name}"), about, code));
    }
    cases
}

/// The upstream makes its body the signing input of a manifest that nobody signed; the content log key then signs the
/// body's digest, which is a valid signature over that manifest.
fn forged_by_content() -> Case {
    let (key, log_key) = (signer(), es256("content log key"));
    let kit =
        Kit::new().signer(with(listed(WEB, &key), json!({"content_log_keys": [log_key.jwk()]})));
    let forged = Draft::new(&log_key, &log_key.did_key())
        .with("/source_url", "https://www.rfc-editor.org/rfc/rfc666.txt")
        .with("/content_sha256", sha256(b"whatever the forger likes"));
    Case::manifest(forged.sign()).kit(&kit).signer(&log_key.did_key()).rejected(
        "forged-by-content-log-key",
        "A log entry's signature over a content that was made to be a signing input.",
        "signer.content-log-key",
    )
}
