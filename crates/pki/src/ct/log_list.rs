//! CT log lists, version 3, as Google and Apple publish them for browsers.

use genten_primitives::json::{self, Limits, Value};
use genten_primitives::{PublicKey, Sha256Digest};

use super::log::{CtLog, CtLogState, CtLogUrls, CtStatus};
use crate::Moment;
use crate::document::{
    DocumentError, bytes, list, moment, number, optional, optional_text, required, text, wrong_type,
};

/// Largest log list that is read, in bytes.
pub const MAX_CT_LOG_LIST: usize = 4 * 1024 * 1024;

const MAX_OPERATORS: usize = 256;
const MAX_LOGS: usize = 1024;

/// The logs that a verifier knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CtLogList {
    version: Option<String>,
    timestamp: Option<Moment>,
    /// In the order of their ids.
    logs: Vec<CtLog>,
}

/// Why a document is not a CT log list of version 3. At fault is its publisher.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CtLogListError {
    /// A member that is not what it should be.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The same log twice.
    #[error("log {log_id} is in the list twice")]
    DuplicateLog {
        /// The log.
        log_id: Sha256Digest,
    },
    /// An operator or a log without a name.
    #[error("{path} is empty")]
    EmptyName {
        /// Where it stands.
        path: String,
    },
    /// An interval of certificates' expiry that ends before it starts, or is empty.
    #[error("{path} ends at {end} and starts at {start}")]
    Interval {
        /// Where it stands.
        path: String,
        /// Its first moment.
        start: Moment,
        /// The first moment after it.
        end: Moment,
    },
    /// A log id that is not the SHA-256 of the log's key.
    #[error("{path} has the id {found:?}, its key has {calculated}")]
    LogId {
        /// The log.
        path: String,
        /// The id as the list writes it, in base64.
        found: String,
        /// SHA-256 of the key.
        calculated: Sha256Digest,
    },
    /// No state, several or an unknown one where one is wanted.
    #[error("{path} does not hold exactly one known state")]
    State {
        /// Where it stands.
        path: String,
    },
    /// Not an https or http URL.
    #[error("{path} is not a url")]
    Url {
        /// Where it stands.
        path: String,
    },
}

impl CtLogList {
    /// Reads the text of a log list.
    ///
    /// # Errors
    /// Text that is larger than [`MAX_CT_LOG_LIST`] or not strict JSON, and as [`read`](Self::read).
    pub fn from_bytes(text: &[u8]) -> Result<Self, CtLogListError> {
        let document =
            json::read(text, Limits::bytes(MAX_CT_LOG_LIST)).map_err(DocumentError::from)?;
        Self::read(document.root())
    }

    /// Reads a log list. Unknown members are passed over; a log whose key is of an unsupported kind is kept.
    ///
    /// # Errors
    /// Members that are missing or malformed; the same log twice; an id that is not the key's.
    pub fn read(value: Value<'_>) -> Result<Self, CtLogListError> {
        required(value, "operators")?;
        let operators = list(value, "operators", MAX_OPERATORS, read_operator)?;
        let mut logs: Vec<CtLog> = operators.into_iter().flatten().collect();
        logs.sort_by_key(|log| log.log_id);
        if let Some(pair) = logs.windows(2).find(|pair| pair[0].log_id == pair[1].log_id) {
            return Err(CtLogListError::DuplicateLog { log_id: pair[0].log_id });
        }
        let timestamp = optional(value, "log_list_timestamp").map(moment).transpose()?;
        Ok(Self { version: optional_text(value, "version")?, timestamp, logs })
    }

    /// The version of the content, such as `81.14`.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// When the list was made.
    pub fn timestamp(&self) -> Option<Moment> {
        self.timestamp
    }

    /// All logs, in the order of their ids.
    pub fn logs(&self) -> &[CtLog] {
        &self.logs
    }

