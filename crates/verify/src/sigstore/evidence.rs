//! Log entries and timestamps of a bundle, and the times that they give.

use genten_pki::TimestampToken;
use genten_primitives::key::KeyKind;
use genten_primitives::{PublicKey, Timestamp};

use super::SigstoreBundle;
use super::content::Content;
use super::entry::{BundleSigner, CountedEntry, Fault, judge};
use crate::check::stamp_codes;
use crate::findings::Findings;
use crate::report::{LogReport, TimeBasis, TimestampReport, TrustedTime};
use crate::words::with_causes;
use crate::{Code, Detail, Requirement, Verifier};

/// What logs and authorities say.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) logs: Vec<LogReport>,
    pub(super) timestamps: Vec<TimestampReport>,
    times: Vec<SeenTime>,
}

struct SeenTime {
    time: TrustedTime,
    /// Whether what was timed holds the key or binds it. A stamp over an ECDSA or RSA signature does not: a fitting key can be
    /// computed afterwards.
    binds_key: bool,
}

impl Seen {
    /// The earliest time that counts for the key.
    pub(super) fn trusted_time(&self) -> Option<&TrustedTime> {
        let counting = self.times.iter().filter(|one| one.binds_key);
        counting.map(|one| &one.time).min_by_key(|time| time.time)
    }

    /// The times at which a certificate must have been valid: all that authorities and logs signed. Witnesses sign that they
    /// have seen a tree, perhaps much later; the earliest of these counts where there is nothing else.
    pub(super) fn signing_times(&self) -> Vec<Timestamp> {
        let of_witnesses = |one: &&SeenTime| one.time.basis == TimeBasis::Witnessed;
        let signed = self.times.iter().filter(|one| !of_witnesses(one));
        let signed: Vec<_> = signed.map(|one| one.time.time).collect();
        match signed.is_empty() {
            true => self.times.iter().map(|one| one.time.time).min().into_iter().collect(),
            false => signed,
        }
    }

    fn add(&mut self, entry: &CountedEntry) {
        let mut add = |time, basis, source| {
            let time = TrustedTime { time, basis, source };
            self.times.push(SeenTime { time, binds_key: true });
        };
        if let Some(time) = entry.integrated_at() {
            add(time, TimeBasis::Logged, entry.origin().to_owned());
        }
        let witnesses = entry.witnesses();
        if let Some((Some(time), names)) = witnesses {
            add(time, TimeBasis::Witnessed, names.join(", "));
        }
        self.logs.push(LogReport {
            subject: genten_manifest::Subject::Content,
            origin: entry.origin().to_owned(),
            index: entry.index(),
            witnesses: witnesses.map_or(Vec::new(), |(_, names)| names.to_vec()),
            witnessed_by: witnesses.and_then(|(time, _)| time),
            is_of_trusted_root: entry.is_of_root(),
        });
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
        let mut seen = Seen::default();
        let entries = self.sigstore_entries(bundle, content, signer, findings);
        entries.iter().for_each(|entry| seen.add(entry));
        self.sigstore_stamps(bundle, signer, &mut seen, findings);
        windows(&entries, &seen, findings);
        self.conclude_time(&seen, now, findings);
        seen
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
                Ok(entry) if counted.iter().any(|other| other.place() == entry.place()) => {
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
        let best = counted.iter().find(|entry| entry.is_witnessed()).or(counted.first());
        match best {
            None if findings.is_silent_on(LOG) => findings.lack(Code::LOG_MISSING, LOG),
            None => {}
            Some(entry) if entry.is_witnessed() || self.policy.counts_unwitnessed_logs() => {
                let code = match entry.logged {
                    Some(_) => Code::LOG_INCLUDED,
                    None => Code::LOG_PROMISED,
                };
                findings.pass(code, LOG, place(entry));
            }
            Some(entry) => findings.short(Code::LOG_UNWITNESSED, LOG, place(entry)),
        }
        if let Some(entry) = best.filter(|entry| !entry.is_witnessed()) {
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
        signer: &BundleSigner<'_>,
        seen: &mut Seen,
        findings: &mut Findings,
    ) {
        let authorities = self.trust.kit.timestamp_authorities();
        let mut known = Vec::new();
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
                    let (time, name) = (stamp.time(), stamp.authority_name().to_owned());
                    let detail = Detail::Text(format!("{time} by {name}").into());
                    findings.pass(Code::TIMESTAMP_HOLDS, None, detail);
                    seen.timestamps.push(TimestampReport { time, authority: name.clone() });
                    let binds_key = self.stamp_binds(signer, time);
                    let basis = TimeBasis::Timestamped;
                    let time = TrustedTime { time, basis, source: name };
                    seen.times.push(SeenTime { time, binds_key });
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
    }

    /// Whether a stamp over the signature says something about the key: a certificate is held against the time, Ed25519 binds the
    /// key by itself, and of other keys the kit must say that they are older.
    fn stamp_binds(&self, signer: &BundleSigner<'_>, time: Timestamp) -> bool {
        signer.certificate.is_some()
            || signer.key.kind() == KeyKind::Ed25519
            || self.is_dated_before(signer.key, time)
    }

    fn is_dated_before(&self, key: &PublicKey, time: Timestamp) -> bool {
        let mut listed = self.trust.kit.signers().iter().filter(|one| one.public_key == *key);
        listed.any(|signer| signer.window.from.is_some_and(|from| from <= time))
    }

    fn conclude_time(&self, seen: &Seen, now: Timestamp, findings: &mut Findings) {
        const TIME: Requirement = Requirement::Time;
        let skew = self.policy.limits().clock_skew;
        let late = seen.times.iter().find(|one| one.time.time.millis_since(now) > skew);
        if let Some(late) = late {
            let detail = Detail::Times { expected: now, found: late.time.time };
            findings.doubt(Code::TIME_IN_FUTURE, TIME, detail);
        }
        match (seen.trusted_time(), seen.times.first()) {
            (Some(first), _) => {
                let text = format!("{}, {} by {}", first.time, first.basis.as_str(), first.source);
                findings.pass(Code::TIME_TRUSTED, TIME, Detail::Text(text.into()));
            }
            (None, Some(unbound)) => {
                let detail = Detail::Text(unbound.time.time.to_string().into());
                findings.short(Code::TIME_KEY_UNBOUND, TIME, detail);
            }
            (None, None) if findings.is_silent_on(TIME) => {
                findings.lack(Code::TIME_MISSING, TIME);
            }
            (None, None) => {}
        }
    }
}

fn place(entry: &CountedEntry) -> Detail {
    Detail::Text(format!("{}#{}", entry.origin(), entry.index()).into())
}

/// A log's key whose window was over at every trusted time may have been used by somebody else. Times that bind no key serve where
/// there are no others.
fn windows(entries: &[CountedEntry], seen: &Seen, findings: &mut Findings) {
    let is_bound = seen.times.iter().any(|one| one.binds_key);
    let counting = seen.times.iter().filter(|one| one.binds_key == is_bound);
    let times: Vec<_> = counting.map(|one| one.time.time).collect();
    let Some(first) = times.first() else { return };
    for entry in entries {
        if !times.iter().any(|time| entry.is_in_window(*time)) {
            let detail = Detail::Text(format!("{} at {first}", entry.origin()).into());
            findings.doubt(Code::LOG_KEY_WINDOW, None, detail);
        }
    }
}
