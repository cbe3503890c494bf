//! Batches: many manifests under one signed root.

use genten_primitives::encoding::{base64url, hex};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_tlog::TreeSize;
use genten_tlog::batch::{Batch, BatchStatement, leaf};
use genten_tlog::merkle::node_hash;
use serde_json::{Value, json};

use super::logged::{STAMPED, asking, body, entry, kit, rekor, rfc3161, time, trusting, tsa};
use super::world::{Named, draft, signer, stranger};
use crate::common::canonical;
use crate::common::case::Case;
use crate::common::keys::Key;
use crate::common::manifest::Draft;

const CREATED: &str = "2026-11-30T08:15:30Z";

pub(crate) fn cases() -> Vec<Case> {
    [good(), leaves(), statements(), unmatched()].concat()
}

fn id(draft: &Draft) -> Sha256Digest {
    draft.manifest_id().parse().unwrap()
}

/// Five manifests of which ours is the third.
fn five() -> Vec<Draft> {
    let of = |number| match number {
        2 => draft(),
        other => draft().with("/source_revision", format!("number {other}")),
    };
    (0..5).map(of).collect()
}

fn batch() -> Batch {
    Batch::new(five().iter().map(id))
}

fn created(text: &str) -> Timestamp {
    time(text)
}

fn statement() -> BatchStatement {
    batch().statement(created(CREATED)).unwrap()
}

/// The signing input and the attached JWS of a statement.
fn sign(key: &Key, kid: &str, payload: &[u8]) -> (String, String) {
    let header =
        json!({"alg": key.algorithm().as_str(), "kid": kid, "typ": "provenance-batch+jws"});
    sign_under(&header, key, payload)
}

fn sign_under(header: &Value, key: &Key, payload: &[u8]) -> (String, String) {
    let header = canonical(&header.to_string());
    let input = format!("{}.{}", base64url(header.as_bytes()), base64url(payload));
    let jws = format!("{input}.{}", base64url(&key.sign(input.as_bytes())));
    (input, jws)
}

fn own(statement: &BatchStatement) -> (String, String) {
    sign(&signer(), &signer().did_key(), &statement.to_payload())
}

fn evidence(jws: &str, index: u64, hashes: &[Sha256Digest]) -> Value {
    let hashes: Vec<_> = hashes.iter().map(|hash| hex(hash.as_bytes())).collect();
    json!({"type": "batch", "statement": jws, "index": index, "hashes": hashes})
}

/// Ours as the third of five.
fn third() -> Value {
    let (_, jws) = own(&statement());
    evidence(&jws, 2, batch().prove(2).unwrap().hashes())
}

fn logged() -> Value {
    let (input, _) = own(&statement());
    rekor("batch", entry(&body(signer().seed(), input.as_bytes())))
}

fn stamped() -> Value {
    let (input, _) = own(&statement());
    rfc3161("batch", &tsa().stamp(&signer().seed().sign_der(input.as_bytes()), time(STAMPED)))
}

fn of(evidence: &[Value]) -> Case {
    trusting(&draft(), evidence, &kit())
}

fn good() -> Vec<Case> {
    let alone = Batch::new([id(&draft())]).statement(created(CREATED)).unwrap();
    let key = super::world::edwards();
    let by_edwards = Draft::new(&key, &key.did_key());
    let batch = Batch::new([id(&draft()), id(&by_edwards)]);
    let (input, jws) =
        sign(&key, &key.did_key(), &batch.statement(created(CREATED)).unwrap().to_payload());
    let rekord = key.seed().rekord(input.as_bytes());
    let mut stamp = rfc3161("batch", &tsa().stamp(&rekord.signature, time(STAMPED)));
    stamp["signature"] = genten_primitives::encoding::base64(&rekord.signature).into();
    let in_edwards = [
        evidence(&jws, 1, batch.prove(1).unwrap().hashes()),
        rekor("batch", entry(&rekord.to_body())),
        stamp,
    ];
    vec![
        of(&[third(), logged(), stamped()])
            .policy_file(&asking(&["log", "time", "witness"]))
            .accepted(
                "good-batch",
                "One of five manifests under a signed root, which is logged and stamped.",
                &["batch.holds", "log.included", "timestamp.holds", "time.trusted"],
            ),
        of(&[evidence(&own(&alone).1, 0, &[])]).accepted(
            "good-batch-of-one",
            "A batch of one, whose proof has no hashes.",
            &["batch.holds"],
        ),
        Case::bundle(by_edwards.bundle(&in_edwards))
            .signer(&key.did_key())
            .kit(&kit())
            .policy_file(&asking(&["log", "time"]))
            .accepted(
                "good-batch-eddsa",
                "A batch under an Ed25519 key, logged and stamped as Ed25519ph.",
                &["batch.holds", "log.included", "time.trusted"],
            ),
    ]
}

