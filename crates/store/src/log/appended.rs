//! What an append has proven.

use genten_tlog::merkle::leaf_hash;
use genten_tlog::rekor::write_entry;
use genten_tlog::{Checkpoint, InclusionProof, LeafIndex, NoteKey};

use super::nodes::Nodes;

/// Entries that a log has taken, with all that proves them: no proof reads a file.
#[derive(Debug)]
pub struct Appended {
    key: NoteKey,
    first: LeafIndex,
    count: usize,
    checkpoint: Checkpoint,
    nodes: Nodes,
}

impl Appended {
    pub(super) fn new(
        key: NoteKey,
        first: LeafIndex,
        count: usize,
        checkpoint: Checkpoint,
        nodes: Nodes,
    ) -> Self {
        Self { key, first, count, checkpoint, nodes }
    }

    /// Where the first of the entries stands in the log. The others follow it.
    pub fn first(&self) -> LeafIndex {
        self.first
    }

    /// How many entries were appended.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The checkpoint that covers all of them.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The proof for one of the entries: `position` counts from 0 in the order in which they were given. `None` if there
    /// was no such entry.
    pub fn inclusion(&self, position: usize) -> Option<InclusionProof> {
        let index = self.first.get().checked_add(position.try_into().ok()?)?;
        self.nodes.inclusion(LeafIndex::new(index).ok()?).ok()
    }

    /// The TransparencyLogEntry (JSON) of one of the entries, see [`write_entry`]. `None` unless `body` is what was appended
    /// there.
    pub fn log_entry(&self, position: usize, body: &[u8]) -> Option<Vec<u8>> {
        let proof = self.inclusion(position)?;
        self.checkpoint.includes(leaf_hash(body), &proof).ok()?;
        Some(write_entry(&self.key, body, &proof, &self.checkpoint))
    }
}
