//! A signer whose id stands in a certificate.

use std::sync::Arc;

use genten_jws::SignedBytes;
use genten_manifest::Claims;
use genten_pki::{Certificate, ChainError, verify_signer_path, verify_signer_path_at_any_time};
use genten_primitives::{PublicKey, Timestamp};

use crate::findings::Findings;
use crate::kit::Authority;
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

const SIGNER: Requirement = Requirement::Signer;

/// One certificate chain under one authority of the kit.
pub(crate) struct CertificateUse<'a> {
    pub(crate) authority: &'a Authority,
    pub(crate) chain: &'a [Arc<Certificate>],
    pub(crate) id: &'a str,
    pub(crate) claims: &'a Claims,
    pub(crate) trusted_time: Option<Timestamp>,
    pub(crate) now: Timestamp,
}

impl CertificateUse<'_> {
    /// The path must hold when the manifest was signed, on its own word, and when it provably existed: at the trusted time,
    /// without one now.
    pub(crate) fn check(&self, findings: &mut Findings) {
        let proven = self.trusted_time.unwrap_or(self.now);
        let at_both = [self.claims.signed_at(), proven].into_iter();
        let error =
            at_both.filter_map(|at| self.path(at).err()).max_by_key(|error| effect(error).1);
        let Some(error) = error else { return };
        let (code, standing) = effect(&error);
        let detail = Detail::Text(error.to_string().into());
        match standing {
            Standing::Doubt => findings.doubt(code, SIGNER, detail),
            Standing::Contradiction => findings.fail(code, SIGNER, detail),
        }
    }

    /// A chain that is late or early is a matter of time only if it was good at some time.
    fn path(&self, at: Timestamp) -> Result<(), ChainError> {
        let Some((leaf, rest)) = self.chain.split_first() else {
            return Err(ChainError::UnknownIssuer);
        };
        let rest: Vec<Certificate> = rest.iter().map(|one| Certificate::clone(one)).collect();
        let (authority, id) = (&self.authority.authority, self.id);
        let path = verify_signer_path(leaf, &rest, authority, id, at);
        path.map(drop).map_err(|error| match error {
            ChainError::Expired { .. } | ChainError::NotYetValid { .. } => {
                verify_signer_path_at_any_time(leaf, &rest, authority, id).err().unwrap_or(error)
            }
            error => error,
        })
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Doubt,
    Contradiction,
}

fn effect(error: &ChainError) -> (Code, Standing) {
    use Standing::{Contradiction, Doubt};
    match error {
        ChainError::Expired { .. } | ChainError::NotYetValid { .. } => (Code::CHAIN_EXPIRED, Doubt),
        ChainError::UriConstraintsUnsupported => (Code::CHAIN_URI_CONSTRAINTS_UNSUPPORTED, Doubt),
        ChainError::SignatureNotCheckable { .. } => (Code::CHAIN_SIGNATURE_NOT_CHECKED, Doubt),
        ChainError::Revoked { .. } => (Code::CHAIN_REVOKED, Contradiction),
        ChainError::UnknownIssuer => (Code::CHAIN_UNKNOWN_ISSUER, Contradiction),
        ChainError::Signature | ChainError::SignatureWeak { .. } => {
            (Code::CHAIN_SIGNATURE, Contradiction)
        }
        ChainError::KeyIdNotInCertificate { .. } | ChainError::KeyIdNotCovered { .. } => {
            (Code::CHAIN_OTHER_ID, Contradiction)
        }
        ChainError::CaAsLeaf | ChainError::KeyUsage | ChainError::ExtendedKeyUsage { .. } => {
            (Code::CHAIN_NOT_FOR_SIGNING, Contradiction)
        }
        ChainError::TooManyCertificates { .. } | ChainError::TooComplex | ChainError::Malformed => {
            (Code::CHAIN_MALFORMED, Contradiction)
        }
        _ => (Code::CHAIN_CONSTRAINTS, Contradiction),
    }
}

/// Every chain that came along must begin with the certificate of the key that signed, and `x5t#S256` must be its digest.
pub(crate) fn check_hints(
    case: &Case<'_>,
    signed: &SignedBytes,
    key: &PublicKey,
    chains: &[Vec<Arc<Certificate>>],
    findings: &mut Findings,
) {
    let authorities = &case.verifier.trust.kit.authorities;
    if let Some(named) = signed.header().x5t_s256.filter(|_| chains.is_empty())
        && authorities.iter().any(|one| one.authority.revokes_digest(&named))
    {
        let detail = Detail::Text(format!("certificate {named}").into());
        findings.fail(Code::CHAIN_REVOKED, SIGNER, detail);
    }
    for leaf in chains.iter().filter_map(|chain| chain.first()) {
        if authorities.iter().any(|one| one.authority.revokes(leaf)) {
            let detail = Detail::Text(format!("certificate {}", leaf.sha256()).into());
            findings.fail(Code::CHAIN_REVOKED, SIGNER, detail);
        }
        if leaf.public_key().ok().as_ref() != Some(key) {
            let text = format!("chain begins with {}", leaf.sha256());
            findings.fail(Code::CHAIN_OTHER_KEY, SIGNER, Detail::Text(text.into()));
        }
        if let Some(expected) = signed.header().x5t_s256.filter(|stated| *stated != leaf.sha256()) {
            let detail = Detail::Digests { expected, found: leaf.sha256() };
            findings.fail(Code::CHAIN_OTHER_CERTIFICATE, SIGNER, detail);
        }
    }
    let id = case.manifest.manifest().mcp_key_id.as_str();
    let used = authorities.iter().any(|one| one.authority.covers(id));
    if !chains.is_empty() && !used {
        findings.pending(Code::CHAIN_NOT_USED, None, Detail::None);
    }
}
