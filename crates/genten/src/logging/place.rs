//! Evidence into the bundles on disk.

use std::collections::HashSet;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use genten_jws::SignedBytes;
use genten_manifest::{
    Bundle, EvidenceKind, MAX_BUNDLE_BYTES, ManifestError, Subject, UnverifiedBundle,
};
use genten_primitives::{HashAlgorithm, Sha256Digest};
use genten_store::atomic::{self, Mode};
use genten_store::{
    CertificateProof, Evidence, Home, Journal, LogSubject, StoreError, SubmissionId, Unplaced,
};
use genten_tlog::LeafIndex;
use genten_tlog::rekor::{HashedRekord, LogEntry};

use super::LogError;

/// How many bundles are completed before that is noted.
const STEP: u32 = 500;

/// What became of the bundles.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// Bundles that hold their evidence now.
    pub(super) completed: u64,
    /// Bundles that were moved, changed or removed: their evidence stays in the journal.
    pub(super) absent: u64,
    /// Bundles that would be larger than verifiers read: their evidence stays in the journal.
    pub(super) full: u64,
    /// Bundles that could not be read or written.
    pub(super) unwritten: u64,
    /// Why the first of them could not.
    pub(super) unwritten_because: Option<LogError>,
}

/// What became of one bundle.
enum Outcome {
    Absent,
    Complete,
    Full,
}

/// Completes every bundle whose evidence is there. One process at a time: two that each had read a bundle before the other
/// wrote it would undo one another's work.
pub(super) fn all(home: &Home, journal: &Journal) -> Result<Placed, LogError> {
    let _right = home.placer()?;
    let (outbox, certificates) = (journal.outbox(), journal.certificates());
    let placed = Placed::default();
    let mut placing = Placing { journal, placed, left: HashSet::new(), is_synced: None };
    placing.complete(|after| outbox.unplaced(after, STEP))?;
    placing.complete(|after| certificates.unplaced(after, STEP))?;
    placing.complete_brought()?;
    Ok(placing.placed)
}

/// One round of completing bundles.
struct Placing<'j> {
    journal: &'j Journal,
    placed: Placed,
    /// Manifests whose bundles could not be completed.
    left: HashSet<Sha256Digest>,
    /// Whether what the journal holds survives a power cut, once that was asked for.
    is_synced: Option<bool>,
}

