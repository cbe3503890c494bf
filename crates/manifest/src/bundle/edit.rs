//! What comes later into a bundle that is there, in the place of what it is about.

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use genten_primitives::json::{self, Limits, ObjectWriter, Value};

use super::{Bundle, MAX_BUNDLE_BYTES};
use crate::{Evidence, EvidenceKind, ManifestError, ManifestRule, TlsChain, TransparencyLogId};

impl Bundle {
    /// Writes the pointer to a log entry into the manifest, in place of an earlier one. It is not signed, and proves nothing.
    ///
    /// # Errors
    ///
    /// None for a bundle that was made or read here.
    pub fn with_log_id(mut self, id: &TransparencyLogId) -> Result<Self, ManifestError> {
        let document = json::read(&self.manifest, Limits::bytes(crate::MAX_MANIFEST_BYTES))?;
        let manifest = with_member(document.root(), "transparency_log_id", &id.to_string())?;
        self.manifest = manifest;
        Ok(self)
    }

    /// Puts the proof that a log holds the server's certificate (C2SP tlog-proof) into the chain of this certificate, named by
    /// the SHA-256 of its DER. Whatever else is there stays word for word; a chain that has a proof keeps its own.
    ///
    /// # Errors
    ///
    /// None for a bundle that was made or read here.
    pub fn with_tlog_proof(
        mut self,
        certificate: &Sha256Digest,
        proof: &[u8],
    ) -> Result<Self, ManifestError> {
        for item in &mut self.evidence {
            let document = json::read(item, Limits::bytes(MAX_BUNDLE_BYTES))?;
            match Evidence::from_value(document.root())?.kind() {
                EvidenceKind::TlsChain(chain) if is_of(chain, certificate) => {
                    if chain.tlog_proof.is_none() {
                        let grown = with_member(document.root(), "tlog_proof", &base64(proof))?;
                        *item = grown;
                    }
                    break;
                }
                _ => {}
            }
        }
        Ok(self)
    }
}

fn is_of(chain: &TlsChain, certificate: &Sha256Digest) -> bool {
    chain.certificates.first().is_some_and(|leaf| Sha256Digest::of(leaf) == *certificate)
}

/// An object with a member of this name at the end, in place of an earlier one; all others stay word for word.
fn with_member(object: Value<'_>, name: &str, text: &str) -> Result<Vec<u8>, ManifestError> {
    let members = object.members().ok_or_else(|| ManifestRule::WrongType.at(object))?;
    let members: Vec<_> = members.filter(|(other, _)| other != name).collect();
    let mut grown = ObjectWriter::new();
    for (name, value) in &members {
        grown.raw(name, value.raw());
    }
    Ok(grown.string(name, text).finish())
}
