//! A copy in an archive: another manifest, whose own signature must hold (docs/formats.md, section 4).

use genten_manifest::{Claims, Completeness, EvidenceKind, UnverifiedManifest};

use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

const WORD: Requirement = Requirement::Archive;

pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) {
    let copies: Vec<&UnverifiedManifest> = case.evidence.iter().filter_map(copy).collect();
    if copies.is_empty() {
        return findings.lack(Code::ARCHIVE_MISSING, WORD);
    }
    let judged: Vec<_> = copies.iter().map(|copy| judge(case, copy)).collect();
    if let Some(place) = judged.iter().find_map(|one| one.as_ref().ok()) {
        return findings.pass(Code::ARCHIVE_HOLDS, WORD, Detail::Text(place.clone().into()));
    }
    for reason in judged.into_iter().filter_map(Result::err) {
        findings.pending(Code::ARCHIVE_NOT_CHECKED, WORD, Detail::Text(reason.into()));
    }
}

fn copy(item: &genten_manifest::Evidence) -> Option<&UnverifiedManifest> {
    match item.kind() {
        EvidenceKind::Archive(manifest) => Some(manifest.as_ref()),
        _ => None,
    }
}

/// Where the copy is, or why it does not count.
fn judge(case: &Case<'_>, copy: &UnverifiedManifest) -> Result<String, &'static str> {
    let claims = copy.claims();
    let archives = &case.verifier.policy.limits().archives;
    let ours = [case.claims.source_url.as_str(), case.claims.final_url().as_str()];
    for url in [claims.source_url.as_str(), claims.final_url().as_str()] {
        let mut in_archives = archives.iter().filter_map(|pattern| pattern.rest(url)).peekable();
        if in_archives.peek().is_none() {
            return Err("the copy is in no archive that the policy names");
        }
        if !in_archives.any(|rest| ours.iter().any(|ours| is_copy_of(rest, ours))) {
            return Err("the copy is of another address");
        }
    }
    if !is_plain_and_whole(claims) {
        return Err("the copy was not a plain, complete GET with status 200");
    }
    if !is_same_content(case.claims, claims) {
        return Err("the copy has other bytes");
    }
    match case.verifier.attests(copy, case.now) {
        true => Ok(claims.source_url.as_str().to_owned()),
        false => Err("the manifest of the copy has no valid signature by a signer whom you trust"),
    }
}

/// Whether the part of an archive's URL after the policy's pattern names `ours`: at most one segment, the time, and then the
/// whole URL. Anything else between them could be the URL of something else that only ends like ours.
fn is_copy_of(rest: &str, ours: &str) -> bool {
    let Some(before) = rest.strip_suffix(ours) else { return false };
    before.is_empty() || before.strip_suffix('/').is_some_and(is_time)
}

/// As archives write times: 4 digits of the year to 14 digits of the second, and perhaps two letters and `_` for a form of the
/// copy (`id_`: as it was received).
fn is_time(segment: &str) -> bool {
    let end = segment.bytes().take_while(u8::is_ascii_digit).count();
    let is_form = match segment.as_bytes()[end..] {
        [] => true,
        [one, two, b'_'] => one.is_ascii_lowercase() && two.is_ascii_lowercase(),
        _ => false,
    };
    (4..=14).contains(&end) && is_form
}

fn is_plain_and_whole(claims: &Claims) -> bool {
    claims.http.as_ref().is_some_and(|http| {
        let request = http.request.as_ref();
        http.status == 200
            && http.completeness == Some(Completeness::Complete)
            && http.range.is_none()
            && request
                .is_none_or(|one| one.method.as_str() == "GET" && !one.may_have_made_the_content())
    })
}

/// Raw or decoded, on either side.
fn is_same_content(ours: &Claims, theirs: &Claims) -> bool {
    let digests = |claims: &Claims| [Some(claims.content_sha256), claims.decoded_sha256()];
    let ours: Vec<_> = digests(ours).into_iter().flatten().collect();
    digests(theirs).into_iter().flatten().any(|digest| ours.contains(&digest))
}
