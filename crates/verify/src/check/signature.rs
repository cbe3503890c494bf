//! Whose signature it is: the heart of every verdict.
//!
//! Where the id is known to the trust kit, the kit's keys decide, whatever else was given. Otherwise the key in the id
//! decides, and is trusted only where the caller said so. Otherwise the caller's keys decide, and the id is a mere claim.

use std::sync::Arc;

use genten_jws::key_id::KeyLookupError;
use genten_jws::{Algorithm, JwsError, SignatureChecked, SignedBytes};
use genten_manifest::{EvidenceKind, KeyId};
use genten_pki::Certificate;
use genten_primitives::PublicKey;

use super::established::{self, Established};
use super::key_status::KeyUse;
use super::moments::{KeyAge, Moments};
use super::signer::VerifiedSigner;
use super::signer_certificate::{self, CertificateUse};
use crate::findings::Findings;
use crate::kit::{Authority, Signer, Status, TrustedDidDocument, Window};
use crate::report::{SignerReport, SigningKey, TrustedBy, TrustedTime};
use crate::verifier::Case;
use crate::{Code, Detail, Requirement};

const SIGNATURE: Requirement = Requirement::Signature;
const SIGNER: Requirement = Requirement::Signer;

/// A key that may have signed, and why it would be believed.
enum Candidate<'k> {
    /// Listed in the kit under this id.
    Kit(&'k Signer),
    /// In a DID document of the kit.
    Document(&'k TrustedDidDocument, &'k genten_jws::key_id::DocumentKey),
    /// In a certificate that came along, under an authority of the kit.
    Certified(&'k Authority, PublicKey, Vec<Arc<Certificate>>),
    /// In the id itself.
    Contained(PublicKey),
    /// Given by the caller.
    Given(&'k PublicKey),
}

impl Candidate<'_> {
    fn key(&self) -> &PublicKey {
        match self {
            Self::Kit(signer) => &signer.public_key,
            Self::Document(_, found) => &found.key,
            Self::Certified(_, key, _) | Self::Contained(key) => key,
            Self::Given(key) => key,
        }
    }

    /// The same kind of candidate with the same key.
    fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other) && self.key() == other.key()
    }
}

/// What is known of a manifest's signature, its signer, and the log entries and timestamps over it.
pub(crate) struct Signed {
    pub(crate) report: SignerReport,
    /// Whether a trusted signer's valid signature stands behind the manifest.
    pub(crate) attested: bool,
    pub(crate) evidence: Established,
}

impl Signed {
    fn unverified(report: SignerReport, case: &Case<'_>, findings: &mut Findings) -> Self {
        established::unjudged(case, findings);
        Self { report, attested: false, evidence: Established::default() }
    }
}

/// Checks signature, what logs and timestamp authorities say of it, and signer, in this order: whether a key is believed can
/// depend on when its signature existed.
pub(crate) fn check(case: &Case<'_>, signed: &SignedBytes, findings: &mut Findings) -> Signed {
    let id = &case.manifest.manifest().mcp_key_id;
    let mut report =
        SignerReport { id: id.clone(), id_checked: false, key: None, trusted_by: None };
    let chains = chains(case, signed).unwrap_or_else(|detail| {
        findings.fail(Code::CHAIN_MALFORMED, SIGNER, detail);
        Vec::new()
    });
    let Some(candidates) = candidates(case, id, &chains, findings) else {
        return Signed::unverified(report, case, findings);
    };
    let Some((verifying, checked)) = those_that_verify(&candidates, signed, findings) else {
        return Signed::unverified(report, case, findings);
    };
    findings.pass(Code::SIGNATURE_VALID, SIGNATURE, Detail::None);
    let key = checked.key();
    let algorithm = Algorithm::of(key).map_or("", Algorithm::as_str);
    report.key = Some(SigningKey { thumbprint: key.thumbprint(), algorithm });
    signer_certificate::check_hints(case, signed, key, &chains, findings);
    let signer = verified_signer(signed, &case.verifier.trust.kit, key, &verifying, &chains);
    let gathered = established::gather(case, &signer, findings);
    let age = trust(case, &verifying, gathered.moments(), &mut report, findings);
    let attested = report.trusted_by.is_some() && findings.is_silent_on(SIGNER);
    if attested {
        findings.pass(Code::SIGNER_TRUSTED, SIGNER, Detail::None);
    }
    let evidence = gathered.conclude(case, age, findings);
    Signed { report, attested, evidence }
}

