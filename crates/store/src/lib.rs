//! All that is durable in Genten: the journal of attested fetches, the bodies, and files that are whole or absent.
//!
//! A [`Home`] is a folder that several processes may use at the same time. What it promises:
//!
//! - A file appears complete or not at all ([`atomic`]): written beside its target, synced, renamed, folder synced. A
//!   process that is killed leaves at most a temporary file, which a later process recognises and removes.
//! - [`Bodies`] hold fetched bytes by their SHA-256; a name can only stand for its own content.
//! - The [`Journal`] holds one row per manifest. Recording the same manifest twice changes nothing.
//! - The [`Outbox`] holds what is to stand in transparency logs until it stands there, and the evidence that came back.
//! - [`Certificates`] holds the servers' certificates that logs of Certificate Transparency are still to be asked about, and the
//!   proofs that they gave.
//! - The [embedded log](log) only ever grows; what was appended is there after a power cut, and everybody can check it.
//! - Secrets do not enter the journal: it takes URLs as displayed, with the values of secret parameters masked.
//!
//! Everything is synchronous and needs no runtime. Each failure is a [`StoreError`], or for the log a
//! [`LogError`](log::LogError), that names its path and its cause.
//!
//! ```
//! use genten_store::{Durability, Filter, Home};
//! # let folder = tempfile::tempdir().unwrap();
//! let home = Home::open(folder.path().join("home"))?;
//! let digest = home.bodies().put(b"what the server sent")?;
//! assert!(home.bodies().contains(&digest));
//!
//! let journal = home.journal(Durability::Normal)?;
//! assert_eq!(journal.count(&Filter::default())?, 0);
//! # Ok::<(), genten_store::StoreError>(())
//! ```

pub mod atomic;
mod bodies;
mod certificates;
mod error;
mod home;
mod journal;
mod lock;
pub mod log;
mod outbox;
mod permissions;
mod to_place;

pub use bodies::{Bodies, BodyWriter, StoredBody};
pub use certificates::{
    Certificate, CertificateCounts, CertificateId, CertificateProof, CertificateState,
    Certificates, WantedCertificate,
};
pub use error::{Damage, StoreError};
pub use home::Home;
pub use journal::{
    BodyPlace, Durability, Entries, Entry, Filter, Journal, LogState, LogStatus, Order, Recorded,
    UrlMatch,
};
pub use lock::ProcessLock;
pub use outbox::{
    BatchMember, Difficulty, Evidence, ForgottenLog, LogCounts, LogHead, LogSubject, LostLog,
    NewBatch, Outbox, Seen, SeenUse, Submission, SubmissionId, Unplaced, Waiting, Want, Wanted,
};
