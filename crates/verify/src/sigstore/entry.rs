//! Log entries of a bundle, of Rekor v1 and v2: about this very signature, and held by a log of the kit.

use genten_manifest::Subject;
use genten_primitives::{PublicKey, Timestamp};
use genten_tlog::rekor::{BodyError, EntryKind, HashedRekord, LogEntry, LoggedKey, v1};

use super::BundleVersion;
use super::content::Content;
use crate::check::log_codes::{body_code, failure_code, is_log_not_checkable};
use crate::logs::{LogFailure, Logged, Logs, Promise, Quorum};
use crate::report::LogReport;
use crate::words::with_causes;
use crate::{Code, Detail};

/// The signer as the bundle has it.
pub(super) struct BundleSigner<'b> {
    pub(super) key: &'b PublicKey,
    /// The certificate, where the bundle has one.
    pub(super) certificate: Option<&'b [u8]>,
}

/// An entry that counts.
pub(super) struct CountedEntry {
    /// Inclusion, or, in bundles of the first version, only the log's promise.
    pub(super) logged: Option<Logged>,
    pub(super) promise: Option<Promise>,
    stated_index: u64,
    log_id: Vec<u8>,
}

impl CountedEntry {
    /// The log: by the origin of its checkpoint, or by its name where there is only a promise.
    pub(super) fn origin(&self) -> &str {
        match (&self.logged, &self.promise) {
            (Some(logged), _) => logged.entry.checkpoint().origin(),
            (None, Some(promise)) => &promise.log_name,
            (None, None) => "",
        }
    }

    /// Where in the log, as far as the log says so: its promise covers the index over all its trees, its proof the one in the
    /// tree.
    pub(super) fn index(&self) -> u64 {
        match (&self.promise, &self.logged) {
            (None, Some(logged)) => logged.entry.inclusion().index().get(),
            _ => self.stated_index,
        }
    }

    /// Whether it is the other one again, whatever a bundle says of them: by the place in the tree, or, of a mere promise, by
    /// what the log signed.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (&self.logged, &other.logged) {
            (Some(one), Some(two)) => {
                let place = |logged: &Logged| {
                    let entry = &logged.entry;
                    (entry.checkpoint().origin().to_owned(), entry.inclusion().index())
                };
                place(one) == place(two)
            }
            _ => self.log_id == other.log_id && self.stated_index == other.stated_index,
        }
    }

    /// The time of the log's promise.
    pub(super) fn integrated_at(&self) -> Option<Timestamp> {
        self.promise.as_ref()?.time
    }

    /// Whether anybody but the log's owner stands behind it.
    pub(super) fn is_vouched_for(&self) -> bool {
        self.is_of_root() || self.witnesses().is_some()
    }

    /// Whether a trusted root names the log.
    pub(super) fn is_of_root(&self) -> bool {
        self.logged.as_ref().is_some_and(|logged| logged.is_of_root)
            || self.promise.as_ref().is_some_and(|promise| promise.is_of_root)
    }

    /// The witnesses of a quorum that is met, and the time by which it was.
    pub(super) fn witnesses(&self) -> Option<(Option<Timestamp>, &[String])> {
        match &self.logged.as_ref()?.quorum {
            Quorum::Met { by, witnesses } => Some((*by, witnesses)),
            Quorum::NotAsked | Quorum::NotMet { .. } => None,
        }
    }

    /// For the report.
    pub(super) fn report(&self) -> LogReport {
        let witnesses = self.witnesses();
        LogReport {
            subject: Subject::Content,
            origin: self.origin().to_owned(),
            index: self.index(),
            witnesses: witnesses.map_or(Vec::new(), |(_, names)| names.to_vec()),
            witnessed_by: witnesses.and_then(|(time, _)| time),
            is_of_trusted_root: self.is_of_root(),
            is_only_promised: self.logged.is_none(),
        }
    }

    /// Whether the log's key was in use at the time, by the kit.
    pub(super) fn is_in_window(&self, time: Timestamp) -> bool {
        self.logged.as_ref().is_none_or(|logged| logged.is_in_window(time))
            && self.promise.as_ref().is_none_or(|promise| promise.is_in_window(time))
    }
}

pub(super) enum Fault {
    Open(Code, Detail),
    Contradicts(Code, Detail),
}

fn contradicts(code: Code, error: &dyn std::error::Error) -> Fault {
    Fault::Contradicts(code, Detail::Text(with_causes(error).into()))
}

