//! One question, two verifiers.

use genten_verify::sigstore::{
    Artifact as OurArtifact, CertificateIdentity, SigstoreBundle, SigstoreQuestion,
};
use genten_verify::{Outcome, Policy, Report, Trust, TrustKit, Verdict, Verifier, keys_from_file};
use sigstore_trust_root::TrustedRoot;
use sigstore_types::{Artifact, ArtifactDigest, Bundle, DerPublicKey, HashAlgorithm};
use sigstore_verify::{PublicKeyVerificationPolicy, VerificationPolicy};

use crate::corpus::{self, Case};

/// Now, for both: it has a clock of its own, and every recorded time lies before it.
const NOW: &str = "2026-11-30T12:00:00Z";

/// Both verifiers, prepared for a case.
pub(crate) struct Both<'c> {
    case: &'c Case,
    ours: Result<Verifier, String>,
    theirs: Result<sigstore_verify::Verifier, String>,
}

/// What both say of one bundle: nothing where they accept it, else why they do not. Where ours accepts, it says what it left
/// open of logs and times.
pub(crate) struct Answers {
    pub(crate) ours: Result<String, String>,
    pub(crate) theirs: Result<(), String>,
}

impl Answers {
    pub(crate) fn is_accepted_by_any(&self) -> bool {
        self.ours.is_ok() || self.theirs.is_ok()
    }
}

impl<'c> Both<'c> {
    pub(crate) fn new(case: &'c Case) -> Self {
        let root = TrustedRoot::from_json(&case.root).map_err(|error| error.to_string());
        let theirs = root.and_then(|root| {
            sigstore_verify::Verifier::new(&root).map_err(|error| error.to_string())
        });
        Self { case, ours: ours(case), theirs }
    }

    pub(crate) fn judge(&self, bundle: &str) -> Answers {
        Answers { ours: self.judge_ours(bundle), theirs: self.judge_theirs(bundle) }
    }

    fn judge_ours(&self, bundle: &str) -> Result<String, String> {
        let verifier = self.ours.as_ref().map_err(String::clone)?;
        let artifact = match (&self.case.artifact, self.case.artifact.named_digest()) {
            (_, Some(digest)) => digest.parse().unwrap(),
            (corpus::Artifact::Content(content), None) => {
                OurArtifact::of_reader(content.as_slice()).unwrap()
            }
            (corpus::Artifact::Digest(..), None) => unreachable!("a digest has a name"),
        };
        let [identity, issuer] = self.case.identity.clone();
        let identity = CertificateIdentity { identity, issuer };
        let question = SigstoreQuestion {
            artifact: Some(&artifact),
            identity: self.case.key.is_none().then_some(&identity),
        };
        let now = NOW.parse().unwrap();
        let report = match SigstoreBundle::read(bundle.as_bytes()) {
            Ok(bundle) => verifier.verify_sigstore(&bundle, &question, now),
            Err(error) => verifier.malformed_sigstore(&error, now),
        };
        match report.verdict {
            Verdict::Accept => Ok(open(&report)),
            Verdict::Review { because } | Verdict::Reject { because } => Err(because.to_string()),
        }
    }

    fn judge_theirs(&self, bundle: &str) -> Result<(), String> {
        let verifier = self.theirs.as_ref().map_err(String::clone)?;
        let bundle = Bundle::from_json(bundle).map_err(|error| format!("unread: {error}"))?;
        let artifact = match &self.case.artifact {
            corpus::Artifact::Content(content) => Artifact::from(content.as_slice()),
            corpus::Artifact::Digest(name, digest) => {
                let algorithm = match *name {
                    "sha512" => HashAlgorithm::Sha2512,
                    _ => HashAlgorithm::Sha2256,
                };
                ArtifactDigest::new(algorithm, digest.clone()).unwrap().into()
            }
        };
        let verdict = match &self.case.key {
            Some(key) => {
                let key = DerPublicKey::from_pem(key).map_err(|error| error.to_string())?;
                verifier.verify(artifact, &bundle, &PublicKeyVerificationPolicy::new(key))
            }
            None => {
                let [identity, issuer] = &self.case.identity;
                let policy = VerificationPolicy::new(identity.as_str(), issuer.as_str());
                verifier.verify(artifact, &bundle, &policy)
            }
        };
        verdict.map(|_| ()).map_err(|error| error.to_string())
    }
}

fn open(report: &Report) -> String {
    let open = report.checks.iter().filter(|check| check.outcome == Outcome::NotChecked);
    open.map(|check| check.code.as_str()).collect::<Vec<_>>().join(" ")
}

fn ours(case: &Case) -> Result<Verifier, String> {
    let kit =
        TrustKit::of_sigstore_root(case.root.as_bytes()).map_err(|error| error.to_string())?;
    let keys = case.key.as_ref().map(|key| keys_from_file(key.as_bytes())).transpose();
    let keys = keys.map_err(|error| error.to_string())?;
    let trust = Trust { kit, keys: keys.unwrap_or_default(), signers: Vec::new() };
    Ok(Verifier::new(trust, Policy::built_in("basic").unwrap()))
}
