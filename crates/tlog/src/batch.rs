//! Batches: one signed root over many manifests, so that one log entry serves all of them.
//!
//! A leaf is `genten/batch-leaf/v1`, a line feed and the 32 bytes of a `manifest_id`; hashing is that of RFC 6962. The root
//! stands in a statement, which its signer signs as an attached JWS with the payload
//! `{"created_at":…,"root":<hex>,"size":…}` (RFC 8785).

use std::ops::Range;

use genten_primitives::json::{self, Fields, JsonError, Limits, ObjectWriter, Value};
use genten_primitives::{Sha256Digest, Timestamp};

use crate::merkle::{leaf_hash, node_hash};
use crate::{InclusionProof, LeafIndex, ProofError, TreeSize};

const LEAF_PREFIX: &[u8] = b"genten/batch-leaf/v1\n";

const MAX_STATEMENT: usize = 4 << 10;

/// The hash of a manifest's leaf.
///
/// ```
/// use genten_primitives::Sha256Digest;
/// let leaf = genten_tlog::batch::leaf(Sha256Digest::of(b""));
/// assert_eq!(leaf.to_string(), "7279c87fbb3d9d7669310f01b2e4a4f1012106f9034d4053566058430f0ffbad");
/// ```
pub fn leaf(manifest_id: Sha256Digest) -> Sha256Digest {
    leaf_hash(&[LEAF_PREFIX, manifest_id.as_bytes()].concat())
}

/// What the signer of a batch states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchStatement {
    /// Root over all leaves.
    pub root: Sha256Digest,
    /// How many leaves; at least one.
    pub size: TreeSize,
    /// When the batch was made, on the signer's word.
    pub created_at: Timestamp,
}

/// Why a payload is no statement of a batch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A batch without leaves.
    #[error("batch of no leaves")]
    Empty,
    /// Not strict JSON.
    #[error("not strict JSON")]
    Json(#[source] JsonError),
    /// A member that is missing or not of its type.
    #[error("{member} is missing or malformed")]
    Member {
        /// The member.
        member: &'static str,
    },
    /// Another spelling than that of RFC 8785, or members that statements do not have.
    #[error("payload is not in canonical form")]
    NotCanonical,
}

impl BatchStatement {
    /// Reads the payload of a statement: its one spelling.
    ///
    /// # Errors
    /// Anything else.
    pub fn read(payload: &[u8]) -> Result<Self, BatchError> {
        let document =
            json::read(payload, Limits::bytes(MAX_STATEMENT)).map_err(BatchError::Json)?;
        let mut fields = Fields::of(document.root()).ok_or(BatchError::NotCanonical)?;
        let created_at = text(fields.take("created_at"), "created_at")?;
        let root = text(fields.take("root"), "root")?;
        let size =
            fields.take("size").and_then(Value::as_i64).and_then(|size| size.try_into().ok());
        let size = size.and_then(|size| TreeSize::new(size).ok());
        let statement =
            Self { root, size: size.ok_or(BatchError::Member { member: "size" })?, created_at };
        match statement.to_payload() == payload {
            true if statement.size.get() == 0 => Err(BatchError::Empty),
            true => Ok(statement),
            false => Err(BatchError::NotCanonical),
        }
    }

    /// The payload (RFC 8785).
    pub fn to_payload(&self) -> Vec<u8> {
        ObjectWriter::new()
            .string("created_at", &self.created_at.to_string())
            .string("root", &self.root.to_string())
            .integer("size", i64::try_from(self.size.get()).unwrap_or(i64::MAX))
            .finish()
    }

    /// That the manifest is leaf `index` of the batch.
    ///
    /// # Errors
    /// An index beyond the size, a proof of another length, one that leads to another root.
    pub fn check(
        &self,
        manifest_id: Sha256Digest,
        proof: &InclusionProof,
    ) -> Result<(), ProofError> {
        proof.check(leaf(manifest_id), self.size, self.root)
    }
}

fn text<T: std::str::FromStr>(
    value: Option<Value<'_>>,
    member: &'static str,
) -> Result<T, BatchError> {
    let text = value.and_then(Value::as_str);
    text.and_then(|text| text.parse().ok()).ok_or(BatchError::Member { member })
}

/// A batch to be signed: the roots of all its perfect subtrees, the leaves first.
#[derive(Clone, Debug)]
pub struct Batch {
    levels: Vec<Vec<Sha256Digest>>,
}

impl Batch {
    /// A batch of these manifests, in this order.
    pub fn new(manifest_ids: impl IntoIterator<Item = Sha256Digest>) -> Self {
        let mut levels: Vec<Vec<_>> = vec![manifest_ids.into_iter().map(leaf).collect()];
        while levels[levels.len() - 1].len() > 1 {
            let pairs = levels[levels.len() - 1].chunks_exact(2);
            let above = pairs.map(|pair| node_hash(&pair[0], &pair[1])).collect();
            levels.push(above);
        }
        Self { levels }
    }

    /// The statement for its signer; `None` for a batch without leaves.
    pub fn statement(&self, created_at: Timestamp) -> Option<BatchStatement> {
        let leaves = self.levels[0].len() as u64;
        let size = TreeSize::new(leaves).ok().filter(|size| size.get() > 0)?;
        Some(BatchStatement { root: self.root_of(0..leaves), size, created_at })
    }

