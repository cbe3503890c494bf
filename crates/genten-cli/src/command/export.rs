//! `genten export`: a manifest and its evidence in the forms of others.

mod entry;
mod prov;
mod sigstore;
mod tlog_proof;

use std::path::{Path, PathBuf};

use genten_jws::key_id::contained_key;
use genten_primitives::json::ObjectWriter;
use genten_primitives::{Printable, PublicKey};
use genten_store::StoreError;
use genten_store::atomic::{Mode, create_new};

use super::document::Document;
use crate::cli::{ExportArgs, ExportForm};
use crate::context::Context;
use crate::failure::{Done, Failure, write_file};
use crate::output;

const SIGNING_INPUT: &str = "signing-input";

/// What is written, and what is said about it.
struct Exported {
    bytes: Vec<u8>,
    /// What was left out or is missing, for people.
    notes: Vec<String>,
}

pub(super) fn run(context: &Context, args: &ExportArgs) -> Done {
    expect_fitting(args)?;
    let document = Document::open(&args.file)?;
    let name = document.name();
    let key = signer_key(&document).map_err(|failure| failure.about(&name))?;
    let exported = match args.to {
        ExportForm::Sigstore => sigstore::bundle(&document, key.as_ref()),
        ExportForm::TlogProof => tlog_proof::file(&document, key.as_ref()),
        ExportForm::Prov => prov::graph(&document, key.as_ref()),
    };
    let mut exported = exported.map_err(|failure| failure.about(&name))?;
    if key.is_none() {
        let words = "the key of the signer is not at hand, so that its signature was not checked";
        exported.notes.push(words.to_owned());
    }
    let artifact = match args.to {
        ExportForm::Sigstore => Some(put_artifact(args, document.signed.input())?),
        ExportForm::TlogProof | ExportForm::Prov => None,
    };
    let own = beside(&args.file, extension(args.to));
    let target = put(("-o", args.output.as_deref()), own, &exported.bytes)?;
    report(context, &target, artifact.as_deref(), &exported.notes);
    Ok(())
}

fn expect_fitting(args: &ExportArgs) -> Done {
    if args.artifact.is_some() && args.to != ExportForm::Sigstore {
        return Err(Failure::usage(
            "--artifact goes with --to sigstore only",
            "Of the other forms there is no artifact; leave it out.",
        ));
    }
    let targets = [args.output.as_ref(), args.artifact.as_ref()];
    let is_own = targets.into_iter().flatten().any(|target| *target == args.file);
    match is_own || (args.output.is_some() && args.output == args.artifact) {
        true => Err(Failure::usage(
            "two of the files are the same",
            "Name another file: the manifest is not replaced by an export.",
        )),
        false => Ok(()),
    }
}

/// The key under which the signature holds, where it is at hand. A signature that fails under the key in its id is not
/// handed on.
fn signer_key(document: &Document) -> Done<Option<PublicKey>> {
    match document.signer_key() {
        None if contained_key(document.key_id()).is_some() => Err(Failure::new(
            "the signature does not hold under the key in mcp_key_id",
            "Nobody would believe it in another form either; get the manifest again.",
        )),
        key => Ok(key),
    }
}

const fn extension(form: ExportForm) -> &'static str {
    match form {
        ExportForm::Sigstore => "sigstore.json",
        ExportForm::TlogProof => "tlog-proof",
        ExportForm::Prov => "prov.jsonld",
    }
}

/// Writes a file that an option names, or a new one of our own choice.
fn put((option, named): (&str, Option<&Path>), own: PathBuf, bytes: &[u8]) -> Done<PathBuf> {
    if let Some(path) = named {
        write_file(path, bytes)?;
        return Ok(path.to_owned());
    }
    match create_new(&own, bytes, Mode::Shared) {
        Ok(()) => Ok(own),
        Err(error @ StoreError::AlreadyExists { .. }) => {
            let hint = format!("Name it with {option} FILE to replace it, or name another file.");
            Err(Failure::coded(error.code(), &error, hint))
        }
        Err(error) => Err(error.into()),
    }
}

/// The artifact of a manifest is always the same: where it stands from an earlier export, it stays.
fn put_artifact(args: &ExportArgs, bytes: &[u8]) -> Done<PathBuf> {
    let path = beside(&args.file, SIGNING_INPUT);
    let is_there = args.artifact.is_none()
        && path.metadata().is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64)
        && std::fs::read(&path).is_ok_and(|known| known == bytes);
    match is_there {
        true => Ok(path),
        false => put(("--artifact", args.artifact.as_deref()), path, bytes),
    }
}

/// `law.xml.sigstore.json` beside `law.xml.provenance.json`.
fn beside(file: &Path, extension: &str) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.strip_suffix(".provenance.json").or_else(|| name.strip_suffix(".json"));
    file.with_file_name([stem.unwrap_or(&name), ".", extension].concat())
}

fn report(context: &Context, target: &Path, artifact: Option<&Path>, notes: &[String]) {
    for note in notes {
        eprintln!("genten: {}", Printable(note));
    }
    let text = |path: &Path| path.to_string_lossy().into_owned();
    if context.json {
        let mut object = ObjectWriter::new();
        object.string("export", &text(target)).optional("artifact", artifact.map(text).as_deref());
        return output::json(&mut object);
    }
    output::line(&Printable(&["wrote ", &text(target)].concat()).to_string());
    if let Some(path) = artifact {
        let words = ["wrote ", &text(path), ", the artifact that it is about"].concat();
        output::line(&Printable(&words).to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_stand_beside_the_manifest() {
        for (file, expected) in
            [("a/law.xml.provenance.json", "a/law.xml.x"), ("law.json", "law.x"), ("law", "law.x")]
        {
            assert_eq!(beside(Path::new(file), "x"), Path::new(expected));
        }
    }
}
