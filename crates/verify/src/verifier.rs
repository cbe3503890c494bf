//! From evidence, trust, policy and a time to a report.

use std::borrow::Cow;
use std::collections::HashSet;

use genten_jws::{JwsError, SignedBytes};
use genten_manifest::{
    Capture, Claims, Evidence, ManifestError, UnverifiedBundle, UnverifiedManifest,
};
use genten_primitives::{PublicKey, Sha256Digest, Timestamp};

use crate::answer::Answer;
use crate::check::signature::Signed;
use crate::check::{
    archive, content, contradiction, ct, evidence, result, signature, source, times, transport,
};
use crate::findings::Findings;
use crate::input::{Input, InputError};
use crate::memory::Memory;
use crate::sigstore::{SigstoreBundle, SigstoreQuestion};
use crate::{
    Basis, BodyReport, Check, Code, Detail, Effect, ExternalChecker, NamedDigest, Note, Policy,
    Report, Requirement, TrustKit, TrustedSigner, Verdict,
};

/// Whom the caller trusts.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// The trust kit; empty where none was given.
    pub kit: TrustKit,
    /// Keys that the caller trusts as such, whatever id they sign under.
    pub keys: Vec<PublicKey>,
    /// Ids that contain their key.
    pub signers: Vec<TrustedSigner>,
}

/// The bytes that are said to have been fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Were given; this is their digest.
    Given {
        /// SHA-256 of the bytes.
        sha256: Sha256Digest,
        /// How many bytes.
        bytes: u64,
    },
    /// Were not given, and nobody looked.
    NotGiven,
    /// Were looked for and not found.
    NotFound,
}

impl Body {
    /// Bytes in memory.
    pub fn of(bytes: &[u8]) -> Self {
        Self::Given { sha256: Sha256Digest::of(bytes), bytes: bytes.len() as u64 }
    }
}

/// Judges manifests. Prepared once, used for millions, from any number of threads.
///
/// ```
/// use genten_verify::{Body, Policy, Trust, Verdict, Verifier};
/// let verifier = Verifier::new(Trust::default(), Policy::built_in("basic").unwrap());
/// let report = verifier.verify_bytes(br#"{"mcp_signature":"x"}"#, &Body::NotGiven, "2026-11-30T08:15:00Z".parse().unwrap());
/// assert!(matches!(report.verdict, Verdict::Reject { .. }), "nothing is ever guessed at");
/// ```
#[derive(Debug)]
pub struct Verifier {
    pub(crate) trust: Trust,
    pub(crate) policy: Policy,
    pub(crate) memory: Memory,
    pub(crate) checkers: Vec<Box<dyn ExternalChecker>>,
}

/// One manifest under examination: everything that the checks may look at.
pub(crate) struct Case<'a> {
    pub(crate) verifier: &'a Verifier,
    pub(crate) manifest: &'a UnverifiedManifest,
    pub(crate) claims: &'a Claims,
    pub(crate) evidence: &'a [Evidence],
    pub(crate) body: &'a Body,
    /// The result that the manifest came with.
    pub(crate) answer: Option<&'a Answer<'a>>,
    pub(crate) now: Timestamp,
}

impl Verifier {
    /// A verifier that believes `trust` and asks what `policy` asks.
    pub fn new(trust: Trust, policy: Policy) -> Self {
        Self { trust, policy, memory: Memory::default(), checkers: Vec::new() }
    }

