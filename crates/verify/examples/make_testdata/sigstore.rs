//! Sigstore bundles: messages and envelopes, bare keys, logs of both versions.

use genten_primitives::encoding::{base64, hex};
use genten_primitives::{Sha256Digest, Sha512Digest};
use genten_testkit::SeedKey;
use genten_testkit::fulcio::Fulcio;
use genten_testkit::log::{Handing, TestLog, trusted_root};
use serde_json::{Value, json};

use super::logged::{STAMPED, asking, log, seconds, time, tsa};
use super::world::{Named, WEB, signer, stranger};
use crate::common::case::Case;
use crate::common::keys::es256;
use crate::common::kit::{Kit, signer as listed, with};

const SINCE: &str = "2026-01-01T00:00:00Z";
pub(crate) const ARTIFACT: &[u8] = b"a file that somebody released\n";
const IN_TOTO: &str = "application/vnd.in-toto+json";

pub(crate) fn cases() -> Vec<Case> {
    [managed(), envelopes(), first_logs(), forms(), content()].concat()
}

pub(crate) fn fulcio() -> Fulcio {
    Fulcio::new("fulcio")
}

/// A log of version 1.
fn first_log() -> TestLog {
    TestLog::with_key("rekor.example.org", es256("rekor v1").seed().clone())
}

/// A kit of one trusted root with everything in it.
pub(crate) fn kit() -> Kit {
    kit_of(&[fulcio().log().in_trusted_root(SINCE, None)], &[fulcio().in_trusted_root(SINCE, None)])
}

/// The same with other logs and authorities of certificates.
pub(crate) fn kit_of(ctlogs: &[Value], authorities: &[Value]) -> Kit {
    let tlogs = [log().in_trusted_root(SINCE, None), first_log().in_trusted_root(SINCE, None)];
    let root = trusted_root(&tlogs, ctlogs, authorities, &[tsa().in_trusted_root(SINCE, None)]);
    Kit::new().with("sigstore_trusted_roots", json!([root]))
}

/// A bundle, version 0.3.
pub(crate) fn bundle(material: Value, content: Value) -> Value {
    let media_type = "application/vnd.dev.sigstore.bundle.v0.3+json";
    with(json!({"mediaType": media_type, "verificationMaterial": material}), content)
}

pub(crate) fn message(signature: &[u8]) -> Value {
    let digest = base64(Sha256Digest::of(ARTIFACT).as_bytes());
    json!({"messageSignature": {
        "messageDigest": {"algorithm": "SHA2_256", "digest": digest},
        "signature": base64(signature),
    }})
}

/// Entries and a stamp over the signature.
pub(crate) fn material(entries: &[Value], signature: &[u8]) -> Value {
    let stamp = base64(&tsa().stamp(signature, time(STAMPED)));
    json!({
        "publicKey": {"hint": "signer"},
        "tlogEntries": entries,
        "timestampVerificationData": {"rfc3161Timestamps": [{"signedTimestamp": stamp}]},
    })
}

fn entry(body: &[u8]) -> Value {
    log().log(body, &Handing::default())
}

/// A bundle by a key: signed message, entry of a log of version 2, stamp.
fn good(key: &SeedKey) -> Value {
    let rekord = key.rekord(ARTIFACT);
    bundle(material(&[entry(&rekord.to_body())], &rekord.signature), message(&rekord.signature))
}

fn of(bundle: &Value) -> Case {
    Case::sigstore(bundle.to_string()).kit(&kit()).key(signer().pem()).artifact(ARTIFACT)
}

