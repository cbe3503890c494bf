//! What prevents a verdict: inputs of no kind, broken kits, policies and keys. Exit status 2.

use genten_primitives::encoding::base64;
use genten_testkit::ct::{CtTestLog, log_list};
use serde_json::{Value, json};

use super::world::{DID, Named, WEB, draft, signer, trusting};
use crate::common::case::Case;
use crate::common::certificates::{Ca, Params, both, no_edit, pem, uri};
use crate::common::keys::{ed25519, es256};
use crate::common::kit::{Kit, authority, did_document, method, signer as listed, with};

pub(crate) fn cases() -> Vec<Case> {
    [inputs(), keys(), kits(), policies()].concat()
}

fn inputs() -> Vec<Case> {
    let input = |text: &str| Case::manifest(text);
    let refused =
        |case: Case, id: &str, about: &str, code: &str| case.named(id, about, "none", code);
    vec![
        refused(input(" \n"), "input-empty", "White space.", "input.empty"),
        refused(input("hello"), "input-text", "Plain text.", "json.syntax"),
        refused(
            input("{\"a\":1}"),
            "input-other-json",
            "JSON of another kind.",
            "input.unknown-kind",
        ),
    ]
}

fn keys() -> Vec<Case> {
    let key = |file: Vec<u8>, id: &str, about: &str, code: &str| {
        Case::manifest(draft().sign()).key(file).named(id, about, "none", code)
    };
    let ca = Ca::root("Example signers root", &no_edit);
    let signs_certificates = ca.leaf(&signer(), &|params: &mut Params| {
        params.key_usages = vec![rcgen::KeyUsagePurpose::KeyCertSign]
    });
    let unmarked = ca.leaf(&signer(), &|params: &mut Params| {
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        params.key_usages.clear();
    });
    let private = json!({"keys": [with(signer().jwk(), json!({"d": "AA"}))]}).to_string();
    vec![
        key(
            pem(&unmarked),
            "key-ca-unmarked",
            "A CA's certificate without key usage.",
            "key.certificate-authority",
        ),
        key(pem(&ca.der), "key-ca", "A CA's certificate as key.", "key.certificate-authority"),
        key(
            pem(&signs_certificates),
            "key-signs-certificates",
            "A certificate whose key signs certificates.",
            "key.certificate-authority",
        ),
        key(signer().secret_pem(), "key-private-pem", "A private key in PEM.", "key.private"),
        key(private.into_bytes(), "key-private-jwk", "A private key as JWK.", "key.private"),
        key(
            b"{\"keys\":[],\"keys\":[]}".to_vec(),
            "key-duplicate-member",
            "A JWK Set with a member twice.",
            "key.json",
        ),
        key(b"{\"kty\":\"OKP\"}".to_vec(), "key-malformed", "Half a key.", "key.malformed"),
        key(
            b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec(),
            "key-certificate-malformed",
            "A certificate that is none.",
            "key.certificate",
        ),
        Case::manifest(draft().sign()).signer(WEB).named(
            "key-signer-without-key",
            "Trust by name in an id that contains no key.",
            "none",
            "key.signer-id",
        ),
        Case::manifest(draft().sign()).signer("did:key:z#z").named(
            "key-signer-malformed",
            "Trust by name in an id whose key cannot be read.",
            "none",
            "key.signer-id",
        ),
        key(b"{\"keys\":[]}".to_vec(), "key-empty-set", "A JWK Set without keys.", "key.empty"),
        key(b"ssh-ed25519 AAAA".to_vec(), "key-format", "A key of another program.", "key.format"),
    ]
}

