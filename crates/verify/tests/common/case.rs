//! One input, what is trusted, what is asked, and what must come of it.

use genten_mcp::call::Call;
use genten_mcp::saved::{Saved, read_document};
use genten_primitives::Timestamp;
use genten_verify::answer::Answer;
use genten_verify::input::{Input, InputError};
use genten_verify::sigstore::{Artifact, CertificateIdentity, SigstoreBundle, SigstoreQuestion};
use genten_verify::{
    Body, KitError, Policy, PolicyError, Report, Trust, TrustKit, TrustedSigner, Verifier,
    keys_from_file,
};

use super::kit::Kit;
use super::{BODY, NOW};

/// Everything that a verifier is given, and what it must say.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) about: String,
    pub(crate) input_name: String,
    pub(crate) input: Vec<u8>,
    pub(crate) body: Option<Vec<u8>>,
    /// The call that a saved result should answer.
    pub(crate) request: Option<Vec<u8>>,
    pub(crate) trust: Option<Vec<u8>>,
    pub(crate) policy: PolicyChoice,
    /// File name and content.
    pub(crate) keys: Vec<(String, Vec<u8>)>,
    pub(crate) signers: Vec<String>,
    /// What a Sigstore bundle is said to be about.
    pub(crate) artifact: Option<ArtifactChoice>,
    /// Whose certificate a Sigstore bundle must have, and who vouches for him.
    pub(crate) identity: Option<(String, String)>,
    pub(crate) at: String,
    pub(crate) expected: Expected,
}

#[derive(Clone)]
pub(crate) enum PolicyChoice {
    BuiltIn(String),
    File(String),
}

#[derive(Clone)]
pub(crate) enum ArtifactChoice {
    File(Vec<u8>),
    /// `sha256:` and the digest.
    Digest(String),
}

/// What must come of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) verdict: String,
    /// The reason; empty for accept.
    pub(crate) code: String,
    /// Codes of checks and notes that must be there too.
    pub(crate) also: Vec<String>,
    pub(crate) exit: u8,
}

/// What came of a case.
pub(crate) enum Outcome {
    Report(Box<Report>),
    /// No verdict: the input, the kit, the policy or a key is nothing to go by.
    Refused(String),
}

impl Case {
    /// A manifest under the policy `basic` with nobody trusted and no body.
    pub(crate) fn manifest(input: impl Into<Vec<u8>>) -> Self {
        Self {
            id: String::new(),
            about: String::new(),
            input_name: "manifest.json".to_owned(),
            input: input.into(),
            body: None,
            request: None,
            trust: None,
            policy: PolicyChoice::BuiltIn("basic".to_owned()),
            keys: Vec::new(),
            signers: Vec::new(),
            artifact: None,
            identity: None,
            at: NOW.to_owned(),
            expected: Expected::default(),
        }
    }

    /// As [`manifest`](Self::manifest), for a bundle.
    pub(crate) fn bundle(input: impl Into<Vec<u8>>) -> Self {
        Self { input_name: "bundle.provenance.json".to_owned(), ..Self::manifest(input) }
    }

    /// As [`manifest`](Self::manifest), for a Sigstore bundle.
    pub(crate) fn sigstore(input: impl Into<Vec<u8>>) -> Self {
        Self { input_name: "bundle.sigstore.json".to_owned(), ..Self::manifest(input) }
    }

    /// As [`manifest`](Self::manifest), for a saved result of a tool.
    pub(crate) fn result(input: impl Into<Vec<u8>>) -> Self {
        Self { input_name: "result.json".to_owned(), ..Self::manifest(input) }
    }

    pub(crate) fn request(self, request: impl Into<Vec<u8>>) -> Self {
        Self { request: Some(request.into()), ..self }
    }

    pub(crate) fn artifact(self, file: &[u8]) -> Self {
        Self { artifact: Some(ArtifactChoice::File(file.to_vec())), ..self }
    }

    pub(crate) fn artifact_digest(self, digest: &str) -> Self {
        Self { artifact: Some(ArtifactChoice::Digest(digest.to_owned())), ..self }
    }

