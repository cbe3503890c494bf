//! Whose word counts for what was logged and when: logs, witnesses, timestamp authorities, lists of CT logs.

use std::collections::BTreeSet;

use genten_pki::{
    CtLogList, CtStatus, TimestampAuthority, TrustedAuthority, TrustedLog, TrustedRoot,
};
use genten_primitives::Printable;
use genten_tlog::policy::PolicyLog;
use genten_tlog::{NoteKeyKind, WitnessPolicy};
use genten_verify::kit::{TrustKit, Window};

use super::window_words;
use crate::command::text::{Rows, Text, count};
use crate::command::trust::{origins, unusable};

pub(super) fn text(kit: &TrustKit, out: &mut Text) {
    for root in kit.sigstore_trusted_roots() {
        self::root(root, out);
    }
    for policy in kit.tlog_policies() {
        self::policy(policy, out);
    }
    timestamp_authorities(kit.timestamp_authorities(), out);
    if let Some(list) = kit.ct_log_list() {
        out.line(0, "It knows Certificate Transparency logs, whose promises show that a server's certificate was published:");
        out.line(1, Printable(&ct_list_words(list)));
    }
}

fn root(root: &TrustedRoot, out: &mut Text) {
    let number = count(root.tlogs().len(), "log", "logs");
    out.line(
        0,
        format!("It trusts a Sigstore root, and so the word of {number} for what was logged:"),
    );
    for log in root.tlogs() {
        out.line(1, Printable(&log.base_url));
        out.rows(2, &log_rows(log));
    }
    let authorities = root.certificate_authorities();
    if authorities.is_empty() {
        return;
    }
    let number = count(authorities.len(), "CA", "CAs");
    out.line(1, format!("its {number} vouch for signers of Sigstore bundles, and authorise no signer of manifests"));
    let mut rows = Rows::default();
    for authority in authorities {
        rows.add("", certificate_authority(authority));
    }
    out.rows(2, &rows);
    let number = count(root.ctlogs().len(), "CT log", "CT logs");
    out.line(1, format!("its {number} must have seen the certificates of those CAs"));
}

fn log_rows(log: &TrustedLog) -> Rows {
    let mut rows = Rows::default();
    rows.add("origin", origins::of(log).join(", "))
        .add("run by", log.operator.as_deref().unwrap_or("not stated"))
        .add("log id", log.log_id);
    match (&log.key, unusable::log(log)) {
        (Ok(key), None) => {
            rows.add("key", format!("{}, thumbprint {}", key.kind(), key.thumbprint()))
        }
        (_, why) => rows.add("key", format!("of no use here: {}", why.unwrap_or_default())),
    };
    rows.add("counts", log.window);
    rows.add("behind it", "the publisher of the root; witnesses only where a policy asks for them");
    rows
}

fn certificate_authority(authority: &TrustedAuthority) -> String {
    let subject = &authority.subject;
    let names = [&subject.organization, &subject.common_name, &authority.uri];
    let names: Vec<_> = names.into_iter().flatten().map(String::as_str).collect();
    format!("{}, {}", names.join(", "), authority.window)
}

fn policy(policy: &WitnessPolicy, out: &mut Text) {
    let number = count(policy.logs().len(), "log", "logs");
    let head = match policy.is_none() {
        true => format!("It takes the word of {number} for what was logged, without any witness:"),
        false => format!("It trusts {number} as far as witnesses have seen them:"),
    };
    out.line(0, head);
    for log in policy.logs() {
        out.line(1, Printable(log.origin()));
        out.rows(2, &listed_rows(log, policy));
    }
    let mut rows = Rows::default();
    for witness in policy.witnesses() {
        rows.add("witness", format!("{}: {}", witness.name(), witness.vkey()));
    }
    out.rows(1, &rows);
}

fn listed_rows(log: &PolicyLog, policy: &WitnessPolicy) -> Rows {
    let key = log.key();
    let behind = match policy.quorum_text() {
        _ if key.kind() == NoteKeyKind::Rfc6962 => {
            "a Certificate Transparency log, to which no policy applies".to_owned()
        }
        Some(quorum) => format!("witnesses, {quorum}"),
        None => "nobody but its owner (quorum none)".to_owned(),
    };
    let mut rows = Rows::default();
    rows.add("log id", key.full_id())
        .add("key", key.to_vkey())
        .optional("url", log.url())
        .add("behind it", behind);
    rows
}

fn timestamp_authorities(authorities: &[TimestampAuthority], out: &mut Text) {
    if authorities.is_empty() {
        return;
    }
    let number = count(authorities.len(), "timestamp authority", "timestamp authorities");
    out.line(0, format!("It believes {number} about by when something existed:"));
    for authority in authorities {
        out.line(1, Printable(authority.name()));
        let mut rows = Rows::default();
        if let Some(stamping) = authority.certificates().first() {
            let end = stamping.validity().not_after;
            rows.add("certificate", format!("{}, valid until {end}", stamping.subject()))
                .add("", format!("SHA-256 {}", stamping.sha256()));
        }
        let window = Window { from: authority.from(), until: authority.until() };
        rows.add("counts", window_words(window));
        out.rows(2, &rows);
    }
}

/// The list in a few words.
pub(in crate::command::trust) fn ct_list_words(list: &CtLogList) -> String {
    let operators: BTreeSet<_> = list.logs().iter().map(|log| log.operator()).collect();
    let is_usable = |status| matches!(status, CtStatus::Usable | CtStatus::Qualified);
    let states = list.logs().iter().filter_map(|log| log.state);
    let usable = states.filter(|state| is_usable(state.status)).count();
    let made = list.timestamp().map(|made| format!(" of {made}")).unwrap_or_default();
    let version = list.version().map(|version| format!(" {version}")).unwrap_or_default();
    format!(
        "log list{version}{made}: {} of {}, {usable} usable",
        count(list.logs().len(), "log", "logs"),
        count(operators.len(), "operator", "operators"),
    )
}
