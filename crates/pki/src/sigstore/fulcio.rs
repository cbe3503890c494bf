//! Signing certificates of Fulcio: who held the key, by the word of an authority and of a certificate transparency log.

mod error;
mod identity;
mod path;
mod scts;

use genten_primitives::{Sha256Digest, Timestamp};

use super::TrustedRoot;
use crate::certificate::Validity;
use crate::{Certificate, MAX_CHAIN};
pub use error::FulcioError;
pub use identity::SigningIdentity;
use path::{CODE_SIGNING, verify_path};
pub use scts::VerifiedSct;

/// A signing certificate that was verified at every given time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningCertificate {
    certificate: Certificate,
    path: Vec<Sha256Digest>,
    authority_uri: Option<String>,
    sct: VerifiedSct,
    identities: Vec<SigningIdentity>,
    issuer: Option<String>,
}

impl SigningCertificate {
    /// The certificate; its key is the signer's.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// SHA-256 of each certificate's DER, from the signer's to that of the authority's root.
    pub fn path(&self) -> &[Sha256Digest] {
        &self.path
    }

    /// Where the trusted root says that the authority is reached.
    pub fn authority_uri(&self) -> Option<&str> {
        self.authority_uri.as_deref()
    }

    /// The promise of a certificate transparency log.
    pub fn sct(&self) -> VerifiedSct {
        self.sct
    }

    /// Whom the authority identified, in the certificate's order; at least one.
    pub fn identities(&self) -> &[SigningIdentity] {
        &self.identities
    }

    /// Who vouched for the identity to the authority: the issuer of the identity token. Early certificates have none.
    pub fn issuer(&self) -> Option<&str> {
        self.issuer.as_deref()
    }
}

/// Verifies a signing certificate with what `root` holds, as of all `times` at which the signature is known to have existed.
///
/// `chain` is what a bundle offers beside the certificate. It proves nothing and no path goes through it; only a root
/// certificate in it is refused, as Sigstore demands.
///
/// The rules: a path to an authority whose window contains every time and whose certificates are valid at every time, as
/// the signing certificate is (all intervals closed); the extended key usage codeSigning; no CA; an embedded SCT of a log
/// of the root whose window contains the SCT's time, over the certificate as the issuer on that path made it. Of several
/// SCTs one must verify, and none of a known log may be wrong.
///
/// Whose identity is wanted is the caller's question.
///
/// # Errors
/// The first rule that is broken, one variant for each.
pub fn verify_signing_certificate(
    leaf: &[u8],
    chain: &[&[u8]],
    root: &TrustedRoot,
    times: &[Timestamp],
) -> Result<SigningCertificate, FulcioError> {
    check_chain(chain, root)?;
    let leaf = Certificate::from_der(leaf).map_err(FulcioError::Certificate)?;
    check_leaf(&leaf)?;
    check_validity(&leaf, times)?;
    let found = verify_path(&leaf, root, times)?;
    let sct = scts::verify(&leaf, found.issuer, root)?;
    let identities = identity::identities(&leaf)?;
    let issuer = identity::issuer(&leaf)?;
    let (path, authority_uri) = (found.digests, found.authority.uri.clone());
    Ok(SigningCertificate { certificate: leaf, path, authority_uri, sct, identities, issuer })
}

/// A bundle must not carry the root that it wants to be believed under.
fn check_chain(chain: &[&[u8]], root: &TrustedRoot) -> Result<(), FulcioError> {
    let found = chain.len() + 1;
    if found > MAX_CHAIN {
        return Err(FulcioError::TooManyCertificates { found });
    }
    for (index, der) in chain.iter().enumerate() {
        let certificate = Certificate::from_der(der)
            .map_err(|source| FulcioError::ChainCertificate { index, source })?;
        let anchors =
            root.certificate_authorities().iter().filter_map(|one| one.certificates.last());
        let is_root = certificate.is_ca() && certificate.is_self_issued();
        if is_root || anchors.into_iter().any(|anchor| *anchor == certificate) {
            return Err(FulcioError::RootInChain { index });
        }
    }
    Ok(())
}

fn check_leaf(leaf: &Certificate) -> Result<(), FulcioError> {
    if leaf.is_ca() {
        return Err(FulcioError::CaAsLeaf);
    }
    if leaf.is_precertificate() {
        return Err(FulcioError::Precertificate);
    }
    let purposes = leaf.extended_key_usage().unwrap_or_default();
    if !purposes.iter().any(|purpose| *purpose == CODE_SIGNING) {
        return Err(FulcioError::NotForCodeSigning);
    }
    match leaf.key_usage() {
        Some(usage) if !usage.digital_signature => Err(FulcioError::KeyUsage),
        _ => Ok(()),
    }
}

fn check_validity(leaf: &Certificate, times: &[Timestamp]) -> Result<(), FulcioError> {
    if times.is_empty() {
        return Err(FulcioError::NoTime);
    }
    let Validity { not_before, not_after } = leaf.validity();
    match times.iter().find(|at| !leaf.validity().covers(**at)) {
        Some(&at) if at < not_before => Err(FulcioError::NotYetValid { at, not_before }),
        Some(&at) => Err(FulcioError::Expired { at, not_after }),
        None => Ok(()),
    }
}
