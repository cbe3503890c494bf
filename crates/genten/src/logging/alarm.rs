//! Evidence against a log or a timestamp authority: answers that do not hold, kept for people.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use genten_primitives::{Sha256Digest, Timestamp};
use genten_rekor::{ForkEvidence, ForkKind, HistoryError};
use genten_store::atomic::{self, Mode};
use genten_store::{Home, StoreError};

use super::LogError;

/// An answer that does not hold. It went into no bundle; a person should look whether the settings are wrong, or the server is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alarm {
    /// The stable code of what is wrong.
    pub code: &'static str,
    /// What is wrong, with its causes.
    pub reason: String,
    /// Where the answer is kept; `None` when many of the same code are kept already.
    pub evidence: Option<PathBuf>,
}

/// Whoever answers wrongly all the time must not fill the disk, nor leave no room for the proof of something worse: so many
/// bytes are kept of each code.
const MOST_KEPT: u64 = 32 << 20;

/// An alarm, and the answer as it came, in `evidence/` of the home.
pub(super) fn raise(
    home: &Home,
    (code, error): (&'static str, &dyn Error),
    answer: &[u8],
    now: Timestamp,
) -> Result<Alarm, LogError> {
    let folder = home.evidence()?;
    let kept = bytes_kept(&folder, code).map_err(|error| StoreError::io(&folder, error))?;
    let evidence = match kept + answer.len() as u64 <= MOST_KEPT {
        true => Some(keep(home, code, answer, now)?),
        false => None,
    };
    Ok(Alarm { code, reason: with_causes(error), evidence })
}

fn bytes_kept(folder: &Path, code: &str) -> io::Result<u64> {
    let mut bytes = 0;
    for file in std::fs::read_dir(folder)? {
        let file = file?;
        if file.file_name().to_string_lossy().contains(&format!("-{code}-")) {
            bytes += file.metadata()?.len();
        }
    }
    Ok(bytes)
}

/// Keeps an answer as it came. The same answer is kept once.
pub(super) fn keep(
    home: &Home,
    code: &str,
    answer: &[u8],
    now: Timestamp,
) -> Result<PathBuf, LogError> {
    let folder = home.evidence()?;
    let digest = Sha256Digest::of(answer).to_string();
    let day = now.to_string().split('T').next().unwrap_or_default().to_owned();
    let kind = if std::str::from_utf8(answer).is_ok() { "txt" } else { "bin" };
    let path = folder.join(format!("{day}-{code}-{}.{kind}", &digest[..16]));
    if !path.exists() {
        atomic::replace(&path, answer, Mode::Private)?;
    }
    Ok(path)
}

/// The checkpoints that contradict each other, with the proof that connects them, before the answer in which one of them came.
pub(super) fn contradiction(error: &HistoryError, answer: &[u8]) -> Vec<u8> {
    let text = match error {
        HistoryError::Fork(fork) => fork_text(fork),
        HistoryError::Behind { known, seen } => {
            let note = |note: &[u8]| String::from_utf8_lossy(note).into_owned();
            format!("{}\n{}\n", note(known.note()), note(seen.note()))
        }
        _ => String::new(),
    };
    [text.as_bytes(), answer].concat()
}

/// Both notes; and where their trees have different sizes, the root that the larger tree had at the smaller size, and the
/// consistency proof from there to the larger root. With the log's key that is all it takes to convict the log.
pub(super) fn fork_text(fork: &ForkEvidence) -> String {
    let proof = match &fork.kind {
        ForkKind::SameSize => String::new(),
        ForkKind::OtherBeginning(growth) => {
            let hashes = growth.proof.hashes().iter().map(|hash| format!("{hash}\n"));
            format!("{}\n{}\n", growth.root, hashes.collect::<String>())
        }
    };
    format!("{}\n{}\n{proof}", fork.first, fork.second)
}

pub(super) fn with_causes(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
