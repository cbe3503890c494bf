//! What a log has shown before, as the journal keeps it.

use genten_primitives::Timestamp;
use genten_rekor::{HistoryError, LogHistory, ReadError, RekorClient};
use genten_store::{Journal, LogHead};
use genten_tlog::{Checkpoint, NoteKey};
use tokio::sync::{Mutex, MutexGuard};

use super::LogError;
use super::memory::{Memory, name_of};

/// The key by which a log is known.
pub(super) fn key(client: &RekorClient) -> &NoteKey {
    &client.endpoint().logs()[0].keys()[0]
}

/// What tells one service from another under the same name: the log's key, and where it takes entries.
pub(super) fn service_name(client: &RekorClient) -> String {
    let url = client.endpoint().write_url().map(ToString::to_string);
    format!("{} {}", name_of(key(client)), url.unwrap_or_default())
}

/// The past of one log. All that is under way at a time is held against it.
pub(super) struct Past<'p> {
    journal: &'p Journal,
    memory: Memory<'p>,
    /// `None` where the log is read nowhere.
    known: Option<Mutex<Known>>,
}

struct Known {
    history: LogHistory,
    /// What else the log has shown before, to whomever: it must belong to the same history.
    others: Vec<Checkpoint>,
    /// The size of the tree that is kept.
    kept: Option<u64>,
}

impl<'p> Past<'p> {
    pub(super) fn read(client: &'p RekorClient, journal: &'p Journal) -> Result<Self, LogError> {
        let memory = Memory::of(journal, client.endpoint().trust());
        memory.expect_not_caught()?;
        let mut others = memory.shown()?;
        let known = others.pop();
        let start = |reader| {
            Mutex::new(Known { history: LogHistory::new(reader, known), others, kept: None })
        };
        let known = client.reader().cloned().map(start);
        Ok(Self { journal, memory, known })
    }

    /// Whether a checkpoint continues the past, which is then kept.
    ///
    /// A server that takes entries need not serve the tree. As long as it never has, its proofs are believed as they are.
    pub(super) async fn admit(
        &self,
        seen: &Checkpoint,
        now: Timestamp,
    ) -> Result<Result<(), HistoryError>, LogError> {
        let Some(known) = &self.known else { return Ok(Ok(())) };
        let mut known = known.lock().await;
        let is_new = known.history.known().is_none();
        match known.admit(seen).await {
            Err(HistoryError::Read(ReadError::NotServed { .. })) if is_new => Ok(Ok(())),
            Err(error) => Ok(Err(error)),
            Ok(()) => self.keep(known, now).await,
        }
    }

    /// Keeps the latest checkpoint, under the name of each key that has signed it.
    async fn keep(
        &self,
        mut known: MutexGuard<'_, Known>,
        now: Timestamp,
    ) -> Result<Result<(), HistoryError>, LogError> {
        let Some(latest) = known.history.known().cloned() else { return Ok(Ok(())) };
        let size = latest.size().get();
        if known.kept == Some(size) {
            return Ok(Ok(()));
        }
        let head = LogHead { note: latest.note().to_vec(), size };
        for name in latest.signers().iter().map(name_of) {
            if let Err(error) = self.keep_as(&name, &head, &mut known.history, now).await? {
                return Ok(Err(error));
            }
        }
        known.kept = Some(size);
        Ok(Ok(()))
    }

    /// Whoever sends to the same log under another name may have kept another checkpoint in between, which must belong to the
    /// same history.
    async fn keep_as(
        &self,
        name: &str,
        head: &LogHead,
        history: &mut LogHistory,
        now: Timestamp,
    ) -> Result<Result<(), HistoryError>, LogError> {
        let outbox = self.journal.outbox();
        loop {
            let before = outbox.head(name)?;
            if let Some(before) = &before {
                if let Err(error) = history.admit(&self.memory.verify(&before.note)?).await {
                    return Ok(Err(error));
                }
                if before.size >= head.size {
                    return Ok(Ok(()));
                }
            }
            let before = before.as_ref().map(|before| &before.note[..]);
            if outbox.replace_head(name, before, head, now)? {
                return Ok(Ok(()));
            }
        }
    }
}

impl Known {
    async fn admit(&mut self, seen: &Checkpoint) -> Result<(), HistoryError> {
        while let Some(other) = self.others.last() {
            self.history.admit(other).await?;
            self.others.pop();
        }
        self.history.admit(seen).await
    }
}
