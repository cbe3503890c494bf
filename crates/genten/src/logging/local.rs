//! The home's own log.

use std::collections::{HashMap, HashSet};

use genten_jws::CheckpointKey;
use genten_primitives::encoding::hex;
use genten_primitives::{Sha256Digest, Timestamp};
use genten_rekor::LogTrust;
use genten_store::log::{CheckpointSigner, EmbeddedLog, LogError as FolderError, LogWriter};
use genten_store::{Durability, Home, Journal, Submission, SubmissionId};
use genten_tlog::merkle::leaf_hash;
use genten_tlog::rekor::write_entry;
use genten_tlog::{LeafIndex, NoteKey, TreeSize};

use super::memory::Memory;
use super::put_off::put_off;
use super::sending::Tally;
use super::{LogError, LogTarget};
use crate::KeyRing;
use crate::builder::Clock;

/// Entries that are written in one step.
const STEP: u32 = 4096;

/// The home's own log, made where there never was one: the folder `log/`, signed by the key `keys/log.key`. Its origin is made
/// from the key, so that no two homes have the same.
///
/// # Errors
/// The key or the folder cannot be read or made, or the folder is there and the key is not; the journal cannot be read, or knows of a log of this key although the folder
/// is empty.
pub fn home_log(home: &Home) -> Result<EmbeddedLog, LogError> {
    expect_key(home)?;
    let signer = HomeSigner::new(KeyRing::of(home).checkpoint_key()?);
    // Where there are tiles, it is the checkpoint that was lost, and the folder says so.
    if !["checkpoint", "tile"].iter().any(|name| home.log().join(name).exists()) {
        expect_no_past(home, signer.name.name())?;
    }
    EmbeddedLog::open_or_create(home.log(), Box::new(signer)).map_err(LogError::Folder)
}

/// The key of a log that is there is not made anew: it would be the key of another log.
fn expect_key(home: &Home) -> Result<(), LogError> {
    let path = KeyRing::of(home).checkpoint_key_path();
    let is_begun = ["checkpoint", "tile"].iter().any(|name| home.log().join(name).exists());
    match is_begun && path.try_exists().is_ok_and(|is_there| !is_there) {
        true => Err(LogError::OwnKeyMissing { path }),
        false => Ok(()),
    }
}

/// What was signed once must be continued: a key that begins anew contradicts itself.
fn expect_no_past(home: &Home, origin: &str) -> Result<(), LogError> {
    let journal = home.journal(Durability::Normal)?;
    match journal.outbox().head(origin)? {
        Some(head) => {
            let size = |size| TreeSize::new(size).expect("the schema has sizes only");
            let (path, known, found) = (home.log(), size(head.size), size(0));
            Err(LogError::Folder(FolderError::RolledBack { path, known, found }))
        }
        None => Ok(()),
    }
}

/// Who signs the home's own log.
pub(super) fn home_trust(log: &EmbeddedLog) -> LogTrust {
    LogTrust::of_keys(&[log.folder().key().clone()])
        .expect("one key under its own name is a log's identity")
}

struct HomeSigner {
    key: CheckpointKey,
    name: NoteKey,
}

impl HomeSigner {
    fn new(key: CheckpointKey) -> Self {
        let public = key.key().public_key();
        let digest = Sha256Digest::of(public.to_spki_der());
        let origin = format!("genten.local/{}", hex(&digest.as_bytes()[..8]));
        let name = NoteKey::ed25519(&origin, public).expect("an Ed25519 key and a name of letters");
        Self { key, name }
    }
}

impl CheckpointSigner for HomeSigner {
    fn key(&self) -> &NoteKey {
        &self.name
    }

    fn sign(&self, text: &str) -> Vec<u8> {
        self.key.sign(text).as_bytes().to_vec()
    }
}