    /// The log with this id.
    pub fn find(&self, log_id: &Sha256Digest) -> Option<&CtLog> {
        let found = self.logs.binary_search_by_key(log_id, |log| log.log_id).ok()?;
        self.logs.get(found)
    }
}

fn read_operator(operator: Value<'_>) -> Result<Vec<CtLog>, CtLogListError> {
    let name = name(required(operator, "name")?)?;
    let mut logs = list(operator, "logs", MAX_LOGS, |log| {
        read_log(log, &name, CtLogUrls::Rfc6962 { url: url(log, "url")? })
    })?;
    logs.extend(list(operator, "tiled_logs", MAX_LOGS, |log| {
        let submission_url = url(log, "submission_url")?;
        let monitoring_url = url(log, "monitoring_url")?;
        read_log(log, &name, CtLogUrls::Static { submission_url, monitoring_url })
    })?);
    Ok(logs)
}

fn read_log(log: Value<'_>, operator: &str, urls: CtLogUrls) -> Result<CtLog, CtLogListError> {
    let spki = bytes(required(log, "key")?)?;
    Ok(CtLog {
        description: optional_text(log, "description")?.unwrap_or_default(),
        log_id: log_id(log, &spki)?,
        key: PublicKey::from_spki_der(&spki),
        urls,
        mmd: number(required(log, "mmd")?)?,
        state: optional(log, "state").map(state).transpose()?,
        interval: optional(log, "temporal_interval").map(interval).transpose()?,
        operator: operator.to_owned(),
        previous_operators: previous_operators(log)?,
    })
}

fn log_id(log: Value<'_>, spki: &[u8]) -> Result<Sha256Digest, CtLogListError> {
    let stated = required(log, "log_id")?;
    let calculated = Sha256Digest::of(spki);
    if bytes(stated)? == calculated.as_bytes() {
        return Ok(calculated);
    }
    Err(CtLogListError::LogId { path: log.path(), found: text(stated)?, calculated })
}

fn name(value: Value<'_>) -> Result<String, CtLogListError> {
    match text(value)? {
        name if name.is_empty() => Err(CtLogListError::EmptyName { path: value.path() }),
        name => Ok(name),
    }
}

fn url(log: Value<'_>, member: &'static str) -> Result<String, CtLogListError> {
    let value = required(log, member)?;
    let url = text(value)?;
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let printable = url.bytes().all(|byte| byte.is_ascii_graphic());
    match rest {
        Some(rest) if printable && !rest.is_empty() && !rest.starts_with('/') => Ok(url),
        _ => Err(CtLogListError::Url { path: value.path() }),
    }
}

/// `{"usable": {"timestamp": …}}`
fn state(value: Value<'_>) -> Result<CtLogState, CtLogListError> {
    let mut members = value.members().ok_or_else(|| wrong_type(value))?;
    let wrong = || CtLogListError::State { path: value.path() };
    let (Some((word, inner)), None) = (members.next(), members.next()) else { return Err(wrong()) };
    let known = CtStatus::ALL.into_iter().find(|status| status.as_str() == word);
    let status = known.ok_or_else(wrong)?;
    Ok(CtLogState { status, since: moment(required(inner, "timestamp")?)? })
}

fn interval(value: Value<'_>) -> Result<(Moment, Moment), CtLogListError> {
    let start = moment(required(value, "start_inclusive")?)?;
    let end = moment(required(value, "end_exclusive")?)?;
    match start < end {
        true => Ok((start, end)),
        false => Err(CtLogListError::Interval { path: value.path(), start, end }),
    }
}

fn previous_operators(log: Value<'_>) -> Result<Vec<(Moment, String)>, CtLogListError> {
    let mut previous = list(log, "previous_operators", MAX_OPERATORS, |one| {
        Ok::<_, CtLogListError>((
            moment(required(one, "end_time")?)?,
            name(required(one, "name")?)?,
        ))
    })?;
    previous.sort();
    Ok(previous)
}
