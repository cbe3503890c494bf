//! The list of Certificate Transparency logs: old ones miss new logs and those that were distrusted.

use genten_pki::{CtLogList, Moment};
use genten_primitives::{Printable, Timestamp};
use genten_verify::kit::TrustKit;

use super::finding::{DAY, Finding};

/// After so many days browsers do not enforce a list any more.
pub(in crate::command::trust) const CT_LIST_DAYS: i64 = 70;

const ADVICE: &str = "get the present list, and add it with `genten trust add-ct`";

pub(super) fn check(kit: &TrustKit, now: Timestamp, findings: &mut Vec<Finding>) {
    let Some(list) = kit.ct_log_list() else { return };
    match list.timestamp() {
        None => {
            findings.push(Finding::warning("the CT log list does not say when it was made", ADVICE))
        }
        Some(made) if made > Moment::from(now) => findings.push(Finding::warning(
            format!("the CT log list was made in the future, at {made}"),
            "check where the list comes from, and this computer's clock",
        )),
        Some(made) if is_old(list, now) => findings.push(Finding::problem(
            format!("the CT log list is older than {CT_LIST_DAYS} days, made at {made}"),
            ADVICE,
        )),
        Some(_) => {}
    }
    for log in list.logs() {
        if let Err(error) = &log.key {
            findings.push(Finding::note(
                format!(
                    "the key of the CT log {} cannot be used: {error}",
                    Printable(&log.description)
                ),
                "nothing; its promises are not counted",
            ));
        }
    }
}

/// Whether the list says that it was made more than [`CT_LIST_DAYS`] ago.
pub(in crate::command::trust) fn is_old(list: &CtLogList, now: Timestamp) -> bool {
    let limit = now.checked_add_millis(-CT_LIST_DAYS * DAY);
    list.timestamp().zip(limit).is_some_and(|(made, limit)| made < Moment::from(limit))
}

#[cfg(test)]
mod tests {
    use super::super::tests::found_in_fresh;

    #[test]
    fn a_list_is_good_for_seventy_days() {
        let made = |time: &str| {
            found_in_fresh(&format!(
                r#","ct_log_list":{{"log_list_timestamp":"{time}","operators":[]}}"#
            ))
        };
        assert_eq!(made("2026-06-29T00:00:00Z"), [""; 0]);
        assert_eq!(made("2026-04-21T00:00:00Z"), [""; 0]);
        assert!(made("2026-04-20T23:59:59Z")[0].starts_with("problem: the CT log list is older"));
        assert!(made("2026-07-01T00:00:00Z")[0].contains("in the future"));
        assert!(
            found_in_fresh(r#","ct_log_list":{"operators":[]}"#)[0].contains("does not say when")
        );
    }
}
