//! From a bundle and a question to a report.

use genten_pki::{Certificate, TimestampToken};
use genten_primitives::{PublicKey, Timestamp};

use super::content::{Comparison, Content, ContentFault};
use super::entry::{BundleSigner, CountedEntry, Fault, judge};
use super::{
    KeyMaterial, SignedContent, SigstoreBundle, SigstoreError, SigstoreQuestion, SigstoreReport,
    certificate,
};
use crate::check::stamp_codes;
use crate::findings::Findings;
use crate::report::{LogReport, TimeBasis, TimestampReport, TrustedTime};
use crate::words::with_causes;
use crate::{Code, Detail, Report, Requirement, Requirements, Verifier};

const CONTENT: Requirement = Requirement::Content;
const SIGNATURE: Requirement = Requirement::Signature;
const SIGNER: Requirement = Requirement::Signer;

/// What is asked of every bundle, whatever the policy adds.
const ALWAYS: [Requirement; 4] = [SIGNATURE, SIGNER, CONTENT, Requirement::Log];

impl Verifier {
    /// Judges a Sigstore bundle: with a certificate under the kit's trusted roots, with a bare key under the keys that the
    /// caller gave.
    pub fn verify_sigstore(
        &self,
        bundle: &SigstoreBundle,
        question: &SigstoreQuestion<'_>,
        now: Timestamp,
    ) -> Report {
        let by_certificate = matches!(bundle.material, KeyMaterial::Certificates(_));
        let mut required = ALWAYS.into_iter().fold(self.policy.of_any_source(), Requirements::with);
        if by_certificate {
            required = required.with(Requirement::Time);
        }
        let mut findings = Findings::new(required, Requirements::NONE);
        let content = Content::new(&bundle.content, question.artifact);
        let mut report = SigstoreReport {
            content: match &bundle.content {
                SignedContent::Message { .. } => "message".to_owned(),
                SignedContent::Envelope { payload_type, .. } => payload_type.clone(),
            },
            artifact: question.artifact.map(super::Artifact::shown),
            thumbprint: None,
            identities: Vec::new(),
            issuer: None,
        };
        let mut seen = Seen::default();
        if let Some(key) = self.key(bundle, &content, &mut findings) {
            report.thumbprint = Some(key.thumbprint());
            let certificate = match &bundle.material {
                KeyMaterial::Certificates(chain) => chain.first().map(Vec::as_slice),
                KeyMaterial::PublicKey { .. } => None,
            };
            let signer = BundleSigner { key: &key, certificate };
            seen = self.evidence(bundle, &content, &signer, now, &mut findings);
            self.signer(bundle, question, &key, &seen, &mut report, &mut findings);
        }
        findings.settle();
        Report {
            verdict: Report::judge(&findings.checks),
            checks: findings.checks,
            notes: findings.notes,
            sigstore: Some(report),
            logs: seen.logs,
            timestamps: seen.timestamps,
            trusted_time: seen.times.into_iter().min_by_key(|time| time.time),
            ..self.empty_report(now)
        }
    }

    /// The report on a bundle that was recognised and is malformed.
    pub fn malformed_sigstore(&self, error: &SigstoreError, now: Timestamp) -> Report {
        let mut findings = Findings::new(Requirements::NONE, Requirements::NONE);
        let code = Code::find(error.code()).unwrap_or(Code::SIGSTORE_MEMBER);
        let detail = Detail::Text(error.to_string().into());
        match error {
            SigstoreError::UnknownVersion { .. } => findings.doubt(code, None, detail),
            _ => findings.fail(code, None, detail),
        }
        Report {
            verdict: Report::judge(&findings.checks),
            checks: findings.checks,
            ..self.empty_report(now)
        }
    }

    /// The key under which the signature holds: the certificate's, or one that was given.
    fn key(
        &self,
        bundle: &SigstoreBundle,
        content: &Content<'_>,
        findings: &mut Findings,
    ) -> Option<PublicKey> {
        let keys = match &bundle.material {
            KeyMaterial::PublicKey { .. } => self.trust.keys.clone(),
            KeyMaterial::Certificates(chain) => match chain.first().map(|der| key_of(der)) {
                Some(Ok(key)) => vec![key],
                Some(Err(text)) => {
                    findings.fail(Code::CERTIFICATE_MALFORMED, SIGNER, Detail::Text(text.into()));
                    return None;
                }
                None => Vec::new(),
            },
        };
        if keys.is_empty() {
            findings.doubt(Code::SIGSTORE_KEY_NOT_GIVEN, SIGNATURE, Detail::None);
            return None;
        }
        let mut fault = ContentFault::DigestNeeded;
        for key in &keys {
            match content.verify(key) {
                Ok(()) => {
                    findings.pass(Code::SIGSTORE_SIGNATURE_VALID, SIGNATURE, Detail::None);
                    compare(content, findings);
                    return Some(key.clone());
                }
                Err(error) => fault = error,
            }
        }
        // A signature that holds over what the bundle says it is about is no bad one: the file is another.
        let stated = content.without_artifact();
        match content.contradicts_hint() && keys.iter().any(|key| stated.verify(key).is_ok()) {
            true => findings.fail(Code::SIGSTORE_OTHER_ARTIFACT, CONTENT, Detail::None),
            false => self::fault(&fault, findings),
        }
        None
    }

