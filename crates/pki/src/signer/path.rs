//! Paths from a signer's certificate to a root of its authority.

use std::cell::RefCell;
use std::time::Duration;

use genten_primitives::{Sha256Digest, Timestamp};
use rustls_pki_types::{CertificateDer, TrustAnchor, UnixTime};
use webpki::{EndEntityCert, ExtendedKeyUsageValidator, KeyPurposeIdIter, VerifiedPath};

use super::authority::{SignerAuthority, issuer_permits};
use super::error::ChainError;
use crate::path_algorithm::PATH_ALGORITHMS;
use crate::{Certificate, MAX_CHAIN, Oid, Validity};

/// A path that holds: the signer's key may sign manifests under the key id that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerPath {
    /// SHA-256 of each certificate's DER, from the signer's to the root's.
    pub certificates: Vec<Sha256Digest>,
    /// The time in which all of them are valid at once, the root left out. A path holds at any moment of it.
    pub validity: Validity,
}

/// Finds a path from a signer's certificate to a root of `authority` that is valid at `at`.
///
/// `intermediates` is what the evidence offers, in any order and untrusted. Beside RFC 5280 section 6 (signatures, names,
/// validity, basic and name constraints; by rustls-webpki) the rules are: `key_id` matches a pattern of the authority and
/// is, byte for byte, a URI in the subjectAltName; the signer's certificate is none of a CA and allows digitalSignature
/// where it has a key usage; issuers may sign certificates where they have one; no certificate of the path is revoked.
///
/// Extended key usage: when the authority states purposes, the signer's certificate must have one of them (anyPurpose does
/// not stand for it). When it states none, a certificate without the extension will do, and one with it must have
/// clientAuth, codeSigning, emailProtection or anyPurpose. An issuer that has the extension must have a purpose by which
/// the signer's certificate passed, or anyPurpose.
///
/// # Errors
/// The first rule that is broken. When several paths fail, a path that only the rules of this crate refuse is the one
/// reported.
pub fn verify_signer_path(
    leaf: &Certificate,
    intermediates: &[Certificate],
    authority: &SignerAuthority,
    key_id: &str,
    at: Timestamp,
) -> Result<SignerPath, ChainError> {
    let found = intermediates.len() + 1;
    if found > MAX_CHAIN {
        return Err(ChainError::TooManyCertificates { found });
    }
    check_key_id(leaf, authority, key_id)?;
    check_leaf(leaf, at)?;
    let purposes = authority.purposes.of_leaf(leaf);
    if purposes.is_empty() {
        return Err(ChainError::ExtendedKeyUsage { sha256: leaf.sha256() });
    }
    Search { leaf, intermediates, authority, purposes, refusal: RefCell::default() }.run(at)
}

/// Finds a path that is valid at some moment, whichever: tells a chain that came too late or too early from one that
/// never was good, whatever dates its maker wrote into it.
///
/// # Errors
/// As [`verify_signer_path`], and never one of time: [`ChainError::NeverValid`] instead.
pub fn verify_signer_path_at_any_time(
    leaf: &Certificate,
    intermediates: &[Certificate],
    authority: &SignerAuthority,
    key_id: &str,
) -> Result<SignerPath, ChainError> {
    let mut refusal = ChainError::NeverValid;
    // A path that is valid at all is valid when the last of its certificates begins.
    for certificate in [leaf].into_iter().chain(intermediates) {
        let at = certificate.validity().not_before;
        match verify_signer_path(leaf, intermediates, authority, key_id, at) {
            Ok(path) => return Ok(path),
            Err(ChainError::Expired { .. } | ChainError::NotYetValid { .. }) => {}
            Err(error) => refusal = error,
        }
    }
    Err(refusal)
}

fn check_key_id(
    leaf: &Certificate,
    authority: &SignerAuthority,
    key_id: &str,
) -> Result<(), ChainError> {
    if !authority.covers(key_id) {
        return Err(ChainError::KeyIdNotCovered { key_id: key_id.to_owned() });
    }
    match leaf.subject_alt_names().uri.iter().any(|uri| uri == key_id) {
        true => Ok(()),
        false => Err(ChainError::KeyIdNotInCertificate { key_id: key_id.to_owned() }),
    }
}

fn check_leaf(leaf: &Certificate, at: Timestamp) -> Result<(), ChainError> {
    let Validity { not_before, not_after } = leaf.validity();
    if leaf.is_ca() {
        return Err(ChainError::CaAsLeaf);
    }
    if leaf.key_usage().is_some_and(|usage| !usage.digital_signature) {
        return Err(ChainError::KeyUsage);
    }
    if at < not_before {
        return Err(ChainError::NotYetValid { at, not_before });
    }
    if !leaf.validity().covers(at) {
        return Err(ChainError::Expired { at, not_after });
    }
    Ok(())
}

/// One search for a path.
struct Search<'a> {
    leaf: &'a Certificate,
    intermediates: &'a [Certificate],
    authority: &'a SignerAuthority,
    purposes: Vec<Oid>,
    /// Why the last path that holds by RFC 5280 was refused by our rules.
    refusal: RefCell<Option<ChainError>>,
}