fn managed() -> Vec<Case> {
    let key = signer();
    let plain = good(key.seed());
    let changed = |path: &str, value: Value| {
        let mut bundle = plain.clone();
        *bundle.pointer_mut(path).unwrap() = value;
        of(&bundle)
    };
    let edwards = super::world::edwards();
    let by = |more: Value| kit().signer(with(listed(WEB, &key), more));
    let dated = by(json!({"valid_from": SINCE}));
    let revoked = by(json!({"status": "revoked", "revoked_at": "2026-11-30T08:00:00Z"}));
    let timeless = || changed("/verificationMaterial/timestampVerificationData", json!(null));
    let rekord = key.seed().rekord(ARTIFACT);
    let by_other = stranger().seed().rekord(ARTIFACT);
    let other_key = bundle(
        material(&[entry(&by_other.to_body())], &rekord.signature),
        message(&rekord.signature),
    );
    let mut unsigned = by_other.clone();
    unsigned.key = rekord.key.clone();
    let entries = "/verificationMaterial/tlogEntries";
    let first = plain.pointer(entries).unwrap()[0].clone();
    vec![
        of(&plain).accepted(
            "good-sigstore-key",
            "A signed file, a bare key, an entry of a log of version 2, a stamp.",
            &["sigstore.signature-valid", "sigstore.artifact", "sigstore.key-given", "log.included"],
        ),
        of(&plain).policy_file(&asking(&["time"])).reviewed(
            "sigstore-time-key-unbound",
            "A stamp over an ECDSA signature, under a policy that asks for a time: a key could have been made to fit it.",
            "time.key-unbound",
        ),
        of(&plain).kit(&dated).policy_file(&asking(&["time"])).accepted(
            "good-sigstore-key-dated",
            "The same where the kit says since when the key is in use.",
            &["time.trusted"],
        ),
        of(&plain).kit(&revoked).rejected(
            "sigstore-revoked",
            "A key that the kit calls revoked; the stamp does not show that it was used before.",
            "signer.revoked",
        ),
        of(&plain).identity("https://example.org/somebody", "https://example.org").reviewed(
            "sigstore-no-certificate",
            "Somebody is asked for, and the bundle was signed with a bare key.",
            "sigstore.no-certificate",
        ),
        of(&plain).policy_file(&asking(&["external"])).reviewed(
            "sigstore-not-applicable",
            "The policy asks for what no Sigstore bundle has.",
            "sigstore.not-applicable",
        ),
        Case::sigstore(good(edwards.seed()).to_string())
            .kit(&kit())
            .key(edwards.pem())
            .artifact(ARTIFACT)
            .policy_file(&asking(&["time"]))
            .accepted(
                "good-sigstore-ed25519ph",
                "The same by Ed25519ph with SHA-512 (G7), which binds the key to the stamp.",
                &["sigstore.artifact", "time.trusted"],
            ),
        of(&plain).artifact_digest(&format!("sha256:{}", Sha256Digest::of(ARTIFACT))).accepted(
            "good-sigstore-digest",
            "The file is given by its digest.",
            &["sigstore.artifact"],
        ),
        timeless().accepted(
            "good-sigstore-no-time",
            "A bare key needs no trusted time (G1): reported as missing.",
            &["time.missing", "log.included"],
        ),
        timeless().policy_file(&asking(&["time"])).reviewed(
            "sigstore-no-time",
            "The same under a policy that asks for one.",
            "time.missing",
        ),
        changed(entries, json!([])).reviewed("sigstore-no-entry", "No log entry.", "log.missing"),
        changed(entries, json!([first, first])).rejected(
            "sigstore-entry-twice",
            "One entry twice.",
            "log.duplicate-entry",
        ),
        of(&other_key).rejected(
            "sigstore-entry-of-other",
            "The entry of somebody else's signature over the same file.",
            "log.other-signature",
        ),
        Case::sigstore(plain.to_string()).kit(&kit()).artifact(ARTIFACT).reviewed(
            "sigstore-key-not-given",
            "A bare key that nobody gave.",
            "sigstore.key-not-given",
        ),
        Case::sigstore(plain.to_string())
            .kit(&kit())
            .key(stranger().pem())
            .artifact(ARTIFACT)
            .rejected("sigstore-other-key-given", "Another key is trusted.", "sigstore.signature"),
    ]
}

/// What the bundle is about.
fn content() -> Vec<Case> {
    let plain = good(signer().seed());
    let digest = "/messageSignature/messageDigest";
    let mut other = plain.clone();
    *other.pointer_mut(digest).unwrap() =
        json!({"algorithm": "SHA2_256", "digest": base64(Sha256Digest::of(b"other").as_bytes())});
    let mut without = plain.clone();
    *without.pointer_mut(digest).unwrap() = json!(null);
    vec![
        Case::sigstore(plain.to_string()).kit(&kit()).key(signer().pem()).reviewed(
            "sigstore-artifact-not-given",
            "The file was not given.",
            "sigstore.artifact-not-given",
        ),
        of(&plain).artifact(b"another file").rejected(
            "sigstore-other-artifact",
            "Another file.",
            "sigstore.other-artifact",
        ),
        of(&other).rejected(
            "sigstore-other-digest",
            "The bundle states another digest than the file has, though the signature is over the file.",
            "sigstore.other-digest",
        ),
        of(&without)
            .artifact_digest(&format!("sha512:{}", hex(Sha512Digest::of(ARTIFACT).as_bytes())))
            .reviewed(
                "sigstore-digest-needed",
                "The file is given by a digest of another function than was signed.",
                "sigstore.digest-needed",
            ),
    ]
}

