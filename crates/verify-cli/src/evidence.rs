//! Evidence that lies in other bundles than those that are verified, found by `manifest_id`.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use genten_jws::SignedBytes;
use genten_manifest::{Evidence, MAX_EVIDENCE, UnverifiedManifest};
use genten_primitives::Sha256Digest;
use genten_verify::{Input, InputError};

use crate::error::{Complaint, Problem, Remarks};
use crate::files::{self, Found, Walk};
use crate::inputs::Content;
use crate::lines::Piece;

/// Where the bundles of each manifest are. Only places are kept: the evidence itself is read when it is wanted.
#[derive(Default)]
pub(crate) struct EvidenceIndex {
    places: HashMap<Sha256Digest, Vec<Place>>,
}

/// A bundle in a file.
struct Place {
    path: Arc<Path>,
    offset: u64,
    length: usize,
}

impl EvidenceIndex {
    /// Looks through a file, or every manifest and list below a folder.
    ///
    /// What is recognised as a bundle and broken, and what cannot be read, is complained about: evidence that somebody
    /// relies on must not get lost without a word. Other things in a folder are none of our business.
    pub(crate) fn read(path: &Path, remarks: &mut Remarks) -> Result<Self, Problem> {
        let mut index = Self::default();
        let mut reading = Reading { index: &mut index, remarks, is_named: true };
        match fs::metadata(path)?.is_dir() {
            true => {
                Reading { is_named: false, ..reading }.folder(Walk::new(path, files::is_input)?)
            }
            false => reading.file(path)?,
        }
        Ok(index)
    }

    /// The evidence for a manifest that its own bundle does not hold, at most as much as a bundle
    /// may hold. Which part of more is the one that counts would depend on the order of the files,
    /// so that there is then no verdict.
    pub(crate) fn of(
        &self,
        input: &Input,
        about: impl FnOnce() -> String,
    ) -> Result<Vec<Evidence>, Complaint> {
        let mut found = Vec::new();
        let places = self.places(input);
        if places.is_empty() {
            return Ok(found);
        }
        let own = input.evidence().iter();
        let mut seen: HashSet<_> = own.map(Evidence::canonical_sha256).collect();
        for place in places {
            let items = place.read()?.into_iter();
            found.extend(items.filter(|item| seen.insert(item.canonical_sha256())));
            if found.len() > MAX_EVIDENCE {
                return Err(Complaint::new(about(), Problem::MuchEvidence));
            }
        }
        Ok(found)
    }

    /// Where evidence for a manifest is.
    fn places(&self, input: &Input) -> &[Place] {
        if self.places.is_empty() {
            return &[];
        }
        let places = manifest_id(input.manifest()).and_then(|id| self.places.get(&id));
        places.map_or(&[], Vec::as_slice)
    }
}

fn manifest_id(manifest: &UnverifiedManifest) -> Option<Sha256Digest> {
    SignedBytes::of_manifest(manifest).ok().map(|signed| signed.sha256())
}

impl Place {
    fn read(&self) -> Result<Vec<Evidence>, Complaint> {
        let complain = |problem: Problem| Complaint::new(files::shown(&self.path), problem);
        let mut bytes = vec![0; self.length];
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.offset))?;
            file.read_exact(&mut bytes)
        });
        read.map_err(|error| complain(error.into()))?;
        match Input::read(&bytes) {
            Ok(input) => Ok(input.evidence().to_vec()),
            Err(error) => Err(complain(Problem::Input(error))),
        }
    }
}

struct Reading<'a> {
    index: &'a mut EvidenceIndex,
    remarks: &'a mut Remarks,
    /// The file was named by the reader, so that it must hold evidence.
    is_named: bool,
}

impl Reading<'_> {
    fn folder(&mut self, walk: Walk) {
        for found in walk {
            let (path, read) = match found {
                Found::File(path) => {
                    let read = self.file(&path);
                    (path, read)
                }
                Found::Unreadable(path, error) => (path, Err(error.into())),
                Found::Passed(path, what) => {
                    self.remarks.passed_over(&files::shown(&path), what);
                    continue;
                }
            };
            let complaint = read.map_err(|problem| Complaint::new(files::shown(&path), problem));
            self.remarks.complaints.extend(complaint.err());
        }
    }

    fn file(&mut self, path: &Path) -> Result<(), Problem> {
        let shared: Arc<Path> = path.into();
        match Content::of_file(path) {
            Ok(Content::Document(bytes)) => self.document(&bytes, &shared, 0),
            Ok(Content::Transcript(_)) if !self.is_named => Ok(()),
            Ok(Content::Transcript(_)) => Err(Problem::Input(InputError::McpResult)),
            Ok(Content::Lines(pieces)) => {
                for piece in pieces {
                    self.lines(&piece?, &shared);
                }
                Ok(())
            }
            Err(Problem::Input(_)) if !self.is_named => Ok(()),
            Err(problem) => Err(problem),
        }
    }

    fn lines(&mut self, piece: &Piece, path: &Arc<Path>) {
        for (number, offset, line) in piece.lines() {
            if let Err(problem) = self.document(line, path, offset) {
                let about = format!("{}:{number}", files::shown(path));
                self.remarks.complaints.push(Complaint::new(about, problem));
            }
        }
    }

    fn document(&mut self, bytes: &[u8], path: &Arc<Path>, offset: u64) -> Result<(), Problem> {
        let input = match Input::read(bytes) {
            Ok(input) => input,
            Err(InputError::Malformed(error)) => return Err(Problem::Evidence(error)),
            Err(InputError::Unknown(_) | InputError::McpResult | InputError::Sigstore)
                if !self.is_named =>
            {
                return Ok(());
            }
            Err(other) => return Err(Problem::Input(other)),
        };
        let id = manifest_id(input.manifest()).filter(|_| !input.evidence().is_empty());
        if let Some(id) = id {
            let place = Place { path: path.clone(), offset, length: bytes.len() };
            self.index.places.entry(id).or_default().push(place);
        }
        Ok(())
    }
}
