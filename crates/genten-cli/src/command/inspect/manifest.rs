//! A manifest, its members in the order in which one reads them.

use genten_jws::SignedBytes;
use genten_manifest::UnverifiedManifest;
use genten_primitives::json::{self, ArrayWriter, Kind, Limits, ObjectWriter, Value};

use super::Shown;
use crate::command::text::{Rows, Text};

/// What, when, which bytes; then how; then who.
const ORDER: [&str; 17] = [
    "source_url",
    "fetched_at",
    "attested_at",
    "content_sha256",
    "source_class",
    "source_revision",
    "capture",
    "http",
    "tls_server_cert_sha256",
    "tls",
    "ct_log_proof",
    "retrieval",
    "result_sha256",
    "request",
    "mcp_key_id",
    "mcp_signature",
    "transparency_log_id",
];

/// Longest value that is shown whole where it is no text for people, in characters.
const LONGEST: usize = 96;

pub(super) fn show(manifest: &UnverifiedManifest, bytes: &[u8]) -> Shown {
    let mut text = Text::default();
    let mut object = ObjectWriter::new();
    if let Ok(document) = json::read(bytes, Limits::bytes(bytes.len())) {
        text.line(0, "Provenance manifest");
        write(manifest, document.root(), &mut text, &mut object);
    }
    Shown { kind: "manifest", text, object }
}

/// The members of a manifest that was kept elsewhere; nothing where it cannot be read.
pub(crate) fn text_of(bytes: &[u8]) -> Text {
    match UnverifiedManifest::read(bytes) {
        Ok(manifest) => show(&manifest, bytes).text,
        Err(_) => Text::default(),
    }
}

/// Writes the manifest that stands as this value.
pub(super) fn write(
    manifest: &UnverifiedManifest,
    value: Value<'_>,
    text: &mut Text,
    object: &mut ObjectWriter<'static>,
) {
    let mut rows = members(value);
    let signed = SignedBytes::of_manifest(manifest);
    match &signed {
        Ok(signed) => {
            rows.add("(signature)", format!("{}, not checked", signed.header().alg))
                .add("(manifest_id)", format!("{}, computed", signed.sha256()));
            object.string("manifest_id", &signed.sha256().to_string());
        }
        Err(error) => {
            let words = crate::failure::with_causes(error);
            rows.add("(signature)", format!("cannot be read: {words}"));
            object.string("signature_unreadable", &words);
        }
    }
    unknown(manifest.unknown_members(), &mut rows, object);
    text.rows(1, &rows);
    others(value, text);
    let mut canonical = Vec::new();
    value.write_canonical(&mut canonical);
    object.raw("manifest", &canonical);
}

/// Members that this version does not know.
fn unknown(paths: &[String], rows: &mut Rows, object: &mut ObjectWriter<'static>) {
    if paths.is_empty() {
        return;
    }
    rows.add("(unknown members)", paths.join(", "));
    let mut list = ArrayWriter::new();
    for path in paths {
        list.string(path);
    }
    object.raw("unknown_members", &list.finish());
}

/// One row for each value of the members that manifests have.
fn members(manifest: Value<'_>) -> Rows {
    let mut rows = Rows::default();
    for name in ORDER {
        if let Some(value) = manifest.get(name) {
            flatten(value, name, &mut rows);
        }
    }
    rows
}

/// All other members, kept apart: their names are anybody's, and must not pass for our words.
fn others(manifest: Value<'_>, text: &mut Text) {
    let mut rows = Rows::default();
    let all = manifest.members().into_iter().flatten();
    for (name, value) in all.filter(|(name, _)| !ORDER.contains(&name.as_ref())) {
        flatten(value, &name, &mut rows);
    }
    if !rows.is_empty() {
        text.line(1, "members of others, or unknown to this version").rows(2, &rows);
    }
}

/// `http.redirects[0].url` and its text.
fn flatten(value: Value<'_>, path: &str, rows: &mut Rows) {
    match value.kind() {
        Kind::Object => {
            for (name, member) in value.members().into_iter().flatten() {
                flatten(member, &format!("{path}.{name}"), rows);
            }
        }
        Kind::Array => {
            for (position, item) in value.items().into_iter().flatten().enumerate() {
                let path = format!("{path}[{position}]");
                match pair(item) {
                    Some(words) => drop(rows.add(path, words)),
                    None => flatten(item, &path, rows),
                }
            }
        }
        Kind::String => {
            let text = value.as_str().unwrap_or_default();
            rows.add(path, shortened(path, &text));
        }
        Kind::Null | Kind::Boolean | Kind::Number => drop(rows.add(path, value.raw_text())),
    }
}

/// A header: a pair of name and value.
fn pair(item: Value<'_>) -> Option<String> {
    let mut texts = item.items()?.map(Value::as_str);
    match (texts.next(), texts.next(), texts.next()) {
        (Some(Some(name)), Some(Some(value)), None) => Some(format!("{name}: {value}")),
        _ => None,
    }
}

/// Signatures and proofs are no text for people: their beginning is enough to compare them.
fn shortened(path: &str, text: &str) -> String {
    let is_code = matches!(path, "mcp_signature" | "ct_log_proof");
    let length = text.chars().count();
    if !is_code || length <= LONGEST {
        return text.to_owned();
    }
    let start: String = text.chars().take(LONGEST / 2).collect();
    format!("{start}… ({length} characters)")
}
