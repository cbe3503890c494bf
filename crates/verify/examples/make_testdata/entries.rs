//! Log entries: what they are about, whose they are, and whether a log that is known holds them.

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::{base64, from_base64};
use genten_primitives::key::{KeyDetails, KeyKind};
use genten_primitives::signature::ecdsa_twin;
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::witness::policy;
use genten_tlog::rekor::{HashedRekord, LoggedKey};
use serde_json::{Value, json};

use super::logged::{
    STAMPED, asking, body, entry, input, kit, kit_listing, kit_needing, log, logged, rekor,
    rfc3161, stamped, time, trusting, tsa,
};
use super::world::{DID, Named, WEB, draft, edwards, signer, stranger};
use crate::common::BODY;
use crate::common::case::Case;
use crate::common::certificates::{Ca, no_edit, uri, x509_chain};
use crate::common::keys::{Key, es256};
use crate::common::kit::{Kit, authority, did_document, signer as listed, with};
use crate::common::manifest::Draft;

pub(crate) fn cases() -> Vec<Case> {
    [good(), signers(), about(), keys(), bodies(), members(), pointers(), unjudged()].concat()
}

fn of(draft: &Draft, evidence: &[Value]) -> Case {
    trusting(draft, evidence, &kit())
}

fn content_key() -> Key {
    es256("content log key")
}

fn content_entry(digest: &Sha256Digest) -> Value {
    entry(&content_key().seed().content_rekord(digest).unwrap().to_body())
}

fn good() -> Vec<Case> {
    let all = asking(&["log", "time", "witness"]);
    let codes = ["log.included", "witness.quorum", "timestamp.holds", "time.trusted"];
    let edwards = Draft::new(&edwards(), &edwards().did_key());
    let content = kit_listing(json!({"content_log_keys": [content_key().jwk()]}));
    let by_web = Draft::new(&signer(), WEB);
    let of_content = content_entry(&Sha256Digest::of(BODY));
    let ecdsa = TestLog::with_key("ecdsa.example.org", es256("ecdsa log").seed().clone());
    let ecdsa_kit =
        kit_needing(0).with("tlog_policies", json!([policy(&[ecdsa.note_key()], &[], 0)]));
    let held = ecdsa.clone().log(&body(signer().seed(), &input(&draft())), &Handing::default());
    vec![
        of(&draft(), &[logged(&draft()), stamped(&draft())]).policy_file(&all).accepted(
            "good-log-es256",
            "A log entry, two cosignatures and a timestamp over the signature of the manifest itself.",
            &codes,
        ),
        Case::bundle(edwards.bundle(&[logged(&edwards), stamped(&edwards)]))
            .signer(&super::world::edwards().did_key())
            .kit(&kit())
            .policy_file(&all)
            .accepted(
                "good-log-eddsa",
                "The same for Ed25519, logged and stamped as Ed25519ph.",
                &codes,
            ),
        of(&draft(), &[logged(&draft()), stamped(&draft())])
            .with_body()
            .policy("high-trust")
            .accepted("good-high-trust", "high-trust: content, log and time.", &codes),
        Case::bundle(by_web.bundle(&[rekor("content", of_content)]))
            .kit(&content)
            .policy_file(&asking(&["log.content"]))
            .accepted(
                "good-log-content",
                "The content itself in the log, under the signer's content log key.",
                &["log.content.included"],
            ),
        trusting(&draft(), &[rekor("manifest", held)], &ecdsa_kit)
            .policy_file(&asking(&["log"]))
            .accepted("good-log-ecdsa", "A log that signs by ECDSA.", &["log.included", "log.unwitnessed"]),
    ]
}

