//! Asking the logs of Certificate Transparency.

use std::sync::Arc;

use genten_pki::CtLogList;

use super::{Flush, FlushReport, Submitter};
use crate::LogError;
use crate::logging::certificates::{self, CertificateFlush};

impl Submitter {
    /// Asks the static logs of this list for the proofs of servers' certificates too: a log list of version 3, word for word as
    /// it is published. Without one they wait.
    ///
    /// # Errors
    /// It is no such list.
    pub fn with_ct_logs(self, list: &[u8]) -> Result<Self, LogError> {
        let ct_logs = Some(Arc::new(certificates::read_list(list)?));
        Ok(Self { ct_logs, ..self })
    }

    /// Gets the proofs for servers' certificates, and sends nothing.
    ///
    /// # Errors
    /// The journal cannot be read or written.
    pub async fn prove_certificates(&self, how: Flush) -> Result<FlushReport, LogError> {
        let certificates = self.prove(how).await?;
        self.place(Vec::new(), certificates).await
    }

    pub(super) async fn prove(&self, how: Flush) -> Result<CertificateFlush, LogError> {
        let queued = self.journal.certificates().counts()?.queued;
        let Some(logs) = self.ct_logs.as_deref().filter(|_| queued > 0) else {
            return Ok(CertificateFlush { waiting: queued, ..CertificateFlush::default() });
        };
        let asked = self.ask(logs, how).await;
        Ok(asked.unwrap_or_else(|error| CertificateFlush {
            error: Some(error),
            ..CertificateFlush::default()
        }))
    }

    async fn ask(&self, logs: &CtLogList, how: Flush) -> Result<CertificateFlush, LogError> {
        let Some(_right) = self.right_to_send(certificates::ASKER, how).await? else {
            return Ok(CertificateFlush { is_busy: true, ..CertificateFlush::default() });
        };
        if how == Flush::All {
            self.journal.certificates().retry(false, (self.clock)())?;
        }
        certificates::prove(logs, &self.home, &self.journal, &self.clock).await
    }
}
