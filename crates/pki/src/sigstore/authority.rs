//! The authorities of a trusted root.

use genten_primitives::json::Value;

use super::trusted_root::TrustedRootError;
use crate::document::{DocumentError, bytes, list, optional, optional_text, required, window};
use crate::{Certificate, MAX_CHAIN, Window};

/// One authority of a trusted root: of certificates or of timestamps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrustedAuthority {
    /// Whom the document names; not necessarily a certificate's subject.
    pub subject: AuthoritySubject,
    /// Where it is reached.
    pub uri: Option<String>,
    /// Its certificates as the document has them, leaf first; the last is believed as it is. At least one.
    pub certificates: Vec<Certificate>,
    /// When it may be believed.
    pub window: Window,
    /// Who runs it.
    pub operator: Option<String>,
}

/// A name in a trusted root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthoritySubject {
    /// Its organisation.
    pub organization: Option<String>,
    /// Its common name.
    pub common_name: Option<String>,
}

pub(super) fn read_authority(authority: Value<'_>) -> Result<TrustedAuthority, TrustedRootError> {
    let chain = required(authority, "certChain")?;
    let certificates = list(chain, "certificates", MAX_CHAIN, read_certificate)?;
    if certificates.is_empty() {
        return Err(TrustedRootError::CertificatesMissing { path: authority.path() });
    }
    Ok(TrustedAuthority {
        subject: optional(authority, "subject").map_or(Ok(AuthoritySubject::default()), subject)?,
        uri: optional_text(authority, "uri")?,
        certificates,
        window: window(required(authority, "validFor")?)?,
        operator: optional_text(authority, "operator")?,
    })
}

fn read_certificate(certificate: Value<'_>) -> Result<Certificate, TrustedRootError> {
    let der = bytes(required(certificate, "rawBytes")?)?;
    Certificate::from_der(&der)
        .map_err(|source| TrustedRootError::Certificate { path: certificate.path(), source })
}

fn subject(value: Value<'_>) -> Result<AuthoritySubject, DocumentError> {
    Ok(AuthoritySubject {
        organization: optional_text(value, "organization")?,
        common_name: optional_text(value, "commonName")?,
    })
}
