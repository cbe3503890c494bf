//! The program `verify`: for third parties who want to know what a provenance manifest proves.
//!
//! It opens no socket, reads no configuration file, and no environment variable changes a verdict. The same arguments
//! and files give the same answer, except for the time, which `--at` fixes.
//!
//! All of the program is [`run`]: arguments, streams and time go in, an [`Exit`] comes out. The decision itself is that
//! of [`genten_verify`].

mod answers;
mod bodies;
mod cli;
mod error;
mod evidence;
mod exit;
mod explain;
mod files;
mod inputs;
mod judge;
mod lines;
mod ordered;
mod paint;
mod printer;
mod settings;
mod time;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;

use clap::{CommandFactory, Parser};
use genten_primitives::Timestamp;
use genten_verify::{Printable, TextLevel};

use bodies::{Bodies, BodyFolder, NamedBody};
use cli::Cli;
use error::{Complaint, Problem, Remarks};
use evidence::EvidenceIndex;
use inputs::Tasks;
use judge::{Form, Judge};
use ordered::{Jobs, ordered};
use paint::Paint;
use printer::Printer;

pub use exit::Exit;

/// What the program needs of the world.
pub struct Io {
    /// Standard input.
    pub stdin: Box<dyn Read + Send>,
    /// Where reports go.
    pub stdout: Box<dyn Write>,
    /// Where everything else goes.
    pub stderr: Box<dyn Write>,
    /// Whether standard output can show colours and its reader wants them.
    pub color: bool,
    /// The time by the system's clock.
    pub now: Timestamp,
    /// Tells how many inputs to verify at a time, unless asked otherwise.
    pub cores: fn() -> usize,
}

/// The command line, for manual pages and completions.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>, mut io: Io) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return say_usage(&error, &arguments, &mut io),
    };
    match &cli.explain {
        Some(code) => explain(code, &mut io),
        None => verify(&cli, io),
    }
}

/// Help and version are answers; wrong usage is no verdict.
fn say_usage(error: &clap::Error, arguments: &[OsString], io: &mut Io) -> Exit {
    if !error.use_stderr() {
        let text = error.render();
        let text = if io.color { text.ansi().to_string() } else { text.to_string() };
        let _ = io.stdout.write_all(text.as_bytes());
        return Exit::Accept;
    }
    // The message repeats arguments, among them perhaps file names from elsewhere: it is made again of harmless ones.
    let harmless = arguments.iter().map(|word| Printable(&word.to_string_lossy()).to_string());
    let message = match Cli::try_parse_from(harmless) {
        Err(error) => error.render().to_string(),
        Ok(_) => format!("error: {}\n", error.kind()),
    };
    let _ = io.stderr.write_all(message.as_bytes());
    Exit::NoVerdict
}

fn explain(code: &str, io: &mut Io) -> Exit {
    match explain::explain(code, &mut io.stdout) {
        Ok(false) => {
            let complaint = Complaint::new(code, Problem::UnknownCode);
            let hint = complaint.problem.hint();
            let _ = write!(io.stderr, "{}\n{hint}\n", complaint.line());
            Exit::NoVerdict
        }
        _ => Exit::Accept,
    }
}

fn verify(cli: &Cli, mut io: Io) -> Exit {
    let (form, jobs) = (form(cli, &io), Jobs { asked: cli.jobs, cores: io.cores });
    let mut remarks = Remarks::default();
    let judge = prepare(cli, form, jobs, &mut io, &mut remarks);
    let mut printer = Printer::new(io.stdout, io.stderr, form);
    printer.remark(&remarks);
    let judge = match judge {
        Ok(judge) => judge,
        Err(complaint) => {
            printer.complain(&complaint);
            return Exit::NoVerdict;
        }
    };
    let allow_lists = !matches!(judge.bodies, Bodies::One(_));
    let tasks = Tasks::new(cli.files.clone(), io.stdin, allow_lists);
    ordered(tasks, jobs, |task| judge.judge(task), |judged| printer.print(judged));
    printer.finish(&judge.bodies.uncovered())
}

fn form(cli: &Cli, io: &Io) -> Form {
    Form {
        format: cli.format,
        level: if cli.verbose { TextLevel::Verbose } else { TextLevel::Usual },
        at_given: cli.at.is_some(),
        paint: Paint::new(cli.color, io.color),
        quiet: cli.quiet,
    }
}

/// Reads everything that does not belong to one input.
fn prepare(
    cli: &Cli,
    form: Form,
    jobs: Jobs,
    io: &mut Io,
    remarks: &mut Remarks,
) -> Result<Judge, Complaint> {
    let about = |path: &Path| {
        let name = files::shown(path);
        move |problem: Problem| Complaint::new(name, problem)
    };
    let verifier = settings::verifier(cli)?;
    let bodies = match (&cli.body, &cli.bodies) {
        (Some(path), _) => {
            NamedBody::of_file(path, &mut io.stdin).map(Bodies::One).map_err(about(path))?
        }
        (None, Some(path)) => BodyFolder::read(path, jobs, remarks)
            .map(Bodies::Folder)
            .map_err(|error| about(path)(error.into()))?,
        (None, None) => Bodies::Beside,
    };
    let evidence = match &cli.evidence {
        Some(path) => EvidenceIndex::read(path, remarks).map_err(about(path))?,
        None => EvidenceIndex::default(),
    };
    let asked = settings::asked(cli, &mut io.stdin)?;
    let now = cli.at.map_or(io.now, |at| at.0);
    Ok(Judge { verifier, now, bodies, evidence, asked, form })
}
