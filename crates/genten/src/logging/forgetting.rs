//! Giving up what is known of a log: the act of a person, for a log that was begun anew.

use std::path::PathBuf;

use genten_primitives::Timestamp;
use genten_primitives::encoding::hex;
use genten_store::{Home, Journal, LostLog, Seen, StoreError};
use genten_tlog::NoteKey;

use super::memory::names_of;
use super::{LogError, LogService, LogTarget, alarm, past, place};

/// What was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forgotten {
    /// The log.
    pub origin: String,
    /// Entries of the journal that it had.
    pub entries: usize,
    /// The file in which what was known of it is kept.
    pub evidence: PathBuf,
}

/// Gives up what is known of a log that a file describes: the checkpoint that it must not fall behind, that it has forked, and
/// uses of keys that were seen in it. What it shows next is believed as at first sight.
///
/// What was known is kept in `evidence/` of the home, and the journal notes that it was given up. Entries that the log had are
/// not looked for any more; with `queue_again` they are sent once more, and only now can that be asked for. The home's own log
/// is never forgotten: whoever keeps one of its checkpoints could convict it.
///
/// # Errors
/// The home's own log; nothing is known of the log; another process is sending to it; the file, home or journal cannot be read
/// or written.
pub fn forget(
    home: &Home,
    journal: &Journal,
    log: &LogTarget,
    queue_again: bool,
    now: Timestamp,
) -> Result<Forgotten, LogError> {
    let LogTarget::File(path) = log else { return Err(LogError::OwnLog) };
    let service = LogService::read(path, now, None)?;
    let key = past::key(&service.client);
    if is_own(home, key)? {
        return Err(LogError::OwnLog);
    }
    let name = log.name();
    let _right = home.sender(&name)?.ok_or_else(|| LogError::Busy { log: name.clone() })?;
    // What the log has proven so far stands in the bundles before the journal lets go of it.
    place::all(home, journal)?;
    let (origin, names) = (key.name(), names_of(service.client.endpoint().trust()));
    let known = known(journal, origin, &names)?;
    let evidence = alarm::keep(home, "forgotten", &known, now)?;
    let kept = evidence.to_string_lossy();
    let lost = LostLog { log: &name, origin, names: &names, evidence: &kept };
    let entries = journal.outbox().forget(&lost, queue_again, now)?;
    Ok(Forgotten { origin: origin.to_owned(), entries, evidence })
}

/// Whether it is the key of the home's own log, under whatever description.
fn is_own(home: &Home, key: &NoteKey) -> Result<bool, LogError> {
    let path = home.log().join("log.vkey");
    match std::fs::read_to_string(&path) {
        Ok(vkey) => Ok(vkey.trim() == key.to_vkey()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(StoreError::io(&path, source).into()),
    }
}

/// The last checkpoint that was believed, the state of whoever follows, and the uses of keys that nobody has accepted.
fn known(journal: &Journal, origin: &str, names: &[String]) -> Result<Vec<u8>, LogError> {
    let (outbox, mut known) = (journal.outbox(), Vec::new());
    for name in names {
        let (head, state) = (outbox.head(name)?, outbox.follow_state(name)?);
        known.extend(head.map(|head| head.note).into_iter().chain(state));
        let seen: String = outbox.seen(name)?.iter().map(seen_line).collect();
        known.extend((!seen.is_empty()).then_some(seen.into_bytes()));
    }
    match known.is_empty() {
        true => Err(LogError::NotKnown { origin: origin.to_owned() }),
        false => Ok(known.join(&b'\n')),
    }
}

fn seen_line(one: &Seen) -> String {
    let (how, digest) = (one.key_use.as_str(), hex(&one.digest));
    format!("entry {} by the key sha256:{} ({how}), digest {digest}\n", one.entry, one.key)
}