impl Search<'_> {
    fn run(&self, at: Timestamp) -> Result<SignerPath, ChainError> {
        let leaf = CertificateDer::from(self.leaf.der());
        let leaf = EndEntityCert::try_from(&leaf)
            .map_err(|error| ChainError::from_path_builder(error, at))?;
        let intermediates: Vec<_> =
            self.intermediates.iter().map(|one| CertificateDer::from(one.der())).collect();
        let accept = |path: &VerifiedPath<'_>| self.accept(path);
        let path = leaf.verify_for_usage(
            PATH_ALGORITHMS,
            &self.authority.anchors,
            &intermediates,
            unix_time(at),
            CheckedByUs,
            None,
            Some(&accept),
        );
        match path {
            Ok(path) => self.describe(&path),
            Err(error) => Err(self.explain(error, at)),
        }
    }

    /// Our rules over a path that holds otherwise. An error lets the search go on.
    fn accept(&self, path: &VerifiedPath<'_>) -> Result<(), webpki::Error> {
        self.check(path).map_err(|refusal| {
            self.refusal.replace(Some(refusal));
            webpki::Error::CertRevoked
        })
    }

    fn check(&self, path: &VerifiedPath<'_>) -> Result<(), ChainError> {
        self.not_revoked(self.leaf)?;
        for issuer in self.issuers(path) {
            self.not_revoked(issuer)?;
            if issuer.key_usage().is_some_and(|usage| !usage.key_cert_sign) {
                return Err(ChainError::IssuerKeyUsage { sha256: issuer.sha256() });
            }
            if !issuer_permits(issuer, &self.purposes) {
                return Err(ChainError::ExtendedKeyUsage { sha256: issuer.sha256() });
            }
        }
        self.root(path.anchor()).map(|_| ())
    }

    fn not_revoked(&self, certificate: &Certificate) -> Result<(), ChainError> {
        match self.authority.revokes(certificate) {
            true => Err(ChainError::Revoked { sha256: certificate.sha256() }),
            false => Ok(()),
        }
    }

    /// The intermediates that a path went through, the signer's issuer first.
    fn issuers<'p>(&'p self, path: &'p VerifiedPath<'_>) -> impl Iterator<Item = &'p Certificate> {
        path.intermediate_certificates().filter_map(|used| {
            let der = used.der();
            self.intermediates.iter().find(|one| one.der() == der.as_ref())
        })
    }

    /// A root with this name and key that is not revoked. Several roots can share both.
    fn root(&self, anchor: &TrustAnchor<'_>) -> Result<&Certificate, ChainError> {
        let all = self.authority.anchors.iter().zip(&self.authority.roots);
        let mut refusal = ChainError::UnknownIssuer;
        for (_, root) in all.filter(|(one, _)| *one == anchor) {
            match self.not_revoked(root) {
                Ok(()) => return Ok(root),
                Err(revoked) => refusal = revoked,
            }
        }
        Err(refusal)
    }

    fn describe(&self, path: &VerifiedPath<'_>) -> Result<SignerPath, ChainError> {
        let mut certificates = vec![self.leaf.sha256()];
        let mut validity = self.leaf.validity();
        for issuer in self.issuers(path) {
            certificates.push(issuer.sha256());
            // All are valid at the one moment asked for.
            validity = validity.intersection(issuer.validity()).unwrap_or(validity);
        }
        certificates.push(self.root(path.anchor())?.sha256());
        Ok(SignerPath { certificates, validity })
    }

    fn explain(&self, error: webpki::Error, at: Timestamp) -> ChainError {
        match (self.refusal.take(), ChainError::from_path_builder(error, at)) {
            (Some(refusal), _) => refusal,
            (None, ChainError::NameConstraints) if self.uris_are_constrained() => {
                ChainError::UriConstraintsUnsupported
            }
            (None, error) => error,
        }
    }

    /// Whether a certificate that could be in the path, by its name, constrains URIs.
    fn uris_are_constrained(&self) -> bool {
        let offered: Vec<_> = self.intermediates.iter().chain(&self.authority.roots).collect();
        let mut above = vec![self.leaf];
        let mut next = 0;
        while let Some(certificate) = above.get(next).copied() {
            for issuer in offered.iter().filter(|one| one.subject() == certificate.issuer()) {
                if issuer.constrains_uris() {
                    return true;
                }
                if !above.contains(issuer) {
                    above.push(issuer);
                }
            }
            next += 1;
        }
        false
    }
}

/// Certificates begin in 1970, so that nothing is valid before.
pub(crate) fn unix_time(at: Timestamp) -> UnixTime {
    let seconds = u64::try_from(at.as_millis().div_euclid(1000)).unwrap_or(0);
    UnixTime::since_unix_epoch(Duration::from_secs(seconds))
}

/// The path builder leaves the extended key usage to its callers, who know the whole path.
pub(crate) struct CheckedByUs;

impl ExtendedKeyUsageValidator for CheckedByUs {
    fn validate(&self, mut purposes: KeyPurposeIdIter<'_, '_>) -> Result<(), webpki::Error> {
        purposes.try_for_each(|purpose| purpose.map(drop))
    }
}
