//! From an entry and a known log to the fact that the log holds it.

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::{base64, hex};
use genten_primitives::json::ObjectWriter;
use genten_primitives::signature::{Message, SignatureError, verify};

use super::{EntryError, EntryProof, LogEntry, RekorLog};
use crate::merkle::leaf_hash;
use crate::{
    Checkpoint, CheckpointError, Inclusion, LeafIndex, NoteKey, TreeSize, UnverifiedCheckpoint,
};

/// An entry that a known log holds. Only [`LogEntry::verify`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEntry {
    checkpoint: Checkpoint,
    inclusion: Inclusion,
    index: LeafIndex,
}

impl LoggedEntry {
    /// The checkpoint that proves it, with the cosignatures of the witnesses that were asked for.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Where in the checkpoint's tree the entry stands.
    pub fn inclusion(&self) -> &Inclusion {
        &self.inclusion
    }

    /// The entry's index, over all trees of the log.
    pub fn index(&self) -> LeafIndex {
        self.index
    }
}

impl LogEntry {
    /// Shows that the log holds `body` (C2SP tlog-tiles and RFC 6962): the log's signature on the checkpoint, then the proof
    /// from the body to its root. The unsigned numbers beside the proof must agree.
    ///
    /// What `body` means is no question here: it is recomputed, or compared, by the caller.
    ///
    /// # Errors
    /// The entry is of another log, its checkpoint does not hold or does not hold the body. Nothing is ever fetched: a
    /// missing proof is an error.
    pub fn verify(
        &self,
        body: &[u8],
        log: &RekorLog,
        witnesses: &[NoteKey],
    ) -> Result<LoggedEntry, EntryError> {
        let proof = self.proof.as_ref().ok_or(EntryError::ProofMissing)?;
        let checkpoint = self.verify_checkpoint(log, witnesses)?;
        self.check_unsigned(proof, checkpoint.size(), checkpoint.root())?;
        let inclusion =
            checkpoint.includes(leaf_hash(body), &proof.proof).map_err(EntryError::Inclusion)?;
        Ok(LoggedEntry { checkpoint, inclusion, index: self.index })
    }

    /// The checkpoint alone, signed by this log, which must be the one that the entry names.
    ///
    /// # Errors
    /// There is none, it does not hold, or the entry names another log.
    pub fn verify_checkpoint(
        &self,
        log: &RekorLog,
        witnesses: &[NoteKey],
    ) -> Result<Checkpoint, EntryError> {
        let note = self.checkpoint().ok_or(EntryError::CheckpointMissing)?;
        let unverified =
            UnverifiedCheckpoint::parse(note.as_bytes()).map_err(EntryError::Checkpoint)?;
        let identity = log
            .identity(unverified.unverified_origin(), self.kind)
            .map_err(|_| EntryError::Type { member: "checkpoint" })?;
        let checkpoint = unverified.verify(&identity, witnesses).map_err(|error| {
            // A missing line explains more than the signature that does not hold without it.
            let explained = match error {
                CheckpointError::LogSignature { .. } => unverified.check_form().err(),
                _ => None,
            };
            EntryError::Checkpoint(explained.unwrap_or(error))
        })?;
        match log.has_id(&self.log_id) {
            true => Ok(checkpoint),
            false => Err(self.other_log(log)),
        }
    }

    fn other_log(&self, log: &RekorLog) -> EntryError {
        let expected = log.keys()[0].full_id().to_string();
        EntryError::LogId { expected, found: hex(&self.log_id) }
    }

    /// Checks that the proof leads from `body` to the root that the checkpoint states, whoever has signed it. It shows that the
    /// parts of the entry belong together, and nothing about any log: what fails here fails under every key.
    ///
    /// # Errors
    /// A part that is missing or malformed, or does not fit the others.
    pub fn check_form(&self, body: &[u8]) -> Result<(), EntryError> {
        let proof = self.proof.as_ref().ok_or(EntryError::ProofMissing)?;
        let note = self.checkpoint().ok_or(EntryError::CheckpointMissing)?;
        let (size, root) = UnverifiedCheckpoint::parse(note.as_bytes())
            .and_then(|checkpoint| checkpoint.unverified_head())
            .map_err(EntryError::Checkpoint)?;
        self.check_unsigned(proof, size, root)?;
        proof.proof.check(leaf_hash(body), size, root).map_err(EntryError::Inclusion)
    }

    fn check_unsigned(
        &self,
        proof: &EntryProof,
        size: TreeSize,
        root: Sha256Digest,
    ) -> Result<(), EntryError> {
        let (expected, found) = (self.index, proof.proof.index());
        // Logs of version 1 count on over several trees, each with indices of its own.
        if self.kind.is_v2() && expected != found {
            return Err(EntryError::ProofIndex { expected, found });
        }
        let (expected, found) = (size, proof.size.unwrap_or(size));
        if expected != found {
            return Err(EntryError::ProofSize { expected, found });
        }
        let (expected, found) = (root, proof.root.unwrap_or(root));
        if expected != found {
            return Err(EntryError::ProofRoot { expected, found });
        }
        Ok(())
    }

    /// Checks the log's promise to include the entry (Rekor v1), which states a time: seconds since 1970.
    ///
    /// # Errors
    /// There is no promise or no time, or the log did not sign this entry at this time.
    pub fn verify_promise(&self, body: &[u8], log: &RekorLog) -> Result<u64, EntryError> {
        let missing = |member| EntryError::Missing { member };
        let promise = self.promise.as_ref().ok_or_else(|| missing("inclusionPromise"))?;
        let time = self.integrated_time.ok_or_else(|| missing("integratedTime"))?;
        if !log.has_id(&self.log_id) {
            return Err(self.other_log(log));
        }
        let message = self.promised(body, time);
        let key = log.public_key();
        let scheme = log.promise_scheme().ok_or(SignatureError::Malformed);
        scheme
            .and_then(|scheme| verify(key, scheme, Message::Bytes(&message), promise))
            .map_err(EntryError::Promise)?;
        Ok(time)
    }

    /// What a promise covers: canonical JSON of these four members.
    fn promised(&self, body: &[u8], time: u64) -> Vec<u8> {
        let integer = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        ObjectWriter::new()
            .string("body", &base64(body))
            .integer("integratedTime", integer(time))
            .string("logID", &hex(&self.log_id))
            .integer("logIndex", integer(self.index.get()))
            .finish()
    }
}
