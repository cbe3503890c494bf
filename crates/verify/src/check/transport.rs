//! The upstream's certificate: who vouched for it, and whether the chain in the bundle is the one that was signed for.

use genten_manifest::{EvidenceKind, TlsChain, TlsTrust};
use genten_pki::{LeafIssuer, TlsChainError, TlsChainFacts, TlsClaims};
use genten_primitives::Sha256Digest;

use crate::findings::Findings;
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

const TLS_CERTIFICATE: Requirement = Requirement::TlsCertificate;

/// Gives the chains that hold.
pub(crate) fn check(case: &Case<'_>, findings: &mut Findings) -> Vec<TlsChainFacts> {
    tls_certificate(case, findings);
    let chains = case.evidence.iter().filter_map(|item| match item.kind() {
        EvidenceKind::TlsChain(chain) => Some(chain),
        _ => None,
    });
    chains.filter_map(|chain| tls_chain(case, chain, findings)).collect()
}

/// What is stated. A chain that came along and does not hold leaves the requirement open, see [`tls_chain`].
fn tls_certificate(case: &Case<'_>, findings: &mut Findings) {
    const WORD: Requirement = TLS_CERTIFICATE;
    let encrypted = case.claims.final_url().has_scheme("https");
    if !encrypted || case.claims.tls_server_cert_sha256.is_none() {
        return findings.lack(Code::TLS_CERTIFICATE_MISSING, WORD);
    }
    let tls = case.claims.tls.as_ref();
    if tls.is_some_and(|tls| tls.proxy == Some(true)) {
        findings.note(Code::TLS_PROXY, "");
    }
    match tls.and_then(|tls| tls.trust) {
        Some(TlsTrust::PublicWithSct | TlsTrust::PublicWithoutSct) => {
            findings.pass(Code::TLS_CERTIFICATE_PUBLIC, WORD, Detail::None);
        }
        Some(other) => {
            findings.short(
                Code::TLS_CERTIFICATE_NOT_PUBLIC,
                WORD,
                Detail::Text(other.as_str().into()),
            );
        }
        None => findings.short(Code::TLS_CERTIFICATE_NOT_PUBLIC, WORD, Detail::None),
    }
}

fn tls_chain(case: &Case<'_>, chain: &TlsChain, findings: &mut Findings) -> Option<TlsChainFacts> {
    let tls = case.claims.tls.as_ref();
    let final_url = case.claims.final_url();
    let Some(leaf_sha256) = case.claims.tls_server_cert_sha256 else {
        let found = chain.certificates.first().map(|leaf| Sha256Digest::of(leaf).to_string());
        let text = format!(
            "the manifest states no certificate, the chain begins with {}",
            found.unwrap_or_default()
        );
        findings.fail(Code::TLS_CHAIN_UNSTATED, None, Detail::Text(text.into()));
        return None;
    };
    let claims = TlsClaims {
        leaf_sha256,
        host: final_url.host().unwrap_or_default(),
        fetched_at: case.claims.fetched_at,
        spki_sha256: tls.and_then(|tls| tls.spki_sha256),
        issuer: tls.and_then(|tls| tls.issuer.as_ref()).map(|issuer| issuer.as_str()),
    };
    let prepared = case.verifier.memory.tls_chain(&chain.certificates);
    match prepared.and_then(|chain| chain.check(&claims)) {
        Ok(facts) => {
            let name = Detail::Text(facts.covering_name.clone().into());
            findings.pass(Code::TLS_CHAIN_HOLDS, None, name);
            if matches!(facts.issuer, LeafIssuer::SelfSigned) {
                findings.note(Code::TLS_CHAIN_SELF_SIGNED, "");
            }
            return Some(facts);
        }
        Err(error) if error.is_contradiction() => findings.fail(code(&error), None, detail(&error)),
        Err(error) => findings.pending(code(&error), TLS_CERTIFICATE, detail(&error)),
    }
    None
}

fn code(error: &TlsChainError) -> Code {
    match error {
        TlsChainError::LeafDigest { .. } => Code::TLS_CHAIN_OTHER_CERTIFICATE,
        TlsChainError::Host { .. } => Code::TLS_CHAIN_HOST,
        TlsChainError::Validity { .. } => Code::TLS_CHAIN_VALIDITY,
        TlsChainError::SpkiDigest { .. } => Code::TLS_CHAIN_OTHER_KEY,
        TlsChainError::Issuer { .. } => Code::TLS_CHAIN_OTHER_ISSUER,
        TlsChainError::IssuerMissing { .. } => Code::TLS_CHAIN_ISSUER_MISSING,
        TlsChainError::IssuerNotCa { .. } => Code::TLS_CHAIN_ISSUER_NOT_CA,
        TlsChainError::Signature(_) => Code::TLS_CHAIN_SIGNATURE,
        TlsChainError::SignatureNotCheckable { .. } => Code::TLS_CHAIN_SIGNATURE_NOT_CHECKED,
        _ => Code::TLS_CHAIN_MALFORMED,
    }
}

fn detail(error: &TlsChainError) -> Detail {
    match error {
        TlsChainError::LeafDigest { expected, calculated }
        | TlsChainError::SpkiDigest { expected, calculated } => {
            Detail::Digests { expected: *expected, found: *calculated }
        }
        TlsChainError::Issuer { expected, calculated } => {
            Detail::Texts { expected: expected.clone(), found: calculated.clone() }
        }
        other => Detail::Text(other.to_string().into()),
    }
}