fn pae(payload_type: &str, payload: &str) -> Vec<u8> {
    format!("DSSEv1 {} {payload_type} {} {payload}", payload_type.len(), payload.len()).into_bytes()
}

fn envelope(payload_type: &str, payload: &str, signature: &[u8]) -> Value {
    json!({"dsseEnvelope": {"payloadType": payload_type, "payload": base64(payload.as_bytes()),
        "signatures": [{"sig": base64(signature)}]}})
}

fn attestation(payload_type: &str, payload: &str) -> Value {
    let rekord = signer().seed().rekord(&pae(payload_type, payload));
    let content = envelope(payload_type, payload, &rekord.signature);
    bundle(material(&[entry(&rekord.to_body())], &rekord.signature), content)
}

fn statement(file: &[u8]) -> String {
    let digest = Sha256Digest::of(file).to_string();
    json!({"_type": "https://in-toto.io/Statement/v1", "subject": [{"name": "file", "digest": {"sha256": digest}}],
        "predicateType": "https://example.org/x", "predicate": {}})
    .to_string()
}

fn envelopes() -> Vec<Case> {
    let good = attestation(IN_TOTO, &statement(ARTIFACT));
    let mut two = good.clone();
    let signatures = two.pointer_mut("/dsseEnvelope/signatures").unwrap();
    let again = signatures[0].clone();
    signatures.as_array_mut().unwrap().push(again);
    let mut swapped = good.clone();
    *swapped.pointer_mut("/dsseEnvelope/payload").unwrap() =
        base64(statement(b"another file").as_bytes()).into();
    vec![
        of(&good).accepted(
            "good-sigstore-dsse",
            "An attestation about the file.",
            &["sigstore.artifact"],
        ),
        of(&attestation(IN_TOTO, &statement(b"another file"))).rejected(
            "sigstore-dsse-other-artifact",
            "An attestation about another file.",
            "sigstore.other-artifact",
        ),
        of(&attestation("text/plain", "a letter")).reviewed(
            "sigstore-no-statement",
            "An envelope with something else than a statement in it.",
            "sigstore.no-statement",
        ),
        of(&two).rejected(
            "sigstore-two-signatures",
            "An envelope with two signatures.",
            "sigstore.signatures",
        ),
        of(&swapped).rejected(
            "sigstore-dsse-swapped",
            "Another payload than was signed.",
            "sigstore.signature",
        ),
    ]
}

