//! Whether an entry is of the log that its name stands for now: a file may describe another log since.

use genten_primitives::Timestamp;
use genten_store::{Home, Submission};
use genten_tlog::rekor::{LogEntry, RekorLog};

use super::{LogError, LogService, LogTarget, home_log};

/// Whether the entry of a submission is of the log that the submission's name stands for now, by origin and key.
///
/// # Errors
/// The file that describes the log, or the home's own log, cannot be read.
pub fn is_of_described_log(
    home: &Home,
    submission: &Submission,
    now: Timestamp,
) -> Result<bool, LogError> {
    let entry = submission.entry.as_deref().and_then(|entry| LogEntry::read(entry).ok());
    let Some(entry) = entry else { return Ok(false) };
    let logs = described(home, &LogTarget::from_name(&submission.log), now)?;
    Ok(logs.iter().any(|log| log.has_id(entry.log_id())))
}

fn described(home: &Home, log: &LogTarget, now: Timestamp) -> Result<Vec<RekorLog>, LogError> {
    match log {
        LogTarget::File(path) => {
            Ok(LogService::read(path, now, None)?.client.endpoint().logs().to_vec())
        }
        // Both were moved away, and a new log was not begun yet.
        LogTarget::Home if !home.log().exists() && !home.keys().join("log.key").exists() => {
            Ok(Vec::new())
        }
        LogTarget::Home => Ok(vec![RekorLog::of_key(home_log(home)?.folder().key().clone())]),
    }
}
