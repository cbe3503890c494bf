//! A log entry with everything about it that does not depend on the manifest: found once, used for every manifest that
//! shares the entry.

use std::sync::OnceLock;

use genten_primitives::PublicKey;
use genten_tlog::rekor::{BodyError, EntryError, HashedRekord, LogEntry};

use crate::logs::{LogFailure, Logged, Logs};

/// An entry of a Rekor v2 log, prepared.
#[derive(Clone, Debug)]
pub(crate) struct PreparedEntry {
    pub(crate) entry: LogEntry,
    pub(crate) rekord: HashedRekord,
    /// The key in the body, of the kind that the body says.
    pub(crate) key: Result<PublicKey, BodyError>,
    /// Whether the signature over the digest holds under it, once somebody asked.
    signature: OnceLock<Result<(), BodyError>>,
    pub(crate) logged: Result<Logged, LogFailure>,
}

/// Why an entry cannot even be prepared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntryFault {
    Entry(EntryError),
    Body(BodyError),
}

impl PreparedEntry {
    /// Reads an entry and its body, and asks the kit's logs for it.
    pub(crate) fn read(json: &str, logs: &Logs) -> Result<Self, EntryFault> {
        let entry = LogEntry::read(json.as_bytes()).map_err(EntryFault::Entry)?;
        Self::of(entry, logs)
    }

    /// The same for an entry that was read.
    pub(crate) fn of(entry: LogEntry, logs: &Logs) -> Result<Self, EntryFault> {
        let body = entry.body().ok_or(EntryFault::Body(BodyError::Missing))?;
        if !entry.kind().is_v2() {
            let (kind, version) = entry.kind().parts();
            let (kind, version) = (kind.to_owned(), version.to_owned());
            return Err(EntryFault::Entry(EntryError::KindUnsupported { kind, version }));
        }
        let rekord = HashedRekord::read(body).map_err(EntryFault::Body)?;
        let key = rekord.public_key();
        let logged = logs.verify(&entry, body);
        Ok(Self { entry, rekord, key, signature: OnceLock::new(), logged })
    }

    /// Checks the body's own signature. Where it is one that was checked already, nobody needs to ask.
    pub(crate) fn check_signature(&self) -> Result<(), &BodyError> {
        let check = || self.rekord.check_signature().map(|_| ());
        self.signature.get_or_init(check).as_ref().copied()
    }
}
