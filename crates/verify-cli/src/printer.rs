//! Reports to standard output, everything else to standard error.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use genten_verify::Printable;

use crate::cli::Format;
use crate::error::{Complaint, Problem, Remarks};
use crate::exit::Exit;
use crate::judge::{Form, Judged};

/// Writes results as they come, and counts.
pub(crate) struct Printer {
    out: BufWriter<Box<dyn Write>>,
    err: Box<dyn Write>,
    form: Form,
    counts: Counts,
    has_written: bool,
    is_closed: bool,
    hinted: HashSet<&'static str>,
}

#[derive(Default)]
struct Counts {
    worst: Exit,
    inputs: u64,
    by_exit: [u64; 4],
    without_content: u64,
}

impl Counts {
    fn add(&mut self, exit: Exit) {
        self.worst = self.worst.max(exit);
        self.inputs += 1;
        self.by_exit[exit as usize] += 1;
    }

    /// `3 inputs: 2 accepted (1 without its content), 1 rejected`
    fn summary(&self) -> String {
        let accepted = match self.without_content {
            0 => "accepted".to_owned(),
            1 => "accepted (1 without its content)".to_owned(),
            count => format!("accepted ({count} without their content)"),
        };
        let words = [accepted.as_str(), "for review", "without verdict", "rejected"];
        let counted = words.iter().zip(self.by_exit).filter(|(_, count)| *count > 0);
        let parts: Vec<_> = counted.map(|(word, count)| format!("{count} {word}")).collect();
        format!("{} inputs: {}", self.inputs, parts.join(", "))
    }
}

impl Printer {
    pub(crate) fn new(out: Box<dyn Write>, err: Box<dyn Write>, form: Form) -> Self {
        Self {
            out: BufWriter::new(out),
            err,
            form,
            counts: Counts::default(),
            has_written: false,
            is_closed: false,
            hinted: HashSet::new(),
        }
    }

    /// Writes what came of one task. Breaks when nobody reads the reports any more, or they cannot be written.
    pub(crate) fn print(&mut self, judged: Judged) -> ControlFlow<()> {
        if self.is_closed {
            // What is left will not be judged.
            self.counts.worst = self.counts.worst.max(Exit::NoVerdict);
            return ControlFlow::Break(());
        }
        judged.exits.into_iter().for_each(|exit| self.counts.add(exit));
        self.counts.without_content += judged.without_content;
        if !judged.reports.is_empty() {
            let written = self.write_reports(&judged.reports);
            self.check(written);
        }
        self.remark(&judged.remarks);
        ControlFlow::Continue(())
    }

    /// Writes what is said beside the reports.
    pub(crate) fn remark(&mut self, remarks: &Remarks) {
        remarks.complaints.iter().for_each(|complaint| self.complain(complaint));
        remarks.notes.iter().for_each(|note| self.note(note));
    }

    /// Writes a problem, which keeps the whole from being accepted.
    pub(crate) fn complain(&mut self, complaint: &Complaint) {
        self.counts.worst = self.counts.worst.max(Exit::NoVerdict);
        let _ = self.err.write_all(complaint.line().as_bytes());
        let hint = complaint.problem.hint();
        if !hint.is_empty() && self.hinted.insert(hint) {
            let _ = write!(self.err, "\n{hint}\n\n");
        }
    }

    fn note(&mut self, note: &str) {
        if !self.form.quiet {
            let _ = writeln!(self.err, "verify: note: {}", Printable(note));
        }
    }

    fn write_reports(&mut self, reports: &[u8]) -> io::Result<()> {
        if self.has_written {
            self.out.write_all(self.form.separator())?;
        } else if self.form.format == Format::Json {
            self.out.write_all(b"[\n")?;
        }
        self.has_written = true;
        self.out.write_all(reports)?;
        self.out.flush()
    }

    /// A reader that went away is no error; a full disk is.
    fn check(&mut self, written: io::Result<()>) {
        let Err(error) = written else { return };
        self.is_closed = true;
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.complain(&Complaint::new("standard output", Problem::Output(error)));
        }
    }

    /// Writes what follows the reports.
    pub(crate) fn finish(mut self, uncovered: &[String]) -> Exit {
        if !self.is_closed && !self.form.quiet {
            let written = self.write_end(uncovered);
            self.check(written);
        }
        self.counts.worst
    }

    fn write_end(&mut self, uncovered: &[String]) -> io::Result<()> {
        match self.form.format {
            Format::Text | Format::Html => self.write_text_end(uncovered)?,
            Format::Json if self.has_written => self.out.write_all(b"\n]\n")?,
            Format::Json => self.out.write_all(b"[]\n")?,
            Format::Jsonl => {}
        }
        if self.form.format != Format::Text {
            uncovered.iter().for_each(|name| self.note(&format!("{name}: no manifest covers it")));
        }
        self.out.flush()
    }

    fn write_text_end(&mut self, uncovered: &[String]) -> io::Result<()> {
        if !uncovered.is_empty() {
            writeln!(self.out, "\nno manifest covers these files:")?;
        }
        for name in uncovered {
            writeln!(self.out, "  {}", Printable(name))?;
        }
        match self.counts.inputs {
            0 | 1 => Ok(()),
            _ => writeln!(self.out, "\n{}", self.counts.summary()),
        }
    }
}
