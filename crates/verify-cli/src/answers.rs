//! Saved MCP results: one report for each manifest of a result, and one for a result behind which nobody stands.

use std::collections::HashMap;

use genten_manifest::ManifestError;
use genten_mcp::call::Call;
use genten_mcp::saved::{Saved, SavedError, read_document};
use genten_primitives::json::Value;
use genten_verify::answer::Answer;
use genten_verify::{Body, Input, Report};

use crate::bodies::{Bodies, NamedBody};
use crate::error::{Complaint, Problem};
use crate::judge::{Item, Judge, Judged, named};

/// Calls that a manifest can answer.
const CALLS: [&str; 2] = ["tools/call", "resources/read"];

/// Calls of a session by their ids; `None` for those of other methods.
type Calls = HashMap<String, Option<Call>>;

impl Judge {
    /// Judges a document that looks like a saved result.
    pub(crate) fn result(&self, item: &Item<'_>, judged: &mut Judged) {
        if self.asked.is_about_sigstore() {
            return judged.complain(Complaint::new(item.name(), Problem::NotSigstore));
        }
        match read_document(item.bytes) {
            Ok(document) => self.answer(item, document.root(), self.asked.call.as_ref(), judged),
            Err(error) => {
                let report = self.verifier.malformed(&ManifestError::from(error), self.now);
                judged.add(&self.form, item, &report);
            }
        }
    }

    fn answer(&self, item: &Item<'_>, root: Value<'_>, call: Option<&Call>, judged: &mut Judged) {
        match Saved::read(root) {
            Ok(saved) => self.reports(item, &Answer::new(&saved, call), judged),
            Err(SavedError::NoResponse) => {
                judged.complain(Complaint::new(item.name(), Problem::NoAnswer));
            }
            Err(error) => {
                judged.add(&self.form, item, &self.verifier.malformed_answer(&error, self.now));
            }
        }
    }

    fn reports(&self, item: &Item<'_>, answer: &Answer<'_>, judged: &mut Judged) {
        let of = answer.manifests().len();
        if of > 1 && matches!(self.bodies, Bodies::One(_)) {
            return judged.complain(Complaint::new(item.name(), Problem::OneBody));
        }
        if of == 0 {
            let report = self.verifier.verify_without_manifest(answer, self.now);
            return judged.add(&self.form, item, &report);
        }
        for place in 0..of {
            let part = (of > 1).then_some((place + 1, of));
            let item = Item { part, ..*item };
            match self.report_on_place(&item, answer, place) {
                Ok(report) => judged.add(&self.form, &item, &report),
                Err(complaint) => judged.complain(complaint),
            }
        }
    }

    fn report_on_place(
        &self,
        item: &Item<'_>,
        answer: &Answer<'_>,
        place: usize,
    ) -> Result<Report, Complaint> {
        let Ok(manifest) = &answer.manifests()[place] else {
            return Ok(self.verifier.verify_answer(answer, place, &[], &Body::NotGiven, self.now));
        };
        let NamedBody { body, name } = self.bodies.find(None, Some(manifest.claims()))?;
        let input = Input::Manifest(manifest.clone());
        let evidence = self.evidence.of(&input, || item.name().into_owned())?;
        let report = self.verifier.verify_answer(answer, place, &evidence, &body, self.now);
        self.cover(&report, manifest.claims());
        Ok(named(name, report))
    }

    /// Judges the answers of a session, each as an answer to its own call.
    pub(crate) fn transcript(&self, whole: &Item<'_>, judged: &mut Judged) {
        let (mut calls, before) = (Calls::new(), judged.exits.len());
        let lines = whole.bytes.split(|byte| *byte == b'\n').zip(1..);
        for (bytes, number) in lines.filter(|(line, _)| !line.trim_ascii().is_empty()) {
            let item = Item { line: Some(number), bytes, ..*whole };
            match read_document(bytes) {
                Ok(document) => self.message(&item, document.root(), &mut calls, judged),
                Err(error) => {
                    let report = self.verifier.malformed(&ManifestError::from(error), self.now);
                    judged.add(&self.form, &item, &report);
                }
            }
        }
        if judged.exits.len() == before {
            judged.complain(Complaint::new(whole.name(), Problem::NoAnswer));
        }
    }

    fn message(&self, item: &Item<'_>, root: Value<'_>, calls: &mut Calls, judged: &mut Judged) {
        let id = root.get("id").map(canonical);
        if let Some(method) = root.get("method").and_then(Value::as_str) {
            let call = Call::read(root).ok().filter(|_| CALLS.contains(&&method[..]));
            calls.extend(id.map(|id| (id, call)));
            return;
        }
        match id.and_then(|id| calls.get(&id)) {
            // The answer to something that needs no source: a list of tools, a handshake.
            Some(None) => {}
            Some(Some(call)) => {
                self.answer(item, root, self.asked.call.as_ref().or(Some(call)), judged);
            }
            None if is_of_other_method(root) => {}
            None => self.answer(item, root, self.asked.call.as_ref(), judged),
        }
    }
}

/// Whether a response without its call is none of a tool or resource.
fn is_of_other_method(root: Value<'_>) -> bool {
    let Some(result) = root.get("result") else { return false };
    let names = ["content", "contents", "structuredContent", "structured_content"];
    names.iter().all(|name| result.get(name).is_none())
}

/// The text of an id, which is a number or a string.
fn canonical(id: Value<'_>) -> String {
    let mut text = Vec::new();
    id.write_canonical(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
