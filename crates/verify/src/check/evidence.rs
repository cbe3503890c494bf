//! Evidence that is bound to the manifest but not judged: it is named, so that nobody takes it for checked.

use genten_manifest::{EvidenceKind, ExternalEvidence};
use genten_primitives::Sha256Digest;

use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail};

pub(crate) fn check(case: &Case<'_>, manifest_id: Option<Sha256Digest>, findings: &mut Findings) {
    for item in case.evidence {
        match item.kind() {
            EvidenceKind::External(external) => self::external(external, manifest_id, findings),
            EvidenceKind::DidDocument { .. } => {
                findings.pending(Code::EVIDENCE_DID_DOCUMENT, None, Detail::None);
            }
            EvidenceKind::Unknown { name } => {
                findings.pending(
                    Code::EVIDENCE_UNKNOWN_TYPE,
                    None,
                    Detail::Text(name.clone().into()),
                );
            }
            _ => {}
        }
    }
}

/// Evidence of others must at least be this manifest's and the bytes that it says it is.
fn external(
    evidence: &ExternalEvidence,
    manifest_id: Option<Sha256Digest>,
    findings: &mut Findings,
) {
    if let Some(expected) = manifest_id.filter(|id| *id != evidence.manifest_id) {
        let detail = Detail::Digests { expected, found: evidence.manifest_id };
        findings.fail(Code::EXTERNAL_OTHER_MANIFEST, None, detail);
    }
    let found = evidence.data.as_deref().map(Sha256Digest::of);
    if let Some(found) = found.filter(|found| *found != evidence.sha256) {
        let detail = Detail::Digests { expected: evidence.sha256, found };
        findings.fail(Code::EXTERNAL_DIGEST, None, detail);
    }
}
