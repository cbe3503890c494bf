//! Entries made by whoever has a checkpoint, a proof and the body: a log that hands them out, or a client that had to look
//! its entry up.

use genten_primitives::encoding::base64;
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use super::EntryKind;
use crate::{Checkpoint, InclusionProof, NoteKey};

/// The TransparencyLogEntry (JSON) of a body of kind `hashedrekord` 0.0.2, with the members that a Rekor v2 log sends.
///
/// `log` is the key of the log that signed the checkpoint; its full id names the log. Nothing is checked here: what was
/// written is verified as any other entry is ([`LogEntry::verify`](super::LogEntry::verify)).
pub fn write_entry(
    log: &NoteKey,
    body: &[u8],
    proof: &InclusionProof,
    checkpoint: &Checkpoint,
) -> Vec<u8> {
    let (kind, version) = EntryKind::HashedRekordV2.parts();
    let index = proof.index().to_string();
    let id = ObjectWriter::new().string("keyId", &base64(log.full_id().as_bytes())).finish();
    let kind = ObjectWriter::new().string("kind", kind).string("version", version).finish();
    ObjectWriter::new()
        .string("logIndex", &index)
        .raw("logId", &id)
        .raw("kindVersion", &kind)
        .string("integratedTime", "0")
        .raw("inclusionPromise", b"null")
        .raw("inclusionProof", &write_proof(&index, proof, checkpoint))
        .string("canonicalizedBody", &base64(body))
        .finish()
}

fn write_proof(index: &str, proof: &InclusionProof, checkpoint: &Checkpoint) -> Vec<u8> {
    let mut hashes = ArrayWriter::new();
    for hash in proof.hashes() {
        hashes.string(&base64(hash.as_bytes()));
    }
    let note = String::from_utf8_lossy(checkpoint.note());
    let envelope = ObjectWriter::new().string("envelope", &note).finish();
    ObjectWriter::new()
        .string("logIndex", index)
        .string("rootHash", &base64(checkpoint.root().as_bytes()))
        .string("treeSize", &checkpoint.size().to_string())
        .raw("hashes", &hashes.finish())
        .raw("checkpoint", &envelope)
        .finish()
}
