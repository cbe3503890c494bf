//! How an [`Entry`] becomes a row and a row an [`Entry`].

use std::path::{Path, PathBuf};

use genten_primitives::{Sha256Digest, Timestamp};
use rusqlite::Row;
use rusqlite::types::{Value, ValueRef};

use super::entry::{BodyPlace, Entry, LogState, LogStatus};
use crate::error::{At, Damage, StoreError};

/// Takes the values of [`values`], in their order.
pub(crate) const INSERT: &str = "INSERT INTO entry (
        log_state, log_id, log_attempts, log_due_ms, log_detail, log_changed_at,
        manifest_id, recorded_at, fetched_at, fetched_ms, attested_at, url, final_url, revision,
        source_class, capture, key_id, content_sha256, content_bytes, body_place, body_path,
        bundle_path, manifest
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))
    ON CONFLICT (manifest_id) DO NOTHING";

/// Takes the bundle's path and the manifest's id.
pub(super) const SET_BUNDLE: &str = "UPDATE entry SET bundle_path = ? WHERE manifest_id = ?";

/// The values of a new row.
pub(crate) fn values(entry: &Entry) -> Result<Vec<Value>, StoreError> {
    let (place, body_path) = match &entry.body_place {
        BodyPlace::None => ("none", Value::Null),
        BodyPlace::BodyStore => ("store", Value::Null),
        BodyPlace::Path(path) => ("path", path_value(path)?),
    };
    let bundle_path = entry.bundle_path.as_deref().map(path_value).transpose()?;
    let mut values = Vec::with_capacity(23);
    values.extend(log_values(&entry.log));
    values.extend([
        text(entry.manifest_id),
        text(entry.recorded_at),
        text(entry.fetched_at),
        Value::Integer(entry.fetched_at.as_millis()),
        optional(entry.attested_at.map(text)),
        text(&entry.url),
        optional(entry.final_url.as_ref().map(text)),
        optional(entry.revision.as_ref().map(text)),
        optional(entry.source_class.as_ref().map(text)),
        text(&entry.capture),
        text(&entry.key_id),
        text(entry.content_sha256),
        optional(entry.content_bytes.map(integer)),
        text(place),
        body_path,
        optional(bundle_path),
        optional(entry.manifest.clone().map(Value::Blob)),
    ]);
    Ok(values)
}

/// The values of the columns about the log.
fn log_values(status: &LogStatus) -> [Value; 6] {
    [
        text(status.state.as_str()),
        optional(status.log_id.as_ref().map(text)),
        Value::Integer(i64::from(status.attempts)),
        optional(status.due.map(|due| Value::Integer(due.as_millis()))),
        optional(status.detail.as_ref().map(text)),
        optional(status.changed_at.map(text)),
    ]
}

/// An absolute path as text, or as bytes where it is not valid Unicode.
pub(crate) fn path_value(path: &Path) -> Result<Value, StoreError> {
    let path = std::path::absolute(path).at(path)?;
    match path.to_str() {
        Some(path) => Ok(text(path)),
        None => path_bytes(path),
    }
}

#[cfg(unix)]
fn path_bytes(path: PathBuf) -> Result<Value, StoreError> {
    use std::os::unix::ffi::OsStringExt as _;
    Ok(Value::Blob(path.into_os_string().into_vec()))
}

#[cfg(not(unix))]
fn path_bytes(path: PathBuf) -> Result<Value, StoreError> {
    Err(StoreError::PathNotUnicode { path })
}

fn text(value: impl ToString) -> Value {
    Value::Text(value.to_string())
}

fn optional(value: Option<Value>) -> Value {
    value.unwrap_or(Value::Null)
}

