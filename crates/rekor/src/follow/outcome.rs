//! What looks at a log come to.

use std::time::Duration;

use genten_primitives::Timestamp;
use genten_tlog::{Checkpoint, Cosignature, TreeSize};

use super::fork::ForkEvidence;
use super::state::FollowState;
use super::watch::Tally;
use crate::ReadError;

/// What a look at a log came to.
#[derive(Debug)]
#[non_exhaustive]
pub struct FollowReport {
    /// How the log's tree stands to the one that was known.
    pub outcome: FollowOutcome,
    /// The entries that were looked at.
    pub tally: Tally,
    /// For how long nothing new came: no growth, and no cosignature. Alarm when it is longer than the log promises.
    pub quiet: Duration,
    /// By how much the clock is behind the time at which the log was last seen: it was set back, or was wrong then.
    pub clock_behind: Option<Duration>,
}

/// How a log's tree stands to the one that was known.
#[derive(Debug)]
#[non_exhaustive]
pub enum FollowOutcome {
    /// It contains the known one.
    Advanced {
        /// Entries that were known.
        from: TreeSize,
        /// Entries now.
        to: TreeSize,
    },
    /// The log was seen for the first time, and is believed.
    FirstSight {
        /// Its entries.
        size: TreeSize,
    },
    /// Both cannot be true: the log, or whoever has its key, shows different trees.
    Fork(ForkEvidence),
    /// It is smaller than the known one, for longer than a cache can explain.
    Rollback(Behind),
    /// It is smaller than the known one, as a cache may show it for a while.
    Stale(Behind),
    /// It is the same.
    Unchanged,
    /// It is larger, or new, and could not be shown to be good; the known one stays.
    Unproven {
        /// Entries that it says to have.
        size: TreeSize,
        /// What is missing.
        reason: ReadError,
    },
}

impl FollowOutcome {
    /// Whether the tree that the log shows is now the known one.
    pub fn is_believed(&self) -> bool {
        matches!(self, Self::Advanced { .. } | Self::FirstSight { .. } | Self::Unchanged)
    }
}

/// A tree that is smaller than the one that was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind {
    /// Entries that were known.
    pub known: TreeSize,
    /// Entries of the tree that the log shows.
    pub seen: TreeSize,
    /// Since when.
    pub since: Timestamp,
}

impl FollowReport {
    /// `believed`: the checkpoint that is known after the look.
    pub(super) fn new(
        outcome: FollowOutcome,
        tally: Tally,
        state: &FollowState,
        believed: Option<&Checkpoint>,
        now: Timestamp,
    ) -> Self {
        let cosigned = believed.into_iter().flat_map(Checkpoint::cosignatures);
        let news = cosigned.filter_map(Cosignature::time).chain(state.grown_at()).max();
        let quiet = news.and_then(|news| duration(news, Some(now))).unwrap_or_default();
        Self { outcome, tally, quiet, clock_behind: None }
    }
}

/// How long it is from one time to a later one; nothing when it is earlier.
pub(super) fn duration(from: Timestamp, to: Option<Timestamp>) -> Option<Duration> {
    let millis = to?.millis_since(from);
    Some(Duration::from_millis(u64::try_from(millis).unwrap_or(0)))
}
