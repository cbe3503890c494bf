//! Trusted times: moments before which a signature existed, on the word of others.
//!
//! They bound from above only. A time counts where what was timed contains a signature by the signer's own key; over an
//! ECDSA signature alone it says nothing about the key, since a fitting key can be computed afterwards, so that something
//! else must show that the key is older.

use genten_primitives::Timestamp;

use crate::findings::Findings;
use crate::report::{TimeBasis, TrustedTime};
use crate::{Code, Detail, Requirement};

const TIME: Requirement = Requirement::Time;

/// A time by which a signature of the signer existed.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    time: TrustedTime,
    binds_key: bool,
}

/// All trusted times of one signature.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moments(Vec<Moment>);

/// Since when a key is known, apart from what was timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum KeyAge {
    /// The id holds the key, or the certificate is itself held against the times.
    InId,
    /// The kit or a certificate dates it.
    From(Timestamp),
    /// Nobody says.
    #[default]
    Unknown,
}

impl Moment {
    /// What was timed holds the key, or binds it.
    pub(crate) fn of_key(time: Timestamp, basis: TimeBasis, source: String) -> Self {
        Self { time: TrustedTime { time, basis, source }, binds_key: true }
    }

    /// An authority's stamp over a signature, which may say nothing of the key.
    pub(crate) fn stamped(time: Timestamp, source: String, binds_key: bool) -> Self {
        Self { binds_key, ..Self::of_key(time, TimeBasis::Timestamped, source) }
    }

    fn counts(&self, age: KeyAge) -> bool {
        self.binds_key
            || match age {
                KeyAge::InId => true,
                KeyAge::From(from) => from <= self.time.time,
                KeyAge::Unknown => false,
            }
    }
}

impl FromIterator<Moment> for Moments {
    fn from_iter<I: IntoIterator<Item = Moment>>(moments: I) -> Self {
        Self(moments.into_iter().collect())
    }
}

impl Moments {
    /// All of them.
    pub(crate) fn times(&self) -> impl Iterator<Item = Timestamp> {
        self.0.iter().map(|moment| moment.time.time)
    }

    /// The earliest that counts for a key of this age.
    pub(crate) fn earliest(&self, age: KeyAge) -> Option<&TrustedTime> {
        self.counting(age).min_by_key(|time| time.time)
    }

    fn counting(&self, age: KeyAge) -> impl Iterator<Item = &TrustedTime> {
        self.0.iter().filter(move |moment| moment.counts(age)).map(|moment| &moment.time)
    }

    /// The times at which a short-lived certificate must have been valid: all that authorities and logs signed. Witnesses sign
    /// that they have seen a tree, perhaps much later; the earliest of these counts where there is nothing else.
    pub(crate) fn of_signing(&self) -> Vec<Timestamp> {
        let signed = self.0.iter().filter(|moment| moment.time.basis != TimeBasis::Witnessed);
        let signed: Vec<_> = signed.map(|moment| moment.time.time).collect();
        match signed.is_empty() {
            true => self.times().min().into_iter().collect(),
            false => signed,
        }
    }

    /// Says what the times come to for a key of this age. What lies in the future by more than `skew` milliseconds is doubted,
    /// whatever is believed of the key.
    pub(crate) fn conclude(&self, age: KeyAge, now: Timestamp, skew: i64, findings: &mut Findings) {
        let is_late = |time: Timestamp| time.millis_since(now) > skew;
        doubt_future(self.times(), now, skew, findings);
        match (self.earliest(age), self.0.first()) {
            (Some(first), _) if is_late(first.time) => {}
            (Some(first), _) => {
                let text = format!("{}, {} by {}", first.time, first.basis.as_str(), first.source);
                findings.pass(Code::TIME_TRUSTED, TIME, Detail::Text(text.into()));
            }
            (None, Some(unbound)) => {
                let detail = Detail::Text(unbound.time.time.to_string().into());
                findings.short(Code::TIME_KEY_UNBOUND, TIME, detail);
            }
            (None, None) if findings.is_silent_on(TIME) => findings.lack(Code::TIME_MISSING, TIME),
            (None, None) => {}
        }
    }

    /// A log's key whose window was over at every trusted time may have been used by somebody else. Times that do not count
    /// for the signer's key serve where there are no others, and `stated` where there is none at all.
    pub(crate) fn check_log_window(
        &self,
        age: KeyAge,
        origin: &str,
        stated: Timestamp,
        is_in_window: impl Fn(Timestamp) -> bool,
        findings: &mut Findings,
    ) {
        let mut times: Vec<_> = self.counting(age).map(|trusted| trusted.time).collect();
        if times.is_empty() {
            times = self.times().collect();
        }
        if times.is_empty() {
            times.push(stated);
        }
        let first = times[0];
        if !times.iter().any(|time| is_in_window(*time)) {
            let detail = Detail::Text(format!("{origin} at {first}").into());
            findings.doubt(Code::LOG_KEY_WINDOW, None, detail);
        }
    }
}

/// Doubts the first of the times that lies ahead of `now` by more than `skew` milliseconds.
pub(crate) fn doubt_future(
    mut times: impl Iterator<Item = Timestamp>,
    now: Timestamp,
    skew: i64,
    findings: &mut Findings,
) {
    if let Some(found) = times.find(|time| time.millis_since(now) > skew) {
        let detail = Detail::Times { expected: now, found };
        findings.doubt(Code::TIME_IN_FUTURE, TIME, detail);
    }
}
