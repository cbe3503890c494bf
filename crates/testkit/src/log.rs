//! A transparency log in memory: Rekor v2 entries with proofs under signed checkpoints, and those of version 1.
//!
//! A checkpoint can be spoilt before it is signed, and any bytes can be a leaf, so that nothing but the one fault speaks
//! against an entry. What is not signed can be changed in the JSON afterwards.

mod tiles;
mod tree;
mod trust;

use genten_jws::Algorithm;
use genten_primitives::Sha256Digest;
use genten_primitives::encoding::{base64, hex};
use genten_tlog::checkpoint::checkpoint_text;
use genten_tlog::merkle::leaf_hash;
use genten_tlog::note::signature_line;
use genten_tlog::{InclusionProof, LeafIndex, NoteKey, ProofError, TreeSize};
use serde_json::{Value, json};

use self::tree::Tree;
pub(crate) use self::trust::window;
pub use self::trust::{signing_config, signing_service, trusted_root};
use crate::SeedKey;
use crate::witness::Witness;

/// A log with its key and its leaves.
#[derive(Clone, Debug)]
pub struct TestLog {
    origin: String,
    key: SeedKey,
    note_key: NoteKey,
    leaves: Vec<Vec<u8>>,
    tree: Tree,
}

/// A change to a checkpoint before it is signed, or to a list of hashes.
pub type Spoil<'s, T> = &'s dyn Fn(&mut T);

/// How an entry is handed out.
#[derive(Clone, Copy, Default)]
pub struct Handing<'s> {
    /// Who cosigns the checkpoint, and at which second since 1970 that is said to be.
    pub witnesses: &'s [(&'s Witness, u64)],
    /// What happens to the checkpoint's text before anybody signs it.
    pub text: Option<Spoil<'s, String>>,
    /// Whoever signs in place of the log.
    pub signer: Option<&'s SeedKey>,
    /// The size of the tree whose checkpoint proves the entry; absent: all leaves.
    pub size: Option<usize>,
}

impl TestLog {
    /// A log of this origin with an Ed25519 key made from it, which holds a few entries of others.
    pub fn new(origin: &str) -> Self {
        Self::with_key(origin, SeedKey::ed25519(&format!("log {origin}")))
    }

    /// The same with this key.
    ///
    /// # Panics
    /// On an origin that no note can bear.
    pub fn with_key(origin: &str, key: SeedKey) -> Self {
        let mut log = Self::empty_with_key(origin, key);
        for number in 0..5 {
            log.append(format!("entry {number} of others"));
        }
        log
    }

    /// The same with the key of [`new`](Self::new), and without entries.
    pub fn empty(origin: &str) -> Self {
        Self::empty_with_key(origin, SeedKey::ed25519(&format!("log {origin}")))
    }

    fn empty_with_key(origin: &str, key: SeedKey) -> Self {
        let note_key = NoteKey::for_log(origin, key.public()).expect("the origin fits a note");
        let (leaves, tree) = (Vec::new(), Tree::default());
        Self { origin: origin.to_owned(), key, note_key, leaves, tree }
    }

    /// The same log as it was when it had so many leaves.
    ///
    /// # Panics
    /// On a size beyond the log's.
    pub fn truncated(&self, size: usize) -> Self {
        let tree = Tree::of(self.tree.leaves()[..size].iter().copied());
        Self { leaves: self.leaves[..size].to_vec(), tree, ..self.clone() }
    }

    /// Another log under the same origin and key, which differs in this one leaf.
    ///
    /// # Panics
    /// On an index beyond the log.
    pub fn with_leaf(&self, index: usize, leaf: impl Into<Vec<u8>>) -> Self {
        let mut leaves = self.leaves.clone();
        leaves[index] = leaf.into();
        let tree = Tree::of(leaves.iter().map(|leaf| leaf_hash(leaf)));
        Self { leaves, tree, ..self.clone() }
    }

    /// The key as verifiers know it.
    pub fn note_key(&self) -> &NoteKey {
        &self.note_key
    }

