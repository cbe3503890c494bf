//! From what a log answered, or what was read out of it, to the fact that it holds our entry.

use genten_tlog::InclusionProof;
use genten_tlog::rekor::{EntryError, EntryKind, HashedRekord, LogEntry, LoggedEntry, write_entry};

use crate::{LogEndpoint, QuorumNotMet};

/// An entry that a log holds, with the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Submitted {
    /// The TransparencyLogEntry (JSON), written anew from what was verified: nothing else that the log sent is in it.
    pub entry: Vec<u8>,
    /// What was verified.
    pub logged: LoggedEntry,
}

/// Why an answer shows nothing, or something else than was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrongEntry {
    /// The proof or the checkpoint does not hold, or is of a log that is not known.
    #[error("entry does not hold")]
    Entry(#[source] EntryError),
    /// Another kind of entry than was sent.
    #[error("entry is of kind {found}")]
    Kind {
        /// Its kind.
        found: EntryKind,
    },
    /// Not a TransparencyLogEntry.
    #[error("answer is not an entry")]
    Malformed(#[source] EntryError),
    /// The checkpoint is far longer than those of logs are, and would fill the bundles of all members of a batch.
    #[error("entry has {found} bytes; at most {limit} are kept")]
    TooLong {
        /// Most bytes of an entry that is kept.
        limit: usize,
        /// How many it would have.
        found: usize,
    },
    /// The entry has another body than ours, or none.
    #[error("entry is not the one that was sent")]
    OtherBody,
}

/// What became of an entry that came from outside.
pub(crate) enum Verdict {
    Accepted(Submitted),
    /// The log holds it, but too few witnesses have seen the checkpoint.
    NoQuorum(QuorumNotMet, LoggedEntry),
    Wrong(WrongEntry),
}

/// Believes an entry: it has our body, a known log has signed, the proof holds, and enough witnesses have cosigned.
pub(crate) fn accept(endpoint: &LogEndpoint, rekord: &HashedRekord, entry: &[u8]) -> Verdict {
    let submitted = match verify(endpoint, rekord, entry) {
        Ok(submitted) => submitted,
        Err(wrong) => return Verdict::Wrong(wrong),
    };
    match endpoint.trust().check_quorum(submitted.logged.checkpoint()) {
        Ok(()) => Verdict::Accepted(submitted),
        Err(short) => Verdict::NoQuorum(short, submitted.logged),
    }
}

/// Most bytes of an entry: a hundred times those of the checkpoints of today's logs.
const MAX_KEPT: usize = 64 << 10;

fn verify(
    endpoint: &LogEndpoint,
    rekord: &HashedRekord,
    entry: &[u8],
) -> Result<Submitted, WrongEntry> {
    let entry = LogEntry::read(entry).map_err(WrongEntry::Malformed)?;
    if entry.kind() != EntryKind::HashedRekordV2 {
        return Err(WrongEntry::Kind { found: entry.kind() });
    }
    let body = rekord.to_body();
    if entry.body() != Some(&body) {
        return Err(WrongEntry::OtherBody);
    }
    let logs = endpoint.logs();
    let log = logs.iter().find(|log| log.has_id(entry.log_id())).unwrap_or(&logs[0]);
    let logged = entry.verify(&body, log, &endpoint.trust().witness_keys());
    let logged = logged.map_err(WrongEntry::Entry)?;
    // Whoever looks for the entry later checks the lines of all keys of the log.
    let checkpoint = endpoint.trust().verify(logged.checkpoint().note());
    checkpoint.map_err(|error| WrongEntry::Entry(EntryError::Checkpoint(error)))?;
    let proof = entry.inclusion_proof().expect("without one nothing is verified");
    write(&body, proof, logged)
}

fn write(
    body: &[u8],
    proof: &InclusionProof,
    logged: LoggedEntry,
) -> Result<Submitted, WrongEntry> {
    let checkpoint = logged.checkpoint();
    let entry = write_entry(&checkpoint.signers()[0], body, proof, checkpoint);
    match entry.len() {
        found if found > MAX_KEPT => Err(WrongEntry::TooLong { limit: MAX_KEPT, found }),
        _ => Ok(Submitted { entry, logged }),
    }
}
