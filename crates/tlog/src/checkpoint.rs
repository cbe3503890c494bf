//! Checkpoints (C2SP tlog-checkpoint): signed notes in which a log states its size and root.
//!
//! Only [`UnverifiedCheckpoint::verify`] makes a [`Checkpoint`], and only a checkpoint tells what the log holds.

mod body;
mod error;
mod fork;
mod head;
mod identity;
mod tree_head_signature;
mod verify;

pub use body::checkpoint_text;
pub use error::{CheckpointError, LogIdentityError};
pub use fork::Fork;
pub use head::TreeHead;
pub use identity::LogIdentity;
pub use tree_head_signature::{tree_head_blob, tree_head_message};

use genten_primitives::{Sha256Digest, Timestamp};

use crate::cosignature::Cosignature;
use crate::merkle::{ConsistencyProof, InclusionProof, LeafIndex, ProofError, TreeSize};
use crate::note::{Note, NoteKey};

/// A note that says to be a checkpoint. Only its origin can be read, and only in order to choose keys.
///
/// ```
/// use genten_tlog::{CheckpointError, LogIdentity, UnverifiedCheckpoint};
/// let key = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx";
/// let log = LogIdentity::new("example.com/log/testdata", vec![key.parse().unwrap()]).unwrap();
/// let note = "example.com/log/testdata\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n\
///     \u{2014} example.com/log/testdata M9e0lhxJACzE1KoUdqKuPa+9p6R7dSW8BlEvrg/noo8FkGg6PbJoRNOcdjqjOq89\
///     wVvTA60eubCc4oufo5BvIVEgtQc=\n";
/// let checkpoint = UnverifiedCheckpoint::parse(note.as_bytes()).unwrap();
/// assert_eq!(checkpoint.verify(&log, &[]).unwrap().size().get(), 0);
///
/// let other = note.replace("\n0\n", "\n1\n");
/// let other = UnverifiedCheckpoint::parse(other.as_bytes()).unwrap();
/// assert!(matches!(other.verify(&log, &[]), Err(CheckpointError::LogSignature { .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnverifiedCheckpoint<'n> {
    note: Note<'n>,
    origin: &'n str,
}

/// A checkpoint that its log has signed, with the cosignatures of the witnesses that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    head: TreeHead,
    signers: Vec<NoteKey>,
    tree_head_millis: Option<u64>,
}

/// A log holds a leaf: shown by a checkpoint and a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    origin: String,
    index: LeafIndex,
    size: TreeSize,
}

impl<'n> UnverifiedCheckpoint<'n> {
    /// Reads a note and finds its origin line.
    ///
    /// # Errors
    /// Bytes that are no note; an empty first line.
    pub fn parse(note: &'n [u8]) -> Result<Self, CheckpointError> {
        let note = Note::parse(note)?;
        match note.unverified_text().split('\n').next() {
            None | Some("") => Err(CheckpointError::OriginMissing),
            Some(origin) => Ok(Self { note, origin }),
        }
    }

    /// The first line. Good for choosing keys, and for nothing else.
    pub fn unverified_origin(&self) -> &'n str {
        self.origin
    }

    /// What is wrong with size, root and extension lines, whoever signed them. A signature covers all of them, so that it
    /// fails too; this explains why.
    ///
    /// # Errors
    /// The first line that is missing or malformed.
    pub fn check_form(&self) -> Result<(), CheckpointError> {
        body::Body::read(self.note.unverified_text()).map(drop)
    }

    /// Size and root as they stand there, whoever signed them.
    pub(crate) fn unverified_head(&self) -> Result<(TreeSize, Sha256Digest), CheckpointError> {
        let body = body::Body::read(self.note.unverified_text())?;
        Ok((body.size, body.root))
    }

    /// The note.
    pub fn note(&self) -> &Note<'n> {
        &self.note
    }
}

impl Checkpoint {
    /// Which log.
    pub fn origin(&self) -> &str {
        self.head.origin()
    }

    /// Leaves of the tree.
    pub fn size(&self) -> TreeSize {
        self.head.size()
    }

    /// The root over all of them.
    pub fn root(&self) -> Sha256Digest {
        self.head.root()
    }

    /// The whole note, byte for byte; signatures of unknown keys in it were not checked.
    pub fn note(&self) -> &[u8] {
        self.head.note()
    }

    /// What it states, and who says so.
    pub fn head(&self) -> &TreeHead {
        &self.head
    }

    /// The keys of the log that have signed; at least one.
    pub fn signers(&self) -> &[NoteKey] {
        &self.signers
    }

    /// The witnesses that have cosigned, each key once.
    pub fn cosignatures(&self) -> &[Cosignature] {
        self.head.cosignatures()
    }

    /// The time in the log's own signature, in milliseconds since 1970: logs of RFC 6962 state one.
    pub fn tree_head_millis(&self) -> Option<u64> {
        self.tree_head_millis
    }

    /// The same as a time; `None` without one, and after the year 9999.
    pub fn tree_head_time(&self) -> Option<Timestamp> {
        self.tree_head_millis
            .and_then(|millis| i64::try_from(millis).ok())
            .and_then(Timestamp::from_millis)
    }

    /// That the log holds this leaf hash at the index of the proof.
    ///
    /// # Errors
    /// As [`InclusionProof::check`].
    pub fn includes(
        &self,
        leaf: Sha256Digest,
        proof: &InclusionProof,
    ) -> Result<Inclusion, ProofError> {
        proof.check(leaf, self.size(), self.root())?;
        let origin = self.origin().to_owned();
        Ok(Inclusion { origin, index: proof.index(), size: self.size() })
    }

    /// That the newer checkpoint of this log begins with all leaves of this one.
    ///
    /// # Errors
    /// Checkpoints of two logs; as [`ConsistencyProof::check`].
    pub fn is_extended_by(
        &self,
        newer: &Checkpoint,
        proof: &ConsistencyProof,
    ) -> Result<(), ProofError> {
        if self.origin() != newer.origin() {
            let (older, newer) = (self.origin().to_owned(), newer.origin().to_owned());
            return Err(ProofError::OriginMismatch { older, newer });
        }
        proof.check((self.size(), self.root()), (newer.size(), newer.root()))
    }
}

impl Inclusion {
    /// Which log.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Where in the log.
    pub fn index(&self) -> LeafIndex {
        self.index
    }

    /// Leaves of the tree for which it was shown.
    pub fn size(&self) -> TreeSize {
        self.size
    }
}
