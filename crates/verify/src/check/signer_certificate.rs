//! A signer whose id stands in a certificate.

use std::sync::Arc;

use genten_jws::SignedBytes;
use genten_manifest::Claims;
use genten_pki::{Certificate, ChainError, verify_signer_path};
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
    pub(crate) now: Timestamp,
}

impl CertificateUse<'_> {
    /// Without a trusted time the path must hold when the manifest was signed and still hold now.
    pub(crate) fn check(&self, findings: &mut Findings) {
        for at in [self.claims.signed_at(), self.now] {
            if let Err(error) = self.path(at) {
                let detail = Detail::Text(error.to_string().into());
                return match effect(&error) {
                    (code, Standing::Doubt) => findings.doubt(code, SIGNER, detail),
                    (code, Standing::Contradiction) => findings.fail(code, SIGNER, detail),
                };
            }
        }
    }

    fn path(&self, at: Timestamp) -> Result<(), ChainError> {
        let Some((leaf, rest)) = self.chain.split_first() else {
            return Err(ChainError::UnknownIssuer);
        };
        let rest: Vec<Certificate> = rest.iter().map(|one| Certificate::clone(one)).collect();
        verify_signer_path(leaf, &rest, &self.authority.authority, self.id, at).map(drop)
    }
}

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
    for leaf in chains.iter().filter_map(|chain| chain.first()) {
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
    let used = case.verifier.trust.kit.authorities.iter().any(|one| one.authority.covers(id));
    if !chains.is_empty() && !used {
        findings.pending(Code::CHAIN_NOT_USED, None, Detail::None);
    }
}
