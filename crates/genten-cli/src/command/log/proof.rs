//! `genten log proof`: the evidence that has arrived, into a bundle or onto the screen.

use std::path::Path;

use genten::complete_bundle;
use genten_manifest::{Bundle, UnverifiedBundle};
use genten_primitives::Sha256Digest;
use genten_store::{Durability, Journal};

use super::item::Item;
use crate::cli::LogProofArgs;
use crate::context::Context;
use crate::failure::{Done, Failure, write_file};
use crate::output;

pub(super) fn run(context: &Context, args: &LogProofArgs) -> Done {
    let journal = context.home()?.journal(Durability::Normal)?;
    if let Ok(id) = args.item.parse::<Sha256Digest>() {
        return put(args, &again(&journal, &id)?, None);
    }
    match Item::open(&args.item, None)? {
        Item::Content(digest) => put(args, &entry_of(&journal, &digest)?, None),
        Item::Manifest(document) => {
            let complete = complete(&journal, &document.bundle, &document.manifest_id())?;
            put(args, &complete.to_json(), Some(&document.path))
        }
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

fn complete(journal: &Journal, bundle: &UnverifiedBundle, id: &Sha256Digest) -> Done<Bundle> {
    let (evidence, proof) = (journal.outbox().evidence(id)?, journal.certificates().proof(id)?);
    if evidence.is_empty() && proof.is_none() {
        return Err(not_yet());
    }
    let complete = complete_bundle(bundle, &evidence, proof.as_ref());
    complete.map_err(|error| Failure::coded(error.code(), &error, ""))
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
    Ok(complete(journal, &bundle, id)?.to_json())
}

/// The log's entry about a content.
fn entry_of(journal: &Journal, content: &Sha256Digest) -> Done<Vec<u8>> {
    let found = journal.outbox().find_content(content)?;
    let entry = found.into_iter().find_map(|one| one.entry).ok_or_else(not_yet)?;
    Ok([&entry[..], b"\n"].concat())
}
