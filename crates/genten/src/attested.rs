//! What comes out of signing.

use genten_fetch::Exchange;
use genten_manifest::{Bundle, Manifest, TlsChain};
use genten_primitives::Sha256Digest;

/// A signed manifest with what it is about.
#[derive(Clone, Debug)]
pub struct Attested {
    /// The manifest.
    pub manifest: Manifest,
    /// Its identity: SHA-256 of what was signed.
    pub manifest_id: Sha256Digest,
    /// The recorded exchange, where this library made it. Its `body` says where the bytes are.
    pub exchange: Option<Exchange>,
    pub(crate) tls_chain: Option<TlsChain>,
    pub(crate) signer_chain: Vec<Vec<u8>>,
}

impl Attested {
    /// The body, where it is in memory.
    pub fn body(&self) -> Option<&[u8]> {
        match &self.exchange.as_ref()?.body {
            genten_fetch::Body::Memory(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Manifest and evidence, as they are saved: `NAME.provenance.json`.
    pub fn bundle(&self) -> Bundle {
        let mut bundle = Bundle::new(&self.manifest);
        if let Some(chain) = &self.tls_chain {
            bundle = bundle.with_tls_chain(chain);
        }
        if !self.signer_chain.is_empty() {
            bundle = bundle.with_x509_chain(&self.signer_chain);
        }
        bundle
    }

    /// What a person should know about the exchange.
    pub fn warnings(&self) -> Vec<String> {
        let exchange = self.exchange.iter();
        exchange.flat_map(|exchange| &exchange.warnings).map(ToString::to_string).collect()
    }
}
