//! Trusted times: moments before which the signer's own signature existed, on the word of others.
//!
//! They bound from above only. A time counts where what was timed contains a signature by the manifest's own key; over an
//! ECDSA signature alone it says nothing about the key, since a fitting key can be computed afterwards, so that something
//! else must show that the key is older.

use genten_manifest::Subject;
use genten_primitives::Timestamp;

use super::logging::CountedEntry;
use super::stamps::HeldStamp;
use crate::findings::Findings;
use crate::logs::Quorum;
use crate::report::{TimeBasis, TrustedTime};
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

/// A time by which a signature of the signer existed.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) time: TrustedTime,
    /// Whether what was timed holds the key, or binds it.
    pub(crate) binds_key: bool,
}

/// All trusted times of a manifest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moments(Vec<Moment>);

/// Since when a key is known, apart from what was timed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyAge {
    /// The id holds the key.
    InId,
    /// The kit or a certificate dates it.
    From(Timestamp),
    /// Nobody says.
    Unknown,
}

impl Moments {
    /// The times in log entries and timestamps that hold.
    pub(crate) fn gather(entries: &[CountedEntry], stamps: &[HeldStamp]) -> Self {
        let cosigned = entries.iter().filter_map(of_entry);
        let stamped = stamps.iter().map(|stamp| Moment {
            time: TrustedTime {
                time: stamp.stamp.time(),
                basis: TimeBasis::Timestamped,
                source: stamp.stamp.authority_name().to_owned(),
            },
            binds_key: stamp.binds_key,
        });
        Self(cosigned.chain(stamped).collect())
    }

    /// All of them.
    pub(crate) fn times(&self) -> impl Iterator<Item = Timestamp> {
        self.0.iter().map(|moment| moment.time.time)
    }

    /// The earliest that counts for a key of this age.
    pub(crate) fn earliest(&self, age: KeyAge) -> Option<&TrustedTime> {
        self.counting(age).min_by_key(|time| time.time)
    }

    /// Those that count for a key of this age.
    pub(crate) fn counting(&self, age: KeyAge) -> impl Iterator<Item = &TrustedTime> {
        let counts = move |moment: &&Moment| {
            moment.binds_key
                || match age {
                    KeyAge::InId => true,
                    KeyAge::From(from) => from <= moment.time.time,
                    KeyAge::Unknown => false,
                }
        };
        self.0.iter().filter(counts).map(|moment| &moment.time)
    }

    /// Holds the times against what the manifest says, whatever is believed of the key.
    pub(crate) fn check(&self, case: &Case<'_>, findings: &mut Findings) {
        let signed_at = case.claims.signed_at();
        let skew = case.verifier.policy.limits().clock_skew;
        let early = self.0.iter().find(|moment| signed_at.millis_since(moment.time.time) > skew);
        if let Some(moment) = early {
            let detail = Detail::Times { expected: signed_at, found: moment.time.time };
            findings.fail(Code::TIME_BEFORE_MANIFEST, Requirement::Time, detail);
        }
        let late = self.0.iter().find(|moment| moment.time.time.millis_since(case.now) > skew);
        if let Some(moment) = late {
            let detail = Detail::Times { expected: case.now, found: moment.time.time };
            findings.doubt(Code::TIME_IN_FUTURE, Requirement::Time, detail);
        }
    }

    /// Says what the times come to, once it is known which of them counts.
    pub(crate) fn conclude(
        &self,
        case: &Case<'_>,
        counting: Option<&TrustedTime>,
        findings: &mut Findings,
    ) {
        let Some(trusted) = counting else { return self.without(findings) };
        let limits = case.verifier.policy.limits();
        let (signed_at, time) = (case.claims.signed_at(), trusted.time);
        if time.millis_since(case.now) > limits.clock_skew {
            return; // a doubt already
        }
        if time.millis_since(signed_at) > limits.timestamp_delay {
            let detail = Detail::Times { expected: signed_at, found: time };
            findings.doubt(Code::TIME_DELAYED, None, detail);
        }
        let text = format!("{time}, {} by {}", trusted.basis.as_str(), trusted.source);
        findings.pass(Code::TIME_TRUSTED, Requirement::Time, Detail::Text(text.into()));
    }

    fn without(&self, findings: &mut Findings) {
        match self.0.first() {
            Some(moment) => {
                let detail = Detail::Text(moment.time.time.to_string().into());
                findings.short(Code::TIME_KEY_UNBOUND, Requirement::Time, detail);
            }
            None if findings.is_silent_on(Requirement::Time) => {
                findings.lack(Code::TIME_MISSING, Requirement::Time);
            }
            None => {}
        }
    }
}

/// Cosignatures over a checkpoint that proves an entry with the signer's own signature and key.
fn of_entry(entry: &CountedEntry) -> Option<Moment> {
    if !entry.is_by_signer || entry.subject == Subject::Content {
        return None;
    }
    let logged = entry.prepared.logged.as_ref().ok()?;
    match &logged.quorum {
        Quorum::Met { by: Some(time), witnesses } => Some(Moment {
            time: TrustedTime {
                time: *time,
                basis: TimeBasis::Witnessed,
                source: witnesses.join(", "),
            },
            binds_key: true,
        }),
        _ => None,
    }
}
