//! What a user names to be logged: a manifest, or bytes.

use std::io::ErrorKind;
use std::path::Path;

use genten_primitives::Sha256Digest;
use genten_verify::Input;

use crate::cli::SubmitSubject;
use crate::command::document::Document;
use crate::failure::{Done, Failure};

/// A manifest with its evidence, or the digest of bytes.
pub(super) enum Item {
    Content(Sha256Digest),
    Manifest(Box<Document>),
}

impl Item {
    /// What `text` names: `sha256:HEX`, or a file.
    pub(super) fn open(text: &str, subject: Option<SubmitSubject>) -> Done<Self> {
        if let Some(hex) = text.strip_prefix("sha256:") {
            return digest(text, hex, subject);
        }
        let path = Path::new(text);
        expect_there(path)?;
        match subject {
            Some(SubmitSubject::Manifest) => Ok(Self::Manifest(Box::new(Document::open(path)?))),
            Some(SubmitSubject::Content) => content(path),
            None if is_manifest(path) => Ok(Self::Manifest(Box::new(Document::open(path)?))),
            None => content(path),
        }
    }
}

/// A file that is not there was named wrongly: nothing has been tried.
fn expect_there(path: &Path) -> Done {
    match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(Failure::file(path, &error).with_status(2))
        }
        _ => Ok(()),
    }
}

fn digest(text: &str, hex: &str, subject: Option<SubmitSubject>) -> Done<Item> {
    if subject == Some(SubmitSubject::Manifest) {
        return Err(Failure::usage(
            format!("{text} is a digest, not a manifest"),
            "Give the file of the manifest, or leave --subject out.",
        ));
    }
    hex.parse().map(Item::Content).map_err(|_| {
        Failure::usage(
            format!("{text}: not a SHA-256"),
            "Write it as sha256: and 64 hexadecimal digits.",
        )
    })
}

/// The content of a manifest is what it says; of any other file it is the file's.
fn content(path: &Path) -> Done<Item> {
    if is_manifest(path) {
        return Ok(Item::Content(Document::open(path)?.claims().content_sha256));
    }
    let read = std::fs::File::open(path).and_then(Sha256Digest::of_reader);
    read.map(|(digest, _)| Item::Content(digest)).map_err(|error| Failure::file(path, &error))
}

/// Pipes are not looked into: what was read of them could not be read again.
fn is_manifest(path: &Path) -> bool {
    let limit = genten_manifest::MAX_BUNDLE_BYTES as u64;
    if !std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= limit) {
        return false;
    }
    let read = std::fs::read(path).unwrap_or_default();
    matches!(Input::read(&read), Ok(Input::Bundle(_) | Input::Manifest(_)))
}
