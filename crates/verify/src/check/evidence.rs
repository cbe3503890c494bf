//! Evidence that others define, and DID documents: named in any case, so that nobody takes it for checked.

use genten_manifest::{EvidenceKind, ExternalEvidence};
use genten_primitives::Sha256Digest;
use genten_primitives::json::{self, Limits};

use crate::external::ExternalOutcome;
use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

pub(crate) fn check(case: &Case<'_>, manifest_id: Option<Sha256Digest>, findings: &mut Findings) {
    for item in case.evidence {
        match item.kind() {
            EvidenceKind::External(external) => {
                self::external(case, external, manifest_id, findings);
            }
            EvidenceKind::DidDocument { document, .. } => did_document(case, document, findings),
            EvidenceKind::Unknown { name } => {
                let detail = Detail::Text(name.clone().into());
                findings.pending(Code::EVIDENCE_UNKNOWN_TYPE, None, detail);
            }
            _ => {}
        }
    }
    if findings.is_silent_on(Requirement::External) {
        findings.lack(Code::EXTERNAL_MISSING, Requirement::External);
    }
}

/// A document is for display; it is trusted only where the kit holds the same one, and the kit's counts then.
fn did_document(case: &Case<'_>, document: &str, findings: &mut Findings) {
    let read = json::read(document.as_bytes(), Limits::bytes(document.len()));
    let ours = read.map(|document| document.root().canonical_sha256());
    let mut known = case.verifier.trust.kit.did_documents().iter();
    match ours.is_ok_and(|ours| known.any(|one| one.canonical_sha256 == ours)) {
        true => findings.pass(Code::EVIDENCE_DID_DOCUMENT_IN_KIT, None, Detail::None),
        false => findings.pending(Code::EVIDENCE_DID_DOCUMENT, None, Detail::None),
    }
}

/// Evidence of others must at least be this manifest's and the bytes that it says it is. What it shows, only a checker that
/// the caller registered for its type can say.
fn external(
    case: &Case<'_>,
    evidence: &ExternalEvidence,
    manifest_id: Option<Sha256Digest>,
    findings: &mut Findings,
) {
    const WORD: Requirement = Requirement::External;
    if let Some(expected) = manifest_id.filter(|id| *id != evidence.manifest_id) {
        let detail = Detail::Digests { expected, found: evidence.manifest_id };
        return findings.fail(Code::EXTERNAL_OTHER_MANIFEST, WORD, detail);
    }
    let found = evidence.data.as_deref().map(Sha256Digest::of);
    if let Some(found) = found.filter(|found| *found != evidence.sha256) {
        let detail = Detail::Digests { expected: evidence.sha256, found };
        return findings.fail(Code::EXTERNAL_DIGEST, WORD, detail);
    }
    let checker = case.verifier.checkers.iter().find(|one| one.media_type() == evidence.media_type);
    let type_name = || Detail::Text(evidence.media_type.clone().into());
    match checker.map(|checker| checker.check(evidence, case.manifest)) {
        Some(ExternalOutcome::Holds(text)) => {
            findings.pass(Code::EXTERNAL_HOLDS, WORD, Detail::Text(text.into()));
        }
        Some(ExternalOutcome::Contradicts(text)) => {
            findings.fail(Code::EXTERNAL_CONTRADICTS, WORD, Detail::Text(text.into()));
        }
        Some(ExternalOutcome::NotChecked(text)) => {
            findings.pending(Code::EXTERNAL_NOT_CHECKED, WORD, Detail::Text(text.into()));
        }
        None => findings.pending(Code::EXTERNAL_NOT_CHECKED, WORD, type_name()),
    }
}
