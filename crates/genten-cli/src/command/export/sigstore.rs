//! A Sigstore bundle (v0.3) of a manifest: a message signature over the signing input, which is the artifact.
//!
//! Sigstore's tools check ECDSA in DER, which is the manifest's own signature in another form, and Ed25519ph, which is not: with
//! an Ed25519 key the signature is that of a log entry.

use genten_jws::{Algorithm, SignedBytes};
use genten_manifest::{EvidenceKind, Subject};
use genten_pki::{TimestampError, TimestampToken};
use genten_primitives::encoding::base64;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_primitives::{HashAlgorithm, PublicKey, Sha256Digest};
use genten_tlog::rekor::LoggedKey;
use genten_verify::sigstore::SigstoreBundle;

use super::Exported;
use super::entry::{FittingEntry, fitting_by, key_missing};
use crate::command::document::Document;
use crate::failure::{Done, Failure};

const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";

pub(super) fn bundle(document: &Document, key: Option<&PublicKey>) -> Done<Exported> {
    let key = key.ok_or_else(key_missing)?;
    let mut notes = Vec::new();
    let (found, others) = fitting_by(document, Subject::Manifest, key);
    let (hash, signature) = signature(&document.signed, &found)?;
    let mut entries: Vec<_> =
        found.into_iter().filter(|entry| entry.rekord.signature == signature).collect();
    let material = material(document, key, &mut entries);
    let stamps = timestamps(document, &signature);
    tell(document, others, &entries, &stamps, &mut notes);
    let bytes = write(document, &material, &entries, &stamps, hash, &signature);
    SigstoreBundle::read(&bytes).map_err(|error| {
        Failure::coded(error.code(), &error, "An entry in the bundle is of no use in this form.")
    })?;
    Ok(Exported { bytes, notes })
}

