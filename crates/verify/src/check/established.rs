//! What logs, batches and timestamps show of a manifest, all together.

use genten_manifest::Subject;
use genten_primitives::Timestamp;

use super::logging::CountedEntry;
use super::moments::{KeyAge, Moment, Moments, doubt_future};
use super::signer::VerifiedSigner;
use super::stamps::HeldStamp;
use super::{batch, logging, stamps};
use crate::findings::Findings;
use crate::logs::Quorum;
use crate::report::{LogReport, TimeBasis, TimestampReport, TrustedTime};
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

const TIME: Requirement = Requirement::Time;

/// The facts for the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Established {
    pub(crate) logs: Vec<LogReport>,
    pub(crate) timestamps: Vec<TimestampReport>,
    /// The earliest trusted time that counts for the signer's key.
    pub(crate) trusted_time: Option<TrustedTime>,
}

/// What holds under the signer's key, before it is known since when the key is known.
pub(crate) struct Gathered {
    entries: Vec<CountedEntry>,
    stamps: Vec<HeldStamp>,
    moments: Moments,
}

/// Checks everything that is bound to the signature, under the key that it holds under.
pub(crate) fn gather(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    findings: &mut Findings,
) -> Gathered {
    let batches = batch::check(case, signer, findings);
    let entries = logging::check(case, signer, &batches, findings);
    let stamps = stamps::check(case, signer, &batches, findings);
    let stamped = stamps.iter().map(|held| {
        let source = held.stamp.authority_name().to_owned();
        Moment::stamped(held.stamp.time(), source, held.binds_key)
    });
    let moments = entries.iter().filter_map(moment).chain(stamped).collect();
    Gathered { entries, stamps, moments }
}

impl Gathered {
    pub(crate) fn moments(&self) -> &Moments {
        &self.moments
    }

    /// Says what it comes to for a key of this age.
    pub(crate) fn conclude(
        &self,
        case: &Case<'_>,
        age: KeyAge,
        findings: &mut Findings,
    ) -> Established {
        for logged in self.entries.iter().filter_map(|entry| entry.prepared.logged.as_ref().ok()) {
            let origin = logged.entry.checkpoint().origin();
            let is_in_window = |time| logged.is_in_window(time);
            let stated = case.claims.signed_at();
            self.moments.check_log_window(age, origin, stated, is_in_window, findings);
        }
        let trusted_time = self.moments.earliest(age).cloned();
        self.compare_with_claims(case, trusted_time.as_ref(), findings);
        let skew = case.verifier.policy.limits().clock_skew;
        self.moments.conclude(age, case.now, skew, findings);
        let others = self.entries.iter().filter(|entry| moment(entry).is_none());
        let others = others.filter_map(|entry| Some(cosigned(entry)?.0));
        doubt_future(others, case.now, skew, findings);
        let timestamps = self.stamps.iter().map(|held| TimestampReport {
            time: held.stamp.time(),
            authority: held.stamp.authority_name().to_owned(),
        });
        Established {
            logs: self.entries.iter().filter_map(CountedEntry::report).collect(),
            timestamps: timestamps.collect(),
            trusted_time,
        }
    }

    /// Nothing is timed before it was signed, and little long after.
    fn compare_with_claims(
        &self,
        case: &Case<'_>,
        trusted: Option<&TrustedTime>,
        findings: &mut Findings,
    ) {
        let (signed_at, limits) = (case.claims.signed_at(), case.verifier.policy.limits());
        let is_early = |time: &Timestamp| signed_at.millis_since(*time) > limits.clock_skew;
        if let Some(found) = self.moments.times().find(is_early) {
            let detail = Detail::Times { expected: signed_at, found };
            findings.fail(Code::TIME_BEFORE_MANIFEST, TIME, detail);
        }
        let is_late = |time: &Timestamp| time.millis_since(signed_at) > limits.timestamp_delay;
        if let Some(found) = trusted.map(|trusted| trusted.time).filter(is_late) {
            let detail = Detail::Times { expected: signed_at, found };
            findings.doubt(Code::TIME_DELAYED, None, detail);
        }
    }
}

/// The time by which the witnesses had seen the checkpoint that proves an entry, and their names.
fn cosigned(entry: &CountedEntry) -> Option<(Timestamp, &[String])> {
    match &entry.prepared.logged.as_ref().ok()?.quorum {
        Quorum::Met { by: Some(time), witnesses } => Some((*time, witnesses)),
        _ => None,
    }
}

/// The same where the entry holds the signer's own signature and key.
fn moment(entry: &CountedEntry) -> Option<Moment> {
    let is_of_signature = entry.is_by_signer && entry.subject != Subject::Content;
    let (time, witnesses) = cosigned(entry).filter(|_| is_of_signature)?;
    Some(Moment::of_key(time, TimeBasis::Witnessed, witnesses.join(", ")))
}

/// Says of all of it that no verified key was there to hold it against.
pub(crate) fn unjudged(case: &Case<'_>, findings: &mut Findings) {
    logging::unjudged(case, findings);
    match stamps::stamps(case).next() {
        Some(_) => findings.pending(Code::TIME_NOT_CHECKED, TIME, Detail::None),
        None => findings.lack(Code::TIME_MISSING, TIME),
    }
}
