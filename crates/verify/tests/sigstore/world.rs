//! Published bundles beside the repository, and what comes of them.

use std::path::{Path, PathBuf};

use genten_primitives::{PublicKey, Sha256Digest};
use genten_verify::sigstore::{Artifact, CertificateIdentity, SigstoreBundle, SigstoreQuestion};
use genten_verify::{Policy, Report, Trust, TrustKeyError, TrustKit, Verifier, keys_from_file};
use serde_json::Value;

/// The time taken as now.
pub(crate) const NOW: &str = "2026-11-30T12:00:00Z";

/// A file or folder of the shared vectors; says so aloud when it is absent.
pub(crate) fn vectors(path: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(path);
    if !found.exists() {
        eprintln!("skipped: no {}", found.display());
        return None;
    }
    Some(found)
}

#[allow(clippy::disallowed_methods, reason = "tests read files, the library does not")]
pub(crate) fn read(path: impl AsRef<Path>) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

pub(crate) fn text(path: impl AsRef<Path>) -> String {
    String::from_utf8(read(path)).unwrap().trim().to_owned()
}

pub(crate) fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&read(path)).unwrap()
}

pub(crate) fn keys(path: impl AsRef<Path>) -> Result<Vec<PublicKey>, TrustKeyError> {
    keys_from_file(&read(path))
}

/// The artifact as a file, and as a bare digest.
pub(crate) fn artifacts(content: &[u8]) -> [Artifact; 2] {
    let digest = format!("sha256:{}", Sha256Digest::of(content));
    [Artifact::of_reader(content).unwrap(), digest.parse().unwrap()]
}

/// One bundle with the question that is asked about it.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) bundle: Vec<u8>,
    pub(crate) artifact: Artifact,
    pub(crate) kit: TrustKit,
    pub(crate) keys: Vec<PublicKey>,
    pub(crate) identity: Option<CertificateIdentity>,
    pub(crate) policy: Policy,
}

impl Case {
    /// The verdict and its reason, `accept` without one.
    pub(crate) fn answer(&self) -> String {
        answer(&self.report())
    }

    pub(crate) fn report(&self) -> Report {
        let trust = Trust { kit: self.kit.clone(), keys: self.keys.clone(), signers: Vec::new() };
        let verifier = Verifier::new(trust, self.policy.clone());
        let now = NOW.parse().unwrap();
        let question =
            SigstoreQuestion { artifact: Some(&self.artifact), identity: self.identity.as_ref() };
        match SigstoreBundle::read(&self.bundle) {
            Ok(bundle) => verifier.verify_sigstore(&bundle, &question, now),
            Err(error) => verifier.malformed_sigstore(&error, now),
        }
    }
}

pub(crate) fn answer(report: &Report) -> String {
    match report.verdict.because() {
        Some(code) => format!("{} {}", report.verdict.as_str(), code.as_str()),
        None => report.verdict.as_str().to_owned(),
    }
}

pub(crate) fn basic() -> Policy {
    Policy::built_in("basic").unwrap()
}

/// How the check of this code ended.
pub(crate) fn outcome_of(report: &Report, code: &str) -> Option<&'static str> {
    let check = report.checks.iter().find(|check| check.code.as_str() == code)?;
    Some(check.outcome.as_str())
}
