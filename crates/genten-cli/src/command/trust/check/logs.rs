//! Logs: of trusted roots and of policies, and where the two do not go together.

use genten_pki::{Moment, TrustedLog, TrustedRoot};
use genten_primitives::{Printable, PublicKey, Timestamp};
use genten_tlog::policy::PolicyWarning;
use genten_tlog::{NoteKeyKind, WitnessPolicy};
use genten_verify::kit::TrustKit;

use super::finding::Finding;
use crate::command::trust::{origins, unusable};

pub(super) fn check(kit: &TrustKit, now: Timestamp, findings: &mut Vec<Finding>) {
    let roots = kit.sigstore_trusted_roots();
    for root in roots {
        useless(root, findings);
        windows(root, now, findings);
    }
    twice_in_roots(roots, findings);
    for (position, policy) in kit.tlog_policies().iter().enumerate() {
        self::policy(policy, findings);
        other_keys(policy, roots, findings);
        twice_in_policies(&kit.tlog_policies()[..position], policy, findings);
    }
}

fn useless(root: &TrustedRoot, findings: &mut Vec<Finding>) {
    for (what, why) in unusable::of_root(root) {
        findings.push(Finding::warning(
            format!("{} is of no use here: {}", Printable(&what), Printable(&why)),
            "nothing that depends on it will be accepted; is there a newer root, or a newer version of this program?",
        ));
    }
}

/// A log that has gone keeps its old entries good; a root of which no log is left is old.
fn windows(root: &TrustedRoot, now: Timestamp, findings: &mut Vec<Finding>) {
    let now = Moment::from(now);
    let is_over = |log: &TrustedLog| log.window.end.is_some_and(|end| end < now);
    for log in root.tlogs() {
        let name = Printable(&log.base_url);
        if let Some(end) = log.window.end.filter(|_| is_over(log)) {
            findings.push(Finding::note(
                format!("the window of the log {name} is over since {end}"),
                "nothing; its entries from before still count",
            ));
        }
        if log.window.start > now {
            findings.push(Finding::warning(
                format!("the log {name} does not count before {}", log.window.start),
                "check where the trusted root comes from, and this computer's clock",
            ));
        }
    }
    if !root.tlogs().is_empty() && root.tlogs().iter().all(is_over) {
        findings.push(Finding::problem(
            "the windows of all logs of a trusted root are over",
            "get the present root from its publisher, and add it with `genten trust add-root`",
        ));
    }
}

fn twice_in_roots(roots: &[TrustedRoot], findings: &mut Vec<Finding>) {
    let logs: Vec<_> = roots.iter().flat_map(TrustedRoot::tlogs).collect();
    for (position, log) in logs.iter().enumerate() {
        let Ok(key) = &log.key else { continue };
        let earlier = logs[..position].iter().find(|one| one.key.as_ref() == Ok(key));
        if let Some(earlier) = earlier {
            findings.push(Finding::note(
                format!(
                    "the log {} has the same key as {}",
                    Printable(&log.base_url),
                    Printable(&earlier.base_url)
                ),
                "if an older root stands beside its successor, remove the older one: an entry counts in either window",
            ));
        }
    }
}

fn policy(policy: &WitnessPolicy, findings: &mut Vec<Finding>) {
    for log in policy.logs() {
        let name = Printable(log.origin());
        if log.key().kind() == NoteKeyKind::Rfc6962 {
            findings.push(Finding::warning(
                format!("{name} has the key of a Certificate Transparency log; a policy applies to no such log"),
                "CT logs come with `genten trust add-ct`",
            ));
        } else if policy.is_none() {
            findings.push(Finding::note(
                format!(
                    "for {name} no witness is asked for (quorum none): it is its owner's own word"
                ),
                "name witnesses in the policy, unless the log is your own",
            ));
        }
    }
    if policy.logs().is_empty() {
        findings.push(Finding::warning(
            "a tlog policy lists no log: it applies to nothing",
            "add its `log` lines, or remove it",
        ));
    }
    for warning in policy.warnings() {
        findings.push(match warning {
            PolicyWarning::LogKeyAsWitness { name } => Finding::note(
                format!(
                    "the witness {} has a key of the kind of logs; it is read as a witness's",
                    Printable(name)
                ),
                "ask the witness for its key of kind 0x04",
            ),
            PolicyWarning::Uncheckable { name } => Finding::warning(
                format!(
                    "the witness {} has an ML-DSA key, which this version cannot check; it never counts",
                    Printable(name)
                ),
                "see that the quorum can be met without it, or ask the witness for its key of kind 0x04",
            ),
            _ => continue,
        });
    }
}

/// One name, two keys: at most one of them is the log's.
fn other_keys(policy: &WitnessPolicy, roots: &[TrustedRoot], findings: &mut Vec<Finding>) {
    let logs = || roots.iter().flat_map(TrustedRoot::tlogs);
    for listed in policy.logs() {
        let is_same = |log: &TrustedLog| log.key.as_ref().ok() == Some(listed.key().key());
        let named = |log: &&TrustedLog| origins::of(log).iter().any(|name| name == listed.origin());
        if logs().any(is_same) {
            continue;
        }
        if let Some(log) = logs().find(named) {
            findings.push(Finding::problem(
                format!(
                    "a policy lists {} with another key than the trusted root has for {}",
                    Printable(listed.origin()),
                    Printable(&log.base_url)
                ),
                "ask the log's owner which key is right, and remove the other",
            ));
        }
    }
}

