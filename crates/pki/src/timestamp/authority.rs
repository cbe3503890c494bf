//! Whose timestamps a verifier relies on.

use genten_primitives::key::KeyError;
use genten_primitives::{PublicKey, Sha256Digest, Timestamp};
use rustls_pki_types::CertificateDer;
use webpki::EndEntityCert;

use super::cms::SignerId;
use super::identity::Identity;
use super::info::GenTime;
use super::{TIME_STAMPING, TimestampError};
use crate::path_algorithm::PATH_ALGORITHMS;
use crate::signer::{ANY_PURPOSE, CheckedByUs, unix_time};
use crate::{Certificate, ChainError, MAX_CHAIN, Oid, SignatureAlgorithm};

/// A timestamp authority that is fit for use: its certificates make a chain of one that may stamp, whose signatures were
/// checked (or cannot be in this build, which each token is told). Prepared once, used for any number of tokens.
#[derive(Clone, Debug)]
pub struct TimestampAuthority {
    name: String,
    certificates: Vec<Certificate>,
    pub(super) identity: Identity,
    /// `None` for a key of a kind that cannot be checked.
    pub(super) key: Option<PublicKey>,
    /// The algorithm in the chain that cannot be checked.
    unchecked: Option<SignatureAlgorithm>,
    from: Option<Timestamp>,
    until: Option<Timestamp>,
}

