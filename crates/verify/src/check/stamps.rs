//! RFC 3161 timestamps over the signature of a manifest or of its batch.

use std::sync::Arc;

use genten_jws::{Algorithm, SignedBytes};
use genten_manifest::{EvidenceKind, Subject, TimestampEvidence};
use genten_pki::VerifiedTimestamp;
use genten_primitives::PublicKey;
use genten_primitives::key::KeyDetails;
use genten_primitives::signature::{Message, SignatureError, verify};

use super::batch::HeldBatch;
use super::signer::VerifiedSigner;
use super::stamp_codes::code;
use crate::findings::Findings;
use crate::verifier::Case;
use crate::words::with_causes;
use crate::{Code, Detail, Requirement};

/// A timestamp that holds.
#[derive(Clone, Debug)]
pub(crate) struct HeldStamp {
    pub(crate) stamp: Arc<VerifiedTimestamp>,
    /// Whether what was stamped could only have been made with that key.
    pub(crate) binds_key: bool,
}

/// Checks all timestamps that came along; those that hold.
pub(crate) fn check(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    batches: &[HeldBatch],
    findings: &mut Findings,
) -> Vec<HeldStamp> {
    let mut held: Vec<HeldStamp> = Vec::new();
    let all: Vec<_> = stamps(case).collect();
    // The same item twice is one stamp.
    let first = all.iter().enumerate().filter(|(at, one)| !all[..*at].contains(one));
    for evidence in first.map(|(_, evidence)| evidence) {
        match judge(case, signer, batches, evidence) {
            Ok(stamp) => {
                let (time, name) = (stamp.stamp.time(), stamp.stamp.authority_name());
                let detail = Detail::Text(format!("{time} by {name}").into());
                findings.pass(Code::TIMESTAMP_HOLDS, None, detail);
                held.push(stamp);
            }
            Err(Open(code, detail)) => findings.pending(code, Requirement::Time, detail),
            Err(Contradicts(code, detail)) => findings.fail(code, Requirement::Time, detail),
        }
    }
    held
}

pub(crate) fn stamps<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c TimestampEvidence> {
    case.evidence.iter().filter_map(|item| match item.kind() {
        EvidenceKind::Rfc3161(evidence) => Some(evidence),
        _ => None,
    })
}

enum Fault {
    Open(Code, Detail),
    Contradicts(Code, Detail),
}

use Fault::{Contradicts, Open};

fn text(error: &dyn std::error::Error) -> Detail {
    Detail::Text(with_causes(error).into())
}

fn judge(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    batches: &[HeldBatch],
    evidence: &TimestampEvidence,
) -> Result<HeldStamp, Fault> {
    match evidence.subject {
        Subject::Manifest => over(case, signer, signer.signed, evidence),
        Subject::Batch | Subject::Content => over_batch(case, signer, batches, evidence),
    }
}

/// Exactly one batch must be the one that was stamped.
fn over_batch(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    batches: &[HeldBatch],
    evidence: &TimestampEvidence,
) -> Result<HeldStamp, Fault> {
    let is_of_another = |fault: &Fault| matches!(fault, Contradicts(code, _) if *code == Code::TIMESTAMP_OTHER_SIGNATURE);
    let tried = batches.iter().map(|batch| over(case, signer, batch.signed(), evidence));
    let mut of_this: Vec<_> =
        tried.filter(|result| !result.as_ref().is_err_and(is_of_another)).collect();
    // What is wrong with the token itself is wrong with it over every batch.
    if of_this.len() > 1 && of_this.iter().all(Result::is_err) {
        of_this.truncate(1);
    }
    match (of_this.pop(), of_this.is_empty()) {
        (Some(result), true) => result,
        (found, _) => {
            let found = of_this.len() + usize::from(found.is_some());
            let detail = Detail::Text(format!("{found} batches fit the timestamp").into());
            Err(Contradicts(Code::TIMESTAMP_BATCH_UNMATCHED, detail))
        }
    }
}

fn over(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    signed: &SignedBytes,
    evidence: &TimestampEvidence,
) -> Result<HeldStamp, Fault> {
    let stamped = Stamped::of(case, signer, signed, evidence.signature.as_deref())?;
    let authorities = case.verifier.trust.kit.timestamp_authorities();
    let stamp = case.verifier.memory.timestamp(&evidence.token, &stamped.bytes, authorities);
    match stamp {
        // It holds, over a signature with one of the keys that the signer logs with.
        Ok(_) if !stamped.is_of_signer => Err(Open(Code::TIMESTAMP_OTHER_KEY, Detail::None)),
        Ok(stamp) => {
            let is_ecdsa = signed.header().alg == Algorithm::Es256;
            Ok(HeldStamp { stamp, binds_key: !is_ecdsa })
        }
        Err(error) if error.is_contradiction() => Err(Contradicts(code(&error), text(&error))),
        Err(error) => Err(Open(code(&error), text(&error))),
    }
}

/// The signature that is said to be stamped.
struct Stamped {
    bytes: Vec<u8>,
    is_of_signer: bool,
}

impl Stamped {
    /// The signature of the JWS as it would be logged, or the stated one, which must be over the same bytes.
    fn of(
        case: &Case<'_>,
        signer: &VerifiedSigner<'_>,
        signed: &SignedBytes,
        stated: Option<&[u8]>,
    ) -> Result<Self, Fault> {
        let own = match signed.header().alg {
            Algorithm::Es256 => signed.signature().to_der().unwrap_or_default(),
            Algorithm::EdDsa => signed.signature().as_bytes().to_vec(),
        };
        let Some(stated) = stated.filter(|stated| *stated != own) else {
            return Ok(Self { bytes: own, is_of_signer: true });
        };
        let bytes = stated.to_vec();
        let memory = &case.verifier.memory;
        let check = |key: &PublicKey| {
            let check = || check_logged(key, signed.input(), stated);
            memory.signature(key, signed.sha256(), stated, check)
        };
        if check(signer.key).is_ok() {
            return Ok(Self { bytes, is_of_signer: true });
        }
        let by_others: Vec<_> = signer.log_keys.iter().map(|key| check(key)).collect();
        let is_not_checkable = |result: &&Result<(), SignatureError>| {
            result.is_err_and(|error| error.is_not_checkable())
        };
        match by_others.iter().find(is_not_checkable) {
            _ if by_others.iter().any(Result::is_ok) => Ok(Self { bytes, is_of_signer: false }),
            Some(Err(error)) => Err(Open(Code::TIMESTAMP_NOT_CHECKED, text(error))),
            _ => Err(Contradicts(Code::TIMESTAMP_OTHER_SIGNATURE, Detail::None)),
        }
    }
}

/// Checks a signature in the form in which logs keep it.
fn check_logged(key: &PublicKey, input: &[u8], signature: &[u8]) -> Result<(), SignatureError> {
    let scheme = KeyDetails::for_log_entries_by(key).and_then(KeyDetails::scheme);
    let scheme = scheme.ok_or(SignatureError::Mismatch)?;
    verify(key, scheme, Message::Prehash(&scheme.hash().digest(input)), signature)
}
