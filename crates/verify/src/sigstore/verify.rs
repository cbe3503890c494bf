//! From a bundle and a question to a report.

use genten_pki::Certificate;
use genten_primitives::{PublicKey, Timestamp};

use super::content::{Comparison, Content, ContentFault};
use super::entry::BundleSigner;
use super::evidence::Seen;
use super::{
    KeyMaterial, SignedContent, SigstoreBundle, SigstoreError, SigstoreQuestion, SigstoreReport,
    certificate,
};
use crate::check::key_status::check_revocation;
use crate::findings::Findings;
use crate::words::with_causes;
use crate::{Code, Detail, Report, Requirement, Requirements, Verifier};

const CONTENT: Requirement = Requirement::Content;
const SIGNATURE: Requirement = Requirement::Signature;
const SIGNER: Requirement = Requirement::Signer;

/// What can be asked of a bundle at all.
const APPLICABLE: [Requirement; 6] =
    [SIGNATURE, SIGNER, CONTENT, Requirement::Log, Requirement::Time, Requirement::Witness];

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
                SignedContent::Message { .. } => super::MESSAGE.to_owned(),
                SignedContent::Envelope { payload_type, .. } => payload_type.clone(),
            },
            predicate_type: content.predicate_type(),
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
            seen = self.sigstore_evidence(bundle, &content, &signer, now, &mut findings);
            self.sigstore_signer(bundle, question, &key, &seen, &mut report, &mut findings);
        }
        say_what_does_not_apply(required, &mut findings);
        findings.settle();
        Report {
            verdict: Report::judge(&findings.checks),
            checks: findings.checks,
            notes: findings.notes,
            sigstore: Some(report),
            trusted_time: seen.trusted_time().cloned(),
            logs: seen.logs,
            timestamps: seen.timestamps,
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
        let mut fault = None;
        for key in &keys {
            match content.verify(key) {
                Ok(()) => {
                    findings.pass(Code::SIGSTORE_SIGNATURE_VALID, SIGNATURE, Detail::None);
                    compare(content, findings);
                    return Some(key.clone());
                }
                // Under a key that could not be tried the signature may hold: that outweighs the others.
                Err(error @ ContentFault::DigestNeeded) => fault = Some(error),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        let fault = fault.unwrap_or(ContentFault::DigestNeeded);
        // A signature that holds over what the bundle says it is about is no bad one: the file is another.
        let stated = content.without_artifact();
        match content.contradicts_hint() && keys.iter().any(|key| stated.verify(key).is_ok()) {
            true => findings.fail(Code::SIGSTORE_OTHER_ARTIFACT, CONTENT, Detail::None),
            false => self::fault(&fault, findings),
        }
        None
    }

    /// Whether the key is the signer's: by a certificate that names whom the caller expects, or because the caller gave it.
    fn sigstore_signer(
        &self,
        bundle: &SigstoreBundle,
        question: &SigstoreQuestion<'_>,
        key: &PublicKey,
        seen: &Seen,
        report: &mut SigstoreReport,
        findings: &mut Findings,
    ) {
        let trusted_time = seen.trusted_time().map(|trusted| trusted.time);
        check_revocation(&self.trust.kit, key.thumbprint(), trusted_time, findings);
        let KeyMaterial::Certificates(chain) = &bundle.material else {
            return match question.identity {
                None => findings.pass(Code::SIGSTORE_KEY_GIVEN, SIGNER, Detail::None),
                Some(_) => findings.doubt(Code::SIGSTORE_NO_CERTIFICATE, SIGNER, Detail::None),
            };
        };
        let roots = self.trust.kit.sigstore_trusted_roots();
        let times = seen.moments.of_signing();
        let Some(verified) = certificate::check(chain, roots, &times, findings) else { return };
        // A key that was given names its holder as well as an identity does.
        match question.identity.is_none() && self.trust.keys.contains(key) {
            true => findings.pass(Code::SIGSTORE_KEY_GIVEN, SIGNER, Detail::None),
            false => certificate::compare(&verified, question.identity, findings),
        }
        let wanted = question.identity.map(|wanted| wanted.identity.as_str());
        let names = verified.identities().iter().map(|one| one.as_str().to_owned());
        report.identities = names.collect();
        report.identities.sort_by_key(|name| Some(name.as_str()) != wanted);
        report.issuer = verified.issuer().map(str::to_owned);
    }
}

/// What a policy asks for and no Sigstore bundle has stays open.
fn say_what_does_not_apply(required: Requirements, findings: &mut Findings) {
    for word in required.iter().filter(|word| !APPLICABLE.contains(word)) {
        findings.lack(Code::SIGSTORE_NOT_APPLICABLE, word);
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
        Comparison::NotComparable => {
            findings.doubt(Code::SIGSTORE_DIGEST_NEEDED, CONTENT, Detail::None);
        }
        Comparison::NoStatement => {
            findings.doubt(Code::SIGSTORE_NO_STATEMENT, CONTENT, Detail::None);
        }
    }
}

fn fault(fault: &ContentFault, findings: &mut Findings) {
    match fault {
        ContentFault::DigestNeeded => {
            findings.doubt(Code::SIGSTORE_DIGEST_NEEDED, SIGNATURE, Detail::None);
        }
        ContentFault::Signature(error) if error.is_not_checkable() => {
            let detail = Detail::Text(error.to_string().into());
            findings.doubt(Code::SIGNATURE_NOT_CHECKED, SIGNATURE, detail);
        }
        ContentFault::Signature(error) => {
            let detail = Detail::Text(error.to_string().into());
            findings.fail(Code::SIGSTORE_SIGNATURE, SIGNATURE, detail);
        }
    }
}
