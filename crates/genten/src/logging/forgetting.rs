//! Giving up what is known of a log: the act of a person, for a log that was begun anew.

use std::path::PathBuf;

use genten_primitives::Timestamp;
use genten_primitives::encoding::hex;
use genten_store::{Home, Journal, LostLog, ProcessLock, Seen, StoreError};
use genten_tlog::NoteKey;

use super::memory::{Memory, names_of};
use super::{LogError, LogService, LogTarget, alarm, past, place};

/// How a log is given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forget {
    /// Also where nothing that is known here speaks against the log.
    pub even_if_sound: bool,
    /// Queue once more what the log had, also of a log that was given up before.
    pub queue_again: bool,
}

/// What was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forgotten {
    /// The log.
    pub origin: String,
    /// Entries of the journal that it had, or that were queued once more of those it had when it was given up before.
    pub entries: usize,
    /// The file in which what was known of it is kept; `None` where it had been given up before.
    pub evidence: Option<PathBuf>,
}

/// Gives up what is known of a log that a file describes: the checkpoint that it must not fall behind, that it has forked, and
/// uses of keys that were seen in it. What it shows next is believed as at first sight.
///
/// What was known is kept in `evidence/` of the home, and the journal notes that it was given up. Entries that the log had are
/// not looked for any more, whatever file it was that described the log, and are sent once more where somebody queues them
/// again. The home's own log is never forgotten: whoever keeps one of its checkpoints could convict it.
///
/// # Errors
/// The home's own log; nothing is known of the log, or nothing that speaks against it; another process is sending to it; the
/// file, home or journal cannot be read or written.
pub fn forget(
    home: &Home,
    journal: &Journal,
    log: &LogTarget,
    how: Forget,
    now: Timestamp,
) -> Result<Forgotten, LogError> {
    let LogTarget::File(path) = log else { return Err(LogError::OwnLog) };
    let service = LogService::read(path, now, None)?;
    let key = past::key(&service.client);
    if is_own(home, key)? {
        return Err(LogError::OwnLog);
    }
    let (origin, names) = (key.name(), names_of(service.client.endpoint().trust()));
    let logs = logs(journal, log, origin, &names, now)?;
    let _rights = logs.iter().map(|log| sender(home, log)).collect::<Result<Vec<_>, _>>()?;
    // What the log has proven so far stands in the bundles before the journal lets go of it.
    place::all(home, journal)?;
    let outbox = journal.outbox();
    let mut forgotten = Forgotten { origin: origin.to_owned(), entries: 0, evidence: None };
    let memory = Memory::of(journal, service.client.endpoint().trust());
    match known(journal, origin, &names) {
        Ok(known) if how.even_if_sound || speaks_against(journal, &memory, &logs)? => {
            let evidence = alarm::keep(home, "forgotten", &known, now)?;
            let kept = evidence.to_string_lossy();
            let lost = LostLog { logs: &logs, origin, names: &names, evidence: &kept };
            forgotten.entries = outbox.forget(&lost, now)?;
            if how.queue_again {
                forgotten.entries = outbox.queue_given_up(&logs, origin, now)?;
            }
            forgotten.evidence = Some(evidence);
            Ok(forgotten)
        }
        refused => {
            if how.queue_again {
                forgotten.entries = outbox.queue_given_up(&logs, origin, now)?;
            }
            match (forgotten.entries, refused) {
                (0, Err(error)) => Err(error),
                (0, Ok(_)) => Err(LogError::Sound { origin: origin.to_owned() }),
                _ => Ok(forgotten),
            }
        }
    }
}

/// The names of the log in the outbox: the file that is meant, and others that describe the same log by origin and key.
fn logs(
    journal: &Journal,
    log: &LogTarget,
    origin: &str,
    names: &[String],
    now: Timestamp,
) -> Result<Vec<String>, LogError> {
    let is_same = |other: &String| match LogTarget::from_name(other) {
        LogTarget::Home => false,
        LogTarget::File(path) => LogService::read(&path, now, None).is_ok_and(|service| {
            let its = names_of(service.client.endpoint().trust());
            its.iter().any(|name| names.contains(name))
        }),
    };
    let mut logs = journal.outbox().logs_with_entries_of(origin)?;
    logs.retain(|other| *other != log.name() && is_same(other));
    logs.insert(0, log.name());
    Ok(logs)
}

fn sender(home: &Home, log: &str) -> Result<ProcessLock, LogError> {
    home.sender(log)?.ok_or_else(|| LogError::Busy { log: log.to_owned() })
}

/// Whether the log was seen to contradict what it had shown: by whoever follows it, or by whoever sends to it.
fn speaks_against(
    journal: &Journal,
    memory: &Memory<'_>,
    logs: &[String],
) -> Result<bool, LogError> {
    if memory.expect_not_caught().is_err() {
        return Ok(true);
    }
    for log in logs {
        if journal.outbox().has_met(log, &["rekor.history.behind", "rekor.history.fork"])? {
            return Ok(true);
        }
    }
    Ok(false)
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
