//! The report for people.

use std::fmt::Write as _;

use genten_primitives::Printable;

use super::{because, first_line_facts, mark, not_proven};
use crate::{Basis, Check, Code, Effect, Outcome, Report, Verdict};

/// How much the text says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextLevel {
    /// What a reader needs.
    #[default]
    Usual,
    /// Every check with both sides.
    Verbose,
}

impl Report {
    /// The report as text: the verdict first, then what it rests on, then what it does not prove.
    ///
    /// `name` is what the reader calls the input; `at_given` says that the time was set by the reader.
    pub fn to_text(&self, name: &str, level: TextLevel, at_given: bool) -> String {
        let mut out = String::new();
        self.write_first_line(name, at_given, &mut out);
        self.write_facts(&mut out);
        self.write_checks(level, &mut out);
        self.write_notes(&mut out);
        self.write_advice(name, &mut out);
        self.write_limits(&mut out);
        out
    }

    fn write_first_line(&self, name: &str, at_given: bool, out: &mut String) {
        let verdict = self.verdict.as_str().to_uppercase();
        let _ = write!(out, "{verdict} {}: {}", Printable(name), because(self));
        for fact in first_line_facts(self) {
            let _ = write!(out, "; {}", Printable(&fact));
        }
        if at_given {
            let _ = write!(out, "; as of {}", self.now);
        }
        out.push('\n');
    }

    fn write_facts(&self, out: &mut String) {
        let Some(manifest) = &self.manifest else { return };
        let claims = manifest.claims();
        let word = match (self.attested, self.basis) {
            (false, _) => "CLAIMED, not attested",
            (true, Basis::Signed) => "attested by the signer",
            (true, Basis::Reported) => {
                "attested by the signer, as reported to it by another program"
            }
        };
        let _ = writeln!(out, "  {word}:");
        let mut fact = |label: &str, text: &str| {
            let _ = writeln!(out, "    {label:<9} {}", Printable(text));
        };
        fact("source", claims.source_url.as_str());
        if claims.final_url() != &claims.source_url {
            fact("delivered", claims.final_url().as_str());
        }
        fact("fetched", &format!("{} (the signer's word)", claims.fetched_at));
        if let Some(revision) = &claims.source_revision {
            fact("revision", revision.as_str());
        }
        if let Some(class) = claims.source_class {
            fact("class", class.as_str());
        }
        fact("content", &format!("sha256 {}", claims.content_sha256));
        self.write_signer(out);
    }

    fn write_signer(&self, out: &mut String) {
        let Some(signer) = &self.signer else { return };
        let claimed = if signer.id_checked { "" } else { " (claimed id, not checked)" };
        let _ = writeln!(out, "    signer    {}{claimed}", Printable(signer.id.as_str()));
        if let Some(key) = &signer.key {
            let _ = write!(out, "    key       {}, {}", key.algorithm, key.thumbprint);
            if let Some(reason) = &signer.trusted_by {
                let _ = write!(out, ", trusted by {}", Printable(&reason.to_string()));
            }
            out.push('\n');
        }
        if let Some(id) = self.manifest_id {
            let _ = writeln!(out, "    manifest  {id}");
        }
    }

    fn write_checks(&self, level: TextLevel, out: &mut String) {
        let shown = |check: &&Check| level == TextLevel::Verbose || check.is_interesting();
        let checks: Vec<_> = self.checks.iter().filter(shown).collect();
        if !checks.is_empty() {
            out.push_str("  checks:\n");
        }
        for check in checks {
            check.write(level, out);
        }
    }

    fn write_notes(&self, out: &mut String) {
        if !self.notes.is_empty() {
            out.push_str("  notes:\n");
        }
        for note in &self.notes {
            let _ = write!(out, "    {} [{}]", note.code.meaning(), note.code);
            if !note.text.is_empty() {
                let _ = write!(out, " {}", Printable(&note.text));
            }
            out.push('\n');
        }
    }

    fn write_advice(&self, name: &str, out: &mut String) {
        let Some(code) = self.verdict.because() else { return };
        if !code.advice().is_empty() {
            let _ = writeln!(out, "  what to do: {}", code.advice());
        }
        let contained = self.signer.as_ref().filter(|signer| signer.id.contains_key());
        if let Some(signer) = contained.filter(|_| code == Code::SIGNER_NOT_TRUSTED) {
            let (name, id) = (Printable(name), Printable(signer.id.did()));
            let _ = writeln!(
                out,
                "  If the signer itself told you that this is its key, this trusts it:\n    verify {name} --signer {id}"
            );
        }
    }

    fn write_limits(&self, out: &mut String) {
        if self.verdict != Verdict::Accept {
            return;
        }
        out.push_str("  not proven by this:\n");
        for limit in not_proven(self) {
            let _ = writeln!(out, "    {limit}");
        }
    }
}

impl Check {
    /// Whether a reader who asked for nothing special should see the check.
    fn is_interesting(&self) -> bool {
        self.effect != Effect::None
            || self.recommended
            || matches!(self.outcome, Outcome::Passed | Outcome::NotChecked)
    }

    fn write(&self, level: TextLevel, out: &mut String) {
        let (sign, word) = mark(self.outcome);
        let _ = write!(out, "    {sign} {word}: {} [{}]", self.code.meaning(), self.code);
        if self.recommended {
            out.push_str(" (recommended by the policy)");
        }
        out.push('\n');
        let failed = self.outcome != Outcome::Passed;
        if let Some((expected, found)) =
            self.detail.sides().filter(|_| failed || level == TextLevel::Verbose)
        {
            let _ = writeln!(out, "        expected {}", Printable(&expected));
            let _ = writeln!(out, "        found    {}", Printable(&found));
        }
        if let Some(text) = self.detail.text() {
            let _ = writeln!(out, "        {}", Printable(&text));
        }
    }
}
