//! What need not be computed twice: results about evidence that many manifests share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use genten_pki::{Certificate, CertificateError};
use genten_primitives::Sha256Digest;

/// Most results that are kept; when they are reached, all are forgotten.
const CAPACITY: usize = 4096;

/// Results keyed by the bytes that they are about, never by the manifest that they were needed for nor by the time:
/// whatever depends on those is decided anew for each manifest.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    certificates: Mutex<HashMap<Sha256Digest, Result<Arc<Certificate>, CertificateError>>>,
}

impl Memory {
    /// A certificate, read once.
    pub(crate) fn certificate(&self, der: &[u8]) -> Result<Arc<Certificate>, CertificateError> {
        let key = Sha256Digest::of(der);
        let mut known = self.certificates.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(result) = known.get(&key) {
            return result.clone();
        }
        if known.len() == CAPACITY {
            known.clear();
        }
        let result = Certificate::from_der(der).map(Arc::new);
        known.insert(key, result.clone());
        result
    }
}
