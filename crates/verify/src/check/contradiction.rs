//! Members of the manifest that cannot both be true, and members that this version does not know.

use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail};

pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) {
    if let Some(contradiction) = case.claims.contradiction() {
        let code = Code::find(contradiction.code()).unwrap_or(Code::MANIFEST_MALFORMED);
        findings.fail(code, None, Detail::Text(contradiction.to_string().into()));
    }
    if let Some(path) = case.manifest.unknown_members().first() {
        findings.doubt(Code::MANIFEST_UNKNOWN_MEMBER, None, Detail::Text(path.clone().into()));
    }
}
