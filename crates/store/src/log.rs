//! A transparency log in a folder, which one writer at a time extends and everybody can read.
//!
//! ```text
//! log.vkey                     the key that signs: the log's origin is the key's name
//! checkpoint                   the signed size and root of the tree (C2SP tlog-checkpoint)
//! tile/<L>/<N>[.p/<W>]         hashes (C2SP tlog-tiles)
//! tile/entries/<N>[.p/<W>]     entries
//! .state/                      locks and files under construction; nothing that anybody needs to read or to keep
//! ```
//!
//! Any static file server makes it a public log. [`LogFolder`] reads it and believes nothing that the key has not signed;
//! [`EmbeddedLog`] writes it.
//!
//! **The checkpoint is the commit point**, and there is no other state. An append makes entries and tiles durable, then signs
//! the larger tree, then puts the checkpoint in place. Whatever lies beyond the checkpoint's size belongs to an append that
//! did not come to its end: it is ignored, and the next append writes over it. Whether the last append before a crash took
//! place is told by [`LogFolder::find`].
//!
//! A folder that was brought back from an older copy is consistent in itself, so that the log would sign a second history.
//! Keep the note of the last checkpoint somewhere else and give it to [`EmbeddedLog::lock`], which then refuses. (The same holds
//! for the moment between the checkpoint's appearance and its being durable, should the power fail just then.)
//!
//! ```
//! use genten_jws::{Algorithm, CheckpointKey, SecretKey};
//! use genten_store::log::{CheckpointSigner, EmbeddedLog, LogFolder};
//! use genten_tlog::{NoteKey, merkle::leaf_hash};
//!
//! struct Signer(CheckpointKey, NoteKey);
//!
//! impl CheckpointSigner for Signer {
//!     fn key(&self) -> &NoteKey {
//!         &self.1
//!     }
//!     fn sign(&self, text: &str) -> Vec<u8> {
//!         self.0.sign(text).as_bytes().to_vec()
//!     }
//! }
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path().join("log");
//! let key = SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32]).unwrap();
//! let name = NoteKey::ed25519("log.example/ours", key.public_key()).unwrap();
//! let signer = Signer(CheckpointKey::new(key).unwrap(), name.clone());
//! let log = EmbeddedLog::open_or_create(&folder, Box::new(signer))?;
//! let appended = log.lock(None)?.append(&["one", "two"])?;
//! let proof = appended.inclusion(1).unwrap();
//!
//! let checkpoint = LogFolder::new(&folder, name)?.checkpoint()?;
//! assert!(checkpoint.includes(leaf_hash(b"two"), &proof).is_ok());
//! # Ok::<(), genten_store::log::LogError>(())
//! ```

mod appended;
mod edge;
mod embedded;
mod error;
mod folder;
mod lock;
mod nodes;
mod walk;
mod writer;

use genten_tlog::NoteKey;

pub use appended::Appended;
pub use embedded::EmbeddedLog;
pub use error::LogError;
pub use folder::LogFolder;
pub use writer::LogWriter;

/// Whoever signs the checkpoints of a log: an Ed25519 key (kind 0x01, which witnesses take) whose name is the log's origin.
pub trait CheckpointSigner: Send + Sync {
    /// The key that checks the signatures.
    fn key(&self) -> &NoteKey;

    /// Signs the text of a checkpoint, its last line feed included. What comes back is checked before it is used.
    fn sign(&self, text: &str) -> Vec<u8>;
}

/// Folder for what nobody else reads.
const STATE: &str = ".state";

const CHECKPOINT: &str = "checkpoint";
const VERIFIER_KEY: &str = "log.vkey";