    /// The proof of one leaf, counted from 0.
    ///
    /// # Errors
    /// An index beyond the last leaf.
    ///
    /// ```
    /// use genten_primitives::Sha256Digest;
    /// use genten_tlog::batch::Batch;
    /// let ids = [b"a", b"b", b"c"].map(|text| Sha256Digest::of(text));
    /// let batch = Batch::new(ids);
    /// let statement = batch.statement("2026-11-30T08:15:00Z".parse().unwrap()).unwrap();
    /// assert_eq!(statement.check(ids[2], &batch.prove(2).unwrap()), Ok(()));
    /// assert!(statement.check(ids[1], &batch.prove(2).unwrap()).is_err());
    /// ```
    pub fn prove(&self, index: u64) -> Result<InclusionProof, ProofError> {
        let number = "no memory holds 2^63 leaves";
        let size = TreeSize::new(self.levels[0].len() as u64).expect(number);
        // Beyond every tree as well as beyond this one.
        let index = LeafIndex::new(index.min(i64::MAX as u64)).expect("at most 2^63 - 1");
        InclusionProof::produce(index, size, |range| Ok(self.root_of(range)))
    }

    /// The root over some leaves, which is at hand where they fill a perfect subtree.
    fn root_of(&self, range: Range<u64>) -> Sha256Digest {
        let leaves = range.end - range.start;
        if leaves.is_power_of_two() && range.start.is_multiple_of(leaves) {
            return self.levels[leaves.trailing_zeros() as usize][(range.start / leaves) as usize];
        }
        let middle = range.start + (1 << (leaves - 1).ilog2());
        node_hash(&self.root_of(range.start..middle), &self.root_of(middle..range.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merkle::root;

    fn ids(count: u64) -> Vec<Sha256Digest> {
        (0..count).map(|number| Sha256Digest::of(&number.to_be_bytes())).collect()
    }

    fn time() -> Timestamp {
        "2026-11-30T08:15:00Z".parse().unwrap()
    }

    #[test]
    fn every_leaf_of_every_size_is_proven_and_no_other() {
        for size in 1..=70 {
            let ids = ids(size);
            let batch = Batch::new(ids.iter().copied());
            let statement = batch.statement(time()).unwrap();
            let leaves: Vec<_> = ids.iter().map(|id| leaf(*id)).collect();
            assert_eq!(statement.root, root(&leaves), "{size}");
            for (index, id) in ids.iter().enumerate() {
                let proof = batch.prove(index as u64).unwrap();
                assert_eq!(statement.check(*id, &proof), Ok(()), "{index} of {size}");
                let other = Sha256Digest::of(b"other");
                assert!(statement.check(other, &proof).is_err(), "{index} of {size}");
            }
            assert!(batch.prove(size).is_err());
        }
    }

    #[test]
    fn a_batch_of_one_needs_no_hashes_and_of_none_has_no_statement() {
        let batch = Batch::new(ids(1));
        assert_eq!(batch.prove(0).unwrap().hashes(), []);
        assert_eq!(batch.statement(time()).unwrap().root, leaf(ids(1)[0]));
        assert_eq!(Batch::new([]).statement(time()), None);
    }

    /// A node of the tree offered as a manifest, and a tree with its last leaf doubled.
    #[test]
    fn nodes_are_no_leaves_and_the_last_leaf_is_not_doubled() {
        let three = ids(3);
        let statement = Batch::new(three.iter().copied()).statement(time()).unwrap();
        let doubled = Batch::new(three.iter().chain([&three[2]]).copied());
        assert_ne!(doubled.statement(time()).unwrap().root, statement.root);
        let node = node_hash(&leaf(three[0]), &leaf(three[1]));
        let above = InclusionProof::new(LeafIndex::new(0).unwrap(), vec![leaf(three[2])]).unwrap();
        let two = BatchStatement { size: TreeSize::new(2).unwrap(), ..statement };
        assert!(two.check(node, &above).is_err(), "an interior node as a manifest");
    }

    #[test]
    fn a_statement_has_one_spelling() {
        let statement = Batch::new(ids(5)).statement(time()).unwrap();
        let payload = String::from_utf8(statement.to_payload()).unwrap();
        assert_eq!(BatchStatement::read(payload.as_bytes()), Ok(statement));
        let error = |text: String| BatchStatement::read(text.as_bytes()).unwrap_err();
        let member = |member| BatchError::Member { member };
        assert_eq!(error(payload.replace("{", "{ ")), BatchError::NotCanonical);
        assert_eq!(error(payload.replace("{", "{\"a\":1,")), BatchError::NotCanonical);
        assert_eq!(error(payload.replace(":5", ":0")), BatchError::Empty);
        assert_eq!(error(payload.replace(":5", ":-5")), member("size"));
        assert_eq!(error(payload.replace(":5", ":\"5\"")), member("size"));
        assert_eq!(error(payload.replace("Z", "")), member("created_at"));
        assert_eq!(error(payload.replace("\"root\":\"", "\"root\":\"0")), member("root"));
        assert_eq!(error("[]".to_owned()), BatchError::NotCanonical);
        assert!(matches!(error(String::new()), BatchError::Json(_)));
    }
}
