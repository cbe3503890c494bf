//! The bytes that are said to have been fetched: given, beside the manifest, or somewhere in a folder.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use genten_manifest::Claims;
use genten_primitives::Sha256Digest;
use genten_verify::Body;

use crate::error::{Complaint, Problem, Remarks};
use crate::files::{self, Found, Walk};
use crate::inputs::Content;
use crate::ordered::{Jobs, ordered};

/// Where bodies come from.
pub(crate) enum Bodies {
    /// From beside the manifests.
    Beside,
    /// From beside the manifests, else by their content from a folder.
    Folder(BodyFolder),
    /// From one file.
    One(NamedBody),
}

/// A body and its file.
#[derive(Clone, Debug)]
pub(crate) struct NamedBody {
    /// The body.
    pub(crate) body: Body,
    /// The file that was compared.
    pub(crate) name: Option<String>,
}

impl NamedBody {
    /// The body in a file; `-` is standard input.
    pub(crate) fn of_file(path: &Path, stdin: &mut dyn Read) -> Result<Self, Problem> {
        let name = Some(files::shown(path));
        let body = match path.as_os_str() == "-" {
            true => hash(stdin)?,
            false => hash(&mut File::open(path)?)?,
        };
        Ok(Self { body, name })
    }
}

impl Bodies {
    /// The body of a manifest: `path` is its file, where it has one of its own. Of a malformed one no claims are known.
    ///
    /// # Errors
    ///
    /// There is a file beside the manifest, but it cannot be read.
    pub(crate) fn find(
        &self,
        path: Option<&Path>,
        claims: Option<&Claims>,
    ) -> Result<NamedBody, Complaint> {
        if let Self::One(body) = self {
            return Ok(body.clone());
        }
        if let Some(body) = path.and_then(beside) {
            return body;
        }
        Ok(match (self, claims) {
            (Self::Folder(folder), Some(claims)) => folder.find(claims),
            _ => NamedBody { body: Body::NotGiven, name: None },
        })
    }

    /// Notes that a manifest is about these bytes.
    pub(crate) fn cover(&self, claims: &Claims) {
        if let Self::Folder(folder) = self {
            folder.cover(claims);
        }
    }

    /// The files of the folder that no manifest is about; manifests and lists of them are not counted.
    pub(crate) fn uncovered(&self) -> Vec<String> {
        match self {
            Self::Folder(folder) => folder.uncovered(),
            _ => Vec::new(),
        }
    }
}

/// The body beside a manifest. Only a regular file counts: what lies there was not named by anybody. Anything else there is
/// a complaint, since a reader would take it for the body.
fn beside(manifest: &Path) -> Option<Result<NamedBody, Complaint>> {
    let path = files::sibling(manifest)?;
    let metadata = fs::symlink_metadata(&path).ok()?;
    let name = files::shown(&path);
    if let Some(other) = files::kind(metadata.file_type()) {
        return Some(Err(Complaint::new(name, Problem::NotRegular(other))));
    }
    Some(match hash_regular(&path) {
        Ok(body) => Ok(NamedBody { body, name: Some(name) }),
        Err(problem) => Err(Complaint::new(name, problem)),
    })
}

fn hash_regular(path: &Path) -> Result<Body, Problem> {
    let (mut file, _) = files::open_regular(path)?;
    Ok(hash(&mut file)?)
}

fn hash(reader: &mut (impl Read + ?Sized)) -> io::Result<Body> {
    let (sha256, bytes) = Sha256Digest::of_reader(reader)?;
    Ok(Body::Given { sha256, bytes })
}

/// All files of a folder by their content.
pub(crate) struct BodyFolder {
    files: HashMap<Sha256Digest, SameBytes>,
}

/// Files with the same bytes.
struct SameBytes {
    paths: Vec<PathBuf>,
    length: u64,
    is_covered: AtomicBool,
}

impl BodyFolder {
    /// Reads every regular file below a folder once, several at a time.
    pub(crate) fn read(folder: &Path, jobs: Jobs, remarks: &mut Remarks) -> io::Result<Self> {
        let mut index = Self { files: HashMap::new() };
        ordered(Walk::new(folder, |_| true)?, jobs, HashedFile::read, |hashed| {
            match hashed {
                HashedFile::Read(path, body) => index.add(path, body),
                HashedFile::Unreadable(complaint) => remarks.complaints.push(complaint),
                HashedFile::Passed(path, what) => remarks.passed_over(&files::shown(&path), what),
            }
            ControlFlow::Continue(())
        });
        Ok(index)
    }

    fn add(&mut self, path: PathBuf, body: Body) {
        let Body::Given { sha256, bytes } = body else { return };
        let new = || SameBytes { paths: vec![], length: bytes, is_covered: false.into() };
        self.files.entry(sha256).or_insert_with(new).paths.push(path);
    }

    /// The file with the bytes that the manifest states, raw or decoded.
    fn find(&self, claims: &Claims) -> NamedBody {
        let stated = [Some(claims.content_sha256), claims.decoded_sha256()];
        let found = |sha256| self.files.get(&sha256).map(|same| (sha256, same));
        let Some((sha256, same)) = stated.into_iter().flatten().find_map(found) else {
            return NamedBody { body: Body::NotFound, name: None };
        };
        let body = Body::Given { sha256, bytes: same.length };
        NamedBody { body, name: same.paths.first().map(|path| files::shown(path)) }
    }

    fn cover(&self, claims: &Claims) {
        let stated = [Some(claims.content_sha256), claims.decoded_sha256()];
        for same in stated.into_iter().flatten().filter_map(|sha256| self.files.get(&sha256)) {
            same.is_covered.store(true, Ordering::Relaxed);
        }
    }

    fn uncovered(&self) -> Vec<String> {
        let uncovered = self.files.values().filter(|same| !same.is_covered.load(Ordering::Relaxed));
        let paths = uncovered.flat_map(|same| &same.paths);
        let is_body = |path: &&PathBuf| {
            let is_named_as_input = path.file_name().is_some_and(files::is_input);
            !is_named_as_input || !Content::of_file(path).is_ok_and(|content| content.is_ours())
        };
        let mut names: Vec<_> = paths.filter(is_body).map(|path| files::shown(path)).collect();
        names.sort();
        names
    }
}

/// What came of one file of the folder.
enum HashedFile {
    Passed(PathBuf, &'static str),
    Read(PathBuf, Body),
    Unreadable(Complaint),
}

impl HashedFile {
    fn read(found: Found) -> Self {
        let (path, body) = match found {
            Found::File(path) => {
                let body = hash_regular(&path);
                (path, body)
            }
            Found::Unreadable(path, error) => (path, Err(error.into())),
            Found::Passed(path, what) => return Self::Passed(path, what),
        };
        match body {
            Ok(body) => Self::Read(path, body),
            Err(problem) => Self::Unreadable(Complaint::new(files::shown(&path), problem)),
        }
    }
}
