//! Trusted times: what they save, what they contradict, and when they bind no key.

use genten_primitives::encoding::base64url;
use genten_primitives::{PublicKey, Sha256Digest};
use p256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use serde_json::{Value, json};

use super::logged::{
    asking, body, entry_at, input, kit, kit_listing, logged, logged_at, rekor, stamped, stamped_at,
    time, trusting, tsa,
};
use super::world::{DID, Named, WEB, draft, edwards, signer, stranger};
use crate::common::case::Case;
use crate::common::certificates::{Ca, Params, both, no_edit, uri, valid, x509_chain};
use crate::common::keys::{Key, es256};
use crate::common::kit::{authority, did_document, signer as listed, with};
use crate::common::manifest::Draft;

pub(crate) fn cases() -> Vec<Case> {
    [order(), status(), binding(), certificates(), prepared(), fitted()].concat()
}

fn web(key: &Key) -> Draft {
    Draft::new(key, WEB)
}

/// Times against the manifest's own, and against now.
fn order() -> Vec<Case> {
    let at = |text: &str| trusting(&draft(), &[stamped_at(&draft(), text)], &kit());
    let attested = draft().with("/attested_at", "2026-11-30T10:00:00Z");
    let of_attested = |text: &str| trusting(&attested, &[stamped_at(&attested, text)], &kit());
    vec![
        at("2026-11-30T08:13:59Z").rejected(
            "time-before-fetch",
            "Stamped a second more than the clock skew before the fetch.",
            "time.before-manifest",
        ),
        at("2026-11-30T08:14:00Z").accepted(
            "good-time-skew",
            "Stamped before the fetch, within the clock skew.",
            &["time.trusted"],
        ),
        of_attested("2026-11-30T09:58:59Z").rejected(
            "time-before-attestation",
            "Stamped after the fetch, and before it was signed by its own word.",
            "time.before-manifest",
        ),
        of_attested("2026-12-01T09:59:59Z").at("2026-12-02T00:00:00Z").accepted(
            "good-time-from-attestation",
            "The delay counts from the signing, not from the fetch.",
            &["time.trusted"],
        ),
        at("2026-12-01T08:15:00Z").at("2026-12-02T00:00:00Z").accepted(
            "good-time-delay-end",
            "Stamped a day after the fetch, to the second.",
            &["time.trusted"],
        ),
        at("2026-12-01T08:15:01Z").at("2026-12-02T00:00:00Z").reviewed(
            "time-delayed",
            "Stamped a second more than a day after the fetch.",
            "time.delayed",
        ),
        at("2026-11-30T12:01:01Z").reviewed(
            "time-in-future",
            "Stamped in the future, beyond the clock skew.",
            "time.in-future",
        ),
        at("2026-11-30T12:01:00Z").accepted(
            "good-time-ahead",
            "Stamped in the future, within the clock skew.",
            &["time.trusted"],
        ),
    ]
}

/// Keys that are out of use: a signature that provably is older counts.
fn status() -> Vec<Case> {
    let key = signer();
    let retired = |until: &str| json!({"status": "retired", "valid_from": "2026-01-01T00:00:00Z", "valid_until": until});
    let revoked = |at: &str| json!({"status": "revoked", "valid_from": "2026-01-01T00:00:00Z", "revoked_at": at});
    let by = |evidence: Value, members: Value| {
        Case::bundle(web(&key).bundle(&[evidence])).kit(&kit_listing(members))
    };
    let stamp = || stamped(&web(&key));
    vec![
        by(stamp(), retired("2026-11-30T08:17:01Z")).accepted(
            "good-retired-with-time",
            "Retired since, and stamped a second before.",
            &["time.trusted"],
        ),
        by(stamp(), retired("2026-11-30T08:17:00Z")).reviewed(
            "time-at-retirement",
            "Stamped in the second of the retirement: not before it.",
            "signer.retired",
        ),
        by(stamp(), revoked("2026-11-30T08:17:01Z")).accepted(
            "good-revoked-with-time",
            "Revoked since, and stamped a second before.",
            &["time.trusted"],
        ),
        by(stamp(), revoked("2026-11-30T08:17:00Z")).rejected(
            "time-at-revocation",
            "Stamped in the second of the revocation: not before it.",
            "signer.revoked",
        ),
        by(logged(&web(&key)), revoked("2026-11-30T08:16:01Z")).accepted(
            "good-revoked-with-witnesses",
            "Revoked since, and cosigned by two witnesses a second before.",
            &["time.trusted", "witness.quorum"],
        ),
        by(logged_at(&web(&key), ["2020-01-01T00:00:00Z", "2026-11-30T08:20:00Z"]), revoked("2026-11-30T08:18:00Z"))
            .rejected(
                "time-one-witness-lies",
                "One of two witnesses backdates; the other cosigned only after the revocation.",
                "signer.revoked",
            ),
        by(stamp(), json!({"status": "active", "valid_from": "2026-11-30T08:00:00Z", "valid_until": "2026-11-30T09:00:00Z"}))
            .accepted(
                "good-time-in-window",
                "A key that is over now; the stamp lies in its window.",
                &["time.trusted"],
            ),
    ]
}

