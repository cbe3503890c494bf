//! Entries of this journal that a log has lost: it has given up the tree in which it showed them.

use std::collections::HashSet;

use genten_primitives::Sha256Digest;
use genten_rekor::{
    FollowError, FollowOutcome, FollowState, ForkEvidence, LogReader, ReadError, Relation, compare,
};
use genten_store::{Journal, Submission};
use genten_tlog::Checkpoint;
use genten_tlog::rekor::LogEntry;

use super::{Followed, LogError, LogTarget};

/// Submissions that are looked for at a time.
const STEP: u32 = 1000;

/// An entry that the log has lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Its place: `<log origin>#<entry index>`.
    pub log_id: String,
    /// The two checkpoints.
    pub fork: ForkEvidence,
}

/// Looks for the trees in which the journal's entries were shown: a tree that the followed one does not begin with was given
/// up, and the entry with it. Of a log that was caught nothing is believed, so that nothing is looked for in it.
pub(super) async fn find(
    reader: &LogReader,
    journal: &Journal,
    log: &LogTarget,
    followed: &mut Followed,
) -> Result<(), LogError> {
    if matches!(followed.outcome(), Some(FollowOutcome::Fork(_))) {
        return Ok(());
    }
    let outbox = journal.outbox();
    let Some(state) = outbox.follow_state(&followed.name)? else { return Ok(()) };
    let state = FollowState::from_json(&state).map_err(FollowError::State)?;
    // A note that does not hold is the report's to tell.
    let newest = state.note().and_then(|note| reader.trust().verify(note.as_bytes()).ok());
    let Some(newest) = newest else { return Ok(()) };
    let mut search = Search { reader, newest, known: HashSet::new(), is_away: false };
    let mut after = None;
    loop {
        let submissions = outbox.unfollowed(&log.name(), after, STEP)?;
        let Some(last) = submissions.last() else { return Ok(()) };
        after = Some(last.id);
        let mut found = Vec::new();
        for submission in &submissions {
            match search.again(submission).await {
                Again::Found => found.push(submission.id),
                Again::Elsewhere => {}
                Again::Unknown => followed.unsearched += 1,
                Again::Lost(fork) => {
                    let log_id = submission.log_id.clone().unwrap_or_default();
                    followed.lost.push(Lost { log_id, fork });
                }
            }
        }
        outbox.found_again(&found)?;
    }
}

enum Again {
    Found,
    Lost(ForkEvidence),
    /// An entry of another log, by origin and keys: an earlier shard.
    Elsewhere,
    Unknown,
}

struct Search<'s> {
    reader: &'s LogReader,
    newest: Checkpoint,
    /// Trees that were found.
    known: HashSet<(u64, Sha256Digest)>,
    /// Whether nobody answers: then it is of no use to ask for each tree anew.
    is_away: bool,
}

impl Search<'_> {
    async fn again(&mut self, submission: &Submission) -> Again {
        let entry = submission.entry.as_deref().and_then(|entry| LogEntry::read(entry).ok());
        let Some(note) = entry.as_ref().and_then(LogEntry::checkpoint) else {
            return Again::Unknown;
        };
        let trust = self.reader.trust();
        let shown = match trust.verify(note.as_bytes()) {
            Ok(shown) => shown,
            Err(_) if trust.is_named_in(note.as_bytes()) => return Again::Unknown,
            Err(_) => return Again::Elsewhere,
        };
        let tree = (shown.size().get(), shown.root());
        if self.known.contains(&tree) {
            return Again::Found;
        }
        if self.is_away || shown.size() > self.newest.size() {
            return Again::Unknown;
        }
        match compare(self.reader, &shown, &self.newest).await {
            Ok(Relation::Same | Relation::Consistent(_)) => {
                self.known.insert(tree);
                Again::Found
            }
            Ok(Relation::Forked(fork)) => Again::Lost(fork),
            Err(error) => {
                self.is_away = matches!(error, ReadError::Http(_));
                Again::Unknown
            }
        }
    }
}
