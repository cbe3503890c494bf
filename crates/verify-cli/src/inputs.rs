//! From the arguments to the tasks: one document or some lines each, never more than a piece in memory.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use genten_mcp::binding::MAX_RESULT_BYTES;
use genten_verify::input::{MAX_LINE_BYTES, lines_follow, most_bytes};
use genten_verify::{Input, InputError, UnknownInput};

use crate::error::{Complaint, Problem};
use crate::files::{self, Found, Walk};
use crate::lines::{Piece, Pieces, read_some};

/// How much is read of a file before its kind is looked for, and then again and again.
const STEP: usize = 64 << 10;

/// A file, or standard input.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name for people; `-` for standard input.
    pub(crate) name: String,
    /// The path; `None` for standard input.
    pub(crate) path: Option<PathBuf>,
}

/// What there is to do for one document, or some lines.
#[derive(Debug)]
pub(crate) enum Task {
    /// No verdict on this input.
    Complain(Complaint),
    /// One document. Of a longer one than any that is judged only the start.
    Document(Arc<Source>, Vec<u8>),
    /// Lines of a list.
    Lines(Arc<Source>, Piece),
    /// The messages of a session, one a line.
    Transcript(Arc<Source>, Vec<u8>),
    /// Something in a folder that is no regular file, and what it is.
    PassedOver(PathBuf, &'static str),
}

impl Task {
    fn complain(about: &Path, problem: impl Into<Problem>) -> Self {
        Self::Complain(Complaint::new(files::shown(about), problem))
    }
}

/// Draws tasks from the arguments, one at a time.
pub(crate) struct Tasks {
    arguments: std::vec::IntoIter<PathBuf>,
    stdin: Box<dyn Read + Send>,
    /// Whether a list can be judged: not when there is one body.
    allow_lists: bool,
    folder: Option<OpenFolder>,
    list: Option<(Arc<Source>, Pieces)>,
}

struct OpenFolder {
    path: PathBuf,
    walk: Walk,
    is_empty: bool,
}

impl Tasks {
    pub(crate) fn new(
        arguments: Vec<PathBuf>,
        stdin: Box<dyn Read + Send>,
        allow_lists: bool,
    ) -> Self {
        let arguments = arguments.into_iter();
        Self { arguments, stdin, allow_lists, folder: None, list: None }
    }

    fn argument(&mut self, path: PathBuf) -> Option<Task> {
        if path.as_os_str() == "-" {
            let stdin = std::mem::replace(&mut self.stdin, Box::new(io::empty()));
            return self.read(Source { name: "-".to_owned(), path: None }, stdin, STEP);
        }
        if !fs::metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
            return self.file(path);
        }
        match Walk::new(&path, files::is_input) {
            Ok(walk) => self.folder = Some(OpenFolder { path, walk, is_empty: true }),
            Err(error) => return Some(Task::complain(&path, error)),
        }
        None
    }

    fn file(&mut self, path: PathBuf) -> Option<Task> {
        match files::open_regular(&path) {
            Ok((file, length)) => {
                let first_step =
                    usize::try_from(length).map_or(STEP, |length| STEP.min(length + 1));
                let source = Source { name: files::shown(&path), path: Some(path) };
                self.read(source, Box::new(file), first_step)
            }
            Err(problem) => Some(Task::complain(&path, problem)),
        }
    }

    fn read(
        &mut self,
        source: Source,
        reader: Box<dyn Read + Send>,
        first_step: usize,
    ) -> Option<Task> {
        match Content::read(reader, first_step) {
            Ok(Content::Document(bytes)) => Some(Task::Document(Arc::new(source), bytes)),
            Ok(Content::Transcript(bytes)) if self.allow_lists => {
                Some(Task::Transcript(Arc::new(source), bytes))
            }
            Ok(Content::Lines(pieces)) if self.allow_lists => {
                self.list = Some((Arc::new(source), pieces));
                None
            }
            Ok(Content::Lines(_) | Content::Transcript(_)) => {
                Some(Task::Complain(Complaint::new(source.name, Problem::OneBody)))
            }
            Err(problem) => Some(Task::Complain(Complaint::new(source.name, problem))),
        }
    }