/// What the kit ties to the key: other keys of the same signer, and certificates of it.
fn verified_signer<'c>(
    signed: &'c SignedBytes,
    kit: &crate::TrustKit,
    key: &'c PublicKey,
    candidates: &[&'c Candidate<'c>],
    chains: &[Chain],
) -> VerifiedSigner<'c> {
    let listed = || {
        candidates.iter().filter_map(|candidate| match candidate {
            Candidate::Kit(signer) => Some(*signer),
            _ => None,
        })
    };
    let is_good = |key: &&PublicKey| kit.revocation(key.thumbprint()).is_none();
    let leaves = chains.iter().filter_map(|chain| chain.first());
    let of_key = leaves.filter(|leaf| leaf.public_key().ok().as_ref() == Some(key));
    VerifiedSigner {
        signed,
        key,
        leaves: of_key.cloned().collect(),
        log_keys: listed().flat_map(|signer| &signer.log_keys).filter(is_good).collect(),
        content_log_keys: listed()
            .flat_map(|signer| &signer.content_log_keys)
            .filter(is_good)
            .collect(),
    }
}

/// What is known where the signature cannot be looked at.
pub(crate) fn unreadable(case: &Case<'_>, error: &JwsError, findings: &mut Findings) -> Signed {
    let code = Code::find(error.code()).unwrap_or(Code::SIGNATURE_INVALID);
    let detail = Detail::Text(crate::words::with_causes(error).into());
    match error.is_later_version() {
        true => findings.doubt(code, SIGNATURE, detail),
        false => findings.fail(code, SIGNATURE, detail),
    }
    let id = case.manifest.manifest().mcp_key_id.clone();
    let report = SignerReport { id, id_checked: false, key: None, trusted_by: None };
    match error.is_later_version() {
        // In a later version evidence may be bound in other ways.
        true => Signed { report, attested: false, evidence: Established::default() },
        false => Signed::unverified(report, case, findings),
    }
}

type Chain = Vec<Arc<Certificate>>;

/// Most certificate chains of a signer that are looked at: each may cost a hundred signature checks.
const MAX_CHAINS: usize = 4;

/// The certificate chains that came along, in the header and as evidence.
fn chains(case: &Case<'_>, signed: &SignedBytes) -> Result<Vec<Chain>, Detail> {
    let in_header = Some(&signed.header().x5c).filter(|chain| !chain.is_empty());
    let beside = case.evidence.iter().filter_map(|item| match item.kind() {
        EvidenceKind::X509Chain(chain) => Some(chain),
        _ => None,
    });
    let read = |chain: &Vec<Vec<u8>>| {
        let certificates = chain.iter().map(|der| case.verifier.memory.certificate(der));
        certificates
            .collect::<Result<Chain, _>>()
            .map_err(|error| Detail::Text(error.to_string().into()))
    };
    let chains: Vec<_> = in_header.into_iter().chain(beside).collect();
    match chains.len() {
        0..=MAX_CHAINS => chains.into_iter().map(read).collect(),
        found => Err(Detail::Text(format!("{found} chains, of at most {MAX_CHAINS}").into())),
    }
}