/// Signers of every kind, with an entry and a stamp.
fn signers() -> Vec<Case> {
    let key = signer();
    let uri_id = "https://mcp.example.org/server";
    let root = Ca::root("Example signers root", &no_edit);
    let leaf = root.leaf(&key, &uri(uri_id));
    let certified = Draft::new(&key, uri_id);
    let by_authority = kit().authority(authority(&root.der, "https://mcp.example.org/*"));
    let mut rekord = key.seed().rekord(&input(&certified));
    rekord.key = LoggedKey::Certificate(leaf.clone());
    let in_certificate = rekor("manifest", entry(&rekord.to_body()));
    let by_document = kit().document(json!({"document": did_document(DID, "key-1", &key)}));
    let by_web = Draft::new(&key, WEB);
    let log_key = es256("log key");
    let by_log_key = rekor("manifest", entry(&body(log_key.seed(), &input(&by_web))));
    let by_another = log_key.seed().rekord(&input(&by_web)).signature;
    let stamp = rfc3161("manifest", &tsa().stamp(&by_another, time(STAMPED)));
    let of_log_key = with(stamp, json!({"signature": base64(&by_another)}));
    let other = root.leaf(&key, &uri("https://mcp.example.org/other"));
    rekord.key = LoggedKey::Certificate(other);
    let in_other = rekor("manifest", entry(&rekord.to_body()));
    let mut by_certified_log_key = log_key.seed().rekord(&input(&by_web));
    by_certified_log_key.key =
        LoggedKey::Certificate(root.leaf(&log_key, &uri("https://mcp.example.org/")));
    let by_certified_log_key = rekor("manifest", entry(&by_certified_log_key.to_body()));
    let wanting = asking(&["log"]);
    vec![
        Case::bundle(certified.bundle(&[x509_chain(&[&leaf]), in_certificate]))
            .kit(&by_authority)
            .policy_file(&wanting)
            .accepted(
                "good-log-certificate",
                "The entry carries the signer's certificate.",
                &["log.included"],
            ),
        Case::bundle(certified.bundle(&[x509_chain(&[&leaf]), in_other]))
            .kit(&by_authority)
            .rejected(
                "log-other-certificate",
                "The entry carries another certificate of the same key.",
                "log.other-certificate",
            ),
        Case::bundle(by_web.bundle(&[logged(&by_web)]))
            .kit(&by_document)
            .policy_file(&wanting)
            .accepted("good-log-did-document", "A signer in a DID document.", &["log.included"]),
        Case::bundle(by_web.bundle(std::slice::from_ref(&by_log_key)))
            .kit(&kit_listing(json!({"log_keys": [log_key.jwk()]})))
            .policy_file(&wanting)
            .accepted(
                "good-log-key",
                "The entry is by a key that the kit lists for the signer's entries.",
                &["log.included", "time.missing"],
            ),
        Case::bundle(by_web.bundle(&[by_certified_log_key]))
            .kit(&kit_listing(json!({"log_keys": [log_key.jwk()]})))
            .rejected(
                "log-key-in-certificate",
                "The entry carries a certificate, of a log key: only the signer's own leaf may stand in one.",
                "log.other-certificate",
            ),
        Case::bundle(by_web.bundle(&[of_log_key]))
            .kit(&kit_listing(json!({"log_keys": [log_key.jwk()]})))
            .policy_file(&asking(&["time"]))
            .reviewed(
                "timestamp-of-log-key",
                "A stamp over the signature of a key that the signer logs with: when he signed, it does not say.",
                "timestamp.other-key",
            ),
        Case::bundle(by_web.bundle(&[by_log_key]))
            .kit(&kit_listing(json!({"log_keys": [log_key.jwk()]})))
            .policy_file(&asking(&["time"]))
            .reviewed(
                "log-key-shows-no-time",
                "An entry by another key than the manifest's: its witnesses saw no signature of the signer.",
                "time.missing",
            ),
    ]
}

/// What an entry is about.
fn about() -> Vec<Case> {
    let key = signer();
    let other = draft().with("/source_revision", "other");
    let payload = key.seed().rekord(draft().payload().as_bytes());
    let by_web = Draft::new(&key, WEB);
    let content = kit_listing(json!({"content_log_keys": [content_key().jwk()]}));
    let of_other = content_entry(&Sha256Digest::of(b"another content"));
    let mut twin = key.seed().rekord(&input(&draft()));
    twin.signature = ecdsa_twin(&twin.signature, KeyKind::P256).unwrap();
    let stated = with(logged(&draft()), json!({"signature": base64(&twin.signature)}));
    vec![
        of(&draft(), &[logged(&other)]).rejected(
            "log-other-manifest",
            "The entry of another manifest of the same signer.",
            "log.other-digest",
        ),
        of(&draft(), &[rekor("manifest", entry(&payload.to_body()))]).rejected(
            "log-digest-of-payload",
            "The digest of the claims in place of that of the signing input.",
            "log.other-digest",
        ),
        of(&draft(), &[rekor("manifest", content_entry(&Sha256Digest::of(BODY)))]).rejected(
            "log-content-as-manifest",
            "The entry of the content, said to be that of the manifest.",
            "log.other-digest",
        ),
        Case::bundle(by_web.bundle(&[rekor("content", of_other)])).kit(&content).rejected(
            "log-other-content",
            "The entry of another content.",
            "log.content.other-digest",
        ),
        of(&draft(), &[rekor("manifest", entry(&twin.to_body()))]).rejected(
            "log-other-signature",
            "Another signature by the same key over the same digest.",
            "log.other-signature",
        ),
        of(&draft(), &[stated]).rejected(
            "log-stated-signature",
            "The signature that is stated beside the entry is not the logged one.",
            "log.other-signature",
        ),
        of(&draft(), &[logged(&draft()), logged(&draft())]).rejected(
            "log-entry-twice",
            "One entry counted twice.",
            "log.duplicate-entry",
        ),
    ]
}