fn kits() -> Vec<Case> {
    let kit = |kit: Kit, name: &str, about: &str| {
        let case = Case::manifest(draft().sign()).kit(&kit);
        case.named(&format!("kit-{name}"), about, "none", "kit.malformed")
    };
    let key = signer();
    let one = |members: Value| Kit::new().signer(with(listed(WEB, &key), members));
    let root = Ca::root("Example signers root", &no_edit);
    let pattern = "https://mcp.example.org/*";
    let leaf = root.leaf(&key, &both(uri("https://mcp.example.org/server"), no_edit));
    let certified =
        |members: Value| Kit::new().authority(with(authority(&root.der, pattern), members));
    let content = es256("content log key");
    let ct_key = es256("ct log first");
    let issuer_key = es256("fulcio intermediate");
    let logging = |kit: Kit| {
        kit.signer(with(listed(WEB, &key), json!({"content_log_keys": [content.jwk()]})))
    };
    let document = |document: Value| Kit::new().document(json!({"document": document}));
    let doubled = json!({"id": DID, "assertionMethod": [method(DID, "key-1", &key), method(DID, "key-1", &es256("other"))]});
    let did = key.did_key().split('#').next().unwrap().to_owned();
    vec![
        kit(Kit::new().with("media_type", "application/json"), "media-type", "Another media type."),
        kit(
            Kit::new().with("signer", json!([])),
            "unknown-member",
            "A misspelt list: its members would go unheard.",
        ),
        kit(
            one(json!({"source": ["https://a.example/*"]})),
            "unknown-signer-member",
            "A misspelt member of a signer.",
        ),
        kit(
            one(json!({"status": "suspended"})),
            "unknown-status",
            "A status that kits do not know.",
        ),
        kit(
            one(json!({"status": "retired"})),
            "retired-without-end",
            "Retired, but nobody says when.",
        ),
        kit(
            one(json!({"status": "revoked"})),
            "revoked-without-time",
            "Revoked, but nobody says when.",
        ),
        kit(
            one(json!({"revoked_at": "2026-11-30T00:00:00Z"})),
            "active-and-revoked",
            "In use and revoked at once.",
        ),
        kit(
            one(json!({"status": "active", "reason": "stolen"})),
            "active-with-reason",
            "In use, with the reason why it should not be.",
        ),
        kit(
            one(
                json!({"status": "retired", "valid_until": "2027-01-01T00:00:00Z", "reason": "stolen"}),
            ),
            "retired-with-reason",
            "Called retired, with the reason of a revocation.",
        ),
        kit(one(json!({"sources": []})), "empty-sources", "A list that allows nothing."),
        kit(one(json!({"sources": ["https://*"]})), "open-pattern", "A pattern without a host."),
        kit(
            one(
                json!({"valid_from": "2026-12-01T00:00:00Z", "valid_until": "2026-11-01T00:00:00Z"}),
            ),
            "window",
            "A period that ends before it begins.",
        ),
        kit(one(json!({"valid_from": "yesterday"})), "time", "A time that is none."),
        kit(
            one(json!({"public_key": with(key.jwk(), json!({"d": "AA"}))})),
            "private-key",
            "A private key.",
        ),
        kit(one(json!({})).signer(listed(WEB, &key)), "twice", "The same key twice under one id."),
        kit(
            Kit::of(&key.did_key(), &es256("other")),
            "other-key-in-id",
            "A did:key with another key beside it.",
        ),
        kit(
            document(did_document(&did, "key-1", &key)),
            "did-key-document",
            "A document that gives a did:key another fragment.",
        ),
        kit(document(doubled), "doubled-method", "A DID document with two keys of one name."),
        kit(
            document(json!({"id": DID, "assertionMethod": "key-1"})),
            "document-shape",
            "A DID document of the wrong shape.",
        ),
        kit(
            certified(json!({"san_uri": []})),
            "empty-san-uri",
            "An authority that may certify nobody.",
        ),
        kit(
            Kit::new().authority(json!({"name": "x", "roots": [base64(&root.der)]})),
            "no-san-uri",
            "An authority without patterns.",
        ),
        kit(certified(json!({"roots": []})), "no-roots", "An authority without roots."),
        kit(certified(json!({"roots": [base64(&leaf)]})), "root-no-ca", "A root that is no CA."),
        kit(
            certified(json!({"roots": ["AAAA"]})),
            "root-malformed",
            "A root that is no certificate.",
        ),
        kit(certified(json!({"eku": []})), "empty-eku", "A list of purposes with nothing in it."),
        kit(
            certified(json!({"eku": ["codeSigning"]})),
            "eku-oid",
            "A purpose that is no object identifier.",
        ),
        kit(certified(json!({"revoked": ["AB"]})), "revoked-digest", "A digest that is none."),
        kit(
            logging(Kit::of("did:web:a.example#k", &content)),
            "content-log-key-as-signer",
            "A content log key that signs manifests too.",
        ),
        kit(
            logging(Kit::new().signer(with(
                listed("did:web:a.example#k", &es256("other")),
                json!({"log_keys": [content.jwk()]}),
            ))),
            "content-log-key-as-log-key",
            "A content log key that logs another signer's manifests too.",
        ),
        kit(
            logging(document(did_document("did:web:a.example", "k", &content))),
            "content-log-key-in-document",
            "A content log key that a DID document lists for assertions.",
        ),
        kit(
            logging(
                Kit::new()
                    .authority(authority(&Ca::root("content log key", &no_edit).der, pattern)),
            ),
            "content-log-key-as-root",
            "A content log key that certifies signers too.",
        ),
        kit(
            Kit::new()
                .signer(with(listed(WEB, &key), json!({"content_log_keys": [ct_key.jwk()]})))
                .with("ct_log_list", log_list(&[&CtTestLog::new("first", "One")])),
            "content-log-key-as-ct-log",
            "A content log key that signs promises of certificates too.",
        ),
        kit(
            super::sigstore::kit()
                .signer(with(listed(WEB, &key), json!({"content_log_keys": [issuer_key.jwk()]}))),
            "content-log-key-as-issuer",
            "A content log key that issues the certificates of Sigstore too.",
        ),
        kit(
            one(json!({"content_log_keys": [ed25519("content log key").jwk()]})),
            "content-log-key-ed25519",
            "A content log key of the wrong kind.",
        ),
        trusting(draft().sign()).trust("{\"media_type\":\"x\",\"media_type\":\"x\"}").named(
            "kit-duplicate-member",
            "A kit with a member twice.",
            "none",
            "kit.malformed",
        ),
    ]
}

