//! `genten bundle add`: more evidence, checked for belonging to the manifest, and then written as a whole or not at all.

use std::path::Path;

use genten_manifest::{Bundle, EvidenceKind, MAX_BUNDLE_BYTES, ManifestError, Subject};
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_tlog::rekor::LogEntry;

use super::{fit, stamp};
use crate::cli::{BundleAddArgs, LoggedSubject};
use crate::command::document::Document;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file, write_file};
use crate::output;

pub(super) fn run(context: &Context, args: &BundleAddArgs) -> Done {
    expect_something(args)?;
    let document = Document::open(&args.file)?;
    expect_nothing_lost(&document)?;
    let mut draft = Draft { document, added: Vec::new(), present: Vec::new() };
    gather(args, &mut draft)?;
    let target = args.output.as_deref().unwrap_or(&args.file);
    if !draft.added.is_empty() || args.output.is_some() {
        save(&draft.document, target, args.output.is_none())?;
    }
    report(context, target, &draft);
    Ok(())
}

fn expect_something(args: &BundleAddArgs) -> Done {
    let lists = [
        &args.archive,
        &args.chain,
        &args.did_document,
        &args.batch,
        &args.log_entry,
        &args.timestamp,
    ];
    match args.external.is_none() && lists.into_iter().all(Vec::is_empty) {
        true => Err(Failure::usage(
            "no evidence is given",
            "`genten bundle add --help` lists what can be added; `genten bundle show` prints what is there.",
        )),
        false => Ok(()),
    }
}

/// Only manifest and evidence are written again.
fn expect_nothing_lost(document: &Document) -> Done {
    let unknown = document.bundle.unknown_members();
    match unknown.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(
            format!(
                "{}: members that this version would lose: {}",
                document.name(),
                unknown.join(", ")
            ),
            "Use a newer version of genten.",
        )),
    }
}

/// What is known about the signer comes first, then what others can refer to.
fn gather(args: &BundleAddArgs, draft: &mut Draft) -> Done {
    for path in &args.chain {
        draft.put(path, fit::chain)?;
    }
    for path in &args.did_document {
        let retrieved_at = args.retrieved_at.as_deref();
        draft.put(path, |document, path| fit::did_document(document, path, retrieved_at))?;
    }
    for path in &args.archive {
        draft.put(path, fit::archive)?;
    }
    if let Some(path) = &args.external {
        let media_type = args.media_type.as_deref().unwrap_or_default();
        let label = args.label.as_deref();
        draft.put(path, |document, path| fit::external(document, path, media_type, label))?;
    }
    for path in &args.batch {
        draft.put(path, stamp::batch)?;
    }
    let subject = subject(args.subject);
    for path in &args.log_entry {
        draft.put(path, |document, path| stamp::log_entry(document, path, subject))?;
    }
    for path in &args.timestamp {
        draft.put(path, |document, path| stamp::timestamp(document, path, subject))?;
    }
    Ok(())
}

const fn subject(subject: LoggedSubject) -> Subject {
    match subject {
        LoggedSubject::Manifest => Subject::Manifest,
        LoggedSubject::Batch => Subject::Batch,
        LoggedSubject::Content => Subject::Content,
    }
}

/// A document that grows, and the names of the files that were added to it or were there already.
struct Draft {
    document: Document,
    added: Vec<String>,
    present: Vec<String>,
}

impl Draft {
    /// Adds what a file holds, unless it is there already.
    fn put(&mut self, path: &Path, fit: impl Fn(&Document, &Path) -> Done<Bundle>) -> Done {
        let name = path.display().to_string();
        let bundle = fit(&self.document, path).map_err(|failure| failure.about(&name))?;
        let next = self.document.with(&bundle).map_err(|failure| failure.about(&name))?;
        match is_repeated(&next) {
            true => self.present.push(name),
            false => {
                self.document = next;
                self.added.push(name);
            }
        }
        Ok(())
    }
}

/// Whether the last item says what an earlier one says.
fn is_repeated(document: &Document) -> bool {
    let Some((last, earlier)) = document.bundle.evidence().split_last() else { return false };
    earlier.iter().any(|one| match (one.kind(), last.kind()) {
        // One entry under two checkpoints, and one stamp in two wrappings, are still one.
        (EvidenceKind::RekorV2(one), EvidenceKind::RekorV2(last)) => {
            one.subject == last.subject && place(&one.entry) == place(&last.entry)
        }
        (EvidenceKind::Rfc3161(one), EvidenceKind::Rfc3161(last)) => {
            stamp::token(&one.token) == stamp::token(&last.token)
        }
        _ => one.canonical_sha256() == last.canonical_sha256(),
    })
}

fn place(entry: &str) -> Option<(Vec<u8>, u64)> {
    let entry = LogEntry::read(entry.as_bytes()).ok()?;
    Some((entry.log_id().to_vec(), entry.index().get()))
}

/// Refuses what no reader would take.
pub(super) fn taken(added: Result<Bundle, ManifestError>) -> Done<Bundle> {
    added.map_err(|error| {
        let hint = "No verifier would read such a bundle; nothing was written.";
        Failure::coded(error.code(), &error, hint)
    })
}

fn save(document: &Document, target: &Path, is_in_place: bool) -> Done {
    let bytes = document.bundle.to_bundle().to_json();
    if is_in_place && read_file(target, MAX_BUNDLE_BYTES as u64)? != document.bytes {
        return Err(Failure::new(
            format!("{}: another program changed it meanwhile", target.display()),
            "Try again; nothing was written.",
        ));
    }
    write_file(target, &bytes)
}

fn report(context: &Context, target: &Path, draft: &Draft) {
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("bundle", &target.to_string_lossy())
            .string("manifest_id", &draft.document.manifest_id().to_string())
            .raw("added", &list(&draft.added))
            .raw("present", &list(&draft.present));
        return output::json(&mut object);
    }
    let words = |what: &str, name: &String| {
        let line = format!("{what} {name}");
        output::line(&genten_primitives::Printable(&line).to_string());
    };
    draft.added.iter().for_each(|name| words("added", name));
    draft.present.iter().for_each(|name| words("there already:", name));
}

fn list(names: &[String]) -> Vec<u8> {
    let mut list = ArrayWriter::new();
    names.iter().for_each(|name| {
        list.string(name);
    });
    list.finish()
}
