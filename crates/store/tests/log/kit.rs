//! Logs, keys and entries for these tests.

use std::path::Path;

use genten_jws::{Algorithm, CheckpointKey, SecretKey};
use genten_primitives::Sha256Digest;
use genten_store::log::{CheckpointSigner, EmbeddedLog, LogError, LogFolder};
use genten_tlog::merkle::leaf_hash;
use genten_tlog::{NoteKey, TreeSize};

pub(crate) const ORIGIN: &str = "log.genten.example/test";

/// The signer of a log. Another seed is another key of the same name.
pub(crate) struct Signer {
    key: CheckpointKey,
    note_key: NoteKey,
}

impl Signer {
    pub(crate) fn new(seed: u8) -> Self {
        let secret = SecretKey::from_bytes(Algorithm::EdDsa, &[seed; 32]).unwrap();
        let note_key = NoteKey::ed25519(ORIGIN, secret.public_key()).unwrap();
        Self { key: CheckpointKey::new(secret).unwrap(), note_key }
    }

    pub(crate) fn boxed(seed: u8) -> Box<dyn CheckpointSigner> {
        Box::new(Self::new(seed))
    }
}

impl CheckpointSigner for Signer {
    fn key(&self) -> &NoteKey {
        &self.note_key
    }

    fn sign(&self, text: &str) -> Vec<u8> {
        self.key.sign(text).as_bytes().to_vec()
    }
}

/// The key of [`log`].
pub(crate) fn key() -> NoteKey {
    Signer::new(1).note_key
}

/// The log in this folder, new or old.
pub(crate) fn log(folder: &Path) -> EmbeddedLog {
    EmbeddedLog::open_or_create(folder, Signer::boxed(1)).unwrap()
}

/// The same for reading.
pub(crate) fn reader(folder: &Path) -> LogFolder {
    LogFolder::new(folder, key()).unwrap()
}

/// What is logged as number `number`: no two alike, of several lengths.
pub(crate) fn entry(number: u64) -> Vec<u8> {
    let mut entry = number.to_string().into_bytes();
    entry.resize(entry.len() + usize::try_from(number % 37).unwrap(), b'.');
    entry
}

pub(crate) fn entries(numbers: std::ops::Range<u64>) -> Vec<Vec<u8>> {
    numbers.map(entry).collect()
}

/// A log whose entries are those with the numbers 0 to `size`, made at once.
pub(crate) fn log_of(folder: &Path, size: u64) -> EmbeddedLog {
    let log = log(folder);
    log.lock(None).unwrap().append(&entries(0..size)).unwrap();
    log
}

pub(crate) fn leaves(size: u64) -> Vec<Sha256Digest> {
    (0..size).map(|number| leaf_hash(&entry(number))).collect()
}

pub(crate) fn size(leaves: u64) -> TreeSize {
    TreeSize::new(leaves).unwrap()
}

/// The code of the error that it must be.
pub(crate) fn code<T>(result: Result<T, LogError>) -> &'static str {
    let error = result.err().expect("this must be refused");
    assert!(!error.hint().is_empty());
    error.code()
}

/// Reads the whole log, and finds the entries 0 to `size` in it and no others.
pub(crate) fn expect_whole(folder: &Path, size: u64) {
    let folder = reader(folder);
    let checkpoint = folder.check(&mut |_, _| {}).unwrap();
    assert_eq!(checkpoint.size().get(), size);
    assert_eq!(checkpoint.root(), genten_tlog::merkle::root(&leaves(size)));
}
