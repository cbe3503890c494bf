//! What Certificate Transparency says of the upstream's certificate: promises of logs (SCTs), or proofs of inclusion.
//!
//! Both are about the certificate in the chain that came along; without it there is nothing to hold them against.

use std::collections::HashSet;

use genten_manifest::{CtLogProof, EvidenceKind};
use genten_pki::{
    Certificate, CtEntry, CtFindings, CtLog, CtLogList, LeafIssuer, ListedSct, Sct, SctList,
    SctOutcome, TlsChainFacts, judge_scts,
};
use genten_primitives::Sha256Digest;
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
    let judged = judge(case, &subject, &lists, logs);
    let included = inclusion(&subject, &lists, &judged, logs, &proofs, findings);
    promises(&judged, included, findings);
    if findings.is_silent_on(WORD) {
        // An embedded list that cannot be read is no promise, and silence would pass for one.
        findings.pending(Code::CT_NOTHING_VERIFIED, WORD, Detail::None);
    }
}

fn judge<'l>(
    case: &Case<'_>,
    subject: &Subject<'_>,
    lists: &[SctList],
    logs: &'l CtLogList,
) -> Vec<CtFindings<'l>> {
    let skew = case.verifier.policy.limits().clock_skew;
    let seen_at = case.claims.fetched_at;
    lists
        .iter()
        .map(|list| judge_scts(list, Some(&subject.entry(list)), logs, seen_at, skew))
        .collect()
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
    issuer_key_hash: Sha256Digest,
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
fn promises(judged: &[CtFindings<'_>], included: bool, findings: &mut Findings) {
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

/// A leaf that a log promised to hold.
struct Leaf<'s> {
    sct: &'s Sct,
    hash: Sha256Digest,
}

/// The leaves of the promises that count, each once: a log's leaf needs the time and the extensions of its own SCT.
fn leaves<'s>(
    subject: &Subject<'_>,
    lists: &'s [SctList],
    judged: &[CtFindings<'_>],
) -> Vec<Leaf<'s>> {
    let mut leaves: Vec<Leaf<'s>> = Vec::new();
    for (list, judged) in lists.iter().zip(judged) {
        for (listed, finding) in list.entries().iter().zip(judged.findings()) {
            let (ListedSct::V1(sct), SctOutcome::Verified) = (listed, &finding.outcome) else {
                continue;
            };
            if leaves.iter().any(|leaf| leaf.sct == sct) {
                continue;
            }
            leaves.extend(sct.leaf_hash(&subject.entry(list)).ok().map(|hash| Leaf { sct, hash }));
        }
    }
    leaves
}

/// Proofs that a static log holds the certificate; whether one does.
fn inclusion(
    subject: &Subject<'_>,
    lists: &[SctList],
    judged: &[CtFindings<'_>],
    logs: &CtLogList,
    proofs: &[&[u8]],
    findings: &mut Findings,
) -> bool {
    if proofs.is_empty() {
        return false;
    }
    let leaves = leaves(subject, lists, judged);
    let shortfalls = judged.iter().flat_map(CtFindings::findings);
    let shortfalls = shortfalls.filter(|finding| !finding.outcome.is_contradiction());
    let named: HashSet<_> = shortfalls.filter_map(|finding| finding.log_id).collect();
    let tried: Vec<_> =
        proofs.iter().map(|proof| try_inclusion(&leaves, &named, logs, proof)).collect();
    let included = tried.iter().any(Result::is_ok);
    for one in tried {
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

/// `named`: the logs with SCTs that contradict nothing, whether these count or not.
fn try_inclusion(
    leaves: &[Leaf<'_>],
    named: &HashSet<Sha256Digest>,
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
    let of_log = || leaves.iter().filter(|leaf| leaf.sct.log_id == log.log_id);
    if of_log().next().is_none() && named.contains(&log.log_id) {
        let detail = format!("{origin}: no promise of it counts");
        return Err((Code::CT_PROOF_UNKNOWN_LOG, Detail::Text(detail.into())));
    }
    let fits = |leaf: &Leaf<'_>| {
        let inclusion = checkpoint.includes(leaf.hash, file.proof()).ok()?;
        let index = inclusion.index().get();
        let is_there = leaf.sct.leaf_index().is_ok_and(|at| at.is_none_or(|at| at == index));
        is_there.then_some(index)
    };
    match of_log().find_map(fits) {
        Some(index) => Ok(format!("{origin}#{index}")),
        None => Err((Code::CT_PROOF_INCLUSION, Detail::Text(origin.to_owned().into()))),
    }
}

fn known_log<'l>(logs: &'l CtLogList, origin: &str) -> Option<(&'l CtLog, LogIdentity)> {
    let log = logs.logs().iter().find(|log| log.origin() == Some(origin))?;
    let key = NoteKey::rfc6962(origin, log.key.as_ref().ok()?).ok()?;
    Some((log, LogIdentity::new(origin, vec![key]).ok()?))
}
