//! The transparency logs that a kit knows: from Sigstore trusted roots, and from C2SP policies that name logs and witnesses.

use std::collections::HashMap;

use genten_pki::{TrustedRoot, Window as KeyWindow};
use genten_primitives::{PublicKey, Timestamp};
use genten_tlog::rekor::{EntryError, LogEntry, LoggedEntry, RekorLog};
use genten_tlog::{NoteKey, NoteKeyKind, WitnessPolicy};

/// All logs of a kit, each once however often it is named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Logs {
    known: Vec<KnownLog>,
    policies: Vec<WitnessPolicy>,
}

/// One log, and what is believed of it.
#[derive(Clone, Debug)]
struct KnownLog {
    log: RekorLog,
    /// When its key was in use, by each trusted root that names it. Empty where only policies do.
    windows: Vec<KeyWindow>,
    /// The policies that list it.
    policies: Vec<usize>,
    witnesses: Vec<NoteKey>,
}

/// An entry that a log of the kit holds.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    pub(crate) entry: LoggedEntry,
    pub(crate) quorum: Quorum,
    /// Whether a trusted root names the log.
    pub(crate) is_of_root: bool,
    windows: Vec<KeyWindow>,
}

/// What the policies that list a log say of one of its checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Quorum {
    /// No policy asks for witnesses.
    NotAsked,
    /// Every policy's quorum is met.
    Met {
        /// The time by which all were.
        by: Option<Timestamp>,
        /// Those who cosigned, by their names in the policies.
        witnesses: Vec<String>,
    },
    /// A policy's quorum is not met.
    NotMet {
        /// Who cosigned, and who should have: for people.
        detail: String,
    },
}

/// Why an entry is not shown to be in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LogFailure {
    /// No log of the kit has the id, and none signed the checkpoint.
    Unknown,
    /// The log is known, and the entry does not hold.
    Entry(EntryError),
}

impl Logs {
    /// The logs of these roots and policies. Keys that cannot be checked, or that sign no checkpoints, are left out.
    pub(crate) fn new(roots: &[TrustedRoot], policies: Vec<WitnessPolicy>) -> Self {
        let mut logs = Self { known: Vec::new(), policies: Vec::new() };
        for tlog in roots.iter().flat_map(TrustedRoot::tlogs) {
            let Ok(key) = &tlog.key else { continue };
            let Ok(log) = RekorLog::at_url(&tlog.base_url, key) else { continue };
            let log = log.with_id(tlog.log_id.as_bytes());
            let log = tlog.checkpoint_key_id.iter().fold(log, |log, id| log.with_id(id));
            logs.add(log).windows.push(tlog.window);
        }
        for (index, policy) in policies.iter().enumerate() {
            let keys = policy.logs().iter().map(|log| log.key());
            for key in keys.filter(|key| key.kind() != NoteKeyKind::Rfc6962) {
                let log = logs.add(RekorLog::of_key(key.clone()));
                log.policies.push(index);
                for witness in policy.witness_keys() {
                    if !log.witnesses.contains(&witness) {
                        log.witnesses.push(witness);
                    }
                }
            }
        }
        logs.policies = policies;
        logs
    }

    fn add(&mut self, log: RekorLog) -> &mut KnownLog {
        // One key is one log under all its names: else whoever holds it would choose the policy by the name.
        let is_same = |known: &KnownLog| known.log.keys()[0].key() == log.keys()[0].key();
        let same = self.known.iter().position(is_same);
        let index = same.unwrap_or_else(|| {
            let new =
                KnownLog { log: log.clone(), windows: vec![], policies: vec![], witnesses: vec![] };
            self.known.push(new);
            self.known.len() - 1
        });
        let known = &mut self.known[index];
        known.log = known.log.clone().joined_with(&log);
        known
    }

    /// The policies, in the order of the kit.
    pub(crate) fn policies(&self) -> &[WitnessPolicy] {
        &self.policies
    }

    /// The keys of all logs and witnesses.
    pub(crate) fn keys(&self) -> impl Iterator<Item = PublicKey> {
        let keys = |known: &KnownLog| [known.log.keys(), &known.witnesses].concat();
        self.known.iter().flat_map(keys).map(|key| key.key().clone())
    }

    /// A key that shares its name and id with another one, so that no line of a checkpoint tells which is meant.
    pub(crate) fn ambiguous_key(&self) -> Option<&NoteKey> {
        let keys =
            self.known.iter().flat_map(|known| known.log.keys().iter().chain(&known.witnesses));
        let mut seen = HashMap::new();
        keys.into_iter().find(|key| *seen.entry((key.name(), key.id())).or_insert(*key) != *key)
    }

