//! Whether the stated times can be true now.

use genten_primitives::Timestamp;

use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail};

pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) {
    let limits = case.verifier.policy.limits();
    let fetched = case.claims.fetched_at;
    not_ahead(case, fetched, Code::TIME_FETCHED_IN_FUTURE, findings);
    if let Some(attested) = case.claims.attested_at {
        not_ahead(case, attested, Code::TIME_ATTESTED_IN_FUTURE, findings);
    }
    if limits.max_age.is_some_and(|limit| case.now.millis_since(fetched) > limit) {
        let detail = Detail::Times { expected: fetched, found: case.now };
        findings.doubt(Code::TIME_TOO_OLD, None, detail);
    }
}

fn not_ahead(case: &Case<'_>, stated: Timestamp, code: Code, findings: &mut Findings) {
    if stated.millis_since(case.now) > case.verifier.policy.limits().clock_skew {
        findings.doubt(code, None, Detail::Times { expected: case.now, found: stated });
    }
}
