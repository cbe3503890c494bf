//! What is read from the leaf certificate of a TLS connection, with the reader that the verifier uses too.

use genten_pki::Certificate;
use genten_primitives::Sha256Digest;

use crate::error::PresentedCertificate;

/// The facts of a leaf certificate.
pub(crate) struct LeafFacts {
    pub(crate) spki_sha256: Sha256Digest,
    pub(crate) issuer: String,
    pub(crate) sct_list: Option<Vec<u8>>,
}

/// Reads a leaf; `None` when it is not strict DER.
pub(crate) fn leaf_facts(der: &[u8]) -> Option<LeafFacts> {
    let certificate = Certificate::from_der(der).ok()?;
    Some(LeafFacts {
        spki_sha256: certificate.spki_sha256(),
        issuer: genten_pki::issuer_text(&certificate),
        sct_list: certificate.sct_list().filter(|list| has_entries(list)).map(<[u8]>::to_vec),
    })
}

/// Whether a TLS-encoded list has the length it says and is not empty (RFC 6962 section 3.3).
fn has_entries(list: &[u8]) -> bool {
    match list {
        [high, low, entries @ ..] => {
            !entries.is_empty() && entries.len() == usize::from(u16::from_be_bytes([*high, *low]))
        }
        _ => false,
    }
}

/// What an error says about a refused certificate.
pub(crate) fn presented(der: &[u8]) -> PresentedCertificate {
    PresentedCertificate {
        issuer: leaf_facts(der).map(|facts| facts.issuer).unwrap_or_default(),
        sha256: Sha256Digest::of(der),
    }
}
