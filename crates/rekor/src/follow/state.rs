//! What a follower remembers of a log between two looks, in a text form that is read strictly.

use std::cmp::max;
use std::collections::BTreeSet;

use genten_primitives::json::{self, ArrayWriter, Fields, JsonError, Limits, ObjectWriter, Value};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_tlog::{Checkpoint, CheckpointError, ConsistencyProof, TreeSize};

use super::fork::{ForkEvidence, ForkKind};
use crate::{Growth, LogTrust};

/// Three notes of 1 MiB, escaped.
const MAX_STATE: usize = 8 << 20;

/// What is known of a log: the last checkpoint that was believed, how far its entries were looked at, and whether it was
/// caught. The caller keeps it, best with [`genten_store::atomic`]; there is one per log.
///
/// Text form: JSON ([`to_json`](Self::to_json)). Nothing in it is believed again before the log's signatures were checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FollowState {
    pub(super) note: Option<String>,
    /// The first entry that is looked at.
    pub(super) begin: u64,
    pub(super) next: u64,
    /// The keys that were looked for in all entries from `begin` to `next`.
    pub(super) watched: BTreeSet<Sha256Digest>,
    pub(super) first_seen: Option<Timestamp>,
    pub(super) last_seen: Option<Timestamp>,
    pub(super) grown_at: Option<Timestamp>,
    pub(super) behind_since: Option<Timestamp>,
    pub(super) fork: Option<ForkEvidence>,
}

/// Why a stored state cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The next entry lies behind the tree or before the first one, or there is one without a tree.
    #[error("next entry is {next} in a tree of {size} entries")]
    Cursor {
        /// The next entry to look at.
        next: u64,
        /// Entries of the stored checkpoint's tree.
        size: u64,
    },
    /// The stored evidence of a fork does not hold.
    #[error("stored evidence of a fork does not hold")]
    Fork,
    /// Not strict JSON.
    #[error("not strict json")]
    Json(#[from] JsonError),
    /// A member that is missing, malformed or not known.
    #[error("{member} is missing, malformed or not known")]
    Member {
        /// The member.
        member: String,
    },
    /// The stored checkpoint is none of the log's.
    #[error("stored checkpoint does not hold")]
    Note(#[source] CheckpointError),
}

impl FollowState {
    /// The state of somebody who was given a checkpoint and trusts it, and who looks at entries from `next` on.
    pub fn pinned(note: &str, next: u64) -> Self {
        Self { note: Some(note.to_owned()), begin: next, next, ..Self::default() }
    }

    /// The last checkpoint that was believed, byte for byte.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The index of the next entry to look at.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// When the log was first seen.
    pub fn first_seen(&self) -> Option<Timestamp> {
        self.first_seen
    }

    /// When the log last showed a tree that could be believed.
    pub fn last_seen(&self) -> Option<Timestamp> {
        self.last_seen
    }

    /// When the log was last seen to have grown.
    pub fn grown_at(&self) -> Option<Timestamp> {
        self.grown_at
    }

    /// Since when the log shows a smaller tree than before.
    pub fn behind_since(&self) -> Option<Timestamp> {
        self.behind_since
    }

    /// That the log was caught. It is not followed any further then.
    pub fn fork(&self) -> Option<&ForkEvidence> {
        self.fork.as_ref()
    }

    /// Checks that the log has signed what is stored, and that nothing in it contradicts that; the last checkpoint that was
    /// believed.
    ///
    /// # Errors
    /// What does not hold.
    pub fn verify(&self, trust: &LogTrust) -> Result<Option<Checkpoint>, StateError> {
        let note = self.note.as_ref().map(|note| trust.verify(note.as_bytes()));
        let stored = note.transpose().map_err(StateError::Note)?;
        let size = stored.as_ref().map_or(0, |stored| stored.size().get());
        if self.next > size || self.begin > self.next {
            return Err(StateError::Cursor { next: self.next, size });
        }
        match &self.fork {
            Some(fork) if fork.check(trust).is_err() => Err(StateError::Fork),
            _ => Ok(stored),
        }
    }

    /// The state after a look at which the log showed a tree that is believed.
    pub(super) fn saw(&mut self, checkpoint: &Checkpoint, has_grown: bool, now: Timestamp) {
        self.note = Some(String::from_utf8_lossy(checkpoint.note()).into_owned());
        self.first_seen = self.first_seen.or(Some(now));
        self.last_seen = max(self.last_seen, Some(now));
        self.behind_since = None;
        if has_grown {
            self.grown_at = max(self.grown_at, Some(now));
        }
    }
}

/// Looking for keys.
impl FollowState {
    /// Entries are looked at for these keys from now on, and for a new key those too that were looked at without it.
    pub(super) fn watch(&mut self, keys: &BTreeSet<Sha256Digest>) {
        if !keys.is_subset(&self.watched) {
            self.next = self.begin;
        }
        self.watched.clone_from(keys);
    }
}

/// Writing.
impl FollowState {
    /// The text form.
    pub fn to_json(&self) -> Vec<u8> {
        let mut watched = ArrayWriter::new();
        for key in &self.watched {
            watched.string(&key.to_string());
        }
        let mut object = ObjectWriter::new();
        object
            .string("begin", &self.begin.to_string())
            .text("behind_since", self.behind_since.as_ref())
            .text("first_seen", self.first_seen.as_ref())
            .text("grown_at", self.grown_at.as_ref())
            .text("last_seen", self.last_seen.as_ref())
            .string("next", &self.next.to_string())
            .optional("note", self.note.as_deref())
            .raw("watched", &watched.finish());
        if let Some(fork) = &self.fork {
            object.raw("fork", &write_fork(fork));
        }
        object.finish()
    }
}

fn write_fork(fork: &ForkEvidence) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("first", &fork.first)
        .string("second", &fork.second)
        .string("kind", fork.kind.as_str());
    if let ForkKind::OtherBeginning(growth) = &fork.kind {
        let mut hashes = ArrayWriter::new();
        for hash in growth.proof.hashes() {
            hashes.string(&hash.to_string());
        }
        object.string("root", &growth.root.to_string()).raw("hashes", &hashes.finish());
    }
    object.finish()
}

