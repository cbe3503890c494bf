//! Certificate Transparency: promises of logs about the server's certificate, and proofs that a log holds it.

use genten_pki::{Certificate, CtEntry, Sct};
use genten_primitives::encoding::{base64, base64url};
use genten_testkit::ct::{CtTestLog, leaf_index, log_list, sct_list};
use rcgen::CustomExtension;
use serde_json::{Value, json};

use super::logged::{asking, time};
use super::transport::{HOST, root, server, stating};
use super::world::{Named, stranger, trusting_bundle};
use crate::common::case::Case;
use crate::common::certificates::{Params, both, host, tls_chain};
use crate::common::kit::{Kit, with};

pub(crate) fn cases() -> Vec<Case> {
    [promises(), inclusion()].concat()
}

fn first() -> CtTestLog {
    CtTestLog::new("first", "One")
}

fn second() -> CtTestLog {
    CtTestLog::new("second", "Two")
}

fn third() -> CtTestLog {
    CtTestLog::new("third", "One")
}

fn kit() -> Kit {
    Kit::new().with("ct_log_list", log_list(&[&first(), &second(), &third()]))
}

fn millis(text: &str) -> u64 {
    time(text).as_millis().unsigned_abs()
}

/// Long before the fetch.
const MADE: &str = "2026-10-01T00:00:00Z";

type Promise<'p> = &'p dyn Fn(&CtEntry<'_>) -> Vec<Sct>;

/// The server's certificate with these promises inside.
fn promised(promise: Promise<'_>) -> Vec<u8> {
    let plain = Certificate::from_der(&root().leaf(&server(), &host(HOST))).unwrap();
    let issuer_key_hash = Certificate::from_der(&root().der).unwrap().spki_sha256();
    let entry = CtEntry::Precertificate { issuer_key_hash, tbs: plain.tbs_der() };
    let (oid, _, content) = genten_testkit::ct::extension(&sct_list(&promise(&entry)));
    let list = move |params: &mut Params| {
        params.custom_extensions.push(CustomExtension::from_oid_content(&oid, content.clone()));
    };
    root().leaf(&server(), &both(host(HOST), list))
}

fn by_both(entry: &CtEntry<'_>) -> Vec<Sct> {
    vec![first().sct(millis(MADE), &[], entry), second().sct(millis(MADE), &[], entry)]
}

/// A manifest that states the certificate, with its chain and what came with it.
fn with_chain(leaf: &[u8], more: Value, kit: &Kit) -> Case {
    let chain = with(tls_chain(&[leaf, &root().der]), more);
    trusting_bundle(stating(leaf).bundle(&[chain])).kit(kit).policy_file(&asking(&["ct"]))
}

fn embedded(promise: Promise<'_>) -> Case {
    with_chain(&promised(promise), json!({}), &kit())
}

fn promises() -> Vec<Case> {
    let plain = root().leaf(&server(), &host(HOST));
    let beside = sct_list(&by_both(&CtEntry::Certificate(&plain)));
    let with_first = promised(&|entry| vec![first().sct(millis(MADE), &[], entry)]);
    let of_that = CtEntry::Certificate(&with_first);
    let beside_by_third = sct_list(&[third().sct(millis(MADE), &[], &of_that)]);
    let signed = stating(&plain).with("/ct_log_proof", format!("sct-list:{}", base64url(&beside)));
    let mut outer = promised(&by_both);
    let last = outer.len() - 1;
    outer[last] ^= 1;
    let late = |at: &'static str| {
        move |entry: &CtEntry<'_>| {
            vec![first().sct(millis(MADE), &[], entry), second().sct(millis(at), &[], entry)]
        }
    };
    vec![
        embedded(&by_both).accepted(
            "good-ct-embedded",
            "Logs of two operators promised inside the certificate to include it.",
            &["ct.promised"],
        ),
        with_chain(&plain, json!({"scts": base64(&beside)}), &kit()).accepted(
            "good-ct-beside",
            "The same beside the certificate, as the TLS extension has it.",
            &["ct.promised"],
        ),
        trusting_bundle(signed.bundle(&[tls_chain(&[&plain, &root().der])]))
            .kit(&kit())
            .policy_file(&asking(&["ct"]))
            .accepted("good-ct-signed", "The same list in the manifest itself.", &["ct.promised"]),
        embedded(&|entry| {
            vec![first().sct(millis(MADE), &[], entry), third().sct(millis(MADE), &[], entry)]
        })
        .reviewed("ct-one-operator", "Two logs of one operator.", "ct.one-operator"),
        with_chain(&with_first, json!({"scts": base64(&beside_by_third)}), &kit()).reviewed(
            "ct-one-operator-in-two-lists",
            "Two logs of one operator, one promise inside the certificate and one beside it.",
            "ct.one-operator",
        ),
        embedded(&late("2026-11-30T08:16:00Z")).accepted(
            "good-ct-skew",
            "A promise of a minute after the fetch: within the clock skew.",
            &["ct.promised"],
        ),
        embedded(&late("2026-11-30T08:16:00.001Z")).reviewed(
            "ct-in-future",
            "A promise that was made after the fetch, beyond the clock skew: it does not count.",
            "ct.in-future",
        ),
        embedded(&|_| by_both(&CtEntry::Certificate(b"another certificate"))).rejected(
            "ct-signature",
            "Promises of logs that are known about another certificate.",
            "ct.signature",
        ),
        embedded(&|entry| {
            let unheard = CtTestLog::new("unheard", "Nobody");
            vec![unheard.sct(millis(MADE), &[], entry)]
        })
        .reviewed(
            "ct-nothing-verified",
            "A promise of a log that the kit does not hold.",
            "ct.nothing-verified",
        ),
        with_chain(&promised(&by_both), json!({}), &Kit::new()).reviewed(
            "ct-no-log-list",
            "Promises, and no list of logs in the kit.",
            "ct.no-log-list",
        ),
        with_chain(&outer, json!({}), &kit()).rejected(
            "ct-outer-signature",
            "Valid promises in a certificate whose outer signature was changed: promises do not cover it.",
            "tls-chain.signature",
        ),
    ]
}

