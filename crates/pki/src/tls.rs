//! The certificates behind `tls_server_cert_sha256`: evidence of type `tls-chain`.
//!
//! What passes shows that this certificate existed for this host, and nothing about URL or content: TLS has no
//! non-repudiation. No root is consulted, so that the names alone say who vouches for the certificate.

use genten_primitives::{Sha256Digest, Timestamp};

use crate::{
    Certificate, CertificateError, IssuerSignatureError, MAX_CHAIN, SignatureAlgorithm, Validity,
    covering_name, issuer_text,
};

/// What the manifest and its URLs say about the connection.
#[derive(Clone, Copy, Debug)]
pub struct TlsClaims<'m> {
    /// `tls_server_cert_sha256`.
    pub leaf_sha256: Sha256Digest,
    /// The host of the final URL, without port; see [`covering_name`].
    pub host: &'m str,
    /// When the last byte of the answer arrived.
    pub fetched_at: Timestamp,
    /// `tls.spki_sha256`, when the manifest has it.
    pub spki_sha256: Option<Sha256Digest>,
    /// `tls.issuer`, when the manifest has it.
    pub issuer: Option<&'m str>,
}

/// What a chain shows once every rule holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsChainFacts {
    /// The server's certificate.
    pub leaf: Certificate,
    /// Who signed it.
    pub issuer: LeafIssuer,
    /// The subjectAltName that covers the host.
    pub covering_name: String,
}

/// Who signed a server's certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeafIssuer {
    /// The holder of this certificate of the chain.
    Certificate(Box<Certificate>),
    /// The server itself: nobody vouches for the certificate.
    SelfSigned,
}

/// Why a chain does not support the manifest: one variant per rule, in the order of checking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TlsChainError {
    /// No certificate at all.
    #[error("chain is empty")]
    Empty,
    /// More certificates than [`MAX_CHAIN`].
    #[error("chain of {found} certificates, of at most {MAX_CHAIN}")]
    TooManyCertificates {
        /// How many there are.
        found: usize,
    },
    /// The first certificate is another than the manifest's.
    #[error("leaf certificate has the digest {calculated}, the manifest says {expected}")]
    LeafDigest {
        /// `tls_server_cert_sha256`.
        expected: Sha256Digest,
        /// SHA-256 of the certificate.
        calculated: Sha256Digest,
    },
    /// A certificate that is needed cannot be read.
    #[error("certificate {index} of the chain is unreadable")]
    Certificate {
        /// Its place in the chain, the leaf being 0.
        index: usize,
        /// What is wrong with it.
        source: CertificateError,
    },
    /// A precertificate (RFC 6962 section 3.1), which no server can use.
    #[error("leaf is a precertificate")]
    Precertificate,
    /// No name of the certificate covers the host.
    #[error("no name in the certificate covers {host:?}")]
    Host {
        /// The host of the final URL.
        host: String,
    },
    /// Fetched outside the validity of the certificate.
    #[error("fetched at {fetched_at}, outside {} to {}", .validity.not_before, .validity.not_after)]
    Validity {
        /// When the answer arrived.
        fetched_at: Timestamp,
        /// When the certificate may be used.
        validity: Validity,
    },
    /// The signed `tls.spki_sha256` is not the certificate's.
    #[error("certificate has the key digest {calculated}, the manifest says {expected}")]
    SpkiDigest {
        /// `tls.spki_sha256`.
        expected: Sha256Digest,
        /// SHA-256 of the certificate's SubjectPublicKeyInfo.
        calculated: Sha256Digest,
    },
    /// The signed `tls.issuer` is not the certificate's.
    #[error("certificate has the issuer {calculated:?}, the manifest says {expected:?}")]
    Issuer {
        /// `tls.issuer`.
        expected: String,
        /// The text of the certificate's issuer.
        calculated: String,
    },
    /// The chain does not hold the issuer's certificate: its signature could not be looked at.
    #[error("issuer {issuer:?} is not in the chain")]
    IssuerMissing {
        /// The text of the leaf's issuer.
        issuer: String,
    },
    /// The certificate that bears the issuer's name may not sign certificates.
    #[error("issuer {sha256} is not a CA")]
    IssuerNotCa {
        /// SHA-256 of the issuer's certificate.
        sha256: Sha256Digest,
    },
    /// The issuer did not sign the leaf, or by a broken algorithm.
    #[error("issuer's signature on the leaf does not hold")]
    Signature(#[source] IssuerSignatureError),
    /// This build or this library cannot check the signature; every other rule holds.
    #[error("no check for signatures by {algorithm} under the issuer's key")]
    SignatureNotCheckable {
        /// The algorithm that the leaf names.
        algorithm: SignatureAlgorithm,
    },
}

impl TlsChainError {
    /// Whether the chain contradicts the manifest. Otherwise it only falls short of supporting it: the issuer's signature
    /// could not be looked at, and every other rule holds.
    pub fn is_contradiction(&self) -> bool {
        !matches!(self, Self::IssuerMissing { .. } | Self::SignatureNotCheckable { .. })
    }
}

/// Checks a chain, leaf first, against what the manifest says.
///
/// The issuer is any later certificate whose subject is the leaf's issuer, byte for byte; servers send chains out of order
/// and with strangers in them, which are passed over. A leaf that names itself as issuer must be signed by its own key.
///
/// # Errors
/// The first rule that is broken. The issuer's signature is the last, so that a signature that cannot be checked hides
/// nothing else.
pub fn check_tls_chain<D: AsRef<[u8]>>(
    chain: &[D],
    claims: &TlsClaims<'_>,
) -> Result<TlsChainFacts, TlsChainError> {
    PreparedTlsChain::new(chain)?.check(claims)
}