/// The signature in the form that Sigstore's tools check.
fn signature(signed: &SignedBytes, entries: &[FittingEntry<'_>]) -> Done<(HashAlgorithm, Vec<u8>)> {
    match signed.header().alg {
        Algorithm::Es256 => {
            let der = signed.signature().to_der().ok_or_else(|| {
                Failure::new("the signature is none of ECDSA", "Get the manifest again.")
            })?;
            Ok((HashAlgorithm::Sha256, der))
        }
        Algorithm::EdDsa => match entries.first() {
            Some(entry) => Ok((HashAlgorithm::Sha512, entry.rekord.signature.clone())),
            None => Err(Failure::new(
                "the manifest is signed with Ed25519, and no log entry by this key came along",
                "Sigstore's tools check Ed25519ph, which is another signature than the manifest's and is made when it is logged. \
                 Log the manifest, add the entry with `genten bundle add --log-entry`, and export again.",
            )),
        },
    }
}

/// Whose signature it is: the certificate where the entries name it, else a hint at the key, as cosign writes it.
fn material(
    document: &Document,
    key: &PublicKey,
    entries: &mut Vec<FittingEntry<'_>>,
) -> (&'static str, Vec<u8>) {
    let is_keys = |der: &&[u8]| PublicKey::from_certificate_der(der).is_ok_and(|one| one == *key);
    let leaf = document.signer_certificates().find(is_keys);
    let names = |entry: &FittingEntry<'_>, leaf: &[u8]| matches!(&entry.rekord.key, LoggedKey::Certificate(der) if der == leaf);
    let of_leaf =
        leaf.filter(|leaf| entries.is_empty() || entries.iter().any(|entry| names(entry, leaf)));
    if let Some(leaf) = of_leaf {
        entries.retain(|entry| names(entry, leaf));
        return ("certificate", ObjectWriter::new().string("rawBytes", &base64(leaf)).finish());
    }
    entries.retain(|entry| matches!(entry.rekord.key, LoggedKey::PublicKey(_)));
    let hint = base64(Sha256Digest::of(key.to_spki_der()).as_bytes());
    ("publicKey", ObjectWriter::new().string("hint", &hint).finish())
}

/// Answers of authorities about this signature, in the form that Sigstore keeps.
fn timestamps(document: &Document, signature: &[u8]) -> Vec<Vec<u8>> {
    let tokens = document.bundle.evidence().iter().filter_map(|item| match item.kind() {
        EvidenceKind::Rfc3161(stamp) if stamp.subject == Subject::Manifest => Some(&stamp.token),
        _ => None,
    });
    let answer = |bytes: &Vec<u8>| {
        let token = TimestampToken::from_der(bytes).ok()?;
        match token.verify(signature, &[]) {
            Err(TimestampError::UnknownAuthority { .. }) => {
                let is_bare = token.der() == bytes.as_slice();
                Some(if is_bare { granted(bytes) } else { bytes.clone() })
            }
            _ => None,
        }
    };
    tokens.filter_map(answer).collect()
}

/// `TimeStampResp ::= SEQUENCE { status SEQUENCE { INTEGER 0 }, timeStampToken }` (RFC 3161 section 2.4.2) around a token.
fn granted(token: &[u8]) -> Vec<u8> {
    const GRANTED: [u8; 5] = [0x30, 3, 2, 1, 0];
    let length = GRANTED.len() + token.len();
    let digits: Vec<u8> =
        length.to_be_bytes().into_iter().skip_while(|digit| *digit == 0).collect();
    let mut answer = vec![0x30];
    match digits[..] {
        [short @ 0..=0x7f] => answer.push(short),
        _ => {
            answer.push(0x80 | digits.len() as u8);
            answer.extend(digits);
        }
    }
    answer.extend(GRANTED);
    answer.extend(token);
    answer
}

/// What did not come along, and what is missing for those who check.
fn tell(
    document: &Document,
    others: usize,
    entries: &[FittingEntry<'_>],
    stamps: &[Vec<u8>],
    notes: &mut Vec<String>,
) {
    let of_manifest = |item: &EvidenceKind| match item {
        EvidenceKind::RekorV2(entry) => entry.subject == Subject::Manifest,
        EvidenceKind::Rfc3161(stamp) => stamp.subject == Subject::Manifest,
        _ => false,
    };
    let all = document.bundle.evidence().iter().filter(|item| of_manifest(item.kind())).count();
    let left_out = all - entries.len() - stamps.len();
    if left_out > 0 {
        notes.push(format!(
            "left out {left_out} log entries or timestamps that are not about this signature \
             ({others} of another manifest, by another key or malformed)"
        ));
    }
    if document.signed.header().alg == Algorithm::EdDsa {
        let words = "cosign 3.1 with --key refuses this bundle, since it takes pure Ed25519 only; `verify` accepts it, and for cosign sign with ES256";
        notes.push(words.to_owned());
    }
    if entries.is_empty() {
        let is_batch = |item: &EvidenceKind| matches!(item, EvidenceKind::RekorV2(entry) if entry.subject == Subject::Batch);
        let batched = document.bundle.evidence().iter().any(|item| is_batch(item.kind()));
        let why = match batched {
            true => "only its batch is logged (`genten log submit FILE` logs it alone)",
            false => "there is no log entry",
        };
        notes.push(format!("{why}: verifiers ask for one; cosign needs --insecure-ignore-tlog"));
    }
}

fn write(
    document: &Document,
    (name, material): &(&'static str, Vec<u8>),
    entries: &[FittingEntry<'_>],
    stamps: &[Vec<u8>],
    hash: HashAlgorithm,
    signature: &[u8],
) -> Vec<u8> {
    let mut list = ArrayWriter::new();
    for entry in entries {
        list.raw(entry.evidence.entry.as_bytes());
    }
    let mut verification = ObjectWriter::new();
    verification.raw(name, material);
    if !entries.is_empty() {
        verification.raw("tlogEntries", &list.finish());
    }
    if !stamps.is_empty() {
        verification.raw("timestampVerificationData", &stamp_list(stamps));
    }
    let digest = ObjectWriter::new()
        .string("algorithm", hash.sigstore_name())
        .string("digest", &base64(&hash.digest(document.signed.input())))
        .finish();
    let message = ObjectWriter::new()
        .raw("messageDigest", &digest)
        .string("signature", &base64(signature))
        .finish();
    ObjectWriter::new()
        .string("mediaType", MEDIA_TYPE)
        .raw("verificationMaterial", &verification.finish())
        .raw("messageSignature", &message)
        .finish()
}

fn stamp_list(stamps: &[Vec<u8>]) -> Vec<u8> {
    let mut list = ArrayWriter::new();
    for stamp in stamps {
        list.raw(&ObjectWriter::new().string("signedTimestamp", &base64(stamp)).finish());
    }
    ObjectWriter::new().raw("rfc3161Timestamps", &list.finish()).finish()
}
