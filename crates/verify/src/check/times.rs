//! Whether the stated times can be true now.

use genten_primitives::Timestamp;

use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail};

pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) {
    kit_age(case, findings);
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

/// Age is a warning and never a failure: what an old kit says is still what its reader believes.
fn kit_age(case: &Case<'_>, findings: &mut Findings) {
    const MONTH: i64 = 30 * 86_400_000;
    let made = case.verifier.trust.kit.created_at();
    if let Some(made) = made.filter(|made| case.now.millis_since(*made) > MONTH) {
        findings.note(Code::KIT_OLD, format!("made at {made}"));
    }
}

fn not_ahead(case: &Case<'_>, stated: Timestamp, code: Code, findings: &mut Findings) {
    if stated.millis_since(case.now) > case.verifier.policy.limits().clock_skew {
        findings.doubt(code, None, Detail::Times { expected: case.now, found: stated });
    }
}
