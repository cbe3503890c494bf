//! What a checkpoint states.

use genten_primitives::Sha256Digest;

use super::body::Body;
use crate::cosignature::Cosignature;
use crate::merkle::TreeSize;

/// Size and root of a log as somebody known has signed them: the log, or cosigners alone.
///
/// It says what a log holds only inside of a [`Checkpoint`](super::Checkpoint). Without the log's signature it is the word
/// of a cosigner, as a mirror publishes it, and good for finding forks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeHead {
    origin: String,
    size: TreeSize,
    root: Sha256Digest,
    note: Vec<u8>,
    signed_by_log: bool,
    cosignatures: Vec<Cosignature>,
}

impl TreeHead {
    pub(super) fn new(
        origin: &str,
        body: Body,
        note: &[u8],
        signed_by_log: bool,
        cosignatures: Vec<Cosignature>,
    ) -> Self {
        let (origin, note) = (origin.to_owned(), note.to_vec());
        Self { origin, size: body.size, root: body.root, note, signed_by_log, cosignatures }
    }

    /// Which log.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Leaves of the tree.
    pub fn size(&self) -> TreeSize {
        self.size
    }

    /// The root over all of them.
    pub fn root(&self) -> Sha256Digest {
        self.root
    }

    /// The whole note, byte for byte.
    pub fn note(&self) -> &[u8] {
        &self.note
    }

    /// Whether a key of the log has signed it.
    pub fn signed_by_log(&self) -> bool {
        self.signed_by_log
    }

    /// The cosigners, each key once.
    pub fn cosignatures(&self) -> &[Cosignature] {
        &self.cosignatures
    }
}
