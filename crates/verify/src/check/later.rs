//! Requirements whose checks this version does not have yet: what is there is named as not checked, never passed over.

use genten_manifest::EvidenceKind;

use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) {
    let has =
        |wanted: fn(&EvidenceKind) -> bool| case.evidence.iter().any(|item| wanted(item.kind()));
    let logged = has(|kind| matches!(kind, EvidenceKind::RekorV2(_) | EvidenceKind::Batch(_)));
    let stamped = has(|kind| matches!(kind, EvidenceKind::Rfc3161(_)));
    let archived = has(|kind| matches!(kind, EvidenceKind::Archive(_)));
    let external = has(|kind| matches!(kind, EvidenceKind::External(_)));
    let claims = case.claims;
    for (word, present, not_checked, missing) in [
        (Requirement::Log, logged, Code::LOG_NOT_CHECKED, Code::LOG_MISSING),
        (Requirement::LogContent, logged, Code::LOG_CONTENT_NOT_CHECKED, Code::LOG_CONTENT_MISSING),
        (Requirement::Time, logged || stamped, Code::TIME_NOT_CHECKED, Code::TIME_MISSING),
        (Requirement::Witness, logged, Code::WITNESS_NOT_CHECKED, Code::WITNESS_MISSING),
        (Requirement::Archive, archived, Code::ARCHIVE_NOT_CHECKED, Code::ARCHIVE_MISSING),
        (Requirement::External, external, Code::EXTERNAL_NOT_CHECKED, Code::EXTERNAL_MISSING),
        (
            Requirement::Result,
            claims.result_sha256.is_some(),
            Code::RESULT_NOT_GIVEN,
            Code::RESULT_MISSING,
        ),
        (
            Requirement::Request,
            claims.request.is_some(),
            Code::REQUEST_NOT_GIVEN,
            Code::REQUEST_MISSING,
        ),
    ] {
        match present {
            true => findings.pending(not_checked, word, Detail::None),
            false => findings.lack(missing, word),
        }
    }
}