pub(super) fn judge(
    entry: &LogEntry,
    version: BundleVersion,
    content: &Content<'_>,
    signer: &BundleSigner<'_>,
    logs: &Logs,
) -> Result<CountedEntry, Fault> {
    let missing = BodyError::Missing;
    let body = entry.body().ok_or_else(|| contradicts(body_code(&missing), &missing))?;
    match entry.kind() {
        EntryKind::HashedRekordV2 => check_v2(body, content, signer)?,
        kind => check_v1(body, kind, content, signer)?,
    }
    let promise = promise(entry, body, logs)?;
    let logged = inclusion(entry, body, version, promise.is_some(), logs)?;
    if let Some(Logged { quorum: Quorum::NotMet { detail }, .. }) = &logged {
        let detail = Detail::Text(detail.clone().into());
        return Err(Fault::Open(Code::LOG_QUORUM_NOT_MET, detail));
    }
    if logged.is_none() && promise.as_ref().is_some_and(|promise| promise.asks_for_witnesses) {
        let detail = Detail::Text("nobody has seen a checkpoint with it".into());
        return Err(Fault::Open(Code::LOG_QUORUM_NOT_MET, detail));
    }
    let (stated_index, log_id) = (entry.index().get(), entry.log_id().to_vec());
    Ok(CountedEntry { logged, promise, stated_index, log_id })
}

/// A promise need not be there, and must hold where it is. Logs of version 2 make none: nobody gets a time from one.
fn promise(entry: &LogEntry, body: &[u8], logs: &Logs) -> Result<Option<Promise>, Fault> {
    if !entry.has_promise() {
        return Ok(None);
    }
    let promise = logs.verify_promise(entry, body);
    let promise = promise.map_err(|failure| of_failure(&failure, entry))?;
    Ok(Some(promise).filter(|_| !entry.kind().is_v2()))
}

/// From the second version of the format on a promise is not enough. A proof that is there must hold in any version.
fn inclusion(
    entry: &LogEntry,
    body: &[u8],
    version: BundleVersion,
    is_promised: bool,
    logs: &Logs,
) -> Result<Option<Logged>, Fault> {
    let promise_is_enough = version == BundleVersion::V01 && is_promised;
    if promise_is_enough && !entry.has_proof() {
        return Ok(None);
    }
    logs.verify(entry, body).map(Some).map_err(|failure| of_failure(&failure, entry))
}

fn of_failure(failure: &LogFailure, entry: &LogEntry) -> Fault {
    match failure {
        LogFailure::Unknown => {
            let id = genten_primitives::encoding::hex(entry.log_id());
            Fault::Open(Code::LOG_UNKNOWN, Detail::Text(format!("log id {id}").into()))
        }
        LogFailure::Entry(error) if is_log_not_checkable(error) => {
            Fault::Open(Code::LOG_SIGNATURE_NOT_CHECKED, Detail::Text(with_causes(error).into()))
        }
        LogFailure::Entry(error) => contradicts(failure_code(error), error),
    }
}

fn check_v2(body: &[u8], content: &Content<'_>, signer: &BundleSigner<'_>) -> Result<(), Fault> {
    let of_body = |error: BodyError| contradicts(body_code(&error), &error);
    let rekord = HashedRekord::read(body).map_err(of_body)?;
    rekord.public_key().map_err(of_body)?;
    expect_digest(content.digest(rekord.hash), &rekord.digest)?;
    expect_signature(content, &rekord.signature)?;
    expect_key(signer, &rekord.key)
}

fn check_v1(
    body: &[u8],
    kind: EntryKind,
    content: &Content<'_>,
    signer: &BundleSigner<'_>,
) -> Result<(), Fault> {
    if content.is_envelope() == (kind == EntryKind::HashedRekordV1) {
        let detail = Detail::Text(kind.to_string().into());
        return Err(Fault::Contradicts(Code::LOG_OTHER_KIND, detail));
    }
    let body =
        v1::Body::read(body, kind).map_err(|error| contradicts(body_code(&error), &error))?;
    expect_digest(content.payload_digest(body.hash), &body.digest)?;
    let [(signature, key)] = &body.signatures[..] else {
        return Err(Fault::Contradicts(Code::LOG_OTHER_SIGNATURE, Detail::None));
    };
    expect_signature(content, signature)?;
    expect_key(signer, key)
}

fn expect_digest(expected: Option<Vec<u8>>, found: &[u8]) -> Result<(), Fault> {
    let hex = genten_primitives::encoding::hex;
    match expected {
        None => Err(Fault::Open(Code::SIGSTORE_DIGEST_NEEDED, Detail::None)),
        Some(expected) if expected == found => Ok(()),
        Some(expected) => {
            let detail = Detail::Texts { expected: hex(&expected), found: hex(found) };
            Err(Fault::Contradicts(Code::LOG_OTHER_DIGEST, detail))
        }
    }
}

fn expect_signature(content: &Content<'_>, found: &[u8]) -> Result<(), Fault> {
    match content.signed.signature() == found {
        true => Ok(()),
        false => Err(Fault::Contradicts(Code::LOG_OTHER_SIGNATURE, Detail::None)),
    }
}

fn expect_key(signer: &BundleSigner<'_>, found: &LoggedKey) -> Result<(), Fault> {
    let fits = match (signer.certificate, found) {
        (Some(certificate), LoggedKey::Certificate(der)) => certificate == der,
        (None, LoggedKey::PublicKey(_)) => found.public_key().is_ok_and(|key| key == *signer.key),
        _ => false,
    };
    match fits {
        true => Ok(()),
        false => Err(Fault::Contradicts(Code::LOG_OTHER_KEY, Detail::None)),
    }
}
