//! Evidence about when: batches, log entries, timestamps. Whether log and authority are believed, a trust kit decides later;
//! that the parts fit each other and the manifest is seen here.

use std::path::Path;

use genten_jws::{Algorithm, Jws, SignedBytes, Typ};
use genten_manifest::{BatchEvidence, Bundle, EvidenceKind, MAX_BUNDLE_BYTES, Subject};
use genten_pki::{TimestampError, TimestampToken};
use genten_primitives::encoding::hex;
use genten_primitives::json::{self, Limits, ObjectWriter};
use genten_primitives::{PublicKey, Sha256Digest};
use genten_tlog::batch::BatchStatement;
use genten_tlog::rekor::{BodyError, HashedRekord, LogEntry, LoggedKey};
use genten_tlog::{InclusionProof, LeafIndex};

use super::add::taken;
use crate::command::document::Document;
use crate::failure::{Done, Failure, read_file, with_causes};

const LIMIT: u64 = MAX_BUNDLE_BYTES as u64;

/// How much earlier than the manifest a batch may say that it was made, in milliseconds: what clocks differ.
const SKEW: i64 = 60_000;

/// A refusal without a code: what is wrong, in words.
fn refused(what: impl Into<String>, hint: &str) -> Failure {
    Failure::new(what, hint)
}

fn unreadable(error: &dyn std::error::Error, hint: &str) -> Failure {
    Failure::new(with_causes(error), hint)
}

/// The manifest's place in a batch of its own signer.
pub(super) fn batch(document: &Document, path: &Path) -> Done<Bundle> {
    let hint =
        "Give the place in the batch as JSON: {\"statement\": …, \"index\": …, \"hashes\": […]}.";
    let bytes = read_file(path, LIMIT)?;
    let read = json::read(&bytes, Limits::bytes(MAX_BUNDLE_BYTES))
        .map_err(|error| Failure::coded(error.rule.code(), &error, hint))?;
    let mut item = ObjectWriter::new();
    item.string("type", "batch");
    for name in ["statement", "index", "hashes"] {
        let value = read.root().get(name);
        let value = value.ok_or_else(|| refused(format!("{name} is missing"), hint))?;
        item.raw(name, value.raw());
    }
    let bundle = taken(document.bundle.to_bundle().with_evidence(&item.finish()))?;
    let grown = document.with(&bundle)?;
    let added = grown.bundle.evidence().last().map(|item| item.kind());
    let Some(EvidenceKind::Batch(evidence)) = added else { return Err(refused("no batch", hint)) };
    check_batch(document, evidence)?;
    Ok(bundle)
}

fn check_batch(document: &Document, evidence: &BatchEvidence) -> Done {
    let hint = "Give the statement as its signer signed it.";
    let (signed, statement) =
        read_batch(evidence).map_err(|words| refused(format!("statement: {words}"), hint))?;
    let (expected, found) = (document.key_id(), &signed.header().kid);
    if expected != found {
        return Err(refused(
            format!("the batch is signed by {found}, the manifest by {expected}"),
            "A manifest stands in batches of its own signer only.",
        ));
    }
    let other = "It is the place of another manifest, or of another batch.";
    let index = LeafIndex::new(evidence.index).map_err(|error| unreadable(&error, other))?;
    let proof = InclusionProof::new(index, evidence.hashes.clone())
        .map_err(|error| unreadable(&error, other))?;
    statement.check(document.manifest_id(), &proof).map_err(|error| unreadable(&error, other))?;
    if let Some(key) = document.signer_key() {
        signed.verify(&key).map_err(|error| Failure::coded(error.code(), &error, hint))?;
    }
    let (signed_at, created_at) = (document.claims().signed_at(), statement.created_at);
    match signed_at.millis_since(created_at) > SKEW {
        true => Err(refused(
            format!("the batch says {created_at}, the manifest was signed at {signed_at}"),
            "A batch is made after its manifests.",
        )),
        false => Ok(()),
    }
}

