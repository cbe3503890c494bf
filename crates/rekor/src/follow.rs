//! Follows a log: whether it only grows, and whose entries come in.
//!
//! Each look compares the log's checkpoint with the last one that was believed. A tree that does not continue the known one is
//! never believed; two signed checkpoints that contradict each other are kept as proof. What could not be shown either way
//! (tiles missing, damaged on the way) changes nothing and is tried again.

mod entry;
mod error;
mod fork;
mod outcome;
mod state;
mod watch;

use std::time::Duration;

use genten_primitives::Timestamp;
use genten_tlog::Checkpoint;
use outcome::duration;

pub use error::FollowError;
pub use fork::{ForkEvidence, ForkKind, Relation, compare};
pub use outcome::{Behind, FollowOutcome, FollowReport};
pub use state::{FollowState, StateError};
pub use watch::{KeyUse, Sighting, Tally, Watch};

use crate::{Cause, LogReader};

/// Where to begin with a log that was never seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// With its first entry.
    FirstEntry,
    /// With what comes after its present tree.
    NextEntry,
}

/// Where a follower keeps what it has found.
pub trait FollowSink {
    /// Keeps the state, and the sightings that led to it: both or none, or the sightings first. When this returns, they must
    /// survive a crash.
    ///
    /// # Errors
    /// Whatever prevents that. The log is then not followed any further.
    fn keep(&mut self, state: &FollowState, sightings: &[Sighting]) -> Result<(), Cause>;

    /// Tells how many of the entries to look at are done.
    fn progress(&mut self, _done: u64, _total: u64) {}
}

/// Follows one log.
#[derive(Clone, Debug)]
pub struct Follower {
    reader: LogReader,
    watch: Watch,
    first_sight: Option<Begin>,
    shown: Vec<Checkpoint>,
    grace: Duration,
}

impl Follower {
    /// Follows the log of this reader, and looks for these things in its entries.
    pub fn new(reader: LogReader, watch: Watch) -> Self {
        let grace = Duration::from_secs(60 * 60);
        Self { reader, watch, first_sight: None, shown: Vec::new(), grace }
    }

    /// Trusts what a log shows at first. Without this a first checkpoint must be given ([`FollowState::pinned`]).
    #[must_use]
    pub fn trust_first_sight(mut self, begin: Begin) -> Self {
        self.first_sight = Some(begin);
        self
    }

    /// What the log has shown to others, such as whoever sends entries to it. It binds the log as the stored checkpoint does.
    #[must_use]
    pub fn shown_before(mut self, shown: Vec<Checkpoint>) -> Self {
        self.shown = shown;
        self
    }

    /// How long a smaller tree may be shown before it counts as rollback; an hour by default.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Looks at the log, and at all entries that are new. The sink keeps each step before the next; a future that is dropped
    /// between two steps loses nothing.
    ///
    /// # Errors
    /// A stored state that is damaged, a log that cannot be read, a sink that cannot keep something.
    pub async fn follow<S: FollowSink + ?Sized>(
        &self,
        state: &FollowState,
        now: Timestamp,
        sink: &mut S,
    ) -> Result<FollowReport, FollowError> {
        let stored = state.verify(self.reader.trust())?;
        if let Some(fork) = state.fork() {
            let outcome = FollowOutcome::Fork(fork.clone());
            return Ok(FollowReport::new(outcome, Tally::default(), state, stored.as_ref(), now));
        }
        let seen = self.reader.signed_checkpoint().await.map_err(FollowError::Read)?;
        let known = stored.iter().chain(&self.shown).max_by_key(|known| known.size()).cloned();
        let outcome = self.judge(state, known.as_ref(), &seen, now).await?;
        let outcome = match (outcome.is_believed(), &known) {
            (true, Some(known)) => self.hold_against_all(stored.as_ref(), known, &seen).await?,
            _ => outcome,
        };
        let mut next = self.after(state, &outcome, known.as_ref(), &seen, now);
        if outcome.is_believed() {
            next.watch(&self.watch.keys);
        }
        if next != *state {
            sink.keep(&next, &[]).map_err(FollowError::Sink)?;
        }
        let (believed, tally) = match outcome.is_believed() {
            true => (Some(&seen), self.look(&seen, &mut next, sink).await?),
            false => (stored.as_ref(), Tally::default()),
        };
        let mut report = FollowReport::new(outcome, tally, &next, believed, now);
        report.clock_behind = duration(now, state.last_seen()).filter(|behind| !behind.is_zero());
        Ok(report)
    }

    async fn judge(
        &self,
        state: &FollowState,
        stored: Option<&Checkpoint>,
        seen: &Checkpoint,
        now: Timestamp,
    ) -> Result<FollowOutcome, FollowError> {
        let Some(stored) = stored else { return self.first_sight(seen) };
        expect_same_origin(stored, seen)?;
        let (from, to) = (stored.size(), seen.size());
        let relation = compare(&self.reader, stored, seen).await;
        Ok(match relation {
            Ok(Relation::Forked(fork)) => FollowOutcome::Fork(fork),
            Ok(Relation::Same) => FollowOutcome::Unchanged,
            _ if to < from => self.behind(state, stored, seen, now),
            Ok(Relation::Consistent(_)) => FollowOutcome::Advanced { from, to },
            Err(reason) => FollowOutcome::Unproven { size: to, reason },
        })
    }

