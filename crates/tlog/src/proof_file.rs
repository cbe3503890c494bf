//! Proof files (C2SP tlog-proof, `.tlog-proof`): that a log holds something, shown without asking the log.
//!
//! ```text
//! c2sp.org/tlog-proof@v1
//! extra <base64>
//! index <decimal>
//! <base64 of a hash>            0 to 63 of them, from the leaf upwards
//!
//! <checkpoint>
//! ```
//!
//! The line `extra` may be absent.

mod error;

pub use error::TlogProofError;

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::{base64, from_base64};

use crate::checkpoint::{Checkpoint, Inclusion, LogIdentity, UnverifiedCheckpoint};
use crate::merkle::{InclusionProof, LeafIndex, hash_from_bytes};
use crate::note::NoteKey;
use crate::policy::{QuorumResult, WitnessPolicy};

/// Largest file that is read, in bytes.
pub const MAX_PROOF_FILE: usize = 2 << 20;

const HEADER: &str = "c2sp.org/tlog-proof@v1";

/// A proof file whose checkpoint nobody has verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlogProof {
    extra: Option<Vec<u8>>,
    proof: InclusionProof,
    checkpoint: Vec<u8>,
}

impl TlogProof {
    /// A file of these parts. `extra` is not empty if it is there; nothing vouches for it.
    ///
    /// # Errors
    /// An empty `extra`; a checkpoint that is none; parts that together are longer than a file.
    pub fn new(
        extra: Option<Vec<u8>>,
        proof: InclusionProof,
        checkpoint: Vec<u8>,
    ) -> Result<Self, TlogProofError> {
        if extra.as_ref().is_some_and(Vec::is_empty) {
            return Err(TlogProofError::ExtraEmpty);
        }
        UnverifiedCheckpoint::parse(&checkpoint)?;
        let file = Self { extra, proof, checkpoint };
        expect_length(file.to_bytes().len())?;
        Ok(file)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The first rule of C2SP tlog-proof that the bytes break. No signature is checked.
    pub fn parse(bytes: &[u8]) -> Result<Self, TlogProofError> {
        expect_length(bytes.len())?;
        let blank = bytes.windows(2).position(|pair| pair == b"\n\n");
        let blank = blank.ok_or(TlogProofError::NoBlankLine)?;
        let head = std::str::from_utf8(&bytes[..blank]).map_err(|_| TlogProofError::Utf8)?;
        let mut lines = head.split('\n');
        if lines.next() != Some(HEADER) {
            return Err(TlogProofError::Header);
        }
        let mut line = lines.next().ok_or(TlogProofError::IndexMissing)?;
        let extra = line.strip_prefix("extra ").map(read_extra).transpose()?;
        if extra.is_some() {
            line = lines.next().ok_or(TlogProofError::IndexMissing)?;
        }
        let index = line.strip_prefix("index ").ok_or(TlogProofError::IndexMissing)?;
        let index = index.parse().map_err(|_| TlogProofError::Index)?;
        let proof = read_proof(index, lines)?;
        let checkpoint = bytes[blank + 2..].to_vec();
        UnverifiedCheckpoint::parse(&checkpoint)?;
        Ok(Self { extra, proof, checkpoint })
    }

    /// The bytes of the file: those that it was read from.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut head = [HEADER, "\n"].concat();
        if let Some(extra) = &self.extra {
            head += &["extra ", &base64(extra), "\n"].concat();
        }
        head += &["index ", &self.proof.index().to_string(), "\n"].concat();
        for hash in self.proof.hashes() {
            head += &[&base64(hash.as_bytes()), "\n"].concat();
        }
        head.push('\n');
        let mut bytes = head.into_bytes();
        bytes.extend(&self.checkpoint);
        bytes
    }

    /// What somebody has put beside the proof. Nothing vouches for it: the leaf is made from data of the application.
    pub fn extra(&self) -> Option<&[u8]> {
        self.extra.as_deref()
    }

    /// The proof of inclusion, for a checkpoint that was verified.
    pub fn proof(&self) -> &InclusionProof {
        &self.proof
    }

    /// The checkpoint, unverified: for choosing a log by its origin.
    pub fn unverified_checkpoint(&self) -> UnverifiedCheckpoint<'_> {
        UnverifiedCheckpoint::parse(&self.checkpoint).expect("was read when the file was")
    }

    /// Checks that the log has signed the checkpoint and that it holds this leaf hash. Whether the cosignatures are
    /// enough is for the caller to say.
    ///
    /// # Errors
    /// What is wrong with the checkpoint, and then with the proof.
    pub fn verify(
        &self,
        leaf: Sha256Digest,
        log: &LogIdentity,
        witnesses: &[NoteKey],
    ) -> Result<(Checkpoint, Inclusion), TlogProofError> {
        let checkpoint = self.unverified_checkpoint().verify(log, witnesses)?;
        let inclusion = checkpoint.includes(leaf, &self.proof)?;
        Ok((checkpoint, inclusion))
    }

    /// Checks that a log of the policy has signed the checkpoint, that the quorum of the policy has cosigned it, and that
    /// it holds this leaf hash.
    ///
    /// # Errors
    /// A log that the policy does not list, a quorum that is not met, and as [`verify`](Self::verify).
    pub fn verify_by_policy(
        &self,
        leaf: Sha256Digest,
        policy: &WitnessPolicy,
    ) -> Result<(Checkpoint, Inclusion, QuorumResult), TlogProofError> {
        let unverified = self.unverified_checkpoint();
        let origin = unverified.unverified_origin();
        let log = policy.log(origin);
        let log = log.ok_or_else(|| TlogProofError::UnknownLog { origin: origin.to_owned() })?;
        let checkpoint = unverified.verify(&log, &policy.witness_keys())?;
        let quorum = policy.evaluate(&checkpoint);
        if !quorum.met {
            return Err(TlogProofError::QuorumNotMet { found: quorum.witnesses.len() });
        }
        let inclusion = checkpoint.includes(leaf, &self.proof)?;
        Ok((checkpoint, inclusion, quorum))
    }
}

fn expect_length(found: usize) -> Result<(), TlogProofError> {
    match found {
        0..=MAX_PROOF_FILE => Ok(()),
        found => Err(TlogProofError::TooLong { limit: MAX_PROOF_FILE, found }),
    }
}

fn read_extra(encoded: &str) -> Result<Vec<u8>, TlogProofError> {
    match from_base64(encoded).map_err(TlogProofError::Extra)? {
        extra if extra.is_empty() => Err(TlogProofError::ExtraEmpty),
        extra => Ok(extra),
    }
}

fn read_proof<'l>(
    index: LeafIndex,
    lines: impl Iterator<Item = &'l str>,
) -> Result<InclusionProof, TlogProofError> {
    let mut hashes = Vec::new();
    for (line, encoded) in lines.enumerate() {
        let bytes = from_base64(encoded).map_err(|source| TlogProofError::Hash { line, source })?;
        hashes.push(hash_from_bytes(&bytes)?);
    }
    Ok(InclusionProof::new(index, hashes)?)
}
