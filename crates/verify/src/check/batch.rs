//! Batches: this manifest as a leaf under a statement that its signer signed.

use std::sync::Arc;

use genten_jws::{Jws, SignedBytes, Typ};
use genten_manifest::{BatchEvidence, EvidenceKind};
use genten_primitives::PublicKey;
use genten_tlog::batch::BatchStatement;
use genten_tlog::{InclusionProof, LeafIndex};

use super::signer::VerifiedSigner;
use crate::findings::Findings;
use crate::verifier::Case;
use crate::words::with_causes;
use crate::{Code, Detail};

/// A statement that was read, and whether its signature holds under the manifest's key.
#[derive(Clone, Debug)]
pub(crate) struct PreparedBatch {
    signed: SignedBytes,
    statement: BatchStatement,
}

/// A batch that holds: signed by the manifest's signer, with this manifest in it.
#[derive(Clone, Debug)]
pub(crate) struct HeldBatch(Arc<PreparedBatch>);

impl HeldBatch {
    /// The statement's signature and what it covers.
    pub(crate) fn signed(&self) -> &SignedBytes {
        &self.0.signed
    }
}

type Fault = (Code, Detail);

impl PreparedBatch {
    /// Reads a statement and checks its signature under the key.
    pub(crate) fn read(statement: &str, key: &PublicKey) -> Result<Self, Fault> {
        let malformed = |error: &dyn std::error::Error| {
            (Code::BATCH_STATEMENT, Detail::Text(with_causes(error).into()))
        };
        let jws = Jws::read(statement, Typ::Batch).map_err(|error| match error.code() {
            "batch.unsupported-version" => {
                (Code::BATCH_UNSUPPORTED_VERSION, Detail::Text(error.to_string().into()))
            }
            _ => malformed(&error),
        })?;
        let payload = jws.payload().map_err(|error| malformed(&error))?;
        let parsed = BatchStatement::read(&payload).map_err(|error| malformed(&error))?;
        let signed = jws.over(&payload).map_err(|error| malformed(&error))?;
        signed
            .verify(key)
            .map_err(|error| (Code::BATCH_SIGNATURE, Detail::Text(with_causes(&error).into())))?;
        Ok(Self { signed, statement: parsed })
    }
}

/// Checks all batches that came along; those that hold.
pub(crate) fn check(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    findings: &mut Findings,
) -> Vec<HeldBatch> {
    let mut held = Vec::new();
    for item in case.evidence {
        let EvidenceKind::Batch(evidence) = item.kind() else { continue };
        match judge(case, signer, evidence) {
            Ok(batch) => {
                let place = format!("leaf {} of {}", evidence.index, batch.0.statement.size);
                findings.pass(Code::BATCH_HOLDS, None, Detail::Text(place.into()));
                held.push(batch);
            }
            Err((code @ Code::BATCH_UNSUPPORTED_VERSION, detail)) => {
                findings.doubt(code, None, detail);
            }
            Err((code, detail)) => findings.fail(code, None, detail),
        }
    }
    held
}

fn judge(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    evidence: &BatchEvidence,
) -> Result<HeldBatch, Fault> {
    let prepared = case.verifier.memory.batch(&evidence.statement, signer.key)?;
    let (expected, found) = (&signer.signed.header().kid, &prepared.signed.header().kid);
    if expected != found {
        let (expected, found) = (expected.to_string(), found.to_string());
        return Err((Code::BATCH_OTHER_SIGNER, Detail::Texts { expected, found }));
    }
    let malformed = |error: &dyn std::error::Error| {
        (Code::BATCH_PROOF, Detail::Text(with_causes(error).into()))
    };
    let index = LeafIndex::new(evidence.index).map_err(|error| malformed(&error))?;
    let proof =
        InclusionProof::new(index, evidence.hashes.clone()).map_err(|error| malformed(&error))?;
    let manifest_id = signer.signed.sha256();
    prepared.statement.check(manifest_id, &proof).map_err(|error| malformed(&error))?;
    let (signed_at, created_at) = (case.claims.signed_at(), prepared.statement.created_at);
    if signed_at.millis_since(created_at) > case.verifier.policy.limits().clock_skew {
        let detail = Detail::Times { expected: signed_at, found: created_at };
        return Err((Code::BATCH_BEFORE_MANIFEST, detail));
    }
    Ok(HeldBatch(prepared))
}