fn inclusion() -> Vec<Case> {
    let promise = |entry: &CtEntry<'_>| vec![first().sct(millis(MADE), &leaf_index(1), entry)];
    let elsewhere = |entry: &CtEntry<'_>| vec![first().sct(millis(MADE), &leaf_index(2), entry)];
    let late = |entry: &CtEntry<'_>| {
        vec![first().sct(millis("2026-12-24T00:00:00Z"), &leaf_index(1), entry)]
    };
    let leaf_of = |promise: Promise<'_>| {
        let certificate = Certificate::from_der(&promised(promise)).unwrap();
        let tbs = certificate.tbs_without_scts();
        let issuer_key_hash = Certificate::from_der(&root().der).unwrap().spki_sha256();
        let entry = CtEntry::Precertificate { issuer_key_hash, tbs: &tbs };
        promise(&entry)[0].leaf_hash(&entry).unwrap()
    };
    let at = millis("2026-10-02T00:00:00Z");
    let proven = |promise: Promise<'_>, proof: &[u8]| {
        with_chain(&promised(promise), json!({"tlog_proof": base64(proof)}), &kit())
    };
    let of_two = |one: &[u8], two: &[u8]| {
        let leaf = promised(&promise);
        let chain = |proof: &[u8]| {
            with(tls_chain(&[&leaf, &root().der]), json!({"tlog_proof": base64(proof)}))
        };
        trusting_bundle(stating(&leaf).bundle(&[chain(one), chain(two)]))
            .kit(&kit())
            .policy_file(&asking(&["ct"]))
    };
    let good = first().proof(leaf_of(&promise), at, None);
    let unheard = CtTestLog::new("unheard", "Nobody").proof(leaf_of(&promise), at, None);
    let forged = first().proof(leaf_of(&promise), at, Some(stranger().seed()));
    let mut list = log_list(&[&first(), &second(), &third()]);
    list["operators"][0]["tiled_logs"][0]["state"] =
        json!({"rejected": {"timestamp": "2026-11-01T00:00:00Z"}});
    let withdrawn = Kit::new().with("ct_log_list", list);
    let other = first().proof(genten_tlog::merkle::leaf_hash(b"another certificate"), at, None);
    vec![
        proven(&promise, &good).accepted(
            "good-ct-included",
            "A log of one operator proves that it holds the certificate.",
            &["ct.included", "ct.one-operator"],
        ),
        proven(&late, &first().proof(leaf_of(&late), at, None)).reviewed(
            "ct-proof-of-late-promise",
            "A proof that belongs to a promise from after the fetch, which does not count.",
            "ct.in-future",
        ),
        proven(&promise, &unheard).reviewed(
            "ct-proof-unknown-log",
            "A proof of a log that the kit does not hold.",
            "ct.proof-unknown-log",
        ),
        proven(&promise, &good).kit(&withdrawn).reviewed(
            "ct-proof-rejected-log",
            "A proof of a log that the kit's list has struck off.",
            "ct.proof-unknown-log",
        ),
        proven(&promise, &forged).rejected(
            "ct-proof-checkpoint",
            "A proof under a checkpoint that somebody else signed.",
            "ct.proof-checkpoint",
        ),
        proven(&promise, &other).rejected(
            "ct-proof-inclusion",
            "A proof that the log holds another certificate.",
            "ct.proof-inclusion",
        ),
        of_two(&good, &other).rejected(
            "ct-proof-bad-beside-good",
            "Two proofs, of which one does not lead to the certificate.",
            "ct.proof-inclusion",
        ),
        proven(&elsewhere, &first().proof(leaf_of(&elsewhere), at, None)).rejected(
            "ct-proof-index",
            "A proof at another index than the log promised.",
            "ct.proof-inclusion",
        ),
        proven(&promise, &good[..good.len() - 1]).rejected(
            "ct-proof-malformed",
            "A proof file without its last byte.",
            "ct.proof-malformed",
        ),
    ]
}
