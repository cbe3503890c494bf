//! A log that is followed: the log itself, the follower, and where it keeps what it finds.

use genten_primitives::Timestamp;
use genten_rekor::{
    Begin, Cause, FollowError, FollowOutcome, FollowReport, FollowSink, FollowState, Follower,
    LogTrust, Sighting, Watch,
};
use genten_testkit::LogServer;
use genten_testkit::log::TestLog;
use genten_tlog::TreeSize;

use crate::support::{numbered, reader};

/// A sink in memory, which can be told to fail.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) state: FollowState,
    pub(crate) sightings: Vec<Sighting>,
    pub(crate) kept: usize,
    pub(crate) progress: Vec<(u64, u64)>,
    /// Fails when so many steps were kept.
    pub(crate) full_after: Option<usize>,
}

impl FollowSink for Memory {
    fn keep(&mut self, state: &FollowState, sightings: &[Sighting]) -> Result<(), Cause> {
        if self.full_after == Some(self.kept) {
            return Err("disk full".into());
        }
        self.kept += 1;
        // As a program does that is ended and started again between two steps.
        self.state = FollowState::from_json(&state.to_json())?;
        assert_eq!(&self.state, state);
        self.sightings.extend_from_slice(sightings);
        Ok(())
    }

    fn progress(&mut self, done: u64, total: u64) {
        self.progress.push((done, total));
    }
}

pub(crate) fn time(minute: u32) -> Timestamp {
    format!("2026-11-30T08:{minute:02}:00Z").parse().unwrap()
}

pub(crate) fn size(leaves: u64) -> TreeSize {
    TreeSize::new(leaves).unwrap()
}

/// A log that is served, and somebody who follows it.
pub(crate) struct World {
    pub(crate) server: LogServer,
    pub(crate) follower: Follower,
    pub(crate) sink: Memory,
}

impl World {
    pub(crate) async fn new(entries: usize) -> Self {
        Self::watching(entries, Watch::default()).await
    }

    pub(crate) async fn watching(entries: usize, watch: Watch) -> Self {
        let server = LogServer::start(numbered(entries)).await.unwrap();
        let follower = Follower::new(reader(&server), watch);
        let follower = follower.trust_first_sight(Begin::FirstEntry);
        Self { server, follower, sink: Memory::default() }
    }

    /// The same, after the first look.
    pub(crate) async fn seen(entries: usize) -> Self {
        let mut world = Self::new(entries).await;
        let report = world.look(0).await.unwrap();
        assert!(matches!(report.outcome, FollowOutcome::FirstSight { .. }));
        world
    }

    pub(crate) async fn look(&mut self, minute: u32) -> Result<FollowReport, FollowError> {
        let state = self.sink.state.clone();
        self.follower.follow(&state, time(minute), &mut self.sink).await
    }

    pub(crate) async fn outcome(&mut self, minute: u32) -> FollowOutcome {
        self.look(minute).await.unwrap().outcome
    }

    pub(crate) fn trust(&self) -> LogTrust {
        let key = self.server.with_log(|log| log.note_key().clone());
        LogTrust::of_keys(&[key]).unwrap()
    }

    /// The log grows by entries that are the text of their index.
    pub(crate) fn grow(&self, to: usize) {
        let from = self.server.with_log(TestLog::len);
        self.server.append((from..to).map(|entry| entry.to_string()));
    }

    /// What was stored did not change, but for the time.
    pub(crate) fn assert_still_at(&self, size: u64) {
        let note = self.sink.state.note().unwrap();
        assert_eq!(note.lines().nth(1).unwrap(), size.to_string());
        assert_eq!(self.sink.state.next(), size);
    }
}
