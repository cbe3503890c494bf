//! TransparencyLogEntry: what a log answers, and what bundles carry (Sigstore protobuf specification, JSON form).

use std::fmt;

use genten_primitives::Sha256Digest;
use genten_primitives::json::{self, Limits, Value};

use super::EntryError;
use super::member::{bytes, integer, only, optional, required, text};
use crate::merkle::hash_from_bytes;
use crate::{InclusionProof, LeafIndex, Note, NoteKey, TreeSize};

/// The members of an entry.
const MEMBERS: [&str; 7] = [
    "canonicalizedBody",
    "inclusionPromise",
    "inclusionProof",
    "integratedTime",
    "kindVersion",
    "logId",
    "logIndex",
];

/// Largest entry in bytes of JSON.
const MAX_ENTRY: usize = 1 << 20;

/// A kind of entry in one of its versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// `dsse` 0.0.1, Rekor v1.
    Dsse,
    /// `hashedrekord` 0.0.1, Rekor v1.
    HashedRekordV1,
    /// `hashedrekord` 0.0.2, Rekor v2.
    HashedRekordV2,
    /// `intoto` 0.0.2, Rekor v1.
    Intoto,
}

impl EntryKind {
    /// The kind with this name in this version.
    pub fn find(kind: &str, version: &str) -> Option<Self> {
        let all = [Self::Dsse, Self::HashedRekordV1, Self::HashedRekordV2, Self::Intoto];
        all.into_iter().find(|one| one.parts() == (kind, version))
    }

    /// Name and version.
    pub const fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Dsse => ("dsse", "0.0.1"),
            Self::HashedRekordV1 => ("hashedrekord", "0.0.1"),
            Self::HashedRekordV2 => ("hashedrekord", "0.0.2"),
            Self::Intoto => ("intoto", "0.0.2"),
        }
    }

    /// Whether logs of version 2 keep such entries: their index counts in one tree, and the log itself states no time.
    pub const fn is_v2(self) -> bool {
        matches!(self, Self::HashedRekordV2)
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, version) = self.parts();
        write!(f, "{kind} {version}")
    }
}

/// An entry as it was received. Nothing about it is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    pub(super) index: LeafIndex,
    pub(super) log_id: Vec<u8>,
    pub(super) kind: EntryKind,
    pub(super) integrated_time: Option<u64>,
    pub(super) promise: Option<Vec<u8>>,
    pub(super) proof: Option<EntryProof>,
    pub(super) body: Option<Vec<u8>>,
}

/// The inclusion proof of an entry, with the log's words around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryProof {
    pub(super) proof: InclusionProof,
    pub(super) root: Option<Sha256Digest>,
    pub(super) size: Option<TreeSize>,
    pub(super) checkpoint: Option<String>,
}

impl LogEntry {
    /// Reads an entry from its JSON.
    ///
    /// # Errors
    /// The first rule that the entry breaks.
    pub fn read(text: &[u8]) -> Result<Self, EntryError> {
        let document = json::read(text, Limits::bytes(MAX_ENTRY)).map_err(EntryError::Json)?;
        Self::from_value(document.root())
    }

    /// Reads an entry that stands in a document.
    ///
    /// # Errors
    /// The first rule that the entry breaks.
    pub fn from_value(value: Value<'_>) -> Result<Self, EntryError> {
        only(value, &MEMBERS)?;
        let index = leaf_index(value)?;
        let kind = required(value, "kindVersion")?;
        only(kind, &["kind", "version"])?;
        let log_id = required(value, "logId")?;
        only(log_id, &["keyId"])?;
        let (kind, version) = (text(kind, "kind")?, text(kind, "version")?);
        let kind = EntryKind::find(&kind, &version).ok_or_else(|| EntryError::KindUnsupported {
            kind: kind.into_owned(),
            version: version.into_owned(),
        })?;
        let promise = optional(value, "inclusionPromise");
        let integrated =
            optional(value, "integratedTime").map(|_| integer(value, "integratedTime"));
        let body = optional(value, "canonicalizedBody").map(|_| bytes(value, "canonicalizedBody"));
        Ok(Self {
            index,
            log_id: bytes(log_id, "keyId")?,
            kind,
            integrated_time: integrated.transpose()?.filter(|seconds| *seconds > 0),
            promise: promise.map(self::promise).transpose()?,
            proof: optional(value, "inclusionProof").map(proof).transpose()?,
            body: body.transpose()?,
        })
    }

