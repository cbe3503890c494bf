//! From a task to reports in the form that was asked for. Any number of these run at a time.

use std::borrow::Cow;
use std::path::Path;

use genten_manifest::Claims;
use genten_mcp::call::Call;
use genten_primitives::Timestamp;
use genten_verify::sigstore::{Artifact, CertificateIdentity, SigstoreBundle, SigstoreQuestion};
use genten_verify::{Input, InputError, Report, TextLevel, TextOptions, Verifier};

use crate::bodies::Bodies;
use crate::cli::Format;
use crate::error::{Complaint, Problem, Remarks};
use crate::evidence::EvidenceIndex;
use crate::exit::Exit;
use crate::files;
use crate::inputs::{Source, Task};
use crate::paint::Paint;

/// Everything that a verdict and its form depend on.
pub(crate) struct Judge {
    pub(crate) verifier: Verifier,
    pub(crate) now: Timestamp,
    pub(crate) bodies: Bodies,
    pub(crate) evidence: EvidenceIndex,
    pub(crate) asked: Asked,
    pub(crate) form: Form,
}

/// What is asked about Sigstore bundles, and about saved results.
#[derive(Default)]
pub(crate) struct Asked {
    pub(crate) artifact: Option<Artifact>,
    pub(crate) identity: Option<CertificateIdentity>,
    /// The call that a saved result should answer.
    pub(crate) call: Option<Call>,
}

impl Asked {
    pub(crate) fn is_about_sigstore(&self) -> bool {
        self.artifact.is_some() || self.identity.is_some()
    }

    /// What is asked and says nothing about manifests.
    fn beside_manifests(&self) -> Option<Problem> {
        let sigstore = self.is_about_sigstore().then_some(Problem::NotSigstore);
        sigstore.or(self.call.as_ref().map(|_| Problem::NotResult))
    }
}

/// How to answer.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    pub(crate) format: Format,
    pub(crate) level: TextLevel,
    pub(crate) at_given: bool,
    pub(crate) paint: Paint,
    pub(crate) quiet: bool,
}

/// What came of a task.
#[derive(Default)]
pub(crate) struct Judged {
    /// Reports, each as it is written, with what stands between two of them.
    pub(crate) reports: Vec<u8>,
    /// One for each input.
    pub(crate) exits: Vec<Exit>,
    /// How many were accepted without their content.
    pub(crate) without_content: u64,
    pub(crate) remarks: Remarks,
}

/// One document: a whole file, or a line of one; of a saved result one of its manifests.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub(crate) source: &'a Source,
    pub(crate) line: Option<u64>,
    /// Which manifest, from 1, of how many.
    pub(crate) part: Option<(usize, usize)>,
    pub(crate) bytes: &'a [u8],
}

impl Item<'_> {
    pub(crate) fn name(&self) -> Cow<'_, str> {
        let name: Cow<'_, str> = match self.line {
            Some(line) => format!("{}:{line}", self.source.name).into(),
            None => self.source.name.as_str().into(),
        };
        match self.part {
            Some((place, of)) => format!("{name} (manifest {place} of {of})").into(),
            None => name,
        }
    }

    /// The path of the file: a body can lie beside it, also where several lines of it are about that body.
    fn own_path(&self) -> Option<&Path> {
        self.source.path.as_deref()
    }
}

impl Form {
    /// What stands between two reports.
    pub(crate) fn separator(&self) -> &'static [u8] {
        match self.format {
            Format::Json => b",\n",
            Format::Jsonl | Format::Html => b"",
            Format::Text => b"\n",
        }
    }

    fn write(&self, item: &Item<'_>, report: &Report, out: &mut Vec<u8>) {
        if self.quiet {
            return;
        }
        if !out.is_empty() {
            out.extend_from_slice(self.separator());
        }
        match self.format {
            Format::Text | Format::Html => {
                let file = item.source.path.as_ref().map(|_| item.source.name.as_str());
                let options = TextOptions { level: self.level, at_given: self.at_given, file };
                let text = report.to_text(&item.name(), &options);
                self.paint.verdict(report.verdict, &text, out);
            }
            Format::Json => out.extend(report.to_json(&item.name())),
            Format::Jsonl => {
                out.extend(report.to_json(&item.name()));
                out.push(b'\n');
            }
        }
    }
}

