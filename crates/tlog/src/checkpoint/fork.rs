//! Two views of one log that cannot both be true.

use super::TreeHead;
use crate::merkle::TreeSize;

/// One log, one size, two roots: evidence that it showed different trees to different people, or, where only cosigners
/// have signed one of them, that a cosigner saw what the log denies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    first: TreeHead,
    second: TreeHead,
}

impl Fork {
    /// The fork that the two show; `None` if they can both be true, as far as that is seen without a proof.
    pub fn between(first: &TreeHead, second: &TreeHead) -> Option<Self> {
        let is_fork = first.origin() == second.origin()
            && first.size() == second.size()
            && first.root() != second.root();
        is_fork.then(|| Self { first: first.clone(), second: second.clone() })
    }

    /// Which log.
    pub fn origin(&self) -> &str {
        self.first.origin()
    }

    /// The size for which there are two roots.
    pub fn size(&self) -> TreeSize {
        self.first.size()
    }

    /// Both statements, with their notes.
    pub fn heads(&self) -> [&TreeHead; 2] {
        [&self.first, &self.second]
    }

    /// Whether the log itself has signed both: proof of its fault, whoever shows it.
    pub fn convicts_log(&self) -> bool {
        self.first.signed_by_log() && self.second.signed_by_log()
    }
}
