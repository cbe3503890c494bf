//! What a widely used verifier accepts and this one refuses, and the reverse. Each case is a good bundle with one change.

use genten_primitives::HashAlgorithm;
use genten_primitives::encoding::base64;
use genten_primitives::key::KeyDetails;
use genten_primitives::{Sha256Digest, encoding::from_base64};
use genten_verify::{Policy, TrustKit};
use serde_json::{Value, json};

use crate::live;
use crate::log::{ARTIFACT, HOST, Recipe, cosign, ed25519, log_key, rekord, small, tlog, witness};
use crate::small::{case, kit};
use crate::world::{Case, json, outcome_of};
use genten_jws::Signer as _;

/// The entry of a bundle.
fn entry(bundle: &mut Value) -> &mut Value {
    &mut bundle["verificationMaterial"]["tlogEntries"][0]
}

/// A recorded bundle as JSON.
fn recorded(case: &Case) -> Value {
    serde_json::from_slice(&case.bundle).unwrap()
}

fn with_bundle(case: Case, bundle: &Value) -> Case {
    Case { bundle: bundle.to_string().into_bytes(), ..case }
}

/// A recorded bundle under its trusted root with changes.
fn under_root(name: &str, change: impl FnOnce(&mut Value)) -> Option<Case> {
    let mut root = json(live::live()?.join("trusted_root.json"));
    change(&mut root);
    let kit = TrustKit::of_sigstore_root(root.to_string().as_bytes()).unwrap();
    Some(Case { kit, ..live::case(name)? })
}

#[test]
fn the_small_log_is_believed() {
    assert_eq!(case(&Recipe::good().bundle()).answer(), "accept");
}

/// G1: no trusted time at all.
#[test]
fn no_trusted_time() {
    let case = case(&Recipe::good().bundle());
    no_time(&case);
    let Some(case) = live::case("blob") else { return };
    let mut bundle = recorded(&case);
    bundle["verificationMaterial"].as_object_mut().unwrap().remove("timestampVerificationData");
    no_time(&with_bundle(case, &bundle));
}

fn no_time(case: &Case) {
    let report = case.report();
    assert_eq!(case.answer(), "accept");
    assert_eq!(outcome_of(&report, "log.included"), Some("passed"));
    assert_eq!(outcome_of(&report, "time.missing"), Some("not-required"));
    let text =
        "version = 1\nname = \"t\"\n[require]\ndefault = [\"signature\", \"signer\", \"time\"]\n";
    let policy = Policy::read(text).unwrap();
    let case = Case { policy, ..case.clone() };
    assert_eq!(case.answer(), "review time.missing");
    assert_eq!(outcome_of(&case.report(), "time.missing"), Some("missing"));
}

/// G2: the log holds, and signed, a body that is not the one spelling of what it says.
#[test]
fn a_logged_body_in_another_spelling() {
    let good = String::from_utf8(rekord().to_body()).unwrap();
    let value: Value = serde_json::from_str(&good).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    let reordered = {
        let (head, spec) = good.split_once(",\"spec\":").unwrap();
        let spec = spec.strip_suffix('}').unwrap();
        format!("{{\"spec\":{spec},{}}}", head.strip_prefix('{').unwrap())
    };
    for (what, body) in [
        ("a member more", good.replacen('{', "{\"a\":1,", 1)),
        (
            "a member more in the spec",
            good.replace("{\"hashedRekordV002\":", "{\"a\":1,\"hashedRekordV002\":"),
        ),
        ("a member more in the data", good.replace("\"data\":{", "\"data\":{\"a\":1,")),
        ("pretty", pretty),
        ("another order", reordered),
        ("a line feed behind", format!("{good}\n")),
        ("a space before", format!(" {good}")),
        ("an escaped letter", good.replace("hashedrekord", "hashedrekor\\u0064")),
    ] {
        assert_ne!(body, good, "{what}");
        let recipe = Recipe { body: body.into_bytes(), ..Recipe::good() };
        let answer = case(&recipe.bundle()).answer();
        assert_eq!(answer, "reject log.body-not-canonical", "{what}");
    }
}

