//! Evidence of logs, batches and timestamps, as it stands there.

use genten_jws::{Jws, Typ};
use genten_manifest::{BatchEvidence, LogEvidence, TimestampEvidence};
use genten_pki::{TimestampSigner, TimestampToken};
use genten_primitives::encoding::hex;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_tlog::UnverifiedCheckpoint;
use genten_tlog::batch::BatchStatement;
use genten_tlog::rekor::{HashedRekord, LogEntry, LoggedKey};

use crate::command::text::{Rows, Text, count};
use crate::failure::with_causes;

/// A log entry: what was logged, where, by whose key, and who is said to have seen it.
pub(super) fn entry(evidence: &LogEvidence, text: &mut Text, object: &mut ObjectWriter<'static>) {
    let mut rows = Rows::default();
    rows.add("subject", evidence.subject.as_str());
    object.string("subject", evidence.subject.as_str());
    match LogEntry::read(evidence.entry.as_bytes()) {
        Err(error) => unreadable(&error, &mut rows, object),
        Ok(entry) => {
            let (log_id, index) = (hex(entry.log_id()), entry.index());
            rows.add("log id", &log_id).add("index", index).add("kind", entry.kind());
            object
                .string("log_id", &log_id)
                .integer("index", i64::try_from(index.get()).unwrap_or(i64::MAX));
            body(&entry, &mut rows, object);
            checkpoint(&entry, &mut rows, object);
        }
    }
    text.rows(2, &rows);
}

fn unreadable(error: &dyn std::error::Error, rows: &mut Rows, object: &mut ObjectWriter<'static>) {
    let words = with_causes(error);
    rows.add("unreadable", &words);
    object.string("unreadable", &words);
}

fn body(entry: &LogEntry, rows: &mut Rows, object: &mut ObjectWriter<'static>) {
    let read = entry.body().map(HashedRekord::read);
    let Some(Ok(rekord)) = read else {
        rows.add("body", "cannot be read as that of a Rekor v2 log");
        return;
    };
    let (algorithm, digest) = (rekord.hash.as_str(), hex(&rekord.digest));
    rows.add("digest", format!("{algorithm}:{digest}"));
    object.string("digest", &format!("{algorithm}:{digest}"));
    let form = match &rekord.key {
        LoggedKey::Certificate(_) => "in a certificate",
        LoggedKey::PublicKey(_) => "alone",
    };
    let thumbprint = rekord.key.public_key().ok().map(|key| key.thumbprint());
    rows.add("key", format!("{}, {form}", rekord.details)).optional("", thumbprint);
    object.string("key", rekord.details.as_str()).text("thumbprint", thumbprint.as_ref());
}

/// Origin and names on the lines below it; whether they have signed is not looked at.
fn checkpoint(entry: &LogEntry, rows: &mut Rows, object: &mut ObjectWriter<'static>) {
    match entry.checkpoint().map(|text| UnverifiedCheckpoint::parse(text.as_bytes())) {
        None => {
            rows.add("checkpoint", "missing: the entry proves nothing");
        }
        Some(Err(error)) => {
            rows.add("checkpoint", format!("unreadable: {}", with_causes(&error)));
        }
        Some(Ok(checkpoint)) => signed_by(&checkpoint, rows, object),
    }
}

fn signed_by(
    checkpoint: &UnverifiedCheckpoint<'_>,
    rows: &mut Rows,
    object: &mut ObjectWriter<'static>,
) {
    let origin = checkpoint.unverified_origin();
    let lines = checkpoint.note().signatures().iter();
    let others: Vec<_> = lines.map(|line| line.name()).filter(|name| *name != origin).collect();
    let words = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
    rows.add("origin", origin).add("cosigners", words);
    let mut list = ArrayWriter::new();
    others.iter().for_each(|name| {
        list.string(name);
    });
    object.string("origin", origin).raw("cosigners", &list.finish());
}

/// A timestamp: the time that it claims, and whom it names.
pub(super) fn timestamp(
    evidence: &TimestampEvidence,
    text: &mut Text,
    object: &mut ObjectWriter<'static>,
) {
    let mut rows = Rows::default();
    rows.add("subject", evidence.subject.as_str());
    object.string("subject", evidence.subject.as_str());
    match TimestampToken::from_der(&evidence.token) {
        Err(error) => unreadable(&error, &mut rows, object),
        Ok(token) => {
            let (time, authority) = (token.claimed_time(), signer_words(&token.claimed_signer()));
            rows.add("claimed time", time).add("authority", &authority);
            object.string("claimed_time", &time.to_string()).string("authority", &authority);
        }
    }
    text.rows(2, &rows);
}

fn signer_words(signer: &TimestampSigner) -> String {
    match signer {
        TimestampSigner::IssuerAndSerial { issuer, serial } => {
            format!("certificate {serial} of {issuer}")
        }
        TimestampSigner::SubjectKeyId { id } => format!("certificate with the key id {id}"),
    }
}

/// A batch: which leaf of how many.
pub(super) fn batch(evidence: &BatchEvidence, text: &mut Text, object: &mut ObjectWriter<'static>) {
    let mut rows = Rows::default();
    rows.add("index", evidence.index);
    object.integer("index", i64::try_from(evidence.index).unwrap_or(i64::MAX));
    match statement(&evidence.statement) {
        Err(words) => {
            rows.add("unreadable", &words);
            object.string("unreadable", &words);
        }
        Ok((kid, statement)) => {
            let size = statement.size;
            rows.add("size", size)
                .add("root", statement.root)
                .add("created_at", statement.created_at)
                .add("kid", &kid);
            object
                .integer("size", i64::try_from(size.get()).unwrap_or(i64::MAX))
                .string("root", &statement.root.to_string())
                .string("created_at", &statement.created_at.to_string())
                .string("kid", &kid);
        }
    }
    rows.add("proof", count(evidence.hashes.len(), "hash", "hashes"));
    text.rows(2, &rows);
}

fn statement(text: &str) -> Result<(String, BatchStatement), String> {
    let jws = Jws::read(text, Typ::Batch).map_err(|error| with_causes(&error))?;
    let payload = jws.payload().map_err(|error| with_causes(&error))?;
    let statement = BatchStatement::read(&payload).map_err(|error| with_causes(&error))?;
    Ok((jws.header().kid.to_string(), statement))
}
