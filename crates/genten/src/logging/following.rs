//! Following a log: has it kept everything that it showed before, and who uses the keys of this home?

mod lost;

use std::collections::HashSet;
use std::path::PathBuf;

use genten_primitives::{PublicKey, Sha256Digest, Timestamp};
use genten_rekor::{
    Begin, Cause, FollowError, FollowOutcome, FollowReport, FollowSink, FollowState, Follower,
    KeyUse, LogHttp, LogReader, Sighting, TreeLocation, Watch,
};
use genten_store::{Home, Journal, Seen, SeenUse};
use genten_tlog::rekor::HashedRekord;
pub use lost::Lost;

use super::local::home_trust;
use super::memory::{Kept, Memory};
use super::{LogError, LogService, LogTarget, alarm, home_log};

/// What is to be followed, and how.
#[derive(Clone, Debug)]
pub struct Following {
    /// The log.
    pub log: LogTarget,
    /// Keys whose entries are reported unless this journal knows of them.
    pub keys: Vec<PublicKey>,
    /// Where to begin with a log that was never seen; without it such a log is not believed.
    pub begin: Option<Begin>,
}

/// What was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Followed {
    /// The log.
    pub origin: String,
    /// Its name in the journal: origin and key id.
    pub name: String,
    /// How its tree stands to the one that was known, or why the log could not be read to its end.
    pub report: Result<FollowReport, FollowError>,
    /// Whether it had shown trees to this home before, when entries were sent to it or when it was followed: it is bound by them
    /// also where it is followed for the first time.
    pub was_known: bool,
    /// Entries that name watched keys and that this journal does not know of, and nobody has accepted. Of each stands there
    /// whether it was made with the key.
    pub unknown: Vec<Seen>,
    /// Entries of this journal that the log has lost: it has signed two trees that contradict each other.
    pub lost: Vec<Lost>,
    /// Entries of this journal that could not be looked for, since tiles were missing or the log is smaller now.
    pub unsearched: u64,
    /// Where the proof of a fork is kept.
    pub evidence: Vec<PathBuf>,
}

impl Followed {
    /// Whether somebody must be told: the log has forked or was rolled back, or a key was used by somebody else.
    pub fn is_alarm(&self) -> bool {
        let outcome =
            matches!(self.outcome(), Some(FollowOutcome::Fork(_) | FollowOutcome::Rollback(_)));
        outcome || !self.unknown.is_empty() || !self.lost.is_empty()
    }

    /// How its tree stands to the one that was known, where that could be read.
    pub fn outcome(&self) -> Option<&FollowOutcome> {
        self.report.as_ref().ok().map(|report| &report.outcome)
    }

    /// Whether everything could be looked at.
    pub fn is_complete(&self) -> bool {
        let judged = !matches!(
            self.outcome(),
            None | Some(FollowOutcome::Unproven { .. } | FollowOutcome::Stale(_))
        );
        judged && self.unsearched == 0
    }
}

