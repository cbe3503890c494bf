//! Two checkpoints of one log: whether both can be true.

use std::cmp::Ordering;

use genten_primitives::Sha256Digest;
use genten_tlog::{Checkpoint, ProofError};

use crate::{Growth, LogReader, ReadError};

/// How two checkpoints of one log stand to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The same tree.
    Same,
    /// The larger tree begins with the smaller one.
    Consistent(Growth),
    /// They contradict each other.
    Forked(ForkEvidence),
}

/// Two checkpoints, both signed by the log, of which only one can be true. Whoever has the log's key can check it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForkEvidence {
    /// The note of the checkpoint that was known, byte for byte.
    pub first: String,
    /// The note of the other one.
    pub second: String,
    /// Why they contradict each other.
    pub kind: ForkKind,
}

/// Why two checkpoints contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForkKind {
    /// One size with two roots: the notes alone prove it.
    SameSize,
    /// The larger tree had another root at the size of the smaller one: this one, which the proof connects with the larger.
    OtherBeginning(Growth),
}

impl ForkKind {
    /// The name in stored states.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::SameSize => "same-size",
            Self::OtherBeginning(_) => "other-beginning",
        }
    }
}

/// Compares two checkpoints of one log, got over any two ways: from the log itself, from a witness or mirror, out of a bundle.
/// The larger tree is read from the log.
///
/// A witness serves its view below its monitoring prefix and the SHA-256 (hexadecimal) of the log's origin:
/// [`LogReader::signed_checkpoint`] there reads it.
///
/// # Errors
/// Tiles of the larger tree that cannot be read or authenticated: that proves nothing. Checkpoints of two logs.
pub async fn compare(
    reader: &LogReader,
    known: &Checkpoint,
    seen: &Checkpoint,
) -> Result<Relation, ReadError> {
    if known.origin() != seen.origin() {
        let (older, newer) = (known.origin().to_owned(), seen.origin().to_owned());
        return Err(ReadError::Proof(ProofError::OriginMismatch { older, newer }));
    }
    let kind = match known.size().cmp(&seen.size()) {
        Ordering::Equal if known.root() == seen.root() => return Ok(Relation::Same),
        Ordering::Equal => ForkKind::SameSize,
        order => {
            let (older, newer) =
                if order == Ordering::Less { (known, seen) } else { (seen, known) };
            let growth = reader.prove_consistency(older.size(), newer).await?;
            if growth.root == older.root() {
                older.is_extended_by(newer, &growth.proof).map_err(ReadError::Proof)?;
                return Ok(Relation::Consistent(growth));
            }
            ForkKind::OtherBeginning(growth)
        }
    };
    Ok(Relation::Forked(ForkEvidence::new(known, seen, kind)))
}

fn note(checkpoint: &Checkpoint) -> String {
    // Notes are UTF-8, or they are none.
    String::from_utf8_lossy(checkpoint.note()).into_owned()
}

impl ForkEvidence {
    pub(crate) fn new(first: &Checkpoint, second: &Checkpoint, kind: ForkKind) -> Self {
        Self { first: note(first), second: note(second), kind }
    }

    /// Checks the evidence against the log's keys: both notes are signed, and they contradict each other.
    ///
    /// # Errors
    /// What it lacks.
    pub fn check(&self, trust: &crate::LogTrust) -> Result<(), ReadError> {
        let verify = |note: &str| trust.verify(note.as_bytes()).map_err(ReadError::Checkpoint);
        let (first, second) = (verify(&self.first)?, verify(&self.second)?);
        let (older, newer) =
            if first.size() <= second.size() { (&first, &second) } else { (&second, &first) };
        let (size, root) = (older.size(), older.root());
        let contradicts = |other: Sha256Digest| other != root && first.origin() == second.origin();
        let proven = match &self.kind {
            ForkKind::SameSize => size == newer.size() && contradicts(newer.root()),
            ForkKind::OtherBeginning(growth) => {
                let (old, new) = ((size, growth.root), (newer.size(), newer.root()));
                growth.proof.check(old, new).map_err(ReadError::Proof)?;
                contradicts(growth.root)
            }
        };
        if proven { Ok(()) } else { Err(ReadError::NoContradiction) }
    }
}
