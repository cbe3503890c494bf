//! Whether what a log signs is one history: each of its checkpoints is a beginning of its latest tree.
//!
//! A proof of inclusion holds in whatever tree the log has signed: also in one that it shows to one client alone, or that it
//! has gone back to.

mod error;

use genten_tlog::{AuthenticatedTiles, Checkpoint};

pub use error::HistoryError;

use crate::{ForkEvidence, ForkKind, LogReader, ReadError};

/// The history of a log as far as it is known.
#[derive(Debug)]
pub struct LogHistory {
    reader: LogReader,
    known: Option<Checkpoint>,
    latest: Option<Latest>,
}

/// The latest tree that was read.
#[derive(Debug)]
struct Latest {
    checkpoint: Checkpoint,
    tiles: AuthenticatedTiles,
}

impl LogHistory {
    /// Of the log that this reader reads. `known`: the latest checkpoint that was believed before; without one, what the log
    /// shows first is believed.
    pub fn new(reader: LogReader, known: Option<Checkpoint>) -> Self {
        Self { reader, known, latest: None }
    }

    /// The latest checkpoint that is believed. Keep it: the log must never take it back.
    pub fn known(&self) -> Option<&Checkpoint> {
        self.known.as_ref()
    }

    /// Shows that a checkpoint belongs to the history. The log is read only when it has grown since it was read last.
    ///
    /// # Errors
    /// It does not, or that cannot be shown now; [`HistoryError::next`] says what to do.
    pub async fn admit(&mut self, seen: &Checkpoint) -> Result<(), HistoryError> {
        let mut latest = match self.latest.take() {
            Some(latest) if seen.size() <= latest.checkpoint.size() => latest,
            _ => match self.look().await {
                Err(HistoryError::Behind { known, seen: late }) => {
                    return Err(behind_or_late(*known, *late, seen));
                }
                looked => looked?,
            },
        };
        latest.contains(&self.reader, seen).await?;
        self.known = Some(latest.checkpoint.clone());
        self.latest = Some(latest);
        Ok(())
    }

    /// The log's tree now, or the known one where the log shows an earlier one, as a cache may do.
    async fn look(&self) -> Result<Latest, HistoryError> {
        let seen = self.reader.signed_checkpoint().await?;
        let Some(known) = self.known.clone() else { return self.read(seen).await };
        if known.size() <= seen.size() {
            check_same_size(&known, &seen)?;
            let mut latest = self.read(seen).await?;
            latest.contains(&self.reader, &known).await?;
            return Ok(latest);
        }
        let behind =
            HistoryError::Behind { known: known.clone().into(), seen: seen.clone().into() };
        let mut latest = match self.read(known).await {
            // The log has lost the tiles, or never had them.
            Err(HistoryError::Read(error)) if is_of_another_tree(&error) => return Err(behind),
            read => read?,
        };
        latest.contains(&self.reader, &seen).await?;
        Ok(latest)
    }

    async fn read(&self, checkpoint: Checkpoint) -> Result<Latest, HistoryError> {
        let tiles = self.reader.tiles(&checkpoint).await?;
        Ok(Latest { checkpoint, tiles })
    }
}

/// A log that signs a larger tree than the known one was not set back: what is read of it is an old copy.
fn behind_or_late(known: Checkpoint, late: Checkpoint, seen: &Checkpoint) -> HistoryError {
    match check_same_size(seen, &known) {
        Err(error) => error,
        Ok(()) if seen.size() >= known.size() => {
            HistoryError::NotYet { size: seen.size(), published: late.size() }
        }
        Ok(()) => HistoryError::Behind { known: known.into(), seen: late.into() },
    }
}

fn is_of_another_tree(error: &ReadError) -> bool {
    error.is_absent() || matches!(error, ReadError::Tile(_))
}

impl Latest {
    /// Shows that a checkpoint is a beginning of this tree.
    async fn contains(&mut self, reader: &LogReader, one: &Checkpoint) -> Result<(), HistoryError> {
        if one.size() > self.checkpoint.size() {
            let (size, published) = (one.size(), self.checkpoint.size());
            return Err(HistoryError::NotYet { size, published });
        }
        check_same_size(one, &self.checkpoint)?;
        let growth = reader.growth(&self.checkpoint, &mut self.tiles, one.size()).await?;
        match growth.root == one.root() {
            true => Ok(()),
            false => Err(fork(one, &self.checkpoint, ForkKind::OtherBeginning(growth))),
        }
    }
}

/// One size with two roots needs no tile.
fn check_same_size(one: &Checkpoint, other: &Checkpoint) -> Result<(), HistoryError> {
    if one.origin() != other.origin() {
        let (expected, found) = (other.origin().to_owned(), one.origin().to_owned());
        return Err(HistoryError::Origin { expected, found });
    }
    match one.size() == other.size() && one.root() != other.root() {
        true => Err(fork(one, other, ForkKind::SameSize)),
        false => Ok(()),
    }
}

fn fork(one: &Checkpoint, other: &Checkpoint, kind: ForkKind) -> HistoryError {
    HistoryError::Fork(Box::new(ForkEvidence::new(one, other, kind)))
}
