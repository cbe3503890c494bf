//! Published files beside the repository, and keys that sign on the spot.

use std::path::{Path, PathBuf};

use ed25519_dalek::{Signer as _, SigningKey};
use genten_primitives::encoding::from_base64;
use genten_primitives::json::{self, Document, Limits, Value};
use genten_primitives::{PublicKey, Sha256Digest};
use genten_tlog::note::signature_line;
use genten_tlog::{LeafIndex, LogIdentity, NoteKey, TreeSize, cosignature, merkle};

/// A file or folder of the shared vectors; says so aloud when it is absent.
pub(crate) fn vectors(path: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(path);
    if !found.exists() {
        eprintln!("skipped: no {}", found.display());
        return None;
    }
    Some(found)
}

/// All files below `folder`, in order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

pub(crate) fn read(path: impl AsRef<Path>) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

pub(crate) fn document(bytes: &[u8]) -> Document<'_> {
    json::read(bytes, Limits::bytes(64 << 20)).unwrap()
}

pub(crate) fn text(value: Value<'_>, name: &str) -> String {
    value.get(name).unwrap().as_str().unwrap().into_owned()
}

pub(crate) fn number(value: Value<'_>, name: &str) -> u64 {
    value.get(name).unwrap().as_i64().unwrap().try_into().unwrap()
}

/// The strings of a list; nothing for `null`.
pub(crate) fn strings(value: Option<Value<'_>>) -> Vec<String> {
    let items = value.and_then(Value::items).into_iter().flatten();
    items.map(|item| item.as_str().unwrap().into_owned()).collect()
}

pub(crate) fn hex_hashes(value: Option<Value<'_>>) -> Vec<Sha256Digest> {
    strings(value).iter().map(|text| text.parse().unwrap()).collect()
}

pub(crate) fn base64_hash(text: &str) -> Option<Sha256Digest> {
    merkle::hash_from_bytes(&from_base64(text).unwrap()).ok()
}

pub(crate) fn size(leaves: u64) -> TreeSize {
    TreeSize::new(leaves).unwrap()
}

pub(crate) fn index(position: u64) -> LeafIndex {
    LeafIndex::new(position).unwrap()
}

/// Leaf hashes of the decimal texts of `0..count`.
pub(crate) fn leaves(count: u64) -> Vec<Sha256Digest> {
    (0..count).map(|leaf| merkle::leaf_hash(leaf.to_string().as_bytes())).collect()
}

/// Somebody who signs with Ed25519.
pub(crate) struct Party {
    secret: SigningKey,
    pub(crate) key: NoteKey,
}

pub(crate) fn public(seed: u8) -> PublicKey {
    let secret = SigningKey::from_bytes(&[seed; 32]);
    PublicKey::ed25519_from_bytes(secret.verifying_key().as_bytes()).unwrap()
}

impl Party {
    /// A log whose key has this name.
    pub(crate) fn log(name: &str, seed: u8) -> Self {
        let key = NoteKey::ed25519(name, &public(seed)).unwrap();
        Self { secret: SigningKey::from_bytes(&[seed; 32]), key }
    }

    /// A witness of this name.
    pub(crate) fn witness(name: &str, seed: u8) -> Self {
        let key = NoteKey::cosignature(name, &public(seed)).unwrap();
        Self { secret: SigningKey::from_bytes(&[seed; 32]), key }
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.secret.sign(message).to_bytes()
    }

    /// The line of a log over this text.
    pub(crate) fn line(&self, text: &str) -> String {
        signature_line(&self.key, &self.sign(text.as_bytes()))
    }

    /// The line of a witness over this text.
    pub(crate) fn cosign(&self, text: &str, seconds: u64) -> String {
        let signature = self.sign(&cosignature::message(seconds, text));
        signature_line(&self.key, &cosignature::blob(seconds, &signature))
    }
}

pub(crate) const ORIGIN: &str = "example.com/log";

pub(crate) fn log() -> Party {
    Party::log(ORIGIN, 1)
}

pub(crate) fn identity(parties: &[&Party]) -> LogIdentity {
    LogIdentity::new(ORIGIN, parties.iter().map(|party| party.key.clone()).collect()).unwrap()
}

/// The text of a checkpoint over these leaf hashes.
pub(crate) fn body(leaves: &[Sha256Digest]) -> String {
    let root = genten_primitives::encoding::base64(merkle::root(leaves).as_bytes());
    [ORIGIN, "\n", &leaves.len().to_string(), "\n", &root, "\n"].concat()
}

/// A note from its text and its lines.
pub(crate) fn note(text: &str, lines: &[String]) -> String {
    [text, "\n", &lines.concat()].concat()
}

/// Two keys of a log and two of a witness that share name and id: both are searched, as anybody can.
pub(crate) const COLLIDING_LOGS: [&str; 2] = [
    "example.com/log+3a95b6d3+AduCpsWn/fuJlnjjs1No9Qzycu4kfvFAAf2jSn9hns7L",
    "example.com/log+3a95b6d3+ARL94JHxxs+nwoGwWJKmRs179v1Y9aqqEaEmr9bkPMut",
];
pub(crate) const COLLIDING_WITNESSES: [&str; 2] = [
    "example.com/log+b9cb23d4+BE+Ve/aneCKlfCqIMAqKG2SSJtvcjnWrc78g4DJuggvq",
    "example.com/log+b9cb23d4+BN268ppWWOvxqrTTJ8ro6s2g03WaHs0QPZjLaoZfI83L",
];
