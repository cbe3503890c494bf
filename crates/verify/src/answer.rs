//! A saved result of a tool or resource, and the manifests that stand behind it.

use genten_manifest::{Claims, Evidence, KeyId, ManifestError, UnverifiedManifest};
use genten_mcp::binding::BindError;
use genten_mcp::call::Call;
use genten_mcp::saved::{Outcome, Saved, SavedError};
use genten_mcp::visible::{Standing, visible_sources};
use genten_primitives::{Sha256Digest, Timestamp};

use crate::findings::Findings;
use crate::{Body, Code, Detail, Report, Verifier};

/// Most faults of one kind that are written down.
const SHOWN: usize = 16;

/// A saved result as it is put to a verifier: what it holds, which manifests came with it, and which call it should answer.
///
/// ```
/// use genten_verify::answer::Answer;
/// use genten_verify::{Policy, Trust, Verifier};
///
/// let verifier = Verifier::new(Trust::default(), Policy::built_in("basic").unwrap());
/// let document = genten_mcp::saved::read_document(br#"{"content":[{"type":"text","text":"hi"}]}"#).unwrap();
/// let saved = genten_mcp::saved::Saved::read(document.root()).unwrap();
/// let answer = Answer::new(&saved, None);
/// let report = verifier.verify_without_manifest(&answer, "2026-11-30T08:15:00Z".parse().unwrap());
/// assert_eq!(report.verdict.because().unwrap().as_str(), "mcp.no-manifest");
/// ```
#[derive(Debug)]
pub struct Answer<'a> {
    outcome: Outcome,
    digest: Option<Result<Sha256Digest, BindError>>,
    manifests: Vec<Result<UnverifiedManifest, ManifestError>>,
    uncovered: Vec<String>,
    sources: Vec<(String, Standing)>,
    call: Option<&'a Call>,
}

impl<'a> Answer<'a> {
    /// The result, and the call that it should answer.
    pub fn new(saved: &Saved<'_>, call: Option<&'a Call>) -> Self {
        let read =
            |value: &genten_primitives::json::Value<'_>| UnverifiedManifest::read(value.raw());
        let manifests: Vec<_> = saved.manifests().iter().map(read).collect();
        let claims = || manifests.iter().flatten().map(UnverifiedManifest::claims);
        let (visible, is_more) = visible_sources(saved);
        let standing = visible.iter().map(|source| {
            let path = format!("{} ({})", source.path, source.url);
            (path, source.standing(claims()))
        });
        let mut sources: Vec<_> = standing.collect();
        sources.extend(is_more.then(|| ("more sources".to_owned(), Standing::Unattested)));
        Self {
            outcome: saved.outcome().clone(),
            digest: saved.object().map(|object| object.digest()),
            uncovered: saved.uncovered().to_vec(),
            manifests,
            sources,
            call,
        }
    }

    /// The manifests, in the order in which they came.
    pub fn manifests(&self) -> &[Result<UnverifiedManifest, ManifestError>] {
        &self.manifests
    }

    pub(crate) fn digest(&self) -> Option<&Result<Sha256Digest, BindError>> {
        self.digest.as_ref()
    }

    pub(crate) fn call(&self) -> Option<&Call> {
        self.call
    }

    /// What the manifests under one id say.
    pub(crate) fn claims_of<'s>(&'s self, id: &'s KeyId) -> impl Iterator<Item = &'s Claims> {
        let readable = self.manifests.iter().flatten();
        let own = readable.filter(move |one| one.manifest().mcp_key_id == *id);
        own.map(UnverifiedManifest::claims)
    }

    /// What concerns the result as a whole, whoever signed it.
    pub(crate) fn check(&self, findings: &mut Findings) {
        if let Some(words) = failure(&self.outcome) {
            findings.doubt(Code::MCP_ERROR_RESULT, None, Detail::Text(words.into()));
        }
        if let Some(Err(fault)) = &self.digest {
            findings.doubt(Code::MCP_BLOCK, None, Detail::Text(fault.to_string().into()));
        }
        for path in self.uncovered.iter().take(SHOWN) {
            findings.doubt(Code::MCP_UNCOVERED, None, Detail::Text(path.clone().into()));
        }
        for (path, standing) in self.sources.iter().take(SHOWN) {
            let detail = Detail::Text(path.clone().into());
            match standing {
                Standing::Attested => findings.pass(Code::MCP_SOURCE_ATTESTED, None, detail),
                Standing::Contradicted => findings.fail(Code::MCP_SOURCE_OTHER, None, detail),
                Standing::Unattested => findings.doubt(Code::MCP_SOURCE_UNATTESTED, None, detail),
            }
        }
        // Beyond those that are shown, the worst is not passed over.
        let rest = || self.sources.iter().skip(SHOWN).map(|(_, standing)| standing);
        if rest().any(|standing| *standing == Standing::Contradicted) {
            findings.fail(Code::MCP_SOURCE_OTHER, None, Detail::Text("and more".into()));
        }
        if rest().any(|standing| *standing == Standing::Unattested) {
            findings.doubt(Code::MCP_SOURCE_UNATTESTED, None, Detail::Text("and more".into()));
        }
    }
}

/// What a call that failed came to.
fn failure(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Success => None,
        Outcome::ToolError => Some("the tool says that it failed (isError)".to_owned()),
        Outcome::ProtocolError { code, message } => {
            let code = code.map_or("?".to_owned(), |code| code.to_string());
            Some(format!("an error of the protocol, {code}: {message}"))
        }
    }
}

impl Verifier {
    /// Judges one of the manifests of a result, by its place, with evidence that came another way: the result must be, as a
    /// whole, the one that was signed.
    pub fn verify_answer(
        &self,
        answer: &Answer<'_>,
        place: usize,
        evidence: &[Evidence],
        body: &Body,
        now: Timestamp,
    ) -> Report {
        match &answer.manifests[place] {
            Ok(manifest) => self.judge(manifest, Some(answer), evidence, body, now),
            Err(error) => self.malformed(error, now),
        }
    }

    /// Judges a result behind which nobody stands.
    pub fn verify_without_manifest(&self, answer: &Answer<'_>, now: Timestamp) -> Report {
        let mut findings = Findings::new(Default::default(), Default::default());
        // A failed call needs no source.
        if failure(&answer.outcome).is_none() {
            findings.doubt(Code::MCP_NO_MANIFEST, None, Detail::None);
        }
        answer.check(&mut findings);
        self.report_of(findings, now)
    }

    /// The report on a file that was recognised as a saved result and contradicts itself.
    pub fn malformed_answer(&self, error: &SavedError, now: Timestamp) -> Report {
        let mut findings = Findings::new(Default::default(), Default::default());
        findings.fail(Code::MCP_MALFORMED, None, Detail::Text(error.to_string().into()));
        self.report_of(findings, now)
    }

    fn report_of(&self, findings: Findings, now: Timestamp) -> Report {
        let verdict = Report::judge(&findings.checks);
        Report { verdict, checks: findings.checks, ..self.empty_report(now) }
    }
}
