//! The report for people.

use std::fmt::{Display, Write as _};

use genten_primitives::Printable;

use super::{because, first_line_facts, mark, not_proven};
use crate::sigstore::SigstoreReport;
use crate::{
    Basis, BodyReport, Check, Effect, LogReport, Note, Outcome, Report, SignerReport, Verdict,
};

/// How much the text says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextLevel {
    /// What a reader needs.
    #[default]
    Usual,
    /// Every check with both sides.
    Verbose,
}

/// How a report is written as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions<'f> {
    /// How much the text says.
    pub level: TextLevel,
    /// Whether the reader set the time, which the first line then says.
    pub at_given: bool,
    /// The file as a command would name it, for the command that the text suggests; `None` for standard input.
    pub file: Option<&'f str>,
}

impl Report {
    /// The report as text: the verdict first, then what it rests on, then what it does not prove.
    ///
    /// `name` is what the reader calls the input. Text from the input never begins a line, and is made safe to print.
    pub fn to_text(&self, name: &str, options: &TextOptions<'_>) -> String {
        let mut out = String::with_capacity(2048);
        self.write_first_line(name, options.at_given, &mut out);
        self.write_facts(&mut out);
        self.write_checks(options.level, &mut out);
        self.write_others(&mut out);
        self.write_notes(&mut out);
        self.write_advice(options.file, &mut out);
        self.write_limits(&mut out);
        self.write_grounds(&mut out);
        out
    }

    fn write_first_line(&self, name: &str, at_given: bool, out: &mut String) {
        let verdict = match self.verdict {
            Verdict::Accept => "ACCEPT",
            Verdict::Review { .. } => "REVIEW",
            Verdict::Reject { .. } => "REJECT",
        };
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
        if let Some(bundle) = &self.sigstore {
            bundle.write(out);
        }
        let Some(manifest) = &self.manifest else { return };
        let claims = manifest.claims();
        let _ = writeln!(out, "  {}:", self.standing());
        fact("source", Printable(claims.source_url.as_str()), out);
        if claims.final_url() != &claims.source_url {
            fact("delivered", Printable(claims.final_url().as_str()), out);
        }
        let word = if self.attested { "the signer's word" } else { "claimed" };
        match self.trusted_time.as_ref().filter(|_| self.attested) {
            Some(trusted) => {
                let others = format_args!("{} ({})", trusted.time, trusted.basis.as_str());
                fact(
                    "fetched",
                    format_args!("{} ({word}), not after {others}", claims.fetched_at),
                    out,
                );
            }
            None => fact("fetched", format_args!("{} ({word})", claims.fetched_at), out),
        }
        if let Some(attested_at) = claims.attested_at {
            fact("signed", format_args!("{attested_at} ({word})"), out);
        }
        if let Some(revision) = &claims.source_revision {
            fact("revision", Printable(revision.as_str()), out);
        }
        if let Some(class) = claims.source_class {
            fact("class", class, out);
        }
        fact("content", format_args!("sha256 {}", claims.content_sha256), out);
        self.write_identities(out);
    }

    /// On whose word the claims stand.
    fn standing(&self) -> &'static str {
        match (self.attested, self.basis) {
            (false, _) => "CLAIMED, not attested",
            (true, Basis::Signed) => "attested by the signer",
            (true, Basis::Reported) => {
                "attested by the signer, as reported to it by another program"
            }
        }
    }

    fn write_identities(&self, out: &mut String) {
        if let Some(signer) = &self.signer {
            signer.write(out);
        }
        if let Some(id) = self.manifest_id {
            fact("manifest", format_args!("id {id}"), out);
        }
    }

    fn write_checks(&self, level: TextLevel, out: &mut String) {
        let shown = |check: &&Check| level == TextLevel::Verbose || check.is_interesting();
        for (position, check) in self.checks.iter().filter(shown).enumerate() {
            if position == 0 {
                out.push_str("  checks:\n");
            }
            check.write(level, out);
        }
    }

    /// What others than the signer say, and who they are.
    fn write_others(&self, out: &mut String) {
        if !self.logs.is_empty() || !self.timestamps.is_empty() {
            out.push_str("  on the word of others:\n");
        }
        for entry in &self.logs {
            entry.write(out);
        }
        for stamp in &self.timestamps {
            fact("stamped", format_args!("{} by {}", stamp.time, Printable(&stamp.authority)), out);
        }
    }

    fn write_notes(&self, out: &mut String) {
        if !self.notes.is_empty() {
            out.push_str("  notes:\n");
        }
        for note in &self.notes {
            note.write(out);
        }
    }

    fn write_advice(&self, file: Option<&str>, out: &mut String) {
        let advice = self.verdict.because().map_or("", |code| code.advice());
        if !advice.is_empty() {
            line("  what to do: ", advice, out);
        }
        if let Some(command) = self.trusting_command(file) {
            out.push_str(
                "  if the signer itself told you that this id is its own, this trusts it:\n",
            );
            line("    ", command, out);
        }
    }

    fn write_limits(&self, out: &mut String) {
        if self.verdict != Verdict::Accept {
            return;
        }
        out.push_str("  not proven by this:\n");
        for limit in not_proven(self) {
            line("    - ", limit, out);
        }
    }

    /// What another reader needs to come to the same verdict.
    fn write_grounds(&self, out: &mut String) {
        out.push_str("  judged:\n");
        if let Some(body) = &self.body {
            body.write(out);
        }
        fact("as of", self.now, out);
        let policy = &self.policy;
        fact("policy", format_args!("{}, sha256 {}", Printable(&policy.name), policy.sha256), out);
        match &self.kit_sha256 {
            Some(kit) => fact("trust kit", format_args!("sha256 {kit}"), out),
            None => fact("trust kit", "none", out),
        }
        fact("by", concat!("verify ", env!("CARGO_PKG_VERSION")), out);
    }
}

