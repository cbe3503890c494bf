//! One entry of the journal, for people and for machines.

use genten_primitives::json::{self, Limits, ObjectWriter};
use genten_store::{BodyPlace, Entry, LogStatus};

use crate::command::text::{self, Rows, Text};

/// The entry without its manifest.
pub(super) fn object(entry: &Entry) -> ObjectWriter<'static> {
    let mut object = ObjectWriter::new();
    object
        .string("manifest_id", &entry.manifest_id.to_string())
        .string("recorded_at", &entry.recorded_at.to_string())
        .string("fetched_at", &entry.fetched_at.to_string())
        .text("attested_at", entry.attested_at.as_ref())
        .string("url", &entry.url)
        .optional("final_url", entry.final_url.as_deref())
        .optional("source_revision", entry.revision.as_deref())
        .optional("source_class", entry.source_class.as_deref())
        .string("capture", &entry.capture)
        .string("mcp_key_id", &entry.key_id)
        .string("content_sha256", &entry.content_sha256.to_string());
    if let Some(bytes) = entry.content_bytes {
        object.raw("content_bytes", bytes.to_string().as_bytes());
    }
    object
        .raw("body", &body(&entry.body_place))
        .text("bundle", entry.bundle_path.as_ref().map(|path| path.display()).as_ref())
        .raw("log", &log(&entry.log));
    object
}

/// The entry with its manifest as it was signed, where the journal holds it.
pub(super) fn with_manifest(entry: &Entry) -> ObjectWriter<'static> {
    let mut object = object(entry);
    let Some(bytes) = &entry.manifest else { return object };
    match json::read(bytes, Limits::bytes(bytes.len())) {
        Ok(manifest) if !bytes.contains(&b'\n') => {
            object.raw("manifest", manifest.root().raw());
        }
        Ok(manifest) => {
            let mut one_line = Vec::new();
            manifest.root().write_canonical(&mut one_line);
            object.raw("manifest", &one_line);
        }
        Err(_) => {
            object.string("manifest_unreadable", &String::from_utf8_lossy(bytes));
        }
    }
    object
}

fn body(place: &BodyPlace) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    match place {
        BodyPlace::None => object.string("place", "none"),
        BodyPlace::BodyStore => object.string("place", "store"),
        BodyPlace::Path(path) => {
            object.string("place", "path").string("path", &path.to_string_lossy())
        }
    };
    object.finish()
}

fn log(status: &LogStatus) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("state", status.state.as_str())
        .optional("log_id", status.log_id.as_deref())
        .integer("attempts", status.attempts.into())
        .text("due", status.due.as_ref())
        .optional("detail", status.detail.as_deref())
        .text("changed_at", status.changed_at.as_ref());
    object.finish()
}

/// Everything about the entry, in rows.
pub(super) fn text(entry: &Entry) -> Text {
    let mut rows = Rows::default();
    rows.add("manifest_id", entry.manifest_id)
        .add("url", &entry.url)
        .optional("final_url", entry.final_url.as_ref())
        .add("fetched_at", entry.fetched_at)
        .optional("attested_at", entry.attested_at)
        .add("recorded_at", entry.recorded_at)
        .optional("source_class", entry.source_class.as_ref())
        .optional("source_revision", entry.revision.as_ref())
        .add("capture", &entry.capture)
        .add("content_sha256", entry.content_sha256)
        .optional("content_bytes", entry.content_bytes)
        .add("mcp_key_id", &entry.key_id)
        .add("body", body_words(&entry.body_place))
        .optional("bundle", entry.bundle_path.as_ref().map(|path| path.display()))
        .add("log", log_words(&entry.log))
        .add("manifest", manifest_words(entry));
    let mut text = Text::default();
    text.rows(0, &rows);
    text
}

fn body_words(place: &BodyPlace) -> String {
    match place {
        BodyPlace::None => "not kept".to_owned(),
        BodyPlace::BodyStore => "kept in the home, by its SHA-256".to_owned(),
        BodyPlace::Path(path) => path.display().to_string(),
    }
}

fn log_words(status: &LogStatus) -> String {
    let mut words = status.state.as_str().to_owned();
    let parts = [
        status.log_id.clone(),
        (status.attempts > 0)
            .then(|| format!("sent {}", text::count(status.attempts, "time", "times"))),
        status.due.map(|due| format!("due {due}")),
        status.detail.clone(),
        status.changed_at.map(|changed| format!("since {changed}")),
    ];
    for part in parts.into_iter().flatten() {
        words.push_str(", ");
        words.push_str(&part);
    }
    words
}

fn manifest_words(entry: &Entry) -> String {
    match &entry.manifest {
        Some(bytes) => {
            format!("{} bytes in the journal", bytes.len())
        }
        None => "in the bundle only: its URLs hold a secret".to_owned(),
    }
}