impl Placing<'_> {
    /// Completes those that `unplaced` gives, each with all the evidence that is there for it.
    fn complete(
        &mut self,
        unplaced: impl Fn(i64) -> Result<Vec<(i64, Unplaced)>, StoreError>,
    ) -> Result<(), LogError> {
        let (outbox, certificates) = (self.journal.outbox(), self.journal.certificates());
        let mut after = 0;
        loop {
            let mut unplaced = unplaced(after)?;
            let Some((last, _)) = unplaced.last() else { return Ok(()) };
            after = *last;
            // Entries about a manifest and about its content were queued one after the other.
            unplaced.dedup_by_key(|(_, one)| one.manifest_id);
            unplaced.retain(|(_, one)| !self.left.contains(&one.manifest_id));
            let (mut done, mut proven) = (Vec::new(), Vec::new());
            for (_, one) in unplaced {
                let evidence = outbox.evidence(&one.manifest_id)?;
                let proof = certificates.proof(&one.manifest_id)?;
                let outcome = self.complete_file(&one, &evidence, proof.as_ref());
                if self.count(outcome) {
                    done.push((one.manifest_id, submissions(&evidence)));
                    proven.extend(proof.map(|_| one.manifest_id));
                } else {
                    self.left.insert(one.manifest_id);
                }
            }
            outbox.placed(&done)?;
            certificates.placed(&proven)?;
        }
    }

    /// Completes the files that a person has named. They are few.
    fn complete_brought(&mut self) -> Result<(), LogError> {
        let (outbox, certificates) = (self.journal.outbox(), self.journal.certificates());
        for (number, one) in outbox.unplaced_brought()? {
            let evidence = outbox.evidence(&one.manifest_id)?;
            let proof = certificates.proof(&one.manifest_id)?;
            let outcome = self.complete_file(&one, &evidence, proof.as_ref());
            if self.count(outcome) {
                outbox.placed_brought(number)?;
            }
        }
        Ok(())
    }

    /// Whether the bundle is complete.
    fn count(&mut self, outcome: Result<Outcome, LogError>) -> bool {
        let placed = &mut self.placed;
        match outcome {
            Ok(Outcome::Complete) => placed.completed += 1,
            Ok(Outcome::Absent) => placed.absent += 1,
            Ok(Outcome::Full) => placed.full += 1,
            Err(error) => {
                placed.unwritten += 1;
                placed.unwritten_because.get_or_insert(error);
                return false;
            }
        }
        matches!(outcome, Ok(Outcome::Complete))
    }

    /// Whether the journal has every item of the bundle too. Others may have added some.
    fn holds_items(
        &self,
        manifest_id: &Sha256Digest,
        bundle: &UnverifiedBundle,
    ) -> Result<bool, StoreError> {
        if bundle.evidence().is_empty() {
            return Ok(true);
        }
        let known = self.journal.outbox().items(manifest_id)?;
        Ok(bundle.to_bundle().evidence().iter().all(|item| known.contains(item)))
    }

    /// Adds the evidence to the file if it is the bundle of this manifest. A file that is something else, or that is not there, is
    /// left alone.
    fn complete_file(
        &mut self,
        one: &Unplaced,
        evidence: &[Evidence],
        proof: Option<&CertificateProof>,
    ) -> Result<Outcome, LogError> {
        let Some(bytes) = read(&one.bundle)? else { return Ok(Outcome::Absent) };
        let Some(bundle) = read_bundle(&bytes) else { return Ok(Outcome::Absent) };
        let signed = SignedBytes::of_manifest(bundle.manifest());
        if !signed.is_ok_and(|signed| signed.sha256() == one.manifest_id) {
            return Ok(Outcome::Absent);
        }
        let complete = match complete_bundle(&bundle, evidence, proof) {
            Ok(complete) => complete.to_json(),
            Err(error) if error.is_full() => return Ok(Outcome::Full),
            Err(error) => return Err(LogError::Evidence(error)),
        };
        match one.is_kept && self.holds_items(&one.manifest_id, &bundle)? {
            _ if complete == bytes => {}
            // Bundles are not synced one by one where the journal can give them again.
            true if self.sync()? => atomic::replace_soon(&one.bundle, &complete, Mode::Shared)?,
            _ => atomic::replace(&one.bundle, &complete, Mode::Shared)?,
        }
        Ok(Outcome::Complete)
    }

    /// Makes the journal durable, once. Whoever reads it for long can keep it from that.
    fn sync(&mut self) -> Result<bool, StoreError> {
        if let Some(is_synced) = self.is_synced {
            return Ok(is_synced);
        }
        let is_synced = match self.journal.outbox().sync() {
            Ok(()) => true,
            Err(StoreError::Busy { .. }) => false,
            Err(error) => return Err(error),
        };
        self.is_synced = Some(is_synced);
        Ok(is_synced)
    }
}

fn submissions(evidence: &[Evidence]) -> Vec<SubmissionId> {
    evidence.iter().map(|one| one.submission).collect()
}

/// The file; `None` where there is none, or something else in its place.
fn read(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    match read_file(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(source) => Err(StoreError::io(path, source)),
    }
}

/// A bundle, or a manifest as a bundle without evidence.
fn read_bundle(bytes: &[u8]) -> Option<UnverifiedBundle> {
    UnverifiedBundle::read(bytes).or_else(|_| UnverifiedBundle::of_manifest(bytes)).ok()
}

