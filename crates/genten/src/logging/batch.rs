//! From manifests that wait to a signed batch.

use genten_primitives::{Sha256Digest, Timestamp};
use genten_store::{BatchMember, NewBatch, Outbox, Waiting};
use genten_tlog::batch::Batch;

use super::LogError;
use crate::signer::AnySigner;

/// Makes batches of at most `size` until nobody of them waits any more. Gives how many manifests were taken.
///
/// The caller has the right to send to the log, so that nobody else batches the same manifests meanwhile.
pub(super) async fn make(
    outbox: Outbox<'_>,
    waiting: &Waiting,
    signer: &AnySigner,
    size: u32,
    now: Timestamp,
) -> Result<u64, LogError> {
    let mut taken = 0;
    loop {
        let ids = outbox.waiting_manifests(&waiting.log, &waiting.signer, size)?;
        if ids.is_empty() {
            return Ok(taken);
        }
        // A clock that was set back must not make the batch older than its members.
        let created_at = now.max(waiting.signed_at);
        if put(outbox, waiting, &ids, signer, created_at, now).await? {
            taken += ids.len() as u64;
        }
    }
}

async fn put(
    outbox: Outbox<'_>,
    waiting: &Waiting,
    ids: &[Sha256Digest],
    signer: &AnySigner,
    created_at: Timestamp,
    now: Timestamp,
) -> Result<bool, LogError> {
    let batch = Batch::new(ids.iter().copied());
    let statement = batch.statement(created_at).expect("it has members");
    let signed = signer.sign_batch(&statement.to_payload()).await?;
    let body = signer.log_body(signed.input(), signed.signature()).await?;
    let members: Vec<_> = (0..).zip(ids).map(|(index, id)| member(&batch, index, *id)).collect();
    let statement = signed.attached();
    let batch =
        NewBatch { log: &waiting.log, statement: &statement, body: &body, members: &members };
    Ok(outbox.put_batch(&batch, now)?)
}

fn member(batch: &Batch, index: u64, manifest_id: Sha256Digest) -> BatchMember {
    let proof = batch.prove(index).expect("the batch has this leaf");
    BatchMember { manifest_id, hashes: proof.hashes().to_vec() }
}
