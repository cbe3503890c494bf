//! A Rekor log as a verifier knows it.

use genten_primitives::PublicKey;
use genten_primitives::signature::Scheme;

use super::EntryKind;
use crate::{LogIdentity, LogIdentityError, NoteKey, NoteKeyError, NoteKeyKind};

/// A log whose entries are believed: its names, its key, and the ids under which entries name it.
///
/// A name is the key name of its checkpoints' signatures. It is their origin too; logs of version 1 add ` - ` and the
/// number of the tree. Trusted roots state a URL only, of which logs take more or less as their name.
#[derive(Clone, Debug)]
pub struct RekorLog {
    /// The key under each name; at least one.
    keys: Vec<NoteKey>,
    ids: Vec<Vec<u8>>,
}

impl RekorLog {
    /// A log that signs with this key under this name.
    ///
    /// # Errors
    /// A name that no note can bear, or a key of another kind than logs have.
    pub fn new(name: &str, key: &PublicKey) -> Result<Self, NoteKeyError> {
        NoteKey::for_log(name, key).map(Self::of_key)
    }

    /// The log behind the URL of a trusted root: its name is the host, with the port, or with the path too.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn at_url(url: &str, key: &PublicKey) -> Result<Self, NoteKeyError> {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest).trim_end_matches('/');
        let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
        let others = [authority, rest].into_iter().filter(|name| *name != host);
        others.fold(Self::new(host, key), |log, name| Ok(log?.with_name(name)))
    }

    /// A log whose key is known as a note key, from a policy.
    pub fn of_key(key: NoteKey) -> Self {
        Self { ids: vec![key.full_id().as_bytes().to_vec()], keys: vec![key] }
    }

    fn with_name(mut self, name: &str) -> Self {
        match NoteKey::for_log(name, self.keys[0].key()) {
            Ok(key) if !self.keys.contains(&key) => {
                let id = key.full_id();
                self.keys.push(key);
                self.with_id(id.as_bytes())
            }
            _ => self,
        }
    }

    /// The same log with all names and ids of another view of it.
    #[must_use]
    pub fn joined_with(mut self, other: &Self) -> Self {
        for key in &other.keys {
            if !self.keys.contains(key) {
                self.keys.push(key.clone());
            }
        }
        other.ids.iter().fold(self, |log, id| log.with_id(id))
    }

    /// The same log with an id that a trusted root states for it.
    #[must_use]
    pub fn with_id(mut self, id: &[u8]) -> Self {
        if !self.ids.iter().any(|known| known == id) {
            self.ids.push(id.to_vec());
        }
        self
    }

    /// The log's key under each of its names.
    pub fn keys(&self) -> &[NoteKey] {
        &self.keys
    }

    /// Whether entries of this log bear the id.
    pub fn has_id(&self, id: &[u8]) -> bool {
        self.ids.iter().any(|known| known == id)
    }

    /// Who must have signed a checkpoint with this origin that proves an entry of this kind; an origin that is none of the
    /// log's is left to the check of the checkpoint, which then names both.
    ///
    /// # Errors
    /// A name that is no origin.
    pub(super) fn identity(
        &self,
        origin: &str,
        kind: EntryKind,
    ) -> Result<LogIdentity, LogIdentityError> {
        let is_named = |key: &&NoteKey| match origin.strip_prefix(key.name()) {
            Some("") => true,
            Some(rest) if !kind.is_v2() => {
                let number = rest.strip_prefix(" - ").and_then(crate::decimal::read);
                number.is_some()
            }
            _ => false,
        };
        match self.keys.iter().find(is_named) {
            Some(key) => LogIdentity::new(origin, vec![key.clone()]),
            None => LogIdentity::new(self.keys[0].name(), vec![self.keys[0].clone()]),
        }
    }

    /// The key itself.
    pub(super) fn public_key(&self) -> &PublicKey {
        self.keys[0].key()
    }

    /// How the log signs promises of inclusion; `None` for a key that cannot.
    pub(super) fn promise_scheme(&self) -> Option<Scheme> {
        match self.keys[0].kind() {
            NoteKeyKind::Ecdsa => Some(Scheme::EcdsaSha256Der),
            NoteKeyKind::Ed25519 => Some(Scheme::Ed25519),
            NoteKeyKind::RsaPkcs1 => Some(Scheme::RsaPkcs1Sha256),
            NoteKeyKind::Cosignature | NoteKeyKind::Rfc6962 => None,
        }
    }
}