fn read_file(path: &Path) -> io::Result<Option<Vec<u8>>> {
    // Opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_BUNDLE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// The bundle with evidence that came from logs, each item once, with the place of the last entry about the manifest as
/// `transparency_log_id`, and with the proof for the server's certificate in its chain. What a log proved that was given up since
/// stays, but where the log of its name has the entry at the same place: one entry told twice is refused.
///
/// # Errors
/// The bundle would be larger than verifiers read, or hold too many items.
pub fn complete_bundle(
    bundle: &UnverifiedBundle,
    evidence: &[Evidence],
    proof: Option<&CertificateProof>,
) -> Result<Bundle, ManifestError> {
    let mut grown = bundle.to_bundle().keeping(|item| {
        !evidence.iter().any(|one| one.is_renewed && is_at_place(bundle, item, one))
    });
    for (at, one) in evidence.iter().enumerate() {
        // Two descriptions of one log prove one entry by two trees, and may do so at once.
        let is_told = evidence[..at].iter().any(|other| is_same_place(other, one));
        let is_there = is_told || (!one.is_renewed && has_place(bundle, one));
        grown = with(grown, one, is_there)?;
    }
    let pointer = evidence.iter().rev().find(|one| one.subject != LogSubject::Content);
    if let Some(id) = pointer.or(evidence.last()).and_then(|one| one.log_id.parse().ok()) {
        grown = grown.with_log_id(&id)?;
    }
    if let Some(proof) = proof {
        grown = grown.with_tlog_proof(&proof.leaf, &proof.tlog_proof)?;
    }
    // As a verifier reads it, or not at all.
    UnverifiedBundle::read(&grown.to_json()).map(|_| grown)
}

/// Whether the bundle has an entry at this place already, with a proof for another tree: one entry told twice is refused.
fn has_place(bundle: &UnverifiedBundle, one: &Evidence) -> bool {
    (0..bundle.evidence().len()).any(|item| is_at_place(bundle, item, one))
}

/// Whether an item of a bundle is this entry, by subject, log and index.
fn is_at_place(bundle: &UnverifiedBundle, item: usize, one: &Evidence) -> bool {
    match bundle.evidence()[item].kind() {
        EvidenceKind::RekorV2(entry) if entry.subject == subject(one) => {
            let known = place(entry.entry.as_bytes());
            known.is_some() && known == place(&one.entry)
        }
        _ => false,
    }
}

fn is_same_place(other: &Evidence, one: &Evidence) -> bool {
    let known = place(&other.entry);
    other.subject == one.subject && known.is_some() && known == place(&one.entry)
}

/// The log and the index of an entry.
fn place(entry: &[u8]) -> Option<(Vec<u8>, LeafIndex)> {
    let entry = LogEntry::read(entry).ok()?;
    Some((entry.log_id().to_vec(), entry.index()))
}

fn subject(one: &Evidence) -> Subject {
    match one.subject {
        LogSubject::Batch => Subject::Batch,
        LogSubject::Content => Subject::Content,
        LogSubject::Manifest => Subject::Manifest,
    }
}

fn with(mut bundle: Bundle, one: &Evidence, is_there: bool) -> Result<Bundle, ManifestError> {
    if let (Some(statement), Some(position)) = (&one.statement, one.position) {
        bundle = new_only(&bundle, |bundle| bundle.with_batch(statement, position, &one.hashes))?;
    }
    let (subject, logged) = (subject(one), prehashed_signature(one));
    if !is_there {
        bundle = bundle.with_log_entry(subject, &one.entry, logged.as_deref())?;
    }
    match &one.token {
        None => Ok(bundle),
        Some(token) => {
            new_only(&bundle, |bundle| bundle.with_timestamp(subject, token, logged.as_deref()))
        }
    }
}

/// The logged signature where it is not the one of the JWS: that of Ed25519ph.
fn prehashed_signature(one: &Evidence) -> Option<Vec<u8>> {
    let rekord = HashedRekord::read(&one.body).ok()?;
    let is_own = one.subject != LogSubject::Content && rekord.hash == HashAlgorithm::Sha512;
    is_own.then_some(rekord.signature)
}

/// Adds an item, unless the bundle has the same one already.
fn new_only(
    bundle: &Bundle,
    add: impl FnOnce(Bundle) -> Result<Bundle, ManifestError>,
) -> Result<Bundle, ManifestError> {
    let grown = add(bundle.clone())?;
    match grown.repeats_last() {
        true => Ok(bundle.clone()),
        false => Ok(grown),
    }
}
