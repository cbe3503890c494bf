//! What prevents a verdict: each with a stable code and a word on what to do.

use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use genten_manifest::{MAX_EVIDENCE, ManifestError, ManifestRule};
use genten_verify::{
    Code, InputError, KitError, PolicyError, Printable, TrustKeyError, TrustedSignerError,
};

use crate::files;

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Problem {
    /// `--artifact` with something that begins like a digest.
    #[error(
        "neither a file nor a digest: sha256:, sha384: or sha512: and all its lower-case hexadecimal digits"
    )]
    ArtifactDigest,
    /// A bundle with evidence that cannot be read.
    #[error("evidence that cannot be read: {0}")]
    Evidence(ManifestError),
    /// The document in place of its manifest, which lies beside it.
    #[error("this is a document; its manifest is the file {0} beside it: verify that one")]
    Document(String),
    /// A folder without manifests.
    #[error("no *.provenance.json or *.jsonl in this folder")]
    EmptyFolder,
    /// Content that gives no verdict.
    #[error(transparent)]
    Input(InputError),
    /// `--key`.
    #[error(transparent)]
    Key(TrustKeyError),
    /// `--trust`.
    #[error(transparent)]
    Kit(KitError),
    /// `--evidence` with more for one manifest than a bundle may hold.
    #[error("in --evidence are more than {max} items about this manifest", max = MAX_EVIDENCE)]
    MuchEvidence,
    /// Neither a file nor a folder.
    #[error("{0}, not a regular file")]
    NotRegular(&'static str),
    /// An option about Sigstore bundles, and something else to verify.
    #[error("no Sigstore bundle: --artifact and --certificate-identity say nothing about it")]
    NotSigstore,
    /// A part of the interface that later versions have.
    #[error("{0} cannot be used in this version yet")]
    NotYet(&'static str),
    /// `--request` with a file that holds no call.
    #[error("no call of a tool or resource: {0}")]
    Call(String),
    /// A message that answers nothing, or a session without answers.
    #[error("no answer of a tool or resource in it")]
    NoAnswer,
    /// `--request`, and something else than a saved result to verify.
    #[error("no saved MCP result: --request says nothing about it")]
    NotResult,
    /// One body for several manifests.
    #[error("--body gives the body of one manifest, and there can be several here")]
    OneBody,
    /// The answer could not be written.
    #[error("the answer cannot be written")]
    Output(#[source] io::Error),
    /// `--policy` with a file.
    #[error(transparent)]
    Policy(PolicyError),
    /// `--policy` with something else.
    #[error("neither a policy of this program (basic, mcp11, high-trust) nor a file")]
    PolicyUnknown,
    /// `--signer`.
    #[error(transparent)]
    SignerId(TrustedSignerError),
    /// `--explain` with a code that does not exist.
    #[error("no such code")]
    UnknownCode,
    /// The operating system says no.
    #[error("cannot be read")]
    Unreadable(#[source] io::Error),
}

impl Problem {
    /// The stable code, one of [`Code::all`].
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::ArtifactDigest => "input.artifact-digest",
            Self::Evidence(error) => error.code(),
            Self::Document(_) => Code::INPUT_UNKNOWN_KIND.as_str(),
            Self::EmptyFolder => Code::INPUT_EMPTY.as_str(),
            Self::Input(error) => input_code(error),
            Self::Key(error) => error.code(),
            Self::Kit(_) => KitError::CODE,
            Self::MuchEvidence => ManifestRule::EvidenceCount.code(),
            Self::NotRegular(_) => "input.not-regular",
            Self::Call(_) => "input.call",
            Self::NoAnswer => Code::INPUT_EMPTY.as_str(),
            Self::NotResult => "input.not-result",
            Self::NotSigstore => "input.not-sigstore",
            Self::NotYet(_) => Code::INPUT_NOT_YET.as_str(),
            Self::OneBody => "input.one-body",
            Self::Output(_) => "output.failed",
            Self::Policy(_) => PolicyError::CODE,
            Self::PolicyUnknown => "policy.unknown",
            Self::SignerId(_) => "key.signer-id",
            Self::UnknownCode => "explain.unknown-code",
            Self::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => "input.not-found",
            Self::Unreadable(_) => "input.unreadable",
        }
    }

    /// The same, where it is about a file: a document that is taken for its manifest is told apart.
    pub(crate) fn of_file(self, path: &Path) -> Self {
        match (&self, files::manifest_beside(path)) {
            (Self::Input(InputError::Unknown(_)), Some(manifest)) => {
                Self::Document(files::shown(&manifest))
            }
            _ => self,
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> &'static str {
        let code = match self {
            Self::Input(InputError::Unknown(_)) => Code::INPUT_UNKNOWN_KIND.as_str(),
            _ => self.code(),
        };
        Code::find(code).map_or("", Code::advice)
    }
}

fn input_code(error: &InputError) -> &'static str {
    match error {
        InputError::LaterVersion(error) | InputError::Malformed(error) => error.code(),
        InputError::Unknown(error) => error.code(),
        _ => Code::INPUT_NOT_YET.as_str(),
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// A problem and what it is about: a file, an option.
#[derive(Debug)]
pub(crate) struct Complaint {
    /// A file name or an option.
    pub about: String,
    /// What is wrong; boxed, since it is rare and large.
    pub problem: Box<Problem>,
}

impl Complaint {
    /// A complaint.
    pub(crate) fn new(about: impl Into<String>, problem: impl Into<Problem>) -> Self {
        Self { about: about.into(), problem: Box::new(problem.into()) }
    }

    /// `verify: FILE: message [code]`, with the causes. Text from outside stays on its line.
    pub(crate) fn line(&self) -> String {
        let mut message = self.problem.to_string();
        let mut cause = self.problem.source();
        while let Some(error) = cause {
            let _ = write!(message, ": {error}");
            cause = error.source();
        }
        let mut lines = message.trim_end().lines().map(Printable);
        let mut text = format!("verify: {}: ", Printable(&self.about));
        text.extend(lines.next().map(|line| line.to_string()));
        text.extend(lines.map(|line| format!("\n  {line}")));
        let _ = writeln!(text, " [{}]", self.problem.code());
        text
    }
}

/// What is said beside the reports.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    /// Problems.
    pub(crate) complaints: Vec<Complaint>,
    /// What a reader may want to know.
    pub(crate) notes: Vec<String>,
}

impl Remarks {
    /// Says that something in a folder was not looked at.
    pub(crate) fn passed_over(&mut self, name: &str, what: &str) {
        self.notes.push(format!(
            "{name}: passed over: {what}, and in folders only regular files are read"
        ));
    }
}