impl Judge {
    /// Does a task.
    pub(crate) fn judge(&self, task: Task) -> Judged {
        let mut judged = Judged::default();
        match task {
            Task::Complain(complaint) => judged.complain(complaint),
            Task::Document(source, bytes) => {
                let item = Item { source: &source, line: None, part: None, bytes: &bytes };
                self.item(&item, &mut judged);
            }
            Task::Transcript(source, bytes) => {
                let item = Item { source: &source, line: None, part: None, bytes: &bytes };
                self.transcript(&item, &mut judged);
            }
            Task::Lines(source, piece) => {
                for (number, _, bytes) in piece.lines() {
                    let item = Item { source: &source, line: Some(number), part: None, bytes };
                    self.item(&item, &mut judged);
                }
            }
            Task::PassedOver(path, what) => {
                judged.remarks.passed_over(&files::shown(&path), what);
            }
        }
        judged
    }

    fn item(&self, item: &Item<'_>, judged: &mut Judged) {
        if let Err(InputError::McpResult) = Input::read(item.bytes) {
            return self.result(item, judged);
        }
        match self.report(item) {
            Ok(report) => judged.add(&self.form, item, &report),
            Err(complaint) => judged.complain(complaint),
        }
    }

    fn report(&self, item: &Item<'_>) -> Result<Report, Complaint> {
        match Input::read(item.bytes) {
            Err(InputError::Sigstore) => Ok(self.sigstore(item.bytes)),
            Ok(input) => match self.asked.beside_manifests() {
                Some(problem) => Err(Complaint::new(item.name(), problem)),
                None => self.report_on(item, &input),
            },
            Err(InputError::Malformed(_)) => {
                if let Some(problem) = self.asked.beside_manifests() {
                    return Err(Complaint::new(item.name(), problem));
                }
                let body = self.bodies.find(item.own_path(), None)?;
                Ok(named(body.name, self.verifier.verify_bytes(item.bytes, &body.body, self.now)))
            }
            Err(other) => {
                let problem = Problem::Input(other);
                let problem = match item.own_path() {
                    Some(path) => problem.of_file(path),
                    None => problem,
                };
                Err(Complaint::new(item.name(), problem))
            }
        }
    }

    fn sigstore(&self, bytes: &[u8]) -> Report {
        let Asked { artifact, identity, .. } = &self.asked;
        let question =
            SigstoreQuestion { artifact: artifact.as_ref(), identity: identity.as_ref() };
        match SigstoreBundle::read(bytes) {
            Ok(bundle) => self.verifier.verify_sigstore(&bundle, &question, self.now),
            Err(error) => self.verifier.malformed_sigstore(&error, self.now),
        }
    }

    fn report_on(&self, item: &Item<'_>, input: &Input) -> Result<Report, Complaint> {
        let claims = input.manifest().claims();
        let body = self.bodies.find(item.own_path(), Some(claims))?;
        let evidence = self.evidence.of(input, || item.name().into_owned())?;
        let report = self.verifier.verify_input(input, &evidence, &body.body, self.now);
        self.cover(&report, claims);
        Ok(named(body.name, report))
    }

    /// Notes that a manifest is about its bytes, unless it is rejected.
    pub(crate) fn cover(&self, report: &Report, claims: &Claims) {
        if Exit::from(report.verdict) != Exit::Reject {
            self.bodies.cover(claims);
        }
    }
}

/// The report with the name of the body that was compared.
pub(crate) fn named(body: Option<String>, mut report: Report) -> Report {
    if let Some(compared) = &mut report.body {
        compared.name = body;
    }
    report
}

impl Judged {
    pub(crate) fn add(&mut self, form: &Form, item: &Item<'_>, report: &Report) {
        let exit = Exit::from(report.verdict);
        self.exits.push(exit);
        let compared = report.body.is_some() || report.sigstore.is_some();
        self.without_content += u64::from(exit == Exit::Accept && !compared);
        form.write(item, report, &mut self.reports);
    }

    pub(crate) fn complain(&mut self, complaint: Complaint) {
        self.exits.push(Exit::NoVerdict);
        self.remarks.complaints.push(complaint);
    }
}
