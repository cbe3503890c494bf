//! What a monitor looks for, and what it has seen.

use std::collections::{BTreeMap, BTreeSet};

use genten_pki::Certificate;
use genten_primitives::{PublicKey, Sha256Digest};
use genten_tlog::rekor::{HashedRekord, LoggedKey};

use super::entry::{Found, Signed, is_known};
use crate::EntryChunk;

/// What to look for in a log: one's own keys, so that their use without one's knowledge is noticed, and one's own digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// SHA-256 of the SubjectPublicKeyInfo of keys, bare or inside of a certificate. Which were looked for is kept with the
    /// state: a key that is new is looked for in the earlier entries too.
    pub keys: BTreeSet<Sha256Digest>,
    /// Digests of any length.
    pub digests: BTreeSet<Vec<u8>>,
    /// URIs and DNS names in the subjectAltName of certificates.
    pub names: BTreeSet<String>,
}

/// An entry with something that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sighting {
    /// Where it stands in the log.
    pub index: u64,
    /// SHA-256 of the SubjectPublicKeyInfo of the key that signed; of the bytes as they are where no key can be read in them.
    /// `None` for a digest that is watched in an entry without signatures.
    pub key: Option<Sha256Digest>,
    /// The digest that is signed; empty where the entry has none, or one that is longer than any is.
    pub digest: Vec<u8>,
    /// SHA-256 of the signature: an entry can hold any bytes in its place.
    pub signature_sha256: Sha256Digest,
    /// Whether the entry shows that the key was used.
    pub key_use: KeyUse,
}

/// Whether an entry that names a key shows that the key was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUse {
    /// A `hashedrekord` whose signature does not hold. Nobody needs the key for that, only a log that takes such entries.
    Forged,
    /// A `hashedrekord` whose signature holds.
    Proven,
    /// Another kind of entry, or another spelling: its signature is not checked here.
    Unchecked,
}

/// Longest digest that is kept, in bytes: SHA-512.
const MAX_DIGEST: usize = 64;

/// What became of the entries that were looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Entries that were looked at.
    pub entries: u64,
    /// Sightings among them.
    pub sightings: u64,
    /// How many there were of each kind and version that is not known here. They were searched for keys all the same.
    pub unknown_kinds: BTreeMap<String, u64>,
    /// Entries that are not JSON, or name no kind.
    pub unreadable: u64,
}

/// Most unknown kinds that are counted by name; the rest is counted together.
const MAX_KINDS: usize = 64;

impl Tally {
    /// Looks at entries and counts them.
    pub(super) fn examine(&mut self, chunk: &EntryChunk, watch: &Watch) -> Vec<Sighting> {
        let mut sightings = Vec::new();
        for (index, entry) in chunk.entries() {
            self.entries += 1;
            let found = Found::of(entry);
            self.count(found.as_ref().and_then(|found| found.kind.as_deref()));
            sightings.extend(found.iter().flat_map(|found| watch.sightings(index, found)));
        }
        self.sightings += sightings.len() as u64;
        sightings
    }

    fn count(&mut self, kind: Option<&str>) {
        let Some(kind) = kind else {
            self.unreadable += 1;
            return;
        };
        if is_known(kind) {
            return;
        }
        let is_counted = self.unknown_kinds.contains_key(kind);
        let name = if is_counted || self.unknown_kinds.len() < MAX_KINDS { kind } else { "others" };
        *self.unknown_kinds.entry(name.to_owned()).or_default() += 1;
    }
}

impl Watch {
    fn sightings(&self, index: u64, found: &Found) -> Vec<Sighting> {
        let watched = found.digests.iter().find(|digest| self.digests.contains(*digest));
        let signed = found.rekord.as_ref().map(|rekord| &rekord.digest);
        let digest = watched.or(signed).or(found.digests.first());
        let digest = digest.filter(|digest| digest.len() <= MAX_DIGEST).cloned();
        let sighting = |key, signature: &[u8], key_use| Sighting {
            index,
            key,
            digest: digest.clone().unwrap_or_default(),
            signature_sha256: Sha256Digest::of(signature),
            key_use,
        };
        if watched.is_some() && found.signatures.is_empty() {
            return vec![sighting(None, &[], KeyUse::Unchecked)];
        }
        let seen = |signed: &Signed| {
            let (key, names) = identify(&signed.key);
            let is_seen = watched.is_some()
                || self.keys.contains(&key)
                || names.iter().any(|name| self.names.contains(name));
            is_seen.then(|| sighting(Some(key), &signed.signature, key_use(found)))
        };
        found.signatures.iter().filter_map(seen).collect()
    }
}

fn key_use(found: &Found) -> KeyUse {
    match found.rekord.as_ref().map(HashedRekord::check_signature) {
        None => KeyUse::Unchecked,
        Some(Ok(_)) => KeyUse::Proven,
        Some(Err(_)) => KeyUse::Forged,
    }
}

/// The key in the one spelling that counts, so that another spelling of it does not hide it, and the names of a certificate.
fn identify(key: &LoggedKey) -> (Sha256Digest, Vec<String>) {
    let sha256 = |key: PublicKey| Sha256Digest::of(key.to_spki_der());
    match key {
        LoggedKey::PublicKey(spki) => {
            let key = PublicKey::from_spki_der(spki).map(sha256);
            (key.unwrap_or_else(|_| Sha256Digest::of(spki)), Vec::new())
        }
        LoggedKey::Certificate(der) => match Certificate::from_der(der) {
            Ok(certificate) => {
                let names = certificate.subject_alt_names();
                let names = names.uri.iter().chain(&names.dns).cloned().collect();
                let key = certificate.public_key().map(sha256);
                (key.unwrap_or_else(|_| certificate.spki_sha256()), names)
            }
            Err(_) => {
                let key = PublicKey::from_certificate_der(der).map(sha256);
                (key.unwrap_or_else(|_| Sha256Digest::of(der)), Vec::new())
            }
        },
    }
}
