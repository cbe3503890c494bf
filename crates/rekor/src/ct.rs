//! Proofs that a static log of Certificate Transparency holds the certificate of a server (C2SP static-ct-api).
//!
//! A promise (SCT) of such a log says at which place the certificate will be. Together with the certificate it gives the leaf, so
//! that checkpoint and tiles are all that is read.

mod error;

use genten_pki::{
    Certificate, CtEntry, CtLog, CtLogList, CtLogUrls, ListedSct, Sct, SctList, SctOutcome,
    judge_scts,
};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_tlog::{LeafIndex, LogIdentity, NoteKey, TlogProof};

pub use error::CtError;

use crate::{LogHttp, LogReader, LogTrust, TreeLocation};

/// How far the clocks of logs may be ahead, in milliseconds.
const SKEW: i64 = 60_000;

/// That a log holds a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CtInclusion {
    /// The proof file (C2SP tlog-proof), as evidence of the kind `tls-chain` carries it.
    pub tlog_proof: Vec<u8>,
    /// The origin of the log.
    pub origin: String,
    /// Where in the log the certificate is.
    pub index: u64,
}

/// Where a static log promised to put a certificate.
struct Promise<'l> {
    log: &'l CtLog,
    monitoring_url: &'l str,
    index: u64,
    leaf: Sha256Digest,
}

/// Gets the proof that one of the static logs that promised to include a certificate does so.
///
/// `chain` is in DER, the server's certificate first; `sct_list` came beside it by TLS, if it did, and promises inside of the
/// certificate are found there. `now` is when the promises are seen. The logs are tried one after the other.
///
/// # Errors
/// No promise that counts names a place, or the last log that was tried cannot prove it (yet).
pub async fn prove_certificate(
    http: &LogHttp,
    logs: &CtLogList,
    chain: &[Vec<u8>],
    sct_list: Option<&[u8]>,
    now: Timestamp,
) -> Result<CtInclusion, CtError> {
    let mut last = CtError::NoStaticLog;
    for promise in promises(logs, chain, sct_list, now)? {
        match prove(http, &promise).await {
            Ok(found) => return Ok(found),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The promises of both lists: those inside of the certificate are about the precertificate, all others about itself.
fn promises<'l>(
    logs: &'l CtLogList,
    chain: &[Vec<u8>],
    sct_list: Option<&[u8]>,
    now: Timestamp,
) -> Result<Vec<Promise<'l>>, CtError> {
    let leaf = Certificate::from_der(chain.first().ok_or(CtError::ChainEmpty)?)?;
    let mut found = Vec::new();
    if let (Some(list), Some(issuer)) = (leaf.sct_list(), issuer(&leaf, chain)?) {
        let tbs = leaf.tbs_without_scts();
        let entry = CtEntry::Precertificate { issuer_key_hash: issuer.spki_sha256(), tbs: &tbs };
        found.extend(of_list(&SctList::from_bytes(list)?, &entry, logs, now));
    }
    if let Some(list) = sct_list {
        let entry = CtEntry::Certificate(leaf.der());
        found.extend(of_list(&SctList::from_bytes(list)?, &entry, logs, now));
    }
    Ok(found)
}

fn issuer(leaf: &Certificate, chain: &[Vec<u8>]) -> Result<Option<Certificate>, CtError> {
    match chain.get(1) {
        Some(der) => Ok(Some(Certificate::from_der(der)?)),
        None if leaf.is_self_issued() => Ok(Some(leaf.clone())),
        None => Ok(None),
    }
}

fn of_list<'l>(
    list: &SctList,
    entry: &CtEntry<'_>,
    logs: &'l CtLogList,
    now: Timestamp,
) -> Vec<Promise<'l>> {
    let judged = judge_scts(list, Some(entry), logs, now, SKEW);
    let pairs = list.entries().iter().zip(judged.findings());
    let good = pairs.filter(|(_, finding)| finding.outcome == SctOutcome::Verified);
    good.filter_map(|(listed, finding)| match listed {
        ListedSct::V1(sct) => Promise::new(sct, entry, finding.log?),
        ListedSct::Unknown { .. } => None,
    })
    .collect()
}

impl<'l> Promise<'l> {
    /// `None` for a log that is not static.
    fn new(sct: &Sct, entry: &CtEntry<'_>, log: &'l CtLog) -> Option<Self> {
        let CtLogUrls::Static { monitoring_url, .. } = &log.urls else { return None };
        let (index, leaf) = (sct.leaf_index().ok()??, sct.leaf_hash(entry).ok()?);
        Some(Self { log, monitoring_url, index, leaf })
    }

    /// The log as its checkpoints are signed: by a tree head signature, under its origin.
    fn trust(&self) -> Option<LogTrust> {
        let origin = self.log.origin()?;
        let key = NoteKey::rfc6962(origin, self.log.key.as_ref().ok()?).ok()?;
        Some(LogTrust::new(LogIdentity::new(origin, vec![key]).ok()?))
    }
}

async fn prove(http: &LogHttp, promise: &Promise<'_>) -> Result<CtInclusion, CtError> {
    let url = promise.monitoring_url.parse().ok();
    let (Some(url), Some(trust), Ok(index)) = (url, promise.trust(), LeafIndex::new(promise.index))
    else {
        return Err(CtError::NoStaticLog);
    };
    let origin = promise.log.origin().unwrap_or_default().to_owned();
    let failed = |source| CtError::Read { origin: origin.clone(), source };
    let reader = LogReader::new(http.clone(), TreeLocation::Url(url), trust);
    let checkpoint = reader.checkpoint().await.map_err(failed)?;
    let size = checkpoint.size();
    if promise.index >= size.get() {
        return Err(CtError::NotYet { origin, index: promise.index, size });
    }
    let proof = reader.prove_inclusion(&checkpoint, index, promise.leaf).await.map_err(failed)?;
    let file = TlogProof::new(None, proof, checkpoint.note().to_vec());
    let tlog_proof = file.expect("a proof and a checkpoint that were verified").to_bytes();
    Ok(CtInclusion { tlog_proof, origin, index: promise.index })
}
