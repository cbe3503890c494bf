//! Whether the saved result is, as a whole, the one that was signed, and answers the call that was asked. What a manifest alone
//! does not answer is named, never passed over.

use genten_manifest::{Bound, Claims, RequestBinding};
use genten_mcp::call::{Call, CallMatch};

use crate::answer::Answer;
use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

const RESULT: Requirement = Requirement::Result;
const REQUEST: Requirement = Requirement::Request;

pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) {
    match case.answer {
        None => not_given(case, findings),
        Some(answer) => {
            answer.check(findings);
            compare_result(case, answer, findings);
            compare_set(case, answer, findings);
        }
    }
    match case.answer.and_then(Answer::call) {
        Some(call) => compare_call(case, call, findings),
        None if case.claims.request.is_some() => {
            findings.pending(Code::REQUEST_NOT_GIVEN, REQUEST, Detail::None);
        }
        None => findings.lack(Code::REQUEST_MISSING, REQUEST),
    }
}

fn not_given(case: &Case<'_>, findings: &mut Findings) {
    match case.claims.result_sha256 {
        Some(_) => findings.pending(Code::RESULT_NOT_GIVEN, RESULT, Detail::None),
        None => findings.lack(Code::RESULT_MISSING, RESULT),
    }
}

fn compare_result(case: &Case<'_>, answer: &Answer<'_>, findings: &mut Findings) {
    let Some(expected) = case.claims.result_sha256 else {
        return findings.doubt(Code::RESULT_MISSING, RESULT, Detail::None);
    };
    match answer.digest() {
        Some(Ok(found)) if *found == expected => {
            findings.pass(Code::RESULT_SAME, RESULT, Detail::Digests { expected, found: *found });
        }
        Some(Ok(found)) => {
            findings.fail(Code::RESULT_OTHER, RESULT, Detail::Digests { expected, found: *found });
        }
        // A block that nothing covers, or no result at all: that is said of the answer.
        Some(Err(_)) | None => findings.doubt(Code::RESULT_NOT_COMPARED, RESULT, Detail::None),
    }
}

/// The manifests of one signer belong to one result: each fetch of it once, and none missing.
fn compare_set(case: &Case<'_>, answer: &Answer<'_>, findings: &mut Findings) {
    let set: Vec<_> = answer.claims_of(&case.manifest.manifest().mcp_key_id).collect();
    let agree = |one: &&Claims| {
        let of = |claims: &Claims| {
            let request = claims.request.clone();
            request.map(|request| (request.bound, request.nonce, request.fetch.map(|f| f.of())))
        };
        one.result_sha256 == case.claims.result_sha256 && of(one) == of(case.claims)
    };
    if !set.iter().all(agree) {
        return findings.fail(Code::MCP_SET_DISAGREES, RESULT, Detail::None);
    }
    let fetch = |claims: &Claims| claims.request.as_ref()?.fetch;
    let Some(own) = fetch(case.claims) else {
        // Several without a number may be any part of more.
        if set.len() > 1 {
            findings.doubt(Code::MCP_FETCH_MISSING, RESULT, Detail::None);
        }
        return;
    };
    let same = set.iter().filter(|one| fetch(one).is_some_and(|its| its.index() == own.index()));
    if same.count() > 1 {
        return findings.fail(Code::MCP_FETCH_DOUBLED, RESULT, Detail::None);
    }
    let (expected, found) = (own.of() as usize, set.len());
    if found < expected {
        let (expected, found) = (format!("{expected} manifests"), found.to_string());
        findings.doubt(Code::MCP_FETCH_MISSING, RESULT, Detail::Texts { expected, found });
    }
}

fn compare_call(case: &Case<'_>, call: &Call, findings: &mut Findings) {
    let Some(stated) = &case.claims.request else {
        return findings.doubt(Code::REQUEST_MISSING, REQUEST, Detail::None);
    };
    let sides = || Detail::Texts { expected: words(stated), found: words_of_call(call) };
    match call.compare(stated) {
        CallMatch::Same => findings.pass(Code::REQUEST_SAME, REQUEST, Detail::None),
        CallMatch::SameNonce => findings.pass(Code::REQUEST_SAME_CALL, REQUEST, Detail::None),
        CallMatch::Other => findings.fail(Code::REQUEST_OTHER, REQUEST, sides()),
        CallMatch::OtherNonce => findings.fail(Code::REQUEST_OTHER_NONCE, REQUEST, sides()),
    }
}

fn words(stated: &RequestBinding) -> String {
    let call = Call { bound: stated.bound.clone(), nonce: stated.nonce.clone() };
    words_of_call(&call)
}

fn words_of_call(call: &Call) -> String {
    let bound = match &call.bound {
        Bound::Tool { name, arguments_sha256 } => {
            format!("tool {}, arguments {arguments_sha256}", name.as_str())
        }
        Bound::Resource(uri) => format!("resource {}", uri.as_str()),
    };
    match &call.nonce {
        Some(nonce) => format!("{bound}, nonce {}", nonce.as_str()),
        None => bound,
    }
}