/// G2: kind or version in the body other than beside it.
#[test]
fn a_logged_body_of_another_kind() {
    let good = String::from_utf8(rekord().to_body()).unwrap();
    for (from, to) in [
        ("\"kind\":\"hashedrekord\"", "\"kind\":\"dsse\""),
        ("\"apiVersion\":\"0.0.2\"", "\"apiVersion\":\"0.0.1\""),
        ("\"apiVersion\":\"0.0.2\"", "\"apiVersion\":\"0.0.3\""),
        ("\"kind\":\"hashedrekord\"", "\"kind\":\"HashedRekord\""),
    ] {
        let recipe = Recipe { body: good.replace(from, to).into_bytes(), ..Recipe::good() };
        assert_eq!(case(&recipe.bundle()).answer(), "reject log.body-kind", "{to}");
    }
}

/// G3: the entry names another log that is trusted too, or none.
#[test]
fn the_id_of_another_log() {
    let other = ed25519("other log");
    let id_of_other = genten_tlog::NoteKey::ed25519("other.example", other.public_key()).unwrap();
    for (id, answer) in [
        (id_of_other.full_id().as_bytes().to_vec(), "reject log.checkpoint-origin"),
        (vec![0; 32], "reject log.other-log-id"),
        (vec![], "reject log.other-log-id"),
        (log_key(HOST).id().to_vec(), "reject log.other-log-id"),
        (
            Sha256Digest::of(log_key(HOST).key().to_spki_der()).as_bytes().to_vec(),
            "reject log.other-log-id",
        ),
    ] {
        let mut bundle = Recipe::good().bundle();
        entry(&mut bundle)["logId"]["keyId"] = base64(&id).into();
        let kit = kit(json!([small(), tlog("other.example", &other)]), &[]);
        assert_eq!(Case { kit, ..case(&bundle) }.answer(), answer, "{id:?}");
    }
}

/// G4: a checkpoint of the log's key under another origin, or another name.
#[test]
fn another_origin_or_name_in_the_checkpoint() {
    let other = || "other.example".to_owned();
    for (what, recipe, answer) in [
        (
            "both",
            Recipe { origin: other(), name: other(), ..Recipe::good() },
            "reject log.checkpoint-origin",
        ),
        ("origin", Recipe { origin: other(), ..Recipe::good() }, "reject log.checkpoint-origin"),
        ("name", Recipe { name: other(), ..Recipe::good() }, "reject log.checkpoint-unsigned"),
        (
            "longer origin",
            Recipe { origin: format!("{HOST} - 1"), ..Recipe::good() },
            "reject log.checkpoint-origin",
        ),
    ] {
        assert_eq!(case(&recipe.bundle()).answer(), answer, "{what}");
    }
}

/// G5: the window of the log's key is closed at both ends.
#[test]
fn the_window_of_the_logs_key() {
    const STAMPED: &str = "2026-11-30T00:08:24Z";
    for (start, end, answer) in [
        ("2026-01-01T00:00:00Z", STAMPED, "accept"),
        (STAMPED, "2027-01-01T00:00:00Z", "accept"),
        ("2026-01-01T00:00:00Z", "2026-11-30T00:08:23Z", "review log.key-window"),
        ("2026-11-30T00:08:25Z", "2027-01-01T00:00:00Z", "review log.key-window"),
    ] {
        let window = json!({"start": start, "end": end});
        let case = under_root("blob", |root| root["tlogs"][0]["publicKey"]["validFor"] = window);
        let Some(case) = case else { return };
        assert_eq!(case.answer(), answer, "{start} {end}");
    }
}

fn witness_policy() -> String {
    let [log, w1] = [log_key(HOST).to_vkey(), witness("w1.example").to_vkey()];
    format!("log {log}\nwitness w1 {w1}\nquorum w1\n")
}

/// The signature of a line with one bit changed.
fn corrupt(line: &str) -> String {
    let (head, blob) = line.trim_end().rsplit_once(' ').unwrap();
    let mut bytes = from_base64(blob).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    format!("{head} {}\n", base64(&bytes))
}

