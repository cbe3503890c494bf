//! Log entries that are about what is exported.

use genten_jws::{Algorithm, Jws, SignedBytes, Typ};
use genten_manifest::{LogEvidence, Subject};
use genten_primitives::PublicKey;
use genten_tlog::rekor::{HashedRekord, LogEntry, LoggedKey};

use crate::command::document::Document;
use crate::failure::Failure;

/// An entry whose parts fit each other, and whose digest is that of what was signed.
pub(super) struct FittingEntry<'d> {
    pub(super) evidence: &'d LogEvidence,
    pub(super) entry: LogEntry,
    pub(super) rekord: HashedRekord,
    /// The signature that an entry under the signer's key holds, where there is only one: that of
    /// ES256, as DER.
    own_signature: Option<Vec<u8>>,
}

impl<'d> FittingEntry<'d> {
    fn of(evidence: &'d LogEvidence, signed: &[SignedBytes]) -> Option<Self> {
        let entry = LogEntry::read(evidence.entry.as_bytes()).ok()?;
        if !entry.kind().is_v2() {
            return None;
        }
        let body = entry.body()?;
        entry.check_form(body).ok()?;
        let rekord = HashedRekord::read(body).ok()?;
        let is_of = |one: &&SignedBytes| rekord.hash.digest(one.input()) == rekord.digest;
        let own_signature = own_signature(signed.iter().find(is_of)?);
        Some(Self { evidence, entry, rekord, own_signature })
    }

    /// Whether the signer logged it: its signature holds, under this key, and is the very one that
    /// an ES256 key made; in a certificate the key stands only where that certificate came along as
    /// the signer's. Everybody can log our digest.
    fn is_by(&self, document: &Document, key: &PublicKey) -> bool {
        let is_own = self.own_signature.as_ref().is_none_or(|own| *own == self.rekord.signature);
        let is_certified = match &self.rekord.key {
            LoggedKey::Certificate(der) => document.signer_certificates().any(|leaf| leaf == der),
            LoggedKey::PublicKey(_) => true,
        };
        is_own && is_certified && self.rekord.check_signature().is_ok_and(|found| found == *key)
    }
}

fn own_signature(signed: &SignedBytes) -> Option<Vec<u8>> {
    match signed.header().alg {
        Algorithm::Es256 => signed.signature().to_der(),
        Algorithm::EdDsa => None,
    }
}

/// The entries of this subject by this key, and how many others of it do not fit.
pub(super) fn fitting_by<'d>(
    document: &'d Document,
    subject: Subject,
    key: &PublicKey,
) -> (Vec<FittingEntry<'d>>, usize) {
    let (found, others) = fitting(document, subject);
    let all = found.len() + others;
    let by: Vec<_> = found.into_iter().filter(|entry| entry.is_by(document, key)).collect();
    let others = all - by.len();
    (by, others)
}

/// The same failure in every form that needs the key.
pub(super) fn key_missing() -> Failure {
    Failure::new(
        "the key under which the signature holds is not at hand",
        "Add the signer's certificates or DID document first: `genten bundle add --chain PEM`, \
         `--did-document FILE`.",
    )
}

/// The entries of this subject, and how many others of it do not fit.
fn fitting(document: &Document, subject: Subject) -> (Vec<FittingEntry<'_>>, usize) {
    let signed: Vec<_> = match subject {
        Subject::Manifest => vec![document.signed.clone()],
        Subject::Batch => document.batches().filter_map(|one| batch(&one.statement)).collect(),
        Subject::Content => Vec::new(),
    };
    let of_subject: Vec<_> =
        document.log_entries().filter(|evidence| evidence.subject == subject).collect();
    let found = of_subject.len();
    let fitting: Vec<_> =
        of_subject.into_iter().filter_map(|one| FittingEntry::of(one, &signed)).collect();
    let others = found - fitting.len();
    (fitting, others)
}

fn batch(statement: &str) -> Option<SignedBytes> {
    let jws = Jws::read(statement, Typ::Batch).ok()?;
    let payload = jws.payload().ok()?;
    jws.over(&payload).ok()
}