/// Why an authority can stamp nothing. At fault is the trust kit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimestampAuthorityError {
    /// No certificate.
    #[error("timestamp authority has no certificate")]
    Empty,
    /// More certificates than [`MAX_CHAIN`].
    #[error("timestamp authority has {found} certificates, of at most {MAX_CHAIN}")]
    TooManyCertificates {
        /// How many there are.
        found: usize,
    },
    /// The window ends before it begins.
    #[error("timestamp authority is trusted until {until} and not before {from}")]
    Window {
        /// First moment.
        from: Timestamp,
        /// Last moment.
        until: Timestamp,
    },
    /// A serial number or an extension of the first certificate is not the DER of its type.
    #[error("timestamp authority's certificate {sha256} is malformed")]
    Malformed {
        /// SHA-256 of its DER.
        sha256: Sha256Digest,
    },
    /// The first certificate is one of a CA.
    #[error("timestamp authority's certificate {sha256} belongs to a CA")]
    CaAsSigner {
        /// SHA-256 of its DER.
        sha256: Sha256Digest,
    },
    /// The first certificate is not for timestamping and nothing else (RFC 3161 section 2.3).
    #[error("timestamp authority's certificate {sha256} is not for timestamping alone")]
    Purpose {
        /// SHA-256 of its DER.
        sha256: Sha256Digest,
    },
    /// The extended key usage of the first certificate is not critical (RFC 3161 section 2.3).
    #[error(
        "timestamp authority's certificate {sha256} states its purpose in an extension that is not critical"
    )]
    PurposeNotCritical {
        /// SHA-256 of its DER.
        sha256: Sha256Digest,
    },
    /// The first certificate has a key usage with neither digitalSignature nor nonRepudiation.
    #[error("timestamp authority's certificate {sha256} may not sign by its key usage")]
    KeyUsage {
        /// SHA-256 of its DER.
        sha256: Sha256Digest,
    },
    /// The key of the first certificate breaks the rules of its algorithm.
    #[error("timestamp authority's key is unusable")]
    Key(#[source] KeyError),
    /// A certificate is not followed by that of its issuer.
    #[error("certificate {index} of the timestamp authority is not followed by its issuer's")]
    Order {
        /// Its place in the list, the signer's being 0.
        index: usize,
    },
    /// An issuer that is not a CA, or may not sign certificates by its key usage.
    #[error("issuer {sha256} of the timestamp authority may not sign certificates")]
    IssuerNotCa {
        /// SHA-256 of its DER.
        sha256: Sha256Digest,
    },
    /// An issuer between signer and trust anchor that states purposes, of which none is timestamping.
    #[error("issuer {sha256} of the timestamp authority is not for timestamping")]
    IssuerPurpose {
        /// SHA-256 of its DER.
        sha256: Sha256Digest,
    },
    /// No moment at which all certificates are valid.
    #[error("the timestamp authority's certificates were never valid at the same time")]
    NeverValid,
    /// The certificates do not make a path (RFC 5280 section 6).
    #[error("the timestamp authority's certificates make no path")]
    Path(#[source] ChainError),
}

impl TimestampAuthority {
    /// Checks the certificates of an authority: the signer's first, the trust anchor last, each followed by its issuer's. One
    /// alone is signer and trust anchor at once. `from` and `until` are the first and the last moment at which the authority
    /// is relied on; without them there is no bound.
    ///
    /// The signer's certificate has the extended key usage timeStamping, critical and nothing beside it, is none of a CA, and
    /// may sign where it has a key usage. The others are of CAs that may sign certificates; those between signer and trust
    /// anchor either have no extended key usage or one with timeStamping or anyPurpose. Signatures, names and constraints are
    /// checked by rustls-webpki (RFC 5280 section 6). Nobody is asked for revocations.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn new(
        name: String,
        certificates: Vec<Certificate>,
        from: Option<Timestamp>,
        until: Option<Timestamp>,
    ) -> Result<Self, TimestampAuthorityError> {
        check_window(from, until)?;
        let identity = check_signer(&certificates)?;
        let key = signer_key(&certificates[0])?;
        check_issuers(&certificates)?;
        let unchecked = check_path(&certificates)?;
        Ok(Self { name, certificates, identity, key, unchecked, from, until })
    }

    /// The name that the trust kit gives it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The certificates: the signer's first, the trust anchor last.
    pub fn certificates(&self) -> &[Certificate] {
        &self.certificates
    }

    /// The first moment at which the authority is relied on.
    pub fn from(&self) -> Option<Timestamp> {
        self.from
    }

    /// The last moment at which the authority is relied on.
    pub fn until(&self) -> Option<Timestamp> {
        self.until
    }

    /// The certificate whose key signs.
    pub(super) fn signer(&self) -> &Certificate {
        &self.certificates[0]
    }

    pub(super) fn is(&self, signer: &SignerId) -> bool {
        self.identity.is(self.signer(), signer)
    }

    /// Every certificate is valid at the time of the stamp, both ends included; today does not matter.
    pub(super) fn check_validity(&self, time: GenTime) -> Result<(), TimestampError> {
        let gen_time = time.floor;
        let over = self.certificates.iter().find(|one| !one.validity().covers(gen_time));
        over.map_or(Ok(()), |one| {
            let (sha256, validity) = (one.sha256(), one.validity());
            Err(TimestampError::Validity { sha256, gen_time, validity })
        })
    }

    /// The path was checked when the authority was prepared, as far as it can be.
    pub(super) fn check_path(&self) -> Result<(), TimestampError> {
        match self.unchecked.clone() {
            Some(algorithm) => Err(TimestampError::PathNotCheckable { algorithm }),
            None => Ok(()),
        }
    }

    /// The window of this authority contains the time of the stamp, both ends included and to the last digit.
    pub(super) fn check_window(&self, time: GenTime) -> Result<(), TimestampError> {
        let (from, until) = (self.from, self.until);
        let outside = |gen_time| Err(TimestampError::OutsideWindow { gen_time, from, until });
        if from.is_some_and(|from| time.floor < from) {
            return outside(time.floor);
        }
        match until.is_some_and(|until| time.ceiling > until) {
            true => outside(time.ceiling),
            false => Ok(()),
        }
    }
}

fn check_window(
    from: Option<Timestamp>,
    until: Option<Timestamp>,
) -> Result<(), TimestampAuthorityError> {
    match (from, until) {
        (Some(from), Some(until)) if until < from => {
            Err(TimestampAuthorityError::Window { from, until })
        }
        _ => Ok(()),
    }
}

