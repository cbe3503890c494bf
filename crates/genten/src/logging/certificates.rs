//! Certificates of servers: which are to be proven, and what came of that.

mod doors;
mod round;

use genten_manifest::{Evidence, EvidenceKind, MAX_BUNDLE_BYTES, TlsChain};
use genten_pki::CtLogList;
use genten_primitives::json::{self, Limits};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_rekor::ct_promises;
use genten_store::WantedCertificate;

pub(super) use round::prove;

use super::{Alarm, LogError};
use crate::Attested;

/// The name under which one process at a time has the right to ask; no log has it.
pub(super) const ASKER: &str = "certificates";

/// What came of the servers' certificates that are to be proven.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct CertificateFlush {
    /// Certificates whose proof is there now.
    pub proven: u64,
    /// Certificates that were put off.
    pub postponed: u64,
    /// Certificates that no log will prove.
    pub failed: u64,
    /// Certificates that wait for somebody who has a list of logs.
    pub waiting: u64,
    /// What speaks against logs. The same of one log is told once for each certificate.
    pub alarms: Vec<Alarm>,
    /// Another process is asking.
    pub is_busy: bool,
    /// Why nothing more could be done.
    pub error: Option<LogError>,
}

impl CertificateFlush {
    /// Whether nothing is left to be done.
    pub fn is_complete(&self) -> bool {
        let open = [self.postponed, self.failed, self.waiting];
        self.error.is_none() && !self.is_busy && open == [0, 0, 0]
    }
}

/// Reads a list of logs.
pub(crate) fn read_list(list: &[u8]) -> Result<CtLogList, LogError> {
    CtLogList::from_bytes(list).map_err(LogError::CtLogList)
}

/// The server's certificate, if a static log of the list has promised it a place and nobody has brought the proof.
pub(crate) fn wanted(
    logs: &CtLogList,
    attested: &Attested,
    now: Timestamp,
) -> Option<WantedCertificate> {
    let chain = attested.tls_chain.as_ref().filter(|chain| chain.tlog_proof.is_none())?;
    let promises = ct_promises(logs, &chain.certificates, chain.scts.as_deref(), now).ok()?;
    promises.first()?;
    let leaf = Sha256Digest::of(chain.certificates.first()?);
    let bundle = attested.bundle();
    let item = bundle.evidence().iter().find(|item| read_chain(item).as_ref() == Some(chain))?;
    Some(WantedCertificate { leaf, scts: chain.scts.clone(), item: item.clone() })
}

fn read_chain(item: &[u8]) -> Option<TlsChain> {
    let document = json::read(item, Limits::bytes(MAX_BUNDLE_BYTES)).ok()?;
    match Evidence::from_value(document.root()).ok()?.kind() {
        EvidenceKind::TlsChain(chain) => Some(chain.clone()),
        _ => None,
    }
}
