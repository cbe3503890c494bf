//! The bodies of manifests: beside them, in a folder by their content, or in the home.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use genten::store;
use genten_manifest::Claims;
use genten_mcp::citation::MAX_BYTES;
use genten_primitives::Sha256Digest;

use crate::context::Context;
use crate::failure::{Done, Failure, read_file};

pub(super) struct Bodies {
    /// The files of the folder that was named.
    named: HashMap<Sha256Digest, PathBuf>,
    /// Those of the home, where there is one.
    home: Option<store::Bodies>,
}

impl Bodies {
    /// Reads every regular file below the folder once. Links are not followed.
    pub(super) fn of(context: &Context, folder: Option<&Path>) -> Done<Self> {
        let mut named = HashMap::new();
        if let Some(folder) = folder {
            read_below(folder, &mut named)?;
        }
        let home = match context.home_path()?.join("bodies").is_dir() {
            true => Some(context.existing_home()?.bodies().clone()),
            false => None,
        };
        Ok(Self { named, home })
    }

    /// The bytes of a manifest: those beside it, whatever they are, or else those with a digest that it states. Of bytes in a
    /// content coding the decoded ones are taken, where they are at hand.
    pub(super) fn find(&self, manifest: &Path, claims: &Claims) -> Done<Option<Vec<u8>>> {
        let beside = beside(manifest).map(|path| read(&path)).transpose()?;
        let is_raw = |bytes: &Vec<u8>| Sha256Digest::of(bytes) == claims.content_sha256;
        let decoded = match claims.decoded_sha256() {
            Some(decoded) if beside.as_ref().is_none_or(is_raw) => self.with_digest(decoded)?,
            _ => None,
        };
        match decoded.or(beside) {
            Some(bytes) => Ok(Some(bytes)),
            None => self.with_digest(claims.content_sha256),
        }
    }

    fn with_digest(&self, digest: Sha256Digest) -> Done<Option<Vec<u8>>> {
        if let Some(path) = self.named.get(&digest) {
            return read(path).map(Some);
        }
        let Some(home) = self.home.as_ref().filter(|home| home.contains(&digest)) else {
            return Ok(None);
        };
        drop(home.open_checked(&digest)?);
        read(&home.path(&digest)).map(Some)
    }
}

/// `NAME` beside `NAME.provenance.json`, where it is a regular file.
fn beside(manifest: &Path) -> Option<PathBuf> {
    let name = manifest.file_name()?.to_str()?.strip_suffix(".provenance.json")?;
    let path = manifest.with_file_name(name);
    fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()).then_some(path)
}

fn read(path: &Path) -> Done<Vec<u8>> {
    read_file(path, MAX_BYTES as u64)
}

fn read_below(folder: &Path, files: &mut HashMap<Sha256Digest, PathBuf>) -> Done {
    let failed = |error: std::io::Error| Failure::file(folder, &error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
        if kind.is_dir() {
            read_below(&path, files)?;
        } else if kind.is_file() {
            let digest = File::open(&path).and_then(Sha256Digest::of_reader);
            let (digest, _) = digest.map_err(|error| Failure::file(&path, &error))?;
            files.insert(digest, path);
        }
    }
    Ok(())
}