/// Entries of Rekor v1 with its promise.
fn first_logs() -> Vec<Case> {
    let key = signer();
    let pem = base64(&key.pem());
    let rekord = key.seed().rekord(ARTIFACT);
    let hashedrekord = |digest: &Sha256Digest, signature: &[u8]| {
        json!({"apiVersion": "0.0.1", "kind": "hashedrekord", "spec": {
            "data": {"hash": {"algorithm": "sha256", "value": digest.to_string()}},
            "signature": {"content": base64(signature), "publicKey": {"content": pem}}}})
    };
    let logged = |body: &Value, kind: &str| {
        let mut log = first_log();
        let index = log.append(body.to_string());
        log.entry_v1(index, (kind, "0.0.1"), seconds("2026-11-30T08:16:30Z"))
    };
    let material = |entry: Value| json!({"publicKey": {"hint": ""}, "tlogEntries": [entry]});
    let digest = Sha256Digest::of(ARTIFACT);
    let entry = logged(&hashedrekord(&digest, &rekord.signature), "hashedrekord");
    let good = bundle(material(entry.clone()), message(&rekord.signature));
    let mut promised_only = good.clone();
    promised_only["mediaType"] = "application/vnd.dev.sigstore.bundle+json;version=0.1".into();
    promised_only["verificationMaterial"]["tlogEntries"][0]["inclusionProof"] = json!(null);
    let mut promised_twice = promised_only.clone();
    let entries = &mut promised_twice["verificationMaterial"]["tlogEntries"];
    *entries = json!([entries[0], entries[0]]);
    let mut unproven = promised_only.clone();
    unproven["mediaType"] = good["mediaType"].clone();
    let mut promise = good.clone();
    promise["verificationMaterial"]["tlogEntries"][0]["integratedTime"] = "1".into();
    let payload = statement(ARTIFACT);
    let signed = key.seed().rekord(&pae(IN_TOTO, &payload));
    let dsse = json!({"apiVersion": "0.0.1", "kind": "dsse", "spec": {
        "envelopeHash": {"algorithm": "sha256", "value": digest.to_string()},
        "payloadHash": {"algorithm": "sha256", "value": Sha256Digest::of(payload.as_bytes()).to_string()},
        "signatures": [{"signature": base64(&signed.signature), "verifier": pem}]}});
    let enveloped = |body: &Value, kind: &str| {
        bundle(material(logged(body, kind)), envelope(IN_TOTO, &payload, &signed.signature))
    };
    let other_kind = hashedrekord(&Sha256Digest::of(&pae(IN_TOTO, &payload)), &signed.signature);
    let stranger_pem = base64(&stranger().pem());
    let mut other_key = hashedrekord(&digest, &rekord.signature);
    other_key["spec"]["signature"]["publicKey"]["content"] = stranger_pem.into();
    let other_key =
        bundle(material(logged(&other_key, "hashedrekord")), message(&rekord.signature));
    let wanting = asking(&["time"]);
    vec![
        of(&good).policy_file(&wanting).accepted(
            "good-sigstore-v1",
            "An entry of a log of version 1, whose promise states a time.",
            &["log.included", "time.trusted"],
        ),
        of(&promised_twice).rejected(
            "sigstore-v1-promise-twice",
            "One promise counted twice.",
            "log.duplicate-entry",
        ),
        of(&promised_only).policy_file(&wanting).accepted(
            "good-sigstore-v1-promise",
            "A bundle of version 0.1 with the promise alone.",
            &["log.promised", "time.trusted"],
        ),
        of(&unproven).rejected(
            "sigstore-v1-promise-alone",
            "The promise alone in a bundle of version 0.3.",
            "log.proof-missing",
        ),
        of(&promise).rejected(
            "sigstore-v1-promise",
            "A promise of another time than was signed.",
            "log.promise",
        ),
        of(&enveloped(&dsse, "dsse")).policy_file(&wanting).accepted(
            "good-sigstore-v1-dsse",
            "An envelope in a log of version 1.",
            &["log.included", "time.trusted"],
        ),
        of(&enveloped(&other_kind, "hashedrekord")).rejected(
            "sigstore-v1-other-kind",
            "An envelope that was logged as if it were a file.",
            "log.other-kind",
        ),
        of(&other_key).rejected(
            "sigstore-v1-other-key",
            "An entry of the same signature under another key.",
            "log.other-key",
        ),
    ]
}

/// Bundles that cannot be read.
fn forms() -> Vec<Case> {
    let plain = good(signer().seed());
    let changed = |path: &str, value: Value| {
        let mut bundle = plain.clone();
        *bundle.pointer_mut(path).unwrap() = value;
        of(&bundle)
    };
    let mut both = plain.clone();
    both["dsseEnvelope"] = attestation(IN_TOTO, &statement(ARTIFACT))["dsseEnvelope"].clone();
    let certificate = json!({"rawBytes": base64(b"a certificate")});
    let mut chain_now = plain.clone();
    chain_now["verificationMaterial"]["publicKey"] = json!(null);
    chain_now["verificationMaterial"]["x509CertificateChain"] =
        json!({"certificates": [certificate]});
    let mut chain = plain.clone();
    chain["mediaType"] = "application/vnd.dev.sigstore.bundle+json;version=0.2".into();
    chain["verificationMaterial"]["publicKey"] = json!(null);
    chain["verificationMaterial"]["x509CertificateChain"] = json!({"certificates": []});
    let entry = plain["verificationMaterial"]["tlogEntries"][0].clone();
    vec![
        changed("/verificationMaterial", json!(null)).rejected(
            "sigstore-no-material",
            "No verification material.",
            "sigstore.member",
        ),
        of(&both).rejected(
            "sigstore-both-contents",
            "A message and an envelope.",
            "sigstore.content",
        ),
        of(&chain_now).rejected(
            "sigstore-chain-in-v03",
            "A chain in a version that has a single certificate.",
            "sigstore.content",
        ),
        changed("/messageSignature/messageDigest/digest", json!(base64(&[0; 31]))).rejected(
            "sigstore-digest-length",
            "A digest that its hash function never gives.",
            "sigstore.member",
        ),
        of(&chain).rejected(
            "sigstore-chain-empty",
            "A chain without certificates.",
            "sigstore.chain-empty",
        ),
        changed("/verificationMaterial/tlogEntries", json!(vec![entry; 33])).rejected(
            "sigstore-33-entries",
            "33 log entries.",
            "sigstore.too-many",
        ),
        changed("/mediaType", json!("application/vnd.dev.sigstore.bundle.v0.9+json")).reviewed(
            "sigstore-version",
            "A version that is not known.",
            "sigstore.unknown-version",
        ),
    ]
}