/// G6: a corrupted cosignature of a witness that the kit knows; that of an unknown witness is passed over.
#[test]
fn a_corrupted_cosignature() {
    let answer = |lines: fn(&str) -> Vec<String>| {
        let bundle = Recipe { cosign: lines, ..Recipe::good() }.bundle();
        let kit = kit(json!([small()]), &[witness_policy()]);
        Case { kit, ..case(&bundle) }.answer()
    };
    let w1 = |text: &str| cosign("w1.example", text);
    let good = answer(|text| vec![cosign("w1.example", text)]);
    assert_eq!(good, "accept", "{}", w1(""));
    assert_eq!(answer(|text| vec![corrupt(&cosign("w1.example", text))]), "reject log.cosignature");
    let of_other_text = |_: &str| vec![cosign("w1.example", "log.example\n1\n\n")];
    assert_eq!(answer(of_other_text), "reject log.cosignature");
    let one_good =
        |text: &str| vec![cosign("w1.example", text), corrupt(&cosign("w1.example", text))];
    assert_eq!(answer(one_good), "reject log.cosignature");
    let unknown =
        |text: &str| vec![corrupt(&cosign("w9.example", text)), cosign("w1.example", text)];
    assert_eq!(answer(unknown), "accept");
    let bundle =
        Recipe { cosign: |text| vec![corrupt(&cosign("w1.example", text))], ..Recipe::good() };
    assert_eq!(case(&bundle.bundle()).answer(), "accept", "no kit names the witness");
}

/// G7: Ed25519ph, whose digest is SHA-512.
#[test]
fn ed25519ph() {
    let Some(case) = live::case("ed") else { return };
    assert_eq!(case.answer(), "accept");
}

/// G8: the body says another kind of key than it holds, or another hash than the key signs.
#[test]
fn details_that_do_not_fit_the_key() {
    for details in KeyDetails::ALL.into_iter().filter(|one| *one != KeyDetails::EcdsaP256Sha256) {
        let body = genten_tlog::rekor::HashedRekord { details, ..rekord() }.to_body();
        let answer = case(&Recipe { body, ..Recipe::good() }.bundle()).answer();
        assert_eq!(answer, "reject log.key-details", "{details}");
    }
    let mut other = rekord();
    other.hash = HashAlgorithm::Sha384;
    other.digest = HashAlgorithm::Sha384.digest(ARTIFACT);
    let bundle = Recipe { body: other.to_body(), ..Recipe::good() }.bundle();
    assert_eq!(case(&bundle).answer(), "reject log.key-details", "another hash");
}

/// G9: a trusted root that names the log by one id and its checkpoints' key by another.
#[test]
fn an_id_for_checkpoints_of_its_own() {
    let of_key = |root: &mut Value| {
        let log = &mut root["tlogs"][0];
        let key = from_base64(log["publicKey"]["rawBytes"].as_str().unwrap()).unwrap();
        log["checkpointKeyId"] = log["logId"].clone();
        log["logId"] = json!({"keyId": base64(Sha256Digest::of(&key).as_bytes())});
        log["logId"]["keyId"].clone()
    };
    for name in ["blob", "ed", "p384"] {
        let Some(case) = under_root(name, |root| {
            of_key(root);
        }) else {
            return;
        };
        assert_eq!(case.answer(), "accept", "{name}");
        // The entry names the log as the root does.
        let mut id = Value::Null;
        let case = under_root(name, |root| id = of_key(root)).unwrap();
        let mut bundle = recorded(&case);
        entry(&mut bundle)["logId"]["keyId"] = id;
        assert_eq!(with_bundle(case, &bundle).answer(), "accept", "{name}");
    }
}

/// A promise beside an entry of version 2, whose logs make none.
#[test]
fn a_promise_that_does_not_hold() {
    let mut bundle = Recipe::good().bundle();
    entry(&mut bundle)["inclusionPromise"] = json!({"signedEntryTimestamp": base64(&[0; 64])});
    assert_eq!(case(&bundle).answer(), "reject log.entry-malformed", "no time");
    entry(&mut bundle)["integratedTime"] = "1796000000".into();
    assert_eq!(case(&bundle).answer(), "reject log.promise");
}
