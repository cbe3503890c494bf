//! Which logs, witnesses and log keys are believed, and when.

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use genten_testkit::log::{Handing, TestLog, trusted_root};
use genten_testkit::witness::{Witness, policy};
use serde_json::{Value, json};

use super::logged::{
    COSIGNED, asking, body, entry, entry_at, input, kit, kit_listing, kit_needing, log, logged,
    rekor, stamped, trusting, witnesses,
};
use super::world::{Named, WEB, draft, signer};
use crate::common::BODY;
use crate::common::case::Case;
use crate::common::keys::{Key, es256};
use crate::common::kit::{Kit, signer as listed, with};
use crate::common::manifest::Draft;

pub(crate) fn cases() -> Vec<Case> {
    [logs(), names(), vec![two_ids()], times(), log_keys()].concat()
}

fn of(draft: &Draft, evidence: &[Value]) -> Case {
    trusting(draft, evidence, &kit())
}

/// Which logs are believed.
fn logs() -> Vec<Case> {
    let elsewhere = TestLog::new("elsewhere.example.org");
    let held = || {
        let body = body(signer().seed(), &input(&draft()));
        rekor("manifest", elsewhere.clone().log(&body, &Handing::default()))
    };
    let without = |path: &str| {
        let mut evidence = held();
        *evidence.pointer_mut(path).unwrap() = json!(null);
        evidence
    };
    let root = |end| {
        let tlog = log().in_trusted_root("2026-01-01T00:00:00Z", end);
        kit_needing(0)
            .with("tlog_policies", json!([]))
            .with("sigstore_trusted_roots", json!([trusted_root(&[tlog], &[], &[], &[])]))
    };
    let both = [logged(&draft()), stamped(&draft())];
    let unwitnessed = trusting(&draft(), &both, &kit_needing(0));
    vec![
        of(&draft(), &[held()]).accepted(
            "good-log-unknown",
            "An entry of a log that the kit does not hold: a note.",
            &["log.unknown"],
        ),
        of(&draft(), &[held()]).policy_file(&asking(&["log"])).reviewed(
            "log-unknown",
            "The same where the policy asks for a log.",
            "log.unknown",
        ),
        of(&draft(), &[without("/entry/inclusionProof")]).rejected(
            "log-unknown-without-proof",
            "No proof: whatever the log, nothing is fetched to get one.",
            "log.proof-missing",
        ),
        of(&draft(), &[without("/entry/inclusionProof/checkpoint")]).rejected(
            "log-unknown-without-checkpoint",
            "No checkpoint, in the same way.",
            "log.checkpoint-missing",
        ),
        trusting(&draft(), &both, &root(None)).with_body().policy("high-trust").accepted(
            "good-log-of-trusted-root",
            "A log that a Sigstore trusted root names needs no witnesses.",
            &["log.included"],
        ),
        trusting(&draft(), &both, &root(Some("2026-11-30T08:16:59Z"))).reviewed(
            "log-key-window",
            "The log's key was out of use a second before the only trusted time (G5).",
            "log.key-window",
        ),
        trusting(&draft(), &both, &root(Some("2026-11-30T08:17:00Z"))).accepted(
            "good-log-key-window-end",
            "The log's key was in use until the second of the stamp, which lies in its window.",
            &["log.included"],
        ),
        unwitnessed.clone().with_body().policy("high-trust").reviewed(
            "log-unwitnessed",
            "The signer's own log, whose policy asks for no witnesses, where high-trust asks for a log.",
            "log.unwitnessed",
        ),
        unwitnessed.policy_file(&asking(&["log"])).accepted(
            "good-log-unwitnessed",
            "Such a log under a policy that is content with it: named.",
            &["log.included", "log.unwitnessed", "witness.missing"],
        ),
        trusting(&draft(), &both, &kit_needing(0)).policy_file("base = \"mcp11\"\n[require]\nstatic = [\"signature\", \"signer\"]\ndefault = [\"signature\", \"signer\", \"log\"]\n").reviewed(
            "log-unwitnessed-mcp11",
            "Such a log under a policy that builds on mcp11 and asks for a log.",
            "log.unwitnessed",
        ),
    ]
}

/// One key is one log, by whatever name its holder signs.
fn names() -> Vec<Case> {
    let key = es256("log of two names").seed().clone();
    let [listed, other] = ["listed", "other"]
        .map(|name| TestLog::with_key(&format!("{name}.example.org"), key.clone()));
    let held = |log: &TestLog| {
        let body = body(signer().seed(), &input(&draft()));
        rekor("manifest", log.clone().log(&body, &Handing::default()))
    };
    let root = other.in_trusted_root("2026-01-01T00:00:00Z", None);
    let [one, two] = witnesses();
    let policies = [policy(&[listed.note_key()], &[&one, &two], 2)];
    let kit = Kit::new()
        .with("tlog_policies", json!(policies))
        .with("sigstore_trusted_roots", json!([trusted_root(&[root], &[], &[], &[])]));
    let three = Witness::new("w3.example");
    let more =
        [policy(&[log().note_key()], &[&three], 1), policy(&[log().note_key()], &[&one, &two], 2)];
    let of_several = Kit::new().with("tlog_policies", json!(more));
    let case =
        |log: &TestLog| trusting(&draft(), &[held(log)], &kit).policy_file(&asking(&["log"]));
    vec![
        trusting(&draft(), &[logged(&draft())], &of_several).policy_file(&asking(&["log"])).reviewed(
            "log-of-several-policies",
            "A log in two policies, of which the last has its quorum: both must.",
            "log.quorum-not-met",
        ),
        case(&listed).reviewed(
            "log-without-its-witnesses",
            "A log whose policy wants two witnesses, and no cosignature.",
            "log.quorum-not-met",
        ),
        case(&other).reviewed(
            "log-under-another-name",
            "The same log under the name that a trusted root has for it: its witnesses are asked for all the same.",
            "log.quorum-not-met",
        ),
    ]
}

