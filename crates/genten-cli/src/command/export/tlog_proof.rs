//! A C2SP tlog-proof of the log entry of the manifest by its signer's key, else of its batch's:
//! what one shows to whoever knows the log, and nothing of Sigstore. The line `extra` holds the
//! body of the entry, whose hash is the leaf.

use genten_manifest::Subject;
use genten_primitives::PublicKey;
use genten_tlog::TlogProof;

use super::Exported;
use super::entry::{fitting_by, key_missing};
use crate::command::document::Document;
use crate::failure::{Done, Failure, with_causes};

pub(super) fn file(document: &Document, key: Option<&PublicKey>) -> Done<Exported> {
    let key = key.ok_or_else(key_missing)?;
    let (of_manifest, others) = fitting_by(document, Subject::Manifest, key);
    let (of_batch, other_batches) = fitting_by(document, Subject::Batch, key);
    let mut notes = Vec::new();
    let is_of_batch = of_manifest.is_empty();
    let Some(found) = of_manifest.into_iter().chain(of_batch).next() else {
        return Err(missing(others + other_batches));
    };
    if is_of_batch {
        notes.push(
            "the entry is of the batch; the manifest's place in it stays in the bundle".to_owned(),
        );
    }
    let proof = found.entry.inclusion_proof().zip(found.entry.checkpoint());
    let (proof, checkpoint) = proof.ok_or_else(|| missing(1))?;
    let checkpoint = checkpoint.as_bytes().to_vec();
    let file = TlogProof::new(Some(found.rekord.to_body()), proof.clone(), checkpoint).map_err(
        |error| Failure::new(with_causes(&error), "The entry is of no use in this form."),
    )?;
    Ok(Exported { bytes: file.to_bytes(), notes })
}

fn missing(others: usize) -> Failure {
    let what = match others {
        0 => "no log entry of the manifest or its batch is there",
        _ => {
            "no log entry that is there is of this manifest or its batch, by the key that signed \
             it, with a proof that fits"
        }
    };
    Failure::new(what, "Add the entry with `genten bundle add --log-entry` first.")
}