/// Whether a stamped signature binds the key that it verifies under.
fn binding() -> Vec<Case> {
    let key = signer();
    let wanting = asking(&["time"]);
    let by = |key: &Key, members: Value| {
        let kit = kit().signer(with(listed(WEB, key), members));
        Case::bundle(web(key).bundle(&[stamped(&web(key))])).kit(&kit).policy_file(&wanting)
    };
    let document = |window: Value| {
        let document = with(json!({"document": did_document(DID, "key-1", &key)}), window);
        Case::bundle(web(&key).bundle(&[stamped(&web(&key))]))
            .kit(&kit().document(document))
            .policy_file(&wanting)
    };
    let unheard = Draft::new(&key, "did:web:unheard.example#key-1");
    let jwk = Draft::new(&key, &key.did_jwk());
    vec![
        by(&key, json!({})).reviewed(
            "time-key-undated",
            "A stamped ECDSA signature under a key of which the kit does not say since when.",
            "time.key-unbound",
        ),
        by(&key, json!({"valid_from": "2026-11-30T08:17:00Z"})).reviewed(
            "time-key-since-stamp",
            "The key is known since the very second of the stamp, which is after the fetch.",
            "signer.outside-window",
        ),
        by(&key, json!({"valid_from": "2026-11-30T08:15:00Z"})).accepted(
            "good-time-key-dated",
            "The kit says that the key is older than the stamp.",
            &["time.trusted"],
        ),
        by(&edwards(), json!({})).accepted(
            "good-time-ed25519-undated",
            "A stamped Ed25519 signature binds its key.",
            &["time.trusted"],
        ),
        document(json!({})).reviewed(
            "time-document-undated",
            "A key in a DID document of which the kit does not say since when.",
            "time.key-unbound",
        ),
        document(json!({"valid_from": "2026-01-01T00:00:00Z"})).accepted(
            "good-time-document-dated",
            "A key in a DID document that the kit dates.",
            &["time.trusted"],
        ),
        Case::bundle(unheard.bundle(&[stamped(&unheard)]))
            .key(key.pem())
            .kit(&kit())
            .policy_file(&wanting)
            .reviewed("time-bare-key", "A bare key that nobody dates.", "time.key-unbound"),
        Case::bundle(jwk.bundle(&[stamped(&jwk)]))
            .signer(&key.did_jwk())
            .kit(&kit())
            .policy_file(&wanting)
            .accepted(
                "good-time-did-jwk",
                "The key stands in the id, and so in what was signed.",
                &["time.trusted"],
            ),
        Case::bundle(web(&key).bundle(&[logged(&web(&key))]))
            .kit(&kit_listing(json!({})))
            .policy_file(&wanting)
            .accepted(
                "good-time-witnessed-undated",
                "The log entry holds the key itself, so that its witnesses bind it.",
                &["time.trusted"],
            ),
    ]
}

/// Signers with certificates.
fn certificates() -> Vec<Case> {
    let (key, id) = (signer(), "https://mcp.example.org/server");
    let root = Ca::root("Example signers root", &no_edit);
    let kit = kit().authority(authority(&root.der, "https://mcp.example.org/*"));
    let draft = Draft::new(&key, id);
    let with_leaf = |from, until, evidence: Option<Value>| {
        let dates = move |params: &mut Params| valid(params, from, until);
        let leaf = root.leaf(&key, &both(uri("https://mcp.example.org/server"), dates));
        let evidence: Vec<_> = [x509_chain(&[&leaf])].into_iter().chain(evidence).collect();
        Case::bundle(draft.bundle(&evidence)).kit(&kit).at("2027-06-01T00:00:00Z")
    };
    let (from, until) = ((2026, 10, 1), (2027, 3, 1));
    vec![
        with_leaf(from, until, Some(stamped(&draft))).accepted(
            "good-certificate-expired-with-time",
            "The signer's certificate has expired since, and the signature was stamped before.",
            &["time.trusted"],
        ),
        with_leaf(from, until, Some(logged(&draft))).accepted(
            "good-certificate-expired-with-witnesses",
            "The same with the time of witnesses.",
            &["time.trusted"],
        ),
        with_leaf(from, until, None).reviewed(
            "certificate-expired-without-time",
            "The same without a trusted time.",
            "chain.expired",
        ),
        with_leaf((2026, 12, 1), until, Some(stamped(&draft)))
            .reviewed(
                "time-certificate-since-stamp",
                "A certificate that is younger than the stamp does not date the key.",
                "chain.expired",
            )
            .also(&["time.key-unbound"]),
    ]
}