    fn next_lines(&mut self) -> Option<Task> {
        let (source, pieces) = self.list.as_mut()?;
        match pieces.next() {
            Some(Ok(piece)) => Some(Task::Lines(source.clone(), piece)),
            Some(Err(error)) => Some(Task::Complain(Complaint::new(source.name.clone(), error))),
            None => {
                self.list = None;
                None
            }
        }
    }

    fn next_in_folder(&mut self) -> Option<Task> {
        let folder = self.folder.as_mut()?;
        match folder.walk.next() {
            Some(Found::File(path)) => {
                folder.is_empty = false;
                self.file(path)
            }
            Some(Found::Unreadable(path, error)) => Some(Task::complain(&path, error)),
            Some(Found::Passed(path, what)) => Some(Task::PassedOver(path, what)),
            None => {
                let folder = self.folder.take()?;
                folder.is_empty.then(|| Task::complain(&folder.path, Problem::EmptyFolder))
            }
        }
    }
}

impl Iterator for Tasks {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        loop {
            let task = if self.list.is_some() {
                self.next_lines()
            } else if self.folder.is_some() {
                self.next_in_folder()
            } else {
                let argument = self.arguments.next()?;
                self.argument(argument)
            };
            if task.is_some() {
                return task;
            }
        }
    }
}

/// What a file holds.
pub(crate) enum Content {
    /// One document.
    Document(Vec<u8>),
    /// A list.
    Lines(Pieces),
    /// The messages of a session, one a line: answers are only known by the calls before.
    Transcript(Vec<u8>),
}

impl Content {
    /// Reads as much as is needed to tell, and of a document all that may be read.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or its first line is nothing that can be judged.
    pub(crate) fn read(
        mut reader: Box<dyn Read + Send>,
        first_step: usize,
    ) -> Result<Self, Problem> {
        let (mut start, mut step) = (Vec::new(), first_step);
        while start.len() <= MAX_LINE_BYTES {
            let filled = start.len();
            start.resize(filled + step.min(MAX_LINE_BYTES + 1 - filled), 0);
            let read = read_some(&mut reader, &mut start[filled..])?;
            start.truncate(filled + read);
            if let Some(line) = lines_follow(&start) {
                if is_message(line) {
                    let transcript = read_to_limit(start, reader, MAX_RESULT_BYTES)?;
                    return Ok(Self::Transcript(transcript));
                }
                check_first_line(line)?;
                return Ok(Self::Lines(Pieces::new(start, reader)));
            }
            if read == 0 {
                break;
            }
            step = start.len().clamp(4 << 10, STEP);
        }
        if start.len() > MAX_LINE_BYTES {
            // What a document is may stand in its last member.
            let most = most_bytes(&start);
            start = read_to_limit(start, reader, most)?;
        }
        Ok(Self::Document(start))
    }

    /// As [`read`](Self::read), from a regular file.
    pub(crate) fn of_file(path: &Path) -> Result<Self, Problem> {
        let (file, _): (File, _) = files::open_regular(path)?;
        Self::read(Box::new(file), STEP).map_err(|problem| problem.of_file(path))
    }
}

impl Content {
    /// Whether it is a manifest, sound or not, or a list of such.
    pub(crate) fn is_ours(&self) -> bool {
        match self {
            Self::Lines(_) => true,
            Self::Transcript(_) => false,
            Self::Document(bytes) => match Input::read(bytes) {
                Ok(_) | Err(InputError::Malformed(_) | InputError::LaterVersion(_)) => true,
                Err(_) => false,
            },
        }
    }
}

/// The rest of a file, and one byte beyond the limit, so that whoever reads it can tell.
fn read_to_limit(
    mut start: Vec<u8>,
    reader: Box<dyn Read + Send>,
    limit: usize,
) -> Result<Vec<u8>, Problem> {
    let more = (limit + 1).saturating_sub(start.len()) as u64;
    reader.take(more).read_to_end(&mut start)?;
    Ok(start)
}

fn is_message(line: &[u8]) -> bool {
    matches!(Input::read(line), Err(InputError::McpResult))
}

/// A list of something else gives one complaint, not one for each of its lines.
fn check_first_line(line: &[u8]) -> Result<(), Problem> {
    match Input::read(line) {
        Err(InputError::Unknown(UnknownInput::Empty)) | Ok(_) => Ok(()),
        Err(error @ InputError::Unknown(_)) => Err(Problem::Input(error)),
        Err(_) => Ok(()),
    }
}