fn line(start: &str, text: impl AsRef<str>, out: &mut String) {
    out.push_str(start);
    out.push_str(text.as_ref());
    out.push('\n');
}

fn fact(label: &str, value: impl Display, out: &mut String) {
    let _ = writeln!(out, "    {label:<9} {value}");
}

impl SignerReport {
    fn write(&self, out: &mut String) {
        let claimed = if self.id_checked { "" } else { " (claimed id, not checked)" };
        fact("signer", format_args!("{}{claimed}", Printable(self.id.as_str())), out);
        let Some(key) = &self.key else { return };
        let key = format_args!("{}, thumbprint {}", key.algorithm, key.thumbprint);
        match &self.trusted_by {
            Some(reason) => {
                let reason = reason.to_string();
                fact("key", format_args!("{key}, known from {}", Printable(&reason)), out);
            }
            None => fact("key", key, out),
        }
    }
}

impl SigstoreReport {
    fn write(&self, out: &mut String) {
        out.push_str("  Sigstore bundle:\n");
        if let Some(artifact) = &self.artifact {
            fact("artifact", artifact, out);
        }
        fact("content", Printable(&self.content), out);
        if let Some(predicate_type) = &self.predicate_type {
            fact("statement", Printable(predicate_type), out);
        }
        for identity in &self.identities {
            fact("signer", Printable(identity), out);
        }
        if let Some(issuer) = &self.issuer {
            fact("issuer", Printable(issuer), out);
        }
        if let Some(thumbprint) = &self.thumbprint {
            fact("key", format_args!("thumbprint {thumbprint}"), out);
        }
    }
}

impl LogReport {
    fn write(&self, out: &mut String) {
        let place = format_args!("{}, entry {}", Printable(&self.origin), self.index);
        let standing = match (self.witnesses.as_slice(), self.is_of_trusted_root) {
            _ if self.is_only_promised => {
                "only promised: nothing shows that the log holds it".to_owned()
            }
            ([], true) => "a log of your trusted root".to_owned(),
            ([], false) => "unwitnessed: the log's own word".to_owned(),
            (names, _) => format!("witnessed by {}", names.join(", ")),
        };
        fact("logged", format_args!("{place} ({})", Printable(&standing)), out);
    }
}

impl BodyReport {
    fn write(&self, out: &mut String) {
        let facts = format_args!("{} bytes, sha256 {}", self.bytes, self.sha256);
        match &self.name {
            Some(name) => fact("compared", format_args!("{}, {facts}", Printable(name)), out),
            None => fact("compared", facts, out),
        }
    }
}

impl Note {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "    {} [{}]", self.code.meaning(), self.code);
        if !self.text.is_empty() {
            let _ = write!(out, " {}", Printable(&self.text));
        }
        out.push('\n');
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
        let shows_sides = self.outcome != Outcome::Passed || level == TextLevel::Verbose;
        if let Some((expected, found)) = self.detail.sides().filter(|_| shows_sides) {
            let _ = writeln!(out, "        expected {}", Printable(&expected));
            let _ = writeln!(out, "        found    {}", Printable(&found));
        }
        if let Some(text) = self.detail.text() {
            let _ = writeln!(out, "        {}", Printable(&text));
        }
    }
}