/// A digest that was logged long ago, under a key that was stolen since. What was logged is no signature of the signer.
fn prepared() -> Vec<Case> {
    let (key, thief) = (signer(), stranger());
    let log_key = es256("log key");
    let draft = web(&key).with("/fetched_at", "2024-06-01T00:00:00Z");
    let old = ["2024-06-01T00:01:00Z", "2024-06-01T00:01:00Z"];
    let retired = json!({"status": "retired", "valid_from": "2024-01-01T00:00:00Z",
        "valid_until": "2025-01-01T00:00:00Z", "log_keys": [log_key.jwk()]});
    let by = |key: &Key| {
        let evidence = rekor("manifest", entry_at(&body(key.seed(), &input(&draft)), old));
        Case::bundle(draft.bundle(&[evidence])).kit(&kit_listing(retired.clone()))
    };
    let batch =
        genten_tlog::batch::Batch::new([draft.manifest_id().parse::<Sha256Digest>().unwrap()]);
    let statement = batch.statement(time(old[0])).unwrap().to_payload();
    let header = json!({"alg": "ES256", "kid": WEB, "typ": "provenance-batch+jws"});
    let header = crate::common::canonical(&header.to_string());
    let signed = format!("{}.{}", base64url(header.as_bytes()), base64url(&statement));
    let jws = format!("{signed}.{}", base64url(&thief.sign(signed.as_bytes())));
    let in_batch = json!({"type": "batch", "statement": jws, "index": 0, "hashes": []});
    vec![
        by(&thief).reviewed(
            "prepared-by-thief",
            "A manifest whose digest a thief logged years ago, signed now with the retired key that he stole since.",
            "signer.retired",
        ),
        by(&log_key).reviewed(
            "prepared-by-log-key",
            "The same under a log key of the signer: the digest was logged, nothing shows when it was signed.",
            "signer.retired",
        ),
        Case::bundle(draft.bundle(&[in_batch])).kit(&kit_listing(retired.clone())).rejected(
            "prepared-in-batch",
            "The same in a batch that the thief signed under the signer's name.",
            "batch.signature",
        )
        ,
        by(&key).accepted(
            "good-retired-logged-then",
            "The same logged then by the signer himself.",
            &["time.trusted"],
        ),
    ]
}

/// An old stamp over somebody's ECDSA signature, and a key that was computed so that the signature is one of a manifest.
fn fitted() -> Vec<Case> {
    let old = "2024-06-01T00:01:00Z";
    let letter = stranger().sign(b"a letter of somebody else");
    let draft = web(&signer()).with("/fetched_at", "2024-06-01T00:00:00Z");
    let header = draft.header_text();
    let digest = Sha256Digest::of(draft.signing_input(&header).as_bytes());
    let signature = Signature::from_slice(&letter).unwrap();
    let fitting = (0..2).find_map(|number| {
        let id = RecoveryId::from_byte(number)?;
        VerifyingKey::recover_from_prehash(digest.as_bytes(), &signature, id).ok()
    });
    let point = fitting.unwrap().to_sec1_point(false);
    let key = PublicKey::p256_from_sec1(point.as_bytes()).unwrap();
    let jwk: Value = serde_json::from_str(&key.to_jwk()).unwrap();
    let manifest = draft.seal(&format!("{}..{}", base64url(header.as_bytes()), base64url(&letter)));
    let der = signature.to_der().as_bytes().to_vec();
    let stamp = super::logged::rfc3161("manifest", &tsa().stamp(&der, time(old)));
    let bundle = crate::common::manifest::bundle(&manifest, &[stamp]);
    let case = |members: Value| {
        let entry = json!({"key_id": WEB, "public_key": jwk, "status": "retired", "valid_until": "2025-01-01T00:00:00Z"});
        Case::bundle(bundle.clone()).kit(&kit().signer(with(entry, members)))
    };
    vec![
        case(json!({})).reviewed(
            "time-fitted-key",
            "A key that was computed to fit an old stamped signature of somebody else, listed without a date.",
            "signer.retired",
        )
        .also(&["time.key-unbound", "timestamp.holds"]),
        case(json!({"valid_from": "2024-06-01T00:01:01Z"})).reviewed(
            "time-fitted-key-later",
            "The same key, known since a second after the stamp.",
            "signer.retired",
        ),
    ]
}
