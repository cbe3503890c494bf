//! Transparency logs for Genten: Merkle trees and their proofs, signed notes, checkpoints, witnesses and their policies,
//! tiles, and proof files.
//!
//! Everything is an argument: bytes of logs and keys of trust come in, facts come out. Nothing here fetches, waits or looks
//! at a clock; what is still missing is named, so that the caller can get it. A fact is a type with private fields: only a
//! note with the signature of a known log becomes a [`Checkpoint`], only a checkpoint says what its log holds, and
//! only tiles that hash up to its root can be read.
//!
//! The formats are RFC 6962, the C2SP specifications `signed-note`, `tlog-checkpoint`, `tlog-cosignature`, `tlog-policy`,
//! `tlog-tiles` and `tlog-proof`, the entries of Rekor (versions 1 and 2), and Genten's batches. One spelling of each value is
//! accepted; notes, checkpoints, proof files and entries of version 2 print back to the same bytes.

pub mod batch;
pub mod checkpoint;
pub mod cosignature;
mod decimal;
pub mod merkle;
pub mod note;
pub mod policy;
pub mod proof_file;
pub mod rekor;
pub mod tile;

pub use checkpoint::{
    Checkpoint, CheckpointError, Fork, Inclusion, LogIdentity, LogIdentityError, TreeHead,
    UnverifiedCheckpoint,
};
pub use cosignature::Cosignature;
pub use merkle::{ConsistencyProof, InclusionProof, LeafIndex, ProofError, Subtree, TreeSize};
pub use note::{Note, NoteError, NoteKey, NoteKeyError, NoteKeyKind};
pub use policy::{PolicyError, PolicyFault, QuorumResult, WitnessPolicy};
pub use proof_file::{TlogProof, TlogProofError};
pub use tile::{AuthenticatedTiles, BundleId, EntryBundle, TileError, TileId, TilePathError};
