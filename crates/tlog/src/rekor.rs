//! Entries of Rekor logs: read, rebuilt byte for byte, and verified offline.
//!
//! An entry comes with words of its own (index, root, size, body); none of them counts before it was compared with the
//! log's signed checkpoint or with what the verifier knows. A [`LogEntry`] is such words; [`LogEntry::verify`] gives a
//! [`LoggedEntry`], which only a known log's signature and a proof that leads to it can make.
//!
//! Rekor v2 has one kind of entry, [`HashedRekord`]; its body is recomputed and compared byte for byte. Of Rekor v1 the three
//! kinds are known that Sigstore bundles hold, see [`v1`].

mod body;
mod entry;
mod error;
mod log;
mod member;
pub mod v1;
mod verify;
mod write;

pub use body::{HashedRekord, LoggedKey, MAX_BODY};
pub use entry::{EntryKind, EntryProof, LogEntry};
pub use error::{BodyError, EntryError};
pub use log::RekorLog;
pub use verify::LoggedEntry;
pub use write::write_entry;
