//! Whether the given bytes are the ones that were fetched.

use genten_manifest::{Completeness, Http};

use crate::findings::Findings;
use crate::verifier::{Body, Case};
use crate::{Code, Detail, Requirement};

const CONTENT: Requirement = Requirement::Content;

pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) {
    match *case.body {
        Body::Given { sha256, bytes } => compare(case, sha256, bytes, findings),
        Body::NotGiven => findings.lack(Code::CONTENT_NOT_GIVEN, CONTENT),
        Body::NotFound => findings.doubt(Code::CONTENT_NOT_FOUND, CONTENT, Detail::None),
    }
    if let Some(http) = &case.claims.http {
        completeness(case, http, findings);
    }
}

fn compare(
    case: &Case<'_>,
    found: genten_primitives::Sha256Digest,
    bytes: u64,
    findings: &mut Findings,
) {
    let expected = case.claims.content_sha256;
    let detail = Detail::Digests { expected, found };
    let stated = case.claims.http.as_ref().and_then(|http| http.content_bytes);
    if found == expected {
        if let Some(stated) = stated.filter(|stated| *stated != bytes) {
            let (expected, found) = (format!("{stated} bytes"), format!("{bytes} bytes"));
            let detail = Detail::Texts { expected, found };
            return findings.fail(Code::CONTENT_OTHER_LENGTH, CONTENT, detail);
        }
        return findings.pass(Code::CONTENT_MATCHES, CONTENT, detail);
    }
    if case.claims.decoded_sha256() == Some(found) {
        let detail = Detail::Digests { expected: found, found };
        return findings.pass(Code::CONTENT_MATCHES_DECODED, CONTENT, detail);
    }
    match stated {
        Some(stated) if bytes < stated => {
            let (expected, found) = (format!("{stated} bytes"), format!("{bytes} bytes"));
            findings.fail(Code::CONTENT_SHORTER, CONTENT, Detail::Texts { expected, found });
        }
        _ => findings.fail(Code::CONTENT_OTHER_BYTES, CONTENT, detail),
    }
}

/// A part never passes for the whole, and what the framing could not prove is said.
fn completeness(case: &Case<'_>, http: &Http, findings: &mut Findings) {
    let partial = http.completeness == Some(Completeness::Partial)
        || http.range.is_some()
        || http.status == 206;
    if partial && !case.verifier.policy.limits().allow_partial {
        findings.doubt(Code::CONTENT_PARTIAL, None, Detail::None);
    } else if partial {
        findings.note(Code::CONTENT_PARTIAL, "");
    }
    if http.completeness == Some(Completeness::Unverifiable) {
        findings.note(Code::CONTENT_UNVERIFIABLE, "");
    }
}