fn read_batch(evidence: &BatchEvidence) -> Result<(SignedBytes, BatchStatement), String> {
    let read = || -> Result<_, Box<dyn std::error::Error>> {
        let jws = Jws::read(&evidence.statement, Typ::Batch)?;
        let payload = jws.payload()?;
        Ok((BatchStatement::read(&payload)?, jws.over(&payload)?))
    };
    read().map(|(statement, signed)| (signed, statement)).map_err(|error| with_causes(&*error))
}

/// What is signed under this subject: the manifest, or each batch that it stands in.
fn signed_as(document: &Document, subject: Subject) -> Vec<SignedBytes> {
    match subject {
        Subject::Manifest => vec![document.signed.clone()],
        Subject::Batch => {
            document.batches().filter_map(|one| Some(read_batch(one).ok()?.0)).collect()
        }
        Subject::Content => Vec::new(),
    }
}

/// An entry of a log about the manifest, its batch or its content.
pub(super) fn log_entry(document: &Document, path: &Path, subject: Subject) -> Done<Bundle> {
    let hint = "Give the log's answer (TransparencyLogEntry, JSON), whole and unchanged.";
    let bytes = read_file(path, LIMIT)?;
    let entry = LogEntry::read(&bytes).map_err(|error| unreadable(&error, hint))?;
    if !entry.kind().is_v2() {
        let words = format!("the entry is of kind {}, of a Rekor v1 log", entry.kind());
        return Err(refused(
            words,
            "Manifests are logged as hashedrekord 0.0.2, by Rekor v2 logs.",
        ));
    }
    let body = entry.body().ok_or_else(|| unreadable(&BodyError::Missing, hint))?;
    let rekord = HashedRekord::read(body).map_err(|error| unreadable(&error, hint))?;
    entry.check_form(body).map_err(|error| unreadable(&error, hint))?;
    check_signature(&rekord)?;
    let key = rekord.public_key().map_err(|error| unreadable(&error, hint))?;
    let signature = match subject {
        Subject::Content => check_content(document, &rekord, &key).map(|()| None)?,
        Subject::Manifest | Subject::Batch => check_signed(document, subject, &rekord, &key)?,
    };
    taken(document.bundle.to_bundle().with_log_entry(subject, &bytes, signature.as_deref()))
}

fn check_signature(rekord: &HashedRekord) -> Done {
    match rekord.check_signature() {
        // Cannot be checked in this build, which does not speak against it.
        Ok(_) => Ok(()),
        Err(BodyError::Signature(error)) if error.is_not_checkable() => Ok(()),
        Err(error) => Err(unreadable(&error, "Nobody takes such an entry.")),
    }
}

fn other_digest(rekord: &HashedRekord, what: &str, expected: &[u8]) -> Failure {
    refused(
        format!("the entry is about {}, {what} has {}", hex(&rekord.digest), hex(expected)),
        "It is of another manifest, or --subject says something else than what was logged.",
    )
}

fn check_content(document: &Document, rekord: &HashedRekord, key: &PublicKey) -> Done {
    let expected = document.claims().content_sha256;
    if rekord.digest != expected.as_bytes() {
        return Err(other_digest(rekord, "the content", expected.as_bytes()));
    }
    match document.signed.verify(key).is_ok() {
        true => Err(refused(
            "the content was logged with the key that signs manifests",
            "Such a key signs no digest that others choose; log contents with a content log key.",
        )),
        false => Ok(()),
    }
}

