//! Asking the logs that promised to hold certificates.

use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::StreamExt as _;
use genten_pki::CtLogList;
use genten_rekor::{CtError, CtInclusion, CtPromise, LogHttp, ReadError, ct_promises};
use genten_store::{Certificate, Home, Journal};

use super::doors::{Doors, Failure};
use super::{CertificateFlush, read_chain};
use crate::LogError;
use crate::builder::Clock;
use crate::logging::put_off::wait;
use crate::logging::{LogFileError, alarm};

/// Certificates under way at a time.
const PARALLEL: usize = 4;

/// Certificates that are read from the journal at a time.
const STEP: u32 = 256;

/// Everything that one round of asking needs.
struct Round<'r> {
    http: LogHttp,
    logs: &'r CtLogList,
    home: &'r Home,
    journal: &'r Journal,
    clock: &'r Clock,
    doors: Mutex<Doors>,
    flush: Mutex<CertificateFlush>,
}

/// Asks for every proof that is due.
pub(in crate::logging) async fn prove(
    logs: &CtLogList,
    home: &Home,
    journal: &Journal,
    clock: &Clock,
) -> Result<CertificateFlush, LogError> {
    let http = LogHttp::builder().build().map_err(LogFileError::Http)?;
    let (doors, flush) = <(Mutex<Doors>, Mutex<CertificateFlush>)>::default();
    let round = Round { http, logs, home, journal, clock, doors, flush };
    let (mut after, begin) = (None, clock());
    loop {
        let due = journal.certificates().due(after, STEP, begin)?;
        let Some(last) = due.last() else { break };
        after = Some(last.id);
        let asked = due.into_iter().map(|certificate| round.one(certificate));
        let mut asked = futures_util::stream::iter(asked).buffer_unordered(PARALLEL);
        while let Some(done) = asked.next().await {
            done?;
        }
    }
    Ok(round.flush.into_inner().unwrap_or_else(PoisonError::into_inner))
}

impl Round<'_> {
    /// Asks the logs that made promises about a certificate, one after the other. What goes wrong out there ends in the
    /// journal; an error is only that home or journal cannot be written.
    async fn one(&self, certificate: Certificate) -> Result<(), LogError> {
        let promises = match self.promises(&certificate) {
            Ok(promises) => promises,
            Err(error) => return self.not_proven(&certificate, Failure::of(&error)),
        };
        let mut failure: Option<Failure> = None;
        for promise in &promises {
            let shut = locked(&self.doors).shut(promise.origin(), self.home, (self.clock)())?;
            let met = match shut {
                Some(failure) => failure,
                None => match promise.prove(&self.http).await {
                    Ok(found) => return self.proven(&certificate, &found),
                    Err(error) => self.answered(&certificate, promise, &error)?,
                },
            };
            // The first that may still come to something, else the last.
            failure = failure.filter(Failure::is_open).or(Some(met));
        }
        let failure = failure.unwrap_or(Failure::of(&CtError::NoStaticLog));
        self.not_proven(&certificate, failure)
    }

    fn promises(&self, certificate: &Certificate) -> Result<Vec<CtPromise<'_>>, CtError> {
        let chain = read_chain(&certificate.item).ok_or(CtError::ChainEmpty)?;
        let scts = chain.scts.as_deref();
        ct_promises(self.logs, &chain.certificates, scts, (self.clock)())
    }

    fn answered(
        &self,
        certificate: &Certificate,
        promise: &CtPromise<'_>,
        error: &CtError,
    ) -> Result<Failure, LogError> {
        let now = (self.clock)();
        locked(&self.doors).answered(promise.origin(), error, now)?;
        // The same comes under another time each time; and what keeps the certificate waiting may be another log.
        let what = format!("{} {}", error.code(), promise.origin());
        if let Some(answer) = error.evidence().filter(|_| !certificate.told.contains(&what)) {
            let evidence = evidence(error, answer, &certificate.item);
            let alarm = alarm::raise(self.home, (error.code(), error), &evidence, now)?;
            self.journal.certificates().told(certificate.id, &what)?;
            alarm::add(&mut locked(&self.flush).alarms, alarm);
        }
        Ok(Failure::of(error))
    }

    fn proven(&self, certificate: &Certificate, found: &CtInclusion) -> Result<(), LogError> {
        let log_id = format!("{}#{}", found.origin, found.index);
        let now = (self.clock)();
        self.journal.certificates().proven(certificate.id, &found.tlog_proof, &log_id, now)?;
        locked(&self.flush).proven += 1;
        Ok(())
    }

    fn not_proven(&self, certificate: &Certificate, failure: Failure) -> Result<(), LogError> {
        let (certificates, now) = (self.journal.certificates(), (self.clock)());
        if !failure.is_open() {
            certificates.failed(certificate.id, failure.met(), now)?;
            locked(&self.flush).failed += 1;
            return Ok(());
        }
        let due = wait(now, certificate.attempts + 1, failure.after());
        certificates.postpone(certificate.id, due, failure.met(), now)?;
        locked(&self.flush).postponed += 1;
        Ok(())
    }
}

/// A broken promise is proven by the answer and the promise, which the chain holds. A checkpoint that the log has not signed is
/// about no certificate.
fn evidence(error: &CtError, answer: &[u8], chain: &[u8]) -> Vec<u8> {
    match error {
        CtError::Wrong { source, .. } if !matches!(**source, ReadError::OtherLeaf { .. }) => {
            answer.to_vec()
        }
        _ => [answer, b"\n", chain, b"\n"].concat(),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
