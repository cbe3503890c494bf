//! What the manifest says about its source: class, revision, redirects, and who made the request.

use genten_manifest::{Capture, Http, SourceClass, SourceUrl};

use crate::findings::Findings;
use crate::policy::CrossSite;
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) {
    class(case, findings);
    revision(case, findings);
    if let Some(http) = &case.claims.http {
        redirects(case, http, findings);
        request(case, http, findings);
        if !(200..300).contains(&http.status) {
            findings.note(Code::HTTP_STATUS, http.status.to_string());
        }
    }
    if case.claims.capture() == Capture::Reported {
        findings.note(Code::SOURCE_REPORTED, "");
    }
}

fn class(case: &Case<'_>, findings: &mut Findings) {
    let policy = &case.verifier.policy;
    match policy.is_local(case.claims) {
        true if policy.reviews_local_files() => {
            findings.doubt(Code::CLASS_LOCAL, None, Detail::None);
        }
        true => findings.note(Code::CLASS_LOCAL, ""),
        false => {}
    }
    if case.claims.source_class == Some(SourceClass::Realtime) {
        findings.note(Code::CLASS_REALTIME, "");
    }
}

fn revision(case: &Case<'_>, findings: &mut Findings) {
    match &case.claims.source_revision {
        Some(_) => findings.pass(Code::REVISION_STATED, Requirement::Revision, Detail::None),
        None => findings.lack(Code::REVISION_MISSING, Requirement::Revision),
    }
}

fn redirects(case: &Case<'_>, http: &Http, findings: &mut Findings) {
    let source = &case.claims.source_url;
    let hops: Vec<&SourceUrl> =
        http.redirects.iter().map(|hop| &hop.url).chain([case.claims.final_url()]).collect();
    if hops.windows(2).any(|pair| pair[0].is_https() && !pair[1].is_https()) {
        findings.note(Code::REDIRECT_DOWNGRADE, "");
    }
    let Some(elsewhere) = hops.iter().find(|hop| !same_host_or_below(source, hop)) else { return };
    let (expected, found) = (host(source), host(elsewhere));
    match case.verifier.policy.limits().cross_site_redirects {
        CrossSite::Allow => {}
        CrossSite::Warn => findings.note(Code::REDIRECT_CROSS_SITE, found),
        CrossSite::Deny => {
            findings.doubt(Code::REDIRECT_CROSS_SITE, None, Detail::Texts { expected, found });
        }
    }
}

fn host(url: &SourceUrl) -> String {
    url.host().unwrap_or_default().to_ascii_lowercase()
}

/// The same host, or one host below the other. Siblings count as different sites: without a list of public suffixes
/// nobody can tell `a.example.org` and `b.example.org` from `a.co.uk` and `b.co.uk`.
fn same_host_or_below(left: &SourceUrl, right: &SourceUrl) -> bool {
    let (left, right) = (host(left), host(right));
    let below = |lower: &str, upper: &str| {
        upper.contains('.') && lower.strip_suffix(upper).is_some_and(|rest| rest.ends_with('.'))
    };
    left == right || below(&left, &right) || below(&right, &left)
}

/// A request that could have made the content, such as a POST to an echo page.
fn request(case: &Case<'_>, http: &Http, findings: &mut Findings) {
    let Some(request) = &http.request else { return };
    if request.credentials == Some(true) {
        findings.note(Code::REQUEST_CREDENTIALS, "");
    }
    if !request.may_have_made_the_content() {
        return;
    }
    let method = request.method.to_string();
    match case.verifier.policy.limits().allow_requests {
        true => findings.note(Code::REQUEST_CALLER_MADE, method),
        false => findings.doubt(Code::REQUEST_CALLER_MADE, None, Detail::Text(method.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_hosts_and_what_lies_below() {
        let same = |left: &str, right: &str| {
            let url = |host: &str| format!("https://{host}/x").parse().unwrap();
            same_host_or_below(&url(left), &url(right))
        };
        assert!(same("a.example", "A.example"));
        assert!(same("a.example", "www.a.example"));
        assert!(same("www.a.example:8443", "a.example"));
        assert!(!same("www.a.example", "docs.a.example"));
        assert!(!same("a.example", "evil-a.example"));
        assert!(!same("example", "a.example"));
        assert!(!same("a.example", "a.example.evil.org"));
    }
}
