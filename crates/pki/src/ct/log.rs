//! One log of a list, and what its browsers' program says of it.

use std::fmt;

use genten_primitives::key::KeyError;
use genten_primitives::{PublicKey, Sha256Digest, Timestamp};

use crate::Moment;

/// A log of a CT log list, version 3.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CtLog {
    /// Its name for people.
    pub description: String,
    /// SHA-256 of its SubjectPublicKeyInfo, as SCTs name it.
    pub log_id: Sha256Digest,
    /// Its key; an error when the log is known and its SCTs cannot be checked.
    pub key: Result<PublicKey, KeyError>,
    /// Where it is reached.
    pub urls: CtLogUrls,
    /// Seconds within which an entry must be included (maximum merge delay).
    pub mmd: u32,
    /// What the list says of it; `None` when it says nothing.
    pub state: Option<CtLogState>,
    /// Expiry dates of the certificates that it takes: first moment and first moment after; `None` for all.
    pub interval: Option<(Moment, Moment)>,
    /// Who runs it now.
    pub(super) operator: String,
    /// Who ran it before, and until when (excluded), in the order of the times.
    pub(super) previous_operators: Vec<(Moment, String)>,
}

/// Where a log is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CtLogUrls {
    /// An RFC 6962 log.
    Rfc6962 {
        /// Base of `ct/v1/…`.
        url: String,
    },
    /// A static CT log, of `tiled_logs`.
    Static {
        /// Base of submissions, from which the origin follows.
        submission_url: String,
        /// Base of checkpoint and tiles.
        monitoring_url: String,
    },
}

/// What a list says of a log, since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CtLogState {
    /// Which state.
    pub status: CtStatus,
    /// Its first moment.
    pub since: Moment,
}

/// The states of log lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CtStatus {
    /// Asked to be accepted.
    Pending,
    /// Accepted, and in use by browsers soon.
    Qualified,
    /// In use.
    Usable,
    /// Takes no more certificates; its SCTs count.
    ReadOnly,
    /// Distrusted; SCTs from before count.
    Retired,
    /// Never accepted, or thrown out.
    Rejected,
}

impl CtStatus {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::Qualified,
        Self::Usable,
        Self::ReadOnly,
        Self::Retired,
        Self::Rejected,
    ];

    /// The name in log lists.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Qualified => "qualified",
            Self::Usable => "usable",
            Self::ReadOnly => "readonly",
            Self::Retired => "retired",
            Self::Rejected => "rejected",
        }
    }
}

impl fmt::Display for CtStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl CtLog {
    /// Who runs the log now.
    pub fn operator(&self) -> &str {
        &self.operator
    }

    /// Who ran the log at a time: logs change hands, and a promise is its maker's.
    pub fn operator_at(&self, time: Timestamp) -> &str {
        let time = Moment::from(time);
        let then = self.previous_operators.iter().find(|(end, _)| time < *end);
        then.map_or(&self.operator, |(_, name)| name)
    }

    /// The origin of a static CT log's checkpoints: its submission URL without scheme and trailing slash. `None` for
    /// RFC 6962 logs.
    pub fn origin(&self) -> Option<&str> {
        match &self.urls {
            CtLogUrls::Rfc6962 { .. } => None,
            CtLogUrls::Static { submission_url, .. } => {
                let prefix = submission_url.split_once("://").map_or("", |(_, rest)| rest);
                Some(prefix.strip_suffix('/').unwrap_or(prefix))
            }
        }
    }

    /// Whether the log takes certificates that expire at `not_after`.
    pub fn takes_expiry(&self, not_after: Timestamp) -> bool {
        let at = Moment::from(not_after);
        self.interval.is_none_or(|(first, after)| first <= at && at < after)
    }
}
