//! Whom a verifier lets certify signers.

use std::collections::BTreeSet;

use der::asn1::ObjectIdentifier;
use genten_primitives::{Sha256Digest, UrlPattern};
use rustls_pki_types::{CertificateDer, TrustAnchor};

use crate::{Certificate, Oid};

/// The members of one signer authority of a trust kit.
#[derive(Clone, Debug, Default)]
pub struct AuthorityParts {
    /// CA certificates that are believed as they are; their own validity and signature are not looked at.
    pub roots: Vec<Certificate>,
    /// The key ids that the authority may certify.
    pub san_uri: Vec<UrlPattern>,
    /// The purposes of which a signer's certificate must state one; `None` for the rule of
    /// [`verify_signer_path`](crate::verify_signer_path).
    pub eku: Option<Vec<Oid>>,
    /// Certificates that no path may contain, by the SHA-256 of their DER.
    pub revoked: BTreeSet<Sha256Digest>,
}

/// A signer authority that is fit for use.
#[derive(Clone, Debug)]
pub struct SignerAuthority {
    pub(super) roots: Vec<Certificate>,
    pub(super) anchors: Vec<TrustAnchor<'static>>,
    pub(super) san_uri: Vec<UrlPattern>,
    pub(super) purposes: Purposes,
    pub(super) revoked: BTreeSet<Sha256Digest>,
}

/// Why an authority can authorise nobody. At fault is the trust kit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthorityError {
    /// No pattern of key ids.
    #[error("signer authority has no san_uri pattern")]
    NoPatterns,
    /// A list of purposes with nothing in it.
    #[error("signer authority has an empty list of key purposes")]
    NoPurposes,
    /// No root certificate.
    #[error("signer authority has no root")]
    NoRoots,
    /// A root that is not a CA certificate.
    #[error("root {sha256} is not a CA certificate")]
    RootNotCa {
        /// SHA-256 of its DER.
        sha256: Sha256Digest,
    },
    /// A root that the path builder cannot read.
    #[error("root {sha256} cannot be used in paths")]
    RootUnusable {
        /// SHA-256 of its DER.
        sha256: Sha256Digest,
    },
}

impl SignerAuthority {
    /// Checks the parts against each other.
    ///
    /// # Errors
    /// An empty list, a root that is no CA certificate.
    pub fn new(parts: AuthorityParts) -> Result<Self, AuthorityError> {
        let AuthorityParts { roots, san_uri, eku, revoked } = parts;
        if roots.is_empty() {
            return Err(AuthorityError::NoRoots);
        }
        if san_uri.is_empty() {
            return Err(AuthorityError::NoPatterns);
        }
        let purposes = match eku {
            Some(stated) if stated.is_empty() => return Err(AuthorityError::NoPurposes),
            Some(stated) => Purposes::Stated(stated),
            None => Purposes::Customary,
        };
        let anchors = roots.iter().map(anchor).collect::<Result<_, _>>()?;
        Ok(Self { roots, anchors, san_uri, purposes, revoked })
    }

    /// The CA certificates that are believed.
    pub fn roots(&self) -> &[Certificate] {
        &self.roots
    }

    /// Whether the trust kit revoked the certificate, or a twin of it ([`Certificate::fingerprints`]).
    pub fn revokes(&self, certificate: &Certificate) -> bool {
        !self.revoked.is_empty()
            && certificate.fingerprints().iter().any(|one| self.revoked.contains(one))
    }

    /// Whether the trust kit revoked the certificate with this SHA-256.
    pub fn revokes_digest(&self, sha256: &Sha256Digest) -> bool {
        self.revoked.contains(sha256)
    }

    /// The certificates that no path may use.
    pub fn revoked(&self) -> &BTreeSet<Sha256Digest> {
        &self.revoked
    }

    /// Adds certificates that no path may use, such as those that another authority of the same kit revoked.
    pub fn revoke(&mut self, certificates: &BTreeSet<Sha256Digest>) {
        self.revoked.extend(certificates);
    }

    /// Whether the authority may certify signers with this key id.
    pub fn covers(&self, key_id: &str) -> bool {
        self.san_uri.iter().any(|pattern| pattern.matches(key_id))
    }
}

fn anchor(root: &Certificate) -> Result<TrustAnchor<'static>, AuthorityError> {
    if !root.is_ca() {
        return Err(AuthorityError::RootNotCa { sha256: root.sha256() });
    }
    let der = CertificateDer::from(root.der());
    webpki::anchor_from_trusted_cert(&der)
        .map(|anchor| anchor.to_owned())
        .map_err(|_| AuthorityError::RootUnusable { sha256: root.sha256() })
}

/// Which key purposes make a certificate one of a signer.
#[derive(Clone, Debug)]
pub(super) enum Purposes {
    /// None stated by the authority: no restriction in the certificate, or one of [`CUSTOMARY`], or any.
    Customary,
    /// The certificate must state one of these.
    Stated(Vec<Oid>),
}

/// clientAuth, codeSigning and emailProtection: purposes of certificates whose keys sign for their owner. A certificate
/// for serverAuth or timeStamping alone belongs to something else.
const CUSTOMARY: [ObjectIdentifier; 3] = [
    ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.2"),
    ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.3"),
    ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.4"),
];
pub(crate) const ANY_PURPOSE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37.0");

impl Purposes {
    /// The purposes for which `leaf` is a signer's certificate; empty when it is none.
    pub(super) fn of_leaf(&self, leaf: &Certificate) -> Vec<Oid> {
        match (self, leaf.extended_key_usage()) {
            (Self::Stated(stated), Some(has)) => common(stated, has),
            (Self::Stated(_), None) => Vec::new(),
            (Self::Customary, None) => customary(),
            (Self::Customary, Some(has)) if has_any(has) => customary(),
            (Self::Customary, Some(has)) => common(&customary(), has),
        }
    }
}

/// Whether an issuer may certify keys for one of the purposes: a restriction in its own certificate binds those below it.
pub(super) fn issuer_permits(issuer: &Certificate, purposes: &[Oid]) -> bool {
    let permits = |has: &[Oid]| has_any(has) || !common(purposes, has).is_empty();
    issuer.extended_key_usage().is_none_or(permits)
}

fn customary() -> Vec<Oid> {
    CUSTOMARY.map(Oid::from).to_vec()
}

fn has_any(purposes: &[Oid]) -> bool {
    purposes.iter().any(|purpose| *purpose == ANY_PURPOSE)
}

fn common(left: &[Oid], right: &[Oid]) -> Vec<Oid> {
    left.iter().filter(|purpose| right.contains(purpose)).cloned().collect()
}
