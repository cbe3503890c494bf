//! A manifest with its evidence as commands open it that add evidence or write other forms: of good form, and of a signature
//! that is judged only where its key is at hand.

use std::path::{Path, PathBuf};

use genten_jws::SignedBytes;
use genten_jws::key_id::{contained_key, key_in_document};
use genten_manifest::{
    BatchEvidence, Bundle, Claims, EvidenceKind, KeyId, LogEvidence, MAX_BUNDLE_BYTES,
    UnverifiedBundle, UnverifiedManifest,
};
use genten_primitives::json::{self, Limits};
use genten_primitives::{PublicKey, Sha256Digest};
use genten_tlog::rekor::{HashedRekord, LogEntry};
use genten_verify::Input;

use super::inspect;
use crate::failure::{Done, Failure, read_file};

/// A manifest with its evidence.
pub(super) struct Document {
    pub(super) path: PathBuf,
    /// The file as it was read.
    pub(super) bytes: Vec<u8>,
    pub(super) bundle: UnverifiedBundle,
    /// The manifest's signature and what it covers.
    pub(super) signed: SignedBytes,
}

impl Document {
    /// Opens a bundle, or a manifest as a bundle without evidence.
    pub(super) fn open(path: &Path) -> Done<Self> {
        let bytes = read_file(path, MAX_BUNDLE_BYTES as u64)?;
        let name = path.display().to_string();
        let bundle = match Input::read(&bytes) {
            Ok(Input::Bundle(bundle)) => bundle,
            Ok(Input::Manifest(_)) => UnverifiedBundle::of_manifest(&bytes)
                .map_err(|error| Failure::coded(error.code(), &error, "").about(&name))?,
            Err(error) => return Err(inspect::refused(&bytes, &error).about(&name)),
        };
        let signed = SignedBytes::of_manifest(bundle.manifest()).map_err(|error| {
            let hint = "Its signature cannot be read, so that nothing can belong to it.";
            Failure::coded(error.code(), &error, hint).about(&name)
        })?;
        Ok(Self { path: path.to_owned(), bytes, bundle, signed })
    }

    /// The same document with a bundle that has more evidence.
    pub(super) fn with(&self, bundle: &Bundle) -> Done<Self> {
        let bundle = UnverifiedBundle::read(&bundle.to_json()).map_err(|error| {
            let hint = "No verifier would read such a bundle; nothing was written.";
            Failure::coded(error.code(), &error, hint)
        })?;
        let (path, bytes, signed) = (self.path.clone(), self.bytes.clone(), self.signed.clone());
        Ok(Self { path, bytes, bundle, signed })
    }

    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub(super) fn manifest(&self) -> &UnverifiedManifest {
        self.bundle.manifest()
    }

    pub(super) fn claims(&self) -> &Claims {
        self.manifest().claims()
    }

    pub(super) fn manifest_id(&self) -> Sha256Digest {
        self.signed.sha256()
    }

    pub(super) fn key_id(&self) -> &KeyId {
        &self.manifest().manifest().mcp_key_id
    }

    /// The log entries in it.
    pub(super) fn log_entries(&self) -> impl Iterator<Item = &LogEvidence> {
        self.bundle.evidence().iter().filter_map(|item| match item.kind() {
            EvidenceKind::RekorV2(entry) => Some(entry),
            _ => None,
        })
    }

    /// The batches in it.
    pub(super) fn batches(&self) -> impl Iterator<Item = &BatchEvidence> {
        self.bundle.evidence().iter().filter_map(|item| match item.kind() {
            EvidenceKind::Batch(batch) => Some(batch),
            _ => None,
        })
    }

    /// Certificates that are said to be the signer's, DER.
    pub(super) fn signer_certificates(&self) -> impl Iterator<Item = &[u8]> {
        let chains = self.bundle.evidence().iter().filter_map(|item| match item.kind() {
            EvidenceKind::X509Chain(chain) => chain.first(),
            _ => None,
        });
        chains.chain(self.signed.header().x5c.first()).map(Vec::as_slice)
    }

    /// The key under which the signature holds, of those that the id and the evidence name. Whose key it is, and whether it
    /// is trusted, is another question; where the id contains a key, no other is asked.
    pub(super) fn signer_key(&self) -> Option<PublicKey> {
        if let Some(contained) = contained_key(self.key_id()) {
            return contained.ok().filter(|key| self.signed.verify(key).is_ok());
        }
        let certified = self.signer_certificates().map(PublicKey::from_certificate_der);
        let documented = self.bundle.evidence().iter().filter_map(|item| match item.kind() {
            EvidenceKind::DidDocument { document, .. } => self.documented_key(document),
            _ => None,
        });
        let logged = self.log_entries().filter_map(logged_key);
        let mut keys = certified.filter_map(Result::ok).chain(documented).chain(logged);
        keys.find(|key| self.signed.verify(key).is_ok())
    }

    /// The key of the signer's id in a DID document.
    pub(super) fn documented_key(&self, document: &str) -> Option<PublicKey> {
        let read = json::read(document.as_bytes(), Limits::bytes(document.len())).ok()?;
        key_in_document(self.key_id(), read.root())?.ok().map(|found| found.key)
    }
}

fn logged_key(evidence: &LogEvidence) -> Option<PublicKey> {
    let entry = LogEntry::read(evidence.entry.as_bytes()).ok()?;
    HashedRekord::read(entry.body()?).ok()?.public_key().ok()
}