fn policies() -> Vec<Case> {
    let policy = |rest: &str, name: &str, about: &str| {
        trusting(draft().sign()).policy_file(rest).named(
            &format!("policy-{name}"),
            about,
            "none",
            "policy.malformed",
        )
    };
    let require = "[require]\ndefault = [\"signature\", \"signer\"]\n";
    vec![
        policy("[require]\ndefault = []\n", "empty-list", "A list that asks for nothing."),
        policy(
            "[require]\ndefault = [\"content\", \"signer\"]\n",
            "no-signature",
            "A list without signature.",
        ),
        policy(
            "[require]\ndefault = [\"content\", \"signature\"]\n",
            "no-signer",
            "A list without signer.",
        ),
        policy(&format!("{require}static = []\n"), "empty-class", "An empty list for a class."),
        policy(
            "[require]\nstatic = [\"signature\", \"signer\"]\n",
            "no-default",
            "No list for the rest.",
        ),
        policy(
            &format!("{require}[limit]\nmax_age = \"1d\"\n"),
            "unknown-table",
            "A misspelt table.",
        ),
        policy(
            &format!("{require}[limits]\nmax_ages = \"1d\"\n"),
            "unknown-limit",
            "A misspelt limit.",
        ),
        policy(
            "[require]\ndefault = [\"signature\", \"signer\", \"logs\"]\n",
            "unknown-word",
            "A word that asks for nothing known.",
        ),
        policy(
            &format!("base = \"newsroom\"\n{require}"),
            "unknown-base",
            "A base that is no built-in policy.",
        ),
    ]
}
