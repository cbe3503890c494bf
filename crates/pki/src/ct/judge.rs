//! What the SCTs of one certificate are worth.

use genten_primitives::{Sha256Digest, Timestamp};

use super::entry::{CtEntry, SctVerifyError};
use super::log::{CtLog, CtLogState, CtStatus};
use super::log_list::CtLogList;
use crate::{Certificate, ListedSct, Moment, Sct, SctError, SctList};

/// One finding per SCT, in the order of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CtFindings<'l> {
    findings: Vec<SctFinding<'l>>,
}

/// What was found about one SCT.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SctFinding<'l> {
    /// The log that it names; `None` for an unknown version.
    pub log_id: Option<Sha256Digest>,
    /// That log in the list.
    pub log: Option<&'l CtLog>,
    /// The moment of the promise; `None` for an unknown version or after the year 9999.
    pub time: Option<Timestamp>,
    /// Who ran the log then.
    pub operator: Option<&'l str>,
    /// What it is worth.
    pub outcome: SctOutcome,
}

/// What one SCT is worth. Only [`Verified`](Self::Verified) counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SctOutcome {
    /// A known log, and not its signature: somebody lies.
    BadSignature(SctVerifyError),
    /// The promise verifies and is dated later than it can have been seen.
    InTheFuture {
        /// Latest time that would do; `None` beyond the calendar.
        latest: Option<Timestamp>,
    },
    /// An embedded SCT, and the issuer's certificate is not there to check it with.
    IssuerNeeded,
    /// The promise verifies, and the log was never accepted: its state, or `None` when the list has none.
    LogNotAccepted(Option<CtLogState>),
    /// The promise verifies, and was made when the log was retired already.
    LogRetired(CtLogState),
    /// A known log whose key or whose signatures cannot be checked here.
    NotCheckable,
    /// A log that is not in the list.
    UnknownLog,
    /// A version of SCTs other than 1.
    UnknownVersion,
    /// The promise of a log that was accepted at its time.
    Verified,
}

impl SctOutcome {
    /// Whether the SCT contradicts the certificate, rather than only not counting.
    pub fn is_contradiction(&self) -> bool {
        matches!(self, Self::BadSignature(_))
    }
}

impl<'l> CtFindings<'l> {
    /// The findings, in the order of the list.
    pub fn findings(&self) -> &[SctFinding<'l>] {
        &self.findings
    }

    /// The distinct operators of the SCTs that verify, in alphabetical order.
    pub fn operators(&self) -> Vec<&'l str> {
        let verified = |finding: &&SctFinding<'l>| finding.outcome == SctOutcome::Verified;
        let found = self.findings.iter().filter(verified);
        let mut operators: Vec<_> = found.filter_map(|finding| finding.operator).collect();
        operators.sort_unstable();
        operators.dedup();
        operators
    }

    /// How many distinct operators promised.
    pub fn distinct_operators(&self) -> usize {
        self.operators().len()
    }

    /// Whether a promise that verifies is dated later than it can have been seen.
    pub fn any_in_the_future(&self) -> bool {
        let future =
            |found: &SctFinding<'_>| matches!(found.outcome, SctOutcome::InTheFuture { .. });
        self.findings.iter().any(future)
    }

    /// Whether a finding is a contradiction.
    pub fn has_contradiction(&self) -> bool {
        self.findings.iter().any(|finding| finding.outcome.is_contradiction())
    }
}

/// Judges the SCTs that are embedded in a certificate; none without the extension.
///
/// `issuer` is the certificate whose key signed this one, which belongs to what the logs sign. That it did is not verified
/// here: with a stranger's certificate every SCT looks forged.
/// `seen_at` is when the certificate was seen, and `skew_millis` how far clocks may differ.
///
/// # Errors
/// An extension that holds no list of SCTs.
pub fn judge_embedded_scts<'l>(
    certificate: &Certificate,
    issuer: Option<&Certificate>,
    logs: &'l CtLogList,
    seen_at: Timestamp,
    skew_millis: i64,
) -> Result<CtFindings<'l>, SctError> {
    let Some(list) = certificate.sct_list() else { return Ok(CtFindings::default()) };
    let list = SctList::from_bytes(list)?;
    let tbs = certificate.tbs_without_scts();
    let entry = issuer
        .map(|issuer| CtEntry::Precertificate { issuer_key_hash: issuer.spki_sha256(), tbs: &tbs });
    Ok(judge_scts(&list, entry.as_ref(), logs, seen_at, skew_millis))
}

/// Judges SCTs about `entry`; without an entry those of known logs stay open.
///
/// Of an unknown version or log: not counted. Of a known log: the signature must verify, whatever else is found. A promise
/// dated after `seen_at` beyond the skew does not count. Logs that are qualified, usable or read-only count, retired ones for
/// promises from before; of several logs of one operator, one counts.
pub fn judge_scts<'l>(
    list: &SctList,
    entry: Option<&CtEntry<'_>>,
    logs: &'l CtLogList,
    seen_at: Timestamp,
    skew_millis: i64,
) -> CtFindings<'l> {
    let latest = seen_at.checked_add_millis(skew_millis);
    let judge = |listed: &ListedSct| match listed {
        ListedSct::Unknown { .. } => SctFinding::without_log(None, SctOutcome::UnknownVersion),
        ListedSct::V1(sct) => match logs.find(&sct.log_id) {
            None => SctFinding::without_log(Some(sct), SctOutcome::UnknownLog),
            Some(log) => SctFinding::of(sct, log, outcome(sct, entry, log, latest)),
        },
    };
    CtFindings { findings: list.entries().iter().map(judge).collect() }
}

impl<'l> SctFinding<'l> {
    fn without_log(sct: Option<&Sct>, outcome: SctOutcome) -> Self {
        let log_id = sct.map(|sct| sct.log_id);
        Self { log_id, log: None, time: sct.and_then(Sct::time), operator: None, outcome }
    }

    fn of(sct: &Sct, log: &'l CtLog, outcome: SctOutcome) -> Self {
        let time = sct.time();
        let operator = time.map_or(log.operator(), |time| log.operator_at(time));
        let (log_id, operator) = (Some(sct.log_id), Some(operator));
        Self { log_id, log: Some(log), time, operator, outcome }
    }
}

fn outcome(
    sct: &Sct,
    entry: Option<&CtEntry<'_>>,
    log: &CtLog,
    latest: Option<Timestamp>,
) -> SctOutcome {
    let Ok(key) = &log.key else { return SctOutcome::NotCheckable };
    let Some(entry) = entry else { return SctOutcome::IssuerNeeded };
    match sct.verify(key, entry) {
        Err(SctVerifyError::NotCheckable { .. }) => return SctOutcome::NotCheckable,
        Err(error) => return SctOutcome::BadSignature(error),
        Ok(()) => {}
    }
    match sct.time() {
        Some(time) if latest.is_none_or(|latest| time <= latest) => of_state(log, time),
        _ => SctOutcome::InTheFuture { latest },
    }
}

fn of_state(log: &CtLog, time: Timestamp) -> SctOutcome {
    use CtStatus::{Pending, Qualified, ReadOnly, Rejected, Retired, Usable};
    let Some(state) = log.state else { return SctOutcome::LogNotAccepted(None) };
    match state.status {
        Qualified | Usable | ReadOnly => SctOutcome::Verified,
        Retired if Moment::from(time) < state.since => SctOutcome::Verified,
        Retired => SctOutcome::LogRetired(state),
        Pending | Rejected => SctOutcome::LogNotAccepted(Some(state)),
    }
}
