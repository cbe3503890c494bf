//! `genten trust check`: what is wrong, stale or contradictory in a kit, each in one line with what to do.

mod authorities;
mod documents;
mod finding;
mod logs;
mod signers;
mod stamps;
mod transparency;

use std::path::Path;

use genten_primitives::Timestamp;
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use super::moment;
use super::view::KitView;
use crate::context::Context;
use crate::failure::Done;
use crate::output;
use finding::{DAY, Finding};
pub(super) use transparency::{CT_LIST_DAYS, is_old as is_old_ct_list};

/// A kit this old misses what happened since: 180 days.
const STALE: i64 = 180 * DAY;

/// A kit this old should be looked through: 30 days.
const OLD: i64 = 30 * DAY;

/// The exit status: 1 if something is to be done.
pub(super) fn run(context: &Context, path: &Path) -> Done<u8> {
    let view = super::view(path)?;
    let findings = findings(&view, moment::now());
    if context.json {
        output::json(&mut object(path, &findings));
    } else {
        findings.iter().for_each(|finding| output::line(&finding.to_string()));
        eprintln!("genten: {}", summary(&findings));
    }
    Ok(u8::from(findings.iter().any(Finding::is_to_be_done)))
}

/// Everything that is to be said, the kit's age first.
fn findings(view: &KitView, now: Timestamp) -> Vec<Finding> {
    let mut findings = Vec::new();
    age(view, now, &mut findings);
    signers::check(view, now, &mut findings);
    authorities::check(view, now, &mut findings);
    documents::check(view, now, &mut findings);
    logs::check(&view.kit, now, &mut findings);
    stamps::check(&view.kit, now, &mut findings);
    transparency::check(&view.kit, now, &mut findings);
    findings
}

fn age(view: &KitView, now: Timestamp, findings: &mut Vec<Finding>) {
    let Some(made) = view.kit.created_at() else {
        let advice = "set created_at to the day on which you last looked it through";
        findings.push(Finding::warning("the kit does not say when it was made", advice));
        return;
    };
    let days = now.millis_since(made) / DAY;
    match now.millis_since(made) {
        age if age < 0 => findings.push(Finding::warning(
            format!("the kit was made in the future, at {made}"),
            "correct created_at, or this computer's clock",
        )),
        age if age > STALE => findings.push(Finding::problem(
            format!("the kit is stale: made {days} days ago, at {made}"),
            "get a new one from its maker: keys may have been revoked since",
        )),
        age if age > OLD => findings.push(Finding::warning(
            format!("the kit is {days} days old, made at {made}"),
            "ask its maker whether something has changed since",
        )),
        _ => {}
    }
}

fn object(path: &Path, findings: &[Finding]) -> ObjectWriter<'static> {
    let mut list = ArrayWriter::new();
    for finding in findings {
        list.raw(&finding.json());
    }
    let mut object = ObjectWriter::new();
    object.string("kit", &path.to_string_lossy()).raw("findings", &list.finish());
    object
}

fn summary(findings: &[Finding]) -> String {
    match findings.iter().filter(|finding| finding.is_to_be_done()).count() {
        0 => "nothing to do".to_owned(),
        number => format!("{number} to be looked at"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genten_verify::kit::KIT_MEDIA_TYPE;

    /// What is found in a kit with these members, on 2026-06-30.
    pub(super) fn found(members: &str) -> Vec<String> {
        let text = format!(r#"{{"media_type":"{KIT_MEDIA_TYPE}"{members}}}"#);
        let view = KitView::read(text.as_bytes()).unwrap();
        let now = "2026-06-30T00:00:00Z".parse().unwrap();
        findings(&view, now).iter().map(ToString::to_string).collect()
    }

    /// As [`found`], in a kit of yesterday.
    pub(super) fn found_in_fresh(members: &str) -> Vec<String> {
        found(&format!(r#","created_at":"2026-06-29T00:00:00Z"{members}"#))
    }

    #[test]
    fn age_has_three_steps() {
        let made = |time: &str| found(&format!(r#","created_at":"{time}""#));
        assert_eq!(made("2026-06-30T00:00:00Z"), [""; 0]);
        assert_eq!(made("2026-05-31T00:00:00Z"), [""; 0]);
        assert!(made("2026-05-30T23:59:59Z")[0].starts_with("warning: the kit is 30 days old"));
        assert!(made("2026-01-01T00:00:00Z")[0].starts_with("warning: the kit is 180 days old"));
        assert!(made("2025-12-31T23:59:59Z")[0].starts_with("problem: the kit is stale"));
        assert!(made("2026-07-01T00:00:00Z")[0].contains("in the future"));
        assert!(found("")[0].contains("does not say when"));
    }

    #[test]
    fn a_finding_says_what_to_do() {
        let finding = &found("")[0];
        assert!(finding.contains("; set created_at"), "{finding}");
    }
}
