//! Entries of Rekor logs: recorded ones hold, and each way to break one has an error of its own.

use genten_primitives::encoding::{base64, from_base64};
use genten_primitives::json::Value;
use genten_primitives::key::KeyDetails;
use genten_primitives::{HashAlgorithm, PublicKey};
use genten_tlog::rekor::{
    BodyError, EntryError, EntryKind, HashedRekord, LogEntry, LoggedKey, RekorLog, v1,
};
use genten_tlog::{CheckpointError, NoteError, NoteKey, ProofError};

use crate::common::{document, read, text, vectors};

const CASES: &str = "sigstore-conformance/test/assets/bundle-verify";
const PRODUCTION: &str = "sigstore-root-signing/targets/trusted_root.json";

/// The entries of a bundle, as JSON.
fn entries(path: &std::path::Path) -> Vec<String> {
    let bytes = read(path);
    let document = document(&bytes);
    let material = document.root().get("verificationMaterial").unwrap();
    let entries = material.get("tlogEntries").unwrap().items().unwrap();
    entries.map(|entry| entry.raw_text().to_owned()).collect()
}

/// The logs of a trusted root, by name and id.
fn logs(path: &std::path::Path) -> Vec<RekorLog> {
    let bytes = read(path);
    let document = document(&bytes);
    let logs = document.root().get("tlogs").unwrap().items().unwrap();
    logs.map(log).collect()
}

fn log(value: Value<'_>) -> RekorLog {
    let key = from_base64(&text(value.get("publicKey").unwrap(), "rawBytes")).unwrap();
    let id = from_base64(&text(value.get("logId").unwrap(), "keyId")).unwrap();
    let key = PublicKey::from_spki_der(&key).unwrap();
    RekorLog::at_url(&text(value, "baseUrl"), &key).unwrap().with_id(&id)
}

/// A case of the conformance suite: its first entry, and the log that it names.
fn case(name: &str) -> Option<(LogEntry, Option<RekorLog>)> {
    let folder = vectors(CASES)?.join(name);
    let own = folder.join("trusted_root.json");
    let root = if own.exists() { own } else { vectors(PRODUCTION)? };
    let entry =
        LogEntry::read(entries(&folder.join("bundle.sigstore.json"))[0].as_bytes()).unwrap();
    let log = logs(&root).into_iter().find(|log| log.has_id(entry.log_id()));
    Some((entry, log))
}

fn error_of(name: &str) -> Option<EntryError> {
    let (entry, log) = case(name)?;
    Some(entry.verify(entry.body().unwrap(), &log.unwrap(), &[]).unwrap_err())
}

fn live_log() -> Option<(RekorLog, Vec<NoteKey>)> {
    let folder = vectors("rekor-live")?;
    let key = |name: &str| {
        let text = String::from_utf8(read(folder.join(name))).unwrap();
        text.trim().parse::<NoteKey>().unwrap()
    };
    let witnesses = vec![key("w1.example.vkey"), key("w2.example.vkey")];
    Some((RekorLog::of_key(key("log.vkey")), witnesses))
}

fn live_entry(name: &str) -> Option<String> {
    let path = vectors("rekor-live")?.join(format!("bundles/{name}.sigstore.json"));
    entries(&path).pop()
}

#[test]
fn recorded_entries_hold_with_their_cosignatures() {
    let Some((log, witnesses)) = live_log() else { return };
    for (name, details, cosigned) in [
        ("blob", KeyDetails::EcdsaP256Sha256, 0),
        ("ed", KeyDetails::Ed25519ph, 2),
        ("p384", KeyDetails::EcdsaP384Sha384, 2),
        ("rsa", KeyDetails::Rsa2048Sha256, 2),
    ] {
        let entry = LogEntry::read(live_entry(name).unwrap().as_bytes()).unwrap();
        let body = entry.body().unwrap();
        let rekord = HashedRekord::read(body).unwrap();
        assert_eq!((rekord.details, rekord.to_body().as_slice()), (details, body), "{name}");
        let logged = entry.verify(body, &log, &witnesses).unwrap();
        assert_eq!(logged.index(), entry.index(), "{name}");
        assert_eq!(logged.checkpoint().cosignatures().len(), cosigned, "{name}");
        assert!(rekord.public_key().is_ok(), "{name}");
        if cfg!(feature = "aws-lc") || name != "rsa" {
            assert!(rekord.check_signature().is_ok(), "{name}");
        }
    }
}

