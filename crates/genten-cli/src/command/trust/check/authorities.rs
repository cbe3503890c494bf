//! Authorities: roots that expire, and namers who may name the same signers.

use genten_pki::Certificate;
use genten_primitives::{Printable, Timestamp};

use super::finding::{DAY, Finding};
use super::signers::bare;
use crate::command::trust::view::{AuthorityView, KitView};

/// A root that expires so soon is worth a warning.
const SOON: i64 = 30 * DAY;

pub(super) fn check(view: &KitView, now: Timestamp, findings: &mut Vec<Finding>) {
    for (position, authority) in view.authorities.iter().enumerate() {
        for root in &authority.roots {
            expiry(authority, root, now, findings);
        }
        revoked_roots(authority, findings);
        patterns(authority, findings);
        for other in &view.authorities[..position] {
            overlap(other, authority, findings);
        }
    }
}

fn expiry(
    authority: &AuthorityView,
    root: &Certificate,
    now: Timestamp,
    findings: &mut Vec<Finding>,
) {
    let end = root.validity().not_after;
    let name = Printable(&authority.name);
    let subject = root.subject().to_string();
    let subject = Printable(&subject);
    match end.millis_since(now) {
        left if left < 0 => findings.push(Finding::problem(
            format!("the root {subject} of the authority {name} expired at {end}"),
            "ask the authority for its new root, and add it with `genten trust add-ca`",
        )),
        left if left < SOON => findings.push(Finding::warning(
            format!("the root {subject} of the authority {name} expires soon, at {end}"),
            "ask the authority for its next root",
        )),
        _ => {}
    }
}

fn revoked_roots(authority: &AuthorityView, findings: &mut Vec<Finding>) {
    let digests = authority.roots.iter().map(|root| root.sha256().to_string());
    for digest in digests.filter(|digest| authority.revoked.contains(digest)) {
        findings.push(Finding::problem(
            format!(
                "the authority {} has revoked its own root {digest}",
                Printable(&authority.name)
            ),
            "remove the root, or the whole authority if it has no other",
        ));
    }
}

fn patterns(authority: &AuthorityView, findings: &mut Vec<Finding>) {
    for pattern in &authority.san_uri {
        if let Some((what, advice)) = bare(pattern) {
            let name = Printable(&authority.name);
            findings.push(Finding::warning(
                format!("san_uri {} of the authority {name} {what}", Printable(pattern)),
                advice,
            ));
        }
    }
}

/// Two authorities that may name the same signer: each can sign in the name of the other's.
fn overlap(first: &AuthorityView, second: &AuthorityView, findings: &mut Vec<Finding>) {
    let pairs =
        first.san_uri.iter().flat_map(|one| second.san_uri.iter().map(move |two| (one, two)));
    for (one, two) in pairs.filter(|(one, two)| have_common(one, two)) {
        findings.push(Finding::warning(
            format!(
                "the authorities {} ({}) and {} ({}) may name the same signers",
                Printable(&first.name),
                Printable(one),
                Printable(&second.name),
                Printable(two),
            ),
            "narrow san_uri so that each signer has one authority",
        ));
    }
}

/// Whether some URI matches both patterns.
fn have_common(one: &str, two: &str) -> bool {
    match (one.strip_suffix('*'), two.strip_suffix('*')) {
        (None, None) => one == two,
        (Some(start), None) => two.starts_with(start),
        (None, Some(start)) => one.starts_with(start),
        (Some(one), Some(two)) => one.starts_with(two) || two.starts_with(one),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_have_something_in_common() {
        for (one, two, common) in [
            ("https://a.example/*", "https://a.example/x/*", true),
            ("https://a.example/*", "https://a.example/x", true),
            ("https://a.example/x", "https://a.example/x", true),
            ("https://a.example/x*", "https://a.example/xy*", true),
            ("https://a.example/x", "https://a.example/y", false),
            ("https://a.example/x/*", "https://a.example/y/*", false),
            ("https://a.example/x", "https://a.example/x/*", false),
            ("urn:a:b", "urn:a:c", false),
        ] {
            assert_eq!(have_common(one, two), common, "{one} {two}");
            assert_eq!(have_common(two, one), common, "{two} {one}");
        }
    }
}
