//! What logs, batches and timestamps show of a manifest, all together.

use super::moments::{KeyAge, Moments};
use super::signer::VerifiedSigner;
use super::{batch, logging, stamps};
use crate::findings::Findings;
use crate::report::{LogReport, TimestampReport, TrustedTime};
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

/// The facts for the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Established {
    pub(crate) logs: Vec<LogReport>,
    pub(crate) timestamps: Vec<TimestampReport>,
    /// The earliest trusted time that counts for the signer's key.
    pub(crate) trusted_time: Option<TrustedTime>,
}

/// Checks everything that is bound to the signature, under the key that it holds under.
pub(crate) fn check(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    findings: &mut Findings,
) -> (Established, Moments, LogWindows) {
    let batches = batch::check(case, signer, findings);
    let entries = logging::check(case, signer, &batches, findings);
    let held = stamps::check(case, signer, &batches, findings);
    let moments = Moments::gather(&entries, &held);
    moments.check(case, findings);
    let timestamps = held.iter().map(|one| TimestampReport {
        time: one.stamp.time(),
        authority: one.stamp.authority_name().to_owned(),
    });
    let established = Established {
        logs: entries.iter().filter_map(logging::CountedEntry::report).collect(),
        timestamps: timestamps.collect(),
        trusted_time: None,
    };
    (established, moments, LogWindows(entries))
}

/// The entries that count, whose logs' keys are held against the times once it is known which of these count.
pub(crate) struct LogWindows(Vec<logging::CountedEntry>);

impl LogWindows {
    /// A log's key whose window was over at every trusted time may have been used by somebody else. Times that do not count
    /// for the key serve where there are no others.
    pub(crate) fn check(&self, moments: &Moments, age: KeyAge, findings: &mut Findings) {
        let mut times: Vec<_> = moments.counting(age).map(|trusted| trusted.time).collect();
        if times.is_empty() {
            times = moments.times().collect();
        }
        let Some(first) = times.first() else { return };
        for logged in self.0.iter().filter_map(|entry| entry.prepared.logged.as_ref().ok()) {
            if !times.iter().any(|time| logged.is_in_window(*time)) {
                let origin = logged.entry.checkpoint().origin();
                let detail = Detail::Text(format!("{origin} at {first}").into());
                findings.doubt(Code::LOG_KEY_WINDOW, None, detail);
            }
        }
    }
}

/// Says of all of it that no verified key was there to hold it against.
pub(crate) fn unjudged(case: &Case<'_>, findings: &mut Findings) {
    logging::unjudged(case, findings);
    match stamps::stamps(case).next() {
        Some(_) => findings.pending(Code::TIME_NOT_CHECKED, Requirement::Time, Detail::None),
        None => findings.lack(Code::TIME_MISSING, Requirement::Time),
    }
}