    /// Log entries and timestamps.
    fn evidence(
        &self,
        bundle: &SigstoreBundle,
        content: &Content<'_>,
        signer: &BundleSigner<'_>,
        now: Timestamp,
        findings: &mut Findings,
    ) -> Seen {
        let mut seen = Seen::default();
        let entries = self.entries(bundle, content, signer, findings);
        for entry in &entries {
            seen.add(entry);
        }
        self.stamps(bundle, &mut seen, findings);
        windows(&entries, &seen, findings);
        let skew = self.policy.limits().clock_skew;
        if let Some(late) = seen.times.iter().find(|time| time.time.millis_since(now) > skew) {
            let detail = Detail::Times { expected: now, found: late.time };
            findings.doubt(Code::TIME_IN_FUTURE, Requirement::Time, detail);
        }
        match seen.times.iter().min_by_key(|time| time.time) {
            Some(first) => {
                let text = format!("{}, {} by {}", first.time, first.basis.as_str(), first.source);
                findings.pass(Code::TIME_TRUSTED, Requirement::Time, Detail::Text(text.into()));
            }
            None if findings.is_silent_on(Requirement::Time) => {
                findings.lack(Code::TIME_MISSING, Requirement::Time);
            }
            None => {}
        }
        seen
    }

    fn entries(
        &self,
        bundle: &SigstoreBundle,
        content: &Content<'_>,
        signer: &BundleSigner<'_>,
        findings: &mut Findings,
    ) -> Vec<CountedEntry> {
        let logs = &self.trust.kit.logs;
        let mut counted = Vec::new();
        for (position, entry) in bundle.entries.iter().enumerate() {
            let same = |other: &&genten_tlog::rekor::LogEntry| {
                (other.log_id(), other.index()) == (entry.log_id(), entry.index())
            };
            if bundle.entries[..position].iter().any(|other| same(&other)) {
                let detail = Detail::Text(format!("entry {}", entry.index()).into());
                findings.fail(Code::LOG_DUPLICATE_ENTRY, Requirement::Log, detail);
                continue;
            }
            match judge(entry, bundle.version, content, signer, logs) {
                Ok(entry) => counted.push(entry),
                Err(Fault::Open(code, detail)) => {
                    findings.pending(code, Requirement::Log, detail);
                }
                Err(Fault::Contradicts(code, detail)) => {
                    findings.fail(code, Requirement::Log, detail);
                }
            }
        }
        match counted.first() {
            Some(entry) => {
                let detail = Detail::Text(format!("entry {}", entry.index).into());
                findings.pass(Code::LOG_INCLUDED, Requirement::Log, detail);
            }
            None if findings.is_silent_on(Requirement::Log) => {
                findings.lack(Code::LOG_MISSING, Requirement::Log);
            }
            None => {}
        }
        let met = counted.iter().find_map(CountedEntry::witnessed_by);
        match met {
            Some((_, names)) => {
                let detail = Detail::Text(names.join(", ").into());
                findings.pass(Code::WITNESS_QUORUM, Requirement::Witness, detail);
            }
            None => findings.lack(Code::WITNESS_MISSING, Requirement::Witness),
        }
        counted
    }

