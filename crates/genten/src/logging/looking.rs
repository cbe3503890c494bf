//! One look at a log to which nothing has to be sent: what is known of it may be old.

use genten_primitives::Timestamp;
use genten_rekor::HistoryError;
use genten_store::{Home, Journal};

use super::alarm::{self, Alarm, with_causes};
use super::past::Past;
use super::{LogError, LogService, LogTarget};

/// How a log stands to what it has shown before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// It contradicts that; the evidence is kept.
    Against(Alarm),
    /// It continues that, or it is the home's own.
    Continues,
    /// It could not be read, and why.
    NotRead(String),
}

/// Reads the published checkpoint of a log and holds it against what is known. Nothing is sent.
///
/// # Errors
/// The log was caught before; the file that describes it, or the journal, cannot be read.
pub async fn look(
    home: &Home,
    journal: &Journal,
    log: &LogTarget,
    now: Timestamp,
) -> Result<Look, LogError> {
    let LogTarget::File(path) = log else { return Ok(Look::Continues) };
    let service = LogService::read(path, now, None)?;
    let past = Past::read(&service.client, journal)?;
    let Some(reader) = service.client.reader() else {
        return Ok(Look::NotRead(LogError::NoReadUrl.to_string()));
    };
    let checkpoint = match reader.checkpoint().await {
        Ok(checkpoint) => checkpoint,
        Err(error) => return Ok(Look::NotRead(with_causes(&error))),
    };
    match past.admit(&checkpoint, now).await? {
        Ok(()) => Ok(Look::Continues),
        Err(error @ (HistoryError::Behind { .. } | HistoryError::Fork(_))) => {
            let evidence = alarm::contradiction(&error, &checkpoint);
            let alarm = alarm::raise(home, (error.code(), &error), evidence.as_bytes(), now)?;
            Ok(Look::Against(alarm))
        }
        Err(error) => Ok(Look::NotRead(with_causes(&error))),
    }
}