/// The logged signature, where it is not that of the JWS.
fn check_signed(
    document: &Document,
    subject: Subject,
    rekord: &HashedRekord,
    key: &PublicKey,
) -> Done<Option<Vec<u8>>> {
    let all = signed_as(document, subject);
    let is_of = |signed: &&SignedBytes| rekord.hash.digest(signed.input()) == rekord.digest;
    let signed = match (&all.iter().filter(is_of).collect::<Vec<_>>()[..], subject) {
        ([one], _) => *one,
        (_, Subject::Manifest) => {
            let expected = rekord.hash.digest(document.signed.input());
            return Err(other_digest(rekord, "the manifest", &expected));
        }
        (found, _) => {
            return Err(refused(
                format!("{} batches of the bundle fit the entry, instead of one", found.len()),
                "Add the batch with --batch first, or in the same call.",
            ));
        }
    };
    let own = signed.signature().to_der().filter(|_| signed.header().alg == Algorithm::Es256);
    if own.as_ref() == Some(&rekord.signature) {
        return Ok(None);
    }
    let is_signers = signed.verify(key).is_ok();
    if is_signers && own.is_some() {
        return Err(refused(
            "the entry has another signature by the signer's key than the manifest",
            "With ES256 the manifest's own signature is logged, never a second one.",
        ));
    }
    if let LoggedKey::Certificate(der) = &rekord.key
        && is_signers
        && !document.signer_certificates().any(|own| own == der)
    {
        return Err(refused(
            "the certificate in the entry is not the signer's in the bundle",
            "Add the signer's chain with --chain first, or in the same call.",
        ));
    }
    if !is_signers {
        eprintln!(
            "genten: the entry is by another key than the manifest, thumbprint {}: it counts only where a kit lists that key \
             among the signer's log_keys",
            key.thumbprint()
        );
    }
    Ok(Some(rekord.signature.clone()))
}

/// A timestamp over the signature of the manifest or of its batch.
pub(super) fn timestamp(document: &Document, path: &Path, subject: Subject) -> Done<Bundle> {
    if subject == Subject::Content {
        return Err(Failure::usage(
            "a timestamp is about a manifest or a batch, not about a content",
            "Say --subject manifest or --subject batch.",
        ));
    }
    let hint = "Give the authority's answer (TimeStampResp) or the token in it, in DER.";
    let bytes = read_file(path, LIMIT)?;
    let token = TimestampToken::from_der(&bytes).map_err(|error| unreadable(&error, hint))?;
    let mut refusal = None;
    for (signature, is_own) in stamped(document, subject) {
        match token.verify(&signature, &[]) {
            // All that needs no authority holds; anything else nobody could judge, or it contradicts.
            Err(TimestampError::UnknownAuthority { .. }) => {
                let stated = (!is_own).then_some(&signature[..]);
                return taken(document.bundle.to_bundle().with_timestamp(subject, &bytes, stated));
            }
            Err(error) => refusal = refusal.or(Some(error)),
            Ok(_) => {}
        }
    }
    Err(match refusal {
        Some(error @ TimestampError::Imprint { .. }) => unreadable(
            &error,
            "It is of another manifest, or --subject says something else than what was stamped.",
        ),
        Some(error) => unreadable(&error, hint),
        None => refused(
            "the bundle holds no batch",
            "Add the batch with --batch first, or in the same call.",
        ),
    })
}

/// The signatures that can have been stamped, and whether each is the JWS's own: in the form in which logs keep it.
fn stamped(document: &Document, subject: Subject) -> Vec<(Vec<u8>, bool)> {
    let own =
        signed_as(document, subject).into_iter().filter_map(|signed| match signed.header().alg {
            Algorithm::Es256 => signed.signature().to_der(),
            Algorithm::EdDsa => Some(signed.signature().as_bytes().to_vec()),
        });
    let logged = document.log_entries().filter(|entry| entry.subject == subject);
    let logged = logged.filter_map(|evidence| {
        let entry = LogEntry::read(evidence.entry.as_bytes()).ok()?;
        Some(HashedRekord::read(entry.body()?).ok()?.signature)
    });
    own.map(|one| (one, true)).chain(logged.map(|one| (one, false))).collect()
}

/// The token without the answer around it.
pub(super) fn token(bytes: &[u8]) -> Option<Sha256Digest> {
    Some(Sha256Digest::of(TimestampToken::from_der(bytes).ok()?.der()))
}