/// Looks at a log: that it continues what was known of it, for entries by watched keys that the journal does not know of, and
/// that it still has the entries of the journal. `progress` hears how many entries are done, and how many there are.
///
/// The state is in the journal, and written step by step: whoever is stopped goes on where he was.
///
/// A log that cannot be read to its end is no error here: what was seen of it before, and what it has lost, is told all the same.
/// Otherwise whoever serves it could keep a sighting secret by withholding what comes after it.
///
/// # Errors
/// It is not known where the log is read, or the journal cannot be read. Nothing that was known is given up then.
pub async fn follow(
    home: &Home,
    journal: &Journal,
    following: &Following,
    now: Timestamp,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Followed, LogError> {
    let reader = reader(home, &following.log, now)?;
    let memory = match following.log {
        LogTarget::Home => Memory::of_home(journal, reader.trust()),
        LogTarget::File(_) => Memory::of(journal, reader.trust()),
    };
    let Kept { name, json: before, state } = memory.state()?;
    let mut follower = Follower::new(reader.clone(), watch(&following.keys));
    let shown = memory.shown()?;
    let was_known = !shown.is_empty();
    follower = follower.shown_before(shown);
    if let Some(begin) = following.begin {
        follower = follower.trust_first_sight(begin);
    }
    let mut sink = Sink { journal, name: &name, before, now, progress };
    let report = follower.follow(&state, now, &mut sink).await;
    let mut followed = Followed {
        unknown: unknown(journal, &name)?,
        origin: reader.trust().origin().to_owned(),
        name,
        report,
        was_known,
        lost: Vec::new(),
        unsearched: 0,
        evidence: Vec::new(),
    };
    lost::find(&reader, journal, &following.log, &mut followed).await?;
    keep_evidence(home, &mut followed, now)?;
    Ok(followed)
}

fn reader(home: &Home, log: &LogTarget, now: Timestamp) -> Result<LogReader, LogError> {
    match log {
        LogTarget::Home => {
            let trust = home_trust(&home_log(home)?);
            let http = LogHttp::builder().build().map_err(super::LogFileError::Http)?;
            Ok(LogReader::new(http, TreeLocation::Folder(home.log()), trust))
        }
        LogTarget::File(path) => {
            let service = LogService::read(path, now, Some(&home.root().join("tiles")))?;
            service.client.reader().cloned().ok_or(LogError::NoReadUrl)
        }
    }
}

fn watch(keys: &[PublicKey]) -> Watch {
    let spki = |key: &PublicKey| Sha256Digest::of(key.to_spki_der());
    Watch { keys: keys.iter().map(spki).collect(), ..Watch::default() }
}

/// Keeps each step in the journal before the next.
struct Sink<'s> {
    journal: &'s Journal,
    name: &'s str,
    /// The state that was read or kept last.
    before: Option<Vec<u8>>,
    now: Timestamp,
    progress: &'s mut (dyn FnMut(u64, u64) + Send),
}

impl FollowSink for Sink<'_> {
    fn keep(&mut self, state: &FollowState, sightings: &[Sighting]) -> Result<(), Cause> {
        let seen: Vec<_> = sightings.iter().filter_map(seen).collect();
        let (outbox, state) = (self.journal.outbox(), state.to_json());
        let before = self.before.as_deref();
        match outbox.keep_follow_state(self.name, before, (&state, &seen), self.now)? {
            true => self.before = Some(state),
            false => return Err("somebody else has followed the log in between".into()),
        }
        Ok(())
    }

    fn progress(&mut self, done: u64, total: u64) {
        (self.progress)(done, total);
    }
}

fn seen(sighting: &Sighting) -> Option<Seen> {
    Some(Seen {
        entry: sighting.index,
        key: sighting.key?,
        digest: sighting.digest.clone(),
        signature_sha256: sighting.signature_sha256,
        key_use: match sighting.key_use {
            KeyUse::Forged => SeenUse::Forged,
            KeyUse::Proven => SeenUse::Proven,
            KeyUse::Unchecked => SeenUse::Unchecked,
        },
    })
}

/// What was seen and is none of ours. Ours is an entry that was made with the key, and whose key and digest the journal has
/// wanted: not its signature, since anybody can log the twin of a known ECDSA signature. The digest in an entry of another kind
/// may be one of many, and says nothing.
fn unknown(journal: &Journal, name: &str) -> Result<Vec<Seen>, LogError> {
    let mut seen = journal.outbox().seen(name)?;
    if seen.is_empty() {
        return Ok(seen);
    }
    let mut own = HashSet::new();
    journal.outbox().bodies(|body| {
        if let Ok(rekord) = HashedRekord::read(body)
            && let Ok(key) = rekord.key.public_key()
        {
            own.insert((Sha256Digest::of(key.to_spki_der()), rekord.digest));
        }
    })?;
    let is_own = |one: &Seen| own.contains(&(one.key, one.digest.clone()));
    seen.retain(|one| one.key_use != SeenUse::Proven || !is_own(one));
    Ok(seen)
}

/// The signed notes of each fork with what connects them, in `evidence/`.
fn keep_evidence(home: &Home, followed: &mut Followed, now: Timestamp) -> Result<(), LogError> {
    let own = match followed.outcome() {
        Some(FollowOutcome::Fork(fork)) => Some(fork.clone()),
        _ => None,
    };
    let forks = own.into_iter().chain(followed.lost.iter().map(|lost| lost.fork.clone()));
    let mut kept = Vec::new();
    for fork in forks {
        kept.push(alarm::keep(home, "fork", alarm::fork_text(&fork).as_bytes(), now)?);
    }
    kept.dedup();
    followed.evidence = kept;
    Ok(())
}