/// Without any key: the parts of an entry belong together, or it is told which one does not.
#[test]
fn parts_of_an_entry_fit_each_other_whoever_signed() {
    let Some(good) = live_entry("ed") else { return };
    let check = |text: &str| {
        let entry = LogEntry::read(text.as_bytes()).unwrap();
        entry.check_form(entry.body().unwrap())
    };
    assert_eq!(check(&good), Ok(()));
    let entry = LogEntry::read(good.as_bytes()).unwrap();
    assert_eq!(entry.inclusion_proof().unwrap().index(), entry.index());
    let other = entry.check_form(b"another body");
    assert!(matches!(other, Err(EntryError::Inclusion(_))), "{other:?}");
    let size = check(&good.replace(r#""treeSize":"706""#, r#""treeSize":"707""#));
    assert!(matches!(size, Err(EntryError::ProofSize { .. })), "{size:?}");
    let note = check(&good.replace("rekor-local\\n706\\n", "rekor-local\\n"));
    assert!(matches!(note, Err(EntryError::Checkpoint(_))), "{note:?}");
    let unsigned = check(&good.replace("5YQvq1zY", "5YQvq2zY"));
    assert_eq!(unsigned, Ok(()), "signatures are no question here");
    let mut without: serde_json::Value = serde_json::from_str(&good).unwrap();
    without["inclusionProof"] = serde_json::Value::Null;
    assert_eq!(check(&without.to_string()), Err(EntryError::ProofMissing));
    without["logIndex"] = serde_json::Value::Null;
    let first = LogEntry::read(without.to_string().as_bytes()).unwrap();
    assert_eq!(first.index().get(), 0, "the JSON of protobuf leaves a zero out");
}

#[test]
fn every_byte_of_a_recorded_entry_matters() {
    let Some((log, witnesses)) = live_log() else { return };
    let good = live_entry("ed").unwrap();
    let accepted = |text: &str| {
        let entry = LogEntry::read(text.as_bytes()).ok()?;
        let body = entry.body()?.to_vec();
        HashedRekord::read(&body).ok()?.check_signature().ok()?;
        let logged = entry.verify(&body, &log, &witnesses).ok()?;
        (logged.checkpoint().cosignatures().len() == 2).then_some((body, logged))
    };
    let expected = accepted(&good).unwrap();
    for at in 0..good.len() {
        let mut bytes = good.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        // What still holds says the same: an optional member under another name is absent.
        if let Some(found) = accepted(&text) {
            assert_eq!(found, expected, "byte {at}");
        }
    }
}

#[test]
fn proofs_of_the_conformance_cases_hold_or_name_their_flaw() {
    if vectors(CASES).is_none() {
        return;
    }
    for name in [
        "rekor2-happy-path",
        "rekor2-dsse-happy-path",
        "rekor2-checkpoint-cosigned",
        "rekor2-checkpoint-multiple-cosigs",
        "rekor2-checkpoint-origin-not-first",
        "rekor2-checkpoint-two-sigs-cosigned",
        "rekor2-checkpoint-two-sigs-from-origin",
        "happy-path-v0.1",
        "happy-path-v0.3",
        "happy-path-intoto-in-dsse-v3",
        "intoto-with-custom-trust-root",
        "managed-key-happy-path",
    ] {
        let (entry, log) = case(name).unwrap();
        let logged = entry.verify(entry.body().unwrap(), &log.unwrap(), &[]);
        assert_eq!(logged.map(|logged| logged.index()), Ok(entry.index()), "{name}");
    }
    let checkpoint = |name: &str| match error_of(name) {
        Some(EntryError::Checkpoint(error)) => error,
        other => panic!("{name}: {other:?}"),
    };
    assert!(matches!(
        checkpoint("rekor2-checkpoint-missing-origin_fail"),
        CheckpointError::OtherOrigin { .. }
    ));
    assert!(matches!(
        checkpoint("rekor2-checkpoint-missing-log-signature_fail"),
        CheckpointError::Note(NoteError::NoSignatures)
    ));
    assert!(matches!(
        checkpoint("rekor2-checkpoint-no-matching-signature_fail"),
        CheckpointError::OtherOrigin { .. }
    ));
    // What is cut out says more than the signature that no longer holds.
    assert_eq!(checkpoint("rekor2-checkpoint-missing-size_fail"), CheckpointError::SizeMissing);
    assert_eq!(
        checkpoint("rekor2-checkpoint-missing-root-hash_fail"),
        CheckpointError::RootMissing
    );
    assert!(matches!(
        checkpoint("checkpoint-bad-keyhint_fail"),
        CheckpointError::LogKeyHint { .. }
    ));
    assert!(matches!(
        checkpoint("invalid-checkpoint-signature_fail"),
        CheckpointError::LogSignature { .. }
    ));
    let error = |name: &str| error_of(name).unwrap();
    assert_eq!(error("rekor2-no-inclusion-proof_fail"), EntryError::ProofMissing);
    assert!(matches!(
        error("checkpoint-wrong-roothash_fail"),
        EntryError::ProofSize { .. } | EntryError::ProofRoot { .. }
    ));
    assert!(matches!(
        error("inclusion-proof-corrupted-hash_fail"),
        EntryError::Inclusion(ProofError::RootMismatch { .. })
    ));
    assert_eq!(error("invalid-inclusion-proof_fail"), EntryError::CheckpointMissing);
}

#[test]
fn promises_of_version_1_state_a_time() {
    if vectors(CASES).is_none() {
        return;
    }
    let promise = |name: &str| {
        let (entry, log) = case(name).unwrap();
        entry.verify_promise(entry.body().unwrap(), &log.unwrap())
    };
    assert_eq!(promise("happy-path-v0.1"), Ok(1_689_177_396));
    assert!(matches!(promise("set-invalid-signature_fail"), Err(EntryError::Promise(_))));
    let missing = Err(EntryError::Missing { member: "inclusionPromise" });
    assert_eq!(promise("rekor2-happy-path"), missing);
    let (entry, log) = case("happy-path-v0.1").unwrap();
    let body = [entry.body().unwrap(), b" "].concat();
    assert!(matches!(entry.verify_promise(&body, &log.unwrap()), Err(EntryError::Promise(_))));
}

#[test]
fn bodies_of_version_1_give_digest_signature_and_key() {
    if vectors(CASES).is_none() {
        return;
    }
    for (name, kind) in [
        ("happy-path-v0.1", EntryKind::HashedRekordV1),
        ("happy-path-intoto-in-dsse-v3", EntryKind::Dsse),
        ("intoto-with-custom-trust-root", EntryKind::Intoto),
    ] {
        let (entry, _) = case(name).unwrap();
        assert_eq!(entry.kind(), kind);
        let body = v1::Body::read(entry.body().unwrap(), kind).unwrap();
        assert_eq!(
            (body.hash, body.digest.len(), body.signatures.len()),
            (HashAlgorithm::Sha256, 32, 1)
        );
        assert!(matches!(body.signatures[0].1, LoggedKey::Certificate(_)), "{name}");
        let other = if kind == EntryKind::Dsse { EntryKind::Intoto } else { EntryKind::Dsse };
        let error = v1::Body::read(entry.body().unwrap(), other).unwrap_err();
        assert!(matches!(error, BodyError::Kind { .. }), "{name}: {error}");
    }
}

/// The recorded answers of a real server are what we compute ourselves.
#[test]
fn what_a_server_answered_is_what_we_would_have_sent() {
    let Some(path) = vectors("rekor-live/write-api.json") else { return };
    let bytes = read(path);
    let document = document(&bytes);
    let mut compared = 0;
    for exchange in document.root().items().unwrap() {
        let answer = text(exchange, "body");
        let Ok(entry) = LogEntry::read(answer.as_bytes()) else { continue };
        let rekord = HashedRekord::read(entry.body().unwrap()).unwrap();
        let mut canonical = Vec::new();
        exchange.get("request").unwrap().write_canonical(&mut canonical);
        assert_eq!(rekord.to_request(), canonical);
        compared += 1;
    }
    assert!(compared > 0);
}

fn good_body() -> Option<String> {
    let entry = LogEntry::read(live_entry("blob")?.as_bytes()).unwrap();
    Some(String::from_utf8(entry.body().unwrap().to_vec()).unwrap())
}

#[test]
fn a_body_has_one_spelling() {
    let Some(good) = good_body() else { return };
    let error = |text: &str| HashedRekord::read(text.as_bytes()).unwrap_err();
    let not_canonical = BodyError::NotCanonical;
    assert_eq!(error(&good.replace("{\"apiVersion\"", "{ \"apiVersion\"")), not_canonical);
    assert_eq!(error(&good.replace("\"spec\":{", "\"spec\":{\"more\":1,")), not_canonical);
    assert_eq!(
        error(&good.replace(
            "{\"apiVersion\":\"0.0.2\",\"kind\":\"hashedrekord\"",
            "{\"kind\":\"hashedrekord\",\"apiVersion\":\"0.0.2\""
        )),
        not_canonical
    );
    assert!(matches!(error(&good.replace("0.0.2", "0.0.1")), BodyError::Kind { .. }));
    assert!(matches!(error(&good.replace("hashedrekord\"", "dsse\"")), BodyError::Kind { .. }));
    assert!(matches!(
        error(&good.replace("PKIX_ECDSA_P256_SHA_256", "PKIX_X")),
        BodyError::KeyDetails { .. }
    ));
    assert!(matches!(error(&good.replace("SHA2_256", "SHA2_512")), BodyError::DigestLength { .. }));
    assert!(matches!(error(&good.replace("SHA2_256", "SHA3_256")), BodyError::Malformed(_)));
    assert!(matches!(
        error(&good.replace("publicKey", "hidden")),
        BodyError::Malformed(EntryError::Missing { .. })
    ));
    let long = format!("{}{}", good, " ".repeat(65_536));
    assert!(matches!(error(&long), BodyError::TooLarge { .. }));
}

#[test]
fn the_name_of_the_key_must_fit_the_key() {
    let Some(good) = good_body() else { return };
    let rekord = HashedRekord::read(good.as_bytes()).unwrap();
    assert!(rekord.check_signature().is_ok());
    for details in KeyDetails::ALL.into_iter().filter(|other| *other != rekord.details) {
        let other = HashedRekord { details, ..rekord.clone() };
        assert!(matches!(other.public_key(), Err(BodyError::KeyDetails { .. })), "{details}");
    }
    let broken = HashedRekord { digest: vec![0; 32], ..rekord.clone() };
    assert!(matches!(broken.check_signature(), Err(BodyError::Signature(_))));
    let key = LoggedKey::PublicKey(vec![0x30, 0]);
    assert!(matches!(HashedRekord { key, ..rekord }.public_key(), Err(BodyError::Key(_))));
}

#[test]
fn words_beside_the_proof_must_agree() {
    let Some((log, _)) = live_log() else { return };
    let good = live_entry("blob").unwrap();
    let error = |text: &str| {
        let entry = LogEntry::read(text.as_bytes())?;
        let body = entry.body().unwrap().to_vec();
        entry.verify(&body, &log, &[]).map(drop)
    };
    assert_eq!(error(&good), Ok(()));
    let entry = LogEntry::read(good.as_bytes()).unwrap();
    let index = format!("\"logIndex\":\"{}\"", entry.index());
    assert!(good.matches(&index).count() == 2, "{good}");
    let other_proof =
        good.replacen(&index, "\"logIndex\":\"0\"", 2).replacen("\"logIndex\":\"0\"", &index, 1);
    let changed = if entry.index().get() == 0 {
        good.replacen("\"logIndex\":\"0\"", "\"logIndex\":\"1\"", 1)
    } else {
        other_proof
    };
    assert!(matches!(error(&changed), Err(EntryError::ProofIndex { .. })), "{:?}", error(&changed));
    let (start, rest) = good.split_once("\"treeSize\":\"").unwrap();
    let other = format!("{start}\"treeSize\":\"9{rest}");
    assert!(matches!(error(&other), Err(EntryError::ProofSize { .. })));
    let (start, rest) = good.split_once("\"rootHash\":\"").unwrap();
    let other = format!("{start}\"rootHash\":\"{}{}", base64(&[0; 32]), &rest[44..]);
    assert!(matches!(error(&other), Err(EntryError::ProofRoot { .. })));
    let id = base64(log.keys()[0].full_id().as_bytes());
    let other = good.replace(&id, &base64(&[0; 32]));
    assert!(matches!(error(&other), Err(EntryError::LogId { .. })));
    let unknown = good.replace("\"version\":\"0.0.2\"", "\"version\":\"0.0.3\"");
    assert!(matches!(error(&unknown), Err(EntryError::KindUnsupported { .. })));
}

#[test]
fn malformed_entries_have_errors_of_their_own() {
    let entry = |text: &str| {
        let start = r#"{"logId":{"keyId":"AA=="},"kindVersion":{"kind":"dsse","version":"0.0.1"},"#;
        LogEntry::read(format!("{start}{text}}}").as_bytes())
    };
    assert!(entry(r#""logIndex":"7""#).is_ok());
    assert!(entry(r#""logIndex":7"#).is_ok(), "protobuf JSON may write a number");
    let error = |text: &str| entry(text).unwrap_err();
    assert_eq!(LogEntry::read(b"{}"), Err(EntryError::Missing { member: "kindVersion" }));
    let unknown = EntryError::UnknownMember { name: "more".to_owned() };
    assert_eq!(error(r#""logIndex":"0","more":1"#), unknown);
    let inside = |member: &str| error(&format!(r#""logIndex":"0","{member}":{{"more":1}}"#));
    assert_eq!(inside("inclusionProof"), unknown);
    assert_eq!(inside("inclusionPromise"), unknown);
    let whole = |log_id: &str, kind: &str, checkpoint: &str| {
        let text = format!(
            r#"{{"logId":{{"keyId":"AA=="{log_id}}},"kindVersion":{{"kind":"dsse","version":"0.0.1"{kind}}},
            "logIndex":"0","inclusionProof":{{"logIndex":"0","rootHash":"{}","treeSize":"1","hashes":[],
            "checkpoint":{{"envelope":"x"{checkpoint}}}}}}}"#,
            base64(&[0; 32])
        );
        LogEntry::read(text.as_bytes()).map(drop)
    };
    let more = r#","more":1"#;
    assert_eq!(whole("", "", ""), Ok(()));
    for text in [whole(more, "", ""), whole("", more, ""), whole("", "", more)] {
        assert_eq!(text, Err(unknown.clone()));
    }
    assert_eq!(error(r#""logIndex":"-1""#), EntryError::Negative { member: "logIndex" });
    for bad in ["01", "+1", "1 ", "", "9223372036854775808"] {
        let text = format!(r#""logIndex":"{bad}""#);
        assert_eq!(error(&text), EntryError::Integer { member: "logIndex" }, "{bad}");
    }
    assert_eq!(error(r#""logIndex":true"#), EntryError::Type { member: "logIndex" });
    let body = r#""logIndex":"0","canonicalizedBody":"A""#;
    assert_eq!(error(body), EntryError::Base64 { member: "canonicalizedBody" });
    let proof = |hashes: &str| format!(r#""logIndex":"0","inclusionProof":{{"hashes":{hashes}}}"#);
    assert!(matches!(error(&proof(r#"["AA=="]"#)), EntryError::ProofHashes(_)));
    let many = vec![format!("\"{}\"", base64(&[0; 32])); 64].join(",");
    assert!(matches!(error(&proof(&format!("[{many}]"))), EntryError::ProofHashes(_)));
    assert_eq!(error(&proof("1")), EntryError::Type { member: "hashes" });
    assert!(matches!(LogEntry::read(b"{"), Err(EntryError::Json(_))));
    assert_eq!(LogEntry::read(b"[]"), Err(EntryError::Type { member: "entry" }));
}
