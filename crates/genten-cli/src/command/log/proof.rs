//! `genten log proof`: the evidence that has arrived, into a bundle or onto the screen.

use std::path::Path;

use genten::is_of_described_log;
use genten::store::Home;
use genten_manifest::UnverifiedBundle;
use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use genten_primitives::json::ObjectWriter;
use genten_store::{Durability, Journal, LogState, Submission};
use genten_tlog::rekor::HashedRekord;

use super::complete::complete;
use super::item::Item;
use crate::cli::LogProofArgs;
use crate::command::journal::find;
use crate::command::moment::now;
use crate::context::Context;
use crate::failure::{Done, Failure, write_file};
use crate::output;

pub(super) fn run(context: &Context, args: &LogProofArgs) -> Done {
    let home = context.home_with_journal()?;
    let journal = home.journal(Durability::Normal)?;
    if is_id(&args.item) {
        let id = find(context, &args.item)?.manifest_id;
        return put(args, &again(&journal, &id)?, None);
    }
    match Item::open(&args.item, None)? {
        Item::Content(digest) => {
            let submission = logged(&home, &journal, &digest)?;
            let bytes = match args.sigstore {
                true => sigstore_bundle(&submission)?,
                false => submission.entry.unwrap_or_default(),
            };
            put(args, &[&bytes[..], b"\n"].concat(), None)
        }
        Item::Manifest(_) if args.sigstore => Err(Failure::usage(
            "--sigstore is for contents",
            "`genten export FILE --to sigstore` writes the bundle of a manifest.",
        )),
        Item::Manifest(document) => {
            let id = document.manifest_id();
            let complete = complete(&journal, &document.bundle, &id)?.ok_or_else(not_yet)?;
            put(args, &complete.to_json(), Some(&document.path))?;
            match args.output {
                Some(_) => Ok(()),
                None => note_place(&journal, &id, &document.path),
            }
        }
    }
}

/// Digits of a manifest id, whole or its beginning, that are no file's name.
fn is_id(text: &str) -> bool {
    let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_hex && (8..=64).contains(&text.len()) && !Path::new(text).exists()
}

/// The bundle is where it is now, and holds its evidence.
fn note_place(journal: &Journal, id: &Sha256Digest, path: &Path) -> Done {
    if journal.get(id)?.is_some() {
        journal.update_bundle_path(id, path)?;
    }
    let outbox = journal.outbox();
    let submissions = outbox.evidence(id)?.iter().map(|one| one.submission).collect();
    outbox.placed(&[(*id, submissions)])?;
    let certificates = journal.certificates();
    match certificates.proof(id)? {
        Some(_) => Ok(certificates.placed(&[*id])?),
        None => Ok(()),
    }
}

/// To the named file, else to where it belongs, else to standard output.
fn put(args: &LogProofArgs, bytes: &[u8], own: Option<&Path>) -> Done {
    match args.output.as_deref().or(own) {
        Some(path) => {
            write_file(path, bytes)?;
            output::line(&format!("wrote {}", path.display()));
        }
        None => output::bytes(bytes),
    }
    Ok(())
}

fn not_yet() -> Failure {
    Failure::new(
        "no log of this home has it, or its evidence has not arrived yet",
        "`genten log status` says what waits; `genten log submit` logs it.",
    )
}

/// The bundle of a manifest of this journal, made again from what the journal holds.
fn again(journal: &Journal, id: &Sha256Digest) -> Done<Vec<u8>> {
    let lost = || {
        Failure::new(
            "the journal does not hold this manifest",
            "Give the file of its bundle: manifests whose URL holds a secret stand there alone.",
        )
    };
    let manifest = journal.get(id)?.and_then(|entry| entry.manifest).ok_or_else(lost)?;
    let malformed = |error: genten_manifest::ManifestError| {
        Failure::coded(error.code(), &error, "Restore the journal from a backup.")
    };
    let mut bundle = UnverifiedBundle::of_manifest(&manifest).map_err(malformed)?.to_bundle();
    for item in journal.outbox().items(id)? {
        bundle = bundle.with_evidence(&item).map_err(malformed)?;
    }
    let bundle = UnverifiedBundle::read(&bundle.to_json()).map_err(malformed)?;
    Ok(complete(journal, &bundle, id)?.ok_or_else(not_yet)?.to_json())
}

/// The entry about a content that a log has: rather one of a log that is described now.
fn logged(home: &Home, journal: &Journal, content: &Sha256Digest) -> Done<Submission> {
    let mut found = journal.outbox().find_content(content)?;
    found.retain(|one| one.state == LogState::Logged);
    let is_described = |one: &Submission| is_of_described_log(home, one, now()).unwrap_or(false);
    let place = found.iter().position(is_described).unwrap_or(0);
    found.into_iter().nth(place).ok_or_else(not_yet)
}

/// A Sigstore bundle (v0.3) over the content itself: `cosign verify-blob --key CONTENT-LOG-KEY --bundle FILE CONTENT`.
fn sigstore_bundle(submission: &Submission) -> Done<Vec<u8>> {
    let malformed = |error: genten_tlog::rekor::BodyError| {
        Failure::new(error.to_string(), "Restore the journal from a backup.")
    };
    let rekord = HashedRekord::read(&submission.body).map_err(malformed)?;
    let key = rekord.public_key().map_err(malformed)?;
    let hint = base64(Sha256Digest::of(key.to_spki_der()).as_bytes());
    let entry = submission.entry.as_deref().unwrap_or_default();
    let material = ObjectWriter::new()
        .raw("publicKey", &ObjectWriter::new().string("hint", &hint).finish())
        .raw("tlogEntries", &[b"[", entry, b"]"].concat())
        .finish();
    let digest = ObjectWriter::new()
        .string("algorithm", rekord.hash.sigstore_name())
        .string("digest", &base64(&rekord.digest))
        .finish();
    let message = ObjectWriter::new()
        .raw("messageDigest", &digest)
        .string("signature", &base64(&rekord.signature))
        .finish();
    Ok(ObjectWriter::new()
        .string("mediaType", "application/vnd.dev.sigstore.bundle.v0.3+json")
        .raw("verificationMaterial", &material)
        .raw("messageSignature", &message)
        .finish())
}