    /// RFC 3161 timestamps over the signature. The same token twice is one stamp.
    fn stamps(&self, bundle: &SigstoreBundle, seen: &mut Seen, findings: &mut Findings) {
        let authorities = self.trust.kit.timestamp_authorities();
        let all = &bundle.timestamps;
        for (_, token) in all.iter().enumerate().filter(|(at, one)| !all[..*at].contains(one)) {
            let verified = TimestampToken::from_der(token)
                .and_then(|token| token.verify(bundle.content.signature(), authorities));
            match verified {
                Ok(stamp) => {
                    let (time, name) = (stamp.time(), stamp.authority_name().to_owned());
                    let detail = Detail::Text(format!("{time} by {name}").into());
                    findings.pass(Code::TIMESTAMP_HOLDS, None, detail);
                    seen.timestamps.push(TimestampReport { time, authority: name.clone() });
                    let basis = TimeBasis::Timestamped;
                    seen.times.push(TrustedTime { time, basis, source: name });
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

    fn signer(
        &self,
        bundle: &SigstoreBundle,
        question: &SigstoreQuestion<'_>,
        key: &PublicKey,
        seen: &Seen,
        report: &mut SigstoreReport,
        findings: &mut Findings,
    ) {
        let chain = match &bundle.material {
            KeyMaterial::Certificates(chain) if !self.trust.keys.contains(key) => chain,
            // A key that was given is trusted as such, with or without a certificate around it.
            _ => return findings.pass(Code::SIGSTORE_KEY_GIVEN, SIGNER, Detail::None),
        };
        let times: Vec<_> = seen.times.iter().map(|time| time.time).collect();
        let roots = self.trust.kit.sigstore_trusted_roots();
        let verified = certificate::check(chain, roots, &times, question.identity, findings);
        if let Some(certificate) = verified {
            let names = certificate.identities().iter().map(|one| one.as_str().to_owned());
            report.identities = names.collect();
            report.issuer = certificate.issuer().map(str::to_owned);
        }
    }
}

fn key_of(der: &[u8]) -> Result<PublicKey, String> {
    let certificate = Certificate::from_der(der).map_err(|error| with_causes(&error))?;
    certificate.public_key().map_err(|error| with_causes(&error))
}

fn compare(content: &Content<'_>, findings: &mut Findings) {
    if content.contradicts_hint() {
        return findings.fail(Code::SIGSTORE_OTHER_DIGEST, CONTENT, Detail::None);
    }
    match content.compare() {
        Comparison::NotGiven => {
            findings.doubt(Code::SIGSTORE_ARTIFACT_NOT_GIVEN, CONTENT, Detail::None);
        }
        Comparison::Same => findings.pass(Code::SIGSTORE_ARTIFACT, CONTENT, Detail::None),
        Comparison::Other => {
            findings.fail(Code::SIGSTORE_OTHER_ARTIFACT, CONTENT, Detail::None);
        }
        Comparison::NoStatement => {
            findings.doubt(Code::SIGSTORE_NO_STATEMENT, CONTENT, Detail::None);
        }
    }
}

fn fault(fault: &ContentFault, findings: &mut Findings) {
    use genten_primitives::signature::SignatureError;
    match fault {
        ContentFault::DigestNeeded => {
            findings.doubt(Code::SIGSTORE_DIGEST_NEEDED, SIGNATURE, Detail::None);
        }
        ContentFault::Signature(
            error @ (SignatureError::RsaUnavailable | SignatureError::KeyRefused { .. }),
        ) => {
            let detail = Detail::Text(error.to_string().into());
            findings.doubt(Code::SIGNATURE_NOT_CHECKED, SIGNATURE, detail);
        }
        ContentFault::Signature(error) => {
            let detail = Detail::Text(error.to_string().into());
            findings.fail(Code::SIGSTORE_SIGNATURE, SIGNATURE, detail);
        }
    }
}

/// A log's key whose window was over at every trusted time may have been used by somebody else.
fn windows(entries: &[CountedEntry], seen: &Seen, findings: &mut Findings) {
    let Some(first) = seen.times.first() else { return };
    for entry in entries {
        if !seen.times.iter().any(|time| entry.is_in_window(time.time)) {
            let detail = Detail::Text(format!("entry {} at {}", entry.index, first.time).into());
            findings.doubt(Code::LOG_KEY_WINDOW, None, detail);
        }
    }
}

/// What logs and authorities say.
#[derive(Default)]
struct Seen {
    logs: Vec<LogReport>,
    timestamps: Vec<TimestampReport>,
    times: Vec<TrustedTime>,
}

impl Seen {
    fn add(&mut self, entry: &CountedEntry) {
        let origin = entry
            .logged
            .as_ref()
            .map_or(String::new(), |logged| logged.entry.checkpoint().origin().to_owned());
        if let Some(time) = entry.integrated_at() {
            let source = origin.clone();
            self.times.push(TrustedTime { time, basis: TimeBasis::Logged, source });
        }
        let witnessed = entry.witnessed_by();
        if let Some((time, names)) = witnessed {
            let source = names.join(", ");
            self.times.push(TrustedTime { time, basis: TimeBasis::Witnessed, source });
        }
        self.logs.push(LogReport {
            subject: genten_manifest::Subject::Content,
            origin,
            index: entry.index,
            witnesses: witnessed.map_or(Vec::new(), |(_, names)| names.to_vec()),
            witnessed_by: witnessed.map(|(time, _)| time),
            is_of_trusted_root: entry.logged.as_ref().is_some_and(|logged| logged.is_of_root),
        });
    }
}