/// Whose key an entry holds.
fn keys() -> Vec<Case> {
    let by_stranger = || rekor("manifest", entry(&body(stranger().seed(), &input(&draft()))));
    let by_web = Draft::new(&signer(), WEB);
    let of_content = || rekor("content", content_entry(&Sha256Digest::of(BODY)));
    let own_key = signer().seed().content_rekord(&Sha256Digest::of(BODY)).unwrap();
    let own_key = rekor("content", entry(&own_key.to_body()));
    vec![
        of(&draft(), &[by_stranger()]).accepted(
            "good-log-key-unbound",
            "An entry by a key that nothing ties to the signer: a note where no log is asked for.",
            &["log.key-unbound"],
        ),
        of(&draft(), &[by_stranger()]).policy_file(&asking(&["log"])).reviewed(
            "log-key-unbound",
            "The same where the policy asks for a log.",
            "log.key-unbound",
        ),
        Case::bundle(by_web.bundle(&[of_content()]))
            .kit(&kit_listing(json!({})))
            .policy_file(&asking(&["log.content"]))
            .reviewed(
                "log-content-key-unbound",
                "A content entry by a key that the kit does not list for contents.",
                "log.key-unbound",
            ),
        of(&draft(), &[own_key]).policy_file(&asking(&["log.content"])).reviewed(
            "log-content-by-signer",
            "A content entry by the key that signs manifests, which must sign no digests of others.",
            "log.key-unbound",
        ),
    ]
}

fn rebuilt(edit: impl Fn(String) -> String) -> Value {
    let text = String::from_utf8(body(signer().seed(), &input(&draft()))).unwrap();
    rekor("manifest", entry(edit(text).as_bytes()))
}

/// Bodies that a log has signed into its tree, wrong as they are.
fn bodies() -> Vec<Case> {
    let reject = |id: &str, about: &str, code: &str, evidence: Value| {
        of(&draft(), &[evidence]).rejected(id, about, code)
    };
    let rekord = || signer().seed().rekord(&input(&draft()));
    let put = |rekord: HashedRekord| rekor("manifest", entry(&rekord.to_body()));
    let signature = signer().seed().rekord(b"another message").signature;
    vec![
        reject(
            "log-body-member",
            "A body with one member more (G2).",
            "log.body-not-canonical",
            rebuilt(|text| text.replacen('{', "{\"a\":1,", 1)),
        ),
        reject(
            "log-body-spaces",
            "A body with a space in it (G2).",
            "log.body-not-canonical",
            rebuilt(|text| text.replacen(':', ": ", 1)),
        ),
        reject(
            "log-body-kind",
            "A body of another version than the entry says (G2).",
            "log.body-kind",
            rebuilt(|text| text.replacen("0.0.2", "0.0.1", 1)),
        ),
        reject(
            "log-body-malformed",
            "A body without a specification.",
            "log.body-malformed",
            rebuilt(|text| text.replacen("\"spec\"", "\"spic\"", 1)),
        ),
        reject(
            "log-key-details",
            "The kind of key in the body is not that of the key (G8).",
            "log.key-details",
            put(HashedRekord { details: KeyDetails::EcdsaP384Sha384, ..rekord() }),
        ),
        reject(
            "log-signature-invalid",
            "A body whose signature is over something else.",
            "log.signature-invalid",
            put(HashedRekord { signature, ..rekord() }),
        ),
    ]
}

