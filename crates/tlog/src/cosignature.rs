//! Cosignatures of kind 0x04 (C2SP tlog-cosignature): a witness or mirror saw this tree, at this time, as the largest of
//! its log, and it is consistent with all that it saw before.
//!
//! Cosignatures of kind 0x06 (ML-DSA-44) are passed over as signatures of unknown keys.

use genten_primitives::Timestamp;
use genten_primitives::signature::{Message, Scheme, verify};

use crate::NoteKey;
use crate::decimal;
use crate::note::LineError;

/// Bytes of a time and an Ed25519 signature.
const BLOB: usize = 72;

/// A cosignature that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosignature {
    key: NoteKey,
    seconds: u64,
}

impl Cosignature {
    pub(crate) fn new(key: &NoteKey, seconds: u64) -> Self {
        Self { key: key.clone(), seconds }
    }

    /// Who cosigned.
    pub fn key(&self) -> &NoteKey {
        &self.key
    }

    /// When, in seconds since 1970; not 0.
    pub fn seconds(&self) -> u64 {
        self.seconds
    }

    /// When; `None` after the year 9999.
    pub fn time(&self) -> Option<Timestamp> {
        i64::try_from(self.seconds).ok().and_then(Timestamp::from_seconds)
    }

    /// Two of one key are one, with the earlier time: the tree was there at that time.
    pub(crate) fn merge(&mut self, seconds: u64) {
        self.seconds = self.seconds.min(seconds);
    }
}

/// What a cosigner signs: the time and the whole text of the checkpoint, its last line feed included.
pub fn message(seconds: u64, checkpoint_text: &str) -> Vec<u8> {
    ["cosignature/v1\ntime ", &seconds.to_string(), "\n", checkpoint_text].concat().into_bytes()
}

/// What follows the key id in a signature line: the time and the signature.
pub fn blob(seconds: u64, signature: &[u8; 64]) -> Vec<u8> {
    [&seconds.to_be_bytes()[..], signature].concat()
}

/// Checks a cosignature under a key of its kind; the time that it states.
pub(crate) fn check(key: &NoteKey, text: &str, blob: &[u8]) -> Result<u64, LineError> {
    let length = LineError::CosignatureLength { expected: BLOB, found: blob.len() };
    let Some((time, signature)) = blob.split_first_chunk().filter(|_| blob.len() == BLOB) else {
        return Err(length);
    };
    let seconds = match u64::from_be_bytes(*time) {
        0 => return Err(LineError::TimeZero),
        found if found > decimal::MAX => return Err(LineError::TimeRange { found }),
        seconds => seconds,
    };
    verify(key.key(), Scheme::Ed25519, Message::Bytes(&message(seconds, text)), signature)?;
    Ok(seconds)
}