/// The rules for the certificate of the signer (RFC 3161 section 2.3).
fn check_signer(certificates: &[Certificate]) -> Result<Identity, TimestampAuthorityError> {
    use TimestampAuthorityError as E;
    let found = certificates.len();
    let signer = certificates.first().ok_or(E::Empty)?;
    if found > MAX_CHAIN {
        return Err(E::TooManyCertificates { found });
    }
    let sha256 = signer.sha256();
    let identity = Identity::of(signer).map_err(|_| E::Malformed { sha256 })?;
    match signer.extended_key_usage() {
        _ if signer.is_ca() => Err(E::CaAsSigner { sha256 }),
        Some([purpose]) if *purpose == TIME_STAMPING => match &identity {
            Identity { critical_purposes: false, .. } => Err(E::PurposeNotCritical { sha256 }),
            Identity { may_sign: false, .. } => Err(E::KeyUsage { sha256 }),
            _ => Ok(identity),
        },
        _ => Err(E::Purpose { sha256 }),
    }
}

fn signer_key(signer: &Certificate) -> Result<Option<PublicKey>, TimestampAuthorityError> {
    match signer.public_key() {
        Ok(key) => Ok(Some(key)),
        Err(KeyError::CurveUnsupported | KeyError::Unsupported) => Ok(None),
        Err(error) => Err(TimestampAuthorityError::Key(error)),
    }
}

fn check_issuers(certificates: &[Certificate]) -> Result<(), TimestampAuthorityError> {
    use TimestampAuthorityError as E;
    for (index, pair) in certificates.windows(2).enumerate() {
        let (subject, issuer) = (&pair[0], &pair[1]);
        let is_anchor = index + 2 == certificates.len();
        if subject.issuer() != issuer.subject() {
            return Err(E::Order { index });
        }
        if !issuer.is_ca() || issuer.key_usage().is_some_and(|usage| !usage.key_cert_sign) {
            return Err(E::IssuerNotCa { sha256: issuer.sha256() });
        }
        if !is_anchor && !issuer.extended_key_usage().is_none_or(permits_timestamps) {
            return Err(E::IssuerPurpose { sha256: issuer.sha256() });
        }
    }
    Ok(())
}

fn permits_timestamps(purposes: &[Oid]) -> bool {
    purposes.iter().any(|purpose| *purpose == TIME_STAMPING || *purpose == ANY_PURPOSE)
}

/// Checks the path at a moment at which all certificates are valid: at any other such moment the answer is the same. The
/// algorithm that cannot be checked, where that is all that is missing.
fn check_path(
    certificates: &[Certificate],
) -> Result<Option<SignatureAlgorithm>, TimestampAuthorityError> {
    use TimestampAuthorityError as E;
    let all = certificates.iter().map(Certificate::validity);
    let common = all.map(Some).reduce(|one, other| one?.intersection(other?)).flatten();
    let at = common.ok_or(E::NeverValid)?.not_before;
    match certificates {
        [signer, intermediates @ .., anchor] => match path(signer, intermediates, anchor, at) {
            Ok(()) => Ok(None),
            Err(ChainError::SignatureNotCheckable { algorithm }) => Ok(Some(algorithm)),
            Err(error) => Err(E::Path(error)),
        },
        _ => Ok(None),
    }
}

fn path(
    signer: &Certificate,
    intermediates: &[Certificate],
    anchor: &Certificate,
    at: Timestamp,
) -> Result<(), ChainError> {
    let explain = |error| ChainError::from_path_builder(error, at);
    let anchor = CertificateDer::from(anchor.der());
    let anchor = webpki::anchor_from_trusted_cert(&anchor).map_err(explain)?;
    let signer = CertificateDer::from(signer.der());
    let signer = EndEntityCert::try_from(&signer).map_err(explain)?;
    let intermediates: Vec<_> =
        intermediates.iter().map(|one| CertificateDer::from(one.der())).collect();
    signer
        .verify_for_usage(
            PATH_ALGORITHMS,
            &[anchor],
            &intermediates,
            unix_time(at),
            CheckedByUs,
            None,
            None,
        )
        .map(drop)
        .map_err(explain)
}