/// One member of the unsigned parts is changed.
fn members() -> Vec<Case> {
    let changed = |path: &str, value: Value| {
        let mut evidence = logged(&draft());
        *evidence.pointer_mut(path).unwrap() = value;
        of(&draft(), &[evidence])
    };
    let good = logged(&draft());
    let hash = |path: &str| {
        let mut bytes = from_base64(good.pointer(path).unwrap().as_str().unwrap()).unwrap();
        bytes[7] ^= 1;
        json!(base64(&bytes))
    };
    let root = "/entry/inclusionProof/rootHash";
    let first = "/entry/inclusionProof/hashes/0";
    let no_proof = json!(null);
    let rows: [(&str, &str, &str, Value, &str); 11] = [
        ("proof-hash", "A hash of the proof is changed.", first, hash(first), "log.inclusion"),
        (
            "proof-root",
            "The unsigned root beside the proof is another than the signed one.",
            root,
            hash(root),
            "log.proof-root",
        ),
        (
            "proof-size",
            "The unsigned size beside the proof is another.",
            "/entry/inclusionProof/treeSize",
            json!("8"),
            "log.proof-size",
        ),
        (
            "proof-index",
            "The proof is of another index than the entry.",
            "/entry/inclusionProof/logIndex",
            json!("4"),
            "log.proof-index",
        ),
        (
            "proof-missing",
            "No proof: nothing is fetched to get one.",
            "/entry/inclusionProof",
            no_proof,
            "log.proof-missing",
        ),
        (
            "checkpoint-missing",
            "A proof without checkpoint: its own root proves nothing.",
            "/entry/inclusionProof/checkpoint",
            json!(null),
            "log.checkpoint-missing",
        ),
        (
            "body-missing",
            "An entry without body.",
            "/entry/canonicalizedBody",
            json!(null),
            "log.body-missing",
        ),
        (
            "index-negative",
            "A negative index.",
            "/entry/logIndex",
            json!("-1"),
            "log.negative-index",
        ),
        (
            "kind-unsupported",
            "A kind of entry that no log of version 2 takes any more.",
            "/entry/kindVersion",
            json!({"kind": "dsse", "version": "0.0.2"}),
            "log.kind-unsupported",
        ),
        (
            "other-log-id",
            "The id of the log is all zeros (G3).",
            "/entry/logId/keyId",
            json!(base64(&[0; 32])),
            "log.other-log-id",
        ),
        (
            "entry-malformed",
            "An index that is no number.",
            "/entry/logIndex",
            json!("five"),
            "log.entry-malformed",
        ),
    ];
    let case = |(name, about, path, value, code): (&str, &str, &str, Value, &str)| {
        changed(path, value).rejected(&format!("log-{name}"), about, code)
    };
    let mut cases: Vec<_> = rows.into_iter().map(case).collect();
    let mut beyond = logged(&draft());
    for path in ["/entry/logIndex", "/entry/inclusionProof/logIndex"] {
        *beyond.pointer_mut(path).unwrap() = json!("7");
    }
    cases.push(of(&draft(), &[beyond]).rejected(
        "log-index-beyond",
        "An index that is not below the size of the tree.",
        "log.inclusion",
    ));
    cases.push(other_root());
    cases
}

/// A proof that leads to a root which nobody signed, beside a good checkpoint of the same size.
fn other_root() -> Case {
    let unsigned = Handing::default();
    let (mut one, mut other) = (log(), log());
    one.append("an entry in one tree");
    other.append("an entry in the other tree");
    let body = body(signer().seed(), &input(&draft()));
    let (signed, mut entry) = (one.log(&body, &unsigned), other.log(&body, &unsigned));
    entry["inclusionProof"]["checkpoint"] = signed["inclusionProof"]["checkpoint"].clone();
    entry["inclusionProof"]["rootHash"] = json!(null);
    trusting(&draft(), &[rekor("manifest", entry)], &kit_needing(0)).rejected(
        "log-proof-of-unsigned-root",
        "The proof leads to another root than the one that the log signed.",
        "log.inclusion",
    )
}

/// The pointer beside the manifest.
fn pointers() -> Vec<Case> {
    let pointing = |pointer: &str| {
        let draft = draft().pointer(pointer);
        of(&draft, &[logged(&draft)])
    };
    vec![
        pointing("log.example.org#5").accepted(
            "good-log-pointer-agrees",
            "The pointer leads to the entry that came along.",
            &["log.included"],
        ),
        pointing("log.example.org#6").rejected(
            "log-pointer-index",
            "The pointer leads to another entry.",
            "log.pointer",
        ),
        pointing("elsewhere.example.org#5").rejected(
            "log-pointer-log",
            "The pointer leads to another log.",
            "log.pointer",
        ),
    ]
}

/// Evidence beside a manifest whose signature cannot be checked.
fn unjudged() -> Vec<Case> {
    let draft = Draft::new(&signer(), "did:web:unheard.example#key-1");
    let of_content = rekor("content", content_entry(&Sha256Digest::of(BODY)));
    let kit: Kit = kit();
    vec![
        Case::bundle(draft.bundle(&[logged(&draft), stamped(&draft), of_content]))
            .kit(&kit)
            .reviewed(
                "log-signer-unknown",
                "Entries and a stamp beside a manifest of which no key is known.",
                "signer.unknown",
            )
            .also(&["log.not-checked", "log.content.not-checked", "time.not-checked"]),
        Case::bundle(Draft::new(&stranger(), WEB).bundle(&[logged(&Draft::new(&signer(), WEB))]))
            .kit(&kit.signer(listed(WEB, &signer())))
            .rejected(
                "log-of-other-signer",
                "A stranger's manifest with the entry of the signer's.",
                "jws.signature.mismatch",
            ),
    ]
}