    pub(crate) fn identity(self, name: &str, issuer: &str) -> Self {
        Self { identity: Some((name.to_owned(), issuer.to_owned())), ..self }
    }

    pub(crate) fn body(self, body: &[u8]) -> Self {
        Self { body: Some(body.to_vec()), ..self }
    }

    /// With the bytes that were fetched.
    pub(crate) fn with_body(self) -> Self {
        self.body(BODY)
    }

    pub(crate) fn kit(self, kit: &Kit) -> Self {
        self.trust(kit.text())
    }

    pub(crate) fn trust(self, kit: impl Into<Vec<u8>>) -> Self {
        Self { trust: Some(kit.into()), ..self }
    }

    pub(crate) fn policy(self, name: &str) -> Self {
        Self { policy: PolicyChoice::BuiltIn(name.to_owned()), ..self }
    }

    /// A policy file: `version` and `name` are added.
    pub(crate) fn policy_file(self, rest: &str) -> Self {
        let text = format!("version = 1\nname = \"case\"\n{rest}");
        Self { policy: PolicyChoice::File(text), ..self }
    }

    pub(crate) fn key(mut self, file: impl Into<Vec<u8>>) -> Self {
        let name = match self.keys.len() {
            0 => "key.pem".to_owned(),
            more => format!("key-{}.pem", more + 1),
        };
        self.keys.push((name, file.into()));
        self
    }

    pub(crate) fn signer(mut self, id: &str) -> Self {
        self.signers.push(id.to_owned());
        self
    }

    pub(crate) fn at(self, now: &str) -> Self {
        Self { at: now.to_owned(), ..self }
    }

    /// What a verifier says.
    pub(crate) fn judge(&self) -> Outcome {
        self.report().map_or_else(Outcome::Refused, |report| Outcome::Report(Box::new(report)))
    }

    /// The report, or the code of what prevents a verdict.
    pub(crate) fn report(&self) -> Result<Report, String> {
        let verifier = self.verifier()?;
        let now: Timestamp = self.at.parse().unwrap();
        let body = self.body.as_deref().map_or(Body::NotGiven, Body::of);
        match Input::read(&self.input) {
            Ok(input) => Ok(verifier.verify_input(&input, &[], &body, now)),
            Err(InputError::Malformed(_)) => Ok(verifier.verify_bytes(&self.input, &body, now)),
            Err(InputError::LaterVersion(error)) => Err(error.code().to_owned()),
            Err(InputError::Sigstore) => Ok(self.judge_sigstore(&verifier, &self.input)),
            Err(InputError::McpResult) => self.judge_result(&verifier, &body),
            Err(InputError::Unknown(unknown)) => Err(unknown.code().to_owned()),
            Err(_) => Err("unheard of".to_owned()),
        }
    }

    /// The worst of what a verifier says of the manifests of a saved result.
    fn judge_result(&self, verifier: &Verifier, body: &Body) -> Result<Report, String> {
        let now: Timestamp = self.at.parse().unwrap();
        let document = match read_document(&self.input) {
            Ok(document) => document,
            Err(error) => return Ok(verifier.malformed(&error.into(), now)),
        };
        let saved = match Saved::read(document.root()) {
            Ok(saved) => saved,
            Err(error) => return Ok(verifier.malformed_answer(&error, now)),
        };
        let call = self.request.as_ref().map(|request| {
            let document = read_document(request).map_err(|_| "input.call")?;
            Call::read(document.root()).map_err(|_| "input.call")
        });
        let call = call.transpose()?;
        let answer = Answer::new(&saved, call.as_ref());
        let reports = (0..answer.manifests().len())
            .map(|place| verifier.verify_answer(&answer, place, &[], body, now));
        let severity = |report: &Report| match report.verdict.exit_status() {
            0 => 0,
            3 => 1,
            _ => 2,
        };
        let worst = reports.max_by_key(severity);
        Ok(worst.unwrap_or_else(|| verifier.verify_without_manifest(&answer, now)))
    }

