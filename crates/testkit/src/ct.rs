//! A Certificate Transparency log: promises (SCTs, RFC 6962), and proofs under checkpoints of a static log.

use genten_pki::{CtEntry, Sct, SctAlgorithm};
use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use genten_tlog::checkpoint::{checkpoint_text, tree_head_blob, tree_head_message};
use genten_tlog::merkle::{leaf_hash, root};
use genten_tlog::note::signature_line;
use genten_tlog::{InclusionProof, LeafIndex, NoteKey, TlogProof, TreeSize};
use serde_json::{Value, json};

use crate::SeedKey;
use crate::der::tlv;
use crate::log::window;

/// A log of certificates.
#[derive(Clone, Debug)]
pub struct CtTestLog {
    name: String,
    operator: String,
    key: SeedKey,
}

impl CtTestLog {
    /// The log of this name, which its key is made from, run by this operator.
    pub fn new(name: &str, operator: &str) -> Self {
        let key = SeedKey::es256(&format!("ct log {name}"));
        Self { name: name.to_owned(), operator: operator.to_owned(), key }
    }

    /// Its name, which stands as its description in lists.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of its key.
    pub fn id(&self) -> Sha256Digest {
        Sha256Digest::of(self.key.public().to_spki_der())
    }

    /// The origin of its checkpoints.
    pub fn origin(&self) -> String {
        format!("{}.ct.example/2026", self.name)
    }

    /// A promise of this millisecond since 1970.
    ///
    /// # Panics
    /// On a certificate that is too long for one.
    pub fn sct(&self, millis: u64, extensions: &[u8], entry: &CtEntry<'_>) -> Sct {
        let mut sct = Sct {
            log_id: self.id(),
            timestamp: millis,
            extensions: extensions.to_vec(),
            algorithm: SctAlgorithm::EcdsaSha256,
            signature: Vec::new(),
        };
        sct.signature = self.key.sign_der(&sct.signed_bytes(entry).expect("a short certificate"));
        sct
    }

    /// The log in an operator's entry of a list, version 3, usable since 2024.
    fn listed(&self) -> Value {
        let url = format!("https://{}/", self.origin());
        json!({
            "description": self.name, "log_id": base64(self.id().as_bytes()),
            "key": base64(self.key.public().to_spki_der()), "mmd": 60,
            "submission_url": url, "monitoring_url": url,
            "state": {"usable": {"timestamp": "2024-01-01T00:00:00Z"}},
        })
    }

    /// The log as Sigstore trusted roots hold it.
    pub fn in_trusted_root(&self, start: &str, end: Option<&str>) -> Value {
        json!({
            "baseUrl": format!("https://{}", self.origin()),
            "hashAlgorithm": "SHA2_256",
            "publicKey": {
                "rawBytes": base64(self.key.public().to_spki_der()),
                "keyDetails": "PKIX_ECDSA_P256_SHA_256",
                "validFor": window(start, end),
            },
            "logId": {"keyId": base64(self.id().as_bytes())},
        })
    }

    /// A checkpoint of a tree, by its size and root, of this millisecond; under its own key's name, whoever signs it.
    ///
    /// # Panics
    /// Never: origins fit notes.
    pub fn checkpoint(
        &self,
        (size, root): (TreeSize, Sha256Digest),
        millis: u64,
        signer: Option<&SeedKey>,
    ) -> String {
        let key = NoteKey::rfc6962(&self.origin(), self.key.public()).expect("origins fit notes");
        let message = tree_head_message(millis, size, root);
        let signature = signer.unwrap_or(&self.key).sign_der(&message);
        let blob = tree_head_blob(self.key.public().kind(), millis, &signature);
        let text = checkpoint_text(&self.origin(), size, root);
        format!("{text}\n{}", signature_line(&key, &blob.expect("a short signature")))
    }

    /// A proof file (C2SP tlog-proof) for a leaf between two others, at index 1, under a checkpoint that `signer` signs.
    ///
    /// # Panics
    /// Never: three leaves make a tree.
    pub fn proof(&self, leaf: Sha256Digest, millis: u64, signer: Option<&SeedKey>) -> Vec<u8> {
        const SMALL: &str = "three leaves make a tree";
        let leaves = [leaf_hash(b"before"), leaf, leaf_hash(b"after")];
        let (size, head) = (TreeSize::new(3).expect(SMALL), root(&leaves));
        let proof = InclusionProof::from_leaves(LeafIndex::new(1).expect(SMALL), &leaves);
        let note = self.checkpoint((size, head), millis, signer);
        let file = TlogProof::new(None, proof.expect(SMALL), note.into_bytes()).expect(SMALL);
        file.to_bytes()
    }
}

/// The extension of static logs that says which leaf a certificate will be.
pub fn leaf_index(index: u32) -> Vec<u8> {
    [&[0, 0, 5, 0][..], &index.to_be_bytes()].concat()
}

/// The bytes of a SignedCertificateTimestampList, made without the code under test.
pub fn sct_list(scts: &[Sct]) -> Vec<u8> {
    let vector = |content: &[u8]| {
        let length = u16::try_from(content.len()).expect("a few promises are short");
        [&length.to_be_bytes()[..], content].concat()
    };
    let one = |sct: &Sct| {
        let (extensions, signature) = (vector(&sct.extensions), vector(&sct.signature));
        let time = sct.timestamp.to_be_bytes();
        vector(&[&[0][..], sct.log_id.as_bytes(), &time, &extensions, &[4, 3], &signature].concat())
    };
    vector(&scts.iter().flat_map(one).collect::<Vec<_>>())
}

/// The extension of a certificate that holds such a list, as certificate specifications have it.
pub fn extension(list: &[u8]) -> (Vec<u64>, bool, Vec<u8>) {
    (vec![1, 3, 6, 1, 4, 1, 11129, 2, 4, 2], false, tlv(4, list))
}

/// A list of logs, version 3.
pub fn log_list(logs: &[&CtTestLog]) -> Value {
    let mut operators: Vec<&str> = logs.iter().map(|log| log.operator.as_str()).collect();
    operators.sort_unstable();
    operators.dedup();
    let of = |name: &str| {
        let own = logs.iter().filter(|log| log.operator == name);
        json!({"name": name, "logs": [], "tiled_logs": own.map(|log| log.listed()).collect::<Vec<_>>()})
    };
    json!({"version": "1.0", "operators": operators.into_iter().map(of).collect::<Vec<_>>()})
}
