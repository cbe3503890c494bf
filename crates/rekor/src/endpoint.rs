//! Where a log takes entries, where it is read, and whose signatures it makes.

mod error;

use genten_pki::{Service, SigningConfig, TrustedLog, TrustedRoot};
use genten_primitives::Timestamp;
use genten_tlog::rekor::RekorLog;
use genten_tlog::{NoteKey, WitnessPolicy};

pub use error::EndpointError;

use crate::{LogTrust, ServiceUrl, TreeLocation};

/// The major version of the interface that is spoken here.
const SUPPORTED: &[u32] = &[2];

/// What below its base URL is read of a public Rekor log (its tiles are served behind the host that takes entries).
const READ_PATH: &str = "api/v2";

/// A log to which entries are sent. Its URLs come from a signing config or from the user; none is built in, because logs are
/// replaced by new ones every year.
#[derive(Clone, Debug)]
pub struct LogEndpoint {
    /// The log by each of its keys; at least one.
    logs: Vec<RekorLog>,
    trust: LogTrust,
    write_url: Option<ServiceUrl>,
    read_from: Option<TreeLocation>,
}

impl LogEndpoint {
    /// The logs that a Sigstore signing config selects at a time, newest first, with the keys that a trusted root has for
    /// their URLs at that time. They are read at `<url>/api/v2`; servers of one's own are read elsewhere
    /// ([`read_from`](Self::read_from)).
    ///
    /// # Errors
    /// No service can be used at the time, or the trusted root has no usable key for one.
    pub fn from_sigstore(
        config: &SigningConfig,
        root: &TrustedRoot,
        at: Timestamp,
    ) -> Result<Vec<Self>, EndpointError> {
        let services = config.select_logs(SUPPORTED, at)?;
        services.into_iter().map(|service| Self::of_service(service, root, at)).collect()
    }

    fn of_service(
        service: &Service,
        root: &TrustedRoot,
        at: Timestamp,
    ) -> Result<Self, EndpointError> {
        let url: ServiceUrl = service.url.parse()?;
        let is_here = |log: &&TrustedLog| {
            log.base_url.parse::<ServiceUrl>().is_ok_and(|known| known.is_same_service(&url))
        };
        let known: Vec<_> = root.tlogs().iter().filter(is_here).collect();
        if known.is_empty() {
            return Err(EndpointError::KeyMissing { url: url.to_string() });
        }
        let valid: Vec<_> = known.into_iter().filter(|log| log.window.contains(at)).collect();
        if valid.is_empty() {
            return Err(EndpointError::KeyOutsideWindow { url: url.to_string(), at });
        }
        let logs = valid.into_iter().map(rekor_log).collect::<Result<_, _>>()?;
        let read_from = TreeLocation::Url(url.below(READ_PATH));
        Ok(Self::of_logs(logs)?.write_to(url).read_from(read_from))
    }

    /// A log known by its key, whose name is the log's origin. Without a URL it can do nothing yet.
    ///
    /// # Errors
    /// A key that signs for no log.
    pub fn new(key: NoteKey) -> Result<Self, EndpointError> {
        Self::of_logs(vec![RekorLog::of_key(key)])
    }

    fn of_logs(logs: Vec<RekorLog>) -> Result<Self, EndpointError> {
        let keys: Vec<_> = logs.iter().flat_map(RekorLog::keys).cloned().collect();
        let trust = LogTrust::of_keys(&keys)?;
        Ok(Self { logs, trust, write_url: None, read_from: None })
    }

    /// The base URL below which it takes entries (`<url>/api/v2/log/entries`).
    #[must_use]
    pub fn write_to(mut self, url: ServiceUrl) -> Self {
        self.write_url = Some(url);
        self
    }

    /// Where its checkpoint and tiles are.
    #[must_use]
    pub fn read_from(mut self, location: TreeLocation) -> Self {
        self.read_from = Some(location);
        self
    }

    /// Asks for a quorum of witnesses on every checkpoint of the log.
    #[must_use]
    pub fn with_witnesses(mut self, policy: WitnessPolicy) -> Self {
        self.trust = self.trust.with_witnesses(policy);
        self
    }

    /// The name of the log: the origin of its checkpoints, the first where it may have several.
    pub fn origin(&self) -> &str {
        self.logs[0].keys()[0].name()
    }

    /// The log by each of its keys; at least one.
    pub fn logs(&self) -> &[RekorLog] {
        &self.logs
    }

    /// Whose checkpoints are believed.
    pub fn trust(&self) -> &LogTrust {
        &self.trust
    }

    /// Where it takes entries.
    pub fn write_url(&self) -> Option<&ServiceUrl> {
        self.write_url.as_ref()
    }

    /// Where it is read.
    pub fn read_location(&self) -> Option<&TreeLocation> {
        self.read_from.as_ref()
    }
}

fn rekor_log(log: &TrustedLog) -> Result<RekorLog, EndpointError> {
    let url = || log.base_url.clone();
    let key = log
        .key
        .as_ref()
        .map_err(|source| EndpointError::KeyUnusable { url: url(), source: source.clone() })?;
    let known = RekorLog::at_url(&log.base_url, key)
        .map_err(|source| EndpointError::Name { url: url(), source })?;
    let known = known.with_id(log.log_id.as_bytes());
    Ok(log.checkpoint_key_id.iter().fold(known, |known, id| known.with_id(id)))
}
