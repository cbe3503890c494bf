//! Log entries of a manifest, of its batch, and of the content (docs/formats.md, section 4).
//!
//! An entry counts when its body is about this manifest, a log of the kit holds it, the policies that list the log have their
//! quorum, and the key in it is tied to the signer. What contradicts is a rejection under every policy; what cannot be judged
//! is open only where the policy asks for a log.

use std::sync::Arc;

use genten_jws::Algorithm;
use genten_manifest::{EvidenceKind, LogEvidence, Subject};
use genten_primitives::PublicKey;
use genten_tlog::rekor::{HashedRekord, LoggedKey};

use super::batch::HeldBatch;
use super::log_codes::{
    body_code, failure_code, fault_code, is_log_not_checkable, is_not_checkable,
};
use super::signer::VerifiedSigner;
use crate::entry::{EntryFault, PreparedEntry};
use crate::findings::Findings;
use crate::logs::{LogFailure, Logged, Quorum};
use crate::report::LogReport;
use crate::verifier::Case;
use crate::words::with_causes;
use crate::{Code, Detail, Requirement};

/// An entry that counts.
#[derive(Clone, Debug)]
pub(crate) struct CountedEntry {
    pub(crate) subject: Subject,
    pub(crate) prepared: Arc<PreparedEntry>,
    /// Whether the key in it is the one that signed the manifest.
    pub(crate) is_by_signer: bool,
}

impl CountedEntry {
    fn logged(&self) -> Option<&Logged> {
        self.prepared.logged.as_ref().ok()
    }

    /// What the report says of it.
    pub(crate) fn report(&self) -> Option<LogReport> {
        let logged = self.logged()?;
        let (witnesses, by) = match &logged.quorum {
            Quorum::Met { witnesses, by } => (witnesses.clone(), *by),
            Quorum::NotAsked | Quorum::NotMet { .. } => (Vec::new(), None),
        };
        Some(LogReport {
            subject: self.subject,
            origin: logged.entry.checkpoint().origin().to_owned(),
            index: logged.entry.index().get(),
            witnesses,
            witnessed_by: by,
            is_of_trusted_root: logged.is_of_root,
            is_only_promised: false,
        })
    }
}

/// What was found of one item.
enum Found {
    /// It counts.
    Counted(CountedEntry),
    /// It is about this manifest, and something that nobody here can judge is missing.
    Open(Code, Detail),
    /// It contradicts.
    Contradicts(Code, Detail),
}

/// Checks all log entries that came along; those that count.
pub(crate) fn check(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    batches: &[HeldBatch],
    findings: &mut Findings,
) -> Vec<CountedEntry> {
    let mut counted: Vec<CountedEntry> = Vec::new();
    for evidence in entries(case) {
        match judge(case, signer, batches, evidence) {
            Found::Counted(entry) if is_double(&counted, &entry) => {
                findings.fail(Code::LOG_DUPLICATE_ENTRY, None, place(&entry.prepared));
            }
            Found::Counted(entry) => counted.push(entry),
            Found::Open(code, detail) => findings.pending(code, word(evidence.subject), detail),
            Found::Contradicts(code, detail) => {
                findings.fail(code, word(evidence.subject), detail);
            }
        }
    }
    conclude(case, Requirement::Log, &counted, findings);
    conclude(case, Requirement::LogContent, &counted, findings);
    witnesses(&counted, findings);
    pointer(case, &counted, findings);
    counted
}

/// Says of all entries that no key was there to tie them to.
pub(crate) fn unjudged(case: &Case<'_>, findings: &mut Findings) {
    for requirement in [Requirement::Log, Requirement::LogContent] {
        let is_there = entries(case).any(|item| word(item.subject) == requirement);
        let (not_checked, missing) = codes(requirement);
        match is_there {
            true => findings.pending(not_checked, requirement, Detail::None),
            false => findings.lack(missing, requirement),
        }
    }
    findings.lack(Code::WITNESS_MISSING, Requirement::Witness);
    pointer(case, &[], findings);
}

fn entries<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c LogEvidence> {
    case.evidence.iter().filter_map(|item| match item.kind() {
        EvidenceKind::RekorV2(evidence) => Some(evidence),
        _ => None,
    })
}

const fn word(subject: Subject) -> Requirement {
    match subject {
        Subject::Manifest | Subject::Batch => Requirement::Log,
        Subject::Content => Requirement::LogContent,
    }
}

const fn codes(requirement: Requirement) -> (Code, Code) {
    match requirement {
        Requirement::LogContent => (Code::LOG_CONTENT_NOT_CHECKED, Code::LOG_CONTENT_MISSING),
        _ => (Code::LOG_NOT_CHECKED, Code::LOG_MISSING),
    }
}

/// By the place in the tree, since an entry can name its log by several ids.
fn is_double(counted: &[CountedEntry], new: &CountedEntry) -> bool {
    let place = |one: &CountedEntry| {
        let logged = one.prepared.logged.as_ref().ok()?;
        let origin = logged.entry.checkpoint().origin().to_owned();
        Some((origin, logged.entry.inclusion().index(), one.subject))
    };
    counted.iter().any(|one| place(one) == place(new))
}

