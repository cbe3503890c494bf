//! What a log has shown before, as the journal keeps it.

use genten_primitives::Timestamp;
use genten_primitives::encoding::hex;
use genten_rekor::{
    FollowError, FollowState, HistoryError, LogHistory, LogTrust, ReadError, RekorClient,
};
use genten_store::Journal;
use genten_tlog::{Checkpoint, NoteKey};
use tokio::sync::Mutex;

use super::LogError;

/// The key by which a log is known.
pub(super) fn key(client: &RekorClient) -> &NoteKey {
    &client.endpoint().logs()[0].keys()[0]
}

/// The name under which the journal keeps the last checkpoint. Another log may use the same origin with a key of its own.
pub(super) fn head_name(key: &NoteKey) -> String {
    format!("{}+{}", key.name(), hex(&key.id()))
}

/// What tells one service from another under the same name: the log's key, and where it takes entries.
pub(super) fn service_name(client: &RekorClient) -> String {
    let url = client.endpoint().write_url().map(ToString::to_string);
    format!("{} {}", head_name(key(client)), url.unwrap_or_default())
}

/// The past of one log. All that is under way at a time is held against it.
pub(super) struct Past<'p> {
    journal: &'p Journal,
    name: String,
    /// `None` where the log is read nowhere.
    history: Option<Mutex<LogHistory>>,
}

impl<'p> Past<'p> {
    pub(super) fn read(client: &RekorClient, journal: &'p Journal) -> Result<Self, LogError> {
        expect_not_caught(journal, client.endpoint().trust())?;
        let key = key(client);
        let name = head_name(key);
        let trust = client.endpoint().trust();
        // What cannot be read is not forgotten: without it the log could take back what it has shown.
        let known = match journal.outbox().head(&name)? {
            None => None,
            Some(head) => Some(trust.verify(&head.note).map_err(|source| {
                LogError::HeadDamaged { origin: key.name().to_owned(), source }
            })?),
        };
        let history = |reader| Mutex::new(LogHistory::new(reader, known));
        Ok(Self { journal, name, history: client.reader().cloned().map(history) })
    }

    /// Whether a checkpoint continues the past, which is then kept.
    ///
    /// A server that takes entries need not serve the tree. As long as it never has, its proofs are believed as they are.
    pub(super) async fn admit(
        &self,
        seen: &Checkpoint,
        now: Timestamp,
    ) -> Result<Result<(), HistoryError>, LogError> {
        let Some(history) = &self.history else { return Ok(Ok(())) };
        let mut history = history.lock().await;
        let before = history.known().map(Checkpoint::size);
        match history.admit(seen).await {
            Err(HistoryError::Read(ReadError::NotServed { .. })) if before.is_none() => {}
            Err(error) => return Ok(Err(error)),
            Ok(()) => {
                let latest = history.known().filter(|known| Some(known.size()) > before);
                if let Some(latest) = latest {
                    let size = latest.size().get();
                    self.journal.outbox().set_head(&self.name, latest.note(), size, now)?;
                }
            }
        }
        Ok(Ok(()))
    }
}

/// Nothing of a log is believed any more once whoever follows it here has seen it fork. One of the same name with another key
/// is another log.
pub(super) fn expect_not_caught(journal: &Journal, trust: &LogTrust) -> Result<(), LogError> {
    let Some(json) = journal.outbox().follow_state(trust.origin())? else { return Ok(()) };
    let state = FollowState::from_json(&json).map_err(FollowError::State)?;
    match state.fork() {
        Some(fork) if fork.check(trust).is_ok() => {
            Err(LogError::Caught { origin: trust.origin().to_owned() })
        }
        _ => Ok(()),
    }
}
