//! The report for programs: one object, the same shape whatever the verdict.

use genten_primitives::Printable;
use genten_primitives::json::{self, ArrayWriter, Limits, ObjectWriter};

use super::not_proven;
use crate::sigstore::SigstoreReport;
use crate::{
    Basis, Check, Effect, LogReport, Note, Report, SignerReport, TimestampReport, TrustedTime,
    Verdict,
};

impl Report {
    /// The report as one JSON object, members in canonical order. `name` is what the reader calls the input.
    pub fn to_json(&self, name: &str) -> Vec<u8> {
        let mut object = ObjectWriter::new();
        object
            .string("input", name)
            .string("verdict", self.verdict.as_str())
            .text("because", self.verdict.because().as_ref())
            .text("manifest_id", self.manifest_id.as_ref())
            .raw("checks", &array(self.checks.iter().map(check)))
            .raw("notes", &array(self.notes.iter().map(note)))
            .string("now", &self.now.to_string())
            .string("version", env!("CARGO_PKG_VERSION"))
            .raw("policy", &self.policy_json())
            .text("kit_sha256", self.kit_sha256.as_ref());
        if let Some(signer) = &self.signer {
            object.raw("signer", &self::signer(signer));
        }
        if let Some(body) = &self.body {
            let bytes = i64::try_from(body.bytes).unwrap_or(i64::MAX);
            let body = ObjectWriter::new()
                .text("sha256", Some(&body.sha256))
                .integer("bytes", bytes)
                .optional("name", body.name.as_deref())
                .finish();
            object.raw("body", &body);
        }
        self.write_evidence(&mut object);
        self.write_claims(&mut object);
        if self.verdict == Verdict::Accept {
            let mut limits = ArrayWriter::new();
            for limit in not_proven(self) {
                limits.string(limit);
            }
            object.raw("not_proven", &limits.finish());
        }
        safe_to_print(object.finish())
    }

    /// What others than the signer say.
    fn write_evidence(&self, object: &mut ObjectWriter<'_>) {
        if !self.logs.is_empty() {
            object.raw("logged", &array(self.logs.iter().map(logged)));
        }
        if !self.timestamps.is_empty() {
            object.raw("timestamps", &array(self.timestamps.iter().map(timestamp)));
        }
        if let Some(trusted) = &self.trusted_time {
            object.raw("trusted_time", &trusted_time(trusted));
        }
        if let Some(bundle) = &self.sigstore {
            object.raw("sigstore", &sigstore(bundle));
        }
    }

    /// The manifest's claims: `attested` only behind a trusted signer's valid signature, and what is no more than a name
    /// beside a bare key never.
    fn write_claims(&self, object: &mut ObjectWriter<'_>) {
        let Some(manifest) = &self.manifest else { return };
        let claims = manifest.claims();
        let all = manifest.to_json();
        if !self.attested {
            object.raw("claimed", &all);
            return;
        }
        // The place of a log entry is added after signing: nobody attests it.
        let mut claimed = ObjectWriter::new();
        let mut aside = vec!["transparency_log_id"];
        if let Some(signer) = self.signer.as_ref().filter(|signer| !signer.id_checked) {
            // A bare key is trusted, the name beside it is not.
            claimed.string("mcp_key_id", signer.id.as_str());
            aside.push("mcp_key_id");
        }
        claimed.text("transparency_log_id", manifest.manifest().transparency_log_id.as_ref());
        let attested = without(&aside, &all);
        object.raw("basis", &self.basis_json(&attested));
        object.raw("attested", &attested);
        let claimed = claimed.finish();
        if claimed != b"{}" {
            object.raw("claimed", &claimed);
        }
        // Others bound the time from above only; from below it stays the signer's word.
        let mut fetched_at = ObjectWriter::new();
        fetched_at
            .string("stated", &claims.fetched_at.to_string())
            .string("basis", self.basis.as_str());
        if let Some(trusted) = &self.trusted_time {
            fetched_at.string("not_after", &trusted.time.to_string());
            fetched_at.string("not_after_basis", trusted.basis.as_str());
        }
        object.raw("fetched_at", &fetched_at.finish());
    }

