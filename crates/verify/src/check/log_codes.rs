//! Codes for what can be wrong with log entries.

use genten_tlog::note::LineError;
use genten_tlog::rekor::{BodyError, EntryError};
use genten_tlog::{CheckpointError, NoteError};

use crate::Code;
use crate::entry::EntryFault;

pub(super) fn fault_code(fault: &EntryFault) -> Code {
    match fault {
        EntryFault::Entry(error) => failure_code(error),
        EntryFault::Body(error) => body_code(error),
    }
}

pub(crate) fn body_code(error: &BodyError) -> Code {
    match error {
        BodyError::Kind { .. } => Code::LOG_BODY_KIND,
        BodyError::Key(_) | BodyError::KeyDetails { .. } => Code::LOG_KEY_DETAILS,
        BodyError::Missing => Code::LOG_BODY_MISSING,
        BodyError::NotCanonical => Code::LOG_BODY_NOT_CANONICAL,
        BodyError::Signature(_) => Code::LOG_SIGNATURE_INVALID,
        _ => Code::LOG_BODY_MALFORMED,
    }
}

/// Whether the signature in a body cannot be checked.
pub(crate) fn is_not_checkable(error: &BodyError) -> bool {
    matches!(error, BodyError::Signature(error) if error.is_not_checkable())
}

/// Whether the log's own signature cannot be checked.
pub(crate) fn is_log_not_checkable(error: &EntryError) -> bool {
    match error {
        EntryError::Promise(error)
        | EntryError::Checkpoint(CheckpointError::LogSignature {
            source: LineError::Signature(error),
            ..
        }) => error.is_not_checkable(),
        _ => false,
    }
}

pub(crate) fn failure_code(error: &EntryError) -> Code {
    match error {
        EntryError::Checkpoint(error) => checkpoint_code(error),
        EntryError::CheckpointMissing => Code::LOG_CHECKPOINT_MISSING,
        EntryError::Inclusion(_) => Code::LOG_INCLUSION,
        EntryError::KindUnsupported { .. } => Code::LOG_KIND_UNSUPPORTED,
        EntryError::LogId { .. } => Code::LOG_OTHER_LOG_ID,
        EntryError::Negative { .. } => Code::LOG_NEGATIVE_INDEX,
        EntryError::Promise(_) => Code::LOG_PROMISE,
        EntryError::ProofIndex { .. } => Code::LOG_PROOF_INDEX,
        EntryError::ProofMissing => Code::LOG_PROOF_MISSING,
        EntryError::ProofRoot { .. } => Code::LOG_PROOF_ROOT,
        EntryError::ProofSize { .. } => Code::LOG_PROOF_SIZE,
        _ => Code::LOG_ENTRY_MALFORMED,
    }
}

fn checkpoint_code(error: &CheckpointError) -> Code {
    match error {
        CheckpointError::Cosignature { .. } => Code::LOG_COSIGNATURE,
        CheckpointError::LogKeyHint { .. } => Code::LOG_CHECKPOINT_KEY_ID,
        CheckpointError::LogSignature { .. } => Code::LOG_CHECKPOINT_SIGNATURE,
        CheckpointError::NoLogSignature | CheckpointError::Note(NoteError::NoSignatures) => {
            Code::LOG_CHECKPOINT_UNSIGNED
        }
        CheckpointError::OriginMissing => Code::LOG_CHECKPOINT_ORIGIN_MISSING,
        CheckpointError::OtherOrigin { .. } => Code::LOG_CHECKPOINT_ORIGIN,
        CheckpointError::RootMalformed | CheckpointError::RootMissing => Code::LOG_CHECKPOINT_ROOT,
        CheckpointError::SizeMalformed | CheckpointError::SizeMissing => Code::LOG_CHECKPOINT_SIZE,
        _ => Code::LOG_CHECKPOINT_MALFORMED,
    }
}

#[cfg(test)]
mod tests {
    use genten_primitives::signature::SignatureError;

    use super::*;

    /// A build without RSA tells nothing of a log that signs with it: neither a promise nor a checkpoint is forged.
    #[test]
    fn what_cannot_be_checked_is_not_forged() {
        let checkpoint = |error| {
            let source = LineError::Signature(error);
            EntryError::Checkpoint(CheckpointError::LogSignature { name: "log".into(), source })
        };
        for of in [EntryError::Promise, checkpoint as fn(SignatureError) -> EntryError] {
            assert!(is_log_not_checkable(&of(SignatureError::RsaUnavailable)));
            assert!(!is_log_not_checkable(&of(SignatureError::Mismatch)));
        }
        assert!(is_not_checkable(&BodyError::Signature(SignatureError::RsaUnavailable)));
        assert!(!is_not_checkable(&BodyError::Signature(SignatureError::Malformed)));
    }
}
