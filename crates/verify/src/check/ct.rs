//! What Certificate Transparency says of the upstream's certificate: promises of logs (SCTs), or proofs of inclusion.
//!
//! Both are about the certificate in the chain that came along; without it there is nothing to hold them against.

use genten_manifest::{CtLogProof, EvidenceKind};
use genten_pki::{
    Certificate, CtEntry, CtFindings, CtLog, CtLogList, LeafIssuer, Sct, SctList, SctOutcome,
    TlsChainFacts, judge_scts,
};
use genten_tlog::{LogIdentity, NoteKey, TlogProof};

use crate::findings::Findings;
use crate::verifier::Case;
use crate::words::with_causes;
use crate::{Code, Detail, Requirement};

const WORD: Requirement = Requirement::Ct;

/// How many operators must have promised.
const OPERATORS: usize = 2;

/// `chains`: the chains that hold, whose leaf is the certificate that the manifest states.
pub(crate) fn check(case: &Case<'_>, chains: &[TlsChainFacts], findings: &mut Findings) {
    let Some(lists) = read_lists(case, findings) else { return };
    let proofs = proofs(case);
    let embedded = chains.iter().any(|chain| chain.leaf.sct_list().is_some());
    if lists.is_empty() && proofs.is_empty() && !embedded {
        return findings.lack(Code::CT_MISSING, WORD);
    }
    let Some(chain) = chains.first() else {
        return findings.pending(Code::CT_CHAIN_MISSING, WORD, Detail::None);
    };
    let Some(logs) = case.verifier.trust.kit.ct_log_list() else {
        return findings.pending(Code::CT_NO_LOG_LIST, WORD, Detail::None);
    };
    let subject = Subject::new(chain);
    let lists = subject.with_embedded(lists);
    let included = inclusion(&subject, &lists, logs, &proofs, findings);
    promises(case, &subject, &lists, logs, included, findings);
    if findings.is_silent_on(WORD) {
        // An embedded list that cannot be read is no promise, and silence would pass for one.
        findings.pending(Code::CT_NOTHING_VERIFIED, WORD, Detail::None);
    }
}

/// Every list of SCTs that the manifest states or that came beside the certificates; `None` when one is malformed.
fn read_lists(case: &Case<'_>, findings: &mut Findings) -> Option<Vec<SctList>> {
    let stated = match &case.claims.ct_log_proof {
        Some(CtLogProof::SctList(list)) => Some(list.as_slice()),
        Some(CtLogProof::TlogProof(_)) | None => None,
    };
    let brought = case.evidence.iter().filter_map(|item| match item.kind() {
        EvidenceKind::TlsChain(chain) => chain.scts.as_deref(),
        _ => None,
    });
    let read: Result<Vec<_>, _> =
        stated.into_iter().chain(brought).map(SctList::from_bytes).collect();
    match read {
        Ok(lists) => Some(lists),
        Err(error) => {
            findings.fail(Code::CT_MALFORMED, WORD, Detail::Text(error.to_string().into()));
            None
        }
    }
}

fn proofs<'c>(case: &'c Case<'_>) -> Vec<&'c [u8]> {
    let stated = match &case.claims.ct_log_proof {
        Some(CtLogProof::TlogProof(proof)) => Some(proof.as_slice()),
        Some(CtLogProof::SctList(_)) | None => None,
    };
    let brought = case.evidence.iter().filter_map(|item| match item.kind() {
        EvidenceKind::TlsChain(chain) => chain.tlog_proof.as_deref(),
        _ => None,
    });
    stated.into_iter().chain(brought).collect()
}

/// The certificate in both forms in which logs take it.
struct Subject<'c> {
    leaf: &'c Certificate,
    embedded: Option<SctList>,
    tbs: Vec<u8>,
    issuer_key_hash: genten_primitives::Sha256Digest,
}

impl<'c> Subject<'c> {
    fn new(chain: &'c TlsChainFacts) -> Self {
        let leaf = &chain.leaf;
        let issuer = match &chain.issuer {
            LeafIssuer::Certificate(issuer) => issuer,
            LeafIssuer::SelfSigned => leaf,
        };
        Self {
            leaf,
            embedded: leaf.sct_list().and_then(|list| SctList::from_bytes(list).ok()),
            tbs: leaf.tbs_without_scts(),
            issuer_key_hash: issuer.spki_sha256(),
        }
    }

    /// All lists, the embedded one once.
    fn with_embedded(&self, lists: Vec<SctList>) -> Vec<SctList> {
        let others = lists.into_iter().filter(|list| self.embedded.as_ref() != Some(list));
        self.embedded.iter().cloned().chain(others).collect()
    }

    /// What the SCTs of a list are about: the precertificate for those inside the certificate, the certificate itself for
    /// all others.
    fn entry(&self, list: &SctList) -> CtEntry<'_> {
        match self.embedded.as_ref() == Some(list) {
            true => {
                CtEntry::Precertificate { issuer_key_hash: self.issuer_key_hash, tbs: &self.tbs }
            }
            false => CtEntry::Certificate(self.leaf.der()),
        }
    }
}

