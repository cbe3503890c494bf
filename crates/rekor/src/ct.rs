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
use genten_tlog::note::MAX_NOTE;
use genten_tlog::{Checkpoint, LeafIndex, LogIdentity, NoteKey, TlogProof};

pub use error::CtError;

use crate::source::TreeSource;
use crate::{LogHttp, LogReader, LogTrust, ReadError, TreeLocation};

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

/// Where a static log promised to put a certificate. The promise is signed by the log and counts.
#[derive(Clone, Debug)]
pub struct CtPromise<'l> {
    log: &'l CtLog,
    monitoring_url: &'l str,
    index: u64,
    leaf: Sha256Digest,
    /// The log's clock at which the certificate has to be there, in milliseconds since 1970.
    deadline: u64,
}

/// Gets the proof that one of the static logs that promised to include a certificate does so.
///
/// The logs of its [`ct_promises`] are tried one after the other.
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
    for promise in ct_promises(logs, chain, sct_list, now)? {
        match promise.prove(http).await {
            Ok(found) => return Ok(found),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The places that static logs of the list promised to a certificate.
///
/// `chain` is in DER, the server's certificate first; `sct_list` came beside it by TLS, if it did, and promises inside of the
/// certificate are found there: those are about the precertificate, all others about the certificate itself. `now` is when
/// the promises are seen.
///
/// # Errors
/// No certificate, or one or a list of promises that cannot be read.
pub fn ct_promises<'l>(
    logs: &'l CtLogList,
    chain: &[Vec<u8>],
    sct_list: Option<&[u8]>,
    now: Timestamp,
) -> Result<Vec<CtPromise<'l>>, CtError> {
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
) -> Vec<CtPromise<'l>> {
    let judged = judge_scts(list, Some(entry), logs, now, SKEW);
    let pairs = list.entries().iter().zip(judged.findings());
    let good = pairs.filter(|(_, finding)| finding.outcome == SctOutcome::Verified);
    good.filter_map(|(listed, finding)| match listed {
        ListedSct::V1(sct) => CtPromise::new(sct, entry, finding.log?),
        ListedSct::Unknown { .. } => None,
    })
    .collect()
}

impl<'l> CtPromise<'l> {
    /// `None` for a log that is not static.
    fn new(sct: &Sct, entry: &CtEntry<'_>, log: &'l CtLog) -> Option<Self> {
        let CtLogUrls::Static { monitoring_url, .. } = &log.urls else { return None };
        let (index, leaf) = (sct.leaf_index().ok()??, sct.leaf_hash(entry).ok()?);
        let deadline = sct.timestamp.saturating_add(u64::from(log.mmd) * 1000);
        Some(Self { log, monitoring_url, index, leaf, deadline })
    }

    /// The origin of the log.
    pub fn origin(&self) -> &'l str {
        self.log.origin().unwrap_or_default()
    }

    /// Where in the log the certificate will be.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Gets the proof that the log has kept the promise.
    ///
    /// # Errors
    /// The log cannot prove it (yet).
    pub async fn prove(&self, http: &LogHttp) -> Result<CtInclusion, CtError> {
        let url = self.monitoring_url.parse().ok();
        let (Some(url), Some(trust), Ok(index)) = (url, self.trust(), LeafIndex::new(self.index))
        else {
            return Err(CtError::NoStaticLog);
        };
        let location = TreeLocation::Url(url);
        let checkpoint = self.checkpoint(http, &location, &trust).await?;
        if self.index >= checkpoint.size().get() {
            return Err(self.absent(&checkpoint));
        }
        let reader = LogReader::new(http.clone(), location, trust);
        let tlog_proof = match tlog_proof(&reader, &checkpoint, index, self.leaf).await {
            Ok(proof) => proof,
            Err(error) => return Err(self.broken(&reader, &checkpoint, index, error).await),
        };
        Ok(CtInclusion { tlog_proof, origin: self.origin().to_owned(), index: self.index })
    }

    /// The log as its checkpoints are signed: by a tree head signature, under its origin.
    fn trust(&self) -> Option<LogTrust> {
        let origin = self.log.origin()?;
        let key = NoteKey::rfc6962(origin, self.log.key.as_ref().ok()?).ok()?;
        Some(LogTrust::new(LogIdentity::new(origin, vec![key]).ok()?))
    }

    async fn checkpoint(
        &self,
        http: &LogHttp,
        location: &TreeLocation,
        trust: &LogTrust,
    ) -> Result<Checkpoint, CtError> {
        let source = TreeSource::new(http.clone(), location.clone());
        let note = source.read("checkpoint", MAX_NOTE).await.map_err(|error| self.unread(error))?;
        trust.verify(&note).map_err(|error| self.wrong(ReadError::Checkpoint(error), note))
    }

    /// A tree that is younger than the log's maximum merge delay allows convicts it, with the promise.
    fn absent(&self, checkpoint: &Checkpoint) -> CtError {
        let (origin, index, size) = (self.origin().to_owned(), self.index, checkpoint.size());
        match checkpoint.tree_head_millis() {
            Some(time) if time > self.deadline => {
                CtError::Overdue { origin, index, size, answer: checkpoint.note().to_vec() }
            }
            _ => CtError::NotYet { origin, index, size },
        }
    }

    /// Another leaf at the promised place comes with the log's proof that it is there: with the promise, this convicts the log.
    async fn broken(
        &self,
        reader: &LogReader,
        checkpoint: &Checkpoint,
        index: LeafIndex,
        error: ReadError,
    ) -> CtError {
        let ReadError::OtherLeaf { found, .. } = error else { return self.unread(error) };
        let note = checkpoint.note().to_vec();
        let proof = tlog_proof(reader, checkpoint, index, found).await;
        self.wrong(error, proof.unwrap_or(note))
    }

    fn unread(&self, source: ReadError) -> CtError {
        CtError::Read { origin: self.origin().to_owned(), source }
    }

    fn wrong(&self, source: ReadError, answer: Vec<u8>) -> CtError {
        CtError::Wrong { origin: self.origin().to_owned(), source: source.into(), answer }
    }
}

async fn tlog_proof(
    reader: &LogReader,
    checkpoint: &Checkpoint,
    index: LeafIndex,
    leaf: Sha256Digest,
) -> Result<Vec<u8>, ReadError> {
    let proof = reader.prove_inclusion(checkpoint, index, leaf).await?;
    let file = TlogProof::new(None, proof, checkpoint.note().to_vec());
    Ok(file.expect("a proof and a checkpoint that were verified").to_bytes())
}
