//! The certificate of a bundle: verified by the kit's trusted roots at every time of signing, and whom it must name.

use genten_pki::{
    ChainError, FulcioError, SigningCertificate, TrustedRoot, verify_signing_certificate,
};
use genten_primitives::Timestamp;

use crate::findings::Findings;
use crate::words::with_causes;
use crate::{Code, Detail, Requirement};

const SIGNER: Requirement = Requirement::Signer;

/// Whom a certificate must name, and who must have vouched for it. Both are compared byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateIdentity {
    /// A subjectAltName of the certificate: an e-mail address, a URI, a user name.
    pub identity: String,
    /// The issuer of the identity token: a URL.
    pub issuer: String,
}

/// Verifies the certificate. Whom it names is for `compare`.
pub(super) fn check(
    certificates: &[Vec<u8>],
    roots: &[TrustedRoot],
    times: &[Timestamp],
    findings: &mut Findings,
) -> Option<SigningCertificate> {
    match verify(certificates, roots, times) {
        Ok(certificate) => {
            findings.pass(Code::CERTIFICATE_HOLDS, SIGNER, Detail::None);
            Some(certificate)
        }
        Err(error) => {
            let (code, contradicts) = code(&error);
            let detail = Detail::Text(with_causes(&error).into());
            match contradicts {
                true => findings.fail(code, SIGNER, detail),
                false => findings.doubt(code, SIGNER, detail),
            }
            None
        }
    }
}

/// By whichever root verifies it; otherwise by the one that only falls short, so that no other root's word hides it.
fn verify(
    certificates: &[Vec<u8>],
    roots: &[TrustedRoot],
    times: &[Timestamp],
) -> Result<SigningCertificate, FulcioError> {
    let (leaf, chain) = certificates.split_first().ok_or(FulcioError::UnknownIssuer)?;
    let chain: Vec<&[u8]> = chain.iter().map(Vec::as_slice).collect();
    let mut refusal = FulcioError::UnknownIssuer;
    for root in roots {
        match verify_signing_certificate(leaf, &chain, root, times) {
            Ok(certificate) => return Ok(certificate),
            Err(error) => refusal = more_telling(refusal, error),
        }
    }
    Err(refusal)
}

/// Of two refusals the one that contradicts nothing, since the other root only is the wrong one; and not that no root knows
/// the issuer, where one does.
fn more_telling(one: FulcioError, other: FulcioError) -> FulcioError {
    match (&one, &other) {
        (FulcioError::UnknownIssuer, _) => other,
        (_, FulcioError::UnknownIssuer) => one,
        _ if code(&one).1 => other,
        _ => one,
    }
}

/// Compares whom the certificate names with whom the caller expects.
pub(super) fn compare(
    certificate: &SigningCertificate,
    wanted: Option<&CertificateIdentity>,
    findings: &mut Findings,
) {
    let names: Vec<_> = certificate.identities().iter().map(|one| one.as_str()).collect();
    let issuer = certificate.issuer().unwrap_or_default();
    let Some(wanted) = wanted else {
        let detail = Detail::Text(format!("{} by {issuer}", names.join(", ")).into());
        return findings.doubt(Code::SIGSTORE_IDENTITY_NOT_GIVEN, SIGNER, detail);
    };
    let texts = |expected: &str, found: &str| Detail::Texts {
        expected: expected.to_owned(),
        found: found.to_owned(),
    };
    if !names.contains(&wanted.identity.as_str()) {
        let detail = texts(&wanted.identity, &names.join(", "));
        return findings.fail(Code::SIGSTORE_OTHER_IDENTITY, SIGNER, detail);
    }
    if issuer != wanted.issuer {
        let detail = texts(&wanted.issuer, issuer);
        return findings.fail(Code::SIGSTORE_OTHER_ISSUER, SIGNER, detail);
    }
    findings.pass(Code::SIGSTORE_IDENTITY, SIGNER, Detail::None);
}

/// The code, and whether it contradicts: what the kit does not hold, or cannot date, does not.
fn code(error: &FulcioError) -> (Code, bool) {
    use FulcioError as E;
    match error {
        E::AuthorityWindow { .. } => (Code::CERTIFICATE_AUTHORITY_WINDOW, false),
        E::NoTime => (Code::CERTIFICATE_NO_TIME, false),
        E::Path(ChainError::SignatureNotCheckable { .. }) => (Code::CERTIFICATE_NOT_CHECKED, false),
        E::SctLogUnknown { .. } | E::SctLogUnusable { .. } => {
            (Code::CERTIFICATE_SCT_UNKNOWN_LOG, false)
        }
        E::SctLogWindow { .. } => (Code::CERTIFICATE_SCT_LOG_WINDOW, false),
        E::SctMissing | E::SctVersionUnknown => (Code::CERTIFICATE_SCT_MISSING, false),
        E::SctNotCheckable { .. } => (Code::CERTIFICATE_SCT_NOT_CHECKED, false),
        E::UnknownIssuer => (Code::CERTIFICATE_UNKNOWN_ISSUER, false),
        E::CaAsLeaf | E::KeyUsage | E::NotForCodeSigning | E::Precertificate => {
            (Code::CERTIFICATE_NOT_FOR_SIGNING, true)
        }
        E::Expired { .. } | E::NotYetValid { .. } => (Code::CERTIFICATE_NOT_VALID_THEN, true),
        E::IssuerExpired { .. } | E::IssuerNotYetValid { .. } => {
            (Code::CERTIFICATE_ISSUER_NOT_VALID, true)
        }
        E::IdentityMalformed
        | E::IdentityMissing
        | E::IssuerMalformed { .. }
        | E::IssuersDiffer { .. } => (Code::CERTIFICATE_IDENTITY, true),
        E::Path(_) => (Code::CERTIFICATE_PATH, true),
        E::RootInChain { .. } => (Code::CERTIFICATE_ROOT_IN_CHAIN, true),
        E::SctInvalid { .. } => (Code::CERTIFICATE_SCT_INVALID, true),
        E::SctList(_) => (Code::CERTIFICATE_SCT_MALFORMED, true),
        _ => (Code::CERTIFICATE_MALFORMED, true),
    }
}