/// What promises come to. Where a log proves inclusion, too few of them leave nothing open.
fn promises(
    case: &Case<'_>,
    subject: &Subject<'_>,
    lists: &[SctList],
    logs: &CtLogList,
    included: bool,
    findings: &mut Findings,
) {
    let skew = u32::try_from(case.verifier.policy.limits().clock_skew).unwrap_or(u32::MAX);
    let judge =
        |list| judge_scts(list, Some(&subject.entry(list)), logs, case.claims.fetched_at, skew);
    let judged: Vec<CtFindings<'_>> = lists.iter().map(judge).collect();
    let outcomes: Vec<_> = judged.iter().flat_map(|one| one.findings()).collect();
    for finding in &outcomes {
        let name = finding.log.map_or(String::new(), |log| log.description.clone());
        let name = Detail::Text(name.into());
        match &finding.outcome {
            SctOutcome::BadSignature(_) => findings.fail(Code::CT_SIGNATURE, WORD, name),
            SctOutcome::InTheFuture { .. } => findings.pending(Code::CT_IN_FUTURE, WORD, name),
            _ => {}
        }
    }
    let mut operators: Vec<_> = judged.iter().flat_map(CtFindings::operators).collect();
    operators.sort_unstable();
    operators.dedup();
    let names = || Detail::Text(operators.join(", ").into());
    match operators.len() {
        _ if outcomes.is_empty() => {}
        OPERATORS.. => findings.pass(Code::CT_PROMISED, WORD, names()),
        1.. if included => findings.pending(Code::CT_ONE_OPERATOR, None, names()),
        1.. => findings.short(Code::CT_ONE_OPERATOR, WORD, names()),
        0 if included => findings.pending(Code::CT_NOTHING_VERIFIED, None, Detail::None),
        0 => findings.pending(Code::CT_NOTHING_VERIFIED, WORD, Detail::None),
    }
}

/// Proofs that a static log holds the certificate; whether one does. The leaf needs the time and the extensions of the log's
/// own SCT.
fn inclusion(
    subject: &Subject<'_>,
    lists: &[SctList],
    logs: &CtLogList,
    proofs: &[&[u8]],
    findings: &mut Findings,
) -> bool {
    let judged: Vec<_> =
        proofs.iter().map(|proof| try_inclusion(subject, lists, logs, proof)).collect();
    let included = judged.iter().any(Result::is_ok);
    for one in judged {
        match one {
            Ok(place) => findings.pass(Code::CT_INCLUDED, WORD, Detail::Text(place.into())),
            Err((code @ Code::CT_PROOF_UNKNOWN_LOG, detail)) => {
                findings.pending(code, (!included).then_some(WORD), detail);
            }
            Err((code, detail)) => findings.fail(code, WORD, detail),
        }
    }
    included
}

fn try_inclusion(
    subject: &Subject<'_>,
    lists: &[SctList],
    logs: &CtLogList,
    proof: &[u8],
) -> Result<String, (Code, Detail)> {
    let fault =
        |code, error: &dyn std::error::Error| (code, Detail::Text(with_causes(error).into()));
    let file = TlogProof::parse(proof).map_err(|error| fault(Code::CT_PROOF_MALFORMED, &error))?;
    let checkpoint = file.unverified_checkpoint();
    let origin = checkpoint.unverified_origin();
    let (log, identity) = known_log(logs, origin)
        .ok_or_else(|| (Code::CT_PROOF_UNKNOWN_LOG, Detail::Text(origin.to_owned().into())))?;
    let checkpoint = checkpoint
        .verify(&identity, &[])
        .map_err(|error| fault(Code::CT_PROOF_CHECKPOINT, &error))?;
    let scts = lists.iter().flat_map(|list| list.v1().map(move |sct| (sct, list)));
    let of_log: Vec<_> = scts.filter(|(sct, _)| sct.log_id == log.log_id).collect();
    let is_relied_on = |(sct, _): &(&Sct, _)| sct.time().is_some_and(|at| log.is_relied_on_at(at));
    if !of_log.is_empty() && !of_log.iter().any(is_relied_on) {
        let detail = format!("{origin}: the list does not rely on it");
        return Err((Code::CT_PROOF_UNKNOWN_LOG, Detail::Text(detail.into())));
    }
    let fits = |(sct, list): (&Sct, &SctList)| {
        let leaf = sct.leaf_hash(&subject.entry(list)).ok()?;
        let inclusion = checkpoint.includes(leaf, file.proof()).ok()?;
        let index = inclusion.index().get();
        let is_there = sct.leaf_index().is_ok_and(|at| at.is_none_or(|at| at == index));
        is_there.then_some(index)
    };
    match of_log.into_iter().filter(is_relied_on).find_map(fits) {
        Some(index) => Ok(format!("{origin}#{index}")),
        None => Err((Code::CT_PROOF_INCLUSION, Detail::Text(origin.to_owned().into()))),
    }
}

fn known_log<'l>(logs: &'l CtLogList, origin: &str) -> Option<(&'l CtLog, LogIdentity)> {
    let log = logs.logs().iter().find(|log| log.origin() == Some(origin))?;
    let key = NoteKey::rfc6962(origin, log.key.as_ref().ok()?).ok()?;
    Some((log, LogIdentity::new(origin, vec![key]).ok()?))
}
