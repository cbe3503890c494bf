//! Servers' certificates that logs of Certificate Transparency are to be asked about, and the proofs that they gave.
//!
//! It lives in the journal's file, so that a manifest is recorded and its certificate queued in one step. A certificate is
//! asked about once, however many manifests have it; its proof serves all of them. Nothing leaves: what could not be proven
//! stays, with the reason.

mod asking;
mod placing;
mod status;

use genten_primitives::{Sha256Digest, Timestamp};
use rusqlite::{Row, Transaction, params};

pub use status::CertificateCounts;

use crate::Journal;
use crate::outbox::{digest, named};

/// The certificates of a journal.
#[derive(Clone, Copy, Debug)]
pub struct Certificates<'j> {
    journal: &'j Journal,
}

impl Journal {
    /// The certificates that are to be proven.
    pub fn certificates(&self) -> Certificates<'_> {
        Certificates { journal: self }
    }
}

/// The number of a certificate in its journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CertificateId(i64);

/// A certificate that a log has promised to hold at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedCertificate {
    /// SHA-256 of the certificate (DER).
    pub leaf: Sha256Digest,
    /// The promises that came beside it (a list of SCTs, in TLS encoding); those inside of it are there anyway.
    pub scts: Option<Vec<u8>>,
    /// The item of evidence that holds its chain (JSON).
    pub item: Vec<u8>,
}

/// How far a certificate has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CertificateState {
    /// No log will prove it.
    Failed,
    /// The proof is there.
    Proven,
    /// A log is to be asked.
    Queued,
}

impl CertificateState {
    /// `failed`, `proven` or `queued`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Proven => "proven",
            Self::Queued => "queued",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Failed, Self::Proven, Self::Queued].into_iter().find(|one| one.as_str() == name)
    }
}

/// A certificate that was proven or is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Its number.
    pub id: CertificateId,
    /// SHA-256 of it (DER).
    pub leaf: Sha256Digest,
    /// The item of evidence that holds its chain (JSON).
    pub item: Vec<u8>,
    /// How far it has come.
    pub state: CertificateState,
    /// How often a proof was asked for in vain.
    pub attempts: u32,
    /// What the last attempt met: its code.
    pub detail: Option<String>,
    /// What to do about that, in a sentence for a person; earlier versions kept none.
    pub hint: Option<String>,
    /// What the last attempt met, in its own words; earlier versions kept none.
    pub words: Option<String>,
    /// Its place: `<log origin>#<entry index>`.
    pub log_id: Option<String>,
    /// What people were told that speaks against the logs.
    pub told: Vec<String>,
}

/// The proof for a manifest's certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateProof {
    /// SHA-256 of the certificate (DER).
    pub leaf: Sha256Digest,
    /// The proof file (C2SP tlog-proof), verified.
    pub tlog_proof: Vec<u8>,
}

/// Adds the certificate of a manifest, unless it is there.
pub(crate) fn add(
    transaction: &Transaction<'_>,
    manifest_id: &Sha256Digest,
    wanted: &WantedCertificate,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let (leaf, scts) = (wanted.leaf.to_string(), wanted.scts.as_deref().unwrap_or_default());
    let item = Sha256Digest::of(&wanted.item).to_string();
    transaction
        .prepare_cached(
            "INSERT INTO certificate (leaf, scts, item, due_ms, changed_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (leaf, scts) DO NOTHING",
        )?
        .execute(params![leaf, scts, item, now.as_millis(), now.to_string()])?;
    transaction
        .prepare_cached(
            "INSERT INTO certified (manifest_id, certificate)
                SELECT ?, id FROM certificate WHERE leaf = ? AND scts = ?
                ON CONFLICT (manifest_id) DO NOTHING",
        )?
        .execute(params![manifest_id.to_string(), leaf, scts])
        .map(drop)
}

const COLUMNS: &str =
    "certificate.id, leaf, item.json, state, attempts, detail, hint, words, log_id, told";

/// Reads [`COLUMNS`]. What the checks of the schema exclude is a conversion error.
fn read(row: &Row<'_>) -> rusqlite::Result<Certificate> {
    Ok(Certificate {
        id: CertificateId(row.get(0)?),
        leaf: digest(row, 1)?,
        item: row.get(2)?,
        state: named(row, 3, CertificateState::from_name)?,
        attempts: row.get(4)?,
        detail: row.get(5)?,
        hint: row.get(6)?,
        words: row.get(7)?,
        log_id: row.get(8)?,
        told: row.get::<_, String>(9)?.lines().map(str::to_owned).collect(),
    })
}
