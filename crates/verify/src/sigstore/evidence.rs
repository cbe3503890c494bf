//! Log entries and timestamps of a bundle, and the times that they give.

use genten_pki::TimestampToken;
use genten_primitives::Timestamp;
use genten_primitives::key::KeyKind;

use super::SigstoreBundle;
use super::content::Content;
use super::entry::{BundleSigner, CountedEntry, Fault, judge};
use crate::check::moments::{KeyAge, Moment, Moments};
use crate::check::stamp_codes;
use crate::findings::Findings;
use crate::report::{LogReport, TimeBasis, TimestampReport, TrustedTime};
use crate::words::with_causes;
use crate::{Code, Detail, Requirement, Verifier};

/// What logs and authorities say, and since when the key is known apart from that.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) logs: Vec<LogReport>,
    pub(super) timestamps: Vec<TimestampReport>,
    pub(super) moments: Moments,
    age: KeyAge,
}

impl Seen {
    /// The earliest time that counts for the key.
    pub(super) fn trusted_time(&self) -> Option<&TrustedTime> {
        self.moments.earliest(self.age)
    }
}

impl Verifier {
    /// Judges log entries and timestamps under the key that the signature holds under.
    pub(super) fn sigstore_evidence(
        &self,
        bundle: &SigstoreBundle,
        content: &Content<'_>,
        signer: &BundleSigner<'_>,
        now: Timestamp,
        findings: &mut Findings,
    ) -> Seen {
        let entries = self.sigstore_entries(bundle, content, signer, findings);
        let stamps = self.sigstore_stamps(bundle, findings);
        // Ed25519 binds the key by itself; of other keys something else must say that they are older than a stamp.
        let is_bound = signer.key.kind() == KeyKind::Ed25519;
        let stamped =
            stamps.iter().map(|one| Moment::stamped(one.time, one.authority.clone(), is_bound));
        let moments: Moments = entries.iter().flat_map(moments_of).chain(stamped).collect();
        let age = self.key_age(signer);
        for entry in &entries {
            let is_in_window = |time| entry.is_in_window(time);
            moments.check_log_window(age, entry.origin(), now, is_in_window, findings);
        }
        moments.conclude(age, now, self.policy.limits().clock_skew, findings);
        let logs = entries.iter().map(CountedEntry::report).collect();
        Seen { logs, timestamps: stamps, moments, age }
    }

    /// A certificate is held against the times themselves; of bare keys the kit may say since when they are in use.
    fn key_age(&self, signer: &BundleSigner<'_>) -> KeyAge {
        if signer.certificate.is_some() {
            return KeyAge::InId;
        }
        let signers = self.trust.kit.signers().iter();
        let listed = signers.filter(|one| one.public_key == *signer.key);
        let from = listed.filter_map(|one| one.window.from).min();
        from.map_or(KeyAge::Unknown, KeyAge::From)
    }

    fn sigstore_entries(
        &self,
        bundle: &SigstoreBundle,
        content: &Content<'_>,
        signer: &BundleSigner<'_>,
        findings: &mut Findings,
    ) -> Vec<CountedEntry> {
        const LOG: Requirement = Requirement::Log;
        let mut counted: Vec<CountedEntry> = Vec::new();
        for entry in &bundle.entries {
            match judge(entry, bundle.version, content, signer, &self.trust.kit.logs) {
                Ok(entry) if counted.iter().any(|other| other.is_same(&entry)) => {
                    findings.fail(Code::LOG_DUPLICATE_ENTRY, LOG, place(&entry));
                }
                Ok(entry) => counted.push(entry),
                Err(Fault::Open(code, detail)) => findings.pending(code, LOG, detail),
                Err(Fault::Contradicts(code, detail)) => findings.fail(code, LOG, detail),
            }
        }
        self.conclude_log(&counted, findings);
        counted
    }

    fn conclude_log(&self, counted: &[CountedEntry], findings: &mut Findings) {
        const LOG: Requirement = Requirement::Log;
        let best = counted.iter().find(|entry| entry.is_vouched_for()).or(counted.first());
        match best {
            None if findings.is_silent_on(LOG) => findings.lack(Code::LOG_MISSING, LOG),
            None => {}
            Some(entry) if entry.is_vouched_for() || self.policy.counts_unwitnessed_logs() => {
                let code = match entry.logged {
                    Some(_) => Code::LOG_INCLUDED,
                    None => Code::LOG_PROMISED,
                };
                findings.pass(code, LOG, place(entry));
            }
            Some(entry) => findings.short(Code::LOG_UNWITNESSED, LOG, place(entry)),
        }
        if let Some(entry) = best.filter(|entry| !entry.is_vouched_for()) {
            findings.note(Code::LOG_UNWITNESSED, entry.origin().to_owned());
        }
        match counted.iter().find_map(CountedEntry::witnesses) {
            Some((_, names)) => {
                let detail = Detail::Text(names.join(", ").into());
                findings.pass(Code::WITNESS_QUORUM, Requirement::Witness, detail);
            }
            None => findings.lack(Code::WITNESS_MISSING, Requirement::Witness),
        }
    }

    /// RFC 3161 timestamps over the signature. What one authority stamped once is one stamp, however often it comes along.
    fn sigstore_stamps(
        &self,
        bundle: &SigstoreBundle,
        findings: &mut Findings,
    ) -> Vec<TimestampReport> {
        let authorities = self.trust.kit.timestamp_authorities();
        let mut known = Vec::new();
        let mut held = Vec::new();
        for token in &bundle.timestamps {
            let verified = TimestampToken::from_der(token)
                .and_then(|token| token.verify(bundle.content.signature(), authorities));
            match verified {
                Ok(stamp) => {
                    let serial = (stamp.authority(), stamp.serial().to_vec());
                    if known.contains(&serial) {
                        continue;
                    }
                    known.push(serial);
                    let (time, authority) = (stamp.time(), stamp.authority_name().to_owned());
                    let detail = Detail::Text(format!("{time} by {authority}").into());
                    findings.pass(Code::TIMESTAMP_HOLDS, None, detail);
                    held.push(TimestampReport { time, authority });
                }
                Err(error) => {
                    let code = stamp_codes::code(&error);
                    let detail = Detail::Text(with_causes(&error).into());
                    match error.is_contradiction() {
                        true => findings.fail(code, Requirement::Time, detail),
                        false => findings.pending(code, Requirement::Time, detail),
                    }
                }
            }
        }
        held
    }
}

fn place(entry: &CountedEntry) -> Detail {
    Detail::Text(format!("{}#{}", entry.origin(), entry.index()).into())
}

/// The times in an entry's promise and in the cosignatures over its checkpoint: the entry holds the key.
fn moments_of(entry: &CountedEntry) -> impl Iterator<Item = Moment> {
    let promised = entry.integrated_at();
    let promised =
        promised.map(|time| Moment::of_key(time, TimeBasis::Logged, entry.origin().to_owned()));
    let cosigned = entry.witnesses().and_then(|(time, names)| {
        Some(Moment::of_key(time?, TimeBasis::Witnessed, names.join(", ")))
    });
    promised.into_iter().chain(cosigned)
}
