//! The key under which a manifest's signature holds, and what the kit ties to it.

use std::sync::Arc;

use genten_jws::SignedBytes;
use genten_pki::Certificate;
use genten_primitives::PublicKey;

/// A manifest's verified signature, as the checks of evidence need it.
pub(crate) struct VerifiedSigner<'c> {
    /// The signature and what it covers.
    pub(crate) signed: &'c SignedBytes,
    /// The key under which it holds.
    pub(crate) key: &'c PublicKey,
    /// Certificates of this key that came along.
    pub(crate) leaves: Vec<Arc<Certificate>>,
    /// Keys that the kit lists for log entries of this signer's manifests and batches.
    pub(crate) log_keys: Vec<&'c PublicKey>,
    /// Keys that the kit lists for log entries of this signer's contents.
    pub(crate) content_log_keys: Vec<&'c PublicKey>,
}

impl VerifiedSigner<'_> {
    /// Whether this is a certificate of the key that came along.
    pub(crate) fn has_leaf(&self, der: &[u8]) -> bool {
        self.leaves.iter().any(|leaf| leaf.der() == der)
    }
}
