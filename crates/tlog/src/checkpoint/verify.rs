//! From a note to a checkpoint: origin, keys, signatures, and only then size and root.

use genten_primitives::signature::{Message, Scheme, verify};

use super::body::Body;
use super::identity::ambiguous;
use super::tree_head_signature;
use super::{Checkpoint, CheckpointError, LogIdentity, TreeHead, UnverifiedCheckpoint};
use crate::cosignature::{self, Cosignature};
use crate::note::{NoteKey, NoteKeyKind, NoteSignature};

impl UnverifiedCheckpoint<'_> {
    /// Checks that the log has signed, and which of the witnesses have. Lines of unknown keys are passed over; one bad
    /// signature of a known key, log or witness, refuses the note.
    ///
    /// # Errors
    /// [`CheckpointError`] says what the note lacks, or what is wrong with the keys given.
    pub fn verify(
        &self,
        log: &LogIdentity,
        witnesses: &[NoteKey],
    ) -> Result<Checkpoint, CheckpointError> {
        self.expect_origin(log.origin())?;
        let found = self.check_lines(log.keys(), witnesses)?;
        if found.signers.is_empty() {
            return Err(self.without_log_signature(log));
        }
        let body = Body::read(self.note.unverified_text())?;
        if found.tree_head_millis.is_some() && body.has_extensions {
            return Err(CheckpointError::ExtensionsUnderTreeHead);
        }
        let head = TreeHead::new(self.origin, body, self.note.as_bytes(), true, found.cosignatures);
        Ok(Checkpoint { head, signers: found.signers, tree_head_millis: found.tree_head_millis })
    }

    /// Checks that at least one cosigner has signed, without asking for the log: what mirrors and witnesses publish. This is
    /// their word; nothing is included on the ground of it.
    ///
    /// # Errors
    /// As [`verify`](Self::verify); none of the cosigners has signed.
    pub fn verify_cosigned(
        &self,
        origin: &str,
        cosigners: &[NoteKey],
    ) -> Result<TreeHead, CheckpointError> {
        self.expect_origin(origin)?;
        let found = self.check_lines(&[], cosigners)?;
        if found.cosignatures.is_empty() {
            return Err(CheckpointError::NoCosignature);
        }
        let body = Body::read(self.note.unverified_text())?;
        Ok(TreeHead::new(self.origin, body, self.note.as_bytes(), false, found.cosignatures))
    }

    fn expect_origin(&self, expected: &str) -> Result<(), CheckpointError> {
        if self.origin == expected {
            return Ok(());
        }
        let (expected, found) = (expected.to_owned(), self.origin.to_owned());
        Err(CheckpointError::OtherOrigin { expected, found })
    }

    fn check_lines(
        &self,
        log: &[NoteKey],
        cosigners: &[NoteKey],
    ) -> Result<Found, CheckpointError> {
        if let Some(key) = cosigners.iter().find(|key| key.kind().is_of_log()) {
            let (name, kind) = (key.name().to_owned(), key.kind());
            return Err(CheckpointError::CosignerKind { name, kind });
        }
        let known: Vec<_> = log.iter().chain(cosigners).collect();
        if let Some((name, id)) = ambiguous(&known) {
            return Err(CheckpointError::AmbiguousKey { name, id });
        }
        let mut found = Found::default();
        for line in self.note.signatures() {
            if let Some(key) = known.iter().find(|key| line.is_by(key)) {
                self.check_line(key, line, &mut found)?;
            }
        }
        Ok(found)
    }

    fn check_line(
        &self,
        key: &NoteKey,
        line: &NoteSignature<'_>,
        found: &mut Found,
    ) -> Result<(), CheckpointError> {
        let (text, blob) = (self.note.unverified_text(), line.blob());
        let name = || key.name().to_owned();
        let log_signature = |source| CheckpointError::LogSignature { name: name(), source };
        let scheme = match key.kind() {
            NoteKeyKind::Cosignature => {
                let seconds = cosignature::check(key, text, blob)
                    .map_err(|source| CheckpointError::Cosignature { name: name(), source })?;
                found.cosigned(key, seconds);
                return Ok(());
            }
            NoteKeyKind::Rfc6962 => {
                // What is signed are size and root, so they are read first here.
                let millis = tree_head_signature::check(key, &Body::read(text)?, blob)
                    .map_err(log_signature)?;
                found.tree_head_millis = found.tree_head_millis.max(Some(millis));
                found.signed(key);
                return Ok(());
            }
            NoteKeyKind::Ed25519 => Scheme::Ed25519,
            NoteKeyKind::Ecdsa => Scheme::EcdsaSha256Der,
            NoteKeyKind::RsaPkcs1 => Scheme::RsaPkcs1Sha256,
        };
        verify(key.key(), scheme, Message::Bytes(text.as_bytes()), blob)
            .map_err(|source| log_signature(source.into()))?;
        found.signed(key);
        Ok(())
    }

    /// A line under the name of one of the log's keys tells more than none.
    fn without_log_signature(&self, log: &LogIdentity) -> CheckpointError {
        for line in self.note.signatures() {
            if let Some(key) = log.keys().iter().find(|key| key.name() == line.name()) {
                return CheckpointError::LogKeyHint {
                    name: key.name().to_owned(),
                    expected: u32::from_be_bytes(key.id()),
                    found: u32::from_be_bytes(line.key_id()),
                };
            }
        }
        CheckpointError::NoLogSignature
    }
}

/// Whose signatures are good.
#[derive(Default)]
struct Found {
    signers: Vec<NoteKey>,
    cosignatures: Vec<Cosignature>,
    tree_head_millis: Option<u64>,
}

impl Found {
    fn signed(&mut self, key: &NoteKey) {
        if !self.signers.contains(key) {
            self.signers.push(key.clone());
        }
    }

    fn cosigned(&mut self, key: &NoteKey, seconds: u64) {
        match self.cosignatures.iter_mut().find(|known| known.key() == key) {
            Some(known) => known.merge(seconds),
            None => self.cosignatures.push(Cosignature::new(key, seconds)),
        }
    }
}
