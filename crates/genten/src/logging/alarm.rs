//! Evidence against a log or a timestamp authority: answers that do not hold, kept for people.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use genten_primitives::{Sha256Digest, Timestamp};
use genten_rekor::{ForkEvidence, ForkKind, HistoryError};
use genten_store::atomic::{self, Mode};
use genten_store::{Home, StoreError};
use genten_tlog::Checkpoint;

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

/// Adds an alarm to those of a round, unless it is there: many entries may meet the same.
pub(super) fn add(alarms: &mut Vec<Alarm>, alarm: Alarm) {
    if !alarms.contains(&alarm) {
        alarms.push(alarm);
    }
}

/// An alarm, and the answer as it came, in `evidence/` of the home.
pub(super) fn raise(
    home: &Home,
    (code, error): (&'static str, &dyn Error),
    answer: &[u8],
    now: Timestamp,
) -> Result<Alarm, LogError> {
    let kept = Kept::look(home, code, answer)?;
    let evidence = match kept.bytes + answer.len() as u64 <= MOST_KEPT {
        true => Some(kept.keep(answer, now)?),
        false => kept.same,
    };
    Ok(Alarm { code, reason: with_causes(error), evidence })
}

/// Keeps an answer as it came. The same answer is kept once.
pub(super) fn keep(
    home: &Home,
    code: &str,
    answer: &[u8],
    now: Timestamp,
) -> Result<PathBuf, LogError> {
    Kept::look(home, code, answer)?.keep(answer, now)
}

/// What the folder holds of a code.
struct Kept {
    folder: PathBuf,
    bytes: u64,
    /// The name of the answer, after the day.
    name: String,
    /// The same answer, of whatever day.
    same: Option<PathBuf>,
}

impl Kept {
    fn look(home: &Home, code: &str, answer: &[u8]) -> Result<Self, LogError> {
        let folder = home.evidence()?;
        let digest = Sha256Digest::of(answer).to_string();
        let kind = if std::str::from_utf8(answer).is_ok() { "txt" } else { "bin" };
        let name = format!("-{code}-{}.{kind}", &digest[..16]);
        let mut kept = Self { folder, bytes: 0, name, same: None };
        kept.count(code).map_err(|error| StoreError::io(&kept.folder, error))?;
        Ok(kept)
    }

    fn count(&mut self, code: &str) -> io::Result<()> {
        for file in std::fs::read_dir(&self.folder)? {
            let file = file?;
            let name = file.file_name().to_string_lossy().into_owned();
            if name.contains(&format!("-{code}-")) {
                self.bytes += file.metadata()?.len();
            }
            if name.ends_with(&self.name) {
                self.same = Some(file.path());
            }
        }
        Ok(())
    }

    fn keep(self, answer: &[u8], now: Timestamp) -> Result<PathBuf, LogError> {
        if let Some(path) = self.same {
            return Ok(path);
        }
        let day = now.to_string().split('T').next().unwrap_or_default().to_owned();
        let path = self.folder.join(day + &self.name);
        atomic::replace(&path, answer, Mode::Private)?;
        Ok(path)
    }
}

/// The checkpoints that contradict each other, with the proof that connects them, and the one that was to be believed where it
/// is neither of them. Which entry it came with says nothing more against the log.
pub(super) fn contradiction(error: &HistoryError, believed: &Checkpoint) -> String {
    let note = |one: &Checkpoint| String::from_utf8_lossy(one.note()).into_owned();
    let text = match error {
        HistoryError::Fork(fork) => fork_text(fork),
        HistoryError::Behind { known, seen } => format!("{}\n{}\n", note(known), note(seen)),
        _ => String::new(),
    };
    match note(believed) {
        note if text.contains(&note) => text,
        note => format!("{text}{note}\n"),
    }
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