/// A chain whose certificates are read and whose issuer is looked for, which is the same for every manifest: prepare once,
/// check often.
#[derive(Clone, Debug)]
pub struct PreparedTlsChain {
    leaf_sha256: Sha256Digest,
    leaf: Result<Certificate, TlsChainError>,
    issuer: Result<LeafIssuer, TlsChainError>,
}

impl PreparedTlsChain {
    /// Reads a chain, leaf first, and looks for the leaf's issuer in it.
    ///
    /// # Errors
    /// An empty chain, or one that is too long. What is wrong inside is told by [`check`](Self::check).
    pub fn new<D: AsRef<[u8]>>(chain: &[D]) -> Result<Self, TlsChainError> {
        let (leaf, others) = chain.split_first().ok_or(TlsChainError::Empty)?;
        if chain.len() > MAX_CHAIN {
            return Err(TlsChainError::TooManyCertificates { found: chain.len() });
        }
        let leaf_sha256 = Sha256Digest::of(leaf.as_ref());
        let leaf = read_leaf(leaf.as_ref());
        let issuer = leaf.clone().and_then(|leaf| find_issuer(&leaf, others));
        Ok(Self { leaf_sha256, leaf, issuer })
    }

    /// Checks the chain against what one manifest says.
    ///
    /// # Errors
    /// As [`check_tls_chain`].
    pub fn check(&self, claims: &TlsClaims<'_>) -> Result<TlsChainFacts, TlsChainError> {
        let (expected, calculated) = (claims.leaf_sha256, self.leaf_sha256);
        if calculated != expected {
            return Err(TlsChainError::LeafDigest { expected, calculated });
        }
        let leaf = self.leaf.clone()?;
        let covering_name = check_leaf(&leaf, claims)?;
        let issuer = self.issuer.clone()?;
        Ok(TlsChainFacts { leaf, issuer, covering_name })
    }
}

fn read_leaf(der: &[u8]) -> Result<Certificate, TlsChainError> {
    let leaf = Certificate::from_der(der)
        .map_err(|source| TlsChainError::Certificate { index: 0, source })?;
    if leaf.is_precertificate() { Err(TlsChainError::Precertificate) } else { Ok(leaf) }
}

/// All rules about the leaf alone; the name that covers the host.
fn check_leaf(leaf: &Certificate, claims: &TlsClaims<'_>) -> Result<String, TlsChainError> {
    let TlsClaims { host, fetched_at, spki_sha256, issuer, .. } = *claims;
    let validity = leaf.validity();
    let covering = covering_name(leaf.subject_alt_names(), host)
        .ok_or_else(|| TlsChainError::Host { host: host.to_owned() })?;
    if !validity.covers(fetched_at) {
        return Err(TlsChainError::Validity { fetched_at, validity });
    }
    let calculated = leaf.spki_sha256();
    if let Some(expected) = spki_sha256.filter(|expected| *expected != calculated) {
        return Err(TlsChainError::SpkiDigest { expected, calculated });
    }
    let calculated = issuer_text(leaf);
    match issuer.filter(|expected| *expected != calculated) {
        Some(expected) => Err(TlsChainError::Issuer { expected: expected.to_owned(), calculated }),
        None => Ok(covering),
    }
}

/// The issuer whose signature holds. Several certificates can bear its name.
fn find_issuer<D: AsRef<[u8]>>(
    leaf: &Certificate,
    others: &[D],
) -> Result<LeafIssuer, TlsChainError> {
    if leaf.is_self_issued() && leaf.verify_signature(leaf).is_ok() {
        return Ok(LeafIssuer::SelfSigned);
    }
    let mut failure = None;
    for (index, der) in others.iter().enumerate() {
        match try_issuer(leaf, der.as_ref(), index + 1) {
            Some(Ok(issuer)) => return Ok(LeafIssuer::Certificate(Box::new(issuer))),
            Some(Err(error)) => failure = failure.or(Some(error)),
            None => {}
        }
    }
    Err(failure.unwrap_or_else(|| without_issuer(leaf)))
}

/// `None` when the certificate bears another name than the issuer's.
fn try_issuer(
    leaf: &Certificate,
    der: &[u8],
    index: usize,
) -> Option<Result<Certificate, TlsChainError>> {
    let issuer = match Certificate::from_der(der) {
        Ok(issuer) if issuer.subject() == leaf.issuer() => issuer,
        Ok(_stranger) => return None,
        Err(source) => return Some(Err(TlsChainError::Certificate { index, source })),
    };
    if !may_sign_certificates(&issuer) {
        return Some(Err(TlsChainError::IssuerNotCa { sha256: issuer.sha256() }));
    }
    Some(leaf.verify_signature(&issuer).map(|()| issuer).map_err(signature_error))
}

fn may_sign_certificates(issuer: &Certificate) -> bool {
    issuer.is_ca() && issuer.key_usage().is_none_or(|usage| usage.key_cert_sign)
}

/// A self-issued leaf alone is its own issuer; any other lacks one.
fn without_issuer(leaf: &Certificate) -> TlsChainError {
    match leaf.verify_signature(leaf) {
        Err(error) if leaf.is_self_issued() => signature_error(error),
        _ => TlsChainError::IssuerMissing { issuer: issuer_text(leaf) },
    }
}

fn signature_error(error: IssuerSignatureError) -> TlsChainError {
    match error {
        IssuerSignatureError::NotCheckable { algorithm } => {
            TlsChainError::SignatureNotCheckable { algorithm }
        }
        error => TlsChainError::Signature(error),
    }
}
