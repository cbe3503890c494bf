//! A small log with keys of the tests: it signs whatever a test wants it to hold. `crates/interop` uses it too, so that it stands
//! by itself.

use genten_jws::{Algorithm, LocalSigner, SecretKey, Signature, Signer as _};
use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use genten_tlog::note::signature_line;
use genten_tlog::rekor::HashedRekord;
use genten_tlog::{InclusionProof, LeafIndex, NoteKey, cosignature, merkle};
use serde_json::{Value, json};

/// Its host, which is its name and the origin of its checkpoints.
pub(crate) const HOST: &str = "log.example";

/// What its bundles are about.
pub(crate) const ARTIFACT: &[u8] = b"an artifact\n";

/// How a bundle is made; a test changes one thing.
pub(crate) struct Recipe {
    /// The leaf in the tree, which the bundle carries as the entry's body.
    pub(crate) body: Vec<u8>,
    /// The first line of the checkpoint.
    pub(crate) origin: String,
    /// The name in the log's signature line.
    pub(crate) name: String,
    /// Further signature lines.
    pub(crate) cosign: fn(&str) -> Vec<String>,
}

impl Recipe {
    /// A good bundle.
    pub(crate) fn good() -> Self {
        Self {
            body: rekord().to_body(),
            origin: HOST.to_owned(),
            name: HOST.to_owned(),
            cosign: |_| Vec::new(),
        }
    }

    pub(crate) fn bundle(&self) -> Value {
        let leaves = [merkle::leaf_hash(b"before"), merkle::leaf_hash(&self.body)];
        let proof = InclusionProof::from_leaves(LeafIndex::new(1).unwrap(), &leaves).unwrap();
        let root = base64(merkle::root(&leaves).as_bytes());
        let text = format!("{}\n2\n{root}\n", self.origin);
        let line = signature_line(&log_key(&self.name), &sign(&secret(), text.as_bytes()));
        let checkpoint = format!("{text}\n{line}{}", (self.cosign)(&text).concat());
        let hashes: Vec<_> = proof.hashes().iter().map(|hash| base64(hash.as_bytes())).collect();
        let rekord = rekord();
        json!({
            "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
            "verificationMaterial": {"publicKey": {"hint": "key"}, "tlogEntries": [{
                "logIndex": "1",
                "logId": {"keyId": base64(log_key(HOST).full_id().as_bytes())},
                "kindVersion": {"kind": "hashedrekord", "version": "0.0.2"},
                "inclusionProof": {"logIndex": "1", "rootHash": root, "treeSize": "2", "hashes": hashes,
                    "checkpoint": {"envelope": checkpoint}},
                "canonicalizedBody": base64(&self.body),
            }]},
            "messageSignature": {
                "messageDigest": {"algorithm": "SHA2_256", "digest": base64(&rekord.digest)},
                "signature": base64(&rekord.signature),
            },
        })
    }
}

/// The Ed25519 key of this name.
pub(crate) fn ed25519(name: &str) -> LocalSigner {
    key(Algorithm::EdDsa, name)
}

fn key(algorithm: Algorithm, name: &str) -> LocalSigner {
    let seed = Sha256Digest::of(format!("genten test key {algorithm} {name}").as_bytes());
    LocalSigner::did_key(SecretKey::from_bytes(algorithm, seed.as_bytes()).unwrap())
}

pub(crate) fn sign(key: &LocalSigner, message: &[u8]) -> [u8; 64] {
    *key.sign(message).unwrap().as_bytes()
}

pub(crate) fn secret() -> LocalSigner {
    ed25519("small log")
}

/// Whose signature the bundles hold.
pub(crate) fn signer() -> LocalSigner {
    key(Algorithm::Es256, "bundle signer")
}

/// The log's key under a name.
pub(crate) fn log_key(name: &str) -> NoteKey {
    NoteKey::ed25519(name, secret().public_key()).unwrap()
}

/// What the log keeps of the artifact's signature.
pub(crate) fn rekord() -> HashedRekord {
    let signature = Signature::from_bytes(sign(&signer(), ARTIFACT)).to_der().unwrap();
    let digest = Sha256Digest::of(ARTIFACT);
    HashedRekord::new(digest.as_bytes(), &signature, signer().public_key()).unwrap()
}

/// A log as a trusted root names it.
pub(crate) fn tlog(host: &str, key: &LocalSigner) -> Value {
    let id = NoteKey::ed25519(host, key.public_key()).unwrap().full_id();
    json!({
        "baseUrl": format!("https://{host}"),
        "hashAlgorithm": "SHA2_256",
        "publicKey": {
            "rawBytes": base64(key.public_key().to_spki_der()),
            "keyDetails": "PKIX_ED25519",
            "validFor": {"start": "2026-01-01T00:00:00Z"},
        },
        "logId": {"keyId": base64(id.as_bytes())},
    })
}

/// The small log, as a trusted root names it.
pub(crate) fn small() -> Value {
    tlog(HOST, &secret())
}

/// A trusted root of these logs and of nothing else.
pub(crate) fn root(tlogs: Value) -> Value {
    let media_type = "application/vnd.dev.sigstore.trustedroot+json;version=0.1";
    json!({"mediaType": media_type, "tlogs": tlogs})
}

/// The key of a witness.
pub(crate) fn witness(name: &str) -> NoteKey {
    NoteKey::cosignature(name, ed25519(name).public_key()).unwrap()
}

/// The line of a witness over the text of a checkpoint.
pub(crate) fn cosign(name: &str, text: &str) -> String {
    let seconds = 1_796_000_000;
    let signature = sign(&ed25519(name), &cosignature::message(seconds, text));
    signature_line(&witness(name), &cosignature::blob(seconds, &signature))
}