fn place(prepared: &PreparedEntry) -> Detail {
    match &prepared.logged {
        Ok(logged) => {
            let (origin, index) = (logged.entry.checkpoint().origin(), logged.entry.index());
            Detail::Text(format!("{origin}#{index}").into())
        }
        Err(_) => Detail::Text(format!("entry {}", prepared.entry.index()).into()),
    }
}

fn text(error: &dyn std::error::Error) -> Detail {
    Detail::Text(with_causes(error).into())
}

fn judge(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    batches: &[HeldBatch],
    evidence: &LogEvidence,
) -> Found {
    let prepared = match case.verifier.memory.entry(&evidence.entry, &case.verifier.trust.kit.logs)
    {
        Ok(prepared) => prepared,
        Err(fault) => return Found::Contradicts(fault_code(&fault), fault_detail(&fault)),
    };
    let key = match &prepared.key {
        Ok(key) => key,
        Err(error) => return Found::Contradicts(body_code(error), text(error)),
    };
    let role = Role::of(key, &prepared.rekord, signer, evidence.subject);
    if !is_checked(signer, evidence.subject, &prepared.rekord, role)
        && let Err(error) = prepared.check_signature()
    {
        return match is_not_checkable(error) {
            true => Found::Open(Code::LOG_SIGNATURE_NOT_CHECKED, text(error)),
            false => Found::Contradicts(body_code(error), text(error)),
        };
    }
    if let Err((code, detail)) =
        check_subject(case, signer, batches, evidence, &prepared.rekord, role)
    {
        return Found::Contradicts(code, detail);
    }
    match &prepared.logged {
        Err(LogFailure::Unknown) => {
            let id = genten_primitives::encoding::hex(prepared.entry.log_id());
            return Found::Open(Code::LOG_UNKNOWN, Detail::Text(format!("log id {id}").into()));
        }
        Err(LogFailure::Entry(error)) if is_log_not_checkable(error) => {
            return Found::Open(Code::LOG_SIGNATURE_NOT_CHECKED, text(error));
        }
        Err(LogFailure::Entry(error)) => {
            return Found::Contradicts(failure_code(error), text(error));
        }
        Ok(logged) => {
            if let Quorum::NotMet { detail } = &logged.quorum {
                let detail = Detail::Text(detail.clone().into());
                return Found::Open(Code::LOG_QUORUM_NOT_MET, detail);
            }
        }
    }
    match role {
        Role::Stranger => {
            let detail = format!("key {} in {}", key.thumbprint(), origin(&prepared));
            Found::Open(Code::LOG_KEY_UNBOUND, Detail::Text(detail.into()))
        }
        Role::OtherCertificate => Found::Contradicts(Code::LOG_OTHER_CERTIFICATE, place(&prepared)),
        Role::Signer | Role::LogKey => Found::Counted(CountedEntry {
            subject: evidence.subject,
            is_by_signer: role == Role::Signer,
            prepared,
        }),
    }
}

/// Whether the logged signature is the manifest's own, which holds: an ES256 signature is logged as it is.
fn is_checked(
    signer: &VerifiedSigner<'_>,
    subject: Subject,
    rekord: &HashedRekord,
    role: Role,
) -> bool {
    let signed = signer.signed;
    subject == Subject::Manifest
        && role == Role::Signer
        && signed.header().alg == Algorithm::Es256
        && rekord.digest == signed.sha256().as_bytes()
        && signed.signature().to_der().as_deref() == Some(&rekord.signature)
}

fn origin(prepared: &PreparedEntry) -> String {
    match place(prepared) {
        Detail::Text(text) => text.into_owned(),
        _ => String::new(),
    }
}

fn fault_detail(fault: &EntryFault) -> Detail {
    match fault {
        EntryFault::Entry(error) => text(error),
        EntryFault::Body(error) => text(error),
    }
}

/// Whose key an entry holds, as far as the kit ties it to the signer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The key that signed the manifest.
    Signer,
    /// A key that the kit lists for such entries of the signer.
    LogKey,
    /// A certificate that is not the signer's.
    OtherCertificate,
    /// A key that nothing ties to the signer.
    Stranger,
}

impl Role {
    fn of(
        key: &PublicKey,
        rekord: &HashedRekord,
        signer: &VerifiedSigner<'_>,
        subject: Subject,
    ) -> Self {
        if let LoggedKey::Certificate(der) = &rekord.key
            && !(signer.key == key && signer.has_leaf(der))
        {
            return Self::OtherCertificate;
        }
        if subject == Subject::Content {
            // Others choose what is signed for a content, so that no other key of the signer may sign it.
            let listed = signer.content_log_keys.contains(&key);
            return if listed { Self::LogKey } else { Self::Stranger };
        }
        match signer.key == key {
            true => Self::Signer,
            false if signer.log_keys.contains(&key) => Self::LogKey,
            false => Self::Stranger,
        }
    }
}