    /// The new tree begins with `known`, the largest of those that were shown before; it must begin with the others too. How it
    /// stands to the stored one then.
    async fn hold_against_all(
        &self,
        stored: Option<&Checkpoint>,
        known: &Checkpoint,
        seen: &Checkpoint,
    ) -> Result<FollowOutcome, FollowError> {
        let tree = |one: &Checkpoint| (one.size(), one.root());
        let (size, from) = (seen.size(), stored.map(Checkpoint::size));
        for one in stored.into_iter().chain(&self.shown).filter(|one| tree(one) != tree(known)) {
            expect_same_origin(one, seen)?;
            match compare(&self.reader, one, seen).await {
                Ok(Relation::Forked(fork)) => return Ok(FollowOutcome::Fork(fork)),
                Ok(Relation::Same | Relation::Consistent(_)) => {}
                Err(reason) => return Ok(FollowOutcome::Unproven { size, reason }),
            }
        }
        Ok(match (from, self.reader.trust().check_quorum(seen)) {
            (Some(from), _) if from == size => FollowOutcome::Unchanged,
            (_, Err(short)) => FollowOutcome::Unproven { size, reason: short.into() },
            (Some(from), Ok(())) => FollowOutcome::Advanced { from, to: size },
            (None, Ok(())) => FollowOutcome::FirstSight { size },
        })
    }

    fn first_sight(&self, seen: &Checkpoint) -> Result<FollowOutcome, FollowError> {
        let size = seen.size();
        match (self.first_sight, self.reader.trust().check_quorum(seen)) {
            (None, _) => Err(FollowError::NeverSeen),
            (Some(_), Ok(())) => Ok(FollowOutcome::FirstSight { size }),
            (Some(_), Err(short)) => Ok(FollowOutcome::Unproven { size, reason: short.into() }),
        }
    }

    fn behind(
        &self,
        state: &FollowState,
        stored: &Checkpoint,
        seen: &Checkpoint,
        now: Timestamp,
    ) -> FollowOutcome {
        let since = state.behind_since().unwrap_or(now);
        let behind = Behind { known: stored.size(), seen: seen.size(), since };
        match duration(since, Some(now)) {
            Some(so_far) if so_far > self.grace => FollowOutcome::Rollback(behind),
            _ => FollowOutcome::Stale(behind),
        }
    }

    /// What is known after the look, before any entry was looked at.
    fn after(
        &self,
        state: &FollowState,
        outcome: &FollowOutcome,
        known: Option<&Checkpoint>,
        seen: &Checkpoint,
        now: Timestamp,
    ) -> FollowState {
        let mut next = state.clone();
        match outcome {
            FollowOutcome::Advanced { .. } => next.saw(seen, true, now),
            FollowOutcome::FirstSight { size } => {
                next.saw(seen, true, now);
                if self.first_sight == Some(Begin::NextEntry) {
                    (next.begin, next.next) = (size.get(), size.get());
                }
            }
            FollowOutcome::Unchanged => {
                let cosignatures = |one: &Checkpoint| one.cosignatures().len();
                let fuller = known.filter(|known| cosignatures(known) > cosignatures(seen));
                next.saw(fuller.unwrap_or(seen), false, now);
            }
            FollowOutcome::Fork(fork) => next.fork = Some(fork.clone()),
            FollowOutcome::Rollback(behind) | FollowOutcome::Stale(behind) => {
                next.behind_since = Some(behind.since);
            }
            FollowOutcome::Unproven { .. } => {}
        }
        next
    }

    /// Looks at the entries from the cursor on, bundle by bundle.
    async fn look<S: FollowSink + ?Sized>(
        &self,
        checkpoint: &Checkpoint,
        state: &mut FollowState,
        sink: &mut S,
    ) -> Result<Tally, FollowError> {
        let (first, end) = (state.next, checkpoint.size().get());
        let mut tally = Tally::default();
        if first == end {
            return Ok(tally);
        }
        let walk = self.reader.entries(checkpoint, first..end).await;
        let mut walk = walk.map_err(|source| FollowError::Entries { next: first, source })?;
        let unread = |next| move |source| FollowError::Entries { next, source };
        while let Some(chunk) = walk.next().await.map_err(unread(state.next))? {
            let sightings = tally.examine(&chunk, &self.watch);
            state.next = chunk.range().end;
            sink.keep(state, &sightings).map_err(FollowError::Sink)?;
            sink.progress(state.next - first, end - first);
        }
        Ok(tally)
    }
}

fn expect_same_origin(known: &Checkpoint, seen: &Checkpoint) -> Result<(), FollowError> {
    match known.origin() == seen.origin() {
        true => Ok(()),
        false => {
            let (expected, found) = (known.origin().to_owned(), seen.origin().to_owned());
            Err(FollowError::Origin { expected, found })
        }
    }
}