    /// The entry's index, over all trees of the log.
    pub fn index(&self) -> LeafIndex {
        self.index
    }

    /// The id of the log, on the entry's own word.
    pub fn log_id(&self) -> &[u8] {
        &self.log_id
    }

    /// What is logged, in which form.
    pub fn kind(&self) -> EntryKind {
        self.kind
    }

    /// The body as it was received.
    pub fn body(&self) -> Option<&[u8]> {
        self.body.as_deref()
    }

    /// Whether the log promised inclusion (Rekor v1).
    pub fn has_promise(&self) -> bool {
        self.promise.is_some()
    }

    /// Whether it comes with an inclusion proof, with or without a checkpoint.
    pub fn has_proof(&self) -> bool {
        self.proof.is_some()
    }

    /// Whether a line of the checkpoint bears name and id of the key: a hint, and no more.
    pub fn seems_signed_by(&self, key: &NoteKey) -> bool {
        let note = self.checkpoint().and_then(|text| Note::parse(text.as_bytes()).ok());
        note.is_some_and(|note| note.signatures().iter().any(|line| line.is_by(key)))
    }

    /// The inclusion proof as it was received.
    pub fn inclusion_proof(&self) -> Option<&InclusionProof> {
        self.proof.as_ref().map(|proof| &proof.proof)
    }

    /// The checkpoint as it was received.
    pub fn checkpoint(&self) -> Option<&str> {
        self.proof.as_ref()?.checkpoint.as_deref()
    }
}

/// `logIndex`, which the JSON of protobuf leaves out where it is zero.
fn leaf_index(value: Value<'_>) -> Result<LeafIndex, EntryError> {
    let index = optional(value, "logIndex").map(|_| integer(value, "logIndex")).transpose()?;
    LeafIndex::new(index.unwrap_or(0)).map_err(|_| EntryError::Integer { member: "logIndex" })
}

fn promise(value: Value<'_>) -> Result<Vec<u8>, EntryError> {
    only(value, &["signedEntryTimestamp"])?;
    bytes(value, "signedEntryTimestamp")
}

fn proof(value: Value<'_>) -> Result<EntryProof, EntryError> {
    only(value, &["checkpoint", "hashes", "logIndex", "rootHash", "treeSize"])?;
    let index = leaf_index(value)?;
    let size = optional(value, "treeSize").map(|_| integer(value, "treeSize")).transpose()?;
    let size = size.map(TreeSize::new).transpose();
    let root = optional(value, "rootHash").map(|_| bytes(value, "rootHash")).transpose()?;
    let root = root.map(|root| hash_from_bytes(&root)).transpose();
    Ok(EntryProof {
        proof: InclusionProof::new(index, hashes(value)?).map_err(EntryError::ProofHashes)?,
        root: root.map_err(EntryError::ProofHashes)?,
        size: size.map_err(|_| EntryError::Integer { member: "treeSize" })?,
        checkpoint: checkpoint(value)?,
    })
}

fn hashes(proof: Value<'_>) -> Result<Vec<Sha256Digest>, EntryError> {
    let Some(list) = optional(proof, "hashes") else { return Ok(Vec::new()) };
    let items = list.items().ok_or(EntryError::Type { member: "hashes" })?;
    let hash = |item: Value<'_>| {
        let text = item.as_str().ok_or(EntryError::Type { member: "hashes" })?;
        let bytes = genten_primitives::encoding::from_base64(&text)
            .map_err(|_| EntryError::Base64 { member: "hashes" })?;
        hash_from_bytes(&bytes).map_err(EntryError::ProofHashes)
    };
    items.take(crate::merkle::MAX_PROOF + 1).map(hash).collect()
}

fn checkpoint(proof: Value<'_>) -> Result<Option<String>, EntryError> {
    let Some(value) = optional(proof, "checkpoint") else { return Ok(None) };
    only(value, &["envelope"])?;
    match optional(value, "envelope") {
        Some(_) => Ok(Some(text(value, "envelope")?.into_owned()).filter(|text| !text.is_empty())),
        None => Ok(None),
    }
}
