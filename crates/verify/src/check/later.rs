//! Requirements about a saved result, which a manifest alone does not answer: what is there is named, never passed over.

use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) {
    let claims = case.claims;
    for (word, present, not_checked, missing) in [
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
