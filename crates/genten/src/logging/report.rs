//! What came of sending.

use genten_primitives::Timestamp;

use super::certificates::CertificateFlush;
use super::{Alarm, LogError};

/// What a flush has sent, completed and left behind.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct FlushReport {
    /// Log by log, in the order of their names.
    pub logs: Vec<LogFlush>,
    /// The servers' certificates.
    pub certificates: CertificateFlush,
    /// Bundles that hold their evidence now.
    pub completed: u64,
    /// Bundles that are not where they were: their evidence stays in the journal.
    pub absent: u64,
    /// Bundles that would be larger than verifiers read with their evidence, which stays in the journal.
    pub full: u64,
    /// Bundles that could not be read or written. They are tried again.
    pub unwritten: u64,
    /// Why the first of them could not.
    pub unwritten_because: Option<LogError>,
}

/// The same for one log.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct LogFlush {
    /// The log's name.
    pub log: String,
    /// Manifests that were put into batches.
    pub batched: u64,
    /// Manifests that wait for a batch of a signer who is not here.
    pub foreign: u64,
    /// Entries that the log has now.
    pub logged: u64,
    /// Entries that were put off.
    pub postponed: u64,
    /// Entries that the log refused.
    pub rejected: u64,
    /// Answers of the log or the timestamp authority that do not hold. The entries were put off.
    pub alarms: Vec<Alarm>,
    /// The log has asked to be left alone until then.
    pub asked_until: Option<Timestamp>,
    /// Another process is sending to this log.
    pub is_busy: bool,
    /// Why nothing more could be done.
    pub error: Option<LogError>,
}

impl FlushReport {
    /// Entries that logs have now.
    pub fn logged(&self) -> u64 {
        self.logs.iter().map(|log| log.logged).sum()
    }

    /// Answers that do not hold, of all logs and timestamp authorities.
    pub fn alarms(&self) -> impl Iterator<Item = &Alarm> {
        self.logs.iter().flat_map(|log| &log.alarms).chain(&self.certificates.alarms)
    }

    /// Whether everything that was to be sent has arrived, and no bundle still lacks it that could hold it.
    pub fn is_complete(&self) -> bool {
        let is_logged = self.logs.iter().all(LogFlush::is_complete);
        self.unwritten == 0 && is_logged && self.certificates.is_complete()
    }

    /// Whether nobody need hear of it who sends regularly: everything has arrived, or waits because a log has asked to be left
    /// alone, or because another process is sending.
    pub fn is_ordinary(&self) -> bool {
        let certificates = self.certificates.is_busy || self.certificates.is_complete();
        self.unwritten == 0 && self.logs.iter().all(LogFlush::is_ordinary) && certificates
    }
}

impl LogFlush {
    /// Nothing was sent to the log, and it was seen to contradict itself.
    pub fn seen(log: &str, alarm: Alarm) -> Self {
        Self { log: log.to_owned(), alarms: vec![alarm], ..Self::default() }
    }

    /// The same for this log.
    pub fn is_ordinary(&self) -> bool {
        let is_asked = self.is_busy || self.asked_until.is_some();
        let needs_nobody = [self.foreign, self.rejected] == [0, 0] && self.alarms.is_empty();
        self.is_complete() || (is_asked && needs_nobody && self.error.is_none())
    }

    fn is_complete(&self) -> bool {
        let open = [self.foreign, self.postponed, self.rejected] != [0, 0, 0];
        !open && !self.is_busy && self.asked_until.is_none() && self.error.is_none()
    }
}