    /// The same verifier, with a checker for external evidence of one media type. The first of several for one type counts.
    #[must_use]
    pub fn with_checker(mut self, checker: Box<dyn ExternalChecker>) -> Self {
        self.checkers.push(checker);
        self
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The trust.
    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Judges a manifest or a bundle as it was saved; a Sigstore bundle without an artifact. Whatever else it is, is judged as a
    /// malformed manifest.
    pub fn verify_bytes(&self, bytes: &[u8], body: &Body, now: Timestamp) -> Report {
        match Input::read(bytes) {
            Ok(input) => self.verify_input(&input, &[], body, now),
            Err(InputError::Malformed(error) | InputError::LaterVersion(error)) => {
                Report { body: body_report(body), ..self.malformed(&error, now) }
            }
            Err(InputError::Sigstore) => match SigstoreBundle::read(bytes) {
                Ok(bundle) => self.verify_sigstore(&bundle, &SigstoreQuestion::default(), now),
                Err(error) => self.malformed_sigstore(&error, now),
            },
            Err(InputError::McpResult | InputError::Unknown(_)) => {
                match UnverifiedManifest::read(bytes) {
                    Ok(manifest) => self.verify(&manifest, &[], body, now),
                    Err(error) => Report { body: body_report(body), ..self.malformed(&error, now) },
                }
            }
        }
    }

    /// Judges a document, with evidence that came another way too.
    pub fn verify_input(
        &self,
        input: &Input,
        more: &[Evidence],
        body: &Body,
        now: Timestamp,
    ) -> Report {
        let evidence = joined(input.evidence(), more);
        let report = self.verify(input.manifest(), &evidence, body, now);
        match input {
            Input::Manifest(_) => report,
            Input::Bundle(bundle) => with_unknown(bundle, report),
        }
    }

    /// Judges a bundle.
    pub fn verify_bundle(&self, bundle: &UnverifiedBundle, body: &Body, now: Timestamp) -> Report {
        with_unknown(bundle, self.verify(bundle.manifest(), bundle.evidence(), body, now))
    }

    /// Judges a manifest with the evidence that came with it.
    pub fn verify(
        &self,
        manifest: &UnverifiedManifest,
        evidence: &[Evidence],
        body: &Body,
        now: Timestamp,
    ) -> Report {
        self.judge(manifest, None, evidence, body, now)
    }

    /// Judges a manifest, alone or as it came with a result.
    pub(crate) fn judge(
        &self,
        manifest: &UnverifiedManifest,
        answer: Option<&Answer<'_>>,
        evidence: &[Evidence],
        body: &Body,
        now: Timestamp,
    ) -> Report {
        let claims = manifest.claims();
        let (mut required, recommended) = self.policy.requirements(claims);
        if answer.is_some() {
            required = required.with(Requirement::Result);
        }
        let mut findings = Findings::new(required, recommended);
        let case = Case { verifier: self, manifest, claims, evidence, body, answer, now };
        let signed = SignedBytes::of_manifest(manifest);
        let manifest_id = signed.as_ref().ok().map(SignedBytes::sha256);
        let later_version = signed.as_ref().is_err_and(JwsError::is_later_version);
        let signed = self.signed(&case, signed, &mut findings);
        // In a later version other things may fit together: none of our rules is held against it.
        if !later_version {
            contradiction::check(&case, &mut findings);
            content::check(&case, &mut findings);
            times::check(&case, &mut findings);
            source::check(&case, &mut findings);
            let chains = transport::check(&case, &mut findings);
            ct::check(&case, &chains, &mut findings);
            evidence::check(&case, manifest_id, &mut findings);
            archive::check(&case, &mut findings);
            result::check(&case, &mut findings);
        }
        findings.settle();
        let basis = match claims.capture() {
            Capture::Recorded => Basis::Signed,
            Capture::Reported => Basis::Reported,
        };
        Report {
            verdict: Report::judge(&findings.checks),
            checks: findings.checks,
            notes: findings.notes,
            manifest_id,
            manifest: Some(manifest.clone()),
            attested: signed.attested,
            signer: Some(signed.report),
            basis,
            logs: signed.evidence.logs,
            timestamps: signed.evidence.timestamps,
            trusted_time: signed.evidence.trusted_time,
            body: body_report(body),
            ..self.empty_report(now)
        }
    }

    fn signed(
        &self,
        case: &Case<'_>,
        signed: Result<SignedBytes, JwsError>,
        findings: &mut Findings,
    ) -> Signed {
        match signed {
            Ok(signed) => signature::check(case, &signed, findings),
            Err(error) => signature::unreadable(case, &error, findings),
        }
    }

    /// Whether a trusted signer stands behind a manifest that is itself evidence, taken alone.
    pub(crate) fn attests(&self, manifest: &UnverifiedManifest, now: Timestamp) -> bool {
        let report = self.verify(manifest, &[], &Body::NotGiven, now);
        let blames = |check: &Check| {
            matches!(check.requirement, Some(Requirement::Signature | Requirement::Signer))
                && check.effect != Effect::None
        };
        let contradicts = matches!(report.verdict, Verdict::Reject { .. });
        report.attested && !contradicts && !report.checks.iter().any(blames)
    }

    /// The report on something that was recognised and is malformed.
    pub fn malformed(&self, error: &ManifestError, now: Timestamp) -> Report {
        let mut findings = Findings::new(Default::default(), Default::default());
        let code = Code::find(error.code()).unwrap_or(Code::MANIFEST_MALFORMED);
        match error.rule {
            genten_manifest::ManifestRule::UnsupportedVersion => {
                findings.doubt(code, None, Detail::Text(error.to_string().into()));
            }
            _ => findings.fail(code, None, Detail::Text(error.to_string().into())),
        }
        Report {
            verdict: Report::judge(&findings.checks),
            checks: findings.checks,
            ..self.empty_report(now)
        }
    }

    pub(crate) fn empty_report(&self, now: Timestamp) -> Report {
        let policy =
            NamedDigest { name: self.policy.name().to_owned(), sha256: self.policy.sha256() };
        Report {
            verdict: Report::judge(&[]),
            checks: Vec::new(),
            notes: Vec::new(),
            manifest_id: None,
            manifest: None,
            attested: false,
            signer: None,
            sigstore: None,
            basis: Basis::Reported,
            logs: Vec::new(),
            timestamps: Vec::new(),
            trusted_time: None,
            body: None,
            now,
            policy,
            kit_sha256: self.trust.kit.sha256(),
        }
    }
}

/// The evidence of a bundle and what came another way. What came twice is one item, however it is
/// spelled: otherwise an honest copy with other spaces would be a second entry, and contradict the
/// first.
fn joined<'e>(own: &'e [Evidence], more: &[Evidence]) -> Cow<'e, [Evidence]> {
    if more.is_empty() {
        return Cow::Borrowed(own);
    }
    let mut seen: HashSet<_> = own.iter().map(Evidence::canonical_sha256).collect();
    let new = more.iter().filter(|item| seen.insert(item.canonical_sha256()));
    Cow::Owned(own.iter().chain(new).cloned().collect())
}

/// Members beside manifest and evidence bind nobody, but are said.
fn with_unknown(bundle: &UnverifiedBundle, mut report: Report) -> Report {
    for path in bundle.unknown_members() {
        report.notes.push(Note { code: Code::BUNDLE_UNKNOWN_MEMBER, text: path.clone() });
    }
    report
}

fn body_report(body: &Body) -> Option<BodyReport> {
    match *body {
        Body::Given { sha256, bytes } => Some(BodyReport { sha256, bytes, name: None }),
        Body::NotGiven | Body::NotFound => None,
    }
}
