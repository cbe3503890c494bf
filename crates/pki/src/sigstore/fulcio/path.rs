//! Paths from a signing certificate to an authority of a trusted root.

use std::cell::Cell;
use std::time::Duration;

use der::asn1::ObjectIdentifier;
use genten_primitives::{Sha256Digest, Timestamp};
use rustls_pki_types::{CertificateDer, UnixTime};
use webpki::{EndEntityCert, ExtendedKeyUsageValidator, KeyPurposeIdIter, VerifiedPath};

use super::FulcioError;
use crate::path_algorithm::PATH_ALGORITHMS;
use crate::sigstore::{TrustedAuthority, TrustedRoot};
use crate::{Certificate, ChainError, Oid, Validity};

/// id-kp-codeSigning (RFC 5280 section 4.2.1.12).
pub(super) const CODE_SIGNING: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.3");
const ANY_PURPOSE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37.0");

/// A path that holds.
pub(super) struct Path<'r> {
    pub(super) authority: &'r TrustedAuthority,
    /// The certificate whose key signed the leaf.
    pub(super) issuer: &'r Certificate,
    pub(super) digests: Vec<Sha256Digest>,
}

/// Tries the authorities in their order. The first refusal that is more than a stranger's is the one reported.
pub(super) fn verify_path<'r>(
    leaf: &Certificate,
    root: &'r TrustedRoot,
    times: &[Timestamp],
) -> Result<Path<'r>, FulcioError> {
    let mut refusal = FulcioError::UnknownIssuer;
    for authority in root.certificate_authorities() {
        match verify_under(leaf, authority, times) {
            Ok(path) => return Ok(path),
            Err(error) if refusal == FulcioError::UnknownIssuer => refusal = error,
            Err(_) => {}
        }
    }
    Err(refusal)
}

fn verify_under<'r>(
    leaf: &Certificate,
    authority: &'r TrustedAuthority,
    times: &[Timestamp],
) -> Result<Path<'r>, FulcioError> {
    let issuers = find_issuers(leaf, authority, times)?;
    for issuer in &issuers {
        check_validity(issuer.validity(), times)?;
    }
    if let Some(&at) = times.iter().find(|at| !authority.window.contains(**at)) {
        return Err(FulcioError::AuthorityWindow { at, window: authority.window });
    }
    let issuer = *issuers.first().ok_or(FulcioError::UnknownIssuer)?;
    let digests = [leaf].into_iter().chain(issuers).map(Certificate::sha256).collect();
    Ok(Path { authority, issuer, digests })
}

/// The certificates above the leaf up to the anchor, by rustls-webpki (RFC 5280 section 6) at the first time.
fn find_issuers<'r>(
    leaf: &Certificate,
    authority: &'r TrustedAuthority,
    times: &[Timestamp],
) -> Result<Vec<&'r Certificate>, FulcioError> {
    let at = *times.first().ok_or(FulcioError::NoTime)?;
    let (root, between) = authority.certificates.split_last().ok_or(FulcioError::UnknownIssuer)?;
    if !root.is_ca() {
        return Err(FulcioError::UnknownIssuer);
    }
    let broken = Cell::new(None);
    let mut issuers = build_path(leaf, root, between, at, &broken).map_err(|error| {
        broken.take().map_or_else(|| from_path_builder(error, at), FulcioError::Path)
    })?;
    issuers.push(root);
    Ok(issuers)
}

/// The intermediates of a path from the leaf to `root`. Which of our rules refused the last path is left in `broken`.
fn build_path<'r>(
    leaf: &Certificate,
    root: &Certificate,
    between: &'r [Certificate],
    at: Timestamp,
    broken: &Cell<Option<ChainError>>,
) -> Result<Vec<&'r Certificate>, webpki::Error> {
    let (leaf, root) = (CertificateDer::from(leaf.der()), CertificateDer::from(root.der()));
    let (leaf, anchors) =
        (EndEntityCert::try_from(&leaf)?, [webpki::anchor_from_trusted_cert(&root)?]);
    let offered: Vec<_> = between.iter().map(|one| CertificateDer::from(one.der())).collect();
    let accept = |path: &VerifiedPath<'_>| {
        check_issuers(&used(path, between)).map_err(|error| {
            broken.set(Some(error));
            webpki::Error::CertRevoked
        })
    };
    let path = leaf.verify_for_usage(
        PATH_ALGORITHMS,
        &anchors,
        &offered,
        unix_time(at),
        CheckedByUs,
        None,
        Some(&accept),
    )?;
    Ok(used(&path, between))
}

/// The intermediates that a path went through, the leaf's issuer first.
fn used<'r>(path: &VerifiedPath<'_>, between: &'r [Certificate]) -> Vec<&'r Certificate> {
    let find = |der: CertificateDer<'_>| between.iter().find(|one| one.der() == der.as_ref());
    path.intermediate_certificates().filter_map(|used| find(used.der())).collect()
}

fn check_issuers(issuers: &[&Certificate]) -> Result<(), ChainError> {
    for issuer in issuers {
        if issuer.key_usage().is_some_and(|usage| !usage.key_cert_sign) {
            return Err(ChainError::IssuerKeyUsage { sha256: issuer.sha256() });
        }
        let purposes = issuer.extended_key_usage();
        let permits = |one: &Oid| *one == CODE_SIGNING || *one == ANY_PURPOSE;
        if purposes.is_some_and(|purposes| !purposes.iter().any(permits)) {
            return Err(ChainError::ExtendedKeyUsage { sha256: issuer.sha256() });
        }
    }
    Ok(())
}

fn check_validity(validity: Validity, times: &[Timestamp]) -> Result<(), FulcioError> {
    let Validity { not_before, not_after } = validity;
    match times.iter().find(|at| !validity.covers(**at)) {
        Some(&at) if at < not_before => Err(FulcioError::IssuerNotYetValid { at, not_before }),
        Some(&at) => Err(FulcioError::IssuerExpired { at, not_after }),
        None => Ok(()),
    }
}

/// The leaf was valid at the time, so that errors of time are an issuer's.
fn from_path_builder(error: webpki::Error, at: Timestamp) -> FulcioError {
    match ChainError::from_path_builder(error, at) {
        ChainError::UnknownIssuer => FulcioError::UnknownIssuer,
        ChainError::Expired { at, not_after } => FulcioError::IssuerExpired { at, not_after },
        ChainError::NotYetValid { at, not_before } => {
            FulcioError::IssuerNotYetValid { at, not_before }
        }
        error => FulcioError::Path(error),
    }
}

/// Certificates begin in 1970, so that nothing is valid before.
fn unix_time(at: Timestamp) -> UnixTime {
    let seconds = u64::try_from(at.as_millis().div_euclid(1000)).unwrap_or(0);
    UnixTime::since_unix_epoch(Duration::from_secs(seconds))
}

/// The path builder leaves the extended key usage to [`check_issuers`] and to the rules of the leaf.
struct CheckedByUs;

impl ExtendedKeyUsageValidator for CheckedByUs {
    fn validate(&self, mut purposes: KeyPurposeIdIter<'_, '_>) -> Result<(), webpki::Error> {
        purposes.try_for_each(|purpose| purpose.map(drop))
    }
}
