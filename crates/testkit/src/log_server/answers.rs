//! The answers of a Rekor server (rekor-tiles v2.3.0), as they were recorded.

use serde_json::{Value, json};

use super::protojson::print;
use crate::Answer;

/// An entry that was taken.
pub(super) fn created(entry: &Value) -> Answer {
    text(201, "application/json", print(entry))
}

const DUPLICATE: &str = "an equivalent entry already exists in the transparency log";

/// The entry was there before.
pub(super) fn duplicate(index: usize) -> Answer {
    duplicate_in_text(index).header("x-log-index", index.to_string())
}

pub(super) fn duplicate_in_text(index: usize) -> Answer {
    error(409, 6, &format!("{DUPLICATE} with index {index}"))
}

pub(super) fn duplicate_somewhere() -> Answer {
    error(409, 6, DUPLICATE)
}

/// The log takes nothing any more.
pub(super) fn frozen() -> Answer {
    let message = "This log has been frozen, please switch to the latest log.\n";
    text(405, "text/plain; charset=utf-8", message.to_owned())
}

/// An error of gRPC, by status and code.
pub(super) fn error(status: u16, code: u8, message: &str) -> Answer {
    let body = json!({"code": code, "message": message, "details": []});
    text(status, "application/json", print(&body))
}

pub(super) fn unimplemented(method: &str) -> Answer {
    error(501, 12, &format!("method {method} not implemented"))
}

pub(super) fn not_found() -> Answer {
    error(404, 5, "Not Found")
}

/// What file servers say of a file that is not there: some show a page that is longer than the file could be.
pub(super) fn no_file() -> Answer {
    let page = format!("<html><h1>404 page not found</h1>{}</html>\n", "<hr>".repeat(3_000));
    text(404, "text/html; charset=utf-8", page)
}

pub(super) fn healthy() -> Answer {
    text(200, "application/json", r#"{"status":"SERVING"}"#.to_owned())
}

pub(super) fn checkpoint(note: &str) -> Answer {
    text(200, "text/plain; charset=utf-8", note.to_owned())
}

pub(super) fn file(bytes: Vec<u8>) -> Answer {
    Answer::ok(bytes).header("content-type", "application/octet-stream")
}

fn text(status: u16, kind: &str, body: String) -> Answer {
    Answer::status(status).header("content-type", kind).body(body)
}