    /// What a verifier says of a Sigstore bundle about the case's artifact.
    pub(crate) fn judge_sigstore(&self, verifier: &Verifier, bundle: &[u8]) -> Report {
        let now: Timestamp = self.at.parse().unwrap();
        let artifact = self.artifact.as_ref().map(|artifact| match artifact {
            ArtifactChoice::File(bytes) => Artifact::of_reader(bytes.as_slice()).unwrap(),
            ArtifactChoice::Digest(digest) => digest.parse().unwrap(),
        });
        let identity = self.identity.clone();
        let identity = identity.map(|(identity, issuer)| CertificateIdentity { identity, issuer });
        let (artifact, identity) = (artifact.as_ref(), identity.as_ref());
        match SigstoreBundle::read(bundle) {
            Ok(bundle) => {
                verifier.verify_sigstore(&bundle, &SigstoreQuestion { artifact, identity }, now)
            }
            Err(error) => verifier.malformed_sigstore(&error, now),
        }
    }

    /// A verifier with the case's trust and policy.
    pub(crate) fn verifier(&self) -> Result<Verifier, String> {
        let mut trust = Trust::default();
        for (_, file) in &self.keys {
            trust.keys.extend(keys_from_file(file).map_err(|error| error.code().to_owned())?);
        }
        for id in &self.signers {
            let signer = TrustedSigner::new(id);
            trust.signers.push(signer.map_err(|_| "key.signer-id".to_owned())?);
        }
        if let Some(kit) = &self.trust {
            trust.kit = TrustKit::read(kit).map_err(|_| KitError::CODE.to_owned())?;
        }
        let policy = match &self.policy {
            PolicyChoice::BuiltIn(name) => Policy::built_in(name).unwrap(),
            PolicyChoice::File(text) => {
                Policy::read(text).map_err(|_| PolicyError::CODE.to_owned())?
            }
        };
        Ok(Verifier::new(trust, policy))
    }

    /// Judges, and says where the outcome is not the expected one.
    pub(crate) fn check(&self) -> Result<(), String> {
        let (found, also) = match self.judge() {
            Outcome::Report(report) => (expected_of(&report), codes(&report)),
            Outcome::Refused(code) => {
                (Expected { verdict: "none".into(), code, exit: 2, also: vec![] }, vec![])
            }
        };
        let missing: Vec<_> =
            self.expected.also.iter().filter(|code| !also.contains(code)).collect();
        let same = Expected { also: vec![], ..self.expected.clone() } == found;
        match same && missing.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "{}: {}\nexpected {:?}\nfound    {found:?}\nmissing  {missing:?} among {also:?}",
                self.id, self.about, self.expected
            )),
        }
    }

    /// Panics unless the outcome is this one; `code` is empty for accept.
    #[track_caller]
    pub(crate) fn expect(&self, verdict: &str, code: &str) {
        self.expect_also(verdict, code, &[]);
    }

    /// As [`expect`](Self::expect), with codes of checks and notes that must be there too.
    #[track_caller]
    pub(crate) fn expect_also(&self, verdict: &str, code: &str, also: &[&str]) {
        let case = Self { expected: expectation(verdict, code, also), ..self.clone() };
        if let Err(difference) = case.check() {
            panic!("{difference}\n{}", String::from_utf8_lossy(&self.input));
        }
    }
}

/// An expectation with the exit status that belongs to the verdict.
pub(crate) fn expectation(verdict: &str, code: &str, also: &[&str]) -> Expected {
    let exit = match verdict {
        "accept" => 0,
        "reject" => 1,
        "none" => 2,
        "review" => 3,
        _ => panic!("no verdict {verdict}"),
    };
    let also = also.iter().map(|code| (*code).to_owned()).collect();
    Expected { verdict: verdict.to_owned(), code: code.to_owned(), also, exit }
}

fn expected_of(report: &Report) -> Expected {
    Expected {
        verdict: report.verdict.as_str().to_owned(),
        code: report.verdict.because().map(|code| code.to_string()).unwrap_or_default(),
        also: Vec::new(),
        exit: report.verdict.exit_status(),
    }
}

/// The codes of all checks and notes.
pub(crate) fn codes(report: &Report) -> Vec<String> {
    let checks = report.checks.iter().map(|check| check.code.to_string());
    checks.chain(report.notes.iter().map(|note| note.code.to_string())).collect()
}