/// No body has more than 2^63 bytes.
fn integer(value: u64) -> Value {
    Value::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

/// The entry in a row.
pub(super) fn read(row: &Row<'_>) -> Result<Entry, Damage> {
    let columns = Columns { row };
    Ok(Entry {
        manifest_id: columns.required("manifest_id", Columns::digest)?,
        recorded_at: columns.required("recorded_at", Columns::time)?,
        fetched_at: columns.required("fetched_at", Columns::time)?,
        attested_at: columns.optional("attested_at", Columns::time)?,
        url: columns.required("url", Columns::text)?,
        final_url: columns.optional("final_url", Columns::text)?,
        revision: columns.optional("revision", Columns::text)?,
        source_class: columns.optional("source_class", Columns::text)?,
        capture: columns.required("capture", Columns::text)?,
        key_id: columns.required("key_id", Columns::text)?,
        content_sha256: columns.required("content_sha256", Columns::digest)?,
        content_bytes: columns.optional("content_bytes", Columns::unsigned)?,
        body_place: body_place(&columns)?,
        bundle_path: columns.optional("bundle_path", path_from_value)?,
        manifest: columns.optional("manifest", Columns::bytes)?,
        log: log_status(&columns)?,
    })
}

fn body_place(columns: &Columns<'_>) -> Result<BodyPlace, Damage> {
    match columns.required("body_place", Columns::text)?.as_str() {
        "none" => Ok(BodyPlace::None),
        "store" => Ok(BodyPlace::BodyStore),
        "path" => Ok(BodyPlace::Path(columns.required("body_path", path_from_value)?)),
        _ => Err(columns.damage("body_place")),
    }
}

fn log_status(columns: &Columns<'_>) -> Result<LogStatus, Damage> {
    Ok(LogStatus {
        state: columns
            .required("log_state", |value| LogState::from_name(&Columns::text(value)?))?,
        log_id: columns.optional("log_id", Columns::text)?,
        attempts: columns.required("log_attempts", |value| value.as_i64().ok()?.try_into().ok())?,
        due: columns
            .optional("log_due_ms", |value| Timestamp::from_millis(value.as_i64().ok()?))?,
        detail: columns.optional("log_detail", Columns::text)?,
        changed_at: columns.optional("log_changed_at", Columns::time)?,
    })
}

struct Columns<'row> {
    row: &'row Row<'row>,
}

impl Columns<'_> {
    fn required<T>(
        &self,
        name: &'static str,
        decode: impl FnOnce(ValueRef<'_>) -> Option<T>,
    ) -> Result<T, Damage> {
        self.optional(name, decode)?.ok_or_else(|| self.damage(name))
    }

    fn optional<T>(
        &self,
        name: &'static str,
        decode: impl FnOnce(ValueRef<'_>) -> Option<T>,
    ) -> Result<Option<T>, Damage> {
        match self.row.get_ref(name) {
            Ok(ValueRef::Null) => Ok(None),
            Ok(value) => decode(value).map(Some).ok_or_else(|| self.damage(name)),
            Err(_) => Err(self.damage(name)),
        }
    }

    fn damage(&self, column: &'static str) -> Damage {
        Damage::Value { row: self.row.get("id").unwrap_or_default(), column }
    }

    fn text(value: ValueRef<'_>) -> Option<String> {
        value.as_str().ok().map(str::to_owned)
    }

    fn digest(value: ValueRef<'_>) -> Option<Sha256Digest> {
        value.as_str().ok()?.parse().ok()
    }

    fn time(value: ValueRef<'_>) -> Option<Timestamp> {
        value.as_str().ok()?.parse().ok()
    }

    fn unsigned(value: ValueRef<'_>) -> Option<u64> {
        value.as_i64().ok()?.try_into().ok()
    }

    fn bytes(value: ValueRef<'_>) -> Option<Vec<u8>> {
        match value {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(bytes.to_vec()),
            _ => None,
        }
    }
}

/// The path behind [`path_value`].
pub(crate) fn path_from_value(value: ValueRef<'_>) -> Option<PathBuf> {
    match value {
        ValueRef::Text(_) => Columns::text(value).map(PathBuf::from),
        ValueRef::Blob(bytes) => path_from_bytes(bytes),
        _ => None,
    }
}

#[cfg(unix)]
fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_from_bytes(_bytes: &[u8]) -> Option<PathBuf> {
    None
}