    /// Shows that a log of the kit holds `body` as this entry.
    pub(crate) fn verify(&self, entry: &LogEntry, body: &[u8]) -> Result<Logged, LogFailure> {
        // Whatever the log is.
        if !entry.has_proof() {
            return Err(LogFailure::Entry(EntryError::ProofMissing));
        }
        if entry.checkpoint().is_none() {
            return Err(LogFailure::Entry(EntryError::CheckpointMissing));
        }
        let mut failure = LogFailure::Unknown;
        for known in self.named_by(entry) {
            match entry.verify(body, &known.log, &known.witnesses) {
                Ok(entry) => return Ok(self.logged(known, entry)),
                Err(error) => failure = LogFailure::Entry(error),
            }
        }
        Err(failure)
    }

    /// The time in a log's promise (Rekor v1), in a window of its key or not.
    pub(crate) fn verify_promise(
        &self,
        entry: &LogEntry,
        body: &[u8],
    ) -> Result<Promise, LogFailure> {
        let mut failure = LogFailure::Unknown;
        for known in self.named_by(entry) {
            match entry.verify_promise(body, &known.log) {
                Ok(seconds) => {
                    return Ok(Promise {
                        time: moment(seconds),
                        log_name: known.log.keys()[0].name().to_owned(),
                        is_of_root: !known.windows.is_empty(),
                        asks_for_witnesses: self.asking(known).next().is_some(),
                        windows: known.windows.clone(),
                    });
                }
                Err(error) => failure = LogFailure::Entry(error),
            }
        }
        Err(failure)
    }

    /// The logs that an entry can be of: those that it names, else those that seem to have signed its checkpoint, so that a
    /// wrong name is told apart from an unknown log.
    fn named_by<'l>(&'l self, entry: &'l LogEntry) -> Vec<&'l KnownLog> {
        let named: Vec<_> =
            self.known.iter().filter(|known| known.log.has_id(entry.log_id())).collect();
        if !named.is_empty() {
            return named;
        }
        let seems =
            |known: &&KnownLog| known.log.keys().iter().any(|key| entry.seems_signed_by(key));
        self.known.iter().filter(seems).collect()
    }

    fn logged(&self, known: &KnownLog, entry: LoggedEntry) -> Logged {
        let quorum = self.quorum(known, &entry);
        Logged {
            entry,
            quorum,
            is_of_root: !known.windows.is_empty(),
            windows: known.windows.clone(),
        }
    }

    /// The policies that list a log and want witnesses.
    fn asking<'l>(&'l self, known: &'l KnownLog) -> impl Iterator<Item = &'l WitnessPolicy> {
        let listing = known.policies.iter().map(|index| &self.policies[*index]);
        listing.filter(|policy| !policy.is_none())
    }

    fn quorum(&self, known: &KnownLog, entry: &LoggedEntry) -> Quorum {
        let (mut asked, mut unmet, mut by, mut names) = (false, Vec::new(), None, Vec::new());
        for policy in self.asking(known) {
            let result = policy.evaluate(entry.checkpoint());
            asked = true;
            unmet.extend(policy.quorum_text().filter(|_| !result.met));
            by = by.max(result.time);
            names.extend(result.witnesses);
        }
        names.sort();
        names.dedup();
        let by = by.map(moment);
        match (asked, unmet.is_empty()) {
            (false, _) => Quorum::NotAsked,
            // A time beyond the calendar can be held against nothing.
            (true, true) if by != Some(None) => Quorum::Met { by: by.flatten(), witnesses: names },
            (true, true) => Quorum::NotMet { detail: "cosigned beyond the calendar".to_owned() },
            (true, false) => {
                let seen = if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
                let detail = format!("cosigned by {seen}; asked for {}", unmet.join("; "));
                Quorum::NotMet { detail }
            }
        }
    }
}

/// A promise that holds.
#[derive(Clone, Debug)]
pub(crate) struct Promise {
    /// When the log took the entry, on its word.
    pub(crate) time: Option<Timestamp>,
    pub(crate) log_name: String,
    /// Whether a trusted root names the log.
    pub(crate) is_of_root: bool,
    /// Whether a policy wants witnesses of the log's checkpoints: none has seen a promise.
    pub(crate) asks_for_witnesses: bool,
    windows: Vec<KeyWindow>,
}

impl Promise {
    pub(crate) fn is_in_window(&self, time: Timestamp) -> bool {
        in_window(&self.windows, time)
    }
}

impl Logged {
    /// Whether the log's key was in use at the time, as far as the kit limits it.
    pub(crate) fn is_in_window(&self, time: Timestamp) -> bool {
        in_window(&self.windows, time)
    }
}

fn in_window(windows: &[KeyWindow], time: Timestamp) -> bool {
    windows.is_empty() || windows.iter().any(|window| window.contains(time))
}

fn moment(seconds: u64) -> Option<Timestamp> {
    Timestamp::from_seconds(i64::try_from(seconds).ok()?)
}