/// One entry, which names its log by both ids that a trusted root states.
fn two_ids() -> Case {
    let short = json!(base64(&log().note_key().id()));
    let mut root = log().in_trusted_root("2026-01-01T00:00:00Z", None);
    root["checkpointKeyId"] = json!({"keyId": short});
    let root = trusted_root(&[root], &[], &[], &[]);
    let mut again = logged(&draft());
    again["entry"]["logId"]["keyId"] = short;
    let kit = kit_needing(0).with("sigstore_trusted_roots", json!([root]));
    trusting(&draft(), &[logged(&draft()), again], &kit).rejected(
        "log-entry-twice-by-ids",
        "One entry counted twice, under two ids of its log.",
        "log.duplicate-entry",
    )
}

/// Times that witnesses state, and windows of log keys.
fn times() -> Vec<Case> {
    let [one, two] = witnesses();
    let year_10000 = 253_402_300_800;
    let cosigned = [(&one, year_10000), (&two, year_10000)];
    let body_of_signer = body(signer().seed(), &input(&draft()));
    let beyond = Handing { witnesses: &cosigned, ..Handing::default() };
    let beyond = rekor("manifest", log().log(&body_of_signer, &beyond));
    let log_key = es256("log key");
    let by_web = Draft::new(&signer(), WEB);
    let late = entry_at(&body(log_key.seed(), &input(&by_web)), ["2100-01-01T00:00:00Z", COSIGNED]);
    let over = log().in_trusted_root("2026-01-01T00:00:00Z", Some("2026-11-01T00:00:00Z"));
    let over = kit_needing(0)
        .with("tlog_policies", json!([]))
        .with("sigstore_trusted_roots", json!([trusted_root(&[over], &[], &[], &[])]));
    vec![
        of(&draft(), &[beyond]).policy_file(&asking(&["witness"])).reviewed(
            "witness-beyond-calendar",
            "Cosignatures of the year 10000, which can be held against nothing.",
            "witness.missing",
        ),
        Case::bundle(by_web.bundle(&[rekor("manifest", late)]))
            .kit(&kit_listing(json!({"log_keys": [log_key.jwk()]})))
            .policy_file(&asking(&["log"]))
            .reviewed(
                "log-key-witness-in-future",
                "An entry by a log key, which a witness says to have seen in 2100.",
                "time.in-future",
            ),
        trusting(&draft(), &[logged(&draft())], &over).reviewed(
            "log-key-window-untimed",
            "The log's key was out of use at the time that the signer states, and nobody else states one.",
            "log.key-window",
        ),
    ]
}

/// Keys that the kit ties to the signer, and calls revoked.
fn log_keys() -> Vec<Case> {
    let log_key = es256("log key");
    let by_web = Draft::new(&signer(), WEB);
    let by_log_key = rekor("manifest", entry(&body(log_key.seed(), &input(&by_web))));
    let content_key = es256("content log key");
    let of_content = |key: &Key| {
        let body = key.seed().content_rekord(&Sha256Digest::of(BODY)).unwrap().to_body();
        rekor("content", entry(&body))
    };
    let by_content_key = rekor("manifest", entry(&body(content_key.seed(), &input(&by_web))));
    let both = kit_listing(json!({
        "log_keys": [log_key.jwk()], "content_log_keys": [content_key.jwk()],
    }));
    let asked = |evidence: Value, word: &str| {
        Case::bundle(by_web.bundle(&[evidence])).kit(&both).policy_file(&asking(&[word]))
    };
    let revoked = json!({"status": "revoked", "revoked_at": "2026-12-01T00:00:00Z"});
    let kit = kit_listing(json!({"log_keys": [log_key.jwk()]}))
        .signer(with(listed("did:web:old.example#key-1", &log_key), revoked));
    vec![
        Case::bundle(by_web.bundle(&[by_log_key])).kit(&kit).policy_file(&asking(&["log"])).reviewed(
            "log-key-revoked",
            "An entry by one of the signer's log keys, which the kit calls revoked under another id.",
            "log.key-unbound",
        ),
        asked(by_content_key, "log").reviewed(
            "log-manifest-by-content-key",
            "An entry of the manifest by the key that logs contents.",
            "log.key-unbound",
        ),
        asked(of_content(&log_key), "log.content").reviewed(
            "log-content-by-log-key",
            "An entry of the content by the key that logs manifests.",
            "log.key-unbound",
        ),
        asked(of_content(&content_key), "log").reviewed(
            "log-content-alone",
            "An entry of the content where the policy asks for one of the manifest.",
            "log.missing",
        ),
        asked(of_content(&content_key), "time").reviewed(
            "log-content-shows-no-time",
            "An entry of the content: its witnesses saw no signature of the manifest.",
            "time.missing",
        ),
    ]
}