/// The keys that may have signed; `None` where there is none to try, with the reason written down.
fn candidates<'k>(
    case: &'k Case<'_>,
    id: &KeyId,
    chains: &[Chain],
    findings: &mut Findings,
) -> Option<Vec<Candidate<'k>>> {
    let trust = &case.verifier.trust;
    let authorities: Vec<_> =
        trust.kit.authorities.iter().filter(|one| one.authority.covers(id.as_str())).collect();
    let listed = trust.kit.signers.iter().filter(|signer| signer.key_id == *id).map(Candidate::Kit);
    let documents = trust.kit.did_documents.iter().filter(|document| document.did == id.did());
    let is_known = !authorities.is_empty() || documents.clone().next().is_some();
    let in_documents = documents.flat_map(|document| {
        let named = document.keys.iter().filter(|(known, _)| known == id);
        named.map(move |(_, key)| Candidate::Document(document, key))
    });
    let certified = authorities.iter().flat_map(|authority| {
        let keys =
            chains.iter().filter_map(|chain| Some((chain.first()?.public_key().ok()?, chain)));
        keys.map(|(key, chain)| Candidate::Certified(authority, key, chain.clone()))
    });
    let known: Vec<_> = listed.chain(in_documents).chain(certified).collect();
    if !known.is_empty() {
        return Some(known);
    }
    if is_known {
        let code = if authorities.is_empty() {
            Code::SIGNER_KEY_NOT_IN_DOCUMENT
        } else {
            Code::SIGNER_CHAIN_MISSING
        };
        return without_candidates(code, findings);
    }
    match case.verifier.memory.contained_key(id) {
        Some(Ok(key)) => Some(vec![Candidate::Contained(key)]),
        Some(Err(error)) => {
            malformed_id(&error, findings);
            None
        }
        None if trust.keys.is_empty() => without_candidates(Code::SIGNER_UNKNOWN, findings),
        None => Some(trust.keys.iter().map(Candidate::Given).collect()),
    }
}

fn without_candidates<T>(code: Code, findings: &mut Findings) -> Option<T> {
    findings.doubt(Code::SIGNATURE_NOT_CHECKED, SIGNATURE, Detail::None);
    findings.doubt(code, SIGNER, Detail::None);
    None
}

fn malformed_id(error: &KeyLookupError, findings: &mut Findings) {
    let code = Code::find(error.code()).unwrap_or(Code::SIGNATURE_INVALID);
    findings.fail(code, SIGNER, Detail::Text(crate::words::with_causes(error).into()));
}