/// Proofs that do not lead from this manifest to the root.
fn leaves() -> Vec<Case> {
    let (_, jws) = own(&statement());
    let ids: Vec<_> = five().iter().map(|draft| leaf(id(draft))).collect();
    let wrong = |name: &str, about: &str, index: u64, hashes: &[Sha256Digest]| {
        of(&[evidence(&jws, index, hashes)]).rejected(
            &format!("batch-{name}"),
            about,
            "batch.proof",
        )
    };
    let own_proof = batch().prove(2).unwrap().hashes().to_vec();
    let pair = node_hash(&ids[0], &ids[1]);
    let doubled = Batch::new(five()[..3].iter().map(id).chain([id(&draft())]));
    let of_doubled = doubled.statement(created(CREATED)).unwrap();
    let claimed = BatchStatement { size: TreeSize::new(3).unwrap(), ..of_doubled };
    let short = vec![pair, ids[4]];
    vec![
        wrong(
            "other-leaf",
            "The proof of another manifest of the batch.",
            1,
            batch().prove(1).unwrap().hashes(),
        ),
        wrong("leaf-swapped", "The manifest's own proof at another index.", 3, &own_proof),
        wrong(
            "interior-node",
            "A proof one level short: it would take the manifest for a node within the tree.",
            1,
            &short,
        ),
        wrong("index-beyond", "An index that is not below the size.", 5, &own_proof),
        wrong("hash-missing", "A proof without its last hash.", 2, &own_proof[..2]),
        wrong(
            "hash-more",
            "A proof with one hash more.",
            2,
            &[own_proof.clone(), vec![pair]].concat(),
        ),
        of(&[evidence(&own(&claimed).1, 2, doubled.prove(2).unwrap().hashes())]).rejected(
            "batch-last-leaf-doubled",
            "A root over three leaves in which the last is doubled, as some trees are made.",
            "batch.proof",
        ),
    ]
}

/// Statements that are not the signer's, or not about such a batch.
fn statements() -> Vec<Case> {
    let proof = batch().prove(2).unwrap().hashes().to_vec();
    let did = signer().did_key();
    let at = |jws: &str| of(&[evidence(jws, 2, &proof)]);
    let (_, by_stranger) = sign(&stranger(), &did, &statement().to_payload());
    let (_, other_name) = sign(&signer(), &signer().did_jwk(), &statement().to_payload());
    let early = batch().statement(created("2026-11-30T08:13:59Z")).unwrap();
    let skewed = batch().statement(created("2026-11-30T08:14:00Z")).unwrap();
    let spaced = String::from_utf8(statement().to_payload()).unwrap().replacen(':', ": ", 1);
    let manifest = Draft::new(&signer(), &did);
    let header = manifest.header_text();
    let later = json!({"alg": "ES256", "kid": did, "typ": "provenance-batch-v2+jws"});
    let (_, later) = sign_under(&later, &signer(), b"{}");
    let as_manifest = {
        let input =
            format!("{}.{}", base64url(header.as_bytes()), base64url(&statement().to_payload()));
        format!("{input}.{}", base64url(&signer().sign(input.as_bytes())))
    };
    vec![
        at(&by_stranger).rejected(
            "batch-signature",
            "A statement that somebody else signed under the signer's name.",
            "batch.signature",
        ),
        at(&other_name).rejected(
            "batch-other-signer",
            "A statement under another name of the same key.",
            "batch.other-signer",
        ),
        at(&own(&early).1).rejected(
            "batch-before-manifest",
            "A batch that was made a second more than the clock skew before the manifest.",
            "batch.before-manifest",
        ),
        at(&own(&skewed).1).accepted(
            "good-batch-skew",
            "A batch that was made before the manifest, within the clock skew.",
            &["batch.holds"],
        ),
        at(&sign(&signer(), &did, spaced.as_bytes()).1).rejected(
            "batch-statement-spelling",
            "A statement in another spelling of JSON.",
            "batch.statement",
        ),
        at(&later).reviewed(
            "batch-later-version",
            "A statement of a later version, which nobody here can judge.",
            "batch.unsupported-version",
        ),
        at(&as_manifest).rejected(
            "batch-statement-as-manifest",
            "A statement that was signed as if it were a manifest.",
            "batch.statement",
        ),
    ]
}

/// Entries and stamps of batches that are not there.
fn unmatched() -> Vec<Case> {
    let two = [third(), third()];
    vec![
        of(&[logged()]).rejected(
            "batch-entry-alone",
            "The entry of a batch, and no batch.",
            "log.batch-unmatched",
        ),
        of(&[stamped()]).rejected(
            "batch-stamp-alone",
            "The stamp of a batch, and no batch.",
            "timestamp.batch-unmatched",
        ),
        of(&[two[0].clone(), two[1].clone(), logged()]).rejected(
            "batch-twice",
            "An entry that fits two items of the bundle, which are one batch twice.",
            "log.batch-unmatched",
        ),
        of(&[two[0].clone(), two[1].clone(), stamped()]).rejected(
            "batch-stamp-of-two",
            "A stamp that fits two items of the bundle.",
            "timestamp.batch-unmatched",
        ),
        of(&[third(), rekor("manifest", logged()["entry"].clone())]).rejected(
            "batch-entry-as-manifest",
            "The entry of the batch, said to be that of the manifest.",
            "log.other-digest",
        ),
    ]
}