    /// The origin.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// How many entries it holds.
    pub fn len(&self) -> usize {
        self.leaves.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    /// Takes any bytes as the next leaf; their index.
    pub fn append(&mut self, leaf: impl Into<Vec<u8>>) -> usize {
        let leaf = leaf.into();
        self.tree.push(leaf_hash(&leaf));
        self.leaves.push(leaf);
        self.leaves.len() - 1
    }

    /// The leaf of this index.
    pub fn leaf(&self, index: usize) -> Option<&[u8]> {
        self.leaves.get(index).map(Vec::as_slice)
    }

    /// All places where these bytes are a leaf.
    pub fn indices_of(&self, leaf: &[u8]) -> Vec<usize> {
        let hash = leaf_hash(leaf);
        let leaves = self.tree.leaves().iter().enumerate();
        leaves.filter(|(_, other)| **other == hash).map(|(index, _)| index).collect()
    }

    /// Takes a body, followed by an entry of somebody else, and hands it out as Rekor v2 does.
    pub fn log(&mut self, body: &[u8], handing: &Handing<'_>) -> Value {
        let index = self.append(body);
        self.append(format!("entry {} of others", index + 1));
        self.entry(index, handing)
    }

    /// The entry of this index as `TransparencyLogEntry` of kind `hashedrekord` 0.0.2.
    ///
    /// # Panics
    /// On an index beyond the tree.
    pub fn entry(&self, index: usize, handing: &Handing<'_>) -> Value {
        let size = handing.size.unwrap_or(self.leaves.len());
        self.entry_under(index, size, &self.checkpoint(handing))
    }

    /// The same with the proof for this size, under a checkpoint that was signed before.
    pub(crate) fn entry_under(&self, index: usize, size: usize, checkpoint: &str) -> Value {
        let proof = self.proof(index, size).expect("the leaf is there");
        let path: Vec<_> = proof.hashes().iter().map(|hash| base64(hash.as_bytes())).collect();
        json!({
            "logIndex": index.to_string(),
            "logId": {"keyId": base64(self.note_key.full_id().as_bytes())},
            "kindVersion": {"kind": "hashedrekord", "version": "0.0.2"},
            "integratedTime": "0",
            "inclusionPromise": null,
            "inclusionProof": {
                "logIndex": index.to_string(),
                "rootHash": base64(self.tree.root(0..size).as_bytes()),
                "treeSize": size.to_string(),
                "hashes": path,
                "checkpoint": {"envelope": checkpoint},
            },
            "canonicalizedBody": base64(&self.leaves[index]),
        })
    }

    fn proof(&self, index: usize, size: usize) -> Result<InclusionProof, ProofError> {
        InclusionProof::produce(position(index), tree_size(size), |range| {
            Ok(self.tree.root(range.start as usize..range.end as usize))
        })
    }

    /// The same for an entry of Rekor v1, with the log's promise (SET) of this second, as kind and version say.
    pub fn entry_v1(&self, index: usize, kind: (&str, &str), seconds: u64) -> Value {
        let mut entry = self.entry(index, &Handing::default());
        entry["kindVersion"] = json!({"kind": kind.0, "version": kind.1});
        entry["integratedTime"] = seconds.to_string().into();
        let promised = json!({
            "body": base64(&self.leaves[index]),
            "integratedTime": seconds,
            "logID": hex(self.note_key.full_id().as_bytes()),
            "logIndex": index,
        });
        let promise = self.key.sign_der(promised.to_string().as_bytes());
        entry["inclusionPromise"] = json!({"signedEntryTimestamp": base64(&promise)});
        entry
    }

    /// The signed checkpoint.
    pub fn checkpoint(&self, handing: &Handing<'_>) -> String {
        let size = handing.size.unwrap_or(self.leaves.len());
        let mut text = checkpoint_text(&self.origin, tree_size(size), self.tree.root(0..size));
        if let Some(spoil) = handing.text {
            spoil(&mut text);
        }
        let signature = handing.signer.unwrap_or(&self.key).sign_der(text.as_bytes());
        let mut note = format!("{text}\n{}", signature_line(&self.note_key, &signature));
        for (witness, seconds) in handing.witnesses {
            note.push_str(&witness.cosign(&text, *seconds));
        }
        note
    }

    /// The root over all leaves.
    pub fn root(&self) -> Sha256Digest {
        self.tree.root(0..self.leaves.len())
    }

    /// The number of leaves as a tree size.
    pub fn size(&self) -> TreeSize {
        tree_size(self.leaves.len())
    }

    /// The log as it stands in a Sigstore trusted root, its key in use from `start` on, until `end` if there is one.
    pub fn in_trusted_root(&self, start: &str, end: Option<&str>) -> Value {
        let details = match self.key.algorithm() {
            Algorithm::Es256 => "PKIX_ECDSA_P256_SHA_256",
            Algorithm::EdDsa => "PKIX_ED25519",
        };
        json!({
            "baseUrl": format!("https://{}", self.origin),
            "hashAlgorithm": "SHA2_256",
            "publicKey": {
                "rawBytes": base64(self.key.public().to_spki_der()),
                "keyDetails": details,
                "validFor": window(start, end),
            },
            "logId": {"keyId": base64(self.note_key.full_id().as_bytes())},
        })
    }
}

fn position(index: usize) -> LeafIndex {
    LeafIndex::new(index as u64).expect("trees in memory are small")
}

fn tree_size(leaves: usize) -> TreeSize {
    TreeSize::new(leaves as u64).expect("trees in memory are small")
}