type Contradiction = (Code, Detail);

/// That the entry is about this manifest, its batch or its content, and under the signer's own key about the very signature.
fn check_subject(
    case: &Case<'_>,
    signer: &VerifiedSigner<'_>,
    batches: &[HeldBatch],
    evidence: &LogEvidence,
    rekord: &HashedRekord,
    role: Role,
) -> Result<(), Contradiction> {
    let signed = match evidence.subject {
        Subject::Content => {
            return expect_digest(
                rekord,
                case.claims.content_sha256.as_bytes(),
                Code::LOG_CONTENT_OTHER_DIGEST,
            );
        }
        Subject::Manifest => {
            expect_digest(
                rekord,
                &rekord.hash.digest(signer.signed.input()),
                Code::LOG_OTHER_DIGEST,
            )?;
            signer.signed
        }
        Subject::Batch => {
            let of_digest =
                |batch: &&HeldBatch| rekord.hash.digest(batch.signed().input()) == rekord.digest;
            match batches.iter().filter(of_digest).collect::<Vec<_>>()[..] {
                [batch] => batch.signed(),
                ref found => {
                    let detail = format!("{} batches fit the entry", found.len());
                    return Err((Code::LOG_BATCH_UNMATCHED, Detail::Text(detail.into())));
                }
            }
        }
    };
    let stated = evidence.signature.as_deref();
    let is_own_ecdsa = role == Role::Signer && signed.header().alg == Algorithm::Es256;
    let expected = match is_own_ecdsa {
        true => Some(signed.signature().to_der().unwrap_or_default()),
        false => None,
    };
    let fits = |one: Option<&[u8]>| one.is_none_or(|one| one == rekord.signature);
    match fits(stated) && fits(expected.as_deref()) {
        true => Ok(()),
        false => Err((Code::LOG_OTHER_SIGNATURE, Detail::None)),
    }
}

fn expect_digest(rekord: &HashedRekord, expected: &[u8], code: Code) -> Result<(), Contradiction> {
    if rekord.digest == expected {
        return Ok(());
    }
    let hex = genten_primitives::encoding::hex;
    let detail = Detail::Texts { expected: hex(expected), found: hex(&rekord.digest) };
    Err((code, detail))
}

/// Sums up for one word: one entry that counts is enough.
fn conclude(
    case: &Case<'_>,
    requirement: Requirement,
    counted: &[CountedEntry],
    findings: &mut Findings,
) {
    let mut of_word = counted.iter().filter(|entry| word(entry.subject) == requirement);
    let best = of_word.clone().find(|entry| entry.is_vouched_for()).or_else(|| of_word.next());
    let Some(entry) = best else {
        if findings.is_silent_on(requirement) {
            findings.lack(codes(requirement).1, requirement);
        }
        return;
    };
    let code = match requirement {
        Requirement::LogContent => Code::LOG_CONTENT_INCLUDED,
        _ => Code::LOG_INCLUDED,
    };
    match case.verifier.policy.counts_unwitnessed_logs() || entry.is_vouched_for() {
        true => findings.pass(code, requirement, place(&entry.prepared)),
        false => findings.short(Code::LOG_UNWITNESSED, requirement, place(&entry.prepared)),
    }
    if !entry.is_vouched_for() {
        findings.note(Code::LOG_UNWITNESSED, origin(&entry.prepared));
    }
}

impl CountedEntry {
    /// Whether anybody but the log's owner stands behind the checkpoint: a trusted root that names the log, or witnesses.
    fn is_vouched_for(&self) -> bool {
        self.logged()
            .is_some_and(|logged| logged.is_of_root || matches!(logged.quorum, Quorum::Met { .. }))
    }
}

fn witnesses(counted: &[CountedEntry], findings: &mut Findings) {
    let met =
        counted.iter().filter_map(CountedEntry::logged).find_map(|logged| match &logged.quorum {
            Quorum::Met { witnesses, .. } => Some(witnesses.join(", ")),
            Quorum::NotAsked | Quorum::NotMet { .. } => None,
        });
    match met {
        Some(names) => {
            findings.pass(Code::WITNESS_QUORUM, Requirement::Witness, Detail::Text(names.into()));
        }
        None => findings.lack(Code::WITNESS_MISSING, Requirement::Witness),
    }
}

/// The pointer beside the manifest is not signed; with an entry at hand it must lead to one.
fn pointer(case: &Case<'_>, counted: &[CountedEntry], findings: &mut Findings) {
    let Some(stated) = &case.manifest.manifest().transparency_log_id else { return };
    let places: Vec<_> = counted.iter().map(|entry| origin(&entry.prepared)).collect();
    if places.is_empty() {
        return findings.note(Code::LOG_POINTER_NOT_CHECKED, stated.to_string());
    }
    let stated = stated.to_string();
    if !places.contains(&stated) {
        let detail = Detail::Texts { expected: places.join(", "), found: stated };
        findings.fail(Code::LOG_POINTER, None, detail);
    }
}