/// Writes everything that is due into the home's log.
pub(super) fn send(home: &Home, journal: &Journal, clock: &Clock) -> Result<Tally, LogError> {
    let name = LogTarget::Home.name();
    let outbox = journal.outbox();
    let mut tally = Tally::default();
    outbox.take_over(&name, clock())?;
    loop {
        let claimed = outbox.claim(&name, STEP, clock())?;
        if claimed.is_empty() {
            return Ok(tally);
        }
        if let Err(error) = write(home, journal, &claimed, clock()) {
            put_off(journal, &claimed, &error, clock())?;
            return Err(error);
        }
        tally.logged += claimed.len() as u64;
    }
}

/// An entry of the log, with its place.
type Entry = (LeafIndex, Vec<u8>);

fn write(
    home: &Home,
    journal: &Journal,
    claimed: &[Submission],
    now: Timestamp,
) -> Result<(), LogError> {
    let (log, outbox) = (home_log(home)?, journal.outbox());
    Memory::of_home(journal, &home_trust(&log)).expect_not_caught()?;
    let known = outbox.head(log.folder().key().name())?;
    let known = known.as_ref().map(|head| &head.note[..]);
    let mut writer = log.lock(known).map_err(LogError::Folder)?;
    let mut entries = already_there(&log, &writer, claimed)?;
    let fresh: Vec<_> = claimed.iter().filter(|one| !entries.contains_key(&one.id)).collect();
    let ids: Vec<_> = fresh.iter().map(|one| one.id).collect();
    outbox.note_since(&ids, writer.size().get())?;
    entries.extend(append(&mut writer, &fresh)?);
    let checkpoint = writer.checkpoint();
    let origin = checkpoint.origin();
    outbox.set_head(origin, checkpoint.note(), checkpoint.size().get(), now)?;
    let done: Vec<_> = entries
        .into_iter()
        .map(|(id, (index, entry))| (id, entry, format!("{origin}#{index}")))
        .collect();
    Ok(outbox.logged(done.iter().map(|(id, entry, log_id)| (*id, &entry[..], &log_id[..])), now)?)
}

fn append(
    writer: &mut LogWriter<'_>,
    fresh: &[&Submission],
) -> Result<Vec<(SubmissionId, Entry)>, LogError> {
    if fresh.is_empty() {
        return Ok(Vec::new());
    }
    let bodies: Vec<_> = fresh.iter().map(|one| &one.body[..]).collect();
    let appended = writer.append(&bodies).map_err(LogError::Folder)?;
    let entry = |(position, one): (usize, &&Submission)| {
        let index = appended.first().get() + position as u64;
        let index = LeafIndex::new(index).expect("it was appended");
        let entry = appended.log_entry(position, &one.body).expect("it was appended");
        (one.id, (index, entry))
    };
    Ok(fresh.iter().enumerate().map(entry).collect())
}

/// What was written before a crash came between the log and the journal.
fn already_there(
    log: &EmbeddedLog,
    writer: &LogWriter<'_>,
    claimed: &[Submission],
) -> Result<HashMap<SubmissionId, Entry>, LogError> {
    let sent = claimed.iter().filter(|one| one.since.is_some());
    let sent: HashMap<_, _> = sent.map(|one| (leaf_hash(&one.body), one)).collect();
    let Some(since) = sent.values().filter_map(|one| one.since).min() else {
        return Ok(HashMap::new());
    };
    let (folder, checkpoint) = (log.folder(), writer.checkpoint());
    let leaves: HashSet<_> = sent.keys().copied().collect();
    let found = folder.find(checkpoint, since, &leaves).map_err(LogError::Folder)?;
    let mut entries = HashMap::new();
    for (leaf, index) in found {
        let proof = folder.inclusion(checkpoint, index).map_err(LogError::Folder)?;
        let one = sent[&leaf];
        let entry = write_entry(folder.key(), &one.body, &proof, checkpoint);
        entries.insert(one.id, (index, entry));
    }
    Ok(entries)
}
