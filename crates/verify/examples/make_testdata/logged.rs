//! Logs, witnesses and timestamp authorities of the cases, and the evidence that they give.

use genten_primitives::Timestamp;
use genten_primitives::encoding::base64;
use genten_testkit::SeedKey;
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::tsa::Tsa;
use genten_testkit::witness::{Witness, policy};
use serde_json::{Value, json};

use super::world::{WEB, signer};
use crate::common::case::Case;
use crate::common::kit::{Kit, signer as listed, with};
use crate::common::manifest::Draft;

/// When the witnesses cosigned, by default: a minute after the fetch.
pub(crate) const COSIGNED: &str = "2026-11-30T08:16:00Z";

/// When the authority stamped, by default: two minutes after the fetch.
pub(crate) const STAMPED: &str = "2026-11-30T08:17:00Z";

pub(crate) fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(crate) fn seconds(text: &str) -> u64 {
    u64::try_from(time(text).as_millis() / 1000).unwrap()
}

pub(crate) fn log() -> TestLog {
    TestLog::new("log.example.org")
}

pub(crate) fn witnesses() -> [Witness; 2] {
    [Witness::new("w1.example"), Witness::new("w2.example")]
}

pub(crate) fn tsa() -> Tsa {
    Tsa::new("Example stamps")
}

/// A kit with the log, of whose two witnesses `needed` must have cosigned, and with the timestamp authority.
pub(crate) fn kit_needing(needed: usize) -> Kit {
    let [one, two] = witnesses();
    let witnesses = if needed == 0 { vec![] } else { vec![&one, &two] };
    Kit::new()
        .with("tlog_policies", json!([policy(&[log().note_key()], &witnesses, needed)]))
        .with("timestamp_authorities", json!([tsa().in_kit()]))
}

pub(crate) fn kit() -> Kit {
    kit_needing(2)
}

/// The kit, with the signer listed under [`WEB`] with these members besides.
pub(crate) fn kit_listing(members: Value) -> Kit {
    kit().signer(with(listed(WEB, &signer()), members))
}

/// What a manifest's signature is over.
pub(crate) fn input(draft: &Draft) -> Vec<u8> {
    draft.signing_input(&draft.header_text()).into_bytes()
}

/// The body of the log entry of a message, by a key.
pub(crate) fn body(key: &SeedKey, message: &[u8]) -> Vec<u8> {
    key.rekord(message).to_body()
}

/// The entry of a body, under a checkpoint that both witnesses cosigned at these times.
pub(crate) fn entry_at(body: &[u8], times: [&str; 2]) -> Value {
    let [one, two] = witnesses();
    let cosigned = [(&one, seconds(times[0])), (&two, seconds(times[1]))];
    log().log(body, &Handing { witnesses: &cosigned, ..Handing::default() })
}

/// The same at the usual time.
pub(crate) fn entry(body: &[u8]) -> Value {
    entry_at(body, [COSIGNED, COSIGNED])
}

/// The entry of a body, under a checkpoint that was spoilt before log and witnesses signed it.
pub(crate) fn entry_spoilt(body: &[u8], spoil: &dyn Fn(&mut String)) -> Value {
    let [one, two] = witnesses();
    let cosigned = [(&one, seconds(COSIGNED)), (&two, seconds(COSIGNED))];
    log().log(body, &Handing { witnesses: &cosigned, text: Some(spoil), ..Handing::default() })
}

/// Evidence of type `rekor-v2`.
pub(crate) fn rekor(subject: &str, entry: Value) -> Value {
    json!({"type": "rekor-v2", "subject": subject, "entry": entry})
}

/// The manifest's own entry: for Ed25519 with the signature that was logged.
pub(crate) fn logged(draft: &Draft) -> Value {
    logged_at(draft, [COSIGNED, COSIGNED])
}

pub(crate) fn logged_at(draft: &Draft, times: [&str; 2]) -> Value {
    let rekord = draft.key().seed().rekord(&input(draft));
    let evidence = rekor("manifest", entry_at(&rekord.to_body(), times));
    match draft.key().algorithm() {
        genten_jws::Algorithm::Es256 => evidence,
        genten_jws::Algorithm::EdDsa => {
            with(evidence, json!({"signature": base64(&rekord.signature)}))
        }
    }
}

/// Evidence of type `rfc3161`.
pub(crate) fn rfc3161(subject: &str, token: &[u8]) -> Value {
    json!({"type": "rfc3161", "subject": subject, "token": base64(token)})
}

/// A stamp over the manifest's signature as it is logged.
pub(crate) fn stamped(draft: &Draft) -> Value {
    stamped_at(draft, STAMPED)
}

pub(crate) fn stamped_at(draft: &Draft, at: &str) -> Value {
    let signature = draft.key().seed().rekord(&input(draft)).signature;
    let evidence = rfc3161("manifest", &tsa().stamp(&signature, time(at)));
    match draft.key().algorithm() {
        genten_jws::Algorithm::Es256 => evidence,
        genten_jws::Algorithm::EdDsa => with(evidence, json!({"signature": base64(&signature)})),
    }
}

/// A bundle whose signer is trusted by name, judged with this kit.
pub(crate) fn trusting(draft: &Draft, evidence: &[Value], kit: &Kit) -> Case {
    super::world::trusting_bundle(draft.bundle(evidence)).kit(kit)
}

/// A policy that asks for more than signature and signer.
pub(crate) fn asking(words: &[&str]) -> String {
    let more: Vec<_> = words.iter().map(|word| format!(", \"{word}\"")).collect();
    format!("[require]\ndefault = [\"signature\", \"signer\"{}]\n", more.concat())
}
