//! Evidence against a log: answers that do not hold, kept for people.

use std::path::PathBuf;

use genten_primitives::{Sha256Digest, Timestamp};
use genten_store::Home;
use genten_store::atomic::{self, Mode};

use super::LogError;

/// Keeps an answer as it came, in `evidence/` of the home. The same answer is kept once.
pub(super) fn keep(
    home: &Home,
    code: &str,
    answer: &[u8],
    now: Timestamp,
) -> Result<PathBuf, LogError> {
    let folder = home.evidence()?;
    let digest = Sha256Digest::of(answer).to_string();
    let day = now.to_string().split('T').next().unwrap_or_default().to_owned();
    let path = folder.join(format!("{day}-{code}-{}.txt", &digest[..16]));
    if !path.exists() {
        atomic::replace(&path, answer, Mode::Private)?;
    }
    Ok(path)
}
