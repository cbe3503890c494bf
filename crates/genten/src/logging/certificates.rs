//! Certificates of servers: which are to be proven, and the proofs that logs of Certificate Transparency give.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use genten_manifest::{Evidence, EvidenceKind, MAX_BUNDLE_BYTES, TlsChain};
use genten_pki::CtLogList;
use genten_primitives::json::{self, Limits};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_rekor::{CtError, CtInclusion, CtPromise, LogHttp, Next, ReadError, ct_promises};
use genten_store::{Certificate, Home, Journal, WantedCertificate};

use super::sending::wait;
use super::{LogError, LogFileError, alarm};
use crate::Attested;
use crate::builder::Clock;

/// The name under which one process at a time has the right to ask; no log has it.
pub(super) const ASKER: &str = "certificates";

/// Certificates under way at a time.
const PARALLEL: usize = 4;

/// Certificates that are read from the journal at a time.
const STEP: u32 = 256;

/// What came of the servers' certificates that are to be proven.
#[derive(Debug, Default)]
pub struct CertificateFlush {
    /// Certificates whose proof is there now.
    pub proven: u64,
    /// Certificates that were put off.
    pub postponed: u64,
    /// Certificates that no log will prove.
    pub failed: u64,
    /// Certificates that wait for somebody who has a list of logs.
    pub waiting: u64,
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

/// Everything that one round of asking needs.
struct Round<'r> {
    http: LogHttp,
    logs: &'r CtLogList,
    home: &'r Home,
    journal: &'r Journal,
    clock: &'r Clock,
    /// Logs that gave no answer, by their origins: they are left alone until the next round.
    silent: Mutex<HashMap<String, Failure>>,
}

/// Why there is no proof.
#[derive(Clone, Copy)]
struct Failure {
    code: &'static str,
    next: Next,
}

/// How a certificate ended.
enum End {
    Failed,
    Postponed,
    Proven,
}

/// Asks for every proof that is due.
pub(super) async fn prove(
    logs: &CtLogList,
    home: &Home,
    journal: &Journal,
    clock: &Clock,
) -> Result<CertificateFlush, LogError> {
    let http = LogHttp::builder().build().map_err(LogFileError::Http)?;
    let round = Round { http, logs, home, journal, clock, silent: Mutex::default() };
    let (mut flush, mut after, begin) = (CertificateFlush::default(), None, clock());
    loop {
        let due = journal.certificates().due(after, STEP, begin)?;
        let Some(last) = due.last() else { return Ok(flush) };
        after = Some(last.id);
        let ends = due.into_iter().map(|certificate| round.one(certificate));
        let mut ends = futures_util::stream::iter(ends).buffer_unordered(PARALLEL);
        while let Some(end) = ends.next().await {
            match end? {
                End::Failed => flush.failed += 1,
                End::Postponed => flush.postponed += 1,
                End::Proven => flush.proven += 1,
            }
        }
    }
}

impl Round<'_> {
    /// Asks the logs that made promises about a certificate, one after the other. What goes wrong out there ends in the
    /// journal; an error is only that the journal cannot be written.
    async fn one(&self, certificate: Certificate) -> Result<End, LogError> {
        let promises = match self.promises(&certificate) {
            Ok(promises) => promises,
            Err(error) => return self.not_proven(&certificate, Failure::of(&error)),
        };
        let mut failure: Option<Failure> = None;
        for promise in &promises {
            let found = match self.is_silent(promise) {
                Some(failure) => Err(failure),
                None => self.ask(&certificate, promise).await?,
            };
            match found {
                Ok(found) => return self.proven(&certificate, &found),
                // The first that may still come to something, else the last.
                Err(next) => failure = failure.filter(Failure::is_open).or(Some(next)),
            }
        }
        let failure = failure.unwrap_or(Failure::of(&CtError::NoStaticLog));
        self.not_proven(&certificate, failure)
    }

    fn promises(&self, certificate: &Certificate) -> Result<Vec<CtPromise<'_>>, CtError> {
        let chain = read_chain(&certificate.item).ok_or(CtError::ChainEmpty)?;
        let scts = chain.scts.as_deref();
        ct_promises(self.logs, &chain.certificates, scts, (self.clock)())
    }

    async fn ask(
        &self,
        certificate: &Certificate,
        promise: &CtPromise<'_>,
    ) -> Result<Result<CtInclusion, Failure>, LogError> {
        let error = match promise.prove(&self.http).await {
            Ok(found) => return Ok(Ok(found)),
            Err(error) => error,
        };
        let failure = Failure::of(&error);
        if is_silence(&error) {
            self.silent().insert(promise.origin().to_owned(), failure);
        }
        // What was met at the last attempt too is there already, under another time.
        let is_new = certificate.detail.as_deref() != Some(failure.code);
        if let Some(answer) = error.evidence().filter(|_| is_new) {
            let evidence = [answer, b"\n", &certificate.item, b"\n"].concat();
            alarm::keep(self.home, failure.code, &evidence, (self.clock)())?;
        }
        Ok(Err(failure))
    }

    fn is_silent(&self, promise: &CtPromise<'_>) -> Option<Failure> {
        self.silent().get(promise.origin()).copied()
    }

    fn silent(&self) -> MutexGuard<'_, HashMap<String, Failure>> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn proven(&self, certificate: &Certificate, found: &CtInclusion) -> Result<End, LogError> {
        let log_id = format!("{}#{}", found.origin, found.index);
        let now = (self.clock)();
        self.journal.certificates().proven(certificate.id, &found.tlog_proof, &log_id, now)?;
        Ok(End::Proven)
    }

    fn not_proven(&self, certificate: &Certificate, failure: Failure) -> Result<End, LogError> {
        let (certificates, now) = (self.journal.certificates(), (self.clock)());
        if !failure.is_open() {
            certificates.failed(certificate.id, failure.code, now)?;
            return Ok(End::Failed);
        }
        let due = wait(now, certificate.attempts + 1, failure.after());
        certificates.postpone(certificate.id, due, failure.code, now)?;
        Ok(End::Postponed)
    }
}

/// Whether the log did not answer, or wants to be left alone.
fn is_silence(error: &CtError) -> bool {
    match error {
        CtError::Read { source: ReadError::Http(_), .. } => true,
        CtError::Read { source: ReadError::Status { status, .. }, .. } => {
            matches!(status, 429 | 500..)
        }
        _ => false,
    }
}

impl Failure {
    fn of(error: &CtError) -> Self {
        Self { code: error.code(), next: error.next() }
    }

    /// Whether there may be a proof later.
    fn is_open(&self) -> bool {
        self.next != Next::Never
    }

    fn after(&self) -> Option<Duration> {
        match self.next {
            Next::Later { after } => after,
            _ => None,
        }
    }
}
