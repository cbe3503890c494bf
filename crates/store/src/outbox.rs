//! The outbox: what is to stand in transparency logs, and what has come of it.
//!
//! It lives in the journal's file, so that a manifest is recorded and queued in one step. A [`Submission`] is one entry of
//! one log; its body is kept before it is sent, so that a send whose outcome is unknown is repeated with the very same
//! bytes. A manifest either has a submission of its own or waits for a batch, whose one submission serves all of its
//! members. Nothing leaves the outbox: what a log refused stays, with the reason.
//!
//! Several processes may work on one outbox, one of them at a time on each log ([`Home::sender`](crate::Home::sender)): it
//! [takes over](Outbox::take_over) what another one was sending when it died. [`Outbox::claim`] gives a submission once.
//!
//! ```
//! use genten_store::{Durability, Home, LogSubject};
//! # let folder = tempfile::tempdir().unwrap();
//! # let home = Home::open(folder.path())?;
//! # let now = "2026-11-30T08:00:00Z".parse().unwrap();
//! let journal = home.journal(Durability::Normal)?;
//! journal.outbox().add_entry("local", LogSubject::Content, b"{}", now)?;
//! let claimed = journal.outbox().claim("local", 10, now)?;
//! assert_eq!(claimed.len(), 1);
//! # Ok::<(), genten_store::StoreError>(())
//! ```

mod batches;
mod brought;
mod followed;
mod forgetting;
mod heads;
mod placing;
mod queue;
mod sending;
mod shards;
mod status;
mod submission;

pub(crate) use batches::digest;
pub use batches::{BatchMember, NewBatch, Waiting};
pub use followed::{Seen, SeenUse};
pub use forgetting::{ForgottenLog, LostLog};
pub use heads::LogHead;
pub(crate) use placing::read_unplaced;
pub use placing::{Evidence, Unplaced};
pub(crate) use sending::{LONGEST_WAIT, later};
pub use status::LogCounts;
pub(crate) use submission::named;
pub use submission::{Difficulty, LogSubject, Submission, SubmissionId, Want, Wanted};

use crate::Journal;

/// The outbox of a journal.
#[derive(Clone, Copy, Debug)]
pub struct Outbox<'j> {
    journal: &'j Journal,
}

impl Journal {
    /// What is to stand in logs.
    pub fn outbox(&self) -> Outbox<'_> {
        Outbox { journal: self }
    }
}