fn twice_in_policies(
    earlier: &[WitnessPolicy],
    policy: &WitnessPolicy,
    findings: &mut Vec<Finding>,
) {
    let known = || earlier.iter().flat_map(WitnessPolicy::logs);
    for log in policy.logs() {
        let (name, key): (_, &PublicKey) = (Printable(log.origin()), log.key().key());
        if known().any(|one| one.key().key() == key) {
            findings.push(Finding::warning(
                format!("two policies list the log {name}"),
                "keep one of the two, unless the quorums of both are meant to be met",
            ));
        } else if known().any(|one| one.origin() == log.origin()) {
            findings.push(Finding::problem(
                format!("two policies list {name} with two keys"),
                "ask the log's owner which key is right, and remove the other",
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::found_in_fresh;

    const LOG: &str = "rekor-local+e5842fab+AdRRUOCd0q2shJXU3cUDs89NjBpJGjrCFkOIXsD+comX";
    const OTHER: &str =
        "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx";
    const WITNESS: &str = "w1.example+c70b890f+BBh0lPXxXH+aKK/sfICZzGSyivDqnL26jrGDybT0Q677";
    const KEY: &str = "MCowBQYDK2VwAyEA1FFQ4J3SrayEldTdxQOzz02MGkkaOsIWQ4hewP5yiZc=";
    const OTHER_KEY: &str = "MCowBQYDK2VwAyEA4dO7hDeEQgwc2pzp8BIyyreso3HbzQ0j6g7nEIWSRLE=";

    fn root(key: &str, details: &str, end: &str) -> String {
        format!(
            r#"{{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1","tlogs":[{{
                "baseUrl":"http://rekor-local:3000","hashAlgorithm":"SHA2_256","publicKey":{{"rawBytes":"{key}",
                "keyDetails":"{details}","validFor":{{"start":"2026-01-01T00:00:00Z"{end}}}}}}}]}}"#
        )
    }

    fn good_root() -> String {
        root(KEY, "PKIX_ED25519", "")
    }

    fn with(roots: &[String], policies: &[String]) -> Vec<String> {
        let policies: Vec<_> =
            policies.iter().map(|text| format!("\"{}\"", text.replace('\n', "\\n"))).collect();
        found_in_fresh(&format!(
            r#","sigstore_trusted_roots":[{}],"tlog_policies":[{}]"#,
            roots.join(","),
            policies.join(",")
        ))
    }

    fn witnessed(log: &str) -> String {
        format!("log {log}\nwitness w1 {WITNESS}\nquorum w1\n")
    }

    #[test]
    fn a_good_root_and_policy_are_nothing_to_speak_of() {
        assert_eq!(with(&[good_root()], &[witnessed(LOG)]), [""; 0]);
        assert_eq!(with(&[], &[witnessed(LOG), witnessed(OTHER)]), [""; 0]);
    }

    #[test]
    fn windows_of_logs() {
        let over = with(&[root(KEY, "PKIX_ED25519", r#","end":"2026-02-01T00:00:00Z""#)], &[]);
        assert!(over[0].starts_with("note: the window of the log http://rekor-local:3000"));
        assert!(over[1].starts_with("problem: the windows of all logs"), "{over:?}");
        let later = good_root().replace("2026-01-01", "2026-07-01");
        assert!(with(&[later], &[])[0].contains("does not count before"));
    }

    #[test]
    fn logs_that_nobody_can_use() {
        let found = with(&[root(KEY, "PKIX_ED25519_NEW", "")], &[]);
        assert!(found[0].contains(
            "http://rekor-local:3000 is of no use here: log has a key of an unknown kind"
        ));
        let hash = good_root().replace("SHA2_256", "SHA2_512");
        assert!(with(&[hash], &[])[0].contains("log does not use SHA2_256"));
    }

    #[test]
    fn one_name_under_two_keys() {
        let listed = witnessed(LOG);
        let found = with(&[root(OTHER_KEY, "PKIX_ED25519", "")], std::slice::from_ref(&listed));
        assert!(
            found[0].starts_with("problem: a policy lists rekor-local with another key"),
            "{found:?}"
        );
        let found = with(&[], &[listed.clone(), listed]);
        assert!(
            found[0].starts_with("warning: two policies list the log rekor-local"),
            "{found:?}"
        );
        let found = with(&[good_root(), good_root()], &[]);
        assert!(found[0].contains("has the same key as"), "{found:?}");
    }

    #[test]
    fn a_policy_without_witnesses_is_named() {
        let found = with(&[], &[format!("log {LOG}\nquorum none\n")]);
        assert!(found[0].starts_with("note: for rekor-local no witness is asked for"), "{found:?}");
        assert!(with(&[], &["quorum none\n".to_owned()])[0].contains("lists no log"));
    }
}
