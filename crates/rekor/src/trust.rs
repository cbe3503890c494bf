//! Whom a reader of a log believes: the log's keys under each of its origins, and the witnesses who must have seen it.

use genten_tlog::{
    Checkpoint, CheckpointError, LogIdentity, LogIdentityError, NoteKey, UnverifiedCheckpoint,
    WitnessPolicy,
};

/// A log as it is known before anything is read from it.
#[derive(Clone, Debug)]
pub struct LogTrust {
    /// At least one.
    identities: Vec<LogIdentity>,
    witnesses: Option<WitnessPolicy>,
}

/// Too few witnesses have cosigned a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the witnesses {found:?} have cosigned, wanted are {wanted}")]
pub struct QuorumNotMet {
    /// Who must have, for people.
    pub wanted: String,
    /// Who has, by the names of the policy.
    pub found: Vec<String>,
}

impl LogTrust {
    /// A log with this origin and these keys.
    pub fn new(identity: LogIdentity) -> Self {
        Self { identities: vec![identity], witnesses: None }
    }

    /// The log that signs with these keys, each under its own name as origin.
    ///
    /// # Errors
    /// No key, or one that signs for no log.
    pub fn of_keys(keys: &[NoteKey]) -> Result<Self, LogIdentityError> {
        let mut origins: Vec<(&str, Vec<NoteKey>)> = Vec::new();
        for key in keys {
            match origins.iter_mut().find(|(origin, _)| *origin == key.name()) {
                Some((_, known)) if known.contains(key) => {}
                Some((_, known)) => known.push(key.clone()),
                None => origins.push((key.name(), vec![key.clone()])),
            }
        }
        let identities = origins.into_iter().map(|(origin, keys)| LogIdentity::new(origin, keys));
        let identities: Vec<_> = identities.collect::<Result<_, _>>()?;
        match identities.is_empty() {
            true => Err(LogIdentityError::NoKey { origin: String::new() }),
            false => Ok(Self { identities, witnesses: None }),
        }
    }

    /// Asks for a quorum of witnesses too.
    #[must_use]
    pub fn with_witnesses(mut self, policy: WitnessPolicy) -> Self {
        self.witnesses = Some(policy);
        self
    }

    /// The name of the log: its origin, the first where it may have several.
    pub fn origin(&self) -> &str {
        self.identities[0].origin()
    }

    /// The keys of the log; at least one.
    pub fn keys(&self) -> impl Iterator<Item = &NoteKey> {
        self.identities.iter().flat_map(LogIdentity::keys)
    }

    /// The keys of the witnesses.
    pub fn witness_keys(&self) -> Vec<NoteKey> {
        self.witnesses.as_ref().map(WitnessPolicy::witness_keys).unwrap_or_default()
    }

    /// Checks that the log has signed. Whether enough witnesses have is another question.
    ///
    /// # Errors
    /// As [`UnverifiedCheckpoint::verify`].
    pub fn verify(&self, note: &[u8]) -> Result<Checkpoint, CheckpointError> {
        let unverified = UnverifiedCheckpoint::parse(note)?;
        let origin = unverified.unverified_origin();
        let named = self.identities.iter().find(|identity| identity.origin() == origin);
        unverified.verify(named.unwrap_or(&self.identities[0]), &self.witness_keys())
    }

    /// Whether a note says to be of this log: by its origin, or by the name and id of a key. That proves nothing.
    pub fn is_named_in(&self, note: &[u8]) -> bool {
        let Ok(unverified) = UnverifiedCheckpoint::parse(note) else { return false };
        self.identities.iter().any(|identity| {
            let lines = unverified.note().signatures();
            let is_signer = |key: &NoteKey| lines.iter().any(|line| line.is_by(key));
            identity.origin() == unverified.unverified_origin()
                || identity.keys().iter().any(is_signer)
        })
    }

    /// Checks that enough witnesses have cosigned; without a policy none are wanted.
    ///
    /// # Errors
    /// [`QuorumNotMet`].
    pub fn check_quorum(&self, checkpoint: &Checkpoint) -> Result<(), QuorumNotMet> {
        let Some(policy) = &self.witnesses else { return Ok(()) };
        let result = policy.evaluate(checkpoint);
        match result.met {
            true => Ok(()),
            false => {
                let wanted = policy.quorum_text().unwrap_or_default();
                Err(QuorumNotMet { wanted, found: result.witnesses })
            }
        }
    }
}