    /// On whose word each claim stands. Who signed, and what, is no claim.
    fn basis_json(&self, attested: &[u8]) -> Vec<u8> {
        let mut object = ObjectWriter::new();
        let Ok(document) = json::read(attested, Limits::bytes(attested.len())) else {
            return object.finish();
        };
        let names: Vec<_> =
            document.root().members().into_iter().flatten().map(|(name, _)| name).collect();
        for name in
            names.iter().filter(|name| !["mcp_key_id", "mcp_signature"].contains(&name.as_ref()))
        {
            // When it was signed, and how the facts came to the signer, is its own word in any case.
            let basis = match name.as_ref() {
                "attested_at" | "capture" => Basis::Signed,
                _ => self.basis,
            };
            object.string(name, basis.as_str());
        }
        object.finish()
    }

    fn policy_json(&self) -> Vec<u8> {
        ObjectWriter::new()
            .string("name", &self.policy.name)
            .text("sha256", Some(&self.policy.sha256))
            .finish()
    }
}

fn without(members: &[&str], manifest: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(manifest.len());
    match json::read(manifest, Limits::bytes(manifest.len())) {
        Ok(document) => document.root().write_canonical_without(members, &mut out),
        Err(_) => out.extend_from_slice(b"{}"), // unheard of: it was just written
    }
    out
}

/// The same JSON with every character escaped that a terminal would obey. Such characters stand in strings only.
fn safe_to_print(json: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8_lossy(&json);
    if !text.contains(Printable::escapes) {
        return json;
    }
    let mut safe = String::with_capacity(json.len() + 64);
    for character in text.chars() {
        match Printable::escapes(character) {
            true => character
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| safe.push_str(&format!("\\u{unit:04x}"))),
            false => safe.push(character),
        }
    }
    safe.into_bytes()
}

fn array(items: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut array = ArrayWriter::new();
    for item in items {
        array.raw(&item);
    }
    array.finish()
}

fn check(check: &Check) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("code", check.code.as_str())
        .string("outcome", check.outcome.as_str())
        .text("requirement", check.requirement.as_ref())
        .optional("effect", effect(check.effect))
        .optional("detail", check.detail.text().as_deref());
    if check.recommended {
        object.boolean("recommended", true);
    }
    let sides = check.detail.sides();
    if let Some((expected, found)) = &sides {
        object.string("expected", expected).string("found", found);
    }
    object.finish()
}

const fn effect(effect: Effect) -> Option<&'static str> {
    match effect {
        Effect::None => None,
        Effect::Review => Some("review"),
        Effect::Reject => Some("reject"),
    }
}

fn note(note: &Note) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object.string("code", note.code.as_str()).string("meaning", note.code.meaning());
    if !note.text.is_empty() {
        object.string("text", &note.text);
    }
    object.finish()
}

fn logged(entry: &LogReport) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("subject", entry.subject.as_str())
        .string("basis", entry.basis())
        .string("origin", &entry.origin)
        .integer("index", i64::try_from(entry.index).unwrap_or(i64::MAX))
        .boolean("log_of_trusted_root", entry.is_of_trusted_root)
        .text("witnessed_by", entry.witnessed_by.as_ref());
    if !entry.witnesses.is_empty() {
        let mut names = ArrayWriter::new();
        for name in &entry.witnesses {
            names.string(name);
        }
        object.raw("witnesses", &names.finish());
    }
    object.finish()
}

fn timestamp(stamp: &TimestampReport) -> Vec<u8> {
    ObjectWriter::new()
        .string("authority", &stamp.authority)
        .string("time", &stamp.time.to_string())
        .finish()
}

fn trusted_time(trusted: &TrustedTime) -> Vec<u8> {
    ObjectWriter::new()
        .string("time", &trusted.time.to_string())
        .string("basis", trusted.basis.as_str())
        .string("source", &trusted.source)
        .finish()
}

fn sigstore(bundle: &SigstoreReport) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("content", &bundle.content)
        .optional("predicate_type", bundle.predicate_type.as_deref())
        .optional("artifact", bundle.artifact.as_deref())
        .text("thumbprint", bundle.thumbprint.as_ref())
        .optional("issuer", bundle.issuer.as_deref());
    if !bundle.identities.is_empty() {
        let mut names = ArrayWriter::new();
        for name in &bundle.identities {
            names.string(name);
        }
        object.raw("identities", &names.finish());
    }
    object.finish()
}

fn signer(signer: &SignerReport) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("id", signer.id.as_str())
        .boolean("id_checked", signer.id_checked)
        .text("trusted_by", signer.trusted_by.as_ref());
    if let Some(key) = &signer.key {
        object.text("thumbprint", Some(&key.thumbprint)).string("algorithm", key.algorithm);
    }
    object.finish()
}