/// The candidates under whose key the signature holds: those of one key and one kind, which differ only in what is
/// believed of the key. None at all is a rejection, by the plainest of the reasons.
fn those_that_verify<'c, 'k>(
    candidates: &'c [Candidate<'k>],
    signed: &SignedBytes,
    findings: &mut Findings,
) -> Option<(Vec<&'c Candidate<'k>>, SignatureChecked)> {
    let mut failure = None;
    for candidate in candidates {
        match signed.verify(candidate.key()) {
            Ok(checked) => {
                let alike = candidates.iter().filter(|other| other.is_like(candidate));
                return Some((alike.collect(), checked));
            }
            Err(error @ JwsError::Signature(_)) => failure = Some(error),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    let code = failure
        .as_ref()
        .and_then(|error| Code::find(error.code()))
        .unwrap_or(Code::SIGNATURE_INVALID);
    let text = failure.map(|error| crate::words::with_causes(&error)).unwrap_or_default();
    findings.fail(code, SIGNATURE, Detail::Text(text.into()));
    None
}

/// Whether the key is believed, and what speaks against it. Of several documents or authorities that name the key the
/// one that speaks best for it counts: old and new ones stand side by side in a kit.
///
/// Gives since when the key is known.
fn trust(
    case: &Case<'_>,
    candidates: &[&Candidate<'_>],
    moments: &Moments,
    report: &mut SignerReport,
    findings: &mut Findings,
) -> KeyAge {
    let attempts = candidates.iter().map(|candidate| {
        let mut attempt = findings.attempt();
        let age = key_age(candidate, &report.id);
        let time = moments.earliest(age);
        let trusted_by = trust_one(case, candidate, time, &report.id, &mut attempt);
        (candidate, trusted_by, age, attempt)
    });
    let best = attempts.min_by_key(|(.., attempt)| attempt.worst());
    let Some((candidate, trusted_by, age, attempt)) = best else { return KeyAge::Unknown };
    report.id_checked = !matches!(candidate, Candidate::Given(_));
    report.trusted_by = trusted_by;
    findings.adopt(attempt);
    age
}

/// Since when a key is known, apart from timed signatures.
fn key_age(candidate: &Candidate<'_>, id: &KeyId) -> KeyAge {
    let from = match candidate {
        Candidate::Contained(_) => return KeyAge::InId,
        _ if id.contains_key() => return KeyAge::InId,
        Candidate::Kit(signer) => signer.window.from,
        Candidate::Document(document, _) => document.window.from,
        Candidate::Certified(_, _, chain) => chain.first().map(|leaf| leaf.validity().not_before),
        Candidate::Given(_) => None,
    };
    from.map_or(KeyAge::Unknown, KeyAge::From)
}

fn trust_one(
    case: &Case<'_>,
    candidate: &Candidate<'_>,
    trusted_time: Option<&TrustedTime>,
    id: &KeyId,
    findings: &mut Findings,
) -> Option<TrustedBy> {
    let kit = &case.verifier.trust.kit;
    let key = candidate.key();
    if kit.is_content_log_key(key) {
        findings.fail(Code::SIGNER_CONTENT_LOG_KEY, SIGNER, Detail::None);
    }
    let trusted_time = trusted_time.map(|trusted| trusted.time);
    let undated =
        KeyUse { trusted_time, ..KeyUse::undated(kit, key.thumbprint(), case.claims, case.now) };
    match candidate {
        Candidate::Kit(signer) => {
            undated.dated(&signer.status, signer.window).check(findings);
            sources(case, signer, findings);
            Some(TrustedBy::Kit)
        }
        Candidate::Document(document, key) => {
            undated.dated(&Status::Active, document_window(document, key)).check(findings);
            Some(TrustedBy::DidDocument)
        }
        Candidate::Certified(authority, _, chain) => {
            undated.check(findings);
            let (id, claims, now) = (id.as_str(), case.claims, case.now);
            CertificateUse { authority, chain, id, claims, trusted_time, now }.check(findings);
            Some(TrustedBy::Authority(authority.name.clone()))
        }
        Candidate::Given(_) => {
            undated.check(findings);
            findings.note(Code::SIGNER_ID_CLAIMED, id.to_string());
            Some(TrustedBy::Key)
        }
        Candidate::Contained(key) => {
            undated.check(findings);
            let trusted_by = trust_of_contained(case, key, id);
            if trusted_by.is_none() {
                findings.doubt(Code::SIGNER_NOT_TRUSTED, SIGNER, held_otherwise(case, key));
            }
            trusted_by
        }
    }
}

/// The other name under which the kit holds the key, if it does.
fn held_otherwise(case: &Case<'_>, key: &PublicKey) -> Detail {
    let mut signers = case.verifier.trust.kit.signers().iter();
    match signers.find(|signer| signer.public_key == *key) {
        Some(signer) => {
            Detail::Text(format!("your trust kit holds this key under {}", signer.key_id).into())
        }
        None => Detail::None,
    }
}

/// A key in the id counts where the caller named the id or gave the key.
fn trust_of_contained(case: &Case<'_>, key: &PublicKey, id: &KeyId) -> Option<TrustedBy> {
    let trust = &case.verifier.trust;
    if trust.signers.iter().any(|signer| signer.id() == id) {
        return Some(TrustedBy::SignerId);
    }
    trust.keys.contains(key).then_some(TrustedBy::Key)
}

/// The document's window in the kit, cut short where the document itself lets the key expire.
fn document_window(document: &TrustedDidDocument, key: &genten_jws::key_id::DocumentKey) -> Window {
    let until = [document.window.until, key.expires].into_iter().flatten().min();
    Window { from: document.window.from, until }
}

/// A signer may be believed for some sources only.
fn sources(case: &Case<'_>, signer: &Signer, findings: &mut Findings) {
    let Some(patterns) = &signer.sources else { return };
    let covered = |url: &str| patterns.iter().any(|pattern| pattern.matches(url));
    let urls = [case.claims.source_url.as_str(), case.claims.final_url().as_str()];
    if let Some(outside) = urls.into_iter().find(|url| !covered(url)) {
        let detail = Detail::Text(outside.to_owned().into());
        findings.doubt(Code::SIGNER_SOURCE_NOT_COVERED, SIGNER, detail);
    }
}