/// Reading.
impl FollowState {
    /// Reads the text form. The checkpoint in it is not verified yet: that happens when the log is followed.
    ///
    /// # Errors
    /// Anything but the text form of a state.
    pub fn from_json(text: &[u8]) -> Result<Self, StateError> {
        let document = json::read(text, Limits::bytes(MAX_STATE))?;
        let mut fields = Fields::of(document.root()).ok_or_else(|| member("state"))?;
        let state = Self {
            begin: parsed::<TreeSize>(fields.take("begin"), "begin")?.get(),
            behind_since: time(&mut fields, "behind_since")?,
            first_seen: time(&mut fields, "first_seen")?,
            fork: fields.take("fork").map(read_fork).transpose()?,
            grown_at: time(&mut fields, "grown_at")?,
            last_seen: time(&mut fields, "last_seen")?,
            next: parsed::<TreeSize>(fields.take("next"), "next")?.get(),
            note: fields.take("note").map(|note| text_of(Some(note), "note")).transpose()?,
            watched: read_hashes(fields.take("watched"), "watched")?,
        };
        expect_no_more(fields)?;
        Ok(state)
    }
}

fn read_fork(fork: Value<'_>) -> Result<ForkEvidence, StateError> {
    let mut fields = Fields::of(fork).ok_or_else(|| member("fork"))?;
    let first = text_of(fields.take("first"), "first")?;
    let hashes = fields.take("hashes");
    let kind = text_of(fields.take("kind"), "kind")?;
    let root = fields.take("root");
    let second = text_of(fields.take("second"), "second")?;
    expect_no_more(fields)?;
    let kind = match (kind.as_str(), hashes, root) {
        ("same-size", None, None) => ForkKind::SameSize,
        ("other-beginning", Some(hashes), Some(root)) => ForkKind::OtherBeginning(Growth {
            root: parsed(Some(root), "root")?,
            proof: read_proof(hashes)?,
        }),
        _ => return Err(member("kind")),
    };
    Ok(ForkEvidence { first, second, kind })
}

fn read_proof(hashes: Value<'_>) -> Result<ConsistencyProof, StateError> {
    let hashes: Vec<Sha256Digest> = read_hashes(Some(hashes), "hashes")?;
    ConsistencyProof::new(hashes).map_err(|_| member("hashes"))
}

fn read_hashes<C: FromIterator<Sha256Digest>>(
    hashes: Option<Value<'_>>,
    name: &str,
) -> Result<C, StateError> {
    let items = hashes.and_then(|hashes| hashes.items()).ok_or_else(|| member(name))?;
    items.map(|hash| parsed(Some(hash), name)).collect()
}

fn time(fields: &mut Fields<'_>, name: &'static str) -> Result<Option<Timestamp>, StateError> {
    fields.take(name).map(|value| parsed(Some(value), name)).transpose()
}

fn parsed<T: std::str::FromStr>(value: Option<Value<'_>>, name: &str) -> Result<T, StateError> {
    text_of(value, name)?.parse().map_err(|_| member(name))
}

fn text_of(value: Option<Value<'_>>, name: &str) -> Result<String, StateError> {
    let text = value.and_then(Value::as_str).ok_or_else(|| member(name))?;
    Ok(text.into_owned())
}

fn expect_no_more(fields: Fields<'_>) -> Result<(), StateError> {
    match fields.finish().first() {
        Some((name, _)) => Err(member(name)),
        None => Ok(()),
    }
}

fn member(name: &str) -> StateError {
    StateError::Member { member: name.to_owned() }
}
