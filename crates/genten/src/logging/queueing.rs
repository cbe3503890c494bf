//! What is queued after it was signed.

use std::path::Path;

use genten_jws::{Algorithm, ContentLogSigner, SignedBytes};
use genten_primitives::{PublicKey, Sha256Digest};
use genten_store::{LogSubject, Want, Wanted};

use super::wanted::content_body;
use super::{LogError, LogTarget, Submitter, es256_body, is_of_described_log, place};

impl Submitter {
    /// Queues an entry about a manifest that was signed before, by whomever; gives the entry's body. An entry that another log
    /// has, which was described under this name before, is queued anew.
    ///
    /// With an ES256 key the entry needs no secret: the manifest's own signature is logged. With an Ed25519 key the signer
    /// must be here.
    ///
    /// # Errors
    /// The signature does not hold under the key, the signer of an Ed25519 manifest is not here, or the outbox cannot be
    /// written.
    pub async fn queue_manifest(
        &self,
        log: &LogTarget,
        signed: &SignedBytes,
        key: &PublicKey,
    ) -> Result<Vec<u8>, LogError> {
        signed.verify(key).map_err(LogError::WrongSignature)?;
        let own = self.signer(&key.thumbprint().to_string());
        let body = match (own, signed.header().alg) {
            (Some(signer), _) => signer.log_body(signed.input(), signed.signature()).await?,
            (None, Algorithm::Es256) => es256_body(signed.input(), signed.signature(), key)?,
            (None, Algorithm::EdDsa) => return Err(LogError::SignerMissing),
        };
        let want = Want::Entry { subject: LogSubject::Manifest, body: body.clone() };
        let wanted = Wanted { log: log.name(), want };
        self.journal.outbox().add(&signed.sha256(), &[wanted], (self.clock)())?;
        self.queue_anew(log, &body)?;
        Ok(body)
    }

    /// Completes this file too when evidence for its manifest arrives, now or later: a bundle, or a manifest, which becomes one.
    ///
    /// # Errors
    /// The outbox cannot be written.
    pub fn bring(&self, manifest_id: &Sha256Digest, file: &Path) -> Result<(), LogError> {
        Ok(self.journal.outbox().bring(manifest_id, file)?)
    }

    /// Queues an entry about bytes, by their digest; gives the entry's body. One that another log has is queued anew, as above.
    ///
    /// # Errors
    /// The key cannot sign, or the outbox cannot be written.
    pub fn queue_content(
        &self,
        log: &LogTarget,
        content: Sha256Digest,
        key: &dyn ContentLogSigner,
    ) -> Result<Vec<u8>, LogError> {
        let (body, outbox) = (content_body(content, key)?, self.journal.outbox());
        outbox.add_entry(&log.name(), LogSubject::Content, &body, (self.clock)())?;
        self.queue_anew(log, &body)?;
        Ok(body)
    }

    fn queue_anew(&self, log: &LogTarget, body: &[u8]) -> Result<(), LogError> {
        let (name, outbox, now) = (log.name(), self.journal.outbox(), (self.clock)());
        let found = outbox.find(body)?;
        let Some(known) = found.iter().find(|one| one.log == name && one.log_id.is_some()) else {
            return Ok(());
        };
        if !is_of_described_log(&self.home, known, now)? {
            // What the other log has proven stands in the bundles before the journal lets go of it.
            place::all(&self.home, &self.journal)?;
            outbox.queue_anew(known.id, now)?;
        }
        Ok(())
    }

    /// Queues again what logs refused, and the certificates that they would not prove.
    ///
    /// # Errors
    /// The outbox cannot be read or written.
    pub fn requeue_rejected(&self) -> Result<(), LogError> {
        let outbox = self.journal.outbox();
        for log in outbox.counts()? {
            outbox.retry(&log.log, true, (self.clock)())?;
        }
        self.journal.certificates().retry(true, (self.clock)())?;
        Ok(())
    }
}
